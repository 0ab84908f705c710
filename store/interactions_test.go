package store_test

import (
	"testing"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Who may like and reply to a tweet of ann's. A refusal is "" where they may.
func TestInteractions(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "followed", "stranger", "blocked")
	must(t, e.Follow(t.Context(), "ann", "followed"))
	must(t, e.Follow(t.Context(), "ann", "blocked"))
	must(t, e.Follow(t.Context(), "stranger", "ann")) // that they follow ann is not enough
	must(t, e.Block(t.Context(), "ann", "blocked"))
	must(t, e.Block(t.Context(), "stranger", "ann")) // nor does it matter whom they block
	tests := []struct {
		strangersBlocked, likes, replies bool
		actor                            model.UserID
		like, reply                      string
	}{
		{false, true, true, "stranger", "", ""},
		{false, true, true, "followed", "", ""},
		{false, true, true, "blocked", "blocked", "blocked"},
		{false, true, true, "ann", "", ""},
		{true, true, true, "stranger", "strangers_blocked", "strangers_blocked"},
		{true, true, true, "followed", "", ""},
		{true, true, true, "blocked", "blocked", "blocked"},
		{true, true, true, "ann", "", ""},
		{false, false, true, "stranger", "likes_not_allowed", ""},
		{false, true, false, "stranger", "", "replies_not_allowed"},
		{true, false, false, "stranger", "strangers_blocked", "strangers_blocked"},
		{true, false, false, "followed", "likes_not_allowed", "replies_not_allowed"},
		{false, false, false, "ann", "likes_not_allowed", "replies_not_allowed"}, // it is the tweet that takes none
	}
	for _, test := range tests {
		must(t, e.UpdateUser(t.Context(), "ann", store.UserPatch{BlockStrangers: &test.strangersBlocked}))
		tweet := e.draft(t, "ann", model.Draft{Content: "x", AllowLikes: test.likes, AllowReplies: test.replies})
		for _, cached := range []bool{false, true} { // there are two ways to read a tweet and its author
			if cached {
				must(t, e.Exists(t.Context(), tweet.ID))
			}
			check := func(action, want string, err error) {
				t.Helper()
				switch {
				case want == "" && err != nil:
					t.Errorf("%+v, tweet cached %v: %s: %v", test, cached, action, err)
				case want != "" && (errs.KindOf(err) != errs.Forbidden || errs.CodeOf(err) != want):
					t.Errorf("%+v, tweet cached %v: %s: %v, want %s", test, cached, action, err, want)
				}
			}
			check("like", test.like, e.Like(t.Context(), test.actor, tweet.ID))
			_, err := e.CreateTweet(t.Context(), test.actor, model.Draft{Content: "re", ReplyTo: &tweet.ID}, store.Request{})
			check("reply", test.reply, err)
		}
		wantLiked := test.like == ""
		if got := e.doc(t, "likes/"+model.ReactionKey(test.actor, tweet.ID)) != nil; got != wantLiked {
			t.Errorf("%+v: there is a like: %v", test, got)
		}
	}
	must(t, e.Unblock(t.Context(), "ann", "blocked"))
	must(t, e.Like(t.Context(), "blocked", e.tweet(t, "ann", "again").ID))
}
