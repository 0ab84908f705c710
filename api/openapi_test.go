package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// The committed document is what the API says of itself. Of the older form there is the digest.
func TestOpenAPIFile(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	served := func(path string) []byte {
		return append(e.do(t, "GET", path, "", nil).want(t, http.StatusOK, nil).body, '\n')
	}
	digest := sha256.Sum256(served("/openapi-3.0.json"))
	for name, says := range map[string]string{
		"openapi.json":                string(served("/openapi.json")),
		"testdata/openapi-3.0.sha256": hex.EncodeToString(digest[:]) + "\n",
	} {
		committed := filepath.Join(testenv.Root(), "api", name)
		if *update {
			testenv.Must(t, os.WriteFile(committed, []byte(says), 0o644))
		}
		if want, err := os.ReadFile(committed); err != nil || string(want) != says {
			t.Errorf("api/%s is not what the API says of itself (%v); if that is meant: "+
				"go test ./api -run TestOpenAPI -update, and then npm run generate in clients/typescript and go run "+
				"./clients/generate", name, err)
		}
	}
}

// Each operation has its largest cost. Operations for administrators may have one.
func TestDescribedCosts(t *testing.T) {
	t.Parallel()
	var costs map[string]any
	text, err := os.ReadFile("costs.json")
	testenv.Must(t, err)
	testenv.Must(t, json.Unmarshal(text, &costs))
	for path, item := range newEnv(t).about.Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put,
			"PATCH": item.Patch, "DELETE": item.Delete} {
			if op == nil {
				continue
			}
			_, ok := op.Extensions["x-cost"].(map[string]int64)
			if !ok && !strings.HasPrefix(path, "/v1/admin/") {
				t.Errorf("%s %s has no x-cost", method, path)
			}
			delete(costs, method+" "+path)
		}
	}
	for route := range costs {
		t.Errorf("costs.json has a cost of %s, which is no operation", route)
	}
}

// A schema that extends others allows the same as the schema that requests are checked by.
func TestExtendedSchemas(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	var doc struct {
		Components struct{ Schemas map[string]any }
	}
	testenv.Must(t, json.Unmarshal(e.do(t, "GET", "/openapi.json", "", nil).body, &doc))
	extend, all := 0, doc.Components.Schemas
	for name, plain := range e.about.Components.Schemas.Map() {
		text, err := json.Marshal(plain)
		testenv.Must(t, err)
		var want map[string]any
		testenv.Must(t, json.Unmarshal(text, &want))
		if all[name].(map[string]any)["allOf"] != nil {
			extend++
		}
		got := plainSchema(all, all[name].(map[string]any))
		for _, s := range []map[string]any{got, want} {
			if required, ok := s["required"].([]any); ok {
				slices.SortFunc(required, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the schema %s (-checks +says):\n%s", name, diff)
		}
	}
	if extend < 10 {
		t.Errorf("%d schemas extend others, so the test finds them no more", extend)
	}
}

// plainSchema is a schema with the fields of those that it extends.
func plainSchema(all map[string]any, s map[string]any) map[string]any {
	parts, ok := s["allOf"].([]any)
	if !ok {
		return s
	}
	s = maps.Clone(s)
	delete(s, "allOf")
	if closed, ok := s["unevaluatedProperties"]; ok {
		delete(s, "unevaluatedProperties")
		s["additionalProperties"] = closed
	}
	properties := map[string]any{}
	required, _ := s["required"].([]any)
	if own, ok := s["properties"].(map[string]any); ok {
		maps.Copy(properties, own)
	}
	for _, part := range parts {
		ref := part.(map[string]any)["$ref"].(string)
		base := plainSchema(all, all[strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any))
		maps.Copy(properties, base["properties"].(map[string]any))
		more, _ := base["required"].([]any)
		required = append(slices.Clone(required), more...)
	}
	s["properties"] = properties
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}
