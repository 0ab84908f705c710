package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files of the Swift, Kotlin and Dart clients are those of the OpenAPI document.
func TestCurrent(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != want {
			t.Errorf("%s is not made from api/openapi.json (%v); if the API is as it should be: go run ./clients/generate", name,
				err)
		}
	}
}

const small = `{
	"paths": {
		"/health": {"get": {"operationId": "health"}},
		"/v1/posts/{for}": {"post": {
			"operationId": "post", "summary": "Post */ it",
			"parameters": [
				{"name": "for", "in": "path", "schema": {"type": "string"}},
				{"name": "loud", "in": "query", "schema": {"type": "boolean"}},
				{"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}
			],
			"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Post"}}}},
			"responses": {
				"201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Post"}}}},
				"202": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Held"}}}}
			}
		}}
	},
	"components": {"schemas": {
		"Post": {"allOf": [{"$ref": "#/components/schemas/Base"}],
			"properties": {"at": {"type": ["string", "null"], "format": "date-time"}}},
		"Base": {"properties": {"words": {"type": "array", "items": {"type": "string"}}}, "required": ["words"]},
		"Held": {"properties": {}},
		"Problem": {"properties": {"code": {"type": "string"}}, "required": ["code"]},
		"Unused": {"properties": {"x": {"type": "what"}}}
	}}
}`

// An operation has its parameters, with the words of a language escaped, and its two answers. A
// type has the fields that it embeds. What no operation uses is left out.
func TestGenerate(t *testing.T) {
	t.Parallel()
	d, err := read([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, got, want string }{
		{"Swift", swiftOperations(d), "    /// Post * / it\n" +
			"    public func post(_ body: Hibana.Post, `for`: String, loud: Bool? = nil, idempotencyKey: String = UUID().uuidString) async throws" +
			" -> Hibana.Outcome<Hibana.Post, Hibana.Held> {\n        try await outcome(\"POST\", " +
			"\"/v1/posts/\\(Hibana.segment(`for`))\"," +
			" query: [\"loud\": loud.map { String($0) }], headers: [\"Idempotency-Key\": idempotencyKey], body: body)\n"},
		{"Swift", swiftTypes(d), "public struct Post: Codable, Sendable {\n        public var at: Date?\n        public " +
			"var words: [String]\n"},
		{"Kotlin", kotlinOperations(d), "suspend fun Hibana.post(body: Post, `for`: String, loud: Boolean? = null, idempotencyKey: String =" +
			" UUID.randomUUID().toString()): Outcome<Post, Held> =\n" +
			"    outcome(send(\"POST\", \"/v1/posts/${segment(`for`)}\"," +
			" query = mapOf(\"loud\" to loud?.toString()), headers = mapOf(\"Idempotency-Key\" to idempotencyKey), body = " +
			"body.json())," +
			" Post::from, Held::from)\n"},
		{"Kotlin", kotlinTypes(d), "                at = o[\"at\"]?.let { value -> time(value) },\n" +
			"                words = list(o[\"words\"]) { text(it) },\n"},
		{"Dart", dartOperations(d), "Future<Outcome<Post, Held>> post(String for_, Post body, {bool? loud, String? " +
			"idempotencyKey}) async =>\n" +
			"      outcome(await send('POST', '/v1/posts/${Uri.encodeComponent(for_)}', query: {'loud': loud?.toString()}," +
			" headers: {'Idempotency-Key': idempotencyKey ?? newKey()}, body: body.toJson()), Post.fromJson, Held.fromJson);\n"},
		{"Dart", dartTypes(d), "        at: json['at'] == null ? null : DateTime.parse(json['at'] as String),\n"},
	}
	for _, test := range tests {
		if !strings.Contains(test.got, test.want) {
			t.Errorf("%s: got\n%s\nwant in it\n%s", test.name, test.got, test.want)
		}
		if strings.Contains(test.got, "health") || strings.Contains(test.got, "Unused") {
			t.Errorf("%s has what no app calls:\n%s", test.name, test.got)
		}
	}
}

// What the generated code could not express is refused, with its place.
func TestRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ from, to, want string }{
		{`"type": "boolean"`, `"type": "what"`, "post /v1/posts/{for}: unknown type what"},
		{`"operationId": "post"`, `"operationId": ""`, "post /v1/posts/{for}: no operationId"},
		{`"202"`, `"203"`, "post /v1/posts/{for}: several successful answers: Post and Held"},
		{`"items": {"type": "string"}`, `"items": {"type": "object", "properties": {}}`, "Post: words: an object without a name"},
	}
	for _, test := range tests {
		if _, err := read([]byte(strings.Replace(small, test.from, test.to, 1))); err == nil || err.Error() != test.want {
			t.Errorf("with %s: %v, want %s", test.to, err, test.want)
		}
	}
}
