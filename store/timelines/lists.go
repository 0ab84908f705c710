package timelines

import (
	"context"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// List reads a page of the timeline of a list of people for a reader, its owner or, of a public list, another: the
// members' tweets of the home window, newest first, that are older than before if before is not empty. Members whom the
// reader blocks or mutes, or who block the reader, are left out, and replies that [model.PeopleList.ShowsReply] leaves
// out. Another reader than the owner does not see members with a block between them and the owner either, unless the
// owner has too many entries for a whole graph. next is empty at the end. Tweets that the reader may not see may be
// among the result; see [access.Store.Visible].
//
// The tweets are read from the authors' months: nothing is written for a list.
// A page reads as many months of authors as the largest list has members. So a page of a large list ends with the
// month, and a page may have no tweets and not be the last.
//
// Cost: that of [viewers.Store.Peek], and 1 read for each member who blocks the reader, at least 1. 1 read more for a
// reader who is not the owner. 1 read a member, less cached, and 1 more for a member who has written for followers in
// the month. 1 read an overflow document that the page reaches. 1 read a tweet that is not cached. Without a whole
// graph also 1 read for each member whom the reader blocks, at least 1, and for each muted author on the page, at least
// 1. With replies to followed users alone a missing graph is built, see [viewers.Store.Complete].
func (r *Reader) List(ctx context.Context, reader model.UserID, l *model.PeopleList, before model.TweetID,
	limit int) (tweets []*model.Tweet, next model.TweetID, err error) {
	defer errs.Wrap(&err, "timelines.List(%q)", reader)
	members := l.Members
	if len(members) == 0 {
		return nil, "", nil
	}
	ctx = viewers.Remember(ctx)
	look := r.viewers.Peek
	if l.RepliesPolicy == model.RepliesToFollowed {
		look = r.viewers.Read // the follows have to be there
	}
	graph, err := look(ctx, reader)
	if err != nil {
		return nil, "", err
	}
	if reader != l.UserID {
		owner, err := r.viewers.Peek(ctx, l.UserID)
		if err != nil {
			return nil, "", err
		}
		if members = slices.DeleteFunc(slices.Clone(members), owner.BlockWith); len(members) == 0 {
			return nil, "", nil
		}
	}
	if members, err = r.shownMembers(ctx, reader, graph, members); err != nil || len(members) == 0 {
		return nil, "", err
	}
	oldest, months := r.db.HomeWindow()
	months = slices.DeleteFunc(months, func(m model.Month) bool {
		return before != "" && m.Oldest().Compare(before) >= 0 // all tweets of the month are newer
	})
	var ids []model.TweetID
	var authors []model.UserID // of ids
	for i, m := range months {
		if i > 0 && (i+1)*len(members) > model.MaxListMembers {
			next = months[i-1].Oldest()
			break
		}
		feed, err := r.members(ctx, members, m, before.Position(), oldest)
		if err != nil {
			return nil, "", err
		}
		more := true
		for more && len(ids) <= limit { // one more shows whether there are more
			var item mergedItem
			if item, more, err = feed.Next(ctx); err != nil {
				return nil, "", err
			}
			if more {
				ids, authors = append(ids, item.Position.Tweet()), append(authors, item.Author)
			}
		}
		if len(ids) > limit {
			ids, next = ids[:limit], ids[limit-1]
			break
		}
	}
	if !graph.Whole {
		quiet, err := r.viewers.QuietBy(ctx, reader, graph, authors[:len(ids)])
		if err != nil {
			return nil, "", err
		}
		for i, author := range authors[:len(ids)] {
			if quiet.Hides(author) {
				ids[i] = ""
			}
		}
		ids = slices.DeleteFunc(ids, func(id model.TweetID) bool { return id == "" })
	}
	found, err := r.access.FreshTweets(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	for _, id := range ids {
		if t := found[id]; t != nil && l.ShowsReply(t, reader, graph.Follows) {
			tweets = append(tweets, t)
		}
	}
	return tweets, next, nil
}

// members begins a month of some authors.
//
// Cost: what [profiles.Reader.Months] costs.
func (r *Reader) members(ctx context.Context, members []model.UserID, m model.Month, before model.Position,
	oldest time.Time) (*merge, error) {
	written, _, err := r.previews.Months(ctx, members, m, before)
	if err != nil {
		return nil, err
	}
	all := make([]*stream, len(members))
	for i, uid := range members {
		all[i] = &stream{author: uid, oldest: oldest}
		for _, list := range written[uid] {
			all[i].lists = append(all[i].lists, list)
		}
	}
	return r.newMerge(ctx, all, nil, 0)
}

// shownMembers returns the members of a list without those whom its reader blocks, by the reader's graph, or who block
// the reader. A whole graph also has whom the reader mutes. Without one List asks for the mutes of the authors on the
// page, who are fewer.
//
// Cost: 1 read for each member who blocks the reader, at least 1; without a whole graph that of
// [viewers.Store.BlocksBy].
func (r *Reader) shownMembers(ctx context.Context, reader model.UserID, graph *model.ViewerGraph,
	members []model.UserID) ([]model.UserID, error) {
	if !graph.Whole {
		quiet, err := r.viewers.BlocksBy(ctx, reader, graph, members)
		return slices.DeleteFunc(slices.Clone(members), quiet.Blocks), err
	}
	blockedBy, err := r.viewers.BlockedBy(ctx, reader, members) // the graph learns late of it
	quiet := graph.Quiet(reader, r.db.Now())
	return slices.DeleteFunc(slices.Clone(members), func(uid model.UserID) bool {
		return quiet.Hides(uid) || blockedBy[uid]
	}), err
}
