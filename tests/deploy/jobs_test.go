package deploy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/config"
)

// arguments returns the arguments of a job; one that is no literal is empty.
func arguments(job *hclsyntax.ObjectConsExpr) (words []string) {
	args, ok := attributes(job)["args"].(*hclsyntax.TupleConsExpr)
	if !ok {
		return nil
	}
	for _, arg := range args.Exprs {
		words = append(words, text(literal(arg)))
	}
	return words
}

// jobEnvironment: what the jobs read is what they get. A job reads what its flags name, and by
// its flag of the database what package config reads for every service.
func jobEnvironment(t *testing.T, m *module) {
	commands := flags(t)
	own := map[string]bool{}
	for name, e := range m.object("jobs") {
		job, ok := e.(*hclsyntax.ObjectConsExpr)
		if !ok {
			continue // told by jobs
		}
		words := arguments(job)
		if len(words) < 2 {
			m.add("the job %s runs hibana %v, which is no command", name, words)
			continue
		}
		// deletionsOrphansCmd is hibana deletions orphans
		command := words[0] + strings.ToUpper(words[1][:1]) + words[1][1:] + "Cmd"
		if commands[command] == nil {
			m.add("the job %s runs hibana %v, and cmd/hibana has no %s", name, words, command)
		}
		for _, variable := range commands[command] {
			own[variable] = true
		}
	}
	service := testenv.Variables(reflect.TypeFor[config.Service]())
	var sent []string
	shared := false
	job := m.resource("google_cloud_run_v2_job.job")
	for _, step := range []string{"template", "template", "containers"} {
		if job = job.block(step); job == nil {
			m.add("the jobs have no containers")
			return
		}
	}
	for _, b := range job.Body.Blocks {
		env := &block{b, job.text}
		switch {
		case b.Type == "env":
			sent = append(sent, env.get("name"))
		case b.Type == "dynamic" && b.Labels[0] == "env":
			for _, part := range merged(b.Body.Attributes["for_each"].Expr) {
				if o, ok := part.(*hclsyntax.ObjectConsExpr); ok {
					sent = append(sent, slices.Collect(maps.Keys(attributes(o)))...)
					continue
				}
				switch env.source(part) {
				case "local.shared_environment":
					shared = true
					sent = append(sent, m.set("shared_environment")...)
				case "local.telemetry_environment": // its one variable is read by cmd/hibana/jobs.go
				default:
					m.add("the jobs get %s", env.source(part))
				}
			}
		}
	}
	if !shared {
		m.add("the jobs do not get what all services share, such as TIME_ZONE")
	}
	for _, name := range sent {
		if !own[name] && !slices.Contains(service, name) {
			m.add("variables of the jobs: Terraform has %s, and the code has not", name)
		}
	}
	for name := range own {
		if !slices.Contains(sent, name) && elsewhere[name] == "" {
			m.add("variables of the jobs: the code has %s, and Terraform has not", name)
		}
	}
}

// merged returns what a call of merge merges, or the expression itself.
func merged(e hclsyntax.Expression) []hclsyntax.Expression {
	if call, ok := e.(*hclsyntax.FunctionCallExpr); ok && call.Name == "merge" {
		return call.Args
	}
	return []hclsyntax.Expression{e}
}

// flags returns the variables of the flags of each type of cmd/hibana, those of embedded types too.
func flags(t *testing.T) map[string][]string {
	paths, err := filepath.Glob(filepath.Join(testenv.Root(), "cmd", "hibana", "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("cmd/hibana has no files: %v", err)
	}
	structs := map[string]*ast.StructType{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if s, ok := spec.Type.(*ast.StructType); ok {
					structs[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	var of func(name string) []string
	of = func(name string) []string {
		list := []string{}
		for _, field := range structs[name].Fields.List {
			if field.Tag == nil {
				continue
			}
			quoted, _ := strconv.Unquote(field.Tag.Value)
			tag := reflect.StructTag(quoted)
			if variable := tag.Get("env"); variable != "" {
				list = append(list, variable)
			}
			inner, ok := field.Type.(*ast.Ident)
			if _, embedded := tag.Lookup("embed"); embedded && ok && structs[inner.Name] != nil {
				list = append(list, of(inner.Name)...)
			}
		}
		return list
	}
	all := map[string][]string{}
	for name := range structs {
		all[name] = of(name)
	}
	return all
}
