// Package listen hears of changes in the database for those who wait: the connections by which clients hear what is
// new. It says that something happened and not what it looks like. Who is told asks for that with the rights of its
// reader.
//
// A process that nobody waits in has no listener. While somebody waits, it has one stream to the database with
//
//   - the heads of authors that change: 1 read a post, share or edit, for all who wait together;
//   - the tombstones of deleted tweets: 1 read a deletion;
//   - the announcements: 1 read at the begin, and 1 a change;
//   - the change digests, if functions write them: 1 read a digest, and 1 for each head that it lists;
//   - for each user who waits, however often, the newest list of notifications and the graph: 2 reads at the begin,
//     and 1 a change.
//
// A stream has at most 100 targets, so more users have more streams. Each is made anew after half an hour, for 1 read a
// target. What comes meanwhile is heard then.
package listen

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	vkit "cloud.google.com/go/firestore/apiv1"

	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// fresh is how late a post is told of at most.
	fresh = 10 * time.Minute
	// remembered is how many posts and shares a process remembers to have told of.
	remembered = 30_000
	// sharers is the number of authors whose shares a process remembers, 40 each at most, to tell of those taken back.
	sharers = 5_000
	// targetsMost is the number of targets of a stream.
	targetsMost = 100
)

// Hub has the listeners of a process. Its methods may be called concurrently.
type Hub struct {
	db      *db.DB
	open    func(context.Context) (*vkit.Client, error)
	digests bool
	log     *slog.Logger
	bill    *meter.Meter

	mu        sync.Mutex
	client    *vkit.Client // nil until the first listener
	stop      context.CancelFunc
	running   safely.Group // streams
	began     time.Time    // when the listeners began, by the clock of the database
	streams   []*stream    // the first has the queries
	listeners map[*Listener]bool
	members   map[model.UserID]*member
	seen      lru.Cache[string, int]                    // posts with their revision plus 1, and the positions of shares
	shares    lru.Cache[model.UserID, []model.Position] // of the head of an author, as it was last heard
	announced announcements
}

// Options configures a Hub.
type Options struct {
	// Open returns a client for listeners alone: their streams would take the places of reads in another one.
	Open func(context.Context) (*vkit.Client, error)
	// Digests says that functions may write change digests.
	Digests bool
	Log     *slog.Logger // for failures that nobody gets
}

// New returns a Hub. Only packages below store have a [db.DB].
func New(d *db.DB, o Options) *Hub {
	return &Hub{db: d, open: o.Open, digests: o.Digests, log: o.Log, bill: meter.New(),
		listeners: map[*Listener]bool{}, members: map[model.UserID]*member{},
		seen: lru.New[string, int](remembered), shares: lru.New[model.UserID, []model.Position](sharers)}
}

// Cost is what the listeners cost until now. It is on no request's bill.
func (h *Hub) Cost() meter.Counts { return h.bill.Snapshot() }

// Listener is somebody who waits.
type Listener struct {
	hub   *Hub
	uid   model.UserID // empty for a visitor
	hear  func(model.Heard)
	ready []<-chan struct{}
}

// member is a user who waits.
type member struct {
	uid     model.UserID
	count   int               // of listeners
	ids     []targetID        // of the user's documents
	ready   []<-chan struct{} // closed when the documents are listened to
	joined  time.Time         // when the first listener of the user began
	notices time.Time         // of the newest list of notifications, when it was written
	graph   *graph            // nil until it was heard
}

// Join begins to call hear with what a user, or for an empty uid a visitor, may want to know, until Leave. hear must
// not wait for anything. Calls come one after another.
//
// Cost: 2 reads for a user who does not wait yet; for the process at least 2 reads if nobody waits yet.
func (h *Hub) Join(ctx context.Context, uid model.UserID, hear func(model.Heard)) (*Listener, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stop == nil {
		if err := h.start(ctx); err != nil {
			return nil, err
		}
	}
	l := &Listener{hub: h, uid: uid, hear: hear}
	l.ready = append(l.ready, h.streams[0].shared...)
	if uid != "" {
		m := h.members[uid]
		if m == nil {
			m = &member{uid: uid, joined: h.now()}
			h.members[uid] = m
			h.follow(m)
		}
		m.count++
		l.ready = append(l.ready, m.ready...)
	}
	h.listeners[l] = true
	return l, nil
}

