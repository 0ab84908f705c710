package timelines

import (
	"context"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// stream yields the posts and shares of one author that a home page may show, newest first. It begins with the author's
// head. Where the head ends, the stream is closed until somebody opens the author's next month.
//
// A reader sees the author's posts since the follow, and the newest [model.RecentTweets] from before the follow. Of
// the shares a reader sees those since the follow. A reader's own stream has no shares.
type stream struct {
	author model.UserID
	// for a stream of a followed tag in place of an author: the authors of its tweets
	tagged map[model.Position]model.UserID
	own    bool      // the author is the reader
	since  time.Time // when the reader followed the author

	left    []model.Position // of the head
	lists   []mergeList      // of the open month
	months  bool             // the stream goes on in months
	from    model.Position   // the next month begins below this position
	earlier int              // posts from before the follow that were passed
	before  model.Position   // only older posts and shares are shown
	oldest  time.Time        // of the window of home timelines

	next    model.Position // empty for a closed stream
	settled bool           // the next is of the head, which has no withdrawn share
	done    bool
}

// mergeList returns positions one by one, newest first.
type mergeList interface {
	Peek(ctx context.Context) (position model.Position, ok bool, err error)
	Skip(position model.Position)
}

// newStream begins an author's stream below a position, or at the newest. The caller has to advance it.
func newStream(author model.UserID, own bool, since time.Time, h *head, before model.Position,
	oldest time.Time) *stream {
	s := &stream{author: author, own: own, since: since, before: before, oldest: oldest, left: h.positions}
	begin := before
	if before != "" && !own && before.Time().Before(since) { // the posts from before the follow are counted
		begin = model.OldestAt(since.Add(time.Millisecond)).Position()
	}
	if begin != "" {
		n, _ := slices.BinarySearchFunc(s.left, begin, func(p, b model.Position) int { return b.Compare(p) })
		for n < len(s.left) && s.left[n].Compare(begin) >= 0 {
			n++
		}
		s.left = s.left[n:]
	}
	if s.months = h.from != ""; s.months {
		if s.from = h.from; begin != "" && begin.Compare(s.from) < 0 {
			s.from = begin
		}
	}
	return s
}

// by returns the author of the next item.
func (s *stream) by() model.UserID {
	if s.tagged != nil {
		return s.tagged[s.next]
	}
	return s.author
}

// key orders streams: no item of the stream is above it.
func (s *stream) key() model.Position {
	if s.next != "" {
		return s.next
	}
	return s.from
}

// closed reports whether the stream goes on in a month that is not open.
func (s *stream) closed() bool { return !s.done && s.next == "" }

// open continues the stream in the month below from.
func (s *stream) open(m model.Month, lists []mergeList) {
	s.lists, s.from = lists, m.Oldest().Position()
}

// advance goes to the next item that the reader may see.
//
// Cost: 1 read an overflow document that the stream reaches.
func (s *stream) advance(ctx context.Context) error {
	for s.next = ""; ; {
		position, ok, err := s.take(ctx)
		switch {
		case err != nil:
			return err
		case !ok && s.months && !s.from.Time().Before(s.oldest):
			return nil // closed
		case !ok, position.Time().Before(s.oldest):
			s.done = true
			return nil
		}
		switch {
		case s.own:
			if position.IsShare() {
				continue
			}
		case position.Time().Before(s.since):
			if position.IsShare() {
				continue
			}
			if s.earlier++; s.earlier > model.RecentTweets {
				s.done = true
				return nil
			}
		}
		if s.before == "" || position.Compare(s.before) < 0 {
			s.next = position
			return nil
		}
	}
}

// take removes the next position of the head or the open month.
func (s *stream) take(ctx context.Context) (position model.Position, ok bool, err error) {
	if s.settled = len(s.left) > 0; s.settled {
		position, s.left = s.left[0], s.left[1:]
		return position, true, nil
	}
	for _, list := range s.lists {
		other, found, err := list.Peek(ctx)
		if err != nil {
			return "", false, err
		}
		if found && (!ok || other.Compare(position) > 0) {
			position, ok = other, true
		}
	}
	for _, list := range s.lists {
		list.Skip(position)
	}
	return position, ok, nil
}
