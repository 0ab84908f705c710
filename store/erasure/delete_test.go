package erasure_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/iterator"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/verify"
)

// leaver is a uid that no other text in the database holds, and that keys escape.
const leaver model.UserID = "zo_e"

// trace lists the documents of a database that name the leaver in their id or in a value.
func trace(t *testing.T, c *firestore.Client) (found []string) {
	t.Helper()
	var walk func(collections *firestore.CollectionIterator)
	walk = func(collections *firestore.CollectionIterator) {
		for {
			collection, err := collections.Next()
			if errors.Is(err, iterator.Done) {
				return
			}
			testenv.Must(t, err)
			refs, err := collection.DocumentRefs(t.Context()).GetAll()
			testenv.Must(t, err)
			snaps, err := c.GetAll(t.Context(), refs)
			testenv.Must(t, err)
			for _, snap := range snaps {
				_, path, _ := strings.Cut(snap.Ref.Path, "/documents/")
				for _, name := range []string{string(leaver), "zo%5Fe"} {
					if snap.Exists() && (strings.Contains(path, name) || strings.Contains(fmt.Sprint(snap.Data()), name)) {
						found = append(found, path)
						break
					}
				}
				walk(snap.Ref.Collections(t.Context()))
			}
		}
	}
	walk(c.Collections(t.Context()))
	slices.Sort(found)
	return found
}

// life makes three people of whom the leaver has done all that there is to do. It returns
// ann's replies to tweets of the leaver: the first to a root, the second to a reply to ann.
func life(t *testing.T, s *stack.Stack) (replied, low *model.Tweet) {
	t.Helper()
	ctx := t.Context()
	post := func(author model.UserID, to *model.Tweet, key string) *model.Tweet {
		t.Helper()
		d := model.Draft{Content: "a #spark", AllowLikes: true, AllowReplies: true,
			Poll: &model.NewPoll{Options: []string{"yes", "no"}, Minutes: 5}}
		if to != nil {
			d.ReplyTo = &to.ID
		}
		made, err := s.Store.Tweets.CreateTweet(ctx, author, d, model.Request{Key: key, Hash: "h"})
		testenv.Must(t, err)
		if made.Held != nil {
			return nil
		}
		return made.Tweet
	}
	for _, uid := range []model.UserID{leaver, "ann", "bob", "dan"} {
		_, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: strings.ReplaceAll(string(uid), "_", "") + "_u",
			Nickname: "N", Email: string(uid) + "@example.com"})
		testenv.Must(t, err)
	}
	for _, pair := range [][2]model.UserID{{leaver, "ann"}, {leaver, "bob"}, {"ann", leaver}, {"bob", leaver},
		{"ann", "bob"}} {
		testenv.Must(t, s.Store.Graph.Follow(ctx, pair[0], pair[1]))
	}
	for _, pair := range [][2]model.UserID{{leaver, "dan"}, {"dan", leaver}} {
		testenv.Must(t, s.Store.Users.UpdateUser(ctx, pair[1], model.UserPatch{Locked: new(true)}))
		testenv.Must(t, s.Store.Graph.Follow(ctx, pair[0], pair[1]))
	}
	stacktest.Idle(t, s)
	root, anns := post(leaver, nil, "key"), post("ann", nil, "")
	replied, low = post("ann", root, ""), post("ann", post(leaver, anns, ""), "")
	for _, pair := range []struct {
		uid model.UserID
		id  model.TweetID
	}{{leaver, anns.ID}, {"ann", root.ID}, {"bob", root.ID}, {"bob", anns.ID}} {
		_, err := s.Store.Polls.Vote(ctx, pair.uid, pair.id, 1)
		testenv.Must(t, err)
		testenv.Must(t, s.Store.Reactions.Like(ctx, pair.uid, pair.id))
		testenv.Must(t, s.Store.Shares.Share(ctx, pair.uid, pair.id))
	}
	gone := post(leaver, nil, "")
	for _, id := range []model.TweetID{root.ID, gone.ID} {
		_, err := s.Store.Edits.Edit(ctx, leaver, id, model.TweetPatch{Content: new("another #spark")}, nil)
		testenv.Must(t, err)
	}
	stacktest.Idle(t, s)
	testenv.Must(t, s.Store.Tweets.DeleteTweet(ctx, leaver, false, gone.ID))
	_, err := s.Store.Drafts.Save(ctx, leaver, model.SavedDraft{Draft: model.Draft{Content: "a draft"},
		PublishAt: new(time.Now().Add(time.Hour))}, model.Request{})
	testenv.Must(t, err)
	_, err = s.Store.Users.CreateUser(ctx, "flo", model.NewUser{Username: "flo_u", Nickname: "N"})
	testenv.Must(t, err)
	for _, pair := range [][2]model.UserID{{leaver, "flo"}, {"flo", leaver}} { // the reply of one waits for the other
		for _, hold := range []model.Hold{model.HoldStrangers, model.HoldNobody} {
			testenv.Must(t, s.Store.Users.UpdateUser(ctx, pair[0], model.UserPatch{HoldReplies: &hold}))
			if root := post(pair[0], nil, ""); hold == model.HoldStrangers && post(pair[1], root, "") != nil {
				t.Error("a reply does not wait")
			}
		}
	}
	testenv.Must(t, s.Store.Graph.Block(ctx, leaver, "bob"))
	testenv.Must(t, s.Store.Graph.Block(ctx, "ann", leaver))
	testenv.Must(t, s.Store.Shares.Hide(ctx, leaver, "bob"))
	testenv.Must(t, s.Store.Shares.Hide(ctx, "ann", leaver))
	testenv.Must(t, s.Store.Graph.Mute(ctx, model.MutedUser{UserID: leaver, MutedID: "bob", Part: model.MuteAll}, 0))
	testenv.Must(t, s.Store.Graph.Mute(ctx, model.MutedUser{UserID: "ann", MutedID: leaver, Part: model.MuteShares},
		0))
	testenv.Must(t, s.Store.Suggestions.Dismiss(ctx, leaver, "bob"))
	for _, pair := range [][2]model.UserID{{leaver, "bob"}, {"ann", leaver}} {
		_, err = s.Store.Graph.PutNote(ctx, pair[0], pair[1], "a note")
		testenv.Must(t, err)
	}
	testenv.Must(t, s.Store.Users.DismissAnnouncement(ctx, leaver, "maintenance"))
	testenv.Must(t, s.Store.Users.UpdateUser(ctx, leaver, model.UserPatch{Locked: new(false)}))
	for _, pair := range [][2]model.UserID{{leaver, "flo"}, {"flo", leaver}} {
		testenv.Must(t, s.Store.Graph.Follow(ctx, pair[0], pair[1]))
		testenv.Must(t, s.Store.Graph.Subscribe(ctx, pair[0], pair[1]))
	}
	_, err = s.Store.Graph.PutFilter(ctx, leaver, "f", model.Filter{Title: "f", Action: model.FilterHide,
		Contexts: []model.FilterContext{model.FilterHome}, Keywords: []model.FilterKeyword{{Keyword: "finale"}}})
	testenv.Must(t, err)
	_, _, _, err = s.Store.Timelines.Home(ctx, leaver, "", "", 10)
	testenv.Must(t, err)
	stacktest.Idle(t, s)
	return replied, low
}

