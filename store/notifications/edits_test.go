package notifications_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// Users who share a tweet are notified of an edit once a day, however often events come, unless the edit kept the text,
// or the tweet is hidden.
func TestNotifyEdit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "eve")
	ctx := t.Context()
	tweet := e.Draft(t, "ann", model.Draft{Content: "a spark", AllowLikes: true})
	share := func(uids ...model.UserID) {
		t.Helper()
		for _, uid := range uids {
			e.Clock.Add(time.Second)
			testenv.Must(t, e.Shares.Share(ctx, uid, tweet.ID))
		}
	}
	share("ann", "bob", "cat")
	testenv.Must(t, e.Graph.Block(ctx, "cat", "ann"))
	edit := func(p model.TweetPatch) *model.Revision {
		t.Helper()
		e.Clock.Add(time.Minute)
		after, err := e.Edits.Edit(ctx, "ann", tweet.ID, p, nil)
		testenv.Must(t, err)
		e.CoolDown()
		r, err := e.Edits.Revision(ctx, tweet.ID, after.Revision)
		testenv.Must(t, err)
		return r
	}
	notify := func(r *model.Revision) func(context.Context) error {
		return func(ctx context.Context) error { return e.NotificationEvents.NotifyEdit(ctx, tweet.ID, r) }
	}
	told := func(what string, want map[model.UserID]int) {
		t.Helper()
		for _, uid := range []model.UserID{"ann", "bob", "cat", "dan", "eve"} {
			page, _, err := e.NotificationEvents.Notifications(ctx, uid, nil, model.Cursor{}, 20)
			testenv.Must(t, err)
			if len(page.Items) != want[uid] {
				t.Errorf("%s: %s is told %+v, want %d notifications", what, uid, page.Items, want[uid])
			}
			for _, n := range page.Items {
				if n.GroupKey != "edit:"+string(tweet.ID) || n.CountUsers != 1 || n.CountTweets != 0 || len(n.Records) != 1 ||
					n.Records[0].UserID != "ann" || n.About() != tweet.ID {
					t.Errorf("%s: %s is told %+v", what, uid, n)
				}
			}
			found, err := e.Audit.User(ctx, uid, verify.Options{})
			testenv.Must(t, err)
			for _, d := range found {
				// the events of the shares did not notify ann
				if uid != "ann" && (d.Kind == model.NotificationLists || d.Kind == model.NotificationLogs) {
					t.Errorf("%s: verify finds %s %s: have %v, want %v", what, d.Document, d.Field, d.Have, d.Want)
				}
			}
		}
	}
	settings := edit(model.TweetPatch{AllowLikes: new(false)})
	testenv.Must(t, storetest.Costs(t, "NotifyEdit, the text is as it was", 2, 0, 0, notify(settings)))
	told("the text is as it was", nil)
	first := edit(model.TweetPatch{Content: new("a flame")})
	share("dan")
	testenv.Must(t, storetest.Costs(t, "NotifyEdit, of two, one of them blocked", 2+4+2+2*3, 2+1, 0, notify(first)))
	testenv.Must(t, storetest.Costs(t, "NotifyEdit, again", 2+4+2, 0, 0, notify(first)))
	told("an edit", map[model.UserID]int{"bob": 1})
	testenv.Must(t, notify(edit(model.TweetPatch{Content: new("a fire")}))(ctx))
	told("another edit on that day", map[model.UserID]int{"bob": 1, "dan": 1})
	e.Clock.Add(24 * time.Hour)
	share("eve")
	hidden := edit(model.TweetPatch{Content: new("psst"), Visibility: new(model.Followers)})
	testenv.Must(t, notify(hidden)(ctx))
	told("a hidden tweet", map[model.UserID]int{"bob": 1, "dan": 1})
	testenv.Must(t, notify(edit(model.TweetPatch{Content: new("ashes"), Visibility: new(model.Public)}))(ctx))
	told("an edit on the next day", map[model.UserID]int{"bob": 2, "dan": 2, "eve": 1})
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID))
	testenv.Must(t, storetest.Costs(t, "NotifyEdit, of what is gone", 2, 0, 0, notify(hidden)))
}

// If many users share a tweet, the last of them are notified.
func TestNotifyEditOfMany(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ctx := t.Context()
	tweet := e.Tweet(t, "ann", "a spark")
	const more = 3
	for i := range model.MaxEditTold + more {
		uid := model.UserID(fmt.Sprintf("user_%03d", i))
		_, err := e.Raw.Doc("shares/"+model.ReactionKey(uid, tweet.ID)).
			Set(ctx, model.Share{UserID: uid, TweetID: tweet.ID, AuthorID: "ann",
				CreatedAt: e.Clock.Now().Add(time.Duration(i) * time.Microsecond)})
		testenv.Must(t, err)
		_, err = e.Raw.Doc("viewers/"+string(uid)).
			Set(ctx, model.ViewerGraph{Whole: true, Choice: &model.NotificationChoice{}})
		testenv.Must(t, err)
	}
	e.Clock.Add(time.Minute)
	_, err := e.Edits.Edit(ctx, "ann", tweet.ID, model.TweetPatch{Content: new("a flame")}, nil)
	testenv.Must(t, err)
	r, err := e.Edits.Revision(ctx, tweet.ID, 1)
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "NotifyEdit", 2+model.MaxEditTold*(1+1+3), 2*model.MaxEditTold, 0,
		func(ctx context.Context) error { return e.NotificationEvents.NotifyEdit(ctx, tweet.ID, r) }))
	for i := range model.MaxEditTold + more {
		uid := model.UserID(fmt.Sprintf("user_%03d", i))
		if got, want := e.Notification(t, uid, model.EditNotificationEvent(tweet.ID, "ann", uid,
			r.ReplacedAt, time.FixedZone("", 9*3600)).NotificationKey(time.FixedZone("", 9*3600))) != nil,
			i >= more; got != want {
			t.Errorf("%s was told %v, want %v", uid, got, want)
		}
	}
}
