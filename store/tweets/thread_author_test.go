package tweets_test

import (
	"context"
	"errors"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestFold hides a reply and shows it again. Cached pages hear of it, an edit of the reply keeps it, and only the
// author of the thread's root may do it.
func TestFold(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	root := e.Tweet(t, "ann", "a spark")
	draft := func(to model.TweetID, a model.Audience) model.Draft {
		return model.Draft{Content: "re", ReplyTo: &to, AllowReplies: true, Visibility: a}
	}
	first := e.Draft(t, "bob", draft(root.ID, ""))
	reply, secret := e.Draft(t, "cat", draft(first.ID, "")).ID, e.Draft(t, "cat", draft(first.ID, model.Mentioned)).ID
	fold := func(by model.UserID, id model.TweetID, folded bool) func(context.Context) error {
		return func(ctx context.Context) error { return e.Tweets.Fold(ctx, by, id, folded) }
	}
	folded := func() bool {
		page, err := e.Tweets.Replies(t.Context(), first.ID, model.Cursor{}, 10)
		testenv.Must(t, err)
		return page.Items[0].Folded
	}
	for _, refused := range []struct {
		by   model.UserID
		id   model.TweetID
		code string
	}{{"bob", reply, "not_thread_author"}, {"cat", reply, "not_thread_author"}, {"ann", root.ID, "not_a_reply"},
		{"ann", secret, "tweet_not_found"}, {"ann", "0000000000000000aa", "tweet_not_found"},
		{"nobody", reply, "profile_required"}} {
		if err := fold(refused.by, refused.id, true)(t.Context()); errs.CodeOf(err) != refused.code {
			t.Errorf("%s folds %s: %v, want %s", refused.by, refused.id, err, refused.code)
		}
	}
	if folded() {
		t.Error("a refused act folded the reply")
	}
	before := e.Doc(t, "tweets/"+string(reply))["changedAt"]
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Fold", 2, 1, 0, fold("ann", reply, true)))
	if after := e.Doc(t, "tweets/"+string(reply))["changedAt"]; after == before || !folded() {
		t.Errorf("the folded reply changed at %v, before at %v", after, before)
	}
	testenv.Must(t, storetest.Costs(t, "Fold again", 2, 0, 0, fold("ann", reply, true)))
	edited, err := e.Edits.Edit(t.Context(), "cat", reply, model.TweetPatch{Content: new("edited")}, nil)
	testenv.Must(t, err)
	if !edited.Folded || !folded() {
		t.Error("an edit shows the reply again")
	}
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	testenv.Must(t, lossy.Tweets.Fold(t.Context(), "ann", reply, false))
	if doc := e.Doc(t, "tweets/"+string(reply)); doc["folded"] != nil || losses.Count() == 0 {
		t.Errorf("after %d lost answers the reply is %v", losses.Count(), doc)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, root.ID))
	if err := fold("ann", reply, true)(t.Context()); errs.CodeOf(err) != "not_thread_author" {
		t.Errorf("the root is gone: %v", err)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "cat", false, reply))
	storetest.WantErr(t, fold("ann", reply, true)(t.Context()), errs.Gone, "tweet_deleted")
}

