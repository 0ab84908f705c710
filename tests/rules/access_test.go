package rules

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// The kinds of people. They are the columns that each cell of access.txt
// is short for.
const (
	signedOut = "signed out"
	stranger  = "stranger"
	owner     = "owner"
	admin     = "admin"
	moderator = "moderator"
	follower  = "follower"
	addressed = "addressed"
	frozen    = "frozen owner" // the owner, whose account is frozen
)

var people = []string{signedOut, stranger, owner, admin, moderator, follower, addressed, frozen}

// words are the cells of access.txt: who may. "." is for what a line does not
// speak of.
var words = map[string][]string{
	"signed-in": {stranger, owner, frozen, admin, moderator, follower, addressed},
	"owner":     {owner, frozen},
	"mentioned": {owner, frozen, addressed},
	"members":   {owner, frozen, addressed},
	"audience":  {owner, frozen, follower, addressed},
	"-":         {},
	".":         nil,
}

// operations are the columns of access.txt.
var operations = []string{"get", "list", "create", "update", "delete"}

// line is a line of access.txt.
type line struct {
	text     string // as it stands in the first column
	document string // path
	query    url.Values
	may      map[string][]string // operation → people; nil where the line does not speak of it
}

func (l *line) collection() string { return path.Dir(l.document) }
func (l *line) id() string         { return path.Base(l.document) }

// fields are those of the document that the rules may look at.
func (l *line) fields() map[string]any {
	visibility := "public"
	if id := l.id(); id == "unlisted" || id == "followers" || id == "mentioned" {
		visibility = id
	} else if id == "hushed" {
		visibility = "followers"
	} else if id == "murmured" {
		visibility = "mentioned"
	}
	fields := map[string]any{
		"userId":      map[string]any{"stringValue": owner},
		"followedId":  map[string]any{"stringValue": owner},
		"followerId":  map[string]any{"stringValue": "some_body"},
		"ownerId":     map[string]any{"stringValue": owner},
		"authorId":    map[string]any{"stringValue": owner},
		"visibility":  map[string]any{"stringValue": visibility},
		"isViolative": map[string]any{"booleanValue": slices.Contains([]string{"violative", "hushed", "murmured"}, l.id())},
	}
	mentions := map[string]any{"mapValue": map[string]any{"fields": map[string]any{
		addressed: map[string]any{"timestampValue": "2026-11-20T00:00:00Z"},
	}}}
	switch l.id() {
	case "followers", "hushed":
		fields["replyToAuthorId"] = map[string]any{"stringValue": addressed}
	case "mentioned", "murmured":
		fields["mentions"] = mentions
	case "other":
		fields["visibility"] = map[string]any{"stringValue": "other"}
		fields["mentions"] = mentions
	}
	in := func(uids ...any) map[string]any { return map[string]any{"arrayValue": map[string]any{"values": uids}} }
	fields["memberIds"] = in(map[string]any{"stringValue": owner})
	fields["requestedIds"] = in(map[string]any{"stringValue": addressed})
	if l.id() == "strangers" {
		fields["ownerId"] = map[string]any{"stringValue": "some_body"}
		fields["memberIds"], fields["requestedIds"] = in(map[string]any{"stringValue": "some_body"}), in()
	}
	if path.Base(l.collection()) == "notificationLists" {
		fields["isRead"] = map[string]any{"booleanValue": false}
	}
	return fields
}

// sets are the fields that an update sets: with null as the value, it removes one.
func (l *line) sets(t *testing.T) map[string]any {
	t.Helper()
	if !l.query.Has("set") {
		return map[string]any{"visibility": map[string]any{"stringValue": "changed"}}
	}
	fields := map[string]any{}
	if err := json.Unmarshal([]byte(l.query.Get("set")), &fields); err != nil {
		t.Fatalf("%s: %v", l.text, err)
	}
	for name, v := range fields {
		switch v := v.(type) {
		case bool:
			fields[name] = map[string]any{"booleanValue": v}
		case float64:
			fields[name] = map[string]any{"doubleValue": v}
		case string:
			fields[name] = map[string]any{"stringValue": v}
		}
	}
	return fields
}

// readAccess reads testdata/access.txt, and adds the collections that nobody may read.
func readAccess(t *testing.T) []line {
	t.Helper()
	data, err := os.ReadFile("testdata/access.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	for n, text := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(text, "#") || text == "" {
			continue
		}
		l, err := parseLine(strings.Fields(text))
		if err != nil {
			t.Fatalf("access.txt:%d: %v", n+1, err)
		}
		if slices.ContainsFunc(lines, func(other line) bool { return other.text == l.text }) {
			t.Fatalf("access.txt:%d: %s stands there twice", n+1, l.text)
		}
		lines = append(lines, l)
	}
	return append(lines, closed(lines)...)
}

func parseLine(cells []string) (line, error) {
	if len(cells) != 1+len(operations) {
		return line{}, fmt.Errorf("%d columns, want %d", len(cells), 1+len(operations))
	}
	u, err := url.Parse(cells[0])
	if err != nil {
		return line{}, err
	}
	l := line{text: cells[0], document: u.Path, query: u.Query(), may: map[string][]string{}}
	for key := range l.query {
		if !slices.Contains([]string{"filter", "limit", "offset", "group", "count", "set"}, key) {
			return line{}, fmt.Errorf("unknown way to ask: %s", key)
		}
	}
	for i, cell := range cells[1:] {
		who, ok := words[cell]
		if !ok {
			return line{}, fmt.Errorf("unknown word %q", cell)
		}
		about := "list"
		if l.query.Has("set") {
			about = "update"
		}
		if left := who == nil; left != (len(l.query) > 0 && operations[i] != about) {
			return line{}, fmt.Errorf("%q under %s", cell, operations[i])
		}
		l.may[operations[i]] = who
	}
	return l, nil
}
