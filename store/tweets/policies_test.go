package tweets_test

import (
	"context"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestPolicies replies to tweets of ann's and quotes them, as everybody whom a policy may mean: with the document of
// ann's graph, and without it. Only a policy for followers costs a read more.
func TestPolicies(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "follower", "followed", "named", "stranger")
	testenv.Must(t, e.Graph.Follow(t.Context(), "follower", "ann"))
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "followed"))
	tests := []struct {
		policy                                   model.Policy
		ann, follower, followed, named, stranger string // r may reply, and q may quote
	}{
		{model.PolicyEverybody, "rq", "rq", "rq", "rq", "rq"},
		{model.PolicyFollowers, "rq", "rq", "", "r", ""},
		{model.PolicyFollowing, "rq", "", "rq", "r", ""},
		{model.PolicyMentioned, "rq", "", "", "rq", ""},
		{model.PolicyNobody, "rq", "", "", "", ""},
	}
	for _, whole := range []bool{true, false} {
		if !whole {
			_, err := e.Raw.Doc("viewers/ann").Delete(t.Context())
			testenv.Must(t, err)
		}
		for _, test := range tests {
			allow, limited := test.policy.Stored()
			id := e.Draft(t, "ann", model.Draft{Content: "to @named_u", AllowReplies: allow, ReplyPolicy: limited,
				DenyQuotes: !allow, QuotePolicy: limited}).ID
			for actor, want := range map[model.UserID]string{"ann": test.ann, "follower": test.follower,
				"followed": test.followed, "named": test.named, "stranger": test.stranger} {
				got := ""
				for act, d := range map[string]model.Draft{"r": {Content: "x", ReplyTo: &id}, "q": {Content: "x", QuoteOf: id}} {
					switch _, err := e.Tweets.CreateTweet(t.Context(), actor, d, model.Request{}); {
					case err == nil && act == "r":
						got = act + got
					case err == nil:
						got += act
					case errs.CodeOf(err) != "not_allowed":
						t.Errorf("%s, %s: %v", test.policy, actor, err)
					}
				}
				if got != want {
					t.Errorf("%s, whole graph %v: %s may %q, want %q", test.policy, whole, actor, got, want)
				}
			}
		}
	}
}

// TestPolicyCosts replies to tweets of a user whose graph is one document.
func TestPolicyCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	e.Tweet(t, "bob", "the process remembers the profile")
	for policy, reads := range map[model.Policy]int64{model.PolicyEverybody: 2, model.PolicyFollowing: 2,
		model.PolicyFollowers: 3} {
		allow, limited := policy.Stored()
		id := e.Draft(t, "ann", model.Draft{Content: "x", AllowReplies: allow, ReplyPolicy: limited,
			DenyQuotes: !allow, QuotePolicy: limited}).ID
		for _, d := range []model.Draft{{Content: "x", ReplyTo: &id}, {Content: "x", QuoteOf: id}} {
			err := storetest.Costs(t, "CreateTweet with the policy "+string(policy), reads, 2, 0,
				func(ctx context.Context) error {
					_, err := e.Tweets.CreateTweet(ctx, "bob", d, model.Request{})
					return err
				})
			testenv.Must(t, err)
		}
	}
}

// An edit writes and removes policies, and its revision has the former ones.
func TestEditPolicies(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	id := e.Draft(t, "ann", model.Draft{Content: "x", AllowReplies: true}).ID
	path := "tweets/" + string(id)
	for _, to := range []model.Policy{model.PolicyFollowers, model.PolicyEverybody, model.PolicyMentioned,
		model.PolicyNobody} {
		_, err := e.Edits.Edit(t.Context(), "ann", id, model.TweetPatch{ReplyPolicy: &to, QuotePolicy: &to}, nil)
		testenv.Must(t, err)
		is, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{})
		testenv.Must(t, err)
		_, limited := to.Stored()
		if doc := e.Doc(t, path); is.Replies() != to || is.Quotes() != to || (doc["replyPolicy"] != nil) != (limited != "") ||
			(doc["quotePolicy"] != nil) != (limited != "") {
			t.Errorf("after an edit to %s the document is %v", to, doc)
		}
	}
	all, _, err := e.Edits.Revisions(t.Context(), id, 0, 10)
	testenv.Must(t, err)
	if len(all) != 4 || all[1].ReplyPolicy != model.PolicyFollowers || all[1].QuotePolicy != model.PolicyFollowers ||
		all[3].ReplyPolicy != model.PolicyMentioned || all[2].ReplyPolicy != "" || !all[2].AllowReplies {
		t.Errorf("revisions = %+v", all)
	}
}
