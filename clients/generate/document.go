package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// document is what the clients need of the OpenAPI document, in the order of the generated files.
type document struct {
	types      []object
	operations []operation
}

// object is a type with named fields.
type object struct {
	name, doc string
	fields    []field
	sent      bool // a request has it
	received  bool // an answer has it
}

type field struct {
	name, doc string
	kind      kind
	optional  bool // may be absent or null
}

// kind is the type of a value. base is string, bool, int, double, date, any, list, map, or object.
type kind struct {
	base string
	name string // of the object
	of   *kind  // the values of a list or map
}

type operation struct {
	id, doc, method, path string
	parameters            []field // of the path, the query and the headers; names as they are sent
	in                    []string
	body                  string // an object, or empty
	answer                string // of the first successful status: an object, or empty
	waiting               string // of status 202 beside another, or empty
}

type schema struct {
	Ref                  string             `json:"$ref"`
	Type                 any                `json:"type"`
	Format               string             `json:"format"`
	Description          string             `json:"description"`
	Properties           map[string]*schema `json:"properties"`
	Required             []string           `json:"required"`
	Items                *schema            `json:"items"`
	AllOf                []*schema          `json:"allOf"`
	AdditionalProperties json.RawMessage    `json:"additionalProperties"`
}

type content map[string]struct {
	Schema *schema `json:"schema"`
}

type described struct {
	OperationID string `json:"operationId"`
	Summary     string `json:"summary"`
	Parameters  []struct {
		Name, In, Description string
		Required              bool
		Schema                *schema
	} `json:"parameters"`
	RequestBody struct {
		Content content `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content content `json:"content"`
	} `json:"responses"`
}

// read reads an OpenAPI document. Probes and the bytes of media are left out: no app calls them
// through a client. read refuses what the generated code could not express.
func read(text []byte) (document, error) {
	var api struct {
		Paths      map[string]map[string]described
		Components struct{ Schemas map[string]*schema }
	}
	if err := json.Unmarshal(text, &api); err != nil {
		return document{}, err
	}
	var d document
	sent, received := map[string]bool{}, map[string]bool{}
	mark(api.Components.Schemas, received, "Problem")
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		if !strings.HasPrefix(path, "/v1/") {
			continue
		}
		for _, method := range slices.Sorted(maps.Keys(api.Paths[path])) {
			o, err := operationOf(path, method, api.Paths[path][method])
			if err != nil {
				return document{}, fmt.Errorf("%s %s: %w", method, path, err)
			}
			d.operations = append(d.operations, o)
			mark(api.Components.Schemas, sent, o.body)
			mark(api.Components.Schemas, received, o.answer)
			mark(api.Components.Schemas, received, o.waiting)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(api.Components.Schemas)) {
		if !sent[name] && !received[name] {
			continue
		}
		fields, err := fieldsOf(api.Components.Schemas, api.Components.Schemas[name])
		if err != nil {
			return document{}, fmt.Errorf("%s: %w", name, err)
		}
		d.types = append(d.types, object{name: name, doc: line(api.Components.Schemas[name].Description), fields: fields,
			sent: sent[name], received: received[name]})
	}
	return d, nil
}

// ifAny is the parameter by which a browser asks for 204 in the place of 404, so that its console has no error. The
// generated clients do without it, and so without an answer that may be empty.
const ifAny = "ifAny"

func asksIfAny(of described) bool {
	for _, p := range of.Parameters {
		if p.Name == ifAny {
			return true
		}
	}
	return false
}

func operationOf(path, method string, of described) (operation, error) {
	o := operation{id: of.OperationID, doc: line(of.Summary), method: strings.ToUpper(method), path: path}
	if o.id == "" {
		return o, fmt.Errorf("no operationId")
	}
	for _, p := range of.Parameters {
		if p.Name == ifAny {
			continue
		}
		k, err := kindOf(p.Schema)
		if err != nil {
			return o, err
		}
		if k.base == "date" {
			k.base = "string" // sent back as it came
		}
		o.parameters = append(o.parameters, field{p.Name, line(p.Description), k, !p.Required && p.In != "path"})
		o.in = append(o.in, p.In)
	}
	var err error
	if o.body, err = reference(of.RequestBody.Content); err != nil {
		return o, err
	}
	for _, status := range slices.Sorted(maps.Keys(of.Responses)) {
		if status[0] != '2' {
			continue
		}
		name, err := reference(of.Responses[status].Content)
		switch {
		case err != nil:
			return o, err
		case o.answer == "":
			o.answer = name
		case status == "204" && asksIfAny(of):
		case status == "202" && name != o.answer:
			o.waiting = name
		case name != o.answer:
			return o, fmt.Errorf("several successful answers: %s and %s", o.answer, name)
		}
	}
	return o, nil
}

func reference(of content) (string, error) {
	body, ok := of["application/json"]
	switch {
	case len(of) == 0:
		return "", nil
	case !ok || body.Schema.Ref == "":
		return "", fmt.Errorf("a body is no JSON object with a name")
	}
	return named(body.Schema.Ref), nil
}

// mark marks an object and all that it has.
func mark(all map[string]*schema, marked map[string]bool, name string) {
	if name == "" || marked[name] {
		return
	}
	marked[name] = true
	fields, err := fieldsOf(all, all[name])
	if err != nil {
		return // read reports the error
	}
	for _, f := range fields {
		k := f.kind
		for k.of != nil {
			k = *k.of
		}
		mark(all, marked, k.name)
	}
}

// fieldsOf returns the fields of an object and of those that it embeds, by name.
func fieldsOf(all map[string]*schema, s *schema) ([]field, error) {
	var fields []field
	for _, part := range s.AllOf {
		embedded, err := fieldsOf(all, all[named(part.Ref)])
		if err != nil {
			return nil, err
		}
		fields = append(fields, embedded...)
	}
	for name, p := range s.Properties {
		if name == "$schema" {
			continue
		}
		k, err := kindOf(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		_, nullable := p.Type.([]any)
		fields = append(fields, field{name, line(p.Description), k, nullable || k.base == "any" ||
			!slices.Contains(s.Required, name)})
	}
	slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.name, b.name) })
	return fields, nil
}

func kindOf(s *schema) (kind, error) {
	if s.Ref != "" {
		return kind{base: "object", name: named(s.Ref)}, nil
	}
	name := s.Type
	if several, ok := name.([]any); ok { // a type or null
		name = several[0]
	}
	switch name {
	case "string":
		if s.Format == "date-time" {
			return kind{base: "date"}, nil
		}
		return kind{base: "string"}, nil
	case "boolean":
		return kind{base: "bool"}, nil
	case "integer":
		return kind{base: "int"}, nil
	case "number":
		return kind{base: "double"}, nil
	case "array":
		of, err := kindOf(s.Items)
		return kind{base: "list", of: &of}, err
	case "object":
		var values schema
		if err := json.Unmarshal(s.AdditionalProperties, &values); err != nil || s.Properties != nil {
			return kind{}, fmt.Errorf("an object without a name")
		}
		of, err := kindOf(&values)
		return kind{base: "map", of: &of}, err
	case nil:
		return kind{base: "any"}, nil
	}
	return kind{}, fmt.Errorf("unknown type %v", s.Type)
}

func named(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// line makes one line of a description, so that a comment of it cannot end early.
func line(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "*/", "* /")
}
