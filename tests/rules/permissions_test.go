package rules

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// TestPermissions reads each tweet and its text as everybody of whom the table of package
// model speaks, model/testdata/permissions.txt. Its lines of see say who may. What decides
// in the rules is whether the caller is the author, follows the author or is addressed, in one of two ways, so
// every other relation is a stranger's. The rules give staff the rights of a member, since a claim
// outlives the role; nothing to who is signed out; and nobody a text.
func TestPermissions(t *testing.T) {
	t.Parallel()
	e := start(t)
	roles := []string{signedOut, "anonymous", "no-profile", "member", "frozen", moderator, admin}
	claims := map[string]string{"frozen": "frozen", moderator: "moderator", admin: "admin"}
	table, err := os.ReadFile(filepath.Join(testenv.Root(), "model/testdata/permissions.txt"))
	testenv.Must(t, err)
	if status, body := e.call(t, administrator, http.MethodPatch, e.documents+
		"/relationships/caller%255F_whom%255FI%255Ffollow",
		map[string]any{"fields": map[string]any{}}); status != http.StatusOK {
		t.Fatalf("seed a relationship: %d %s", status, body)
	}
	asked := map[string]bool{}
	for text := range strings.Lines(string(table)) {
		cells := strings.Fields(text)
		if len(cells) == 0 || cells[0] != "see" {
			continue
		}
		has := func(i int, value string) bool {
			return cells[i] == "*" || slices.Contains(strings.Split(cells[i], ","), value)
		}
		for _, relation := range []string{"author", "stranger", "follower", "addressed", "named"} {
			for _, audience := range []string{"public", "unlisted", "followers", "mentioned", "other"} {
				for _, state := range []string{"plain", "flagged"} {
					by := relation // in the table
					if relation == "named" {
						by = "addressed"
					}
					if !has(1, by) || !has(2, audience) || !has(3, state) {
						continue
					}
					what := relation + "-" + audience + "-" + state
					asked[what] = true
					for i, role := range roles {
						cell := cells[4+i]
						switch role {
						case signedOut:
							cell = "no"
						case moderator, admin:
							cell = cells[4+slices.Index(roles, "member")]
						}
						want, ok := map[string]int{"yes": http.StatusOK, "no": http.StatusForbidden}[cell]
						if !ok || relation == "author" && i < 2 {
							continue // cannot be
						}
						if role != signedOut {
							own := map[string]any{"sub": "caller_"}
							if claims[role] != "" {
								own[claims[role]] = true
							}
							e.tokens[role] = testenv.Token(filepath.Base(e.admin), own)
						}
						author := map[string]string{"author": "caller_", "stranger": "some_body", "follower": "whom_I_follow",
							"addressed": "some_body", "named": "some_body"}[relation]
						addressed := map[string]string{"addressed": "caller_"}[relation]
						mentions := map[string]any{"some_body": map[string]any{"timestampValue": "2026-11-20T00:00:00Z"}}
						if relation == "named" {
							mentions["caller_"] = mentions["some_body"]
						}
						for _, collection := range []string{"tweets", "tweetDetails"} {
							url := e.documents + "/" + collection + "/" + what
							fields := map[string]any{
								"authorId": map[string]any{"stringValue": author}, "visibility": map[string]any{"stringValue": audience},
								"replyToAuthorId": map[string]any{"stringValue": addressed},
								"mentions":        map[string]any{"mapValue": map[string]any{"fields": mentions}},
								"isViolative":     map[string]any{"booleanValue": state == "flagged"},
							}
							if status, body := e.call(t, administrator, http.MethodPatch, url,
								map[string]any{"fields": fields}); status != http.StatusOK {
								t.Fatalf("seed %s: %d %s", url, status, body)
							}
							if collection == "tweetDetails" {
								want = http.StatusForbidden
							}
							if status, body := e.call(t, role, http.MethodGet, url, nil); status != want {
								t.Errorf("%s, %s as %s: status %d, want %d: %s", collection, what, role, status, want, body)
							}
						}
					}
				}
			}
		}
	}
	if len(asked) != 5*5*2 {
		t.Errorf("the table speaks of %d kinds of tweets, want 50", len(asked))
	}
}