// TestWithdrawQuote withdraws a tweet from a quote: once, whatever is repeated, and for ever.
func TestWithdrawQuote(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	of, other := e.Tweet(t, "ann", "a spark").ID, e.Tweet(t, "ann", "another").ID
	quote := func(a model.Audience) model.TweetID {
		return e.Draft(t, "bob", model.Draft{Content: "look", QuoteOf: of, Visibility: a}).ID
	}
	id, shut := quote(model.Public), quote(model.Followers)
	hidden := e.Draft(t, "bob", model.Draft{Content: "for few", Visibility: model.Followers}).ID
	withdraw := func(by model.UserID, of, id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Tweets.WithdrawQuote(ctx, by, of, id) }
	}
	for _, refused := range []struct {
		by     model.UserID
		of, id model.TweetID
		code   string
	}{{"bob", of, id, "not_author"}, {"cat", of, id, "not_author"}, {"ann", other, id, "quote_not_found"},
		{"ann", of, other, "quote_not_found"}, {"ann", of, hidden, "tweet_not_found"}, {"nobody", of, id, "profile_required"},
		{"ann", "0000000000000000aa", id, "tweet_not_found"}} {
		if err := withdraw(refused.by, refused.of, refused.id)(t.Context()); errs.CodeOf(err) != refused.code {
			t.Errorf("%s withdraws %s from %s: %v, want %s", refused.by, refused.of, refused.id, err, refused.code)
		}
	}
	testenv.Must(t, storetest.Costs(t, "WithdrawQuote", 2, 2, 0, withdraw("ann", of, id)))
	want := map[string]any{"authorId": "bob", "quoteOf": string(of), "quoteOfAuthorId": "ann"}
	event := e.Doc(t, "quoteWithdrawals/"+string(id))
	for field, value := range want {
		if event[field] != value {
			t.Errorf("the event has %s %v, want %v", field, event[field], value)
		}
	}
	testenv.Must(t, storetest.Costs(t, "WithdrawQuote again", 2, 0, 0, withdraw("ann", of, id)))
	check := func(what string) {
		t.Helper()
		is, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{})
		testenv.Must(t, err)
		if is.QuoteOf != "" || is.QuoteOfAuthorID != "" || is.WithdrawnQuote != of || is.Preview().Withdrawn != of {
			t.Errorf("%s: the quote is %+v", what, is.Tweet)
		}
	}
	check("withdrawn")
	_, err := e.Edits.Edit(t.Context(), "bob", id, model.TweetPatch{Content: new("edited")}, nil)
	testenv.Must(t, err)
	check("edited")
	page, err := e.Shares.Quotes(t.Context(), of, model.Cursor{}, 10)
	testenv.Must(t, err)
	if len(page.Items) != 1 || page.Items[0].ID != shut {
		t.Errorf("the quotes are %v", page.Items)
	}
	testenv.Must(t, storetest.Costs(t, "WithdrawQuote of a quote for followers", 2, 2, 0, withdraw("ann", of, shut)))
	if doc := e.Doc(t, "tweets/"+string(shut)); doc["quoteOf"] != nil {
		t.Errorf("the author of the quoted tweet does not see the quote, which stays: %v", doc)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "bob", false, id))
	storetest.WantErr(t, withdraw("ann", of, id)(t.Context()), errs.Gone, "tweet_deleted")
}

// TestWithdrawQuoteOnce withdraws a tweet from a quote in several processes at once, which lose answers. There is one
// event, and all succeed.
func TestWithdrawQuoteOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	of := e.Tweet(t, "ann", "a spark").ID
	id := e.Draft(t, "bob", model.Draft{Content: "look", QuoteOf: of}).ID
	losses := storetest.LoseAnswers(1, 1)
	var stores [4]*store.Store
	for i := range stores {
		stores[i] = e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	}
	for _, err := range testenv.AtOnce(len(stores), func(i int) error {
		return stores[i].Tweets.WithdrawQuote(t.Context(), "ann", of, id)
	}) {
		testenv.Must(t, err)
	}
	if events := e.IDs(t, "quoteWithdrawals"); len(events) != 1 || losses.Count() == 0 {
		t.Errorf("the events are %v, after %d lost answers", events, losses.Count())
	}

	// A deletion between the read and the commit leaves nothing behind.
	second := e.Draft(t, "bob", model.Draft{Content: "look", QuoteOf: of}).ID
	deleted := false
	before := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(
		storetest.WritesTo("quoteWithdrawals/"+string(second)), func() {
			deleted = true
			testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "bob", false, second))
		})}})
	err := before.Tweets.WithdrawQuote(t.Context(), "ann", of, second)
	if !deleted || errs.CodeOf(err) != "tweet_deleted" || len(e.IDs(t, "quoteWithdrawals")) != 1 {
		t.Error(errors.Join(errors.New("the quote was deleted meanwhile"), err), deleted, e.IDs(t, "quoteWithdrawals"))
	}
}
