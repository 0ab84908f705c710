// Command generate writes the types and operations of the Swift, Kotlin and Dart clients from
// api/openapi.json:
//
//	go run ./clients/generate
//
// The transport, errors and pages of each client are written by hand, beside the generated files.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// write writes the files below the root of the repository.
func write(root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the generated files by their names in the repository.
func generate(root string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "api", "openapi.json"))
	if err != nil {
		return nil, fmt.Errorf("%w; run this in the root of the repository", err)
	}
	d, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("api/openapi.json: %w", err)
	}
	const note = "// Generated from api/openapi.json by `go run ./clients/generate`. Do not edit.\n"
	const kotlinDir = "clients/kotlin/src/main/kotlin/org/hibana/client/"
	return map[string]string{
		"clients/swift/Sources/HibanaClient/Types.swift":      note + swiftTypes(d),
		"clients/swift/Sources/HibanaClient/Operations.swift": note + swiftOperations(d),
		kotlinDir + "Types.kt":                                note + kotlinTypes(d),
		kotlinDir + "Operations.kt":                           note + kotlinOperations(d),
		"clients/dart/lib/src/types.dart":                     note + dartTypes(d),
		"clients/dart/lib/src/operations.dart":                note + dartOperations(d),
	}, nil
}

// argument returns the name of a parameter in code.
func argument(name string) string {
	words := strings.Split(name, "-")
	for i, word := range words {
		if i > 0 {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		} else if len(words) > 1 {
			words[i] = strings.ToLower(word)
		}
	}
	return strings.Join(words, "")
}

// key is the header that lets a caller repeat a request.
const key = "Idempotency-Key"

// address returns the path with each parameter as a language interpolates it.
func address(o operation, interpolate func(name string, k kind) string) string {
	path := o.path
	for i, p := range o.parameters {
		if o.in[i] == "path" {
			path = strings.ReplaceAll(path, "{"+p.name+"}", interpolate(argument(p.name), p.kind))
		}
	}
	return path
}