// Ready waits until the listener hears everything from now on.
func (l *Listener) Ready(ctx context.Context) error {
	for _, c := range l.ready {
		select {
		case <-c:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Leave ends the calls of hear. A call may still be under way. The last one who leaves ends the listeners.
func (l *Listener) Leave() {
	h := l.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.listeners[l] {
		return
	}
	delete(h.listeners, l)
	if m := h.members[l.uid]; m != nil {
		if m.count--; m.count == 0 {
			delete(h.members, l.uid)
			for _, id := range m.ids {
				id.of.remove(id.id)
			}
		}
	}
	if len(h.listeners) == 0 {
		h.quiet()
		h.stop()
		h.stop, h.streams = nil, nil
	}
}

// Close ends all listeners, and waits for their end.
func (h *Hub) Close() error {
	h.mu.Lock()
	if h.stop != nil {
		h.quiet()
		h.stop()
		h.stop, h.streams = nil, nil
		clear(h.listeners)
		clear(h.members)
	}
	client := h.client
	h.client = nil
	h.mu.Unlock()
	err := h.running.Wait()
	if client == nil {
		return err
	}
	return errors.Join(err, client.Close())
}

// start begins to listen. The caller holds the mutex.
func (h *Hub) start(ctx context.Context) (err error) {
	if h.client == nil {
		if h.client, err = h.open(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
	ctx, h.stop = context.WithCancel(meter.With(context.Background(), h.bill))
	h.began = h.now()
	first := h.newStream(ctx)
	h.announced = announcements{}
	_, announced := first.addDocument(h.db.Doc(model.AnnouncementLists, "all").Path, h.heardAnnouncements)
	first.shared = append(first.shared, first.add(h.changedHeads, h.heardHead), first.add(h.deleted, h.heardTombstone),
		announced)
	if h.digests {
		first.shared = append(first.shared, first.add(h.changeDigests, h.heardDigest))
	}
	return nil
}

// newStream begins a stream. The caller holds the mutex.
func (h *Hub) newStream(ctx context.Context) *stream {
	s := &stream{hub: h, client: h.client, targets: map[int32]*target{}, begins: ctx}
	h.streams = append(h.streams, s)
	h.running.Go(func() error {
		if err := safely.Do(func() error { s.run(ctx); return nil }); err != nil {
			h.log.ErrorContext(ctx, "a listener panicked", "error", err)
		}
		return nil
	})
	return s
}

// follow listens to the documents of a user. The caller holds the mutex.
func (h *Hub) follow(m *member) {
	add := func(path string, heard func(*document)) {
		i := slices.IndexFunc(h.streams, func(s *stream) bool { return s.size() < targetsMost })
		var s *stream
		if i < 0 {
			s = h.newStream(h.streams[0].begins)
		} else {
			s = h.streams[i]
		}
		id, ready := s.addDocument(path, heard)
		m.ids, m.ready = append(m.ids, targetID{s, id}), append(m.ready, ready)
	}
	add(h.db.User(m.uid).Collection(model.NotificationLists).Doc(model.NewestList).Path, func(d *document) {
		h.heardNotices(m, d)
	})
	add(h.db.Viewer(m.uid).Path, func(d *document) { h.heardGraph(m, d) })
}

// now is the time of the database, about.
func (h *Hub) now() time.Time {
	if now := h.db.Server.Now(); !now.IsZero() {
		return now
	}
	return h.db.Now()
}

// tell tells all listeners of something about an author. The caller holds the mutex.
func (h *Hub) tell(what model.Heard) {
	for l := range h.listeners {
		own := what
		if m := h.members[l.uid]; m != nil {
			own.Followed = m.uid == what.Author || m.graph.follows(what)
		}
		l.hear(own)
	}
}

// tellUser tells the listeners of a user. The caller holds the mutex.
func (h *Hub) tellUser(uid model.UserID, what model.Heard) {
	for l := range h.listeners {
		if l.uid == uid {
			l.hear(what)
		}
	}
}
