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
	duplicatedEvent   = "an event delivered several times"
	lostAttempt       = "an attempt that was lost or failed"
	lostEvent         = "an event of a work document that never came"
	lateFunction      = "a function that ran beside its next delivery"
	lostAnswer        = "a commit whose answer was lost"
	killedProcess     = "functions killed while they worked"
	frozenProcess     = "functions frozen while they worked"
	monthsEnd         = "the end of a month"
	spilledMonth      = "a month of tweets on several pages"
	rolledUp          = "a count that was rolled up"
	flaggedTweet      = "a flagged tweet at the end"
	editedTweet       = "an edited tweet at the end"
	editedAndGone     = "an edited tweet that was deleted"
	keptAndGone       = "a bookmarked tweet that was deleted"
	votedAndGone      = "a vote in a poll that was deleted"
	endedPoll         = "a voter whom two ticks told of the end of a poll"
	answeredAndGone   = "a deleted reply that keeps its place in the thread"
	postedDraft       = "a draft that two processes posted at once"
	quotedAndGone     = "a quoted tweet that was deleted"
	withdrawnQuote    = "a tweet that two processes withdrew from a quote"
	takenTag          = "a tag that an edit took away"
	otherAudience     = "an edit that changed the audience"
	refusedAct        = "an act on a tweet that the actor may not see"
	waitingReply      = "a reply that waits for approval"
	approvedReply     = "a reply that two processes approved at once"
	outdatedReply     = "a reply that may not be posted any more when it is approved"
	refusedReply      = "a reply that the policy of a tweet refused"
	unlikedTweet      = "a like that was taken back"
	underWay          = "something told, or not, to a user who chose otherwise meanwhile"
	sharedTweet       = "a tweet that a followed user brought to a home timeline"
	sharedMeanwhile   = "a share between two pages of a home timeline"
	unsharedMeanwhile = "a share that was taken back between two pages of a home timeline"
	hiddenShare       = "a share that the reader of a home timeline hid"
	mutedUser         = "a user who muted another"
	unwanted          = "a user who changed what to be told of"
	followersMonth    = "a month of tweets for followers on several pages"
	acceptedRequest   = "a request to follow that was accepted"
	refusedRequest    = "a request to follow that was refused"
	withdrawnRequest  = "a request to follow that was withdrawn"
	blockedMeanwhile  = "something told of a user, or under way, whom the told blocked"
	unblocked         = "a block that was taken back"
	barredAct         = "an act or a mention that a block refused"
	picturedTweet     = "a picture of a tweet"
	pictureLeft       = "a picture that its owner kept when its tweet was deleted"
	uploadAndGone     = "an upload that its owner deleted"
	openRequest       = "a request to follow that is open at the end"
	moreFollowers     = "a list of followers that has the newest ones alone"
	contendedList     = "a list of followers that several processes wrote at once"
	begunTalk         = "a message that began a conversation, or came to a former one"
	begunAgain        = "a conversation that a user began who had refused it"
	sentMessage       = "a message in a conversation"
	sentAtOnce        = "a message that was sent while others did something there"
	refusedMessage    = "an act in a conversation that the actor may not do"
	reactedToMessage  = "a reaction to a message"
	reactedAtOnce     = "a reaction to a message that its author took back at once"
	tookBack          = "a message that was taken back"
	hidMessage        = "a message that a user deleted for themselves"
	renamedTalk       = "a conversation that got a name"
	acceptedTalk      = "a conversation that was accepted"
	refusedTalk       = "a conversation that was refused"
	refusedAtOnce     = "a conversation that was refused while the stranger wrote"
	barredTalk        = "a request of the blocked that a list left out"
	clearedTalk       = "a conversation that a user deleted for themselves"
	clearedAtOnce     = "a conversation that a user deleted while another wrote"
	leftTalk          = "a conversation that a user left"
	leftAtOnce        = "a conversation that a user left while all others did"
	erasedTalker      = "a user who wrote messages and deleted the account"
	picturedMessage   = "a picture in a message"
	pictureTakenBack  = "a picture in a message that was taken back"
	readMessages      = "a mark of read messages"
	comparedTalk      = "a conversation as a user saw it"
	olderPart         = "an older part of the messages of a conversation"
	foundMessage      = "a message that a search found"
	subscribed        = "a user who subscribed to the posts of another"
	toldOfPost        = "a post of which a subscriber is told"
	changedPolicy     = "a user who changed the policy about notifications of strangers"
	filteredEvent     = "a notification in the requests at the end"
	acceptedSender    = "a request of notifications that was accepted"
	dismissedSender   = "a request of notifications that was dismissed"
	orderThatWas      = "an order that was " // and its state at the end
)

