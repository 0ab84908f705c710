package moderation_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

var mo = moderation.Actor{UID: "mo", Role: model.RoleModerator, Reason: "because"}

// clock is that of a process. The database keeps its own.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time      { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *clock) add(d time.Duration) { c.ahead.Add(int64(d)) }

// acts lists the audit log as text, oldest first.
func acts(t *testing.T, s *moderation.Store, f moderation.ActionFilter) (all []string) {
	t.Helper()
	page, err := s.Actions(t.Context(), f, model.Cursor{}, 100)
	testenv.Must(t, err)
	for _, a := range page.Items {
		text := fmt.Sprintf("%s %s %s %s %s%v%v", a.By, a.Act, a.UserID, a.Reason, a.TweetID, a.Before, a.After)
		all = append([]string{strings.ReplaceAll(text, "map", " ")}, all...)
	}
	return all
}

// Each act leaves the state of the table, with one entry in the audit log, or neither.
func TestSetAccountStatus(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{Now: time.Now})
	freeze, unfreeze, suspend, unsuspend := model.ActFreeze, model.ActUnfreeze, model.ActSuspend, model.ActUnsuspend
	tests := []struct {
		from []model.Act
		act  model.Act
		want model.AccountStatusState
		code string
	}{
		{nil, freeze, model.AccountStatusFrozen, ""},
		{nil, unfreeze, model.AccountStatusFree, ""},
		{nil, suspend, model.AccountStatusSuspended, ""},
		{nil, unsuspend, model.AccountStatusFree, ""},
		{[]model.Act{freeze}, freeze, model.AccountStatusFrozen, ""},
		{[]model.Act{freeze}, unfreeze, model.AccountStatusFree, ""},
		{[]model.Act{freeze}, suspend, model.AccountStatusSuspended, ""},
		{[]model.Act{freeze}, unsuspend, model.AccountStatusFrozen, "user_frozen"},
		{[]model.Act{suspend}, freeze, model.AccountStatusSuspended, "user_suspended"},
		{[]model.Act{suspend}, unfreeze, model.AccountStatusSuspended, "user_suspended"},
		{[]model.Act{suspend}, suspend, model.AccountStatusSuspended, ""},
		{[]model.Act{suspend}, unsuspend, model.AccountStatusFree, ""},
		{[]model.Act{suspend, unsuspend}, freeze, model.AccountStatusFrozen, ""},
	}
	for i, test := range tests {
		uid := model.UserID(fmt.Sprint("user", i))
		for _, act := range test.from {
			_, err := e.Moderation.SetAccountStatus(t.Context(), mo, uid, act)
			testenv.Must(t, err)
		}
		logged := len(acts(t, e.Moderation, moderation.ActionFilter{UserID: uid}))
		writes := int64(2)
		if test.code != "" {
			writes = 0
		}
		what := fmt.Sprintf("%s after %v", test.act, test.from)
		err := storetest.Costs(t, what, 1, writes, 0, func(ctx context.Context) error {
			_, err := e.Moderation.SetAccountStatus(ctx, mo, uid, test.act)
			return err
		})
		if test.code != "" {
			storetest.WantErr(t, err, errs.Conflict, test.code)
		} else {
			testenv.Must(t, err)
		}
		is, err := e.Moderation.AccountStatus(t.Context(), uid)
		testenv.Must(t, err)
		if is.State != test.want {
			t.Errorf("%s leaves %s, want %s", what, is.State, test.want)
		}
		if got := len(acts(t, e.Moderation, moderation.ActionFilter{UserID: uid})) - logged; int64(got) != writes/2 {
			t.Errorf("%s adds %d entries to the audit log, want %d", what, got, writes/2)
		}
	}
	want := []string{"mo freeze user6 because  [state:free] [state:frozen]",
		"mo suspend user6 because  [state:frozen] [state:suspended]"}
	if got := acts(t, e.Moderation, moderation.ActionFilter{UserID: "user6"}); strings.Join(got, "\n") != strings.Join(
		want, "\n") {
		t.Errorf("audit log = %q, want %q", got, want)
	}
}

