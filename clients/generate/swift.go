package main

import (
	"fmt"
	"strings"
)

func swiftKind(k kind) string {
	switch k.base {
	case "string":
		return "String"
	case "bool":
		return "Bool"
	case "int":
		return "Int"
	case "double":
		return "Double"
	case "date":
		return "Date"
	case "any":
		return "JSON"
	case "list":
		return "[" + swiftKind(*k.of) + "]"
	case "map":
		return "[String: " + swiftKind(*k.of) + "]"
	}
	return k.name
}

func swiftName(name string) string {
	switch name {
	case "for", "in", "is", "as", "default", "case", "where", "repeat", "self", "init", "public", "private", "internal",
		"func",
		"return", "operator", "protocol", "extension", "import", "switch", "throw", "throws":
		return "`" + name + "`"
	}
	return name
}

func swiftTypes(d document) string {
	var b strings.Builder
	b.WriteString("import Foundation\n\nextension Hibana {\n")
	for i, o := range d.types {
		if i > 0 {
			b.WriteString("\n")
		}
		if o.doc != "" {
			fmt.Fprintf(&b, "    /// %s\n", o.doc)
		}
		conforms := "Codable"
		if !o.sent {
			conforms = "Decodable"
		} else if !o.received {
			conforms = "Encodable"
		}
		fmt.Fprintf(&b, "    public struct %s: %s, Sendable {\n", o.name, conforms)
		var arguments, sets []string
		for _, f := range o.fields {
			if f.doc != "" {
				fmt.Fprintf(&b, "        /// %s\n", f.doc)
			}
			kind, name := swiftKind(f.kind), swiftName(f.name)
			absent := ""
			if f.optional {
				kind, absent = kind+"?", " = nil"
			}
			fmt.Fprintf(&b, "        public var %s: %s\n", name, kind)
			arguments = append(arguments, name+": "+kind+absent)
			sets = append(sets, fmt.Sprintf("            self.%s = %s\n", f.name, name))
		}
		if o.sent {
			fmt.Fprintf(&b, "\n        public init(%s) {\n%s        }\n", strings.Join(arguments, ", "), strings.Join(sets, ""))
		}
		b.WriteString("    }\n")
	}
	return b.String() + "}\n"
}

func swiftOperations(d document) string {
	var b strings.Builder
	b.WriteString("import Foundation\n\nextension Hibana.Client {\n")
	for i, o := range d.operations {
		if i > 0 {
			b.WriteString("\n")
		}
		var arguments, query, headers []string
		if o.body != "" {
			arguments = append(arguments, "_ body: Hibana."+o.body)
		}
		for i, p := range o.parameters {
			name, kind, value := swiftName(argument(p.name)), swiftKind(p.kind), ""
			switch {
			case p.kind.base == "list":
				value = name + `.joined(separator: ",")`
			case p.kind.base == "string":
				value = name
			case p.optional:
				value = name + ".map { String($0) }"
			default:
				value = "String(" + name + ")"
			}
			entry := fmt.Sprintf("%q: %s", p.name, value)
			switch {
			case p.name == key:
				arguments, headers = append(arguments, name+": String = UUID().uuidString"), append(headers, entry)
				continue
			case o.in[i] == "query":
				query = append(query, entry)
			case o.in[i] == "header":
				headers = append(headers, entry)
			}
			if p.optional {
				kind += "? = nil"
			}
			arguments = append(arguments, name+": "+kind)
		}
		call, answer := "done", ""
		if o.answer != "" {
			call, answer = "call", " -> Hibana."+o.answer
		}
		if o.waiting != "" {
			call, answer = "outcome", fmt.Sprintf(" -> Hibana.Outcome<Hibana.%s, Hibana.%s>", o.answer, o.waiting)
		}
		given := fmt.Sprintf("%q, \"%s\"", o.method, address(o, func(name string, k kind) string {
			if k.base == "int" {
				return `\(` + name + `)`
			}
			return `\(Hibana.segment(` + swiftName(name) + `))`
		}))
		if len(query) > 0 {
			given += ", query: [" + strings.Join(query, ", ") + "]"
		}
		if len(headers) > 0 {
			given += ", headers: [" + strings.Join(headers, ", ") + "]"
		}
		if o.body != "" {
			given += ", body: body"
		}
		fmt.Fprintf(&b, "    /// %s\n    public func %s(%s) async throws%s {\n        try await %s(%s)\n    }\n",
			o.doc, o.id, strings.Join(arguments, ", "), answer, call, given)
	}
	return b.String() + "}\n"
}
