package e2e

import (
	"net/http"
	"testing"
	"time"
)

// edits are the fields of a tweet that tell that it was edited.
type edits struct {
	ID, Snippet string
	Tags        []string
	Revision    int
	UpdatedAt   *time.Time
}

// An author edits a tweet. Every list shows the new text and that it was edited, the counts of
// tags follow, and all of it costs no more than its budget.
func TestEditBudgets(t *testing.T) {
	t.Parallel()
	e, c, j := newMetered(t)
	f := newFigures(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.follow(t, bob, ann)
	e.idle(t)
	first := e.post(t, ann, "#go", tweet{})
	e.post(t, ann, "#go #rust", tweet{})
	e.idle(t)
	c.forget()
	j.reset()
	path := "/v1/tweets/" + first.ID
	f.check("edit: API", e.do(t, ann, "PATCH "+path, map[string]any{"content": "#rust now"}).want(t, http.StatusOK,
		nil).cost(t), 4, 3)
	e.idle(t)
	paid := j.take(t)
	// 5 writes are for tags; 3 reads and 1 write for searches; 1 read to see that there are fewer than
	// 20 tweets; 3 reads for users who shared it
	f.check("edit, one tag for another: TweetEdited", paid["TweetEdited"], 12, 8)
	delete(paid, "TweetEdited")
	f.check("edit: others", paid.sum(), 0, 0)
	f.check("edit again: API", e.do(t, ann, "PATCH "+path, map[string]any{"content": "#rust now"}).want(t, http.StatusOK,
		nil).cost(t), 3, 0)

	same(t, "tags", items[tag](t, e, bob, "/v1/tags"), []tag{{"rust", "rust", 2}, {"go", "go", 1}})
	same(t, "tags of ann", items[tag](t, e, bob, "/v1/users/"+ann.id+"/tags"), []tag{{"rust", "rust", 2}, {"go", "go", 1}})
	c.forget()
	for _, list := range []string{"/v1/timeline", "/v1/users/" + ann.id + "/tweets", "/v1/users/" + ann.id +
		"/tweets?pageSize=100", "/v1/tags/rust/tweets", "/v1/tweets"} {
		found := false
		for _, it := range items[edits](t, e, bob, list) {
			if it.ID == first.ID {
				found = true
				if it.Snippet != "#rust now" || it.Revision != 1 || it.UpdatedAt == nil || len(it.Tags) != 1 ||
					it.Tags[0] != "rust" {
					t.Errorf("%s shows %+v", list, it)
				}
			}
		}
		if !found {
			t.Errorf("%s lacks the edited tweet", list)
		}
	}
	revisions := items[edits](t, e, bob, path+"/revisions")
	if len(revisions) != 1 || revisions[0].Snippet != "#go" {
		t.Errorf("revisions = %+v", revisions)
	}
}
