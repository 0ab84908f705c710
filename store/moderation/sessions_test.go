package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Of a moderator and a user at the same moment, both acts hold, whichever is first. A lost answer is no second
// end.
func TestEndSessionsRaces(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{Now: time.Now})
	for _, uid := range []model.UserID{"new", "old"} {
		if uid == "old" {
			testenv.Must(t, e.Moderation.EndSessions(t.Context(), uid))
		}
		racing := e.Again(t, store.Options{Now: time.Now,
			Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("standings/"+string(uid)), func() {
				_, err := e.Moderation.SetAccountStatus(t.Context(), mo, uid, model.ActSuspend)
				testenv.Must(t, err)
			})}})
		testenv.Must(t, racing.Moderation.EndSessions(t.Context(), uid))
		is, err := e.Moderation.AccountStatus(t.Context(), uid)
		testenv.Must(t, err)
		if is.State != model.AccountStatusSuspended || is.ValidSince.IsZero() || !is.StateChangedAt().Before(is.ChangedAt) {
			t.Errorf("%s: the account status is %+v, want a suspended one with an end of its sessions", uid, is)
		}
		if got := racing.Moderation.SessionsSince(uid); !got.Equal(is.SessionsSince()) {
			t.Errorf("%s: the process knows %v, want %v", uid, got, is.SessionsSince())
		}
	}
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Now: time.Now, Meter: meter.Options{Below: losses.Lose}})
	testenv.Must(t, lossy.Moderation.EndSessions(t.Context(), "lost"))
	if losses.Count() == 0 || lossy.Moderation.SessionsSince("lost").IsZero() {
		t.Errorf("%d answers were lost, and the sessions end at %v", losses.Count(), lossy.Moderation.SessionsSince("lost"))
	}
}

// A browser whose session ended hears no more of what happens, and others that signed in again register anew.
func TestEndSessionsOfDevices(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	for range 2 {
		for _, uid := range []model.UserID{"ann", "bob"} {
			testenv.Must(t, e.Devices.Put(t.Context(), uid, "lost", model.Device{FCMToken: "of-" + string(uid)}))
		}
		testenv.Must(t, storetest.Costs(t, "EndSessions", 1, 2, 1, func(ctx context.Context) error {
			return e.Moderation.EndSessions(ctx, "ann")
		}))
		for uid, want := range map[model.UserID]int{"ann": 0, "bob": 1} {
			if got, err := e.Devices.Of(t.Context(), uid); err != nil || len(got) != want {
				t.Errorf("%s has the devices %v, %v, want %d", uid, got, err, want)
			}
		}
	}
}
