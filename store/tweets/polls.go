// This file stores the votes in polls of tweets, and reads the polls' results. A vote is a source document, and
// functions count the votes.

package tweets

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Polls stores votes. Its methods may be called concurrently. Their errors are errors of package errs.
type Polls struct {
	db     *db.DB
	access *access.Store
}

// NewPolls returns the polls of a database.
func NewPolls(d *db.DB, a *access.Store) *Polls { return &Polls{db: d, access: a} }

// PollResult is a poll with the data that a viewer may see.
type PollResult struct {
	*model.Poll
	Closed bool
	Voted  int     // the viewer's option, numbered from 1; 0 for none
	Total  int64   // all votes
	Votes  []int64 // by option; nil if the viewer may not see them yet
}

// Vote records a user's vote for an option of a tweet's poll; options are numbered from 1. It returns the poll as it is
// then; functions count the vote within about a second. A repeated vote for the same option changes nothing, and a vote
// for another option is errs.Conflict. Votes in a poll that has closed by the clock of the database are errs.Conflict,
// and so are votes on a tweet without a poll. An unknown option is errs.Invalid.
//
// A user without a profile is errs.Forbidden. So are the author, a user behind a block or a flag, and a stranger if the
// author excludes strangers; allowLikes does not matter. A deleted tweet is errs.Gone, and an unknown or hidden tweet
// errs.NotFound.
//
// Cost: 3 reads and 1 write; 1 read more if the vote exists, and 1 if the profile is not remembered.
func (s *Polls) Vote(ctx context.Context, uid model.UserID, id model.TweetID, option int) (_ *PollResult, err error) {
	defer errs.Wrap(&err, "tweets.Vote(%q, %q)", uid, id)
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return nil, err
	}
	e, err := s.access.Check(ctx, uid, id, true)
	if err != nil {
		return nil, err
	}
	if err := model.MayVote(uid, e.Tweet, e.Author, e.ViewerRelationships); err != nil {
		return nil, err
	}
	if n := len(e.Tweet.Poll.Options); option < 1 || option > n {
		return nil, errs.New(errs.Invalid, "invalid_option", "this poll has the options 1 to %d", n)
	}
	vote := model.Vote{UserID: uid, TweetID: id, AuthorID: e.Tweet.AuthorID, Option: option,
		ClosesAt: e.Tweet.Poll.ClosesAt}
	ref := s.ref(uid, id)
	if !e.Tweet.Poll.Closed(s.db.Server.Now()) { // a time from the reads above
		if err := s.db.CreateOnce(ctx, ref, vote); err == nil {
			return s.result(ctx, e.Tweet, option)
		} else if !db.AlreadyExists(err) {
			return nil, err
		}
	}
	// The poll is closed, or the user has voted, or the answer to this commit was lost.
	var is model.Vote
	found, err := s.db.Get(ctx, ref, &is)
	switch {
	case err != nil:
		return nil, err
	case found && is.Option == option:
		return s.result(ctx, e.Tweet, option)
	case found:
		return nil, errs.New(errs.Conflict, "already_voted", "you have chosen option %d; a vote stays", is.Option)
	}
	return nil, errs.New(errs.Conflict, "poll_closed", "this poll closed at %s", vote.ClosesAt.Format(time.RFC3339))
}

// Of returns the poll of a tweet for a viewer. The viewer must be allowed to see the tweet.
//
// Cost: that of All.
func (s *Polls) Of(ctx context.Context, viewer model.Viewer, t *model.Tweet) (*PollResult, error) {
	all, err := s.All(ctx, viewer, []*model.Tweet{t})
	return all[t.ID], err
}

// All returns the polls of tweets for a viewer, by the id of the tweet. The viewer must be allowed to see the tweets,
// and each has a poll.
//
// Cost: 1 read for each poll, and 1 for each of another author, if the viewer has an account.
func (s *Polls) All(ctx context.Context, viewer model.Viewer, all []*model.Tweet) (_ map[model.TweetID]*PollResult,
	err error) {
	defer errs.Wrap(&err, "tweets.All(%d)", len(all))
	votes, lookup := map[model.TweetID]*db.Found[model.Vote]{}, db.Lookup{}
	if account := viewer.Account(); account != "" {
		for _, t := range all {
			if t.AuthorID != account && votes[t.ID] == nil {
				votes[t.ID] = db.Find[model.Vote](&lookup, s.ref(account, t.ID))
			}
		}
	}
	if err := s.db.Read(ctx, &lookup); err != nil {
		return nil, err
	}
	now := s.db.Server.Now()
	results, counts := map[model.TweetID]*PollResult{}, map[model.TweetID]*db.Found[model.PollCounts]{}
	sees := map[model.TweetID]bool{}
	lookup = db.Lookup{}
	for _, t := range all {
		if results[t.ID] != nil {
			continue
		}
		r := &PollResult{Poll: t.Poll, Closed: t.Poll.Closed(now)}
		if vote := votes[t.ID]; vote != nil {
			r.Voted = vote.Doc.Option
		}
		results[t.ID], counts[t.ID] = r, db.Find[model.PollCounts](&lookup, s.counts(t.ID))
		sees[t.ID] = model.SeesVotes(viewer, t, r.Voted > 0, now)
	}
	if err := s.db.Read(ctx, &lookup); err != nil {
		return nil, err
	}
	for id, found := range counts {
		results[id].count(&found.Doc, sees[id])
	}
	return results, nil
}

// result reads the counts of a poll for a user who has voted for an option.
//
// Cost: 1 read.
func (s *Polls) result(ctx context.Context, t *model.Tweet, voted int) (*PollResult, error) {
	var counts model.PollCounts
	if _, err := s.db.Get(ctx, s.counts(t.ID), &counts); err != nil {
		return nil, err
	}
	r := &PollResult{Poll: t.Poll, Closed: t.Poll.Closed(s.db.Server.Now()), Voted: voted}
	r.count(&counts, true)
	return r, nil
}

// count adds the number of all votes, and for somebody who sees them those of each option.
func (r *PollResult) count(c *model.PollCounts, sees bool) {
	votes := c.Shown(len(r.Options))
	for _, n := range votes {
		r.Total += n
	}
	if sees {
		r.Votes = votes
	}
}

// counts returns the document of a poll's counts.
func (s *Polls) counts(id model.TweetID) *firestore.DocumentRef {
	return s.db.Doc(model.Polls, string(id))
}

// ref returns the document of a vote.
func (s *Polls) ref(uid model.UserID, id model.TweetID) *firestore.DocumentRef {
	return s.db.Doc(model.Votes, model.ReactionKey(uid, id))
}
