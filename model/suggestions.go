package model

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Sizes of suggestions.
const (
	MaxCandidates      = 50  // people in a document
	MaxDismissedPeople = 500 // the newest people whom a user does not want to be suggested
	MaxSuggested       = 20  // people in an answer

	// SuggestMore is how many more candidates a request looks at than it shows, as some do not fit. SuggestStarters is how
	// many users of a tag, and how many people of each page of the directory, a user without suggestions may get.
	SuggestMore     = 5
	SuggestStarters = 10

	// SuggestFollowed is how many followed users one computation looks at. SuggestNewest of them are the newest.
	SuggestFollowed = 16
	SuggestNewest   = 8

	// SuggestTags is how many of a user's tags count. SuggestTagUsers of each of the first SuggestTagsRead are candidates.
	SuggestTags     = 5
	SuggestTagsRead = 3
	SuggestTagUsers = 4

	// SuggestRequests is how many open follow requests of a user a computation reads.
	SuggestRequests = 5

	// MaxNamed is how many followed users a reason names.
	MaxNamed = 3

	// SuggestEvery is the time between two computations for a user. SuggestWanted is how long after the last question
	// they go on.
	SuggestEvery  = 24 * time.Hour
	SuggestWanted = 7 * 24 * time.Hour

	// SuggestFew is how many follows a user must have had at a computation, so that a new follow waits for the next day.
	SuggestFew = 5

	// SuggestMostReads is the most that a computation reads: the document, the user's graph, the graphs of followed users,
	// tags and their users, and follow requests.
	SuggestMostReads = 2 + SuggestFollowed + SuggestTags + SuggestTagsRead*SuggestTagUsers + SuggestRequests

	// SuggestionReads is how many reads the computations of a day may cost, if the operator says nothing else.
	SuggestionReads = 10_000
)

// SuggestionsJob is the document of [SuggestionSpending] among the jobs.
const SuggestionsJob = "suggestions"

// Suggestions are the people whom a user may want to follow: suggestions/{uid}. WantedAt and Dismissed are the user's,
// and the rest is computed.
type Suggestions struct {
	WantedAt time.Time `firestore:"wantedAt,omitempty"` // when the user asked, on the last day with a question
	DueAt    time.Time `firestore:"dueAt,omitempty"`    // when the next computation is due; absent if none is
	// the people whom the user does not want to be suggested, the last one dismissed at the end
	Dismissed []UserID `firestore:"dismissed,omitempty"`

	ComputedAt time.Time   `firestore:"computedAt,omitempty"`
	Followed   int         `firestore:"followed"` // how many users the user followed then
	People     []Candidate `firestore:"people,omitempty"`
	// nobody of them was asked to follow then; false if the user has asked too many to look
	Checked bool `firestore:"checked"`
}

// Candidate is somebody whom a user may want to follow, with the reasons.
type Candidate struct {
	ID         UserID   `firestore:"id"`
	FollowedBy []UserID `firestore:"followedBy,omitempty"` // at most MaxNamed of the followed users who follow the candidate
	Followers  int      `firestore:"followers"`            // how many of the followed users that were looked at do
	Tags       []string `firestore:"tags,omitempty"`       // that both use, at most SuggestTagsRead
	Score      float64  `firestore:"score"`
}

// SuggestionSpending is what the computations of a day have cost: jobs/suggestions.
type SuggestionSpending struct {
	Day   string `firestore:"day"` // in UTC, as 2026-01-31
	Reads int64  `firestore:"reads"`
}

// Begin makes it the spending of a day, with nothing spent, unless it is of that day or a later one.
func (s *SuggestionSpending) Begin(day string) {
	if s.Day < day {
		*s = SuggestionSpending{Day: day}
	}
}

// Computes reports whether a computation is due at a time.
func (s *Suggestions) Computes(at time.Time) bool { return !s.DueAt.IsZero() && !at.Before(s.DueAt) }

// Want notes that a user who follows so many users asks for suggestions at a time. It reports whether the document
// changes: once a day, and after one of the first follows.
func (s *Suggestions) Want(at time.Time, follows int) (changed bool) {
	if at.Sub(s.WantedAt) >= SuggestEvery {
		s.WantedAt, changed = at, true
		if s.DueAt.IsZero() {
			s.DueAt = at
			if next := s.ComputedAt.Add(SuggestEvery); next.After(at) {
				s.DueAt = next
			}
		}
	}
	if s.Followed < min(follows, SuggestFew) && !s.ComputedAt.IsZero() && !s.Computes(at) {
		s.DueAt, changed = at, true
	}
	return changed
}