// Somebody who has done all that there is to do leaves. Nothing of theirs is left, nothing of
// others is lost, and their name is nobody's for a while.
func TestLeave(t *testing.T) {
	t.Parallel()
	var accounts []model.UserID
	s := stacktest.Run(t, stack.Options{Store: store.Options{
		CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond, FlushAfter: 50 * time.Millisecond,
		LeavePause: 300 * time.Millisecond,
		DeleteAccount: func(_ context.Context, uid model.UserID) error {
			accounts = append(accounts, uid)
			return nil
		},
	}})
	raw := testenv.Client(t, s.Project)
	replied, low := life(t, s)
	if n := len(trace(t, raw)); n < 30 {
		t.Fatalf("%d documents name the leaver, the test needs more", n)
	}
	begun, err := s.Store.Users.Leave(t.Context(), leaver)
	testenv.Must(t, err)
	stacktest.Idle(t, s)

	work, err := s.Store.Users.AccountDeletion(t.Context(), begun.Receipt)
	testenv.Must(t, err)
	if work.ClearedAt.IsZero() || work.Done || work.Removed[model.Tweets] < 2 ||
		!slices.Equal(accounts, []model.UserID{leaver}) {
		t.Errorf("the leaving is %+v, and the deleted accounts are %q", work, accounts)
	}
	_, err = s.Store.Users.CreateUser(t.Context(), leaver, model.NewUser{Username: "again", Nickname: "N"})
	storetest.WantErr(t, err, errs.Conflict, "leaving")

	// A day later.
	_, err = raw.Doc("leavings/"+string(leaver)).
		Update(t.Context(), []firestore.Update{{Path: "clearedAt", Value: time.Now().Add(-26 * time.Hour)}})
	testenv.Must(t, err)
	stacktest.Idle(t, s)
	if work, err = s.Store.Users.AccountDeletion(t.Context(), begun.Receipt); err != nil || !work.Done ||
		work.EndedAt.IsZero() {
		t.Errorf("a day later the leaving is %+v, %v", work, err)
	}

	// What is kept is in docs/model/accounts.md, and all of it expires, but that ann's reply says
	// whom it answered.
	kept := func(path string) bool {
		for _, prefix := range []string{
			"leavings/", "processedEvents/", "tweets/" + string(replied.ID), "tweets/" + string(low.ID), "eventLogs/",
			"users/ann/notificationLists/", "users/bob/notificationLists/", "users/dan/notificationLists/",
			"users/flo/notificationLists/",
			"takenRollUps/",
		} {
			if strings.HasPrefix(path, prefix) {
				return true
			}
		}
		return false
	}
	for _, path := range trace(t, raw) {
		if !kept(path) {
			t.Errorf("%s names the leaver: %v", path, must(raw.Doc(path).Get(t.Context())).Data())
		}
	}
	found, err := s.Store.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		t.Errorf("verify finds %+v", d)
	}
	thread, err := s.Store.Threads.Thread(t.Context(), low.RootID, model.Viewer{}, tweets.ThreadPage{Size: 10, Depth: 3})
	testenv.Must(t, err)
	if left := thread.Node.Replies; len(left) != 1 || left[0].Tombstone == nil || left[0].Tombstone.AuthorID != "" ||
		len(left[0].Replies) != 1 || left[0].Replies[0].ID != low.ID {
		t.Errorf("what ann answered to a reply of the leaver stands nowhere in the thread: %+v", left)
	}
	if got, err := s.Store.Tweets.Tweet(t.Context(), replied.ID, model.Viewer{ID: "ann",
		Role: model.Member}); err != nil || got.Content == "" {
		t.Errorf("the reply of somebody else is %+v, %v", got, err)
	}

	_, err = s.Store.Users.CreateUser(t.Context(), "eve", model.NewUser{Username: "zoe_u", Nickname: "N"})
	storetest.WantErr(t, err, errs.Exists, "username_taken")
	_, err = s.Store.Users.UserByUsername(t.Context(), "zoe_u")
	storetest.WantErr(t, err, errs.NotFound, "username_not_found")
	_, err = s.Store.Users.CreateUser(t.Context(), leaver, model.NewUser{Username: "again", Nickname: "N"})
	testenv.Must(t, err)
	_, err = s.Store.Users.AccountDeletion(t.Context(), begun.Receipt)
	storetest.WantErr(t, err, errs.NotFound, "leaving_not_found")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// steps does the steps of an account deletion, as its events would, until it is cleared or over. It
