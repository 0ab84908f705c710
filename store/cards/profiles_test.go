package cards_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/facts"
)

// SpreadProfile reads several pages of one author's tweets, and writes the tweets that
// have another copy.
func TestSpreadProfile(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Millisecond}) // SpreadProfile waits for twice as long
	e.Users(t, "ann", "bob")
	const n = 405
	b := e.Raw.BulkWriter(t.Context())
	ids := model.NewTweetIDs(e.Clock.Now)
	former := model.Author{Username: "ann_u", Nickname: "ann"}
	for i := range n {
		id := ids.Next("ann")
		_, err := b.Set(e.Raw.Doc("tweets/"+string(id)), model.Tweet{AuthorID: "ann", Author: former, Summary: fmt.Sprint(i), LikeCount: 7})
		testenv.Must(t, err)
	}
	b.End()
	theirs := e.Tweet(t, "bob", "by another")
	if err := storetest.Costs(t, "an unchanged profile", n+2, 0, 0, func(ctx context.Context) error { return e.Cards.SpreadProfile(ctx, "ann") }); err != nil {
		t.Fatal(err)
	}

	testenv.Must(t, e.Facts.UpdateUser(t.Context(), "ann", facts.UserPatch{Nickname: new("Ann")}))
	one := e.Tweet(t, "ann", "written with the new name")
	if err := storetest.Costs(t, "a changed profile", n+3, n, 0, func(ctx context.Context) error { return e.Cards.SpreadProfile(ctx, "ann") }); err != nil {
		t.Fatal(err)
	}
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
			t.Fatalf("tweet %s has the author %+v and likeCount %d, want %+v and what it had", snap.Ref.ID, tweet.Author, tweet.LikeCount, want)
		}
	}

	// Without a profile there is nothing to spread, and a tweet that is gone stays so.
	testenv.Must(t, e.Cards.SpreadProfile(t.Context(), "nobody"))
	testenv.Must(t, e.Cards.RestoreAuthor(t.Context(), "ann", "0000000000000000ff"))
	if e.Doc(t, "tweets/0000000000000000ff") != nil {
		t.Error("a tweet was made by its author copy")
	}
	_, err = e.Raw.Doc("tweets/"+string(one.ID)).Update(t.Context(), []firestore.Update{{Path: "author.nickname", Value: "other"}})
	testenv.Must(t, err)
	testenv.Must(t, e.Cards.RestoreAuthor(t.Context(), "ann", one.ID))
	if got := e.Doc(t, "tweets/"+string(one.ID))["author"].(map[string]any)["nickname"]; got != "Ann" {
		t.Errorf("restored author copy has the nickname %v, want Ann", got)
	}
}

// SpreadProfile reads nothing before the former profile has grown old in all caches.
func TestSpreadProfileWaits(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.Users(t, "ann")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	m := meter.New()
	err := e.Cards.SpreadProfile(meter.With(ctx, m), "ann")
	if got := m.Snapshot(); !errors.Is(err, context.DeadlineExceeded) || got != (meter.Counts{}) {
		t.Errorf("SpreadProfile = %v and costs %+v before the caches are old, want %v and nothing", err, got, context.DeadlineExceeded)
	}
}

// An author's tweets are too many for one step. Each step begins where the step before
// ended, and an event that comes again does nothing. A name that changes on the way reaches
// every tweet.
func TestSpreadInSteps(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Millisecond, StepTime: time.Nanosecond})
	e.Users(t, "ann")
	const n = 450 // 200 in a step
	b := e.Raw.BulkWriter(t.Context())
	ids := model.NewTweetIDs(e.Clock.Now)
	for range n {
		_, err := b.Set(e.Raw.Doc("tweets/"+string(ids.Next("ann"))), map[string]any{"authorId": "ann"})
		testenv.Must(t, err)
	}
	b.End()
	work := func() (w model.SpreadWork, found bool) {
		snaps, err := e.Raw.GetAll(t.Context(), []*firestore.DocumentRef{e.Raw.Doc("spreads/ann")})
		testenv.Must(t, err)
		if found = snaps[0].Exists(); found {
			testenv.Must(t, snaps[0].DataTo(&w))
			w.WrittenAt = snaps[0].UpdateTime
		}
		return w, found
	}
	testenv.Must(t, e.Cards.SpreadProfile(t.Context(), "ann"))
	first, found := work()
	if !found || first.After == "" {
		t.Fatalf("after the first step: %+v, want a place", first)
	}
	testenv.Must(t, e.Facts.UpdateUser(t.Context(), "ann", facts.UserPatch{Nickname: new("Ann")}))
	testenv.Must(t, e.Cards.SpreadProfile(t.Context(), "ann")) // the event of the change
	if err := storetest.Costs(t, "a late step", 1, 0, 0, func(ctx context.Context) error { return e.Cards.ContinueSpread(ctx, first) }); err != nil {
		t.Fatal(err)
	}
	steps := 1
	for w, found := work(); found; w, found = work() {
		testenv.Must(t, e.Cards.ContinueSpread(t.Context(), w))
		steps++
	}
	if steps != 3 {
		t.Errorf("%d steps, want 3", steps)
	}
	snaps, err := e.Raw.Collection("tweets").Where("author.nickname", "==", "Ann").Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	if len(snaps) != n {
		t.Errorf("%d tweets have the new name, want %d", len(snaps), n)
	}
}
