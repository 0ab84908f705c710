package erasure_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// clearAll does the steps of an account deletion until it waits for late events, and reports whether it does.
func clearAll(t *testing.T, e *storetest.Env) (cleared bool, last error) {
	t.Helper()
	for range 20 {
		snap, err := e.Raw.Doc(model.AccountDeletions + "/" + string(leaver)).Get(t.Context())
		testenv.Must(t, err)
		var work model.DeletionWork
		testenv.Must(t, snap.DataTo(&work))
		if !work.ClearedAt.IsZero() {
			return true, nil
		}
		work.WrittenAt = snap.UpdateTime
		last = e.AccountDeletions.Leave(t.Context(), work)
	}
	return false, last
}

// Everything of a user who wrote a lot goes, though one commit takes 10 MiB of deleted documents and
// their index entries: 12 months and 20 search documents as large as they may be. So do documents
// that are larger than anybody planned.
func TestLeaveMuch(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{LeavePause: time.Nanosecond})
	e.CreateUsers(t, leaver)
	months, docs, blocks := 12, 20, 25
	b := e.Raw.BulkWriter(t.Context())
	set := func(path string, doc map[string]any) {
		_, err := b.Set(e.Raw.Doc(path), doc)
		testenv.Must(t, err)
	}
	for n := range months {
		key := model.MonthKey(leaver, model.MonthOf(time.Date(2025, time.Month(1+n), 1, 0, 0, 0, 0, time.UTC)))
		set(model.TweetMonths+"/"+key, map[string]any{"userId": leaver,
			"tweets": map[string]any{"x": strings.Repeat("x", 990_000)}})
	}
	for n := range docs {
		terms := map[string]any{}
		for i := range 2_000 {
			terms[fmt.Sprintf("%s%05d", strings.Repeat("語", 13), i)] = true
		}
		set(fmt.Sprintf("%s/%d", model.SearchDocs, n), map[string]any{"authorId": leaver, "terms": terms,
			"text": strings.Repeat("x", 10_000)})
	}
	for n := range blocks {
		set(fmt.Sprintf("%s/%d", model.Blocks, n), map[string]any{"blockerId": leaver, "blockeeId": "ann",
			"ballast": strings.Repeat("x", 500_000)})
	}
	b.End()
	for collection, n := range map[string]int{model.TweetMonths: months, model.SearchDocs: docs, model.Blocks: blocks} {
		if got := len(e.IDs(t, collection)); got != n {
			t.Fatalf("%d documents of %s, want %d", got, collection, n)
		}
	}
	_, err := e.Users.Leave(t.Context(), leaver)
	testenv.Must(t, err)
	cleared, last := clearAll(t, e)
	for _, collection := range []string{model.TweetMonths, model.SearchDocs, model.Blocks} {
		if left := len(e.IDs(t, collection)); !cleared || left > 0 {
			t.Errorf("cleared %v, and %d documents of %s are left: %v", cleared, left, collection, last)
		}
	}
}
