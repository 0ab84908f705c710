package store_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// The emulator may show a reader the first writes of a commit without the others. So what such a
// reader looks for comes before the write that makes the reader look.
func TestOrderOfWrites(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "cat", model.UserPatch{Locked: new(true)}))
	e.CoolDown()
	for _, asked := range []model.UserID{"ann", "bob"} {
		testenv.Must(t, e.Graph.Follow(t.Context(), asked, "cat"))
	}
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "cat", model.UserPatch{Locked: new(false)}))
	e.CoolDown()
	tweet := e.Tweet(t, "ann", "x")
	e.Tweet(t, "dan", "x")
	edited := e.Tweet(t, "bob", "x")
	accountDeletion, err := e.Users.Leave(t.Context(), "dan")
	testenv.Must(t, err)

	var mu sync.Mutex
	var commits [][]string // the documents of each, as they are written
	s := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req, reply any,
		conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if commit, ok := req.(*pb.CommitRequest); ok {
			var paths []string
			for _, w := range commit.Writes {
				_, path, _ := strings.Cut(w.GetUpdate().GetName()+w.GetDelete()+w.GetTransform().GetDocument(), "/documents/")
				paths = append(paths, path)
			}
			mu.Lock()
			commits = append(commits, paths)
			mu.Unlock()
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	for _, test := range []struct {
		name        string
		act         func(context.Context) error
		first, then string // the beginnings of paths
	}{
		{"post", func(ctx context.Context) error {
			_, err := s.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "y"}, model.Request{})
			return err
		}, "tweetDetails/", "tweets/"},
		{"post with a key", func(ctx context.Context) error {
			_, err := s.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "y"}, model.Request{Key: "k"})
			return err
		}, "tweets/", "idempotency/"},
		{"edit", func(ctx context.Context) error {
			_, err := s.Edits.Edit(ctx, "bob", edited.ID, model.TweetPatch{Content: new("z")}, nil)
			return err
		}, "tweetDetails/", "tweets/" + string(edited.ID)},
		{"delete", func(ctx context.Context) error { return s.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID) },
			"tombstones/", "tweets/"},
		{"follow whom one has asked", func(ctx context.Context) error { return s.Graph.Follow(ctx, "ann", "cat") },
			"relationships/", "followRequests/"},
		{"accept", func(ctx context.Context) error { return s.Requests.Accept(ctx, "cat", "bob") }, "relationships/",
			"followRequests/"},
		{"leave", func(ctx context.Context) error { _, err := s.Users.Leave(ctx, "ann"); return err }, "leavings/ann",
			"users/ann"},
		{"delete who left", func(ctx context.Context) error { return s.AccountDeletions.Leave(ctx, *accountDeletion) },
			"tombstones/", "tweets/"},
	} {
		commits = nil
		testenv.Must(t, test.act(t.Context()))
		begins := func(with string) func(string) bool {
			return func(path string) bool { return strings.HasPrefix(path, with) }
		}
		ok := slices.ContainsFunc(commits, func(paths []string) bool {
			at := slices.IndexFunc(paths, begins(test.first))
			return at >= 0 && slices.ContainsFunc(paths[at+1:], begins(test.then))
		})
		if !ok {
			t.Errorf("%s: the commits are %q, want one that writes %s… and then %s…", test.name, commits, test.first, test.then)
		}
	}
}
