package tweets_test

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A thread shows tweets for followers only to followers: above the tweet and below it.
func TestThreadForFollowers(t *testing.T) {
	t.Parallel()
	k := talk{storetest.Open(t, store.Options{}), t}
	k.CreateUsers(t, "ann", "fan", "bob")
	testenv.Must(t, k.Graph.Follow(t.Context(), "fan", "ann"))
	root := k.say("root", "")
	narrow := k.say("for followers", root)
	below := k.say("below", narrow)
	open := k.say("open", below)
	for _, id := range []model.TweetID{narrow, below} { // the reply below them stays as it was
		_, err := k.Edits.Edit(t.Context(), "ann", id, model.TweetPatch{Visibility: new(model.Followers)}, nil)
		testenv.Must(t, err)
	}
	for uid, sees := range map[model.UserID]bool{"ann": true, "fan": true, "bob": false} {
		viewer := model.Viewer{ID: uid, Role: model.Member}
		down, err := k.Threads.Thread(t.Context(), root, viewer, first)
		testenv.Must(t, err)
		if n := down.Node.Replies; len(n) != 1 || (n[0].Tweet != nil) != sees || len(n[0].Replies) != 1 ||
			(n[0].Replies[0].Tweet != nil) != sees ||
			len(n[0].Replies[0].Replies) != 1 || n[0].Replies[0].Replies[0].Tweet == nil {
			t.Errorf("%s: what stands below the root is not as it should be: %+v", uid, n)
		}
		up, err := k.Threads.Thread(t.Context(), open, viewer, first)
		testenv.Must(t, err)
		if a := up.Ancestors; len(a) != 3 || a[0].Tweet == nil || (a[1].Tweet != nil) != sees || (a[2].Tweet != nil) != sees {
			t.Errorf("%s: what stands above is not as it should be: %+v", uid, a)
		}
		its, err := k.Threads.Thread(t.Context(), narrow, viewer, first)
		testenv.Must(t, err)
		if (its.Tweet != nil) != sees || (its.Node.Tweet != nil) != sees || (len(its.Ancestors) > 0) != sees ||
			len(its.Node.Replies) != 1 {
			t.Errorf("%s reads the thread of a tweet for followers: %+v", uid, its)
		}
	}
}
