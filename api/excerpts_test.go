package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// A notification shows the beginning of what it is about, as long as its reader may see that.
func TestExcerpts(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	liked := e.post(t, ann, map[string]any{"content": "Sparks **fly**\n\n* over the [river](https://example.com) " +
		strings.Repeat("x", 200)})
	warned := e.post(t, ann, map[string]any{"content": "she dies", "summary": "the end of the film"})
	reply := e.post(t, bob, map[string]any{"content": "no\nway", "replyTo": liked.ID, "visibility": "followers"})
	quote := e.post(t, bob, map[string]any{"content": "see below", "quoteOf": liked.ID})
	first := e.post(t, bob, map[string]any{"content": "first @ann"})
	mention := e.post(t, bob, map[string]any{"content": "psst @ann", "visibility": "mentioned"})
	at := noon(1)
	notificationEvent := func(after time.Duration, kind model.NotificationKind, p model.NotificationEventPayload) {
		t.Helper()
		p.UserID = bob.id
		e.notify(t, model.NewNotificationEvent(string(kind)+string(p.TweetID), kind, ann.id, p, at.Add(after*time.Second)))
	}
	notificationEvent(0, model.NotificationFollow, model.NotificationEventPayload{})
	notificationEvent(1, model.NotificationMention, model.NotificationEventPayload{TweetID: mention.ID})
	notificationEvent(0, model.NotificationMention, model.NotificationEventPayload{TweetID: first.ID})
	notificationEvent(2, model.NotificationQuote, model.NotificationEventPayload{TweetID: quote.ID, QuoteOf: liked.ID})
	notificationEvent(3, model.NotificationReply, model.NotificationEventPayload{TweetID: reply.ID, ReplyTo: liked.ID})
	notificationEvent(4, model.NotificationShare, model.NotificationEventPayload{TweetID: warned.ID})
	notificationEvent(5, model.NotificationLike, model.NotificationEventPayload{TweetID: liked.ID})
	type excerpts = map[string]string
	list := func(extra int64) excerpts {
		t.Helper()
		var page server.List[api.Notification]
		r := e.do(t, "GET", "/v1/notifications?pageSize=100", ann.token, nil).want(t, http.StatusOK, &page)
		// The list, the graph, the tweets and bob's profile, which may be cached.
		most := meter.Counts{Reads: 1 + 1 + 5 + extra + 1}
		if got := r.cost(t); got.Reads < 1 || got.Reads > most.Reads || got.Writes > 0 {
			t.Errorf("the page costs %+v, want %+v at most", got, most)
		}
		got := excerpts{}
		for _, n := range page.Items {
			kind, _, _ := strings.Cut(n.Slot, ":")
			if got[kind] = "none"; n.Excerpt != nil {
				got[kind] = fmt.Sprintf("%s by %s: %s", n.Excerpt.TweetID, n.Excerpt.AuthorID, n.Excerpt.Text)
				if n.Excerpt.IsSummary != (kind == "share") {
					t.Errorf("the excerpt of a %s is of a summary %v", kind, n.Excerpt.IsSummary)
				}
			}
		}
		return got
	}
	check := func(what string, want, got excerpts) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("excerpts %s (-want +got):\n%s", what, diff)
		}
	}
	excerpt := func(tweet api.Tweet, text string) string {
		return fmt.Sprintf("%s by %s: %s", tweet.ID, tweet.AuthorID, text)
	}
	shown := "Sparks fly over the river "
	want := excerpts{
		"follow": "none", "like": excerpt(liked, shown+strings.Repeat("x", model.MaxExcerpt-len(shown))),
		"share": excerpt(warned, "the end of the film"),
		"reply": excerpt(reply, "no way"), "quote": excerpt(quote, "see below"), "mention": excerpt(mention, "psst @ann"),
	}
	check("at first", want, list(0))
	var page server.List[api.Notification]
	r := e.do(t, "GET", "/v1/notifications", ann.token, nil).want(t, http.StatusOK, &page)
	if got := r.cost(t); got.Reads > 3 { // the list, the graph, and changes of tweets
		t.Errorf("the page costs %+v with tweets and profiles in the cache", got)
	}

	// What is taken from its reader goes from the notification at once.
	e.do(t, "PATCH", "/v1/tweets/"+string(mention.ID), bob.token, map[string]any{"content": "psst"}).
		want(t, http.StatusOK, nil)
	e.do(t, "PATCH", "/v1/tweets/"+string(quote.ID), bob.token, map[string]any{"visibility": "followers"}).
		want(t, http.StatusOK, nil)
	for _, id := range []model.TweetID{reply.ID, warned.ID} { // its author still sees one of the two
		testenv.Must(t, e.db.Tweets.Flag(t.Context(), id, true))
	}
	want["mention"], want["quote"], want["reply"] = "none", "none", "none"
	check("of what is hidden", want, list(1))
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/follow", ann.token, nil).want(t, http.StatusOK, nil)
	want["quote"] = excerpt(quote, "see below")
	check("for a follower", want, list(1))
	e.do(t, "DELETE", "/v1/tweets/"+string(liked.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	want["like"] = "none"
	check("of what is gone", want, list(1))
}
