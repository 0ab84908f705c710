package erasure_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

// A deleted import does not come back, also long after its author has left and is imported once more: neither one that
// the author deleted, nor one that went with the account. Tombstones of other tweets expire.
func TestImportsStayDeleted(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{LeavePause: time.Millisecond})
	e.CreateUsers(t, leaver)
	bring := func(digits string) (tweets.Import, error) {
		id, err := model.ImportID(leaver, digits)
		testenv.Must(t, err)
		d, err := model.Draft{Content: "old", AllowLikes: true, AllowReplies: true}.Clean()
		testenv.Must(t, err)
		in := tweets.Import{ID: id, Author: leaver, Draft: d, Digest: "one"}
		_, err = e.Tweets.Import(t.Context(), in, func(*firestore.Transaction, model.TweetID) error { return nil })
		return in, err
	}
	const deleted, kept = "0002000000000013", "0002000000000014"
	in, err := bring(deleted)
	testenv.Must(t, err)
	_, err = bring(kept)
	testenv.Must(t, err)
	own := e.Tweet(t, leaver, "posted")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), leaver, false, in.ID))
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), leaver, false, own.ID))
	_, err = e.Users.Leave(t.Context(), leaver)
	testenv.Must(t, err)
	for n := 0; ; n++ {
		snap, err := e.Raw.Doc("leavings/" + string(leaver)).Get(t.Context())
		testenv.Must(t, err)
		var w model.DeletionWork
		testenv.Must(t, snap.DataTo(&w))
		if !w.ClearedAt.IsZero() {
			break
		} else if n > 60 {
			t.Fatal("the leaving does not end")
		}
		w.WrittenAt = snap.UpdateTime
		testenv.Must(t, e.AccountDeletions.Leave(t.Context(), w))
	}
	if found := e.Doc(t, model.Tombstones+"/"+string(in.ID)); found["authorId"] != "" {
		t.Errorf("the tombstone is %v, want one without its author", found)
	}

	// The TTL deletion, and a new account with the uid.
	e.Clock.Add(model.TombstoneWindow + 24*time.Hour)
	snaps, err := e.Raw.Collection(model.Tombstones).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	expired := 0
	for _, snap := range snaps {
		if at, ok := snap.Data()["expireAt"].(time.Time); ok && !at.IsZero() && at.Before(e.Clock.Now()) {
			_, err := snap.Ref.Delete(t.Context())
			testenv.Must(t, err)
			expired++
		}
	}
	if expired != 1 {
		t.Errorf("%d tombstones expired, want that of the posted tweet", expired)
	}
	_, err = e.Raw.Doc("leavings/" + string(leaver)).Delete(t.Context())
	testenv.Must(t, err)
	e.CreateUsers(t, leaver)
	for _, digits := range []string{deleted, kept} {
		if _, err := bring(digits); errs.KindOf(err) != errs.Gone {
			t.Errorf("import %s again: %v, want gone", digits, err)
		}
	}
}