// returns how many steps there were.
func steps(t *testing.T, e *storetest.Env, s *store.Store, uid model.UserID) int {
	t.Helper()
	for n := 0; ; n++ {
		snap, err := e.Raw.Doc("leavings/" + string(uid)).Get(t.Context())
		testenv.Must(t, err)
		var work model.DeletionWork
		testenv.Must(t, snap.DataTo(&work))
		work.WrittenAt = snap.UpdateTime
		testenv.Must(t, s.AccountDeletions.Leave(t.Context(), work))
		again, err := snap.Ref.Get(t.Context())
		testenv.Must(t, err)
		if again.UpdateTime.Equal(snap.UpdateTime) {
			return n
		}
	}
}

// Each step ends after one commit. A step that is repeated, late or beside itself changes
// nothing but the number of steps.
func TestLeaveInSteps(t *testing.T) {
	t.Parallel()
	o := store.Options{StepTime: time.Nanosecond, LeavePause: time.Nanosecond}
	e := storetest.Open(t, o)
	e.CreateUsers(t, leaver, "ann")
	b := e.Raw.BulkWriter(t.Context())
	const n = 450 // 200 in a commit
	for i := range n {
		fan := model.UserID(fmt.Sprint("fan", i))
		_, err := b.Set(e.Raw.Doc("relationships/"+model.RelationshipKey(fan, leaver)), model.Relationship{FollowerID: fan,
			FollowedID: leaver})
		testenv.Must(t, err)
		_, err = b.Set(e.Raw.Doc(fmt.Sprint("users/", leaver, "/notifications/follow_1/actors/", fan)),
			map[string]any{"expireAt": time.Now()})
		testenv.Must(t, err)
	}
	_, err := b.Set(e.Raw.Doc(fmt.Sprint("users/", leaver, "/notificationLists/newest")), model.NotificationList{
		Notifications: map[string]model.Notification{"follow_1": {CountUsers: n}}})
	testenv.Must(t, err)
	_, err = b.Set(e.Raw.Doc(fmt.Sprint("users/", leaver, "/notifications/follow_2")), model.Notification{}) // earlier
	testenv.Must(t, err)
	b.End()
	work, err := e.Users.Leave(t.Context(), leaver)
	testenv.Must(t, err)
	testenv.Must(t, e.AccountDeletions.Leave(t.Context(), *work)) // an event of any time
	old := must(e.Raw.Doc("leavings/" + string(leaver)).Get(t.Context()))
	if n := steps(t, e, e.Again(t, o), leaver); n < 2*len(old.Data())+3 {
		t.Errorf("the leaving took %d steps", n)
	}
	work.WrittenAt = old.UpdateTime
	if err := storetest.Costs(t, "a late step", 1, 0, 0, func(ctx context.Context) error {
		return e.AccountDeletions.Leave(ctx, *work)
	}); err != nil {
		t.Error(err)
	}
	if got := e.IDs(t, model.Relationships); len(got) > 0 {
		t.Errorf("%d relationships are left", len(got))
	}
	if got := e.IDs(t, "users/"+string(leaver)+"/notifications/follow_1/actors"); len(got) > 0 {
		t.Errorf("%d actors are left", len(got))
	}
	if cleared := must(e.Raw.Doc("leavings/" + string(leaver)).Get(t.Context())).Data(); cleared["clearedAt"] == nil ||
		cleared["done"] != false {
		t.Errorf("the leaving is %v", cleared)
	}

	// A late event brings something back. The last pass removes it, and a day later nothing is found.
	_, err = e.Raw.Doc("tagUses/"+model.TagUsageKey(leaver, "go")).Set(t.Context(), map[string]any{"tweetCount": -1})
	testenv.Must(t, err)
	for day := range 2 {
		e.Clock.Add(26 * time.Hour)
		steps(t, e, e.Store, leaver)
		if done := must(e.Raw.Doc("leavings/" + string(leaver)).Get(t.Context())).Data()["done"]; done != (day == 1) {
			t.Errorf("on day %d the leaving is done: %v", day, done)
		}
	}
	if left := trace(t, e.Raw); !slices.Equal(left, []string{"leavings/zo_e", "usernames/zo_e_u"}) {
		t.Errorf("left are %q", left)
	}
}

