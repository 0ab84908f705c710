package rules

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestNoWrites writes what a client might write of its own: a cart, of an account and of a guest, and that a
// notification was read. No budget holds for such a write, and each starts functions.
func TestNoWrites(t *testing.T) {
	t.Parallel()
	e := start(t)
	if lines := regexp.MustCompile(`(?m)^\s*allow (.*):`).FindAllStringSubmatch(e.rules, -1); len(lines) == 0 {
		t.Error("the rules open nothing")
	} else {
		for _, line := range lines {
			if line[1] != "get" {
				t.Errorf("firestore.rules opens %s", line[1])
			}
		}
	}
	now := time.Now().UTC().Format(time.RFC3339)
	cart := map[string]any{
		"items": map[string]any{
			"mapValue": map[string]any{"fields": map[string]any{"0123456789abcdef0123": map[string]any{"integerValue": "1"}}}},
		"updatedAt": map[string]any{"timestampValue": now},
		"expireAt":  map[string]any{"timestampValue": now},
	}
	list := e.documents + "/users/" + owner + "/notificationLists/newest"
	isRead := func(is bool) map[string]any { // of a notification in the list
		n := map[string]any{"isRead": map[string]any{"booleanValue": is}}
		return map[string]any{"notifications": map[string]any{"mapValue": map[string]any{"fields": map[string]any{
			"follow": map[string]any{"mapValue": map[string]any{"fields": n}}}}}}
	}
	e.mustWrite(t, list, isRead(false))
	for _, person := range []string{owner, "guest"} {
		for _, fields := range []map[string]any{cart, {"items": cart["items"], "updatedAt": cart["updatedAt"]}} {
			if status, body := e.call(t, person, http.MethodPatch, e.documents+"/carts/"+person,
				map[string]any{"fields": fields}); status != http.StatusForbidden {
				t.Errorf("%s writes a cart: status %d: %s", person, status, body)
			}
		}
	}
	for _, read := range []bool{true, false} {
		url := list + "?updateMask.fieldPaths=notifications.follow.isRead&currentDocument.exists=true"
		if status, body := e.call(t, owner, http.MethodPatch, url, map[string]any{"fields": isRead(read)}); status !=
			http.StatusForbidden {
			t.Errorf("isRead becomes %t: status %d: %s", read, status, body)
		}
	}
}

// TestEarlierTimes reads at a time before a tweet was deleted and its author left. The rules of the
// emulator cannot see that a read is of an earlier time, and decide by what was there then, so what
// is not to be found again must be closed at all times.
func TestEarlierTimes(t *testing.T) {
	t.Parallel()
	e := start(t)
	text := func(s string) any { return map[string]any{"stringValue": s} }
	of := func(visibility string) map[string]any {
		return map[string]any{"authorId": text("left"), "visibility": text(visibility), "isViolative": map[string]any{
			"booleanValue": false}, "snippet": text("SECRET")}
	}
	gone := []string{
		"tweetDetails/gone", "tweets/gone/revisions/000001", "users/left", "userDetails/left", "usernames/left",
		"userSecrets/left",
		"tweetMonths/left_2026-11", "heads/left", "followerMonths/left_2026-11", "relationships/left_owner",
		"likes/left_gone", "polls/gone",
		"tagUses/left_word", "users/left/notificationLists/newest", "carts/left",
		"users/left/orders/order",
	}
	e.mustWrite(t, e.documents+"/tweets/gone", of("public"))
	for _, document := range gone {
		e.mustWrite(t, e.documents+"/"+document, map[string]any{"text": text("SECRET")})
	}
	time.Sleep(10 * time.Millisecond) // the clock of the emulator has milliseconds, and both processes are here
	then := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
	time.Sleep(10 * time.Millisecond)
	for _, document := range append(gone, "tweets/gone") {
		if status, body := e.call(t, administrator, http.MethodDelete, e.documents+"/"+document,
			nil); status != http.StatusOK {
			t.Fatalf("delete %s: %d %s", document, status, body)
		}
	}
	_, root, _ := strings.Cut(e.documents, "/v1/")
	was := func(person, document string) (int, string) {
		return e.call(t, person, http.MethodPost, e.documents+":batchGet",
			map[string]any{"documents": []any{root + "/" + document}, "readTime": then})
	}
	if status, body := was(administrator, "userDetails/left"); status != http.StatusOK ||
		!strings.Contains(body, "SECRET") {
		t.Fatalf("the emulator has no past: %d %s", status, body)
	}
	query := map[string]any{"readTime": then, "structuredQuery": map[string]any{
		"from":  []any{map[string]any{"collectionId": "tweets"}},
		"where": like(map[string]any{"visibility": text("public"), "isViolative": map[string]any{"booleanValue": false}}),
		"limit": 10,
	}}
	for _, person := range []string{signedOut, "guest", stranger, owner, moderator, admin} {
		for _, document := range gone {
			if status, body := was(person, document); status != http.StatusForbidden {
				t.Errorf("%s reads %s as it was: status %d: %s", person, document, status, body)
			}
		}
		if status, body := e.call(t, person, http.MethodPost, e.documents+":runQuery",
			query); status != http.StatusForbidden {
			t.Errorf("%s lists tweets as they were: status %d: %s", person, status, body)
		}
	}
}

// mustWrite writes a document round the rules.
func (e *emulator) mustWrite(t *testing.T, url string, fields map[string]any) {
	t.Helper()
	if status, body := e.call(t, administrator, http.MethodPatch, url,
		map[string]any{"fields": fields}); status != http.StatusOK {
		t.Fatalf("write %s: %d %s", url, status, body)
	}
}
