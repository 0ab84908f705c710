package model

import "github.com/hibana-sns/hibana/internal/errs"

const (
	// MaxTrendDecisions limits the tags, and the tweets, of which a [TrendReview] keeps a decision.
	MaxTrendDecisions = 200

	// trendsWaiting limits the tags, and the tweets, that are listed for a decision.
	trendsWaiting = 50
)

// TrendReview is what administrators decided about trends. It is a part of trends/usual, which each ranking reads
// anyway, so that no reader of trends pays for it.
type TrendReview struct {
	// Needed leaves everything out of the trends that no administrator allowed.
	Needed bool `firestore:"needed,omitempty"`
	// Tags and Tweets are the decisions: true if it may be a trend, false if it never is one.
	Tags   map[string]bool `firestore:"tags,omitempty"`
	Tweets map[string]bool `firestore:"tweets,omitempty"`
}

// TrendDecision says whether a tag or a tweet may be a trend.
type TrendDecision string

// The decisions.
const (
	TrendAllowed   TrendDecision = "allowed"
	TrendRefused   TrendDecision = "refused"
	TrendUndecided TrendDecision = "undecided"
)

// split divides what rises, in its order, into what everybody sees and what waits for a decision.
func (r *TrendReview) split(rising []Trend, decided map[string]bool) (shown, waiting []Trend) {
	for _, t := range rising {
		switch allowed, known := decided[t.Name]; {
		case known && !allowed:
		case r.Needed && !known:
			waiting = append(waiting, t)
		default:
			shown = append(shown, t)
		}
	}
	return shown, waiting
}

// StillTrends returns the tags or tweets of an earlier ranking that wait still, or that no administrator refused since.
func StillTrends(ranked []Trend, decided map[string]bool, waiting bool) (still []Trend) {
	for _, t := range ranked {
		if allowed, known := decided[t.Name]; !known || allowed && !waiting {
			still = append(still, t)
		}
	}
	return still
}

// DecideTag keeps a decision about a tag, and returns the one before. If there is no room for another one, it is
// errs.Conflict (trend_review_full): a refused tag is not forgotten unless an administrator says so.
func (r *TrendReview) DecideTag(tag string, d TrendDecision) (was TrendDecision, err error) {
	was = decisionIn(r.Tags, tag)
	if d != TrendUndecided && was == TrendUndecided && len(r.Tags) >= MaxTrendDecisions {
		return was, errs.New(errs.Conflict, "trend_review_full",
			"there are decisions about %d tags already; take one back first", MaxTrendDecisions)
	}
	r.Tags = decide(r.Tags, tag, d)
	return was, nil
}

// DecideTweet keeps a decision about a tweet, and returns the one before. It forgets the decision about the oldest
// tweet if there is no room: a tweet rises for some hours.
func (r *TrendReview) DecideTweet(id TweetID, d TrendDecision) (was TrendDecision) {
	was = decisionIn(r.Tweets, string(id))
	r.Tweets = decide(r.Tweets, string(id), d)
	for len(r.Tweets) > MaxTrendDecisions {
		oldest := id
		for other := range r.Tweets {
			if TweetID(other).Time().Before(oldest.Time()) {
				oldest = TweetID(other)
			}
		}
		delete(r.Tweets, string(oldest))
	}
	return was
}

func decisionIn(decided map[string]bool, name string) TrendDecision {
	switch allowed, known := decided[name]; {
	case !known:
		return TrendUndecided
	case allowed:
		return TrendAllowed
	default:
		return TrendRefused
	}
}

func decide(decided map[string]bool, name string, d TrendDecision) map[string]bool {
	if decided == nil {
		decided = map[string]bool{}
	}
	if d == TrendUndecided {
		delete(decided, name)
	} else {
		decided[name] = d == TrendAllowed
	}
	return decided
}
