package digests

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// open returns a database of its own, and a Writer of digests.
func open(t *testing.T) (*db.DB, *Writer) {
	t.Helper()
	d := db.New(testenv.Client(t, testenv.Project(t)), time.Now, &db.Server{}, 0, 0)
	_, err := d.User("somebody").Create(t.Context(), map[string]any{}) // the emulator's first commit may take seconds
	testenv.Must(t, err)
	return d, NewWriter(d, model.DigestsWritten, time.Millisecond)
}

// written reads all digests.
func written(t *testing.T, d *db.DB) (all []model.ChangeDigest) {
	t.Helper()
	snaps, err := d.Client.Collection(model.ChangeDigests).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	for _, snap := range snaps {
		var digest model.ChangeDigest
		testenv.Must(t, snap.DataTo(&digest))
		all = append(all, digest)
	}
	return all
}

// Many callers at once list more heads than one digest has, with the longest ids. Each digest is within its bound, and
// together they have every head once.
func TestLargestDigest(t *testing.T) {
	t.Parallel()
	d, w := open(t)
	w.late = time.Minute
	const callers, each = 25, 40
	var wg sync.WaitGroup
	for n := range callers {
		wg.Go(func() {
			refs := make([]*firestore.DocumentRef, each)
			for i := range refs {
				id := fmt.Sprintf("%s%04d", strings.Repeat("u", 124), n*each+i)
				refs[i] = d.Head(model.UserID(id))
			}
			if err := w.List(t.Context(), append(refs, refs[0], d.User("somebody"))...); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	heads := map[model.UserID]int{}
	for _, digest := range written(t, d) {
		size := 0
		for _, uid := range digest.Heads {
			heads[uid]++
			size += len(uid) + 1
		}
		if len(digest.Heads) > model.DigestItems || size > 60_000-200 {
			t.Errorf("a digest lists %d heads in %d bytes", len(digest.Heads), size)
		}
		if len(digest.Tweets) > 0 || digest.WrittenAt.IsZero() || !digest.ExpireAt.After(time.Now()) {
			t.Errorf("a digest lists tweets %v, and is of %v until %v", digest.Tweets, digest.WrittenAt, digest.ExpireAt)
		}
	}
	for uid, n := range heads {
		if n != 1 {
			t.Errorf("%d digests list %s", n, uid)
		}
	}
	if len(heads) != callers*each {
		t.Errorf("%d heads are listed, want %d", len(heads), callers*each)
	}
}

// A digest whose commit took too long is written once more, so that a reader hears of it that asked for digests with a
// later writtenAt before the commit. The event does not fail.
func TestLateDigest(t *testing.T) {
	t.Parallel()
	d, w := open(t)
	w.late = -1
	testenv.Must(t, w.List(t.Context(), d.Tweet("t")))
	all := written(t, d)
	if len(all) != 2 || len(all[0].Tweets) != 1 || len(all[1].Tweets) != 1 {
		t.Fatalf("there are digests %v, want 2 with the tweet", all)
	}
	first := slices.MinFunc(all, func(a, b model.ChangeDigest) int { return a.WrittenAt.Compare(b.WrittenAt) })
	asked := first.WrittenAt.Add(late + groupcommit.RunTimeout/2)
	r := &Reader{db: d, from: first.WrittenAt.Add(-time.Minute), until: asked}
	heard, err := r.Tweets(t.Context(), asked, 0)
	testenv.Must(t, err)
	if len(heard.At) != 1 {
		t.Errorf("the reader hears of %v, want the tweet", heard.At)
	}
}

// A change that a digest lists keeps changedAt, which may announce another change.
func TestStampOfListed(t *testing.T) {
	t.Parallel()
	d, w := open(t)
	if u := w.Stamped(d.Tweet("t"), nil); len(u) != 1 || u[0].Path != fields.ListedAt ||
		u[0].Value != firestore.ServerTimestamp {
		t.Errorf("a change writes %v, want listedAt alone", u)
	}
}

// An event that waits for its digest keeps its place in the gate: it may have more to do, side by side or afterwards.
func TestListKeepsPlace(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	w, g := NewWriter(d, model.DigestsWritten, every), gate.New(1, time.Minute)
	ctx, leave, err := g.Enter(t.Context(), "first")
	testenv.Must(t, err)
	entered := make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		_, leave, err := g.Enter(t.Context(), "second")
		close(entered)
		if err != nil {
			t.Error(err)
			return
		}
		leave(false)
	})
	for range 2 { // the second one waits for every
		testenv.Must(t, w.List(ctx, d.Tweet("t")))
	}
	select {
	case <-entered:
		t.Error("another event took the place")
	default:
	}
	leave(false)
	other.Wait()
}

// Without digests nothing is written, and a change has changedAt.
func TestNoDigests(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	for _, mode := range []model.DigestMode{"", model.DigestsOff, model.DigestsHeard} {
		w := NewWriter(d, mode, time.Millisecond)
		testenv.Must(t, w.List(t.Context(), d.Tweet("t")))
		if u := w.Stamped(d.Tweet("t"), nil); len(u) != 1 || u[0].Path != db.ChangedAt ||
			u[0].Value != firestore.ServerTimestamp {
			t.Errorf("%q: a change writes %v, want changedAt alone", mode, u)
		}
		tweet := &model.Tweet{}
		if w.Unheard(tweet); !tweet.ChangedAt.IsZero() {
			t.Errorf("%q: a new tweet has changedAt %v", mode, tweet.ChangedAt)
		}
	}
	if all := written(t, d); len(all) > 0 {
		t.Errorf("there are digests %v", all)
	}
}
