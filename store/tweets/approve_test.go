package tweets_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// A held reply is nothing but its document until it is approved. Two processes approve it at once and make one tweet of
// that moment, as its author wrote it.
func TestApprove(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root")
	d := model.Draft{Content: "look @cat_u #go", Summary: "s", Tags: []string{"x"}, ReplyTo: &root.ID, AllowLikes: true,
		DenyQuotes: true, Visibility: model.Unlisted, Language: "en",
		Poll: &model.NewPoll{Options: []string{"yes", "no"}, Minutes: 60}}
	p, err := e.Tweets.CreateTweet(t.Context(), "bob", d, model.Request{})
	testenv.Must(t, err)
	want(t, "tweets", e.IDs(t, model.Tweets), []string{string(root.ID)})
	want(t, "polls", e.IDs(t, model.Polls), []string{})
	want(t, "replies for ann", heldTo(t, e, "ann"), []string{d.Content})
	want(t, "replies by bob", heldBy(t, e, "bob"), []string{d.Content})
	want(t, "replies for bob", heldTo(t, e, "bob"), []string{})
	for _, by := range []model.UserID{"bob", "cat"} {
		_, err := e.HeldReplies.Approve(t.Context(), by, p.Held.ID)
		storetest.WantErr(t, err, errs.NotFound, "held_reply_not_found")
	}
	storetest.WantErr(t, e.HeldReplies.Remove(t.Context(), "cat", p.Held.ID), errs.NotFound, "held_reply_not_found")
	e.Clock.Add(time.Hour)
	other := e.Again(t, store.Options{Now: e.Clock.Now})
	failures := testenv.AtOnce(4, func(i int) error {
		_, err := []*store.Store{e.Store, other}[i%2].HeldReplies.Approve(t.Context(), "ann", p.Held.ID)
		return err
	})
	storetest.OnlyWinner(t, failures, errs.NotFound, "held_reply_not_found")
	replies, err := e.Tweets.Replies(t.Context(), root.ID, model.Cursor{}, 10)
	testenv.Must(t, err)
	if len(replies.Items) != 1 {
		t.Fatalf("%d replies", len(replies.Items))
	}
	is := replies.Items[0]
	if is.AuthorID != "bob" || is.Snippet != d.Content || is.Summary != "s" || is.Visibility != model.Unlisted ||
		!is.DenyQuotes || is.Poll == nil || len(is.Mentions) != 1 || is.Language != "en" || !is.AllowLikes ||
		is.RepliesHeldBy != "ann" || is.CreatedAt.Before(e.Clock.Now().Add(-time.Minute)) {
		t.Errorf("the reply is %+v", is)
	}
	want(t, "held replies", e.IDs(t, model.HeldReplies), []string{})
}

// Another process approves or refuses a reply while this one is about to approve it.
func TestApproveOvertaken(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root").ID
	for replies, act := range []func(id string) error{
		func(id string) error { return e.HeldReplies.Remove(t.Context(), "ann", id) },
		func(id string) error { _, err := e.HeldReplies.Approve(t.Context(), "ann", id); return err },
	} {
		held, err := e.Tweets.CreateTweet(t.Context(), "bob", model.Draft{ReplyTo: &root,
			Media: []model.MediaID{ready(t, e, "bob", model.MediaImage)}}, model.Request{})
		testenv.Must(t, err)
		id, once := held.Held.ID, false
		slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("heldReplies/"+id),
			func() {
				if !once {
					once = true
					testenv.Must(t, act(id))
				}
			})}})
		_, err = slow.HeldReplies.Approve(t.Context(), "ann", id)
		storetest.WantErr(t, err, errs.NotFound, "held_reply_not_found")
		page, err := e.Tweets.Replies(t.Context(), root, model.Cursor{}, 10)
		testenv.Must(t, err)
		want(t, "replies", len(page.Items), replies)
	}
}

