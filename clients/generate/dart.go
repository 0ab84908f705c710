package main

import (
	"fmt"
	"strings"
)

func dartKind(k kind) string {
	switch k.base {
	case "string":
		return "String"
	case "bool":
		return "bool"
	case "int":
		return "int"
	case "double":
		return "double"
	case "date":
		return "DateTime"
	case "any":
		return "Object"
	case "list":
		return "List<" + dartKind(*k.of) + ">"
	case "map":
		return "Map<String, " + dartKind(*k.of) + ">"
	}
	return k.name
}

func dartName(name string) string {
	switch name {
	case "for", "in", "is", "default", "case", "class", "const", "enum", "final", "if", "new", "null", "return", "super",
		"switch",
		"this", "throw", "var", "void", "while", "with":
		return name + "_"
	}
	return name
}

// dartDecode returns the code that makes a value of parsed JSON.
func dartDecode(k kind, from string) string {
	switch k.base {
	case "string":
		return from + " as String"
	case "bool":
		return from + " as bool"
	case "int":
		return "(" + from + " as num).toInt()"
	case "double":
		return "(" + from + " as num).toDouble()"
	case "date":
		return "DateTime.parse(" + from + " as String)"
	case "any":
		return from + " as Object"
	case "list":
		return "[for (final x in " + from + " as List<dynamic>? ?? const []) " + dartDecode(*k.of, "x") + "]"
	case "map":
		return "{for (final x in (" + from + " as Map<String, dynamic>).entries) x.key: " + dartDecode(*k.of, "x.value") + "}"
	}
	return k.name + ".fromJson(" + from + " as Map<String, dynamic>)"
}

// dartEncode returns the code that makes JSON of a value.
func dartEncode(k kind, from string) string {
	switch k.base {
	case "date":
		return from + ".toUtc().toIso8601String()"
	case "object":
		return from + ".toJson()"
	case "list":
		if inner := dartEncode(*k.of, "x"); inner != "x" {
			return "[for (final x in " + from + ") " + inner + "]"
		}
	case "map":
		if inner := dartEncode(*k.of, "x.value"); inner != "x.value" {
			return "{for (final x in " + from + ".entries) x.key: " + inner + "}"
		}
	}
	return from
}

func dartTypes(d document) string {
	var b strings.Builder
	for _, o := range d.types {
		b.WriteString("\n")
		if o.doc != "" {
			fmt.Fprintf(&b, "/// %s\n", o.doc)
		}
		fmt.Fprintf(&b, "class %s {\n", o.name)
		var arguments []string
		var reads, writes strings.Builder
		for _, f := range o.fields {
			if f.doc != "" {
				fmt.Fprintf(&b, "  /// %s\n", f.doc)
			}
			name, from := dartName(f.name), fmt.Sprintf("json['%s']", f.name)
			if f.optional {
				fmt.Fprintf(&b, "  final %s? %s;\n", dartKind(f.kind), name)
				arguments = append(arguments, "this."+name)
				fmt.Fprintf(&reads, "        %s: %s == null ? null : %s,\n", name, from, dartDecode(f.kind, from))
				value := dartEncode(f.kind, name+"!")
				if value == name+"!" {
					value = name
				}
				fmt.Fprintf(&writes, "        if (%s != null) '%s': %s,\n", name, f.name, value)
			} else {
				fmt.Fprintf(&b, "  final %s %s;\n", dartKind(f.kind), name)
				arguments = append(arguments, "required this."+name)
				fmt.Fprintf(&reads, "        %s: %s,\n", name, dartDecode(f.kind, from))
				fmt.Fprintf(&writes, "        '%s': %s,\n", f.name, dartEncode(f.kind, name))
			}
		}
		given := ""
		if len(arguments) > 0 {
			given = "{" + strings.Join(arguments, ", ") + "}"
		}
		fmt.Fprintf(&b, "\n  const %s(%s);\n", o.name, given)
		if o.received {
			fmt.Fprintf(&b, "\n  factory %s.fromJson(Map<String, dynamic> json) => %s(\n%s      );\n", o.name, o.name,
				reads.String())
		}
		if o.sent {
			fmt.Fprintf(&b, "\n  Map<String, dynamic> toJson() => {\n%s      };\n", writes.String())
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func dartOperations(d document) string {
	var b strings.Builder
	b.WriteString("\nimport 'hibana.dart';\nimport 'types.dart';\n\nextension Operations on Hibana {\n")
	for i, o := range d.operations {
		if i > 0 {
			b.WriteString("\n")
		}
		var placed, optional, query, headers []string
		for i, p := range o.parameters {
			name, kind := dartName(argument(p.name)), dartKind(p.kind)
			value := name
			switch {
			case p.kind.base == "list":
				value = name + ".join(',')"
			case p.kind.base != "string" && p.optional:
				value = name + "?.toString()"
			case p.kind.base != "string":
				value = name + ".toString()"
			}
			entry := fmt.Sprintf("'%s': %s", p.name, value)
			if p.name == key {
				optional, headers = append(optional, "String? "+name), append(headers, entry+" ?? newKey()")
				continue
			}
			switch o.in[i] {
			case "query":
				query = append(query, entry)
			case "header":
				headers = append(headers, entry)
			}
			if p.optional {
				optional = append(optional, kind+"? "+name)
			} else {
				placed = append(placed, kind+" "+name)
			}
		}
		if o.body != "" {
			placed = append(placed, o.body+" body")
		}
		arguments := strings.Join(placed, ", ")
		if len(optional) > 0 {
			if arguments != "" {
				arguments += ", "
			}
			arguments += "{" + strings.Join(optional, ", ") + "}"
		}
		given := fmt.Sprintf("'%s', '%s'", o.method, address(o, func(name string, k kind) string {
			if k.base == "int" {
				return "$" + name
			}
			return "${Uri.encodeComponent(" + dartName(name) + ")}"
		}))
		if len(query) > 0 {
			given += ", query: {" + strings.Join(query, ", ") + "}"
		}
		if len(headers) > 0 {
			given += ", headers: {" + strings.Join(headers, ", ") + "}"
		}
		if o.body != "" {
			given += ", body: body.toJson()"
		}
		fmt.Fprintf(&b, "  /// %s\n", o.doc)
		switch {
		case o.waiting != "":
			fmt.Fprintf(&b, "  Future<Outcome<%s, %s>> %s(%s) async =>\n      outcome(await send(%s), %s.fromJson, "+
				"%s.fromJson);\n",
				o.answer, o.waiting, o.id, arguments, given, o.answer, o.waiting)
		case o.answer != "":
			fmt.Fprintf(&b, "  Future<%s> %s(%s) async =>\n      %s.fromJson((await send(%s)).json);\n", o.answer, o.id,
				arguments, o.answer, given)
		default:
			fmt.Fprintf(&b, "  Future<void> %s(%s) async {\n    await send(%s);\n  }\n", o.id, arguments, given)
		}
	}
	return b.String() + "}\n"
}
