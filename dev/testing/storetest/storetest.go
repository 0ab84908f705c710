// Package storetest gives a test a store on a project of its own, and the steps of a test
// of a domain: users sign up, authors write tweets, a call costs so many reads and writes.
package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

// Env is a store on a project of its own.
type Env struct {
	*store.Store
	Clock   *testenv.Clock
	Project string
	Raw     *firestore.Client // sees documents as they are

	server func() time.Time // the clock of the database; nil is its own
}

// Open opens a store. Its clock and the clock of the database stand still at noon of 15 November 2026 until the test
// moves them. If o has another clock, the database keeps its own.
func Open(t testing.TB, o store.Options) *Env {
	t.Helper()
	e := &Env{Project: testenv.Project(t), Clock: testenv.NewClock(Date(time.November, 15))}
	if o.Now == nil {
		o.Now, e.server = e.Clock.Now, e.Clock.Now
	}
	e.Store = e.Again(t, o)
	e.Raw = testenv.Client(t, e.Project)
	return e
}

// Again opens one more store on the same database, as another process would. Unless o says otherwise, callers that
// share a commit wait for a millisecond instead of a second.
func (e *Env) Again(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	o.Emulator, o.Meter = testenv.FirestoreHost(t), strict.Meter(t, o.Meter)
	o.WriteEvery = cmp.Or(o.WriteEvery, time.Millisecond)
	// The machine may be busy.
	o.Patience = cmp.Or(o.Patience, time.Minute)
	o.StepTime = cmp.Or(o.StepTime, time.Minute)
	o.ServerNow = e.server
	if o.Now == nil {
		o.Now = e.Clock.Now
	}
	s, err := store.Open(t.Context(), e.Project, "", o)
	testenv.Must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// Doc reads a document. A missing document is nil.
func (e *Env) Doc(t testing.TB, path string) map[string]any {
	t.Helper()
	snap, err := e.Raw.Doc(path).Get(t.Context())
	if status.Code(err) == codes.NotFound {
		return nil
	}
	testenv.Must(t, err)
	return snap.Data()
}

// Notification returns the fields of a notification of a user, from the list that has it; nil if no list has it.
func (e *Env) Notification(t testing.TB, uid model.UserID, id string) map[string]any {
	t.Helper()
	lists := "users/" + string(uid) + "/notificationLists"
	for _, list := range e.IDs(t, lists) {
		all, _ := e.Doc(t, lists+"/"+list)["notifications"].(map[string]any)
		if n, ok := all[id].(map[string]any); ok {
			return n
		}
	}
	return nil
}

// IDs lists the ids of the documents of a collection, in order.
func (e *Env) IDs(t testing.TB, collection string) []string {
	t.Helper()
	snaps, err := e.Raw.Collection(collection).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	ids := []string{}
	for _, snap := range snaps {
		ids = append(ids, snap.Ref.ID)
	}
	return ids
}

var usernames = maphash.MakeSeed()

// CreateUsers creates profiles. The username of a uid is the uid in lower case and "_u", or a hash of the uid if that
// is not a username.
func (e *Env) CreateUsers(t testing.TB, uids ...model.UserID) {
	t.Helper()
	for _, uid := range uids {
		username, nickname := strings.ToLower(string(uid))+"_u", string(uid)
		if model.ValidateNickname(nickname) != nil {
			nickname = ""
		}
		if model.ValidateUsername(username) != nil {
			username = fmt.Sprintf("u%016x", maphash.String(usernames, string(uid)))
		}
		_, err := e.Users.CreateUser(t.Context(), uid, model.NewUser{Username: username, Nickname: nickname})
		testenv.Must(t, err)
	}
}

// Counts sets a count of a profile, as functions do.
func (e *Env) Counts(t testing.TB, uid model.UserID, field string, n int) {
	t.Helper()
	_, err := e.Raw.Doc(model.Users+"/"+string(uid)).Update(t.Context(), []firestore.Update{{Path: field, Value: n}})
	testenv.Must(t, err)
	e.CoolDown()
}

// Tweet writes a tweet. Its author lets every user like it and reply to it.
func (e *Env) Tweet(t testing.TB, author model.UserID, content string) *model.Tweet {
	t.Helper()
	return e.Draft(t, author, model.Draft{Content: content, AllowLikes: true, AllowReplies: true})
}

// Draft writes a tweet from a draft.
func (e *Env) Draft(t testing.TB, author model.UserID, d model.Draft) *model.Tweet {
	t.Helper()
	tweet, err := e.Tweets.CreateTweet(t.Context(), author, d, model.Request{})
	testenv.Must(t, err)
	if tweet.Held != nil {
		t.Fatalf("the reply of %s waits for approval", author)
	}
	return tweet.Tweet
}

// CreateTweets writes n tweets, and returns their ids, newest first.
func (e *Env) CreateTweets(t testing.TB, author model.UserID, n int) []model.TweetID {
	t.Helper()
	ids := make([]model.TweetID, n)
	for i := range ids {
		ids[n-1-i] = e.Tweet(t, author, "a spark").ID
	}
	return ids
}

// Publish writes a tweet, and adds its preview to the author's month and newest tweets, as the event of the tweet does.
func (e *Env) Publish(t testing.TB, author model.UserID, content string) *model.Tweet {
	t.Helper()
	tweet := e.Tweet(t, author, content)
	testenv.Must(t, e.Previews.Put(t.Context(), tweet))
	found, err := e.Previews.Reconcile(t.Context(), tweet)
	testenv.Must(t, err)
	if !found {
		t.Errorf("Settle says that %s is gone", tweet.ID)
	}
	return tweet
}

// Date returns noon of a day in 2026.
func Date(m time.Month, d int) time.Time { return time.Date(2026, m, d, 12, 0, 0, 0, time.UTC) }

// CoolDown moves the clock by a minute, so that cached values expire and hot counters become cold.
func (e *Env) CoolDown() { e.Clock.Add(time.Minute) }

// WantErr checks the kind and the code of an error.
func WantErr(t testing.TB, err error, kind errs.Kind, code string) {
	t.Helper()
	if err == nil || errs.KindOf(err) != kind || errs.CodeOf(err) != code {
		t.Errorf("error = %v (%v, %s), want %v, %s", err, errs.KindOf(err), errs.CodeOf(err), kind, code)
	}
}

// WantGone checks that err holds the tombstone of a tweet.
func WantGone(t testing.TB, err error, id model.TweetID, author model.UserID) {
	t.Helper()
	WantErr(t, err, errs.Gone, "tweet_deleted")
	var deleted *tweets.Deleted
	if !errors.As(err, &deleted) || deleted.ID != id || deleted.AuthorID != author || deleted.DeletedAt.IsZero() ||
		deleted.FormerType != "tweet" {
		t.Errorf("error = %v, with the tombstone %+v, want that of %s by %s", err, deleted, id, author)
	}
}

// OnlyWinner checks that all calls but one failed, with a kind and a code. It returns the index of the call that
// succeeded.
func OnlyWinner(t testing.TB, failures []error, kind errs.Kind, code string) int {
	t.Helper()
	winner := -1
	for i, err := range failures {
		switch {
		case err != nil:
			WantErr(t, err, kind, code)
		case winner >= 0:
			t.Errorf("%d and %d both succeeded", winner, i)
		default:
			winner = i
		}
	}
	if winner < 0 {
		t.Fatal("none succeeded")
	}
	return winner
}

// WantUsernames checks that the reserved usernames are exactly the usernames of the profiles, each reserved by its
// profile.
func (e *Env) WantUsernames(t testing.TB) {
	t.Helper()
	want, got := map[string]string{}, map[string]string{}
	for _, uid := range e.IDs(t, model.Users) {
		want[e.Doc(t, "users/"+uid)["username"].(string)] = uid
	}
	for _, name := range e.IDs(t, model.Usernames) {
		got[name] = e.Doc(t, "usernames/"+name)["uid"].(string)
	}
	if !maps.Equal(got, want) {
		t.Errorf("reserved usernames = %v, but the profiles have %v", got, want)
	}
}

// Costs checks the bill of f, and returns f's error.
func Costs(t testing.TB, what string, reads, writes, deletes int64, f func(context.Context) error) error {
	t.Helper()
	m := meter.New()
	err := f(meter.With(t.Context(), m))
	if got, want := m.Snapshot(), (meter.Counts{Reads: reads, Writes: writes, Deletes: deletes}); got != want {
		t.Errorf("%s costs %+v, want %+v", what, got, want)
	}
	return err
}

// Fill makes a document as large as a document may be, with a field that nothing reads.
func Fill(t testing.TB, ref *firestore.DocumentRef) {
	t.Helper()
	size := 0
	for step := 1 << 19; step >= 16; step /= 2 {
		if _, err := ref.Set(t.Context(), map[string]any{"ballast": strings.Repeat("x", size+step)},
			firestore.MergeAll); err == nil {
			size += step
		}
	}
	if size == 0 {
		t.Fatal("the document is full already")
	}
}

// Writes counts how often documents are written, by path.
type Writes struct {
	mu sync.Mutex
	of map[string]int
}

// Add counts a write. It is the OnWrite of a meter.
func (w *Writes) Add(path string, _ bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = map[string]int{}
	}
	w.of[path]++
}

// Check compares the numbers since the last check with the allowed numbers, and resets them. A document that may be
// written must have been written.
func (w *Writes) Check(t testing.TB, most map[string]int) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for path, n := range most {
		if w.of[path] == 0 || w.of[path] > n {
			t.Errorf("%s is written %d times, want 1 to %d times", path, w.of[path], n)
		}
	}
	clear(w.of)
}