// faultCoverage counts the faults that occurred in all histories of a run.
type faultCoverage struct {
	mu       sync.Mutex
	occurred map[string]int
	steps    int // of histories that came to their end
}

// Steps after which a fault must have occurred. A common one occurs at least 25 times in so many, or once in each
// history, so that chance alone is no reason for its absence; a rare one can miss from few histories, and twenty times
// as many have it as often.
const (
	enough = 450
	many   = 20 * enough
)

func (in *faultCoverage) add(what string, times int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.occurred[what] += times
}

func (in *faultCoverage) end(steps int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.steps += steps
}

// check fails the test for every fault that did not occur: histories without a fault prove nothing about it.
func (in *faultCoverage) check(t *testing.T) {
	t.Helper()
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.steps < enough {
		return // few were asked for, or others failed and say so
	}
	want := []string{
		duplicatedEvent, lostAttempt, lostEvent, lostAnswer, killedProcess, refusedAct, refusedReply, postedDraft,
		acceptedRequest, comparedTalk, foundMessage, erasedTalker,
		blockedMeanwhile, moreFollowers, contendedList,
		orderThatWas + string(model.OrderConfirmed), orderThatWas + string(model.OrderRejected),
	}
	if in.steps >= many {
		want = append(want,
			lateFunction, frozenProcess, monthsEnd, rolledUp, spilledMonth, followersMonth,
			editedTweet, editedAndGone, takenTag, otherAudience, flaggedTweet, quotedAndGone, withdrawnQuote,
			waitingReply, approvedReply, outdatedReply,
			keptAndGone, votedAndGone, endedPoll, answeredAndGone,
			sharedTweet, sharedMeanwhile, unsharedMeanwhile, hiddenShare, mutedUser, unlikedTweet, underWay,
			unwanted, refusedRequest,
			withdrawnRequest, openRequest, unblocked, barredAct, picturedTweet, pictureLeft, uploadAndGone,
			begunTalk, begunAgain, sentMessage, sentAtOnce, refusedMessage, reactedToMessage, reactedAtOnce, tookBack,
			hidMessage, renamedTalk, acceptedTalk, refusedTalk, refusedAtOnce, barredTalk, clearedTalk,
			clearedAtOnce, leftTalk, leftAtOnce,
			readMessages, picturedMessage, pictureTakenBack, olderPart, subscribed, toldOfPost,
			changedPolicy, filteredEvent, acceptedSender, dismissedSender,
			orderThatWas+string(model.OrderCancelled), orderThatWas+string(model.OrderShipped),
		)
	}
	for _, f := range functions.Table {
		switch f.Name {
		case "ContinueCleanUp", "ContinuePostRun": // only for work that one step does not end
		case "RollUpAgain": // only if a process is killed at one moment
		// where many things come together
		case "PropagateProfile", "OverflowBucket", "QuoteWithdrawn":
			if in.steps >= many {
				want = append(want, f.Name)
			}
		// nobody exports, migrates, or links to a page; see their packages, TestLinkCards, and TestMigration in scale
		case "Export", "Migrate", "FetchLink", "VerifyFields":
		// federation is off; fediverse has histories of its own
		case "Deliver", "HandleActivity", "MoveFollowers", "PurgeDomain":
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
	h.seen.end(*steps)
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
	for _, u := range h.world.users {
		for id := range h.world.tweets {
			h.seen.add(hiddenShare, len(h.world.broughtBy(u, id, true)))
		}
	}
	h.seen.add(openRequest, len(h.world.requests))
	h.seen.add(editedTweet, int(h.world.count(func(_ model.TweetID, t *tweet) bool { return len(t.former) > 0 })))
	h.seen.add(flaggedTweet, int(h.world.count(func(_ model.TweetID, t *tweet) bool { return t.flagged })))

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
