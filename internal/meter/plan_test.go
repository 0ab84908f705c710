package meter

import (
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/proto"
)

const indexesJSON = `{
  "indexes": [
    {"collectionGroup": "tweets", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "authorId", "order": "ASCENDING"}, {"fieldPath": "createdAt", "order": "DESCENDING"}]},
    {"collectionGroup": "tweets", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "visibility", "order": "DESCENDING"}, {"fieldPath": "createdAt", "order": "DESCENDING"}]},
    {"collectionGroup": "tweets", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "topics", "arrayConfig": "CONTAINS"}, {"fieldPath": "createdAt", "order": "DESCENDING"}]},
    {"collectionGroup": "tweets", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "likeCount", "order": "DESCENDING"}, {"fieldPath": "replyCount", "order": "ASCENDING"}]},
    {"collectionGroup": "tweets", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "rootId", "order": "ASCENDING"}, {"fieldPath": "replyTo", "order": "ASCENDING"},
      {"fieldPath": "summary", "order": "ASCENDING"}, {"fieldPath": "__name__", "order": "DESCENDING"}]},
    {"collectionGroup": "users", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "__name__", "order": "DESCENDING"}]},
    {"collectionGroup": "events", "queryScope": "COLLECTION_GROUP", "fields": [
      {"fieldPath": "type", "order": "ASCENDING"}, {"fieldPath": "payload", "order": "ASCENDING"}]}
  ],
  "fieldOverrides": [
    {"collectionGroup": "tweets", "fieldPath": "createdAt", "indexes": []},
    {"collectionGroup": "tweetMonths", "fieldPath": "tweets", "indexes": []},
    {"collectionGroup": "tweetMonths", "fieldPath": "tweets.pinned", "indexes": [
      {"order": "DESCENDING", "queryScope": "COLLECTION"}]},
    {"collectionGroup": "events", "fieldPath": "expireAt", "ttl": true, "indexes": []},
    {"collectionGroup": "events", "fieldPath": "type", "indexes": [
      {"order": "ASCENDING", "queryScope": "COLLECTION"}, {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]},
    {"collectionGroup": "heads", "fieldPath": "*", "indexes": []}
  ]
}`

