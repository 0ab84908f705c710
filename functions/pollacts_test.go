package functions_test

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// endPolls lets all polls end, and two ticks tell of it at once, with the clock of a week later.
// One of them is cut off somewhere. When both are over, nobody is left to be told.
func (h *history) endPolls(o store.Options) {
	h.t.Helper()
	o.Now = func() time.Time { return h.now().Add(model.MaxPollMinutes*time.Minute + 2*model.PollReconciles) }
	ticks := []*store.Store{openAPI(h.t, h.stack.Project, o), openAPI(h.t, h.stack.Project, o)}
	left := int64(h.rng.IntN(8))
	var looks atomic.Int64
	overs := []func() bool{func() bool { return looks.Add(1) > left }, func() bool { return false }}
	for _, err := range testenv.AtOnce(len(ticks), func(i int) error {
		_, err := ticks[i].NotificationEvents.NotifyPolls(h.t.Context(), overs[i], nil)
		return err
	}) {
		h.must(err)
	}
	h.must(testenv.Patiently(func() error {
		ended, err := ticks[0].NotificationEvents.NotifyPolls(h.t.Context(), overs[1], nil)
		if ended > 0 {
			h.t.Errorf("%d polls had ended still", ended)
		}
		return err
	}))
	h.seen.add(endedPoll, h.world.pollsEnded())
}

// pollsEnded notes that the authors of polls are told that they ended, and so is who voted and may
// see the poll. It returns how many are told.
func (w *world) pollsEnded() (told int) {
	for id, t := range w.tweets {
		if t.doc.Poll == nil || t.flagged {
			continue
		}
		w.pollEnded(t, t.author)
		for voter := range t.votes {
			if w.sees(voter, id) {
				w.pollEnded(t, voter)
				told++
			}
		}
	}
	return told
}

func (w *world) pollEnded(t *tweet, notified model.UserID) {
	n := &told{kind: model.NotificationPoll, to: notified, by: t.author, groupKey: "poll:" + string(t.doc.ID),
		at: []time.Time{t.doc.Poll.ClosesAt}}
	n.wanted = w.wants(n)
	w.underWay = append(w.underWay, n)
}

// vote chooses an option in the poll of a tweet that is not flagged.
func (h *history) vote(ctx context.Context, u model.UserID, id model.TweetID, option int) {
	tw := h.world.tweets[id]
	if tw.doc.Poll == nil {
		return
	}
	err := testenv.Patiently(func() error { _, err := h.store.Polls.Vote(ctx, u, id, option); return err })
	want := ""
	switch was := tw.votes[u]; {
	case !h.world.sees(u, id):
		want = "tweet_not_found"
	case !h.lets(u, id):
		want = "not_allowed"
	case u == tw.author:
		want = "own_poll"
	case was != 0 && was != option:
		want = "already_voted"
	}
	if err != nil && errs.CodeOf(err) == want {
		return
	}
	h.must(err)
	if want != "" {
		h.t.Errorf("%s voted in %s of %s, want %s", u, id, tw.author, want)
	}
	tw.votes[u] = option
}
