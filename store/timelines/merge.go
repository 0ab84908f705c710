package timelines

import (
	"cmp"
	"container/heap"
	"context"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// A page opens the months of at most monthsTogether authors at once where heads end, mostly at its begin. Further down
// it opens at most monthsMost, and an author counts once for each month. A page that needs more ends, and the next page
// goes on. If that needs more at once, the walk ends: by then it has shown what monthsTogether heads have.
const (
	monthsTogether = 200
	monthsMost     = 100

	overflowsTogether = 20 // streams that read an overflow document at the same time
)

// mergedItem is a post or a share in a home timeline.
type mergedItem struct {
	Position model.Position // of the post or share
	Author   model.UserID   // author of the post, or the sharer
	settled  bool           // the item exists, as far as the process has heard
	tagged   bool           // the item is a tweet that comes by followed tags alone
}

// merge yields the posts and shares of several authors one by one, newest first.
type merge struct {
	*Reader
	streams streams
	page    *positionPage  // gets the shares of the months that the merge opens; may be nil
	most    int            // authors whose months the merge may open, or 0 for any number
	begun   bool           // the merge has opened months
	opened  int            // authors whose months were opened since
	cut     model.Position // where the merge ended at most, if another merge can go on there; below the begin of the page
}

// streams is a heap of streams, the newest next item first. Of one item, the stream of its author is before those of
// its tags.
type streams []*stream

func (h streams) Len() int      { return len(h) }
func (h streams) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h streams) Less(i, j int) bool {
	return cmp.Or(h[j].key().Compare(h[i].key()), cmp.Compare(len(h[i].next), len(h[j].next)),
		cmp.Compare(len(h[i].tagged), len(h[j].tagged))) < 0
}
func (h *streams) Push(s any) { *h = append(*h, s.(*stream)) }
func (h *streams) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// newMerge merges some streams.
func (r *Reader) newMerge(ctx context.Context, all []*stream, page *positionPage, most int) (*merge, error) {
	m := &merge{Reader: r, page: page, most: most}
	for _, s := range all {
		if err := s.advance(ctx); err != nil {
			return nil, err
		}
		if !s.done {
			m.streams = append(m.streams, s)
		}
	}
	heap.Init(&m.streams)
	return m, nil
}

// Next returns the next item; ok is false at the end.
//
// Cost: 1 read for each overflow document that the merge reaches; what open costs.
func (m *merge) Next(ctx context.Context) (item mergedItem, ok bool, err error) {
	for len(m.streams) > 0 {
		s := m.streams[0]
		if s.closed() {
			if more, err := m.open(ctx); err != nil || !more {
				return mergedItem{}, false, err
			}
			continue
		}
		item = mergedItem{s.next, s.by(), s.settled, s.tagged != nil}
		if err := m.advance(ctx); err != nil {
			return item, true, err
		}
		return item, true, m.skipTagged(ctx, item.Position)
	}
	return mergedItem{}, false, nil
}

// skipTagged passes what streams of tags have at a position that another stream has, too.
func (m *merge) skipTagged(ctx context.Context, position model.Position) error {
	for len(m.streams) > 0 && m.streams[0].tagged != nil && m.streams[0].next == position {
		if err := m.advance(ctx); err != nil {
			return err
		}
	}
	return nil
}

// goesOn returns where the next page begins after the end of the merge. It is empty if there is no next page with items
// newer than after.
func (m *merge) goesOn(after model.Position) model.Position {
	if after != "" && m.cut != "" && m.cut.Compare(after) <= 0 {
		return ""
	}
	return m.cut
}

// advance moves the first stream on.
func (m *merge) advance(ctx context.Context) error {
	err := m.streams[0].advance(ctx)
	if m.streams[0].done {
		heap.Pop(&m.streams)
	} else {
		heap.Fix(&m.streams, 0)
	}
	return err
}

// open opens the next month of the first stream, and of all streams that are closed at the same position. It returns
// false if the merge may open no more.
//
// Cost: the costs of [profiles.Reader.Months] and [profiles.Reader.ShareMonths].
func (m *merge) open(ctx context.Context) (more bool, err error) {
	from := m.streams[0].from
	month := below(from)
	closed := map[model.UserID]*stream{}
	var authors []model.UserID
	for len(m.streams) > 0 && m.streams[0].closed() && m.streams[0].from == from {
		s := heap.Pop(&m.streams).(*stream)
		closed[s.author] = s
		authors = append(authors, s.author)
	}
	if m.begun {
		m.opened += len(authors)
	}
	if m.most > 0 && (m.opened > m.most || len(authors) > monthsTogether) {
		if begin := m.page.below; m.begun && len(authors) <= monthsTogether && (begin == "" || from.Compare(begin) < 0) {
			m.cut = from
		}
		m.streams = nil // the streams that are left are older than the closed ones
		return false, nil
	}
	m.begun = true
	written, sharers, err := m.previews.Months(ctx, authors, month, from)
	if err != nil {
		return false, err
	}
	shared, err := m.previews.ShareMonths(ctx, sharers, month)
	if err != nil {
		return false, err
	}
	g, reading := safely.WithContext(ctx)
	g.SetLimit(overflowsTogether)
	for author, s := range closed {
		var lists []mergeList
		for _, list := range written[author] {
			lists = append(lists, list)
		}
		if is := shared[author]; is != nil && len(is.Shares)+len(is.Pages) > 0 && !s.own {
			lists = append(lists, m.previews.ReadShares(author, month, is, from))
			m.page.NoteMonth(author, s.since, from, is.Shares)
		}
		s.open(month, lists)
		g.Go(func() error { return s.advance(reading) })
	}
	if err := g.Wait(); err != nil {
		return false, err
	}
	for _, s := range closed {
		if !s.done {
			heap.Push(&m.streams, s)
		}
	}
	return true, nil
}

// below returns the month of the newest position below another.
func below(position model.Position) model.Month {
	m := position.Month()
	if position.Compare(m.Oldest().Position()) <= 0 {
		return m.Prev()
	}
	return m
}
