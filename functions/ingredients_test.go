package functions_test

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
)

// What histories mix, beside the events of every function.
const (
	duplicatedEvent = "an event delivered several times"
	lostAttempt     = "an attempt that was lost or failed"
	lostEvent       = "an event of a work document that never came"
	lateFunction    = "a function that ran beside its next delivery"
	lostAnswer      = "a commit whose answer was lost"
	killedProcess   = "functions killed while they worked"
	frozenProcess   = "functions frozen while they worked"
	monthsEnd       = "the end of a month"
	splitFollowers  = "followers on hashed pages"
	pulledAuthor    = "an author whose tweets are pulled"
	smallAgain      = "a pulled author with few followers again"
	spilledMonth    = "a month of tweets on several pages"
	spilledTimeline = "a home timeline on several pages"
	sleeper         = "a user asleep at the end"
	rolledUp        = "a count that was rolled up"
	flaggedTweet    = "a flagged tweet at the end"
	editedTweet     = "an edited tweet at the end"
	editedAndGone   = "an edited tweet that was deleted"
	keptAndGone     = "a bookmarked tweet that was deleted"
	votedAndGone    = "a vote in a poll that was deleted"
	postedDraft     = "a draft that two processes posted at once"
	quotedAndGone   = "a quoted tweet that was deleted"
	takenTag        = "a tag that an edit took away"
	otherAudience   = "an edit that changed the audience"
	refusedAct      = "an act on a tweet that the actor may not see"
	underWay        = "something told, or not, to a user who chose otherwise meanwhile"
	sharedTweet     = "a tweet that a followed user brought to a home timeline"
	unwanted        = "a user who changed what to be told of"
	followersMonth  = "a month of tweets for followers on several pages"
	orderThatWas    = "an order that was " // and its state at the end
)

// ingredients counts what occurred in all histories of a run.
type ingredients struct {
	mu        sync.Mutex
	occurred  map[string]int
	histories int // that came to their end
}

const (
	enough = 10 // histories that have every common ingredient among them
	many   = 50 // histories that have the rare ones, too
)

func (in *ingredients) add(what string, times int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.occurred[what] += times
}

func (in *ingredients) end() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.histories++
}

// check fails the test for everything that did not occur: histories that lost an ingredient
// prove nothing about it.
func (in *ingredients) check(t *testing.T) {
	t.Helper()
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.histories < enough {
		return // few were asked for, or others failed and say so
	}
	want := []string{
		duplicatedEvent, lostAttempt, lostEvent, lostAnswer, killedProcess, splitFollowers, pulledAuthor, sleeper, rolledUp, flaggedTweet, editedTweet, takenTag, otherAudience, refusedAct, unwanted, postedDraft,
		orderThatWas + string(model.OrderConfirmed), orderThatWas + string(model.OrderRejected),
	}
	if in.histories >= many {
		want = append(want, orderThatWas+string(model.OrderCancelled), orderThatWas+string(model.OrderShipped), sharedTweet, underWay, spilledMonth, spilledTimeline, followersMonth, editedAndGone, keptAndGone, votedAndGone, quotedAndGone, smallAgain, lateFunction, frozenProcess, monthsEnd)
	}
	for _, f := range functions.Table {
		switch f.Name {
		case "ContinueCleanUp": // only for work that one step does not end
		case "RollUpAgain": // only if a process is killed at one moment
		case "ContinueSpread": // only for the profile of a user with many tweets
			if in.histories >= many {
				want = append(want, f.Name)
			}
		case "Leave", "Export": // nobody leaves or exports; see store/leavings, store/exports, and TestDeparture in scale
		default:
			want = append(want, f.Name)
		}
	}
	for _, what := range want {
		if in.occurred[what] == 0 {
			t.Errorf("never in these histories: %s", what)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(in.occurred)) {
		t.Logf("%6d × %s", in.occurred[what], what)
	}
}

// note adds what occurred in this history.
func (h *history) note() {
	h.t.Helper()
	h.seen.end()
	stats := h.stack.Runner.Stats()
	for name, counts := range stats.ByFunction {
		h.seen.add(name, counts.Delivered)
	}
	h.seen.add(duplicatedEvent, stats.Duplicated)
	h.seen.add(lostAttempt, stats.Retried)
	h.seen.add(lostEvent, stats.Lost)
	h.seen.add(lateFunction, stats.Overlapped)
	h.seen.add(lostAnswer, h.losses.Count())
	if model.MonthOf(h.now()) != model.MonthOf(h.begun) {
		h.seen.add(monthsEnd, 1)
	}
	h.seen.add(sleeper, len(h.world.asleep))
	h.seen.add(editedTweet, int(h.world.count(func(_ model.TweetID, t *tweet) bool { return len(t.former) > 0 })))
	h.seen.add(flaggedTweet, int(h.world.count(func(_ model.TweetID, t *tweet) bool { return t.flagged })))

	h.each(model.FollowerPages, func(snap *firestore.DocumentSnapshot) {
		var first struct {
			model.FollowerList
			PulledMonths map[string]string `firestore:"pulledMonths"`
		}
		h.must(snap.DataTo(&first))
		if first.Pages > 0 {
			h.seen.add(splitFollowers, 1)
		}
		if len(first.PulledMonths) == 0 {
			return
		}
		h.seen.add(pulledAuthor, 1)
		followers := 0
		for k := range h.world.follows {
			if model.FollowerPageKey(k[1]) == snap.Ref.ID {
				followers++
			}
		}
		if followers <= h.pullAbove {
			h.seen.add(smallAgain, 1)
		}
	})
	h.each(model.TweetMonths, func(snap *firestore.DocumentSnapshot) {
		var month model.TweetMonth
		h.must(snap.DataTo(&month))
		if len(month.Pages) > 0 {
			h.seen.add(spilledMonth, 1)
		}
	})
	h.each(model.FollowerMonths, func(snap *firestore.DocumentSnapshot) {
		var month model.TweetMonth
		h.must(snap.DataTo(&month))
		if len(month.Pages) > 0 {
			h.seen.add(followersMonth, 1)
		}
	})
	h.each(model.Timelines, func(snap *firestore.DocumentSnapshot) {
		var timeline model.Timeline
		h.must(snap.DataTo(&timeline))
		if len(timeline.Pages) > 0 {
			h.seen.add(spilledTimeline, 1)
		}
	})
	h.each(model.Tweets, func(snap *firestore.DocumentSnapshot) {
		if rolled, _ := snap.Data()["rolled"].(map[string]any); len(rolled) > 0 {
			h.seen.add(rolledUp, 1)
		}
	})
}

// each reads a collection without the store.
func (h *history) each(collection string, do func(*firestore.DocumentSnapshot)) {
	h.t.Helper()
	snaps, err := h.raw.Collection(collection).Documents(h.t.Context()).GetAll()
	h.must(err)
	for _, snap := range snaps {
		do(snap)
	}
}
