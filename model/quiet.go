package model

import "time"

// Quiet is what one reader does not see at one time: users with a block between them and the reader, muted users, and
// tweets that a filter hides. A nil Quiet, of a caller without an account, hides nothing.
type Quiet struct {
	reader UserID
	at     time.Time
	graph  *ViewerGraph
	match  *Matcher
}

// Quiet returns what a reader with the graph does not see at a time. The graph must have the reader's blocks and mutes,
// at least those with the users of whom the caller asks.
func (v *ViewerGraph) Quiet(reader UserID, at time.Time) *Quiet {
	q := &Quiet{reader: reader, at: at, graph: v}
	if len(v.Filters) > 0 {
		q.match = (&Filters{v.Filters}).Matcher(at)
	}
	return q
}

// Is reports whether a user is the reader.
func (q *Quiet) Is(uid UserID) bool { return q != nil && uid == q.reader }

// Blocks reports whether one of the reader and another user blocks the other.
func (q *Quiet) Blocks(other UserID) bool {
	return q != nil && other != q.reader && q.graph.BlockWith(other)
}

// Hides reports whether lists leave a user out: after a block, in either direction, and if the reader mutes the user.
func (q *Quiet) Hides(other UserID) bool {
	return q.Blocks(other) || q != nil && other != q.reader && q.graph.Muted[other].HidesAll(q.at)
}

// HidesShares reports whether home timelines leave out what a user shares.
func (q *Quiet) HidesShares(other UserID) bool {
	return q.Hides(other) || q != nil && other != q.reader &&
		(q.graph.Mutes[other] || q.graph.Muted[other].HidesShares(q.at))
}

// HidesShareOf reports whether the profile of a sharer leaves out a tweet by an author. The sharer's own profile stays,
// whatever the reader mutes of the sharer, but for a sharer whose shares the reader hides ([MutedSharer]). On the
// reader's own profile mutes hide nothing.
func (q *Quiet) HidesShareOf(sharer, author UserID) bool {
	switch {
	case q == nil:
		return false
	case sharer == q.reader:
		return q.Blocks(author)
	}
	return q.Blocks(sharer) || q.graph.Mutes[sharer] || q.Hides(author)
}

// HidesTweet reports whether lists leave out a tweet because of its author.
func (q *Quiet) HidesTweet(t *Tweet) bool {
	return q.Hides(t.AuthorID) || q != nil && t.Answers() && t.AuthorID != q.reader &&
		q.graph.Muted[t.AuthorID].HidesReplies(q.at)
}

// Filters returns the filters that a text matches in a context. No filter acts on the reader's own tweets.
func (q *Quiet) Filters(author UserID, text FilterText, in FilterContext) []FilterHit {
	if q == nil || author == q.reader {
		return nil
	}
	return q.match.Match(text, in)
}

// FiltersAny reports whether the reader has a filter that acts in a context.
func (q *Quiet) FiltersAny(in FilterContext) bool { return q != nil && q.match.Acts(in) }

// Silences reports whether the reader gets no notification of an event, because the reader mutes the acting user, or
// because of a filter that hides the reply, quote or mention.
func (q *Quiet) Silences(n *NotificationEvent) bool {
	return q != nil && (q.graph.Muted[n.Payload.UserID].Silences(n, q.at) || n.Type.CountsTweets() && n.About != nil &&
		Hidden(q.Filters(n.Payload.UserID, *n.About, FilterNotifications)))
}
