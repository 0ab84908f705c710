package reactions

import (
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/profiles"
)

// headReads is the largest number of tweets that a page from a head reads. The rest of profileReads is for the head,
// the viewer's graph and the profile of the sharer.
const headReads = profileReads - 4

// ofHead returns a page from a user's head. ok is false if the page needs the months: the head does not reach to the
// end of the page, or it needs the viewer's graph, and no document has all of that.
//
// Cost: with shares or posts for followers 1 read, and 1 read for each of these that is not cached.
func (s *Shares) ofHead(ctx context.Context, r *profileRights, head *model.Head, from model.Cursor,
	limit int) (page model.Page[ShareEntry], ok bool, err error) {
	var entries []ShareEntry
	more, unread := !head.Ends(s.db.Now()), 0
	for _, i := range head.After(r.uid, from) {
		if len(entries) == limit || unread == headReads {
			more = true
			break
		}
		if i.Position.IsShare() && i.Author == r.uid || i.Preview != nil && i.Preview.IsViolative {
			continue
		}
		whole, err := r.decides(ctx, i)
		switch {
		case err != nil || !whole:
			return page, false, err
		case !r.shows(i):
			continue
		}
		entries = append(entries, entryOf(r.uid, i))
		if entries[len(entries)-1].unread() != "" {
			unread++
		}
	}
	switch {
	case more && len(entries) < limit && unread < headReads:
		return page, false, nil
	case more:
		page.Next = entries[len(entries)-1].end
	}
	page.Items, err = s.read(ctx, r.uid, entries)
	return page, true, err
}

// entryOf returns the entry of a user's post or share.
func entryOf(uid model.UserID, i model.HeadItem) ShareEntry {
	id := i.Position.Tweet()
	if i.Position.IsShare() {
		at := i.Position.Time()
		return ShareEntry{shared: id, author: i.Author, SharedAt: at, end: endOfShare(uid, id, at)}
	}
	e := ShareEntry{Own: profiles.PreviewOf{ID: id}, textless: i.ForFollowers(), end: endOf(id)}
	if !e.textless {
		e.Own.TweetPreview = *i.Preview
	}
	return e
}

// profileRights decides what a viewer sees on the profile of a user. It reads the viewer's graph when a page first
// needs it.
type profileRights struct {
	s      *Shares
	viewer model.Viewer
	uid    model.UserID
	graph  *model.ViewerGraph // nil before the read
	quiet  *model.Quiet       // by the graph
}

// whole reads the viewer's graph, and reports whether it is known. The viewer has an account.
//
// Cost: 1 read the first time.
func (r *profileRights) whole(ctx context.Context) (_ bool, err error) {
	if r.graph == nil {
		if r.graph, err = r.s.viewers.Peek(ctx, r.viewer.Account()); err == nil {
			r.quiet = r.graph.Quiet(r.viewer.Account(), r.s.db.Now())
		}
	}
	return err == nil && r.graph.Whole, err
}

// decides reads what decides whether the viewer sees a post or share. It returns false if that is not known.
//
// Cost: nothing for a post that everybody may see; otherwise the cost of whole, for a viewer with an account.
func (r *profileRights) decides(ctx context.Context, i model.HeadItem) (bool, error) {
	if i.Preview != nil || i.ForFollowers() && !model.FollowDecides(r.viewer, r.forFollowers()) ||
		r.viewer.Account() == "" {
		return true, nil
	}
	return r.whole(ctx)
}

// shows reports whether the viewer sees a post or share, after decides.
func (r *profileRights) shows(i model.HeadItem) bool {
	switch {
	case i.Preview != nil:
		return true
	case i.ForFollowers():
		follows := r.graph != nil && !r.graph.Follows[r.uid].IsZero()
		return model.Visible(r.viewer, r.forFollowers(), model.ViewerRelationship{Follows: follows})
	}
	return r.share(i.Author)
}

// share reports whether the viewer sees a share of a tweet by an author, after decides or whole.
func (r *profileRights) share(author model.UserID) bool {
	return r.viewer.Account() == "" || !r.quiet.HidesShareOf(r.uid, author)
}

// forFollowers is a post of the user for followers.
func (r *profileRights) forFollowers() *model.Tweet {
	return &model.Tweet{AuthorID: r.uid, Visibility: model.Followers}
}
