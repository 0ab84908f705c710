package tweets_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

// summarizer answers "gist N" for the Nth text.
type summarizer struct {
	mu        sync.Mutex
	asked     int
	failure   error
	meanwhile func()
}

func (*summarizer) ReserveGist() int64 { return 10 }

func (s *summarizer) Gist(_ context.Context, label, text string) (string, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.meanwhile != nil {
		s.meanwhile()
	}
	if s.failure != nil {
		return "", 0, s.failure
	}
	return label + " of " + text[:4] + strings.Repeat(" 𝕏𝕏", model.MaxGist), 4, nil
}

// gisted returns a store with gists, and a long tweet of ann.
func gisted(t *testing.T) (*storetest.Env, *summarizer, model.TweetID) {
	t.Helper()
	by := &summarizer{}
	e := storetest.Open(t, store.Options{Gists: tweets.GistOptions{By: by, Model: "m", Tokens: 20}})
	e.CreateUsers(t, "ann", "bob")
	return e, by, e.Tweet(t, "ann", "**Long** "+strings.Repeat("x", model.MinGisted)).ID
}

var reader = model.Viewer{ID: "bob", Role: model.Member}

func wantGist(t *testing.T, e *storetest.Env, id model.TweetID, begins string) {
	t.Helper()
	is, err := e.Gists.Gist(t.Context(), reader, id)
	if err != nil || !strings.HasPrefix(is.Text, begins) || len([]rune(is.Text)) > model.MaxGist || is.Model != "m" {
		t.Errorf("the gist is %+v, %v, want %q", is, err, begins)
	}
}

func noGist(t *testing.T, e *storetest.Env, id model.TweetID, kind errs.Kind, code string) {
	t.Helper()
	_, err := e.Gists.Gist(t.Context(), reader, id)
	storetest.WantErr(t, err, kind, code)
}

// A gist is written once, goes with an edit and a deletion, and only who may see the tweet may see it.
func TestGist(t *testing.T) {
	t.Parallel()
	e, by, id := gisted(t)
	gist := func(ctx context.Context) error { _, err := e.Gists.Gist(ctx, reader, id); return err }
	testenv.Must(t, storetest.Costs(t, "a new gist", 8, 4, 0, gist))
	testenv.Must(t, storetest.Costs(t, "a gist that is there", 2, 0, 0, gist))
	wantGist(t, e, id, "m of Long 𝕏𝕏")
	visitor := model.Viewer{ID: "zed", Role: model.Member} // without a profile
	if is, err := e.Gists.Gist(t.Context(), visitor, id); err != nil || is.Text == "" {
		t.Errorf("a visitor gets the gist %+v, %v", is, err)
	}
	_, err := e.Gists.Gist(t.Context(), visitor, e.Tweet(t, "ann", strings.Repeat("x", model.MinGisted)).ID)
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
	if by.asked != 1 {
		t.Errorf("the provider was asked %d times, want once", by.asked)
	}
	_, err = e.Edits.Edit(t.Context(), "ann", id, model.TweetPatch{Content: new("Other " +
		strings.Repeat("x", model.MinGisted))}, nil)
	testenv.Must(t, err)
	if e.Doc(t, "tweetDetails/"+string(id))["gist"] != nil {
		t.Error("an edit keeps the gist")
	}
	wantGist(t, e, id, "m of Othe")
	// A process of a former version edits the text, and leaves the gist.
	_, err = e.Raw.Doc("tweets/"+string(id)).Update(t.Context(), []firestore.Update{{Path: "revision", Value: 2}})
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "a gist of a former revision", 7, 4, 0, gist))
	hidden := e.Draft(t, "ann", model.Draft{Content: strings.Repeat("x", model.MinGisted), Visibility: model.Followers})
	noGist(t, e, hidden.ID, errs.NotFound, "tweet_not_found")
	noGist(t, e, e.Tweet(t, "ann", "short").ID, errs.Conflict, "too_short")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
	noGist(t, e, id, errs.Gone, "tweet_deleted")
	_, err = e.Again(t, store.Options{}).Gists.Gist(t.Context(), reader, id)
	storetest.WantErr(t, err, errs.NotFound, "no_gists")
	if by.asked != 3 {
		t.Errorf("the provider was asked %d times, want 3", by.asked)
	}
}

// The tokens of a day bound gists, also those that failed, and a failure is not repeated at once.
func TestGistBudget(t *testing.T) {
	t.Parallel()
	e, by, id := gisted(t)
	spent := func(want int64) {
		t.Helper()
		if got := e.Doc(t, "aiModels/gists")["tokens"]; got != want {
			t.Errorf("%v tokens are spent, want %d", got, want)
		}
	}
	wantGist(t, e, id, "m of Long")
	spent(4)
	by.failure = errors.New("no answer")
	failed := e.Tweet(t, "ann", strings.Repeat("y", model.MinGisted)).ID
	noGist(t, e, failed, errs.Unavailable, "gist_pending")
	spent(14) // perhaps it took them
	by.failure = nil
	noGist(t, e, failed, errs.Unavailable, "gist_pending")
	more := e.Tweet(t, "ann", strings.Repeat("z", model.MinGisted)).ID
	noGist(t, e, more, errs.Exhausted, "gist_budget") // 6 are left, and a gist may take 10
	e.Clock.Add(24 * time.Hour)
	wantGist(t, e, failed, "m of yyyy")
	spent(4)
	if by.asked != 3 {
		t.Errorf("the provider was asked %d times, want 3", by.asked)
	}
}

// An edit or a deletion while the provider writes: the gist of another text is not kept, and two readers ask once.
func TestGistMeanwhile(t *testing.T) {
	t.Parallel()
	e, by, id := gisted(t)
	by.meanwhile = func() {
		noGist(t, e, id, errs.Unavailable, "gist_pending")
		_, err := e.Edits.Edit(t.Context(), "ann", id, model.TweetPatch{Content: new("Other " +
			strings.Repeat("x", model.MinGisted))}, nil)
		testenv.Must(t, err)
	}
	noGist(t, e, id, errs.Conflict, "tweet_changed")
	if e.Doc(t, "tweetDetails/"+string(id))["gist"] != nil {
		t.Error("the gist of the former text is kept")
	}
	by.meanwhile = func() { testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id)) }
	noGist(t, e, id, errs.Conflict, "tweet_changed")
	if got := e.Doc(t, "aiModels/gists")["tokens"]; got != int64(8) || by.asked != 2 {
		t.Errorf("%v tokens are spent for %d gists, want 8 for 2", got, by.asked)
	}
}
