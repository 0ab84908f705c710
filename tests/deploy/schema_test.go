package deploy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// meta are arguments and blocks that every resource may have.
var meta = map[string]bool{"for_each": true, "count": true, "depends_on": true, "provider": true, "lifecycle": true,
	"timeouts": true}

// Each resource has only arguments and blocks that its type has, and all that it must have.
// testdata/schemas.json was made of what version 8.0 of the provider says of itself: with terraform
// providers schema -json, without what only the cloud sets. Whoever needs a type that is not there adds it.
func TestSchemas(t *testing.T) {
	t.Parallel()
	var schemas map[string]map[string]any
	if err := json.Unmarshal([]byte(read(t, "tests/deploy/testdata/schemas.json")), &schemas); err != nil {
		t.Fatal(err)
	}
	m := parse(readFiles(t))
	for name, b := range m.resources {
		kind, _, _ := strings.Cut(name, ".")
		if kind == "terraform_data" {
			continue
		}
		if schemas[kind] == nil {
			t.Errorf("testdata/schemas.json has no %s", kind)
			continue
		}
		fits(t, name, b.Body, schemas[kind], true)
	}
}

func fits(t *testing.T, where string, body *hclsyntax.Body, schema map[string]any, top bool) {
	t.Helper()
	seen := map[string]bool{}
	for name := range body.Attributes {
		if _, argument := schema[name].(string); !argument && !(top && meta[name]) {
			t.Errorf("%s has no argument %s", where, name)
		}
		seen[name] = true
	}
	for _, b := range body.Blocks {
		kind, inner := b.Type, b.Body
		if kind == "dynamic" {
			kind, inner = b.Labels[0], b.Body.Blocks[0].Body
		} else if top && meta[kind] {
			continue
		}
		below, ok := schema[kind].(map[string]any)
		if !ok {
			t.Errorf("%s has no block %s", where, kind)
			continue
		}
		seen[kind] = true
		fits(t, where+" "+kind, inner, below, false)
	}
	for name, s := range schema {
		if name == "" { // whether the block itself must be there
			continue
		}
		if below, block := s.(map[string]any); (s == "required" || block && below[""] == "required") && !seen[name] {
			t.Errorf("%s needs %s", where, name)
		}
	}
}
