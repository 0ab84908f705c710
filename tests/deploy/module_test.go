package deploy

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// files are the texts of deploy/terraform, and of a few other files that it reads, by their names
// below it.
type files map[string]string

func readFiles(t *testing.T) files {
	t.Helper()
	dir, texts := filepath.Join(testenv.Root(), "deploy", "terraform"), files{}
	for _, pattern := range []string{"*.tf", "*.tfvars", "*.json", "*.yaml", "dashboards/*.json"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			below, _ := filepath.Rel(dir, name)
			texts[below] = string(text)
		}
	}
	return texts
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// module is what the files say.
type module struct {
	files     files
	resources map[string]*block // by type and name, such as google_pubsub_topic.dead
	variables map[string]*block
	locals    map[string]hclsyntax.Expression
	problems  []string
}

// block is a block of a file, whose expressions can be read as text or, if they are literals, as
// values.
type block struct {
	*hclsyntax.Block
	text string
}

func parse(texts files) *module {
	m := &module{files: texts, resources: map[string]*block{}, variables: map[string]*block{},
		locals: map[string]hclsyntax.Expression{}}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if filepath.Ext(name) != ".tf" {
			continue
		}
		text := texts[name]
		f, diags := hclsyntax.ParseConfig([]byte(text), name, hcl.InitialPos)
		if diags.HasErrors() {
			m.add("%v", diags)
			continue
		}
		for _, b := range f.Body.(*hclsyntax.Body).Blocks {
			switch b.Type {
			case "resource":
				m.resources[strings.Join(b.Labels, ".")] = &block{b, text}
			case "variable":
				m.variables[b.Labels[0]] = &block{b, text}
			case "locals":
				for name, a := range b.Body.Attributes {
					m.locals[name] = a.Expr
				}
			}
		}
	}
	return m
}

func (m *module) add(format string, args ...any) {
	m.problems = append(m.problems, fmt.Sprintf(format, args...))
}

// resource returns a resource, or an empty block, which is a problem.
func (m *module) resource(name string) *block {
	if b := m.resources[name]; b != nil {
		return b
	}
	m.add("there is no resource %s", name)
	return &block{&hclsyntax.Block{Body: &hclsyntax.Body{}}, ""}
}

// of returns the names of the resources of a type.
func (m *module) of(kind string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(m.resources)) {
		if strings.HasPrefix(name, kind+".") {
			names = append(names, name)
		}
	}
	return names
}

// strings returns the texts of a local that is a list of literals, sorted.
func (m *module) strings(local string) (list []string) {
	e := m.locals[local]
	if e == nil {
		m.add("there is no local %s", local)
		return nil
	}
	if call, ok := e.(*hclsyntax.FunctionCallExpr); ok && call.Name == "toset" {
		e = call.Args[0]
	}
	return texts(literal(e))
}

// object returns the attributes of a local that is an object.
func (m *module) object(local string) map[string]hclsyntax.Expression {
	e, ok := m.locals[local].(*hclsyntax.ObjectConsExpr)
	if !ok {
		m.add("the local %s is no object", local)
		return nil
	}
	return attributes(e)
}

func attributes(e *hclsyntax.ObjectConsExpr) map[string]hclsyntax.Expression {
	all := map[string]hclsyntax.Expression{}
	for _, item := range e.Items {
		all[hcl.ExprAsKeyword(item.KeyExpr)] = item.ValueExpr
	}
	return all
}

// literal returns the value of an expression that needs nothing else, or cty.NilVal.
func literal(e hclsyntax.Expression) cty.Value {
	if e == nil {
		return cty.NilVal
	}
	v, diags := e.Value(nil)
	if diags.HasErrors() {
		return cty.NilVal
	}
	return v
}

func texts(v cty.Value) (list []string) {
	if v == cty.NilVal || !v.CanIterateElements() {
		return nil
	}
	for _, e := range v.AsValueSlice() {
		list = append(list, text(e))
	}
	slices.Sort(list)
	return list
}

// text returns a literal as text: numbers and booleans as HCL has them.
func text(v cty.Value) string {
	switch {
	case v == cty.NilVal || v.IsNull():
		return ""
	case v.Type() == cty.String:
		return v.AsString()
	case v.Type() == cty.Number:
		return v.AsBigFloat().Text('f', -1)
	case v.Type() == cty.Bool:
		return fmt.Sprint(v.True())
	}
	return ""
}

// get returns the literal of an attribute as text, or the expression itself. A path leads through
// blocks, such as "template containers startup_probe http_get path".
func (b *block) get(path string) string {
	steps := strings.Fields(path)
	for _, step := range steps[:len(steps)-1] {
		if b = b.block(step); b == nil {
			return ""
		}
	}
	a := b.Body.Attributes[steps[len(steps)-1]]
	if a == nil {
		return ""
	}
	if v := literal(a.Expr); v != cty.NilVal && text(v) != "" {
		return text(v)
	}
	return b.source(a.Expr)
}

func (b *block) source(e hclsyntax.Expression) string {
	r := e.Range()
	return b.text[r.Start.Byte:r.End.Byte]
}

// block returns the first block of a kind, a dynamic one too.
func (b *block) block(kind string) *block {
	if all := b.blocks(kind); len(all) > 0 {
		return all[0]
	}
	return nil
}

func (b *block) blocks(kind string) (all []*block) {
	for _, inner := range b.Body.Blocks {
		switch {
		case inner.Type == kind:
			all = append(all, &block{inner, b.text})
		case inner.Type == "dynamic" && inner.Labels[0] == kind:
			for _, content := range inner.Body.Blocks {
				all = append(all, &block{content, b.text})
			}
		}
	}
	return all
}

// same adds a problem for each name that is in one list alone.
func (m *module) same(what string, code, terraform []string) {
	for _, name := range code {
		if !slices.Contains(terraform, name) {
			m.add("%s: the code has %s, and Terraform has not", what, name)
		}
	}
	for _, name := range terraform {
		if !slices.Contains(code, name) {
			m.add("%s: Terraform has %s, and the code has not", what, name)
		}
	}
}

// want adds a problem if an attribute has another value.
func (m *module) want(resource, path, value string) {
	if got := m.resource(resource).get(path); got != value {
		m.add("%s: %s is %q, want %q", resource, path, got, value)
	}
}
