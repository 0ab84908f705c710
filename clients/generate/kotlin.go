package main

import (
	"fmt"
	"strings"
)

func kotlinKind(k kind) string {
	switch k.base {
	case "string":
		return "String"
	case "bool":
		return "Boolean"
	case "int":
		return "Long"
	case "double":
		return "Double"
	case "date":
		return "Instant"
	case "any":
		return "Any"
	case "list":
		return "List<" + kotlinKind(*k.of) + ">"
	case "map":
		return "Map<String, " + kotlinKind(*k.of) + ">"
	}
	return k.name
}

func kotlinName(name string) string {
	switch name {
	case "for", "in", "is", "as", "object", "val", "var", "when", "fun", "this", "null", "return", "interface", "package",
		"typealias":
		return "`" + name + "`"
	}
	return name
}

// kotlinDecode returns the code that makes a value of parsed JSON.
func kotlinDecode(k kind, from string) string {
	switch k.base {
	case "string", "bool", "int", "double", "date":
		return map[string]string{"string": "text", "bool": "flag", "int": "whole", "double": "real", "date": "time"}[k.base] +
			"(" + from + ")"
	case "any":
		return from
	case "list":
		return "list(" + from + ") { " + kotlinDecode(*k.of, "it") + " }"
	case "map":
		return "map(" + from + ") { " + kotlinDecode(*k.of, "it") + " }"
	}
	return k.name + ".from(" + from + ")"
}

// kotlinEncode returns the code that makes JSON of a value.
func kotlinEncode(k kind, from, dot string) string {
	switch k.base {
	case "date":
		return from + dot + "toString()"
	case "object":
		return from + dot + "json()"
	case "list":
		if inner := kotlinEncode(*k.of, "it", "."); inner != "it" {
			return from + dot + "map { " + inner + " }"
		}
	case "map":
		if inner := kotlinEncode(*k.of, "it.value", "."); inner != "it.value" {
			return from + dot + "mapValues { " + inner + " }"
		}
	}
	return from
}

func kotlinTypes(d document) string {
	var b strings.Builder
	b.WriteString("package org.hibana.client\n\nimport java.time.Instant\n")
	for _, o := range d.types {
		b.WriteString("\n")
		if o.doc != "" {
			fmt.Fprintf(&b, "/** %s */\n", o.doc)
		}
		fmt.Fprintf(&b, "data class %s(\n", o.name)
		var reads, writes strings.Builder
		for _, f := range o.fields {
			if f.doc != "" {
				fmt.Fprintf(&b, "    /** %s */\n", f.doc)
			}
			name, from := kotlinName(f.name), fmt.Sprintf("o[%q]", f.name)
			if f.optional {
				fmt.Fprintf(&b, "    val %s: %s? = null,\n", name, kotlinKind(f.kind))
				fmt.Fprintf(&reads, "                %s = %s?.let { value -> %s },\n", name, from, kotlinDecode(f.kind, "value"))
				fmt.Fprintf(&writes, "        %q to %s,\n", f.name, kotlinEncode(f.kind, name, "?."))
			} else {
				fmt.Fprintf(&b, "    val %s: %s,\n", name, kotlinKind(f.kind))
				fmt.Fprintf(&reads, "                %s = %s,\n", name, kotlinDecode(f.kind, from))
				fmt.Fprintf(&writes, "        %q to %s,\n", f.name, kotlinEncode(f.kind, name, "."))
			}
		}
		b.WriteString(") {\n")
		if o.sent {
			fmt.Fprintf(&b, "    internal fun json(): Map<String, Any> = present(\n%s    )\n", writes.String())
		}
		if o.sent && o.received {
			b.WriteString("\n")
		}
		if o.received {
			fmt.Fprintf(&b, "    companion object {\n        internal fun from(json: Any?): %s {\n            val o = "+
				"fields(json)\n"+
				"            return %s(\n%s            )\n        }\n    }\n", o.name, o.name, reads.String())
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func kotlinOperations(d document) string {
	var b strings.Builder
	b.WriteString("package org.hibana.client\n\nimport java.util.UUID\n")
	for _, o := range d.operations {
		var arguments, query, headers []string
		if o.body != "" {
			arguments = append(arguments, "body: "+o.body)
		}
		for i, p := range o.parameters {
			name, kind := kotlinName(argument(p.name)), kotlinKind(p.kind)
			value := name
			switch {
			case p.kind.base == "list":
				value = name + `.joinToString(",")`
			case p.kind.base != "string" && p.optional:
				value = name + "?.toString()"
			case p.kind.base != "string":
				value = name + ".toString()"
			}
			entry := fmt.Sprintf("%q to %s", p.name, value)
			switch {
			case p.name == key:
				arguments, headers = append(arguments, name+": String = UUID.randomUUID().toString()"), append(headers, entry)
				continue
			case o.in[i] == "query":
				query = append(query, entry)
			case o.in[i] == "header":
				headers = append(headers, entry)
			}
			if p.optional {
				kind += "? = null"
			}
			arguments = append(arguments, name+": "+kind)
		}
		given := fmt.Sprintf("%q, \"%s\"", o.method, address(o, func(name string, k kind) string {
			if k.base == "int" {
				return "$" + name
			}
			return "${segment(" + kotlinName(name) + ")}"
		}))
		if len(query) > 0 {
			given += ", query = mapOf(" + strings.Join(query, ", ") + ")"
		}
		if len(headers) > 0 {
			given += ", headers = mapOf(" + strings.Join(headers, ", ") + ")"
		}
		if o.body != "" {
			given += ", body = body.json()"
		}
		fmt.Fprintf(&b, "\n/** %s */\nsuspend fun Hibana.%s(%s)", o.doc, o.id, strings.Join(arguments, ", "))
		switch {
		case o.waiting != "":
			fmt.Fprintf(&b, ": Outcome<%s, %s> =\n    outcome(send(%s), %s::from, %s::from)\n", o.answer, o.waiting, given,
				o.answer, o.waiting)
		case o.answer != "":
			fmt.Fprintf(&b, ": %s =\n    %s.from(send(%s).json)\n", o.answer, o.answer, given)
		default:
			fmt.Fprintf(&b, " {\n    send(%s)\n}\n", given)
		}
	}
	return b.String()
}