// Of two moderators at once, one gets an error. A lost answer to a commit is no second act.
func TestSetAccountStatusRaces(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{Now: time.Now})
	for _, first := range []bool{true, false} {
		uid := model.UserID(fmt.Sprint("user", first))
		if !first {
			_, err := e.Moderation.SetAccountStatus(t.Context(), mo, uid, model.ActFreeze)
			testenv.Must(t, err)
		}
		racing := e.Again(t, store.Options{Now: time.Now,
			Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("standings/"+string(uid)), func() {
				_, err := e.Moderation.SetAccountStatus(t.Context(), mo, uid, model.ActSuspend)
				testenv.Must(t, err)
			})}})
		_, err := racing.Moderation.SetAccountStatus(t.Context(), mo, uid, model.ActUnfreeze)
		storetest.WantErr(t, err, errs.Conflict, "standing_changed")
		is, err := e.Moderation.AccountStatus(t.Context(), uid)
		testenv.Must(t, err)
		if is.State != model.AccountStatusSuspended {
			t.Errorf("the standing is %s, want that of the act that was committed", is.State)
		}
	}
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Now: time.Now, Meter: meter.Options{Below: losses.Lose}})
	for _, act := range []model.Act{model.ActFreeze, model.ActSuspend} {
		is, err := lossy.Moderation.SetAccountStatus(t.Context(), mo, "lost", act)
		testenv.Must(t, err)
		if is.ChangedAt.IsZero() {
			t.Errorf("%s has no time", act)
		}
	}
	if got := acts(t, e.Moderation, moderation.ActionFilter{UserID: "lost"}); len(got) != 2 || losses.Count() != 2 {
		t.Errorf("%d answers were lost, and the audit log has %q, want two acts", losses.Count(), got)
	}
}

// A process hears of another's change within AskEvery, for 1 read if nothing changed, and
// asks only while somebody calls.
func TestRecent(t *testing.T) {
	t.Parallel()
	var c clock
	e := storetest.Open(t, store.Options{Now: time.Now})
	s := e.Again(t, store.Options{Now: c.now}).Moderation
	s.Statuses.SetOverlap(0)
	recent := func(uid model.UserID, want model.AccountStatusState) {
		t.Helper()
		var got model.AccountStatusState
		testenv.Must(t, storetest.Costs(t, "Recent", 0, 0, 0, func(ctx context.Context) (err error) {
			got, err = s.Recent(ctx, uid)
			return err
		}))
		if got != want {
			t.Errorf("%s is %q, want %q", uid, got, want)
		}
	}
	var before int64
	reads := func(want int64) {
		t.Helper()
		now := s.Statuses.Reads()
		if got := now - before; got != want {
			t.Errorf("the questions read %d documents, want %d", got, want)
		}
		before = now
	}
	set := func(uid model.UserID, act model.Act) {
		t.Helper()
		_, err := e.Moderation.SetAccountStatus(t.Context(), mo, uid, act)
		testenv.Must(t, err)
	}
	set("early", model.ActFreeze)
	recent("early", model.AccountStatusFrozen) // from before the process
	recent("late", "")
	reads(3) // the time of the database, one account status, and the same, because Firebase Auth did not get it
	set("late", model.ActSuspend)
	set("early", model.ActUnfreeze)
	recent("late", "")
	reads(0)
	c.add(moderation.AskEvery)
	recent("late", model.AccountStatusSuspended)
	recent("early", model.AccountStatusFree)
	reads(2)
	for range 3 {
		c.add(moderation.AskEvery)
		recent("late", model.AccountStatusSuspended)
	}
	reads(3)
	c.add(time.Hour)
	reads(0) // nobody called
	recent("late", model.AccountStatusSuspended)

	// What this process decides, it knows at once.
	_, err := s.SetAccountStatus(t.Context(), mo, "late", model.ActUnsuspend)
	testenv.Must(t, err)
	recent("late", model.AccountStatusFree)
}

// proxy forwards connections to the Firestore emulator, until it is cut.
type proxy struct {
	net.Listener
	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testenv.Must(t, err)
	p, to := &proxy{Listener: l}, testenv.FirestoreHost(t)
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil || !p.open(in, out) {
				in.Close()
				continue
			}
			go func() { io.Copy(in, out); in.Close() }()
			go func() { io.Copy(out, in); out.Close() }()
		}
	}()
	t.Cleanup(func() { p.set(true); l.Close() })
	return p
}

func (p *proxy) open(in, out net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, in, out)
	return !p.cut
}

// set cuts all connections and refuses new ones, or accepts them again.
func (p *proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	for _, c := range p.conns {
		if cut {
			c.Close()
		}
	}
}

// While the database does not answer, a process keeps what it knows, and not for ever.
func TestRecentUnknown(t *testing.T) {
	t.Parallel()
	var c clock
	e := storetest.Open(t, store.Options{Now: time.Now})
	_, err := e.Moderation.SetAccountStatus(t.Context(), mo, "ann", model.ActFreeze)
	testenv.Must(t, err)
	link := newProxy(t)
	db, err := store.Open(t.Context(), e.Project, "", store.Options{Now: c.now, Emulator: link.Addr().String(),
		Log: slog.New(slog.DiscardHandler)})
	testenv.Must(t, err)
	defer db.Close()
	s := db.Moderation
	cut := func(is bool) {
		link.set(is)
		s.Statuses.SetTimeout(map[bool]time.Duration{true: 200 * time.Millisecond, false: time.Minute}[is])
	}
	recent := func(uid model.UserID, want model.AccountStatusState) {
		t.Helper()
		if got, err := s.Recent(t.Context(), uid); err != nil || got != want {
			t.Errorf("%s is %q, %v, want %q", uid, got, err, want)
		}
	}
	cut(true)
	_, err = s.Recent(t.Context(), "ann")
	storetest.WantErr(t, err, errs.Unavailable, "standings_unknown")
	cut(false)
	c.add(2 * time.Second)
	recent("ann", model.AccountStatusFrozen)
	cut(true)
	c.add(moderation.KnownFor / 2)
	recent("ann", model.AccountStatusFrozen)
	c.add(moderation.KnownFor / 2)
	_, err = s.Recent(t.Context(), "bob")
	storetest.WantErr(t, err, errs.Unavailable, "standings_unknown")
	cut(false)
	c.add(2 * time.Second)
	recent("bob", "")
}

