package api

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// FilterHit names a filter of the caller that a tweet matches.
type FilterHit struct {
	FilterID string             `json:"filterId"`
	Title    string             `json:"title" doc:"Title of the filter"`
	Action   model.FilterAction `json:"action" enum:"hide,warn" doc:"warn: a client folds the tweet, and shows the title. hide only where the caller asks for the tweet itself: lists leave such a tweet out"`
	Keyword  string             `json:"keyword" doc:"The first keyword of the filter that the tweet has"`

	Contexts  []model.FilterContext `json:"contexts" nullable:"false" enum:"home,notifications,public,thread,profile" doc:"Where the filter acts"`
	ExpiresAt *time.Time            `json:"expiresAt,omitempty" doc:"When the filter ends; absent for a filter without an end"`
}

// hiding is what one page leaves out for its caller. The zero hiding leaves nothing out.
type hiding struct {
	quiet *model.Quiet
	in    model.FilterContext // empty for a list without filters
	// whose list it is: a mute does not hide the muted user's own list. With the caller, mutes hide nothing.
	owner model.UserID
}

// hidingIn reads what a page leaves out for its caller. users are those whom the page shows. owner is the user whose
// list it is, if it is one user's. With the caller, the page hides after blocks alone.
//
// Cost: that of [graph.Store.Quiet], or of [graph.Store.QuietBlocks]; nothing for a caller without an account.
func (s *service) hidingIn(ctx context.Context, in model.FilterContext, owner model.UserID,
	users []model.UserID) (h hiding, err error) {
	if owner != "" {
		users = append(users, owner)
	}
	if len(users) == 0 {
		return hiding{}, nil
	}
	by, read := viewer(ctx), s.Graph.Quiet
	if owner == by.ID {
		read = s.Graph.QuietBlocks
	}
	q, err := read(ctx, by, users)
	return hiding{q, in, owner}, err
}

// quietPage is [server.CursorPage] for a list that leaves out whom its caller does not want to see. A page has at most
// most items, and fewer for a caller without a whole graph: see [service.fewer].
func quietPage[F any](ctx context.Context, s *service, list string, in server.Paging, most int,
	read func(from model.Cursor, limit int) (model.Page[F], error), check func() error) (server.Rows[F], error) {
	return server.CursorPage(s.Server, list, in, func(from model.Cursor) (model.Page[F], error) {
		limit, err := s.fewer(ctx, in.Most(most), model.MaxPartialPage)
		if err != nil {
			return model.Page[F]{}, err
		}
		return read(from, limit)
	}, check)
}

// fewer returns a size of a page, or partial if that is less and the caller's graph is not whole: then each user on the
// page may cost a read more.
//
// Cost: that of [graph.Store.Whole]; nothing if partial is not less.
func (s *service) fewer(ctx context.Context, size, partial int) (int, error) {
	if size <= partial {
		return size, nil
	}
	whole, err := s.Graph.Whole(ctx, viewer(ctx))
	if !whole {
		size = partial
	}
	return size, err
}

// user reports whether the page leaves a user out.
func (h hiding) user(uid model.UserID) bool {
	if h.shown(uid) {
		return h.quiet.Blocks(uid)
	}
	return h.quiet.Hides(uid)
}

// shown reports whether no mute hides a user on the page.
func (h hiding) shown(uid model.UserID) bool {
	return h.owner != "" && (uid == h.owner || h.quiet.Is(h.owner))
}

// all reports whether the page is the list of a user with a block between that user and the caller.
func (h hiding) all() bool { return h.owner != "" && h.quiet.Blocks(h.owner) }

// tweet reports whether the page leaves a tweet out, and returns the filters that warn of it.
func (h hiding) tweet(t *model.Tweet) (hits []FilterHit, hidden bool) {
	if h.all() || h.shown(t.AuthorID) && h.quiet.Blocks(t.AuthorID) || !h.shown(t.AuthorID) && h.quiet.HidesTweet(t) {
		return nil, true
	}
	return h.text(t.AuthorID, t.FilterText())
}

// hides reports whether the page leaves a tweet out, or a filter acts on it.
func (h hiding) hides(t *model.Tweet) bool {
	hits, hidden := h.tweet(t)
	return hidden || len(hits) > 0
}

// text is tweet for a text of which mutes and blocks say nothing.
func (h hiding) text(author model.UserID, text model.FilterText) (hits []FilterHit, hidden bool) {
	if h.in == "" {
		return nil, false
	}
	found := h.quiet.Filters(author, text, h.in)
	return hitsOf(found), model.Hidden(found)
}

// maxFilterHits is how many filters a tweet names at most, so that a page stays small whatever its caller filters.
const maxFilterHits = 5

// hitsOf returns filters for an answer, the oldest first.
func hitsOf(found []model.FilterHit) []FilterHit {
	if len(found) == 0 {
		return nil
	}
	return each(found[:min(len(found), maxFilterHits)], func(hit model.FilterHit) FilterHit { return FilterHit(hit) })
}

// asked returns the filters that a tweet matches for which the caller asked by its id. They see what lists show of it.
func (h hiding) asked(t *model.Tweet) []FilterHit {
	hits, _ := h.text(t.AuthorID, t.FilterText())
	return hits
}

// item is a tweet that was read by its id, as a page shows it: unknown if the page leaves it out.
func (h hiding) item(s *service, r Rendering, found tweets.Seen) BatchItem {
	item := r.batchItem(s, found)
	if found.Tweet == nil {
		return item
	}
	hits, hidden := h.tweet(found.Tweet)
	if hidden {
		return BatchItem{ID: found.ID, Status: "unknown"}
	}
	item.Tweet.Filtered = hits
	return item
}

// authors returns the authors of tweets.
func authors(of []*model.Tweet) []model.UserID {
	return each(of, func(t *model.Tweet) model.UserID { return t.AuthorID })
}

// authorsSeen returns the authors of the tweets that were found.
func authorsSeen(of []tweets.Seen) (all []model.UserID) {
	for _, t := range of {
		if t.Tweet != nil {
			all = append(all, t.Tweet.AuthorID)
		}
	}
	return all
}
