package access_test

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestInteractions lists which actor may like a tweet of ann's, and which actor may reply. A refusal of "" means that
// the actor may.
func TestInteractions(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "followed", "stranger", "blocked")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "followed"))
	testenv.Must(t, e.Graph.Follow(t.Context(), "stranger", "ann")) // it is not enough that the stranger follows ann
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "blocked"))
	testenv.Must(t, e.Graph.Block(t.Context(), "stranger", "ann")) // the stranger's own blocks do not matter
	tests := []struct {
		strangersBlocked, likes, replies bool
		actor                            model.UserID
		like, reply                      string
	}{
		{false, true, true, "stranger", "", ""},
		{false, true, true, "followed", "", ""},
		{false, true, true, "blocked", "not_allowed", "not_allowed"},
		{false, true, true, "ann", "", ""},
		{true, true, true, "stranger", "not_allowed", "not_allowed"},
		{true, true, true, "followed", "", ""},
		{true, true, true, "blocked", "not_allowed", "not_allowed"},
		{true, true, true, "ann", "", ""},
		{false, false, true, "stranger", "not_allowed", ""},
		{false, true, false, "stranger", "", "not_allowed"},
		{true, false, false, "stranger", "not_allowed", "not_allowed"},
		{true, false, false, "followed", "not_allowed", "not_allowed"},
		{false, false, false, "ann", "not_allowed", ""}, // a closed thread is its author's to continue
	}
	for i, test := range append(tests, tests...) {
		testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{BlockStrangers: &test.strangersBlocked}))
		if i >= len(tests) { // without the document of ann's graph
			_, err := e.Raw.Doc("viewers/ann").Delete(t.Context())
			testenv.Must(t, err)
		}
		tweet := e.Draft(t, "ann", model.Draft{Content: "x", AllowLikes: test.likes, AllowReplies: test.replies})
		for _, cached := range []bool{false, true} { // permission has two ways to read a tweet and its author
			if cached {
				testenv.Must(t, e.Tweets.RequireTweet(t.Context(), tweet.ID, model.Viewer{}))
			}
			check := func(action, want string, err error) {
				t.Helper()
				switch {
				case want == "" && err != nil:
					t.Errorf("%+v, tweet cached %v: %s: %v", test, cached, action, err)
				case want != "" && (errs.KindOf(err) != errs.Forbidden || errs.CodeOf(err) != want):
					t.Errorf("%+v, tweet cached %v: %s: %v, want %s", test, cached, action, err, want)
				}
			}
			check("like", test.like, e.Reactions.Like(t.Context(), test.actor, tweet.ID))
			_, err := e.Tweets.CreateTweet(t.Context(), test.actor, model.Draft{Content: "re", ReplyTo: &tweet.ID},
				model.Request{})
			check("reply", test.reply, err)
		}
		wantLiked := test.like == ""
		if got := e.Doc(t, "likes/"+model.ReactionKey(test.actor, tweet.ID)) != nil; got != wantLiked {
			t.Errorf("%+v: there is a like: %v", test, got)
		}
	}
	testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "blocked"))
	testenv.Must(t, e.Reactions.Like(t.Context(), "blocked", e.Tweet(t, "ann", "again").ID))
}
