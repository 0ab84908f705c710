package profiles_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// propagate runs a propagation in one step, as its event does.
func propagate(e *storetest.Env, uid model.UserID) func(context.Context) error {
	return func(ctx context.Context) error {
		return e.Previews.PropagateProfile(ctx, model.PropagationWork{UserID: uid})
	}
}

// ask requests a propagation, as a rename does.
func ask(t *testing.T, e *storetest.Env, uid model.UserID) {
	t.Helper()
	_, err := e.Raw.Doc("spreads/"+string(uid)).Set(t.Context(), model.PropagationWork{UserID: uid})
	testenv.Must(t, err)
}

// A propagation reads several pages of one author's tweets, and writes the tweets that have another copy.
func TestPropagateProfile(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Millisecond}) // PropagateProfile waits for twice as long
	e.CreateUsers(t, "ann", "bob")
	const n = 405
	b := e.Raw.BulkWriter(t.Context())
	ids := model.NewTweetIDs(e.Clock.Now)
	former := model.Author{Username: "ann_u", Nickname: "ann"}
	for i := range n {
		id := ids.Next("ann")
		_, err := b.Set(e.Raw.Doc("tweets/"+string(id)), model.Tweet{AuthorID: "ann", Author: former, Summary: fmt.Sprint(i),
			LikeCount: 7})
		testenv.Must(t, err)
	}
	b.End()
	theirs := e.Tweet(t, "bob", "by another")
	ask(t, e, "ann")
	testenv.Must(t, storetest.Costs(t, "an unchanged profile", n+5, 0, 1, propagate(e, "ann")))
	testenv.Must(t, storetest.Costs(t, "an event that comes again", 1, 0, 0, propagate(e, "ann")))

	testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("Ann")}))
	one := e.Tweet(t, "ann", "written with the new name")
	e.Clock.Add(time.Minute) // the profile is old in all caches
	testenv.Must(t, storetest.Costs(t, "a changed profile", n+1+5, n, 1, propagate(e, "ann")))
	snaps, err := e.Raw.Collection("tweets").Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	if len(snaps) != n+2 {
		t.Fatalf("there are %d tweets, want %d", len(snaps), n+2)
	}
	for _, snap := range snaps {
		var tweet model.Tweet
		testenv.Must(t, snap.DataTo(&tweet))
		want := model.Author{Username: "ann_u", Nickname: "Ann"}
		if snap.Ref.ID == string(theirs.ID) {
			want = model.Author{Username: "bob_u", Nickname: "bob"}
		}
		if tweet.Author != want || snap.Ref.ID != string(theirs.ID) && snap.Ref.ID != string(one.ID) && tweet.LikeCount != 7 {
			t.Fatalf("tweet %s has the author %+v and likeCount %d, want %+v and what it had", snap.Ref.ID, tweet.Author,
				tweet.LikeCount, want)
		}
	}

	// Without a profile there is nothing to propagate, and a tweet that is gone stays gone.
	ask(t, e, "nobody")
	testenv.Must(t, storetest.Costs(t, "nobody's profile", 2, 0, 1, propagate(e, "nobody")))
	testenv.Must(t, e.Previews.RestoreAuthor(t.Context(), "ann", "0000000000000000ff"))
	if e.Doc(t, "tweets/0000000000000000ff") != nil {
		t.Error("a tweet was made by its author copy")
	}
	_, err = e.Raw.Doc("tweets/"+string(one.ID)).
		Update(t.Context(), []firestore.Update{{Path: "author.nickname", Value: "other"}})
	testenv.Must(t, err)
	testenv.Must(t, e.Previews.RestoreAuthor(t.Context(), "ann", one.ID))
	if got := e.Doc(t, "tweets/"+string(one.ID))["author"].(map[string]any)["nickname"]; got != "Ann" {
		t.Errorf("restored author copy has the nickname %v, want Ann", got)
	}
}

// A propagation reads no tweet before the former profile is too old for all caches.
func TestPropagateProfileWaits(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann")
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("Ann")}))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	m := meter.New()
	err := propagate(e, "ann")(meter.With(ctx, m))
	if got := m.Snapshot(); !errors.Is(err, context.DeadlineExceeded) || got.Reads > 2 || got.Writes+got.Deletes > 0 {
		t.Errorf("a spread = %v and costs %+v before the caches are old, want %v and 2 reads", err, got,
			context.DeadlineExceeded)
	}
}

