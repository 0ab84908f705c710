package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// The prefixes of references to shared parts of operations.
const (
	schemaPrefix   = "#/components/schemas/"
	responsePrefix = "#/components/responses/"
)

// Describe completes the OpenAPI document when all operations are registered, and serves it. codes has the meaning of
// every code of a problem document. costs is JSON: it maps each route to its measured cost ceiling.
func (s *Server) Describe(codes map[string]string, costs []byte) {
	doc := s.api.OpenAPI()
	describeCodes(doc, codes)
	shareFailures(doc)
	describeCosts(doc, costs)
	s.docs()
}

// OpenAPI returns the document that describes the operations.
func (s *Server) OpenAPI() *huma.OpenAPI { return s.api.OpenAPI() }

// shareFailures describes each kind of failure once, and makes the operations refer to it.
func shareFailures(doc *huma.OpenAPI) {
	shared := map[string]*huma.Response{}
	for _, item := range doc.Paths {
		for _, op := range operationsOf(item) {
			if op == nil {
				continue
			}
			for status, response := range op.Responses {
				if response.Content["application/problem+json"] == nil {
					continue
				}
				name := strings.ReplaceAll(response.Description, " ", "")
				if same := shared[name]; same != nil && !reflect.DeepEqual(same, response) {
					panic("two kinds of failures have the name " + name)
				}
				shared[name] = response
				op.Responses[status] = &huma.Response{Ref: responsePrefix + name}
			}
		}
	}
	doc.Components.Responses = shared
}

// describeCodes adds the list of codes to the schema of problem documents.
func describeCodes(doc *huma.OpenAPI, codes map[string]string) {
	names := slices.Sorted(maps.Keys(codes))
	var text strings.Builder
	text.WriteString("What went wrong, for programs; never changes.\n")
	for _, name := range names {
		fmt.Fprintf(&text, "\n* `%s`: %s", name, codes[name])
	}
	problem := doc.Components.Schemas.Map()["Problem"]
	code := *problem.Properties["code"]
	code.Description, code.Enum = text.String(), nil
	for _, name := range names {
		code.Enum = append(code.Enum, name)
	}
	problem.Properties["code"] = &code
}

// describeCosts adds x-cost to each operation whose cost is measured.
func describeCosts(doc *huma.OpenAPI, costs []byte) {
	var billed map[string]map[string]int64
	if err := json.Unmarshal(costs, &billed); err != nil {
		panic(err)
	}
	for path, item := range doc.Paths {
		for method, op := range operationsOf(item) {
			if cost, ok := billed[method+" "+path]; ok && op != nil {
				op.Extensions = map[string]any{"x-cost": cost}
			}
		}
	}
}

// extending returns the document with schemas that refer to the schemas that they extend, in the form of OpenAPI 3.1.
// The schemas of doc stay unchanged, because they validate requests.
func extending(doc *huma.OpenAPI) *huma.OpenAPI {
	components, out := *doc.Components, *doc
	components.Schemas = schemas{doc.Components.Schemas, extended(doc.Components.Schemas)}
	out.Components = &components
	return &out
}

// schemas is a registry that describes other schemas than it validates with.
type schemas struct {
	huma.Registry
	described map[string]*huma.Schema
}

func (s schemas) MarshalJSON() ([]byte, error) { return json.Marshal(s.described) }

// extended returns the schemas of a registry. For a struct X that embeds a struct Y with a schema, the schema of X is
// allOf YFields and its own fields. YFields allows more fields, because allOf cannot add fields to Y.
func extended(all huma.Registry) map[string]*huma.Schema {
	described := maps.Clone(all.Map())
	for name := range all.Map() {
		bases := embedded(all, name)
		for _, base := range bases {
			described[base+"Fields"] = openSchema(all, base)
			described[base] = closed(huma.Schema{Type: huma.TypeObject, AllOf: fieldsOf(base)})
		}
		if len(bases) > 0 && described[name+"Fields"] == nil {
			described[name] = closed(*openSchema(all, name))
		}
	}
	return described
}

// openSchema returns the schema of a struct. It refers to the fields of embedded structs and allows more fields.
func openSchema(all huma.Registry, name string) *huma.Schema {
	bases, open := embedded(all, name), *all.Map()[name]
	open.AllOf, open.AdditionalProperties = fieldsOf(bases...), nil
	open.Properties, open.Required = maps.Clone(open.Properties), slices.Clone(open.Required)
	for _, base := range bases {
		fields := all.Map()[base]
		maps.DeleteFunc(open.Properties, func(field string, _ *huma.Schema) bool { return fields.Properties[field] != nil })
		open.Required = slices.DeleteFunc(open.Required, func(field string) bool {
			return slices.Contains(fields.Required,
				field)
		})
	}
	return &open
}

func fieldsOf(bases ...string) (refs []*huma.Schema) {
	for _, base := range bases {
		refs = append(refs, &huma.Schema{Ref: schemaPrefix + base + "Fields"})
	}
	return refs
}

// closed returns a schema that allows only the fields of allOf and its own.
func closed(s huma.Schema) *huma.Schema {
	s.Extensions = map[string]any{"unevaluatedProperties": false}
	return &s
}

// embedded lists the structs with schemas that a schema's struct embeds. It leaves out a struct if another field hides
// one of its fields.
func embedded(all huma.Registry, name string) (bases []string) {
	t := all.TypeFromRef(schemaPrefix + name)
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	whole := all.Map()[name]
	for _, field := range reflect.VisibleFields(t) {
		base := huma.DefaultSchemaNamer(field.Type, "")
		fields := all.Map()[base]
		if len(field.Index) > 1 || !field.Anonymous || fields == nil || all.TypeFromRef(schemaPrefix+base) != field.Type {
			continue
		}
		hidden := false
		for at, property := range fields.Properties {
			hidden = hidden || !reflect.DeepEqual(whole.Properties[at], property)
		}
		if !hidden {
			bases = append(bases, base)
		}
	}
	return bases
}

// operationsOf returns the operations of a path by method.
func operationsOf(p *huma.PathItem) map[string]*huma.Operation {
	return map[string]*huma.Operation{
		http.MethodGet: p.Get, http.MethodPost: p.Post, http.MethodPut: p.Put, http.MethodPatch: p.Patch,
		http.MethodDelete: p.Delete,
	}
}
