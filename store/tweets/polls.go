// This file keeps the votes in polls of tweets, and reads their results. A vote is a fact:
// functions count it.

package tweets

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Polls keeps votes. Its methods may be called concurrently. Their errors are those of package
// errs.
type Polls struct {
	db    *db.DB
	facts *facts.Store
}

// NewPolls returns the polls of a database.
func NewPolls(d *db.DB, f *facts.Store) *Polls { return &Polls{db: d, facts: f} }

// PollResult is a poll as a viewer sees it.
type PollResult struct {
	*model.Poll
	Closed bool
	Voted  int     // the option that the viewer chose, from 1 on; 0 for none
	Votes  []int64 // by option; nil if the viewer may not see them yet
}

// Vote makes a user choose an option, from 1 on, in the poll of a tweet. It answers the poll as
// it is then; the vote is counted within about a second. To choose the same option again changes
// nothing, and to choose another is errs.Conflict: a vote stays. So is a vote in a poll that has
// closed by the clock of the database, and in a tweet without a poll. An option that the poll does
// not have is errs.Invalid. A user without a profile is errs.Forbidden. So are the author,
// a user whom a block or a flag keeps away, and a stranger whom the author shuts out; allowLikes
// does not matter. A deleted tweet is errs.Gone, and an unknown or hidden tweet errs.NotFound.
//
// Cost: 5 reads and 1 write; 1 read more for a vote that is there. A user whose profile this
// process does not remember costs 1 read more.
func (s *Polls) Vote(ctx context.Context, uid model.UserID, id model.TweetID, option int) (_ *PollResult, err error) {
	defer errs.Wrap(&err, "tweets.Vote(%q, %q)", uid, id)
	if err := s.facts.MayWrite(ctx, uid); err != nil {
		return nil, err
	}
	e, err := s.facts.AccessCheck(ctx, uid, id, true)
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
	if !e.Tweet.Poll.Closed(s.db.Server.Now()) { // a time that the reads above have told
		if err := s.db.CreateOnce(ctx, ref, vote); err == nil {
			return s.result(ctx, model.Viewer{ID: uid, Role: model.Member}, e.Tweet, option)
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
		return s.result(ctx, model.Viewer{ID: uid, Role: model.Member}, e.Tweet, option)
	case found:
		return nil, errs.New(errs.Conflict, "already_voted", "you have chosen option %d; a vote stays", is.Option)
	}
	return nil, errs.New(errs.Conflict, "poll_closed", "this poll closed at %s", vote.ClosesAt.Format(time.RFC3339))
}

// Of reads the poll of a tweet, which a viewer may see, as the viewer sees it.
//
// Cost: 1 read; 2 reads for a viewer with an account.
func (s *Polls) Of(ctx context.Context, viewer model.Viewer, t *model.Tweet) (_ *PollResult, err error) {
	defer errs.Wrap(&err, "tweets.Of(%q)", t.ID)
	var vote model.Vote
	if account := viewer.Account(); account != "" {
		if _, err := s.db.Get(ctx, s.ref(account, t.ID), &vote); err != nil {
			return nil, err
		}
	}
	return s.result(ctx, viewer, t, vote.Option)
}

// result reads the counts of a poll for a viewer who has chosen an option; 0 for none.
//
// Cost: 1 read.
func (s *Polls) result(ctx context.Context, viewer model.Viewer, t *model.Tweet, voted int) (*PollResult, error) {
	var counts model.PollCounts
	if _, err := s.db.Get(ctx, s.db.Doc(model.Polls, string(t.ID)), &counts); err != nil {
		return nil, err
	}
	now := s.db.Server.Now()
	r := &PollResult{Poll: t.Poll, Closed: t.Poll.Closed(now), Voted: voted}
	if model.SeesVotes(viewer, t, voted > 0, now) {
		r.Votes = counts.Of(len(t.Poll.Options))
	}
	return r, nil
}

// ref names a vote.
func (s *Polls) ref(uid model.UserID, id model.TweetID) *firestore.DocumentRef {
	return s.db.Doc(model.Votes, model.ReactionKey(uid, id))
}
