package functions_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/verify"
)

// TestFlag flags a tweet and takes the flag back. While the tweet is flagged, no document
// that everybody may read has it. A follower who came meanwhile gets it in the end.
func TestFlag(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond,
		WriteEvery: 50 * time.Millisecond}})
	ctx := t.Context()
	mo := moderation.Actor{UID: "mo", Role: model.RoleModerator}
	raw := testenv.Client(t, s.Project)
	for _, uid := range []model.UserID{"ann", "early", "late"} {
		_, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	testenv.Must(t, s.Store.Graph.Follow(ctx, "early", "ann"))
	stacktest.Idle(t, s)
	tweet, err := s.Store.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "a spark"}, model.Request{})
	testenv.Must(t, err)
	check := func(what string, early, late int, shown bool) {
		t.Helper()
		stacktest.Idle(t, s)
		for path, field := range map[string]string{
			"tweetMonths/" + model.MonthKey("ann", tweet.ID.Month()): "tweets", "heads/ann": "tweets",
		} {
			snap, err := raw.Doc(path).Get(ctx)
			testenv.Must(t, err)
			_, got := snap.Data()[field].(map[string]any)[string(tweet.ID)]
			if got != shown {
				t.Errorf("%s: %s has the tweet: %v, want %v", what, path, got, shown)
			}
		}
		for uid, want := range map[model.UserID]int{"early": early, "late": late} {
			items, _, _, err := s.Store.Timelines.Home(ctx, uid, "", "", 20)
			testenv.Must(t, err)
			if len(items) != want {
				t.Errorf("%s: %s sees %d tweets, want %d", what, uid, len(items), want)
			}
		}
		found, err := s.Store.Audit.All(ctx, verify.Options{})
		testenv.Must(t, err)
		for _, d := range found {
			t.Errorf("%s: verify: %s %s is %v, want %v", what, d.Document, d.Field, d.Have, d.Want)
		}
	}
	check("public", 1, 0, true)
	testenv.Must(t, s.Store.Moderation.Flag(ctx, mo, tweet.ID, true, nil))
	check("flagged", 0, 0, false)
	testenv.Must(t, s.Store.Graph.Follow(ctx, "late", "ann"))
	check("followed", 0, 0, false)
	testenv.Must(t, s.Store.Moderation.Flag(ctx, mo, tweet.ID, false, nil))
	check("public again", 1, 1, true)

	// verify finds a preview that stayed, and repair removes it.
	testenv.Must(t, s.Store.Moderation.Flag(ctx, mo, tweet.ID, true, nil))
	check("flagged again", 0, 0, false)
	for _, path := range []string{"tweetMonths/" + model.MonthKey("ann", tweet.ID.Month()), "heads/ann"} {
		_, err := raw.Doc(path).Set(ctx, map[string]any{"tweets": map[string]any{string(tweet.ID): tweet.Preview()}},
			firestore.MergeAll)
		testenv.Must(t, err)
	}
	found, err := s.Store.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	if len(found) != 2 || !found[0].Repaired || !found[1].Repaired {
		t.Errorf("repair found %+v, want two cards", found)
	}
	check("repaired", 0, 0, false)
}
