package verify_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// What follows from a profile's nickname and introduction is wrong, as in a profile from before.
func TestProfileTexts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann", Nickname: "Änn Straße", Introduction: "**" +
		strings.Repeat("a", 290) + "**"})
	testenv.Must(t, err)
	want, err := e.Users.User(ctx, "ann")
	testenv.Must(t, err)
	if want.SnippetTree == "" {
		t.Fatal("the snippet has no tree, so the test proves little")
	}
	_, err = e.Raw.Doc("users/ann").Update(ctx, []firestore.Update{
		{Path: "snippet", Value: "x"}, {Path: "snippetTree", Value: firestore.Delete},
		{Path: "nicknameLower", Value: "änn straße"},
	})
	testenv.Must(t, err)
	fields := func(o verify.Options) []string {
		t.Helper()
		found, err := e.Audit.User(ctx, "ann", o)
		testenv.Must(t, err)
		var fields []string
		for _, d := range found {
			if d.Document == "users/ann" {
				fields = append(fields, d.Field)
			}
		}
		return slices.Sorted(slices.Values(fields))
	}
	all := []string{"nicknameLower", "snippet", "snippetTree"}
	if diff := cmp.Diff(all, fields(verify.Options{})); diff != "" {
		t.Errorf("verify finds (-want +got):\n%s", diff)
	}
	fields(verify.Options{Reconcile: time.Millisecond, Repair: true})
	is, err := e.Users.User(ctx, "ann")
	testenv.Must(t, err)
	if is.Snippet != want.Snippet || is.SnippetTree != want.SnippetTree || is.NicknameLower != "änn strasse" {
		t.Errorf("repaired to %q, %q, %q", is.Snippet, is.SnippetTree, is.NicknameLower)
	}
}

// What follows from the text of a tweet is wrong, as in a tweet from before. verify names each
// field, a repair makes the tweet as it was posted, and tags beside the hashtags stay.
func TestTexts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann")
	content := "**" + strings.Repeat("a", 290) + "** #Go"
	tweet := e.Draft(t, "ann", model.Draft{Content: content + " ![a](https://example.com/a.png)", Tags: []string{"news"},
		AllowLikes: true})
	if tweet.SnippetTree == "" {
		t.Fatal("the snippet has no tree, so the test proves little")
	}
	ref := e.Raw.Doc("tweets/" + string(tweet.ID))
	_, err := ref.Update(ctx, []firestore.Update{
		{Path: "snippet", Value: "x"}, {Path: "snippetTree", Value: firestore.Delete},
		{Path: "hasMedia", Value: firestore.Delete}, {Path: "length", Value: 1},
		{Path: "tags", Value: map[string]time.Time{"news": tweet.CreatedAt}},
		{Path: "rootTags", Value: map[string]time.Time{}},
	})
	testenv.Must(t, err)
	check := func(o verify.Options) []string {
		t.Helper()
		found, err := e.Audit.Tweet(ctx, tweet.ID, o)
		testenv.Must(t, err)
		fields := map[string]bool{}
		for _, d := range found {
			if d.Kind == model.Tweets {
				fields[d.Field] = true
			}
			if d.Repaired != o.Repair {
				t.Errorf("%s %s: repaired %v", d.Document, d.Field, d.Repaired)
			}
		}
		return slices.Sorted(maps.Keys(fields))
	}
	want := []string{"hasMedia", "length", "rootTags", "snippet", "snippetTree", "tags"}
	if diff := cmp.Diff(want, check(verify.Options{})); diff != "" {
		t.Errorf("verify finds (-want +got):\n%s", diff)
	}
	check(verify.Options{Reconcile: time.Millisecond, Repair: true})
	snap, err := ref.Get(ctx)
	testenv.Must(t, err)
	var is model.Tweet
	testenv.Must(t, snap.DataTo(&is))
	is.ID, is.ChangedAt, tweet.ChangedAt = tweet.ID, time.Time{}, time.Time{}
	if diff := cmp.Diff(tweet, &is); diff != "" {
		t.Errorf("repaired (-want +got):\n%s", diff)
	}
	if left := check(verify.Options{}); len(left) > 0 {
		t.Errorf("afterwards verify finds %v", left)
	}
}