// The process ends between the commit of a suspension and Firebase Auth. The suspension holds for longer than
// tokens live, in processes from before and after it, and the account's next request does what is left.
func TestRecentUnmirrored(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	before := e.Again(t, store.Options{})
	_, err := before.Moderation.Recent(t.Context(), "ann")
	testenv.Must(t, err)
	for _, uid := range []model.UserID{"ann", "bob"} {
		_, err := e.Moderation.SetAccountStatus(t.Context(), mo, uid, model.ActSuspend)
		testenv.Must(t, err)
	}
	// as Mirror does
	_, err = e.Raw.Doc("standings/bob").
		Update(t.Context(), []firestore.Update{{Path: "toMirror", Value: firestore.Delete}})
	testenv.Must(t, err)
	if is := before.Moderation.Unmirrored("ann"); is != nil {
		t.Errorf("before it is heard of: %+v", is)
	}
	for range 5 {
		e.Clock.Add(19 * time.Minute)
		_, err := before.Moderation.Recent(t.Context(), "ann")
		testenv.Must(t, err)
	}
	for name, s := range map[string]*moderation.Store{"before": before.Moderation,
		"after": e.Again(t, store.Options{}).Moderation} {
		_, err := s.Recent(t.Context(), "ann")
		testenv.Must(t, err)
		e.Clock.Add(moderation.AskEvery)
		for uid, want := range map[model.UserID]model.AccountStatusState{"ann": model.AccountStatusSuspended, "bob": ""} {
			if got, err := s.Recent(t.Context(), uid); err != nil || got != want {
				t.Errorf("%s: %s is %q, %v, want %q", name, uid, got, err, want)
			}
		}
		if is := s.Unmirrored("bob"); is != nil {
			t.Errorf("%s: Firebase Auth knows of %+v", name, is)
		}
		for _, want := range []bool{true, false} { // not at every request
			if is := s.Unmirrored("ann"); (is != nil) != want {
				t.Errorf("%s: unmirrored is %+v, want one: %t", name, is, want)
			}
		}
	}
}

// A account status that is older than the one that the process knows changes nothing: it may be the
// answer to a question that was under way while the process decided.
func TestNoteOlder(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	// the process asks no more for AskEvery
	if got, err := e.Moderation.Recent(t.Context(), "ann"); err != nil || got != "" {
		t.Errorf("the state is %q, %v, want none", got, err)
	}
	is, err := e.Moderation.SetAccountStatus(t.Context(), mo, "ann", model.ActSuspend)
	testenv.Must(t, err)
	old := *is
	old.State, old.ChangedAt = model.AccountStatusFree, is.ChangedAt.Add(-time.Microsecond)
	e.Moderation.Statuses.Note(old)
	if got, err := e.Moderation.Recent(t.Context(), "ann"); err != nil || got != model.AccountStatusSuspended {
		t.Errorf("the state is %q, %v, want suspended", got, err)
	}
	old.ChangedAt = is.ChangedAt.Add(time.Microsecond)
	e.Moderation.Statuses.Note(old)
	if got, err := e.Moderation.Recent(t.Context(), "ann"); err != nil || got != model.AccountStatusFree {
		t.Errorf("the state is %q, %v, want that of the newer one", got, err)
	}
}

// The database takes the time of a change when it begins to write. So an account status may be there only after a
// question that asked for times behind its own: the next question looks back.
func TestRecentLateCommit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	s := e.Again(t, store.Options{}).Moderation
	recent := func(want model.AccountStatusState) {
		t.Helper()
		if got, err := s.Recent(t.Context(), "ann"); err != nil || got != want {
			t.Errorf("the state is %q, %v, want %q", got, err, want)
		}
	}
	recent("")
	_, err := e.Raw.Doc("standings/ann").
		Set(t.Context(), map[string]any{"state": "suspended", "changedAt": e.Clock.Now().Add(-5 * time.Second)})
	testenv.Must(t, err)
	e.Clock.Add(moderation.AskEvery)
	recent(model.AccountStatusSuspended)
}