func TestProblem(t *testing.T) {
	indexes, err := ParseIndexes([]byte(indexesJSON))
	if err != nil {
		t.Fatal(err)
	}
	client := newClient(t, "127.0.0.1:1", "demo-plan", Options{}) // never connected to
	var (
		tweets = client.Collection("tweets").Query
		users  = client.Collection("users").Query
		months = client.Collection("tweetMonths").Query
		events = client.CollectionGroup("events").Query
		two    = []string{"a", "b"}
		or     = func(filters ...firestore.EntityFilter) firestore.OrFilter {
			return firestore.OrFilter{Filters: filters}
		}
		is = func(path, op string) firestore.PropertyFilter {
			return firestore.PropertyFilter{Path: path, Operator: op, Value: 1}
		}
	)
	const (
		asc, desc = firestore.Asc, firestore.Desc
		id        = firestore.DocumentID
	)
	ref := client.Doc("users/u")
	tests := []struct {
		name  string
		query firestore.Query
		sum   string // a field that is summed
		want  string // what to add; empty where the query is served
	}{
		{name: "everything", query: users},
		{name: "limit and offset", query: users.Offset(3).Limit(2)},
		{name: "one equality", query: users.Where("username", "==", "a")},
		{name: "several equalities", query: users.Where("username", "==", "a").Where("private", "==", true).Where("isAdmin",
			"==", false)},
		{name: "equality and array", query: users.Where("username", "==", "a").Where("roles", "array-contains", "x")},
		{name: "in", query: users.Where("username", "in", two).Where("private", "==", true)},
		{name: "null", query: users.Where("avatar", "==", nil)},
		{name: "one range", query: users.Where("age", ">", 1).Where("age", "<", 9)},
		{name: "order", query: users.OrderBy("age", desc)},
		{name: "range and its order", query: users.Where("age", ">", 1).OrderBy("age", desc)},
		{name: "not equal", query: users.Where("age", "!=", 1)},
		{name: "map key order", query: client.Collection("cards").OrderBy("tags.go", desc)},
		{name: "map key range", query: client.Collection("cards").Where("tags.go", ">", 0).OrderBy("tags.go", desc)},
		{name: "order by the equal field", query: users.Where("age", "==", 1).OrderBy("age", desc).OrderBy(id, asc)},
		{name: "key range", query: users.Where(id, ">", ref)},
		{name: "key range and equality", query: users.Where("age", "==", 1).Where(id, ">", ref)},
		{name: "keys", query: users.Where(id, "in", []*firestore.DocumentRef{ref})},
		{name: "keys descending, indexed", query: users.OrderBy(id, desc)},
		{name: "or of fields", query: users.WhereEntity(or(is("a", "=="), is("b", "==")))},
		{name: "composite", query: tweets.Where("authorId", "==", "a").OrderBy("createdAt", desc)},
		{name: "composite with range", query: tweets.Where("authorId", "==", "a").Where("createdAt", "<", 1).OrderBy(
			"createdAt", desc)},
		{name: "composite with name", query: tweets.Where("authorId", "==", "a").OrderBy("createdAt", desc).OrderBy(id,
			desc)},
		{name: "composites merged", query: tweets.Where("authorId", "==", "a").Where("visibility", "==", 1).Where("topics",
			"array-contains", "x").OrderBy("createdAt", desc)},
		{name: "mixed orders", query: tweets.OrderBy("likeCount", desc).OrderBy("replyCount", asc)},
		{name: "equalities in another order", query: tweets.Where("replyTo", "==", "t").Where("rootId", "==", "t").OrderBy(
			"summary", asc).OrderBy(id, desc)},
		{name: "group", query: client.CollectionGroup("anything").Query},
		{name: "group, single field", query: events.Where("type", "==", "x")},
		{name: "group, composite", query: events.Where("type", "==", "x").OrderBy("payload", asc)},
		{name: "override below an exempt map", query: months.OrderBy("tweets.pinned", desc)},
		{name: "sum", query: users, sum: "age"},
		{name: "sum of a composite", query: events.Where("type", "==", "x"), sum: "payload"},

		{name: "equality and order", query: users.Where("private", "==", false).OrderBy("age", desc),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"private","order":"ASCENDING"},{"fieldPath":"age","order":"DESCENDING"}]}`},
		{name: "equality and range", query: users.Where("private", "==", false).Where("age", ">", 1),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"private","order":"ASCENDING"},{"fieldPath":"age","order":"ASCENDING"}]}`},
		{name: "in and order", query: users.Where("username", "in", two).OrderBy("age", asc),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"username","order":"ASCENDING"},{"fieldPath":"age","order":"ASCENDING"}]}`},
		{name: "in, ordered by itself last", query: users.Where("username", "in", two).OrderBy("age", desc).OrderBy(
			"username", asc),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"username","order":"ASCENDING"},{"fieldPath":"age","order":"DESCENDING"},{"fieldPath":"__name__","order":"ASCENDING"}]}`},
		{name: "array and order", query: users.Where("roles", "array-contains-any", two).OrderBy("age", desc),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"roles","arrayConfig":"CONTAINS"},{"fieldPath":"age","order":"DESCENDING"}]}`},
		{name: "two orders", query: users.OrderBy("age", desc).OrderBy("nickname", asc),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"age","order":"DESCENDING"},{"fieldPath":"nickname","order":"ASCENDING"}]}`},
		{name: "two ranges", query: users.Where("height", ">", 1).Where("age", ">", 1),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"age","order":"ASCENDING"},{"fieldPath":"height","order":"ASCENDING"}]}`},
		{name: "range and another order", query: users.Where("height", "!=", nil).OrderBy("age", desc),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"age","order":"DESCENDING"},{"fieldPath":"height","order":"DESCENDING"}]}`},
		{name: "opposite direction", query: tweets.Where("authorId", "==", "a").OrderBy("createdAt", asc),
			want: `indexes: {"collectionGroup":"tweets","queryScope":"COLLECTION","fields":[{"fieldPath":"authorId","order":"ASCENDING"},{"fieldPath":"createdAt","order":"ASCENDING"}]}`},
		{name: "opposite name", query: tweets.Where("authorId", "==", "a").OrderBy("createdAt", desc).OrderBy(id, asc),
			want: `indexes: {"collectionGroup":"tweets","queryScope":"COLLECTION","fields":[{"fieldPath":"authorId","order":"ASCENDING"},{"fieldPath":"createdAt","order":"DESCENDING"},{"fieldPath":"__name__","order":"ASCENDING"}]}`},
		{name: "merge that lacks a field", query: tweets.Where("authorId", "==", "a").Where("other", "==", 1).OrderBy(
			"createdAt", desc),
			want: `indexes: {"collectionGroup":"tweets","queryScope":"COLLECTION","fields":[{"fieldPath":"authorId","order":"ASCENDING"},{"fieldPath":"other","order":"ASCENDING"},{"fieldPath":"createdAt","order":"DESCENDING"}]}`},
		{name: "prefix alone", query: client.Collection("x").Where("a", "==", 1).OrderBy(id, desc),
			want: `indexes: {"collectionGroup":"x","queryScope":"COLLECTION","fields":[{"fieldPath":"a","order":"ASCENDING"},{"fieldPath":"__name__","order":"DESCENDING"}]}`},
		{name: "keys descending", query: tweets.OrderBy(id, desc),
			want: `indexes: {"collectionGroup":"tweets","queryScope":"COLLECTION","fields":[{"fieldPath":"__name__","order":"DESCENDING"}]}`},
		{name: "single field and opposite name", query: users.OrderBy("age", desc).OrderBy(id, asc),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"age","order":"DESCENDING"},{"fieldPath":"__name__","order":"ASCENDING"}]}`},
		{name: "exempt field", query: tweets.OrderBy("createdAt", desc),
			want: `fieldOverrides: {"collectionGroup":"tweets","fieldPath":"createdAt","indexes":[{"order":"DESCENDING","queryScope":"COLLECTION"}]}`},
		{name: "exempt field among equalities", query: tweets.Where("createdAt", "==", 1).Where("rootId", "==", "t"),
			want: `indexes: {"collectionGroup":"tweets","queryScope":"COLLECTION","fields":[{"fieldPath":"createdAt","order":"ASCENDING"},{"fieldPath":"rootId","order":"ASCENDING"}]}`},
		{name: "key of an exempt map", query: months.Where("tweets.go", "==", 1),
			want: `fieldOverrides: {"collectionGroup":"tweetMonths","fieldPath":"tweets.go","indexes":[{"order":"ASCENDING","queryScope":"COLLECTION"}]}`},
		{name: "quoted key of an exempt map", query: months.WherePath(firestore.FieldPath{"tweets", "3.f"}, "==", 1),
			want: "fieldOverrides: " +
				"{\"collectionGroup\":\"tweetMonths\",\"fieldPath\":\"tweets.`3.f`\",\"indexes\":[{\"order\":\"ASCENDING\",\"queryScope\":\"COLLECTION\"}]}"},
		{name: "other order of an override", query: months.OrderBy("tweets.pinned", asc),
			want: `fieldOverrides: {"collectionGroup":"tweetMonths","fieldPath":"tweets.pinned","indexes":[{"order":"DESCENDING","queryScope":"COLLECTION"},{"order":"ASCENDING","queryScope":"COLLECTION"}]}`},
		{name: "exempt collection", query: client.Collection("heads").Where("userId", "==", "u"),
			want: `fieldOverrides: {"collectionGroup":"heads","fieldPath":"userId","indexes":[{"order":"ASCENDING","queryScope":"COLLECTION"}]}`},
		{name: "expiring field", query: client.Collection("events").Where("expireAt", "<", 1),
			want: `fieldOverrides: {"collectionGroup":"events","fieldPath":"expireAt","ttl":true,"indexes":[{"order":"ASCENDING","queryScope":"COLLECTION"}]}`},
		{name: "group without a group index", query: client.CollectionGroup("revisions").OrderBy("updatedAt", desc),
			want: `fieldOverrides: {"collectionGroup":"revisions","fieldPath":"updatedAt","indexes":[{"order":"ASCENDING","queryScope":"COLLECTION"},{"order":"DESCENDING","queryScope":"COLLECTION"},{"arrayConfig":"CONTAINS","queryScope":"COLLECTION"},{"order":"DESCENDING","queryScope":"COLLECTION_GROUP"}]}`},
		{name: "collection with a group index only", query: client.Collection("events").Where("type", "==", "x").OrderBy(
			"payload", asc),
			want: `indexes: {"collectionGroup":"events","queryScope":"COLLECTION","fields":[{"fieldPath":"type","order":"ASCENDING"},{"fieldPath":"payload","order":"ASCENDING"}]}`},
		{name: "one side of an or",
			query: users.WhereEntity(firestore.AndFilter{Filters: []firestore.EntityFilter{is("c", "=="),
				or(is("a", "=="), is("b", ">"))}}),
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"c","order":"ASCENDING"},{"fieldPath":"a","order":"ASCENDING"},{"fieldPath":"b","order":"ASCENDING"}]}`},
		{name: "sum of a filter", query: users.Where("private", "==", false), sum: "age",
			want: `indexes: {"collectionGroup":"users","queryScope":"COLLECTION","fields":[{"fieldPath":"private","order":"ASCENDING"},{"fieldPath":"age","order":"ASCENDING"}]}`},
	}
	for _, test := range tests {
		data, err := test.query.Serialize()
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		var req pb.RunQueryRequest
		if err := proto.Unmarshal(data, &req); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		var sums []string
		if test.sum != "" {
			sums = append(sums, test.sum)
		}
		got := indexes.problem(req.GetStructuredQuery(), sums...)
		if _, definition, _ := strings.Cut(got, "; add to "); definition != test.want {
			t.Errorf("%s: problem() = %q, want the definition %q", test.name, got, test.want)
		}

		// What it asks for must be enough. Each side of an OR asks for its own.
		mended := *indexes
		for range 2 {
			problem := mended.problem(req.GetStructuredQuery(), sums...)
			if problem == "" {
				break
			}
			_, definition, _ := strings.Cut(problem, "; add to ")
			key, value, _ := strings.Cut(definition, ": ")
			added, err := ParseIndexes([]byte(`{"` + key + `": [` + value + `]}`))
			if err != nil {
				t.Errorf("%s: ParseIndexes(%s): %v", test.name, definition, err)
			}
			mended.composites = append(added.composites, mended.composites...)
			mended.overrides = append(added.overrides, mended.overrides...)
		}
		if got := mended.problem(req.GetStructuredQuery(), sums...); got != "" {
			t.Errorf("%s: with the definitions added, problem() = %q", test.name, got)
		}
	}
}

