package functions_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// slots lists the notifications of a user, each with those who are on it, and how many are unread.
func slots(t *testing.T, s *store.Store, uid model.UserID) (all map[string][]model.UserID, unread int64) {
	t.Helper()
	page, _, err := s.NotificationEvents.Notifications(t.Context(), uid, nil, model.Cursor{}, 50)
	testenv.Must(t, err)
	all = map[string][]model.UserID{}
	for _, n := range page.Items {
		for _, r := range n.Records {
			all[n.GroupKey] = append(all[n.GroupKey], r.UserID)
		}
		slices.Sort(all[n.GroupKey])
	}
	unread, err = s.NotificationEvents.Unread(t.Context(), uid)
	testenv.Must(t, err)
	return all, unread
}

// What is taken back or deleted leaves the notifications, and counts as unread no more: a like, a
// share, a follow, a request, a reply, a quote and a mention, and what somebody did who is blocked.
// What others did stays.
func TestTakenBack(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond,
		FlushAfter: 50 * time.Millisecond}})
	ctx, db := t.Context(), s.Store
	for _, uid := range []model.UserID{"ann", "bob", "cat"} {
		_, err := db.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	post := func(by model.UserID, d model.Draft) model.TweetID {
		t.Helper()
		made, err := db.Tweets.CreateTweet(ctx, by, d, model.Request{})
		testenv.Must(t, err)
		return made.ID
	}
	spark := post("ann", model.Draft{Content: "a spark", AllowLikes: true, AllowReplies: true})
	var deleted []model.TweetID
	for _, by := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, db.Graph.Follow(ctx, by, "ann"))
		testenv.Must(t, db.Reactions.Like(ctx, by, spark))
		testenv.Must(t, s.Store.Shares.Share(ctx, by, spark))
		deleted = append(deleted, post(by, model.Draft{Content: "yes", ReplyTo: &spark}),
			post(by, model.Draft{Content: "look", QuoteOf: spark}), post(by, model.Draft{Content: "hello @ann"}))
	}
	edited := post("cat", model.Draft{Content: "hello again @ann"})
	locked := true
	testenv.Must(t, db.Users.UpdateUser(ctx, "cat", model.UserPatch{Locked: &locked}))
	_, err := db.Graph.FollowOrAsk(ctx, "bob", "cat")
	testenv.Must(t, err)
	id := string(spark)
	check := func(what string, uid model.UserID, unread int64, want map[string][]model.UserID) {
		t.Helper()
		stacktest.Idle(t, s)
		got, n := slots(t, s.Store, uid)
		if diff := cmp.Diff(want, got); diff != "" || n != unread {
			t.Errorf("%s: %d unread, want %d; notifications of %s (-want +got):\n%s", what, n, unread, uid, diff)
		}
	}
	two := []model.UserID{"bob", "cat"}
	check("all", "ann", 6, map[string][]model.UserID{"follow": two, "like:" + id: two, "share:" + id: two, "reply:" +
		id: two, "quote:" + id: two, "mention": {"bob", "cat", "cat"}})
	check("asked", "cat", 1, map[string][]model.UserID{"followRequest": {"bob"}})

	takeBack := func(by model.UserID, own []model.TweetID) {
		t.Helper()
		testenv.Must(t, db.Graph.Unfollow(ctx, by, "ann"))
		testenv.Must(t, db.Reactions.Unlike(ctx, by, spark))
		testenv.Must(t, s.Store.Shares.Unshare(ctx, by, spark))
		for _, id := range own {
			testenv.Must(t, db.Tweets.DeleteTweet(ctx, by, false, id))
		}
	}
	takeBack("bob", deleted[:3])
	testenv.Must(t, db.Graph.Unfollow(ctx, "bob", "cat"))
	_, err = s.Store.Edits.Edit(ctx, "cat", edited, model.TweetPatch{Content: new("hello again")}, nil)
	testenv.Must(t, err)
	cat := []model.UserID{"cat"}
	check("bob takes all back", "ann", 6, map[string][]model.UserID{"follow": cat, "like:" + id: cat, "share:" + id: cat,
		"reply:" + id: cat, "quote:" + id: cat, "mention": cat})
	check("asked no more", "cat", 0, map[string][]model.UserID{})
	takeBack("cat", deleted[3:])
	check("nobody is left", "ann", 0, map[string][]model.UserID{})

	testenv.Must(t, db.Reactions.Like(ctx, "bob", spark))
	testenv.Must(t, db.Reactions.Like(ctx, "cat", spark))
	testenv.Must(t, db.Graph.Follow(ctx, "cat", "ann"))
	check("again", "ann", 2, map[string][]model.UserID{"like:" + id: two, "follow": cat})
	testenv.Must(t, db.Graph.Block(ctx, "ann", "cat")) // whose like stays, and is told of no more
	check("a block", "ann", 1, map[string][]model.UserID{"like:" + id: {"bob"}})
	testenv.Must(t, db.Tweets.DeleteTweet(ctx, "ann", false, spark)) // its likes go with it
	check("the tweet is gone", "ann", 0, map[string][]model.UserID{})
	for _, uid := range []model.UserID{"ann", "cat"} {
		found, err := s.Store.Audit.User(ctx, uid, verify.Options{})
		testenv.Must(t, err)
		for _, d := range found {
			t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
		}
	}
}