// Next returns when the computation after one at a time is due; zero if the user has not asked for long.
func (s *Suggestions) Next(at time.Time) time.Time {
	if at.Sub(s.WantedAt) >= SuggestWanted {
		return time.Time{}
	}
	return at.Add(SuggestEvery)
}

// Dismiss takes somebody out, for good: the oldest dismissal gives way to the one after MaxDismissedPeople.
func (s *Suggestions) Dismiss(uid UserID) {
	s.Dismissed = append(slices.DeleteFunc(s.Dismissed, func(d UserID) bool { return d == uid }), uid)
	s.Dismissed = s.Dismissed[max(0, len(s.Dismissed)-MaxDismissedPeople):]
	s.People = slices.DeleteFunc(s.People, func(c Candidate) bool { return c.ID == uid })
}

// Candidates collects the candidates of one user.
type Candidates struct {
	out   func(UserID) bool
	found map[UserID]*Candidate
}

// NewCandidates returns an empty collection for a user with a graph, at a time. Nobody is a candidate whom the user
// follows, mutes, has a block with, or has dismissed.
func NewCandidates(uid UserID, v *ViewerGraph, dismissed []UserID, at time.Time) *Candidates {
	out, q := make(map[UserID]bool, len(dismissed)+1), v.Quiet(uid, at)
	out[uid] = true
	for _, d := range dismissed {
		out[d] = true
	}
	return &Candidates{found: map[UserID]*Candidate{}, out: func(other UserID) bool {
		_, follows := v.Follows[other]
		return out[other] || follows || q.Hides(other)
	}}
}

// Sample returns the followed users whose graphs are looked at: the newest, and some of the others, other ones each
// day. It leaves out whom the user mutes.
func Sample(uid UserID, v *ViewerGraph, at time.Time) []UserID {
	q := v.Quiet(uid, at)
	all := make([]Relationship, 0, len(v.Follows))
	for other, since := range v.Follows {
		if !q.Hides(other) {
			all = append(all, Relationship{FollowerID: uid, FollowedID: other, CreatedAt: since})
		}
	}
	slices.SortFunc(all, CompareNewest)
	if len(all) > SuggestFollowed {
		h := fnv.New64a()
		h.Write([]byte(uid + "/" + UserID(DayOf(at))))
		rest := all[SuggestNewest:]
		rand.New(rand.NewPCG(h.Sum64(), 0)).Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		all = all[:SuggestFollowed]
	}
	ids := make([]UserID, len(all))
	for i, r := range all {
		ids[i] = r.FollowedID
	}
	return ids
}

// DayOf returns the day of a time in UTC, as 2026-01-31.
func DayOf(at time.Time) string { return at.UTC().Format(time.DateOnly) }

func (c *Candidates) of(uid UserID) *Candidate {
	if c.out(uid) {
		return nil
	}
	if c.found[uid] == nil {
		c.found[uid] = &Candidate{ID: uid}
	}
	return c.found[uid]
}

// Follows adds whom a followed user follows. Somebody who follows few says more of each.
func (c *Candidates) Follows(by UserID, follows map[UserID]time.Time) {
	weight := 1 / math.Log(2+float64(len(follows)))
	for other := range follows {
		if is := c.of(other); is != nil {
			is.Score += weight
			if is.Followers++; len(is.FollowedBy) < MaxNamed {
				is.FollowedBy = append(is.FollowedBy, by)
			}
		}
	}
}

// Remove takes somebody out.
func (c *Candidates) Remove(uid UserID) { delete(c.found, uid) }

// tagWeight is what a tag in common counts, beside a followed user who follows some 30 others: 0.29.
const tagWeight = 0.2

// Tag adds somebody who uses a tag of the user.
func (c *Candidates) Tag(uid UserID, tag string) {
	if is := c.of(uid); is != nil && !slices.Contains(is.Tags, tag) {
		is.Score += tagWeight
		is.Tags = append(is.Tags, tag)
	}
}

// Best returns at most most candidates, the best first.
func (c *Candidates) Best(most int) []Candidate {
	all := make([]Candidate, 0, len(c.found))
	for _, is := range c.found {
		all = append(all, *is)
	}
	slices.SortFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(string(a.ID), string(b.ID)))
	})
	return all[:min(most, len(all))]
}