func TestProblemText(t *testing.T) {
	client := newClient(t, "127.0.0.1:1", "demo-plan", Options{})
	q := client.Collection("tweets").Where("authorId", "==", "ann").Where("topics", "array-contains", "secret").
		OrderBy("createdAt", firestore.Desc)
	data, err := q.Serialize()
	if err != nil {
		t.Fatal(err)
	}
	var req pb.RunQueryRequest
	if err := proto.Unmarshal(data, &req); err != nil {
		t.Fatal(err)
	}
	const want = `no index serves the query tweets (COLLECTION) where authorId == … and topics contains … ` +
		`order by createdAt DESCENDING, __name__ DESCENDING; add to indexes: {"collectionGroup":"tweets","queryScope":"COLLECTION",` +
		`"fields":[{"fieldPath":"authorId","order":"ASCENDING"},{"fieldPath":"topics","arrayConfig":"CONTAINS"},{"fieldPath":"createdAt","order":"DESCENDING"}]}`
	if got := new(IndexSet).problem(req.GetStructuredQuery()); got != want {
		t.Errorf("problem() = %q, want %q", got, want)
	}
}

func TestParseIndexesErrors(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"not JSON", `{"indexes": [`, "unexpected end"},
		{"no collection", `{"indexes": [{"fields": [{"fieldPath": "a", "order": "ASCENDING"}]}]}`, "no collectionGroup"},
		{"scope", `{"indexes": [{"collectionGroup": "c", "queryScope": "ALL", "fields": []}]}`, `unknown queryScope "ALL"`},
		{"no fields", `{"indexes": [{"collectionGroup": "c", "fields": []}]}`, "no fields"},
		{"one field", `{"indexes": [{"collectionGroup": "c", "fields": [{"fieldPath": "a", "order": "ASCENDING"}]}]}`,
			"more than the field a"},
		{"no path", `{"indexes": [{"collectionGroup": "c", "fields": [{"order": "ASCENDING"}]}]}`, "without fieldPath"},
		{"no order", `{"indexes": [{"collectionGroup": "c", "fields": [{"fieldPath": "a"}]}]}`, "field a: needs the order"},
		{"both", `{"indexes": [{"collectionGroup": "c", "fields": [{"fieldPath": "a", "order": "ASCENDING", "arrayConfig": "CONTAINS"}]}]}`, "field a: needs the order"},
		{"override without path", `{"fieldOverrides": [{"collectionGroup": "c", "indexes": []}]}`,
			"fieldPath are both needed"},
		{"override without indexes", `{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "ttl": true}]}`,
			`no "indexes"`},
		{"override's order", `{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": [{"order": "UP"}]}]}`,
			"needs the order"},
		{"override's scope", `{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": [{"order": "ASCENDING", "queryScope": "x"}]}]}`, "unknown queryScope"},
	}
	for _, test := range tests {
		if _, err := ParseIndexes([]byte(test.file)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: ParseIndexes() = %v, want an error with %q", test.name, err, test.want)
		}
	}
}
