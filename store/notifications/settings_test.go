package notifications_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var bob = model.Viewer{ID: "bob", Role: model.Member}

func muted(t *testing.T, e *storetest.Env) []model.TweetID {
	t.Helper()
	is, err := e.Settings.NotificationEvents(t.Context(), "bob")
	testenv.Must(t, err)
	return is.MutedRoots()
}

// Any tweet of a conversation names it. Muting and taking back may be repeated, also when an
// answer was lost.
func TestMute(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob")
	root := e.Draft(t, "ann", model.Draft{Content: "a spark", AllowReplies: true})
	reply := e.Draft(t, "ann", model.Draft{Content: "re", ReplyTo: &root.ID})
	secret := e.Draft(t, "ann", model.Draft{Content: "x", Visibility: model.Mentioned})
	gone := e.Tweet(t, "ann", "gone")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, gone.ID))
	losses := storetest.LoseAnswers(1, 0.5)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	for losses.Count() == 0 {
		testenv.Must(t, lossy.Settings.Unmute(t.Context(), bob, reply.ID))
		testenv.Must(t, lossy.Settings.Mute(t.Context(), bob, reply.ID))
	}
	mute := func(id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Settings.Mute(ctx, bob, id) }
	}
	unmute := func(id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Settings.Unmute(ctx, bob, id) }
	}
	testenv.Must(t, e.Tweets.MayWrite(t.Context(), "bob"))
	testenv.Must(t, storetest.Costs(t, "Mute again", 2, 0, 0, mute(root.ID)))
	if got := muted(t, e); !slices.Equal(got, []model.TweetID{root.ID}) {
		t.Errorf("muted are %v, want %s", got, root.ID)
	}
	e.CoolDown()
	testenv.Must(t, e.Tweets.MayWrite(t.Context(), "bob"))
	testenv.Must(t, storetest.Costs(t, "Unmute", 2, 2, 0, unmute(reply.ID)))
	testenv.Must(t, storetest.Costs(t, "Unmute again", 1, 0, 0, unmute(reply.ID)))
	if got := muted(t, e); len(got) > 0 {
		t.Errorf("muted are %v, want none", got)
	}
	storetest.WantErr(t, mute(secret.ID)(t.Context()), errs.NotFound, "tweet_not_found")
	storetest.WantErr(t, mute(gone.ID)(t.Context()), errs.Gone, "tweet_deleted")
	storetest.WantErr(t, e.Settings.Mute(t.Context(), model.Viewer{ID: "nobody", Role: model.NoProfile}, root.ID),
		errs.Forbidden, "profile_required")
	// The root may be named when it is gone.
	testenv.Must(t, mute(root.ID)(t.Context()))
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, root.ID))
	testenv.Must(t, unmute(root.ID)(t.Context()))
	if got := muted(t, e); len(got) > 0 {
		t.Errorf("muted are %v, want none", got)
	}
}

// Processes that mute concurrently lose no mute of each other, and stay within the limit.
func TestMutesAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	full := map[string]time.Time{}
	for i := range model.MaxMuted - 3 {
		full[fmt.Sprintf("%018x", i)] = e.Clock.Now()
	}
	_, err := e.Raw.Doc("noticeSettings/bob").Set(t.Context(), model.NotificationChoice{Muted: full})
	testenv.Must(t, err)
	var ids []model.TweetID
	for range 5 {
		ids = append(ids, e.Tweet(t, "ann", "x").ID)
	}
	var wg sync.WaitGroup
	failures := make([]error, len(ids))
	for i, id := range ids {
		wg.Go(func() {
			failures[i] = testenv.Patiently(func() error { return e.Settings.Mute(t.Context(), bob, id) })
		})
	}
	wg.Go(func() {
		err := testenv.Patiently(func() error {
			_, err := e.Settings.Switch(t.Context(), "bob", map[model.NotificationKind]bool{model.NotificationLike: false})
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	wg.Wait()
	refused := 0
	for _, err := range failures {
		if err != nil {
			storetest.WantErr(t, err, errs.Conflict, "too_many_mutes")
			refused++
		}
	}
	if got := muted(t, e); len(got) != model.MaxMuted || refused != 2 {
		t.Errorf("%d are muted and %d refused, want %d and 2", len(got), refused, model.MaxMuted)
	}
	is, err := e.Settings.NotificationEvents(t.Context(), "bob")
	testenv.Must(t, err)
	if !slices.Equal(is.Off, []model.NotificationKind{model.NotificationLike}) {
		t.Errorf("off are %v, want likes", is.Off)
	}
}

func TestSwitch(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "bob")
	change := func(on map[model.NotificationKind]bool) func(context.Context) error {
		return func(ctx context.Context) error { _, err := e.Settings.Switch(ctx, "bob", on); return err }
	}
	testenv.Must(t, e.Tweets.MayWrite(t.Context(), "bob"))
	testenv.Must(t, storetest.Costs(t, "Switch", 1, 2, 0,
		change(map[model.NotificationKind]bool{model.NotificationLike: false})))
	testenv.Must(t, storetest.Costs(t, "Switch, nothing changes", 1, 0, 0,
		change(map[model.NotificationKind]bool{model.NotificationLike: false})))
	testenv.Must(t, storetest.Costs(t, "Notices", 1, 0, 0, func(ctx context.Context) error {
		is, err := e.Settings.NotificationEvents(ctx, "bob")
		if err == nil && !slices.Equal(is.Off, []model.NotificationKind{model.NotificationLike}) {
			t.Errorf("off are %v", is.Off)
		}
		return err
	}))
	_, err := e.Settings.Switch(t.Context(), "nobody", nil)
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
}
