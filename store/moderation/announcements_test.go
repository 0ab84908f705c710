package moderation_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

var admin = moderation.Actor{UID: "root", Role: model.RoleAdministrator}

// Announcements show between their two times. A process reads them once a minute. Each change is in the audit log,
// once.
func TestAnnouncements(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	other := e.Again(t, store.Options{}).Moderation
	now := e.Clock.Now().UTC().Truncate(time.Microsecond)
	shows := func(s *moderation.Store, reads int64, want ...model.AnnouncementID) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Announcements", reads, 0, 0, func(ctx context.Context) error {
			all, err := s.Announcements(ctx)
			if err == nil && !slices.Equal(all.IDs(), want) {
				t.Errorf("announcements %q show, want %q", all.IDs(), want)
			}
			return err
		}))
	}
	put := func(id model.AnnouncementID, a model.Announcement, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Announce", 1, writes, 0, func(ctx context.Context) error {
			_, err := e.Moderation.Announce(ctx, admin, id, a)
			return err
		}))
	}
	shows(e.Moderation, 1)
	shows(other, 1)
	now1 := model.Announcement{Title: "Now", Text: "**x**", StartsAt: now, EndsAt: now.Add(time.Hour)}
	put("now", now1, 2)
	put("now", now1, 0)
	put("later", model.Announcement{Title: "Later", StartsAt: now.Add(30 * time.Minute)}, 2)
	shows(e.Moderation, 1, "now") // at once in the process of the change
	shows(e.Moderation, 0, "now")
	shows(other, 0) // elsewhere after a minute
	e.Clock.Add(moderation.AnnouncementsEvery + time.Millisecond)
	shows(other, 1, "now")
	e.Clock.Add(30 * time.Minute)
	shows(other, 1, "later", "now")
	e.Clock.Add(30 * time.Minute)
	shows(other, 1, "later")
	all, err := e.Moderation.AllAnnouncements(t.Context())
	testenv.Must(t, err)
	if got := all.IDs(); !slices.Equal(got, []model.AnnouncementID{"later", "now"}) ||
		all.Announcements["now"].CreatedAt.IsZero() {
		t.Errorf("all announcements are %+v", all)
	}
	for _, writes := range []int64{2, 0} {
		testenv.Must(t, storetest.Costs(t, "RemoveAnnouncement", 1, writes, 0, func(ctx context.Context) error {
			return e.Moderation.RemoveAnnouncement(ctx, admin, "now")
		}))
	}
	acts, err := e.Moderation.Actions(t.Context(), moderation.ActionFilter{}, model.Cursor{}, 10)
	testenv.Must(t, err)
	got := []string{}
	for _, a := range acts.Items {
		got = append(got, fmt.Sprint(a.Act, " ", a.By, " ", a.Before["title"], ">", a.After["title"], " ", a.After["id"]))
	}
	slices.Sort(got)
	if want := []string{"announce root >Later later", "announce root >Now now",
		"remove_announcement root Now> now"}; !slices.Equal(got, want) {
		t.Errorf("the acts are %q, want %q", got, want)
	}
	for _, a := range []model.Announcement{{Title: " "}, {Title: "x", StartsAt: now, EndsAt: now}} {
		_, err := e.Moderation.Announce(t.Context(), admin, "bad", a)
		storetest.WantErr(t, err, errs.Invalid, "invalid_announcement")
	}
}

// TestLargestAnnouncements writes as many announcements as there may be, each the largest. Ended ones make room.
func TestLargestAnnouncements(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	now := e.Clock.Now().UTC().Truncate(time.Microsecond)
	put := func(n int) error {
		id := fmt.Sprintf("%040d", n)
		_, err := e.Moderation.Announce(t.Context(), admin, model.AnnouncementID(id), model.Announcement{
			Title: strings.Repeat("𝕏", model.MaxAnnouncementTitle), Text: strings.Repeat("𝕏", model.MaxAnnouncementText),
			StartsAt: now, EndsAt: now.Add(time.Hour)})
		return err
	}
	for n := range model.MaxAnnouncements {
		testenv.Must(t, put(n))
	}
	storetest.WantErr(t, put(20), errs.Conflict, "too_many_announcements")
	testenv.Must(t, put(0))
	size := 0
	for _, a := range e.Doc(t, model.AnnouncementLists+"/all")["announcements"].(map[string]any) {
		is := a.(map[string]any)
		size += 150 + len(is["title"].(string)) + len(is["text"].(string))
	}
	if most := model.Row(model.AnnouncementLists).Bound.Bytes; size > most || size < most/2 {
		t.Errorf("%d bytes, want at most %d", size, most)
	}
	e.Clock.Add(time.Hour)
	testenv.Must(t, put(20))
	all, err := e.Moderation.AllAnnouncements(t.Context())
	testenv.Must(t, err)
	if n := len(all.Announcements); n != 1 {
		t.Errorf("%d announcements stay, want 1", n)
	}
}

// An answer to an announcement is lost: one entry of the audit log stays.
func TestAnnounceLost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	lossy, losses := e.Lossy(t, 0.5)
	for n := range 10 {
		id := model.AnnouncementID(fmt.Sprint("a", n))
		testenv.Must(t, testenv.Patiently(func() error {
			_, err := lossy.Moderation.Announce(t.Context(), admin, id, model.Announcement{Title: "x",
				StartsAt: e.Clock.Now().UTC()})
			return err
		}))
	}
	if n := len(e.IDs(t, model.AdminActions)); n < 10 || losses.Count() == 0 {
		t.Errorf("%d entries for 10 announcements, %d answers lost", n, losses.Count())
	}
}
