package timelines

import (
	"context"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// List reads a page of the timeline of a list of people: the members' tweets of the home window, newest first, that
// are older than before if before is not empty. Members whom the owner blocks or mutes, or who block the owner, are
// left out. next is empty at the end. Tweets that the owner may not see may be among the result; see
// [access.Store.Visible].
//
// The tweets are read from the authors' months: nothing is written for a list.
// A page reads as many months of authors as the largest list has members. So a page of a large list ends with the
// month, and a page may have no tweets and not be the last.
//
// Cost: that of [viewers.Store.Quiet], and 1 read for each member who blocks the owner, at least 1. 1 read a member,
// less cached, and 1 more for a member who has written for followers in the month. 1 read an overflow document that the
// page reaches. 1 read a tweet that is not cached.
func (r *Reader) List(ctx context.Context, owner model.UserID, members []model.UserID, before model.TweetID,
	limit int) (tweets []*model.Tweet, next model.TweetID, err error) {
	defer errs.Wrap(&err, "timelines.List(%q)", owner)
	if len(members) == 0 {
		return nil, "", nil
	}
	quiet, err := r.viewers.Quiet(ctx, model.Viewer{ID: owner, Role: model.Member}, members)
	if err != nil {
		return nil, "", err
	}
	blockedBy, err := r.blockedBy(ctx, owner, members) // the graph learns late of it
	if err != nil {
		return nil, "", err
	}
	members = slices.DeleteFunc(slices.Clone(members), func(uid model.UserID) bool {
		return quiet.Hides(uid) || blockedBy[uid]
	})
	if len(members) == 0 {
		return nil, "", nil
	}
	oldest, months := r.db.HomeWindow()
	months = slices.DeleteFunc(months, func(m model.Month) bool {
		return before != "" && m.Oldest().Compare(before) >= 0 // all tweets of the month are newer
	})
	var ids []model.TweetID
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
				ids = append(ids, item.Position.Tweet())
			}
		}
		if len(ids) > limit {
			ids, next = ids[:limit], ids[limit-1]
			break
		}
	}
	found, err := r.access.FreshTweets(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	for _, id := range ids {
		if t := found[id]; t != nil {
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

// blockedBy returns which members of a list block its owner.
//
// Cost: 1 read for each block, at least 1.
func (r *Reader) blockedBy(ctx context.Context, owner model.UserID, members []model.UserID) (map[model.UserID]bool,
	error) {
	keys := make([]string, len(members))
	for i, uid := range members {
		keys[i] = model.BlockKey(uid, owner)
	}
	there, err := r.db.There(ctx, model.Blocks, keys)
	if err != nil {
		return nil, err
	}
	blocked := map[model.UserID]bool{}
	for i, uid := range members {
		blocked[uid] = there[keys[i]]
	}
	return blocked, nil
}
