package verify_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/verify"
)

// The events of two edits never come, and neither does that of a deletion. verify finds
// exactly what does not follow from the tweets as they are now, and a repair mends all of it.
func TestLostEdits(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann")
	var tweets []*model.Tweet
	for i, content := range []string{"#go", "#go"} {
		tweets = append(tweets, e.Publish(t, "ann", content))
		idempotencyRecord := func(function string) counters.IdempotencyRecord {
			return counters.IdempotencyRecord{EventID: string(rune('a' + i)), Function: function}
		}
		testenv.Must(t, e.Search.Index(ctx, tweets[i].ID))
		testenv.Must(t, e.Counters.CountTweet(ctx, idempotencyRecord("TweetChanged"), tweets[i], 1))
	}
	check := func(o verify.Options) (paths []string) {
		t.Helper()
		found, err := e.Audit.All(ctx, o)
		testenv.Must(t, err)
		documents := map[string]bool{}
		for _, d := range found {
			if documents[d.Document] = true; d.Repaired != o.Repair {
				t.Errorf("%s %s is %v, want %v: repaired %v", d.Document, d.Field, d.Have, d.Want, d.Repaired)
			}
		}
		return slices.Sorted(maps.Keys(documents))
	}
	if found := check(verify.Options{}); len(found) > 0 {
		t.Fatalf("before any edit verify finds %v", found)
	}
	for _, tweet := range tweets {
		_, err := e.Edits.Edit(ctx, "ann", tweet.ID, model.TweetPatch{Content: new("#rust")}, nil)
		testenv.Must(t, err)
	}
	gone := tweets[1].ID
	for _, tweet := range tweets {
		testenv.Must(t, e.Bookmarks.Bookmark(ctx, model.Viewer{ID: "ann", Role: model.Member}, tweet.ID))
	}
	testenv.Must(t, e.Shares.Share(ctx, "ann", gone))
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, gone))
	one, err := e.Audit.Tweet(ctx, gone, verify.Options{})
	testenv.Must(t, err)
	for _, mark := range []string{"bookmarks/ann_", "shares/ann_"} {
		if !slices.ContainsFunc(one, func(d verify.Difference) bool { return d.Document == mark+string(gone) }) {
			t.Errorf("verify of the deleted tweet finds %v, and not %s%s", one, mark, gone)
		}
	}
	want := []string{
		"bookmarks/ann_" + string(gone), "heads/ann", "searchDocs/" + model.SearchKey(gone),
		"searchDocs/" + model.SearchKey(tweets[0].ID),
		"shareMonths/" + model.MonthKey("ann", gone.Month()), "shares/ann_" + string(gone),
		"tagUses/ann_go", "tagUses/ann_rust", "tags/go", "tags/rust", "tweetMonths/" + model.MonthKey("ann", gone.Month()),
		"tweets/" + string(gone) + "/revisions", "users/ann",
	}
	if diff := cmp.Diff(want, check(verify.Options{Repair: true, Reconcile: time.Millisecond})); diff != "" {
		t.Errorf("after lost events (-want +got):\n%s", diff)
	}
	// The repair counted the share, and then removed it: that has an event.
	l := &model.Share{UserID: "ann", TweetID: gone, AuthorID: "ann"}
	record := counters.IdempotencyRecord{EventID: "share", Function: "CountShare"}
	testenv.Must(t, e.Counters.Reaction(record, l, -1).Commit(ctx))
	if found := check(verify.Options{}); len(found) > 0 {
		t.Errorf("after the repair verify finds %v", found)
	}
	for path, n := range map[string]int{"bookmarks": 1, "shares": 0, "tweets/" + string(gone) + "/revisions": 0,
		"tweets/" + string(tweets[0].ID) + "/revisions": 1} {
		if got := e.IDs(t, path); len(got) != n {
			t.Errorf("%s has %v, want %d", path, got, n)
		}
	}
}
