package model_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// A client without policies sends back allowReplies as it read it, and closes nothing and opens nothing by that.
func TestPolicyPatched(t *testing.T) {
	t.Parallel()
	const all, some, no = model.PolicyEverybody, model.PolicyFollowers, model.PolicyNobody
	tests := []struct {
		is    model.Policy
		allow *bool
		to    *model.Policy
		want  model.Policy
	}{
		{all, nil, nil, all}, {some, nil, nil, some}, {no, nil, nil, no},
		{all, new(true), nil, all}, {some, new(true), nil, some}, {no, new(true), nil, all},
		{all, new(false), nil, no}, {some, new(false), nil, no}, {no, new(false), nil, no},
		{all, nil, new(some), some}, {some, new(false), new(all), all}, {all, new(true), new(no), no},
	}
	for _, test := range tests {
		got := test.is.Patched(test.allow, test.to)
		if got != test.want {
			t.Errorf("%+v: %s, want %s", test, got, test.want)
		}
		if stored := model.PolicyOf(got.Stored()); stored != got {
			t.Errorf("%s is stored as %s", got, stored)
		}
	}
}

// An unknown policy is refused, and one that a later version stored admits the author alone.
func TestUnknownPolicy(t *testing.T) {
	t.Parallel()
	for _, d := range []model.Draft{{Content: "x", ReplyPolicy: "friends"},
		{Content: "x", DenyQuotes: true, QuotePolicy: "nobody"}} {
		if err := d.Validate(); errs.CodeOf(err) != "invalid_policy" {
			t.Errorf("%+v: %v", d, err)
		}
	}
	later := &model.Tweet{AuthorID: "ann", Visibility: model.Public, ReplyPolicy: "friends", DenyQuotes: true,
		QuotePolicy: "friends", ReplyToAuthorID: "bob"}
	for actor, may := range map[model.UserID]bool{"ann": true, "bob": false} {
		all := model.ViewerRelationship{Followed: true, Follows: true}
		if err := model.MayReply(actor, later, &model.User{}, all); (err == nil) != may {
			t.Errorf("%s replies: %v", actor, err)
		}
		if err := model.MayQuote(actor, later, &model.User{}, all); (err == nil) != may {
			t.Errorf("%s quotes: %v", actor, err)
		}
	}
}

// A policy that says less than the field of before it is dropped, and an edit keeps or changes it.
func TestPolicyOfTweet(t *testing.T) {
	t.Parallel()
	author := &model.User{ID: "ann"}
	tweet, detail, err := model.NewTweet("0000000000000000aa", author, nil, model.Draft{Content: "x", AllowReplies: true,
		ReplyPolicy: model.PolicyFollowers, DenyQuotes: true, QuotePolicy: model.PolicyMentioned})
	if err != nil || tweet.ReplyPolicy != "" || tweet.Replies() != model.PolicyEverybody ||
		tweet.Quotes() != model.PolicyMentioned || tweet.Preview().QuotePolicy != model.PolicyMentioned {
		t.Fatalf("tweet = %+v, %v", tweet, err)
	}
	for _, step := range []struct {
		patch           model.TweetPatch
		replies, quotes model.Policy
		revision        int
	}{
		{model.TweetPatch{Content: new("y")}, model.PolicyEverybody, model.PolicyMentioned, 1},
		{model.TweetPatch{QuotePolicy: new(model.PolicyMentioned)}, model.PolicyEverybody, model.PolicyMentioned, 1},
		{model.TweetPatch{ReplyPolicy: new(model.PolicyFollowing)}, model.PolicyFollowing, model.PolicyMentioned, 2},
		{model.TweetPatch{AllowReplies: new(true)}, model.PolicyFollowing, model.PolicyMentioned, 2},
		{model.TweetPatch{AllowQuotes: new(false)}, model.PolicyFollowing, model.PolicyNobody, 3},
		{model.TweetPatch{AllowQuotes: new(true)}, model.PolicyFollowing, model.PolicyEverybody, 4},
	} {
		after, d, before, err := tweet.Edit(*detail, step.patch, tweet.CreatedAt)
		if err != nil || after.Replies() != step.replies || after.Quotes() != step.quotes || after.Revision != step.revision {
			t.Errorf("after %+v: %s, %s, revision %d, %v", step.patch, after.Replies(), after.Quotes(), after.Revision, err)
		}
		if before != nil && (before.ReplyPolicy != tweet.ReplyPolicy || before.QuotePolicy != tweet.QuotePolicy) {
			t.Errorf("the revision has the policies %q and %q", before.ReplyPolicy, before.QuotePolicy)
		}
		tweet, detail = after, &d
	}
	if is := tweet.FromText(*detail); is.Replies() != tweet.Replies() || is.Quotes() != tweet.Quotes() {
		t.Errorf("from its text the tweet has the policies %s and %s", is.Replies(), is.Quotes())
	}
}

// An edit by an instance that does not know a tweet's policy keeps it, and does not bring it back.
func TestEditKeepsUnknownPolicy(t *testing.T) {
	t.Parallel()
	later := &model.Tweet{AuthorID: "ann", Visibility: model.Public, ReplyPolicy: "friends", DenyQuotes: true,
		QuotePolicy: "friends"}
	is := model.TweetDetail{Content: "a spark"}
	after, _, _, err := later.Edit(is, model.TweetPatch{Content: new("edited")}, time.Unix(1, 0))
	if err != nil || after.ReplyPolicy != "friends" || after.QuotePolicy != "friends" {
		t.Errorf("an edit of the text leaves %+v, %v", after, err)
	}
	_, _, _, err = later.Edit(is, model.TweetPatch{ReplyPolicy: new(model.Policy("foes"))}, time.Unix(1, 0))
	if errs.CodeOf(err) != "invalid_policy" {
		t.Errorf("an edit to an unknown policy: %v", err)
	}
}
