package delivery_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// The counts of an ended poll go to followers and voters, once to each inbox. A post for followers tells no voter.
func TestPollEnded(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann", "ben")
	in := e.inbox()
	follower := e.person("follower", in.URL+"/follower", in.URL+"/shared")
	both := e.person("both", in.URL+"/both", in.URL+"/shared")
	voter := e.person("voter", in.URL+"/voter", "")
	asks := func(a model.Audience) *model.Tweet {
		t.Helper()
		made, err := e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "tea?", Visibility: a,
			Poll: &model.NewPoll{Options: []string{"tea", "coffee"}, Minutes: 10}}, model.Request{})
		testenv.Must(t, err)
		for _, uid := range []model.UserID{both.ID, voter.ID, "ben"} {
			_, err = e.Raw.Collection(model.Votes).Doc(model.ReactionKey(uid, made.ID)).Set(t.Context(),
				map[string]any{"userId": uid, "tweetId": made.ID, "authorId": "ann", "option": 1, "closesAt": made.Poll.ClosesAt,
					"createdAt": made.Poll.ClosesAt.Add(-time.Minute)})
			testenv.Must(t, err)
		}
		_, err = e.Raw.Collection(model.Polls).Doc(string(made.ID)).Update(t.Context(), []firestore.Update{
			{Path: "votes", Value: map[string]int64{"1": 3}}})
		testenv.Must(t, err)
		return made.Tweet
	}
	public, narrow := asks(model.Public), asks(model.Followers)
	alone := asks(model.Public)
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, alone.ID))
	for _, u := range []*model.User{follower, both} {
		e.follows(u.ID, "ann", true)
		testenv.Must(t, e.Federation.ReconcileAudience(t.Context(), "ann", u.ID))
	}
	e.Clock.Set(public.Poll.ClosesAt.Add(2 * model.PollReconciles))
	for range 2 { // a tick that comes again
		_, err := e.NotificationEvents.NotifyPolls(t.Context(), func() bool { return false }, e.PollEnded)
		testenv.Must(t, err)
	}
	e.step()
	got := map[string][]string{}
	for _, is := range in.Take() {
		o := is.Object.Object[0].Object
		if is.Type != "Update" || o.Type != "Question" || !strings.Contains(is.Body, `"closed":"`) ||
			!strings.Contains(is.Body, `"totalItems":3`) {
			t.Errorf("what came is %s", is.Body)
		}
		got[o.ID] = append(got[o.ID], is.Path)
	}
	slices.Sort(got[site.Post(public.ID)])
	if want := []string{"/shared", "/voter"}; !slices.Equal(got[site.Post(public.ID)], want) {
		t.Errorf("the public poll came to %v, want %v", got[site.Post(public.ID)], want)
	}
	if want := []string{"/shared"}; !slices.Equal(got[site.Post(narrow.ID)], want) || len(got) != 2 {
		t.Errorf("the poll for followers came to %v, want %v", got[site.Post(narrow.ID)], want)
	}
}

// A post that is gone goes out no more, and a delivery that waits ends with it.
func TestGoneBeforeSending(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	bob := e.person("bob", in.URL+"/bob", "")
	e.follows(bob.ID, "ann", true)
	testenv.Must(t, e.Federation.ReconcileAudience(t.Context(), "ann", bob.ID))
	post := e.Tweet(t, "ann", "hello")
	testenv.Must(t, e.Posted(t.Context(), post))
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, post.ID))
	e.step()
	if got := in.Take(); len(got) != 0 {
		t.Errorf("a post that is gone went out: %v", got)
	}
	in.Answer(http.StatusServiceUnavailable)
	post = e.Tweet(t, "ann", "hello again")
	testenv.Must(t, e.Posted(t.Context(), post))
	e.step()
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, post.ID))
	in.Answer(0)
	e.Clock.Add(time.Hour)
	if n := e.tick(); n != 0 || len(e.deliveries()) != 0 {
		t.Errorf("%d arrived, %v are left", n, e.deliveries())
	}
	testenv.Must(t, e.Deleted(t.Context(), post, e.Clock.Now()))
	e.step()
	if is := in.Has(t, "Delete"); is.Object.Object[0].ID != site.Post(post.ID) ||
		is.Object.Object[0].Object.Type != "Tombstone" {
		t.Errorf("the deletion is %s", is.Body)
	}
}
