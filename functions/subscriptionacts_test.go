package functions_test

import (
	"context"
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// watches are what users want to know of each other: subscriber and author, and whose note and about whom.
type watches struct {
	since map[[2]model.UserID]time.Time // since when posts of the author are told
	notes map[[2]model.UserID]string
}

func newWatches() watches {
	return watches{map[[2]model.UserID]time.Time{}, map[[2]model.UserID]string{}}
}

// watch lets a user subscribe to the posts of another, or end that, or write a note on the other.
func (h *history) watch(ctx context.Context, u, v model.UserID, n int) {
	if u == v {
		return
	}
	k := [2]model.UserID{u, v}
	switch {
	case n%8 == 0:
		text := ""
		if h.rng.IntN(3) > 0 {
			text = fmt.Sprint("note ", h.rng.IntN(100))
		}
		h.must(testenv.Patiently(func() error { _, err := h.store.Graph.PutNote(ctx, u, v, text); return err }))
		if h.world.watches.notes[k] = text; text == "" {
			delete(h.world.watches.notes, k)
		}
	case n%8 == 1:
		h.must(testenv.Patiently(func() error { return h.store.Graph.Unsubscribe(ctx, u, v) }))
		h.world.unsubscribe(u, v)
	default:
		for _, author := range h.world.users { // mostly one whom the user follows, without a subscription yet
			other := [2]model.UserID{u, author}
			if _, ok := h.world.watches.since[other]; h.world.follows[other] != nil && !ok && n%8 > 3 {
				k = other
			}
		}
		if n%8 == 2 {
			h.follow(ctx, u, k[1])
		}
		if h.subscribe(ctx, k); n%2 == 0 {
			h.tweet(ctx, k[1], nil)
		}
	}
}

func (h *history) subscribe(ctx context.Context, k [2]model.UserID) {
	err := testenv.Patiently(func() error { return h.store.Graph.Subscribe(ctx, k[0], k[1]) })
	if h.world.follows[k] == nil {
		if errs.CodeOf(err) != "not_following" {
			h.t.Errorf("%s subscribes to %s without following: %v", k[0], k[1], err)
		}
		return
	}
	h.must(err)
	var s model.Subscription
	snap, err := h.raw.Collection(model.Subscriptions).Doc(model.SubscriptionKey(k[0], k[1])).Get(ctx)
	h.must(err)
	h.must(snap.DataTo(&s))
	if _, ok := h.world.watches.since[k]; !ok {
		h.seen.add(subscribed, 1)
	}
	h.world.watches.since[k] = s.CreatedAt
}

// unsubscribe notes that a user is told of no more posts of an author. Those under way may be told.
func (w *world) unsubscribe(u, author model.UserID) {
	k := [2]model.UserID{u, author}
	if _, ok := w.watches.since[k]; !ok {
		return
	}
	delete(w.watches.since, k)
	for _, n := range w.underWay {
		if n.kind == model.NotificationPost && n.to == u && n.by == author && !n.settled {
			n.either = true
		}
	}
}

// tellSubscribers notes that a new post is told.
func (h *history) tellSubscribers(t *model.Tweet) {
	if !t.TellsSubscribers() {
		return
	}
	for _, u := range h.world.users {
		since, ok := h.world.watches.since[[2]model.UserID{u, t.AuthorID}]
		if ok && !since.Truncate(time.Millisecond).After(t.ID.Time()) {
			h.world.notify(u, string(model.NotificationPost), t.AuthorID, t.ID, t.ID.Time())
			h.seen.add(toldOfPost, 1)
		}
	}
}

// telling reports whether a tweet tells subscribers.
func (t *tweet) telling() bool {
	doc := *t.doc
	doc.IsViolative = t.flagged
	return doc.TellsSubscribers()
}

// tells notes that a post tells subscribers by now, or does not. What was told is withdrawn, unless the post tells
// again before that.
func (w *world) tells(id model.TweetID, before, after bool) {
	for _, n := range w.underWay {
		switch {
		case n.kind != model.NotificationPost || n.tweet != id || before == after:
		case before:
			n.gone, n.settled = true, false
		case !n.settled:
			n.gone, n.either = false, true
		}
	}
}

// settle notes that subscribers were told of all posts, and that no more is withdrawn.
func (w *world) settle() {
	for _, n := range w.underWay {
		n.settled = true
	}
}

// compareWatches compares subscriptions and notes.
func (h *history) compareWatches() {
	h.t.Helper()
	for _, u := range h.world.users {
		for _, v := range h.world.users {
			k := [2]model.UserID{u, v}
			got, err := h.store.Graph.Subscribed(h.t.Context(), u, v)
			h.must(err)
			if _, want := h.world.watches.since[k]; got != want {
				h.t.Errorf("%s subscribes to %s: %v, want %v", u, v, got, want)
			}
			note, err := h.store.Graph.Note(h.t.Context(), u, v)
			h.must(err)
			if want := h.world.watches.notes[k]; note.Text != want {
				h.t.Errorf("the note of %s on %s is %q, want %q", u, v, note.Text, want)
			}
		}
	}
}
