package store_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// look reads profiles through the cache.
func (e *env) look(uids ...model.UserID) func(context.Context) error {
	return func(ctx context.Context) error {
		got, err := e.Users(ctx, uids)
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
	e := open(t, store.Options{})
	e.users(t, "ann", "bob", "cat")
	m := meter.New()
	lists := [][]model.UserID{{"ann", "bob"}, {"bob", "cat"}, {"cat", "ann"}}
	for _, err := range atOnce(60, func(i int) error { return e.look(lists[i%3]...)(meter.With(t.Context(), m)) }) {
		must(t, err)
	}
	if got := m.Reads(); got != 3 {
		t.Errorf("60 callers at once cost %d reads, want one for each of 3 documents", got)
	}
}

func TestCacheExpires(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{CacheTTL: 10 * time.Second})
	e.users(t, "ann")
	must(t, costs(t, "first", 1, 0, 0, e.look("ann")))
	e.clock.add(10 * time.Second)
	must(t, costs(t, "within the time", 0, 0, 0, e.look("ann")))
	other := e.again(t, store.Options{})
	must(t, other.UpdateUser(t.Context(), "ann", store.UserPatch{Nickname: to("Annie")}))
	e.clock.add(1)
	must(t, costs(t, "after it", 1, 0, 0, e.look("ann")))
	got, err := e.Users(t.Context(), []model.UserID{"ann"})
	must(t, err)
	if got["ann"].Nickname != "Annie" {
		t.Errorf("nickname = %q, want what another process wrote", got["ann"].Nickname)
	}
}

func TestCacheForgetsWhatChanges(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	id := e.tweet(t, "ann", "a spark").ID
	must(t, e.look("ann")(t.Context()))
	must(t, e.UpdateUser(t.Context(), "ann", store.UserPatch{Nickname: to("Annie")}))
	must(t, costs(t, "after a change", 1, 0, 0, e.look("ann")))
	must(t, e.Exists(t.Context(), id))
	must(t, costs(t, "cached tweet", 0, 0, 0, func(ctx context.Context) error { return e.Exists(ctx, id) }))
	must(t, e.DeleteTweet(t.Context(), "ann", false, id))
	wantGone(t, e.Exists(t.Context(), id), id, "ann")
}

func TestCacheDoesNotKeepAbsence(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	for range 2 {
		must(t, costs(t, "nobody", 1, 0, 0, func(ctx context.Context) error {
			_, err := e.Users(ctx, []model.UserID{"ann"})
			return err
		}))
	}
	e.users(t, "ann")
	must(t, costs(t, "after sign-up", 1, 0, 0, e.look("ann")))
}

// A read that fails fails for all who joined it, and is not kept.
func TestCacheDoesNotKeepFailure(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	corrupt := func(v any) {
		_, err := e.raw.Doc("users/bob").Update(t.Context(), []firestore.Update{{Path: "followerCount", Value: v}})
		must(t, err)
	}
	corrupt("many")
	for _, err := range atOnce(10, func(int) error { return e.look("ann", "bob")(t.Context()) }) {
		wantErr(t, err, errs.Internal, "internal")
	}
	must(t, costs(t, "the sound one", 1, 0, 0, e.look("ann")))
	corrupt(0)
	must(t, costs(t, "the other, mended", 1, 0, 0, e.look("ann", "bob")))
	must(t, costs(t, "both", 0, 0, 0, e.look("ann", "bob")))
}

// Others may wait for what a caller reads who then goes away.
func TestCacheOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e.look("ann")(ctx) // answers or not
	must(t, costs(t, "what the one who left has read", 0, 0, 0, e.look("ann")))
}
