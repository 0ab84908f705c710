package verify_test

import (
	"context"
	"slices"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// TestFullMonth audits a user who likes more tweets than a month of reactions holds.
func TestFullMonth(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{ReactionsPerMonth: 2}, nil)
	e.join(t, "ann", "bob")
	ids := make([]model.TweetID, 5)
	for i := range ids {
		var err error
		ids[i], err = e.post(t.Context(), "ann", nil)
		testenv.Must(t, err)
		if i > 0 {
			testenv.Must(t, e.Store.Reactions.Like(t.Context(), "bob", ids[i]))
		}
	}
	testenv.Must(t, e.Runner.WaitIdle(t.Context()))
	month := e.raw.Doc("reactions/" + model.MonthKey("bob", ids[0].Month()))
	check := func(what string, o verify.Options, want ...found) {
		t.Helper()
		ds, err := e.Store.Audit.User(t.Context(), "bob", o)
		testenv.Must(t, err)
		if diff := cmp.Diff(append([]found{}, want...), bare(ds)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		liked, err := e.Store.Tweets.ViewerState(t.Context(), "bob", ids[1:])
		testenv.Must(t, err)
		for _, id := range ids[1:] {
			if !liked[id].Liked {
				t.Errorf("%s: bob does not like %s", what, id)
			}
		}
	}
	check("a full month", verify.Options{})

	set := func(id model.TweetID, to any) {
		t.Helper()
		_, err := month.Update(t.Context(), []firestore.Update{{FieldPath: firestore.FieldPath{"tweets", string(id)},
			Value: to}})
		testenv.Must(t, err)
	}
	set(ids[1], firestore.Delete)
	check("a full month that lost a like", verify.Options{})
	set(ids[0], true)
	stray := found{"reactions/" + month.ID, "tweets." + string(ids[0]), "true", "false", false}
	check("a stray like", verify.Options{}, stray)
	stray.Repaired = true
	check("repair", verify.Options{Wait: e.Runner.WaitIdle, Repair: true}, stray)
	check("repaired", verify.Options{})

	// Repair fills a lost month no further than its limit, because it counts what it adds.
	_, err := month.Delete(t.Context())
	testenv.Must(t, err)
	_, err = e.Store.Audit.User(t.Context(), "bob", verify.Options{Wait: e.Runner.WaitIdle, Repair: true})
	testenv.Must(t, err)
	snap, err := month.Get(t.Context())
	testenv.Must(t, err)
	if held, _ := snap.Data()["tweets"].(map[string]any); len(held) > 2 || snap.Data()["full"] != true {
		t.Errorf("the rebuilt month = %v", snap.Data())
	}
	check("rebuilt", verify.Options{})
}

// Parts verify all users one part after the other, and a repair can go on after any of them. A
// tag without a document is found in the part of its user.
func TestParts(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{}, nil)
	ctx := t.Context()
	users := []model.UserID{"ann", "bob", "cat", "dan"}
	e.join(t, users...)
	for _, uid := range users {
		_, err := e.post(ctx, uid, nil, "tag-of-"+string(uid))
		testenv.Must(t, err)
	}
	testenv.Must(t, e.Runner.WaitIdle(ctx))
	var want []string
	for _, uid := range users {
		_, err := e.raw.Doc("users/"+string(uid)).Update(ctx, []firestore.Update{{Path: "tweetCount", Value: 7}})
		testenv.Must(t, err)
		want = append(want, "users/"+string(uid))
	}
	_, err := e.raw.Doc("tags/tag-of-bob").Delete(ctx)
	testenv.Must(t, err)
	want = slices.Insert(want, 2, "tags/tag-of-bob")
	_, err = e.raw.Doc("tags/tag-of-ann").Update(ctx, []firestore.Update{{Path: "tweetCount", Value: 7}})
	testenv.Must(t, err)
	want = append(want, "tags/tag-of-ann") // only in the last part

	var got []string
	var ends []model.UserID
	for after := model.UserID(""); ; {
		found, next, err := e.Store.Audit.Part(ctx, after, 2, verify.Options{Wait: func(context.Context) error { return nil },
			Repair: true})
		testenv.Must(t, err)
		for _, d := range found {
			got = append(got, d.Document)
			if !d.Repaired {
				t.Errorf("%s %s is not repaired", d.Document, d.Field)
			}
		}
		ends = append(ends, next)
		if after = next; next == "" || len(ends) > 5 {
			break
		}
	}
	if !slices.Equal(ends, []model.UserID{"bob", ""}) {
		t.Errorf("the parts end at %q, want bob and then the end", ends)
	}
	// A part lists what it mended by kind.
	slices.Sort(got[:min(3, len(got))])
	slices.Sort(got[min(3, len(got)):])
	slices.Sort(want[:3])
	slices.Sort(want[3:])
	if !slices.Equal(got, want) {
		t.Errorf("the parts find %v, want %v", got, want)
	}
	left, err := e.Store.Audit.All(ctx, verify.Options{})
	testenv.Must(t, err)
	if len(left) > 0 {
		t.Errorf("afterwards: %v", bare(left))
	}
}
