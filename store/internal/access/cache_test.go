package access_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// look reads profiles through the cache.
func look(e *storetest.Env, uids ...model.UserID) func(context.Context) error {
	return func(ctx context.Context) error {
		got, err := e.Users.Users(ctx, uids)
		for _, uid := range uids {
			if err == nil && (got[uid] == nil || got[uid].ID != uid) {
				return errs.New(errs.Internal, "", "no %s in %v", uid, got)
			}
		}
		return err
	}
}

func TestCacheJoinsReads(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	m := meter.New()
	lists := [][]model.UserID{{"ann", "bob"}, {"bob", "cat"}, {"cat", "ann"}}
	for _, err := range testenv.AtOnce(60,
		func(i int) error { return look(e, lists[i%3]...)(meter.With(t.Context(), m)) }) {
		testenv.Must(t, err)
	}
	if got := m.Reads(); got != 3 {
		t.Errorf("60 callers at once cost %d reads, want one for each of 3 documents", got)
	}
}

func TestCacheExpires(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: 10 * time.Second})
	e.CreateUsers(t, "ann")
	testenv.Must(t, storetest.Costs(t, "first", 1, 0, 0, look(e, "ann")))
	e.Clock.Add(10 * time.Second)
	testenv.Must(t, storetest.Costs(t, "within the time", 0, 0, 0, look(e, "ann")))
	other := e.Again(t, store.Options{})
	testenv.Must(t, other.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("Annie")}))
	e.Clock.Add(1)
	testenv.Must(t, storetest.Costs(t, "after it", 1, 0, 0, look(e, "ann")))
	got, err := e.Users.Users(t.Context(), []model.UserID{"ann"})
	testenv.Must(t, err)
	if got["ann"].Nickname != "Annie" {
		t.Errorf("nickname = %q, want what another process wrote", got["ann"].Nickname)
	}
}

func TestCacheForgetsWhatChanges(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	id := e.Tweet(t, "ann", "a spark").ID
	testenv.Must(t, look(e, "ann")(t.Context()))
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("Annie")}))
	testenv.Must(t, storetest.Costs(t, "after a change", 1, 0, 0, look(e, "ann")))
	testenv.Must(t, e.Tweets.RequireTweet(t.Context(), id, model.Viewer{}))
	testenv.Must(t, storetest.Costs(t, "cached tweet", 0, 0, 0, func(ctx context.Context) error {
		return e.Tweets.RequireTweet(ctx, id, model.Viewer{})
	}))
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
	storetest.WantGone(t, e.Tweets.RequireTweet(t.Context(), id, model.Viewer{}), id, "ann")
}

func TestCacheDoesNotKeepAbsence(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	for range 2 {
		testenv.Must(t, storetest.Costs(t, "nobody", 1, 0, 0, func(ctx context.Context) error {
			_, err := e.Users.Users(ctx, []model.UserID{"ann"})
			return err
		}))
	}
	e.CreateUsers(t, "ann")
	testenv.Must(t, storetest.Costs(t, "after sign-up", 1, 0, 0, look(e, "ann")))
}

// A failed read fails for all callers that joined it, and is not cached.
func TestCacheDoesNotKeepFailure(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	corrupt := func(v any) {
		_, err := e.Raw.Doc("users/bob").Update(t.Context(), []firestore.Update{{Path: "followerCount", Value: v}})
		testenv.Must(t, err)
	}
	corrupt("many")
	for _, err := range testenv.AtOnce(10, func(int) error { return look(e, "ann", "bob")(t.Context()) }) {
		storetest.WantErr(t, err, errs.Internal, "internal")
	}
	testenv.Must(t, storetest.Costs(t, "the sound one", 1, 0, 0, look(e, "ann")))
	corrupt(0)
	testenv.Must(t, storetest.Costs(t, "the other, mended", 1, 0, 0, look(e, "ann", "bob")))
	testenv.Must(t, storetest.Costs(t, "both", 0, 0, 0, look(e, "ann", "bob")))
}

// A read outlives the caller that began it, because other callers may wait for it.
func TestCacheOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	look(e, "ann")(ctx) // the answer, or the end of the context
	testenv.Must(t, storetest.Costs(t, "what the one who left has read", 0, 0, 0, look(e, "ann")))
}
