package delivery_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A late attempt tells of nothing that is over by then: neither of a follow that ended, nor of an end after which there
// is another follow.
func TestOrder(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	bob := e.person("bob", in.URL+"/bob", "")
	ref := e.Raw.Collection(model.FollowRequests).Doc(model.FollowRequestKey("ann", bob.ID))
	follow := func() *model.FollowRequest {
		e.Clock.Add(time.Second)
		testenv.Must(t, e.Graph.Follow(t.Context(), "ann", bob.ID))
		snap, err := ref.Get(t.Context())
		testenv.Must(t, err)
		r := &model.FollowRequest{}
		testenv.Must(t, snap.DataTo(r))
		testenv.Must(t, e.FollowRequested(t.Context(), r, false))
		return r
	}
	unfollow := func(r *model.FollowRequest) {
		testenv.Must(t, e.Graph.Unfollow(t.Context(), "ann", bob.ID))
		testenv.Must(t, e.FollowRequested(t.Context(), r, true))
	}
	later := func() (kinds string) {
		in.Answer(0)
		e.Clock.Add(time.Hour)
		e.tick()
		for _, is := range in.Take() {
			kinds += is.Object.Type + " "
		}
		return kinds
	}
	in.Answer(http.StatusServiceUnavailable)
	first := follow()
	e.step()
	in.Answer(0)
	unfollow(first)
	e.step()
	in.Has(t, "Undo")
	if got := later(); got != "" {
		t.Errorf("after the end of the follow came %s", got)
	}
	second := follow()
	e.step()
	in.Has(t, "Follow")
	in.Answer(http.StatusServiceUnavailable)
	unfollow(second)
	e.step()
	in.Answer(0)
	follow()
	e.step()
	in.Has(t, "Follow")
	if got := later(); got != "" {
		t.Errorf("after another follow came %s", got)
	}
}

// A like that is taken back before it arrives never does, and one that is made again arrives.
func TestLikeTakenBack(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	bob := e.person("bob", in.URL+"/bob", "")
	l := model.Like{UserID: "ann", TweetID: "1", AuthorID: bob.ID, CreatedAt: e.Clock.Now()}
	again := l
	again.CreatedAt = l.CreatedAt.Add(time.Second)
	post := e.Tweet(t, bob.ID, "hello")
	post.Remote = &model.RemotePost{IRI: in.URL + "/1"}
	_, err := e.Raw.Collection(model.Tweets).Doc(string(post.ID)).Set(t.Context(), post)
	testenv.Must(t, err)
	for _, like := range []*model.Like{&l, &again} {
		like.TweetID = post.ID
		_, err := e.Raw.Collection(model.Likes).Doc(model.ReactionKey("ann", post.ID)).Set(t.Context(), like)
		testenv.Must(t, err)
		testenv.Must(t, e.Liked(t.Context(), like, false))
	}
	if n := len(e.IDs(t, model.Outgoings)); n != 2 {
		t.Fatalf("%d activities wait, want 2", n)
	}
	e.step()
	if got := in.Take(); len(got) != 1 || !got[0].Object.Published.Equal(again.CreatedAt) {
		t.Errorf("what arrived is %v", got)
	}
}
