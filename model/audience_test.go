package model_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// A reply has the audience of the tweet that it answers, or a narrower one.
func TestReplyAudience(t *testing.T) {
	t.Parallel()
	author := &model.User{ID: "ann"}
	ids := model.NewTweetIDs(time.Now)
	for n, parent := range model.Audiences {
		p := &model.Tweet{ID: ids.Next("bob"), AuthorID: "bob", Visibility: parent}
		for m, asked := range append([]model.Audience{""}, model.Audiences...) {
			tweet, _, err := model.NewTweet(ids.Next("ann"), author, p, model.Draft{Content: "re", ReplyTo: &p.ID,
				Visibility: asked})
			switch want := asked; {
			case m-1 > n:
				if errs.KindOf(err) != errs.Invalid || errs.CodeOf(err) != "visibility_too_wide" {
					t.Errorf("a reply for %s to a tweet for %s: %v", asked, parent, err)
				}
			case err != nil:
				t.Errorf("a reply for %q to a tweet for %s: %v", asked, parent, err)
			default:
				if asked == "" {
					want = parent
				}
				if tweet.Visibility != want {
					t.Errorf("a reply for %q to a tweet for %s is for %s", asked, parent, tweet.Visibility)
				}
			}
		}
	}
	if _, _, err := model.NewTweet(ids.Next("ann"), author, nil,
		model.Draft{Content: "x", Visibility: "friends"}); errs.CodeOf(err) != "invalid_visibility" {
		t.Errorf("an audience that does not exist: %v", err)
	}
	if err := model.MayWiden(model.Mentioned, nil); errs.CodeOf(err) != "visibility_too_wide" {
		t.Errorf("a reply to a tweet that is gone: %v", err)
	}
}

// No list of a tag and no count of one has a tweet that is not public. The tweet itself and
// its preview have the tags nevertheless.
func TestUnlistedTags(t *testing.T) {
	t.Parallel()
	id := model.NewTweetIDs(time.Now).Next("ann")
	for _, audience := range model.Audiences {
		tweet, detail, err := model.NewTweet(id, &model.User{ID: "ann"}, nil, model.Draft{Content: "#Go #b",
			Visibility: audience})
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, is *model.Tweet, listed bool) {
			t.Helper()
			want, shard := 0, -1
			if listed {
				want, shard = 2, id.PublicShard()
			}
			added, _ := model.TagDiff(nil, is)
			if len(is.Tags) != want || len(is.RootTags) != want || len(added) != want || is.PublicShard != shard {
				t.Errorf("%s, %s: tags %v, root tags %v, counted %v, shard %d", audience, what, is.Tags, is.RootTags, added,
					is.PublicShard)
			}
			if diff := cmp.Diff([]string{"b", "go"}, is.Preview().Tags); diff != "" || is.TagLabels["go"] != "Go" {
				t.Errorf("%s, %s: labels %v, tags (-want +got):\n%s", audience, what, is.TagLabels, diff)
			}
		}
		check("posted", tweet, audience == model.Public)
		for _, to := range model.Audiences {
			edited, _, revision, err := tweet.Edit(*detail, model.TweetPatch{Visibility: &to}, time.Now())
			if err != nil || (revision == nil) != (to == audience) {
				t.Fatalf("from %s to %s: revision %v, %v", audience, to, revision, err)
			}
			check("edited", edited, to == model.Public)
			hidden := 0 // who could not see the tweet must not see what it was
			if to.Wider(audience) && audience != model.Unlisted {
				hidden = 1
			}
			if edited.HiddenRevisions != hidden {
				t.Errorf("from %s to %s: %d hidden revisions, want %d", audience, to, edited.HiddenRevisions, hidden)
			}
		}
	}
}

// While a preview moves, it is on the new audience partition before it leaves the old one.
func TestAudiencePartitions(t *testing.T) {
	t.Parallel()
	tweet := func(a model.Audience) *model.Tweet { return &model.Tweet{Visibility: a} }
	flagged := &model.Tweet{Visibility: model.Public, IsViolative: true}
	tests := []struct {
		before, after *model.Tweet
		want          []model.AudiencePartition
	}{
		{nil, tweet(model.Unlisted), []model.AudiencePartition{model.OpenAudiencePartition}},
		{tweet(model.Public), tweet(model.Unlisted), []model.AudiencePartition{model.OpenAudiencePartition}},
		{tweet(model.Public), tweet(model.Followers), []model.AudiencePartition{model.FollowersAudiencePartition,
			model.OpenAudiencePartition}},
		{tweet(model.Followers), tweet(model.Public), []model.AudiencePartition{model.OpenAudiencePartition,
			model.FollowersAudiencePartition}},
		{tweet(model.Followers), tweet(model.Mentioned), []model.AudiencePartition{model.FollowersAudiencePartition}},
		{flagged, tweet(model.Public), []model.AudiencePartition{model.OpenAudiencePartition}},
		{tweet(model.Mentioned), flagged, nil},
		{tweet("other"), nil, nil},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, model.AudiencePartitions(test.before, test.after)); diff != "" {
			t.Errorf("%+v to %+v (-want +got):\n%s", test.before, test.after, diff)
		}
	}
}