// In whichever order the events of facts that come and go are handled, and however often, nobody is
// told of what is gone.
func TestTakenBackBefore(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	tweet := newTweet(t, s.db)
	ids := model.NewTweetIDs(time.Now)
	for n, deliver := range []string{"-++", "+-+", "--+-"} {
		now := time.Now().Add(time.Duration(n) * time.Millisecond) // another fact each time
		mark := map[string]*firestoredata.Value{"userId": text("bob"), "tweetId": text(string(tweet)),
			"authorId": text("ann"), "createdAt": moment(now), "shareId": text(string(tweet))}
		follow := map[string]*firestoredata.Value{"followerId": text("bob"), "followedId": text("ann"),
			"createdAt": moment(now)}
		reply := map[string]*firestoredata.Value{
			"authorId": text("bob"), "createdAt": moment(now), "replyTo": text(string(tweet)), "replyToAuthorId": text("ann"),
			"rootId":  text(string(tweet)),
			"quoteOf": text(string(tweet)), "quoteOfAuthorId": text("ann"), "visibility": text("public"),
			"mentions": {ValueType: &firestoredata.Value_MapValue{MapValue: &firestoredata.MapValue{
				Fields: map[string]*firestoredata.Value{"eve": moment(now)}}}},
		}
		for _, of := range []struct {
			document string
			fields   map[string]*firestoredata.Value
			function string
			told     map[model.UserID]int64
		}{
			{model.Likes + "/bob_" + string(tweet), mark, "LikeChanged",
				map[model.UserID]int64{"ann": 1}},
			{model.Shares + "/bob_" + string(tweet), mark, "ShareChanged",
				map[model.UserID]int64{"ann": 1}},
			{model.Relationships + "/bob_ann", follow, "FollowChanged",
				map[model.UserID]int64{"ann": 1}},
			{model.FollowRequests + "/bob_ann", follow, "FollowRequestChanged",
				map[model.UserID]int64{"ann": 1}},
			{model.Tweets + "/" + string(ids.Next("bob")), reply, "TweetChanged",
				map[model.UserID]int64{"ann": 2, "eve": 1}},
		} {
			shown := func(what string, want map[model.UserID]int64) {
				t.Helper()
				for _, uid := range []model.UserID{"ann", "eve"} {
					testenv.Must(t, s.db.NotificationEvents.FlushAll(t.Context(), model.NotificationEventPartitionOf(uid)))
					if all, unread := slots(t, s.db, uid); int64(len(all)) != want[uid] || want[uid] == 0 && unread > 0 {
						t.Errorf("%s, %s, %s: %s has %v, %d unread, want %d", of.document, deliver, what, uid, all, unread, want[uid])
					}
				}
			}
			for i, c := range deliver {
				kind, before, after := functions.Created, map[string]*firestoredata.Value(nil), of.fields
				if c == '-' {
					kind, before, after = functions.Deleted, of.fields, nil
				}
				e := changed(s.project, kind, of.document, before, after)
				e.id = fmt.Sprint(e.id, " ", deliver, " ", c)
				if got := e.post(t, s.url+"/"+of.function); got != http.StatusNoContent {
					t.Fatalf("%s of %s: answered %d", of.function, of.document, got)
				}
				if c == '+' && i == 0 {
					shown("before it goes", of.told)
				}
			}
			shown("at the end", nil)
		}
	}
}
