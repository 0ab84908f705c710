package functions_test

import (
	"context"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

// heldReply is a reply that waits for approval.
type heldReply struct {
	author, root model.UserID // root is the user who approves it
	parent       model.TweetID
	draft        model.Draft
	named        model.UserID // whom the draft names, or nobody
}

// hold switches whether replies of strangers in new threads of a user wait.
func (h *history) hold(ctx context.Context, u model.UserID, on bool) {
	to := model.HoldNobody
	if on {
		to = model.HoldStrangers
	}
	h.must(testenv.Patiently(func() error { return h.store.Users.UpdateUser(ctx, u, model.UserPatch{HoldReplies: &to}) }))
	h.world.holds[u] = on
}

// waits reports whether a reply of a user to a tweet waits, and for whom. barred says that the user who would
// approve it blocks the other.
func (w *world) waits(u model.UserID, parent model.TweetID) (holder model.UserID, barred bool) {
	t := w.tweets[parent]
	root := w.tweets[t.doc.RootID]
	switch {
	case t.heldBy == "", t.heldBy == u, root == nil, t.author == t.heldBy && (t.mentions == u ||
		t.doc.ReplyTo != nil && t.doc.ReplyToAuthorID == u):
		return "", false
	case t.doc.ReplyTo != nil && w.blocks[[2]model.UserID{t.heldBy, u}]:
		return t.heldBy, true
	case root.mentions == u, w.follows[[2]model.UserID{t.heldBy, u}] != nil:
		return "", false
	}
	return t.heldBy, false
}

// wait notes that a reply waits, if it has to. It returns false for one that should be a tweet.
func (h *history) wait(p tweets.Posted, err error, reply heldReply) bool {
	holder, _ := h.world.waits(reply.author, reply.parent)
	if holder == "" {
		if p.Held != nil {
			h.t.Errorf("a reply of %s to %s waits, and need not", reply.author, reply.parent)
		}
		return false
	}
	reply.root = holder
	from := 0
	for _, r := range h.world.held {
		if r.author == reply.author && r.root == holder {
			from++
		}
	}
	if from >= model.MaxHeldFrom {
		if errs.CodeOf(err) != "too_many_held_replies" {
			h.t.Errorf("%s has %d replies that wait, and one more: %v", reply.author, from, err)
		}
		return true
	}
	h.must(err)
	if p.Held == nil {
		h.t.Errorf("a reply of %s to %s does not wait for %s: %s", reply.author, reply.parent, holder, p.ID)
		return true
	}
	h.seen.add(waitingReply, 1)
	h.world.held[p.Held.ID] = &reply
	return true
}

// approve lets two processes approve a reply at once, and refuse or withdraw it if it cannot be posted any more.
func (h *history) approve(ctx context.Context, id string) {
	r := h.world.held[id]
	var posted [2]*tweets.FullTweet
	failures := testenv.AtOnce(len(posted), func(i int) error {
		s := []*store.Store{h.store, h.stack.Store}[i]
		return testenv.Patiently(func() (err error) {
			posted[i], err = s.HeldReplies.Approve(ctx, r.root, id)
			return err
		})
	})
	const gone = "held_reply_not_found"
	want := h.refusal(r)
	if want != "" {
		for _, err := range failures {
			if errs.CodeOf(err) != want {
				h.t.Errorf("an approval of a reply of %s to %s by %s: %v, want %s", r.author, r.parent, r.root, err, want)
			}
		}
		h.seen.add(outdatedReply, 1)
		h.refuseHeld(ctx, id)
		return
	}
	var made *tweets.FullTweet
	switch {
	case failures[0] == nil && failures[1] == nil:
		h.t.Errorf("a reply was posted as %s and %s", posted[0].ID, posted[1].ID)
		return
	case failures[0] == nil:
		made = posted[0]
	case failures[1] == nil:
		made = posted[1]
	case errs.CodeOf(failures[0]) == gone && errs.CodeOf(failures[1]) == gone:
		made = h.unknown(ctx, r.author) // the commit of one of them happened, and seemed to fail
	default:
		h.must(failures[0])
	}
	for _, err := range failures {
		if err != nil && errs.CodeOf(err) != gone {
			h.t.Errorf("the second of two approvals: %v", err)
		}
	}
	h.seen.add(approvedReply, 1)
	delete(h.world.held, id)
	h.posted(r.author, &r.parent, r.draft, r.named, made)
}

// refusal is the code of the error of an approval at the moment; empty if the reply may be posted.
func (h *history) refusal(r *heldReply) string {
	t := h.world.tweets[r.parent]
	switch {
	case h.world.blocks[[2]model.UserID{r.root, r.author}]:
		return "author_blocked"
	case t == nil:
		return "tweet_deleted"
	case t.flagged, !h.world.sees(r.author, r.parent), !h.admitsReply(r.author, r.parent):
		return "held_reply_refused"
	case h.tooWide(&r.parent, r.draft.Visibility):
		return "visibility_too_wide"
	}
	return ""
}

// refuseHeld lets the user refuse a reply who may approve it, or its author withdraw it.
func (h *history) refuseHeld(ctx context.Context, id string) {
	r := h.world.held[id]
	by := []model.UserID{r.root, r.author}[h.rng.IntN(2)]
	err := testenv.Patiently(func() error { return h.store.HeldReplies.Remove(ctx, by, id) })
	if errs.CodeOf(err) != "held_reply_not_found" { // by a try that seemed to fail
		h.must(err)
	}
	delete(h.world.held, id)
}

// pickHeld picks a reply that waits.
func (h *history) pickHeld() (string, bool) {
	ids := slices.Sorted(maps.Keys(h.world.held))
	if len(ids) == 0 {
		return "", false
	}
	return pick(h.rng, ids), true
}

// compareHeld compares what waits for whom, and which tweets hold replies.
func (h *history) compareHeld() {
	h.t.Helper()
	for _, u := range h.world.users {
		page, err := h.store.HeldReplies.To(h.t.Context(), u, model.Cursor{}, model.MaxHeldTo)
		h.must(err)
		got := map[string]string{}
		for _, r := range page.Items {
			got[r.ID] = string(r.AuthorID) + ": " + r.Content
		}
		want := map[string]string{}
		for id, r := range h.world.held {
			if r.root == u {
				want[id] = string(r.author) + ": " + r.draft.Content
			}
		}
		if !maps.Equal(got, want) {
			h.t.Errorf("the replies %v wait for %s, want %v", got, u, want)
		}
	}
	if got := h.ids(model.HeldReplies); len(got) != len(h.world.held) {
		h.t.Errorf("%d replies wait, want %d", len(got), len(h.world.held))
	}
}