// Several changes of a profile are one propagation, even if the last change comes while the propagation writes.
func TestPropagateJoins(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Millisecond})
	e.CreateUsers(t, "ann")
	tweets := e.CreateTweets(t, "ann", 5)
	rename := func(name string) {
		testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: &name}))
	}
	wantName := func(want string) {
		t.Helper()
		for _, id := range tweets {
			if got := e.Doc(t, "tweets/"+string(id))["author"].(map[string]any)["nickname"]; got != want {
				t.Errorf("the author of %s is %v, want %s", id, got, want)
			}
		}
	}
	for _, name := range []string{"A", "B", "C"} {
		rename(name)
	}
	e.Clock.Add(time.Minute) // the profile is old in all caches
	testenv.Must(t, storetest.Costs(t, "three renames", 5+5, 5, 1, propagate(e, "ann")))
	wantName("C")
	if got := e.IDs(t, model.Propagations); len(got) > 0 {
		t.Errorf("there is still work: %v", got)
	}

	rename("D")
	meanwhile := storetest.Before(storetest.WritesTo("tweets/"+string(tweets[2])), func() { rename("E") })
	other := e.Again(t, store.Options{CacheTTL: time.Millisecond, Meter: meter.Options{Below: meanwhile}})
	testenv.Must(t, other.Previews.PropagateProfile(t.Context(), model.PropagationWork{UserID: "ann"}))
	if got := e.IDs(t, model.Propagations); len(got) != 1 {
		t.Fatalf("the work is %v after a rename on the way, want that of ann", got)
	}
	testenv.Must(t, propagate(e, "ann")(t.Context()))
	wantName("E")
	if got := e.IDs(t, model.Propagations); len(got) > 0 {
		t.Errorf("there is still work: %v", got)
	}
}

// An author's tweets are too many for one step. Each step begins at the end of the previous step, and a repeated event
// does nothing. If the name changes during the propagation, the new name reaches every tweet.
func TestPropagateInSteps(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Millisecond, StepTime: time.Nanosecond})
	e.CreateUsers(t, "ann")
	const n = 450 // 200 in a step
	b := e.Raw.BulkWriter(t.Context())
	ids := model.NewTweetIDs(e.Clock.Now)
	for range n {
		_, err := b.Set(e.Raw.Doc("tweets/"+string(ids.Next("ann"))), map[string]any{"authorId": "ann"})
		testenv.Must(t, err)
	}
	b.End()
	work := func() (w model.PropagationWork, found bool) {
		snaps, err := e.Raw.GetAll(t.Context(), []*firestore.DocumentRef{e.Raw.Doc("spreads/ann")})
		testenv.Must(t, err)
		if found = snaps[0].Exists(); found {
			testenv.Must(t, snaps[0].DataTo(&w))
			w.WrittenAt = snaps[0].UpdateTime
		}
		return w, found
	}
	ask(t, e, "ann")
	first, _ := work()
	testenv.Must(t, e.Previews.PropagateProfile(t.Context(), first))
	if w, found := work(); !found || w.After == "" {
		t.Fatalf("after the first step: %+v, want a place", w)
	}
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("Ann")}))
	if err := storetest.Costs(t, "a late step", 1, 0, 0, func(ctx context.Context) error {
		return e.Previews.PropagateProfile(ctx, first)
	}); err != nil {
		t.Fatal(err)
	}
	steps := 0
	for w, found := work(); found; w, found = work() {
		testenv.Must(t, e.Previews.PropagateProfile(t.Context(), w))
		steps++
	}
	if steps != 3 { // from the first tweet on
		t.Errorf("%d steps, want 3", steps)
	}
	snaps, err := e.Raw.Collection("tweets").Where("author.nickname", "==", "Ann").Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	if len(snaps) != n {
		t.Errorf("%d tweets have the new name, want %d", len(snaps), n)
	}
}

// An author posts in a long request, and changes the nickname meanwhile. The propagation is over before the tweet is
// written. The tweet gets the new nickname all the same.
func TestSlowPost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Millisecond}) // PropagateProfile waits for twice as long
	e.CreateUsers(t, "ann")
	isTweet := func(path string, _ *firestorepb.Write) bool { return strings.HasPrefix(path, model.Tweets+"/") }
	slow := e.Again(t, store.Options{CacheTTL: time.Millisecond, Now: e.Clock.Now,
		Meter: meter.Options{Below: storetest.Before(isTweet, func() {
			testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("Ann")}))
			e.Clock.Add(time.Minute)
			testenv.Must(t, propagate(e, "ann")(t.Context()))
		})}})
	tweet, err := slow.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "x"}, model.Request{})
	testenv.Must(t, err)
	written := e.Doc(t, "tweets/"+string(tweet.ID))["author"].(map[string]any)
	if written["nickname"] != "Ann" || tweet.Author.Nickname != "Ann" {
		t.Errorf("the tweet is by %v, and the answer says by %v, want Ann", written, tweet.Author)
	}
}