// An approval fails if the reply could not be posted now, and then the reply still waits.
func TestApproveRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "root")
	holding(t, e, "ann")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "cat"))
	admin := moderation.Actor{UID: "root", Role: model.RoleAdministrator, Reason: "why"}
	root := e.Tweet(t, "ann", "root")
	var friend, quoted model.TweetID
	tests := []struct {
		name      string
		to, quote *model.TweetID
		do, undo  func() error
		kind      errs.Kind
		code      string
	}{
		{name: "the author is suspended", to: &root.ID, kind: errs.Conflict, code: "author_may_not_post", do: func() error {
			_, err := e.Moderation.SetAccountStatus(t.Context(), admin, "bob", model.ActSuspend)
			return err
		}, undo: func() error {
			_, err := e.Moderation.SetAccountStatus(t.Context(), admin, "bob", model.ActUnsuspend)
			return err
		}},
		{name: "the tweet takes no replies", to: &root.ID, kind: errs.Conflict, code: "held_reply_refused", do: func() error {
			_, err := e.Edits.Edit(t.Context(), "ann", root.ID, model.TweetPatch{ReplyPolicy: new(model.PolicyNobody)}, nil)
			return err
		}, undo: func() error {
			_, err := e.Edits.Edit(t.Context(), "ann", root.ID, model.TweetPatch{ReplyPolicy: new(model.PolicyEverybody)}, nil)
			return err
		}},
		{name: "the author does not see it", to: &root.ID, kind: errs.Conflict, code: "held_reply_refused", do: func() error {
			return e.Moderation.Flag(t.Context(), admin, root.ID, true, nil)
		}, undo: func() error { return e.Moderation.Flag(t.Context(), admin, root.ID, false, nil) }},
		{name: "the answered author blocks", to: &friend, kind: errs.Conflict, code: "held_reply_refused", do: func() error {
			return e.Graph.Block(t.Context(), "cat", "bob")
		}, undo: func() error { return e.Graph.Unblock(t.Context(), "cat", "bob") }},
		{name: "the answered tweet is gone", to: &friend, kind: errs.Gone, code: "tweet_deleted", do: func() error {
			return e.Tweets.DeleteTweet(t.Context(), "cat", false, friend)
		}},
		{name: "the quoted tweet is gone", to: &root.ID, quote: &quoted, kind: errs.Gone, code: "tweet_deleted",
			do: func() error { return e.Tweets.DeleteTweet(t.Context(), "cat", false, quoted) }},
		{name: "the author has left", to: &root.ID, kind: errs.Conflict, code: "held_reply_refused", do: func() error {
			_, err := e.Raw.Doc("users/bob").Delete(t.Context())
			return err
		}},
	}
	for _, test := range tests {
		friend, quoted = answer(t, e, "cat", root.ID, "friend").ID, e.Tweet(t, "cat", "quoted").ID
		d := model.Draft{Content: test.name, ReplyTo: test.to}
		if test.quote != nil {
			d.QuoteOf = *test.quote
		}
		p, err := e.Tweets.CreateTweet(t.Context(), "bob", d, model.Request{})
		testenv.Must(t, err)
		testenv.Must(t, test.do())
		e.CoolDown()
		before := len(e.IDs(t, model.Tweets))
		_, err = e.HeldReplies.Approve(t.Context(), "ann", p.Held.ID)
		t.Log(test.name)
		storetest.WantErr(t, err, test.kind, test.code)
		want(t, test.name+": replies that wait", heldTo(t, e, "ann"), []string{test.name})
		want(t, test.name+": tweets", len(e.IDs(t, model.Tweets)), before)
		if test.undo != nil {
			testenv.Must(t, test.undo())
			e.CoolDown()
			_, err = e.HeldReplies.Approve(t.Context(), "ann", p.Held.ID)
			testenv.Must(t, err)
			continue
		}
		testenv.Must(t, e.HeldReplies.Remove(t.Context(), "ann", p.Held.ID))
	}
}
