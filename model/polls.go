package model

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// NewPoll is a poll in the request of a tweet's author.
type NewPoll struct {
	Options []string `firestore:"options"`
	Minutes int      `firestore:"minutes"` // from the tweet's time on
}

// Poll is the question of a tweet. No edit changes it.
type Poll struct {
	Options  []string  `firestore:"options"`
	ClosesAt time.Time `firestore:"closesAt"`
}

// Closed reports whether the poll accepts no votes at a time.
func (p *Poll) Closed(at time.Time) bool { return !at.Before(p.ClosesAt) }

// clean returns the poll with its texts in NFC, without spaces around them.
func (p *NewPoll) clean() (*NewPoll, error) {
	if p == nil {
		return nil, nil
	}
	if n := len(p.Options); n < MinPollOptions || n > MaxPollOptions {
		return nil, errs.New(errs.Invalid, "invalid_poll", "the poll has %d options; it needs %d to %d", n, MinPollOptions,
			MaxPollOptions)
	}
	if p.Minutes < MinPollMinutes || p.Minutes > MaxPollMinutes {
		return nil, errs.New(errs.Invalid, "invalid_poll", "the poll lasts %d minutes; it must last %d to %d", p.Minutes,
			MinPollMinutes, MaxPollMinutes)
	}
	clean := &NewPoll{Minutes: p.Minutes}
	for _, option := range p.Options {
		option, err := cleanText("an option of the poll", strings.TrimSpace(option), MaxPollOption)
		if err != nil {
			return nil, err
		}
		if !hasVisible(option) || strings.ContainsFunc(option, isUnfit) {
			return nil, errs.New(errs.Invalid, "invalid_poll", "an option of the poll needs 1 to %d characters, one that can "+
				"be seen, and none that controls or turns text", MaxPollOption)
		}
		if slices.Contains(clean.Options, option) {
			return nil, errs.New(errs.Invalid, "invalid_poll", "two options of the poll are the same")
		}
		clean.Options = append(clean.Options, option)
	}
	return clean, nil
}

// VoteCounter is the counter of an option, from 1 on, in polls/{tweetId}: the path of its element of
// [PollCounts.Votes]. In shards and in "rolled", the whole counter with its dot is the name of a field.
func VoteCounter(option int) string { return fmt.Sprint("votes.", option) }

// FormerVoteCounter is the counter of an option in version 0.1.0: the name of a field.
func FormerVoteCounter(option int) string { return fmt.Sprint("votes", option) }

// PollCounts counts the votes in the poll of a tweet: polls/{tweetId}. It is a document of its own, because not every
// viewer of the tweet may see the counts.
type PollCounts struct {
	TweetID  TweetID          `firestore:"tweetId"`
	AuthorID UserID           `firestore:"authorId"`
	ClosesAt time.Time        `firestore:"closesAt"`
	Votes    map[string]int64 `firestore:"votes,omitempty"`  // by option, from "1" on
	Rolled   map[string]int64 `firestore:"rolled,omitempty"` // by counter, what roll-ups moved
	// of a poll of another server, by option: the votes that are not of users whose votes are counted here
	Elsewhere map[string]int64 `firestore:"elsewhere,omitempty"`

	// EndShard is the part of the index of polls whose users are not yet notified of the end. It is absent once they are
	// notified. ToldTo is the time of the last notified vote; zero while at most the author is notified.
	EndShard *int      `firestore:"endShard,omitempty"`
	ToldTo   time.Time `firestore:"toldTo,omitempty"`

	// Votes of version 0.1.0, besides those in Votes. The migration poll-votes moves them.
	Votes1 int64 `firestore:"votes1,omitempty"`
	Votes2 int64 `firestore:"votes2,omitempty"`
	Votes3 int64 `firestore:"votes3,omitempty"`
	Votes4 int64 `firestore:"votes4,omitempty"`
}

// PollCounts are the counts of the poll of a new tweet.
func (t *Tweet) PollCounts() *PollCounts {
	return &PollCounts{TweetID: t.ID, AuthorID: t.AuthorID, ClosesAt: t.Poll.ClosesAt,
		EndShard: new(int(hashByte(string(t.ID))) % DueShards)}
}

// Of lists the counts of the first n options.
func (c *PollCounts) Of(n int) []int64 {
	votes := []int64{c.Votes1, c.Votes2, c.Votes3, c.Votes4}[:n]
	for i := range votes {
		votes[i] += c.Votes[fmt.Sprint(i+1)]
	}
	return votes
}

// Shown lists the counts of the first n options with the votes elsewhere.
func (c *PollCounts) Shown(n int) []int64 {
	votes := c.Of(n)
	for i := range votes {
		votes[i] += c.Elsewhere[fmt.Sprint(i+1)]
	}
	return votes
}

// PollEnd is the field of a tweet with the end of its poll.
const PollEnd = "poll.closesAt"

// Hear sets the votes elsewhere from what the server of the poll counts in all, by option. Its counts have the votes
// that it got from here.
func (c *PollCounts) Hear(all []int64) {
	here := c.Of(len(all))
	c.Elsewhere = map[string]int64{}
	for i, n := range all {
		if more := n - here[i]; more > 0 {
			c.Elsewhere[fmt.Sprint(i+1)] = more
		}
	}
}

// Vote says which option a user chose in the poll of a tweet: votes/{uid_tweetId}. Nothing
// changes a vote.
type Vote struct {
	UserID    UserID    `firestore:"userId"`
	TweetID   TweetID   `firestore:"tweetId"`
	AuthorID  UserID    `firestore:"authorId"` // of the tweet
	Option    int       `firestore:"option"`   // from 1 on
	ClosesAt  time.Time `firestore:"closesAt"` // of the poll
	CreatedAt time.Time `firestore:"createdAt,serverTimestamp"`
}

// InTime reports whether the vote came before the poll closed, by the clock of the database. A later vote does not
// count.
func (v *Vote) InTime() bool { return v.CreatedAt.Before(v.ClosesAt) }

// MayVote returns an error if a member may not vote in the poll of a tweet. A member who may not like the tweet may not
// vote either, and no author votes in a poll of their own.
func MayVote(actor UserID, t *Tweet, author *User, viewerRelationships ViewerRelationship) error {
	if err := mayAct(actor, t, "vote in this poll", viewerRelationships); err != nil {
		return err
	}
	switch {
	case t.Poll == nil:
		return errs.New(errs.Conflict, "no_poll", "this tweet has no poll")
	case actor == t.AuthorID:
		return errs.New(errs.Forbidden, "own_poll", "nobody votes in a poll of their own")
	case stranger(actor, t, author, viewerRelationships):
		return notAllowed("vote in this poll")
	}
	return nil
}

// SeesVotes reports whether a viewer of a tweet with a poll sees the counts of its votes. Its author, its voters and
// moderators do, and everybody when the poll is closed.
func SeesVotes(v Viewer, t *Tweet, voted bool, at time.Time) bool {
	return t.Poll.Closed(at) || voted || oversees(v) || v.Account() != "" && v.Account() == t.AuthorID
}
