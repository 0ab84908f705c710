package functions_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// What a policy filters comes to the notifications once the user follows the sender, or accepts the sender, and leaves
// the requests with a block.
func TestFilteredComes(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond,
		FlushAfter: 50 * time.Millisecond}})
	ctx, db := t.Context(), s.Store
	for _, uid := range []model.UserID{"ann", "bob", "cat", "dan"} {
		_, err := db.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	_, err := db.Settings.ChangePolicy(ctx, "ann", model.NotificationPolicyPatch{NotFollowed: new(model.SenderFilter)})
	testenv.Must(t, err)
	made, err := db.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "a spark", AllowLikes: true}, model.Request{})
	testenv.Must(t, err)
	like := "like:" + string(made.ID)
	check := func(what string, senders int, unread int64, want map[string][]model.UserID) {
		t.Helper()
		stacktest.Idle(t, s)
		requests, err := db.Settings.Requests(ctx, "ann")
		testenv.Must(t, err)
		got, n := slots(t, db, "ann")
		if diff := cmp.Diff(want, got); diff != "" || n != unread || len(requests.Requests) != senders {
			t.Errorf("%s: requests of %q, want %d; %d unread, want %d; notifications (-want +got):\n%s", what,
				requests.Senders(), senders, n, unread, diff)
		}
	}
	for _, uid := range []model.UserID{"bob", "cat", "dan"} {
		testenv.Must(t, db.Reactions.Like(ctx, uid, made.ID))
		testenv.Must(t, db.Graph.Follow(ctx, uid, "ann"))
	}
	check("filtered", 3, 0, map[string][]model.UserID{})
	testenv.Must(t, db.Graph.Follow(ctx, "ann", "bob"))
	check("bob is followed", 2, 2, map[string][]model.UserID{"follow": {"bob"}, like: {"bob"}})
	testenv.Must(t, db.Settings.AcceptRequest(ctx, "ann", "cat"))
	check("cat is accepted", 1, 2, map[string][]model.UserID{"follow": {"bob", "cat"}, like: {"bob", "cat"}})
	testenv.Must(t, db.Graph.Block(ctx, "ann", "dan"))
	check("dan is blocked", 0, 2, map[string][]model.UserID{"follow": {"bob", "cat"}, like: {"bob", "cat"}})
}
