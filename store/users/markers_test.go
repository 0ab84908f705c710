package users_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A marker moves forward only, whatever the order in which devices send it, and counts how often it moved.
func TestMarkHome(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ids := model.NewTweetIDs(e.Clock.Now)
	older := ids.Next("zoe") // by another author, whose ids are smaller or larger as texts
	newer := ids.Next("ann")
	want := func(id model.TweetID, version int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Markers", 1, 0, 0, func(ctx context.Context) error {
			m, err := e.Users.Markers(ctx, "ann")
			switch {
			case version == 0 && m.Home != nil, version != 0 && (m.Home == nil || m.Home.LastReadID != id ||
				m.Home.Version != version):
				t.Errorf("the marker is %+v, want %s in version %d", m.Home, id, version)
			}
			return err
		}))
	}
	mark := func(id model.TweetID, version int64, reads, writes int64) error {
		t.Helper()
		return storetest.Costs(t, "MarkHome", reads, writes, 0, func(ctx context.Context) error {
			_, err := e.Users.MarkHome(ctx, "ann", id, version)
			return err
		})
	}
	want("", 0)
	testenv.Must(t, mark(older, 0, 2, 1))
	want(older, 1)
	storetest.WantErr(t, mark(newer, 7, 1, 0), errs.Conflict, "marker_conflict")
	testenv.Must(t, mark(newer, 1, 1, 1))
	want(newer, 2)
	testenv.Must(t, mark(older, 0, 1, 0)) // late
	testenv.Must(t, mark(newer, 1, 1, 0)) // again, after a lost answer
	want(newer, 2)
	storetest.WantErr(t, mark(model.OldestAt(e.Clock.Now().Add(time.Hour)), 0, 0, 0), errs.Invalid, "invalid_tweet_id")
	_, err := e.Users.MarkHome(t.Context(), "nobody", newer, 0)
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
}

// Devices mark at once, and answers are lost: the newest tweet wins.
func TestMarkHomeAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	lossy, losses := e.Lossy(t, 0.3)
	ids := model.NewTweetIDs(e.Clock.Now)
	var all []model.TweetID
	for range 8 {
		all = append(all, ids.Next("bob"))
	}
	for i, err := range testenv.AtOnce(len(all), func(i int) error {
		return testenv.Patiently(func() error { _, err := lossy.Users.MarkHome(t.Context(), "ann", all[i], 0); return err })
	}) {
		if err != nil {
			t.Errorf("mark %d: %v", i, err)
		}
	}
	m, err := e.Users.Markers(t.Context(), "ann")
	testenv.Must(t, err)
	if m.Home == nil || m.Home.LastReadID != all[7] || m.Home.Version < 1 || m.Home.Version > 8 {
		t.Errorf("the marker is %+v, want %s (%d answers were lost)", m.Home, all[7], losses.Count())
	}
}

// A user dismisses an announcement once, and the oldest are forgotten.
func TestDismissAnnouncement(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	dismiss := func(n int) func(context.Context) error {
		return func(ctx context.Context) error {
			return e.Users.DismissAnnouncement(ctx, "ann", model.AnnouncementID(fmt.Sprint("a", n)))
		}
	}
	testenv.Must(t, storetest.Costs(t, "DismissAnnouncement, profile not known", 2, 1, 0, dismiss(0)))
	testenv.Must(t, storetest.Costs(t, "DismissAnnouncement again", 1, 0, 0, dismiss(0)))
	id := model.NewTweetIDs(e.Clock.Now).Next("ann")
	_, err := e.Users.MarkHome(t.Context(), "ann", id, 0)
	testenv.Must(t, err)
	for n := range model.MaxDismissed {
		testenv.Must(t, dismiss(n+1)(t.Context()))
	}
	m, err := e.Users.Markers(t.Context(), "ann")
	testenv.Must(t, err)
	if n := len(m.Dismissed); n != model.MaxDismissed || m.Dismissed[0] != "a1" || m.Home == nil ||
		m.Home.LastReadID != id {
		t.Errorf("%d are dismissed, from %s on; home is %+v", n, m.Dismissed[0], m.Home)
	}
}
