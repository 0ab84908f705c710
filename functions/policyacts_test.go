package functions_test

import (
	"context"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// fold lets the author of a thread's root hide a reply in it, or show it again.
func (h *history) fold(ctx context.Context, id model.TweetID) {
	t := h.world.tweets[id]
	root := h.world.tweets[t.doc.RootID]
	if t.doc.ReplyTo == nil || root == nil {
		return
	}
	folded := h.rng.IntN(3) > 0
	err := testenv.Patiently(func() error { return h.store.Tweets.Fold(ctx, root.author, id, folded) })
	if h.mayAct(err, root.author, id, true) {
		t.folded = folded
	}
}

// withdrawQuote lets the author of a quoted tweet withdraw it from a quote. Two processes do it at once.
func (h *history) withdrawQuote(ctx context.Context, id model.TweetID) {
	t := h.world.tweets[id]
	quoted := h.world.tweets[t.doc.QuoteOf]
	if quoted == nil {
		return
	}
	failures := testenv.AtOnce(2, func(i int) error {
		s := []*store.Store{h.store, h.stack.Store}[i]
		return testenv.Patiently(func() error {
			return s.Tweets.WithdrawQuote(ctx, quoted.author, t.doc.QuoteOf, id)
		})
	})
	for _, err := range failures {
		h.must(err) // also of a quote that the author of the quoted tweet does not see
	}
	h.seen.add(withdrawnQuote, 1)
	h.world.gone(quoted.author, "quote:"+string(t.doc.QuoteOf), t.author, id)
	doc := *t.doc
	doc.QuoteOf, doc.QuoteOfAuthorID, doc.WithdrawnQuote = "", "", doc.QuoteOf
	t.doc = &doc
}

// policies are those that authors choose, half of them everybody.
var policies = []model.Policy{model.PolicyEverybody, model.PolicyEverybody, model.PolicyEverybody,
	model.PolicyEverybody, model.PolicyFollowers, model.PolicyFollowing, model.PolicyMentioned, model.PolicyNobody}

// letsReply reports whether the author of a tweet that a user sees lets the user reply.
func (h *history) letsReply(u model.UserID, id model.TweetID) bool {
	_, barred := h.world.waits(u, id)
	return h.admitsReply(u, id) && !barred
}

// admitsReply is letsReply for an author who does not care for the author of the thread's root.
func (h *history) admitsReply(u model.UserID, id model.TweetID) bool {
	t := h.world.tweets[id]
	addressed := t.mentions == u || t.doc.ReplyTo != nil && t.doc.ReplyToAuthorID == u
	policy := model.PolicyOf(t.doc.AllowReplies, t.doc.ReplyPolicy)
	admitted := h.admits(policy, u, t) || addressed && policy != model.PolicyNobody
	if !admitted {
		h.seen.add(refusedReply, 1)
	}
	return admitted && h.lets(u, id)
}

// letsQuote reports whether the author of a tweet that a user sees lets the user quote it.
func (h *history) letsQuote(u model.UserID, id model.TweetID) bool {
	t := h.world.tweets[id]
	if u == t.author {
		return true
	}
	return t.open() && h.lets(u, id) && h.admits(model.PolicyOf(!t.doc.DenyQuotes, t.doc.QuotePolicy), u, t)
}

// admits reports whether a policy of a tweet admits a user.
func (h *history) admits(p model.Policy, u model.UserID, t *tweet) bool {
	switch {
	case u == t.author, p == model.PolicyEverybody:
		return true
	case p == model.PolicyFollowers:
		return h.world.follows[[2]model.UserID{u, t.author}] != nil
	case p == model.PolicyFollowing:
		return h.world.follows[[2]model.UserID{t.author, u}] != nil
	}
	return p == model.PolicyMentioned && (t.mentions == u || t.doc.ReplyTo != nil && t.doc.ReplyToAuthorID == u)
}