// The answer to the commit that deletes a leaver's reply is lost. Before it is sent again, the reply
// is answered: it keeps its place in the thread.
func TestAnsweredWhileAccountDeletion(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, leaver, "ann")
	root := e.Tweet(t, "ann", "root")
	reply := e.Draft(t, leaver, model.Draft{Content: "reply", ReplyTo: &root.ID})
	work, err := e.Users.Leave(t.Context(), leaver)
	testenv.Must(t, err)
	tombstone := "tombstones/" + string(reply.ID)
	losses := storetest.LoseFirst(func() {
		if stone := e.Doc(t, tombstone); stone == nil || stone["repliedAt"] != nil {
			t.Errorf("after the first commit the tombstone is %v, so the test shows nothing", stone)
		}
		testenv.Must(t, e.Counters.CountTweet(t.Context(), counters.IdempotencyRecord{EventID: "1", Function: "TweetChanged"},
			&model.Tweet{AuthorID: "ann", ReplyTo: &reply.ID}, 1))
	})
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	testenv.Must(t, slow.AccountDeletions.Leave(t.Context(), *work))
	if rule, _ := e.Doc(t, tombstone)["repliedAt"].(time.Time); !rule.Equal(reply.CreatedAt) {
		t.Errorf("the tombstone is %v, want the place %v", e.Doc(t, tombstone), reply.CreatedAt)
	}
}

// An account that cannot be deleted keeps the account deletion from its end, and is tried again.
func TestAccountStays(t *testing.T) {
	t.Parallel()
	tries := 0
	e := storetest.Open(t, store.Options{LeavePause: time.Nanosecond, StepTime: time.Minute,
		DeleteAccount: func(context.Context, model.UserID) error {
			if tries++; tries == 1 {
				return errs.New(errs.Unavailable, "", "no")
			}
			return nil
		}})
	e.CreateUsers(t, leaver)
	work, err := e.Users.Leave(t.Context(), leaver)
	testenv.Must(t, err)
	_, err = e.Raw.Doc("heads/" + string(leaver)).Delete(t.Context()) // so that the first pass finds nothing
	testenv.Must(t, err)
	storetest.WantErr(t, e.AccountDeletions.Leave(t.Context(), *work), errs.Unavailable, "unavailable")
	steps(t, e, e.Store, leaver)
	if cleared := e.Doc(t, "leavings/"+string(leaver))["clearedAt"]; tries != 2 || cleared == nil {
		t.Errorf("after %d tries the leaving was cleared at %v", tries, cleared)
	}
}
