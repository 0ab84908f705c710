package store_test

import (
	"context"
	"fmt"
	"testing"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// SpreadProfile goes through more tweets than one page, of one author, and writes those
// that differ.
func TestSpreadProfile(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	const n = 405
	b := e.raw.BulkWriter(t.Context())
	ids := model.NewTweetIDs(e.clock.now)
	former := model.Author{Username: "ann_u", Nickname: "ann"}
	for i := range n {
		id := ids.Next("ann")
		_, err := b.Set(e.raw.Doc("tweets/"+string(id)), model.Tweet{AuthorID: "ann", Author: former, Summary: fmt.Sprint(i), LikeCount: 7})
		must(t, err)
	}
	b.End()
	theirs := e.tweet(t, "bob", "by another")
	if err := costs(t, "an unchanged profile", n+2, 0, 0, func(ctx context.Context) error { return e.SpreadProfile(ctx, "ann") }); err != nil {
		t.Fatal(err)
	}

	must(t, e.UpdateUser(t.Context(), "ann", store.UserPatch{Nickname: to("Ann")}))
	one := e.tweet(t, "ann", "written with the new name")
	if err := costs(t, "a changed profile", n+3, n, 0, func(ctx context.Context) error { return e.SpreadProfile(ctx, "ann") }); err != nil {
		t.Fatal(err)
	}
	snaps, err := e.raw.Collection("tweets").Documents(t.Context()).GetAll()
	must(t, err)
	if len(snaps) != n+2 {
		t.Fatalf("there are %d tweets, want %d", len(snaps), n+2)
	}
	for _, snap := range snaps {
		var tweet model.Tweet
		must(t, snap.DataTo(&tweet))
		want := model.Author{Username: "ann_u", Nickname: "Ann"}
		if snap.Ref.ID == string(theirs.ID) {
			want = model.Author{Username: "bob_u", Nickname: "bob"}
		}
		if tweet.Author != want || snap.Ref.ID != string(theirs.ID) && snap.Ref.ID != string(one.ID) && tweet.LikeCount != 7 {
			t.Fatalf("tweet %s has the author %+v and likeCount %d, want %+v and what it had", snap.Ref.ID, tweet.Author, tweet.LikeCount, want)
		}
	}

	// Without a profile there is nothing to spread, and a tweet that is gone stays so.
	must(t, e.SpreadProfile(t.Context(), "nobody"))
	must(t, e.RestoreAuthor(t.Context(), "ann", "0000000000000000ff"))
	if e.doc(t, "tweets/0000000000000000ff") != nil {
		t.Error("a tweet was made by its author copy")
	}
	_, err = e.raw.Doc("tweets/"+string(one.ID)).Update(t.Context(), []firestore.Update{{Path: "author.nickname", Value: "other"}})
	must(t, err)
	must(t, e.RestoreAuthor(t.Context(), "ann", one.ID))
	if got := e.doc(t, "tweets/"+string(one.ID))["author"].(map[string]any)["nickname"]; got != "Ann" {
		t.Errorf("restored author copy has the nickname %v, want Ann", got)
	}
}
