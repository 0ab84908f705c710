package erasure_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Two processes do the same step at once. While one reads everything for its part, the other
// writes a small part, and its commit prevails; or the other goes on as far as an archive.
// The export has everything once.
func TestStepsAtOnce(t *testing.T) {
	t.Parallel()
	for what, far := range map[string]func(model.ExportWork) bool{
		"one part":   func(w model.ExportWork) bool { return len(w.Parts) > 0 },
		"an archive": func(w model.ExportWork) bool { return len(w.Archives) > 0 },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			e := storetest.Open(t, store.Options{ExportBucket: dir, StepTime: time.Nanosecond, ExportPageSize: 3,
				ExportPartBytes: 10_000})
			tweets := exportsLife(t, e)
			exportsMust(e.Exports.Ask(t.Context(), zoe))
			first, _ := work(t, e, zoe)
			var armed atomic.Bool
			slow := e.Again(t, store.Options{ExportBucket: dir, StepTime: time.Minute, Now: func() time.Time {
				for w := first; armed.Load(); w, _ = work(t, e, zoe) { // the step has read its document
					if far(w) {
						armed.Store(false)
						break
					}
					if err := e.Exports.Export(t.Context(), w); err != nil {
						t.Error(err)
						armed.Store(false)
					}
				}
				return e.Clock.Now()
			}})
			armed.Store(true)
			testenv.Must(t, slow.Exports.Export(t.Context(), first))
			if armed.Load() {
				t.Error("the steps did not meet")
			}
			exportsSteps(t, e, e.Store, zoe, nil)
			ready := exportsMust(e.Exports.Current(t.Context(), zoe))
			items, n := download(t, e.Store, ready)
			check(t, items, tweets)
			if files(t, dir) != n {
				t.Errorf("%d archives and %d files", n, files(t, dir))
			}
		})
	}
}

// An export that a release began which did not know the tweets begins anew.
func TestOtherSections(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{ExportBucket: t.TempDir(), StepTime: time.Nanosecond, ExportPageSize: 3})
	tweets := exportsLife(t, e)
	for _, known := range []any{[]string{"profile", "likes", "shares"}, firestore.Delete} {
		exportsMust(e.Exports.Ask(t.Context(), zoe))
		_, err := e.Raw.Doc("exports/"+string(zoe)).Update(t.Context(), []firestore.Update{
			{Path: "sections", Value: known}, {Path: "section", Value: "likes"},
		})
		testenv.Must(t, err)
		exportsSteps(t, e, e.Store, zoe, nil)
		items, _ := download(t, e.Store, exportsMust(e.Exports.Current(t.Context(), zoe)))
		check(t, items, tweets)
		e.Clock.Add(25 * time.Hour)
	}
}

// A process does a few steps of exports at once. The next is refused, and does nothing.
func TestTurns(t *testing.T) {
	t.Parallel()
	begun, release := make(chan struct{}), make(chan struct{})
	var armed atomic.Bool
	e := storetest.Open(t, store.Options{ExportBucket: t.TempDir()})
	s := e.Again(t, store.Options{ExportBucket: t.TempDir(), Now: func() time.Time {
		if armed.Load() {
			begun <- struct{}{}
			<-release
		}
		return e.Clock.Now()
	}})
	var all []model.ExportWork
	for i := range model.MaxExportSteps + 1 {
		uid := model.UserID(fmt.Sprint("user", i))
		e.CreateUsers(t, uid)
		exportsMust(e.Exports.Ask(t.Context(), uid))
		w, _ := work(t, e, uid)
		all = append(all, w)
	}
	last := all[model.MaxExportSteps]
	armed.Store(true)
	ended := make(chan error)
	for _, w := range all[:model.MaxExportSteps] {
		go func() { ended <- s.Exports.Export(t.Context(), w) }()
	}
	for range model.MaxExportSteps {
		<-begun
	}
	armed.Store(false)
	storetest.WantErr(t, s.Exports.Export(t.Context(), last), errs.Unavailable, "unavailable")
	if w, _ := work(t, e, last.UserID); !w.WrittenAt.Equal(last.WrittenAt) {
		t.Errorf("the refused step wrote %+v", w)
	}
	close(release)
	for range model.MaxExportSteps {
		testenv.Must(t, <-ended)
	}
	testenv.Must(t, s.Exports.Export(t.Context(), last))
	if w, _ := work(t, e, last.UserID); w.Files != 1 {
		t.Errorf("after its turn the export is %+v", w)
	}
}

// The functions of somebody who leaves have lost their bucket. Everything but the record of
// the export goes. When the bucket is back, the files go, and then the record.
func TestLostBucket(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// a step comes to the exports, however slow the machine is
	o := store.Options{ExportBucket: dir, LeavePause: time.Nanosecond, StepTime: time.Minute}
	e := storetest.Open(t, o)
	e.CreateUsers(t, zoe)
	tweet := e.Tweet(t, zoe, "a spark")
	exportsMust(e.Exports.Ask(t.Context(), zoe))
	exportsSteps(t, e, e.Store, zoe, nil)
	exportsMust(e.Users.Leave(t.Context(), zoe))
	leave := func(s *store.Store) (model.DeletionWork, error) {
		t.Helper()
		snap := exportsMust(e.Raw.Doc("leavings/" + string(zoe)).Get(t.Context()))
		var w model.DeletionWork
		testenv.Must(t, snap.DataTo(&w))
		return w, s.AccountDeletions.Leave(t.Context(), w)
	}
	none := e.Again(t, store.Options{LeavePause: o.LeavePause, StepTime: o.StepTime})
	for range 3 {
		w, err := leave(none)
		storetest.WantErr(t, err, errs.Unavailable, "unavailable")
		if !w.ClearedAt.IsZero() || e.Doc(t, "exports/"+string(zoe)) == nil || files(t, dir) != 1 {
			t.Fatalf("without a bucket the leaving is %+v, with %d files", w, files(t, dir))
		}
	}
	if e.Doc(t, "tweets/"+string(tweet.ID)) != nil {
		t.Error("the tweet waits for the bucket, too")
	}
	for n := 0; ; n++ {
		w, err := leave(e.Store)
		testenv.Must(t, err)
		if !w.ClearedAt.IsZero() {
			break
		}
		if n > 10 {
			t.Fatalf("the leaving does not end: %+v", w)
		}
	}
	if e.Doc(t, "exports/"+string(zoe)) != nil || files(t, dir) > 0 {
		t.Errorf("%d files are left, and the record %v", files(t, dir), e.Doc(t, "exports/"+string(zoe)))
	}
}
