package functions_test

import (
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/verify"
)

// TestImportedTweets imports tweets behind newer ones. Each is in the month of its time, at its place in the profile
// and in the home timelines of followers, in counts and searches, and notifies nobody. verify finds no difference.
func TestImportedTweets(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond,
		WriteEvery: 50 * time.Millisecond}})
	ctx := t.Context()
	for _, uid := range []model.UserID{"ann", "bob"} {
		_, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	nothing := func(*firestore.Transaction, model.TweetID) error { return nil }
	post := func(id model.TweetID, content string, to *model.TweetID) model.TweetID {
		t.Helper()
		d, err := model.Draft{Content: content, ReplyTo: to, AllowLikes: true, AllowReplies: true}.Clean()
		testenv.Must(t, err)
		i := tweets.Import{ID: id, Author: "bob", Draft: d}
		if id != "" {
			i.Digest = content
		}
		made, err := s.Store.Tweets.Import(ctx, i, nothing)
		testenv.Must(t, err)
		return made.ID
	}
	of := func(author model.UserID, digits string) model.TweetID {
		t.Helper()
		id, err := model.ImportID(author, digits)
		testenv.Must(t, err)
		return id
	}
	ago := func(author model.UserID, d time.Duration) model.TweetID {
		return of(author, string(model.OldestAt(time.Now().Add(-d))[2:]))
	}
	d, err := model.Draft{Content: "mine", AllowReplies: true}.Clean()
	testenv.Must(t, err)
	root, err := s.Store.Tweets.Import(ctx, tweets.Import{ID: ago("ann", 50*time.Hour), Author: "ann", Draft: d,
		Digest: "mine"}, nothing)
	testenv.Must(t, err)
	testenv.Must(t, s.Store.Graph.Follow(ctx, "ann", "bob"))
	testenv.Must(t, s.Store.Graph.Subscribe(ctx, "ann", "bob"))
	newest := post("", "today #spark", nil)
	stacktest.Idle(t, s)
	yesterday := post(ago("bob", 24*time.Hour), "yesterday #spark, @ann", nil)
	old := post(of("bob", "0002000000000013"), "of 1970 #spark", nil)
	reply := post(ago("bob", 30*time.Hour), "re", &root.ID)
	_, err = s.Store.Edits.Edit(ctx, "bob", old, model.TweetPatch{Content: new("of 1970 #spark, edited")}, nil)
	testenv.Must(t, err)
	stacktest.Idle(t, s)

	order := []model.TweetID{newest, yesterday, reply, old}
	list, _, err := s.Store.Previews.TweetsBy(ctx, model.Viewer{}, "bob", "", 10)
	testenv.Must(t, err)
	var have []model.TweetID
	for _, c := range list {
		have = append(have, c.ID)
	}
	if !slices.Equal(have, order) {
		t.Errorf("bob's list is %v, want %v", have, order)
	}
	home, _, _, err := s.Store.Timelines.Home(ctx, "ann", "", "", 20)
	testenv.Must(t, err)
	have = nil
	for _, i := range home {
		have = append(have, i.Position.Tweet())
	}
	if want := []model.TweetID{newest, yesterday, reply, root.ID}; !slices.Equal(have, want) {
		t.Errorf("ann's home timeline is %v, want %v: the tweet of 1970 is too old for it", have, want)
	}
	raw := testenv.Client(t, s.Project)
	for _, id := range order {
		month, err := raw.Doc("tweetMonths/" + model.MonthKey("bob", id.Month())).Get(ctx)
		testenv.Must(t, err)
		if _, err := month.DataAtPath(firestore.FieldPath{"tweets", string(id)}); err != nil {
			t.Errorf("the month %s lacks %s: %v", id.Month(), id, err)
		}
	}
	page, _, err := s.Store.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 10)
	testenv.Must(t, err)
	for _, n := range page.Items {
		if n.GroupKey != "post" || n.CountTweets > 1 {
			t.Errorf("ann has the notification %s of %d tweets, want that of today's alone", n.GroupKey, n.CountTweets)
		}
	}
	bob, err := s.Store.Users.User(ctx, "bob")
	testenv.Must(t, err)
	if bob.TweetCount != 4 {
		t.Errorf("bob has %d tweets, want 4", bob.TweetCount)
	}
	found, err := s.Store.Audit.All(ctx, verify.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
	}
}
