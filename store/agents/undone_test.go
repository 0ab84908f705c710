package agents_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A reaction is an act that the owner takes back.
type reaction struct {
	name, kind string
	choice     func(model.AgentViewPost) model.AgentChoice
	collection string
	undo       func(context.Context, *storetest.Env, model.TweetID) error
}

var undone = []reaction{
	{"like", "like", func(p model.AgentViewPost) model.AgentChoice {
		return model.AgentChoice{Kind: model.AgentLike, TweetID: p.ID}
	}, model.Likes, func(ctx context.Context, e *storetest.Env, id model.TweetID) error {
		return e.Reactions.Unlike(ctx, "bot", id)
	}},
	{"follow", "follow", func(p model.AgentViewPost) model.AgentChoice {
		return model.AgentChoice{Kind: model.AgentFollow, UserID: p.AuthorID}
	}, model.Relationships, func(ctx context.Context, e *storetest.Env, _ model.TweetID) error {
		return e.Graph.Unfollow(ctx, "bot", "bob")
	}},
	{"request", "follow", func(p model.AgentViewPost) model.AgentChoice {
		return model.AgentChoice{Kind: model.AgentFollow, UserID: p.AuthorID}
	}, model.FollowRequests, func(ctx context.Context, e *storetest.Env, _ model.TweetID) error {
		return e.Graph.Unfollow(ctx, "bot", "bob")
	}},
}

// open returns a store whose agent sees a tweet of bob, which ann shares, and does what r says.
func (r reaction) open(t *testing.T) (*storetest.Env, *script, model.TweetID) {
	t.Helper()
	by := &script{}
	e := open(t, by)
	e.CreateUsers(t, "bob")
	testenv.Must(t, e.Graph.Follow(t.Context(), "bot", "ann"))
	id := e.Tweet(t, "bob", "Sparks").ID
	testenv.Must(t, e.Shares.Share(t.Context(), "ann", id))
	var share model.Share
	snap, err := e.Raw.Doc("shares/" + model.ReactionKey("ann", id)).Get(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, snap.DataTo(&share))
	testenv.Must(t, e.Timelines.DeliverShare(t.Context(), &share))
	if r.name == "request" {
		testenv.Must(t, e.Users.UpdateUser(t.Context(), "bob", model.UserPatch{Locked: new(true)}))
	}
	by.decide = func(v model.AgentView) (d model.AgentDecision, err error) {
		for _, p := range v.Posts {
			d.Acts = append(d.Acts, r.choice(p))
		}
		return d, nil
	}
	return e, by, id
}

// writes reports whether a commit writes a document of a collection.
func writes(req any, collection string) bool {
	commit, _ := req.(*pb.CommitRequest)
	for _, w := range commit.GetWrites() {
		if strings.Contains(w.GetUpdate().GetName(), "/documents/"+collection+"/") {
			return true
		}
	}
	return false
}

// A process ends after the commit of a like or a follow, and the owner takes it back: no other process does it again.
func TestAgentUndone(t *testing.T) {
	t.Parallel()
	for _, r := range undone {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			e, by, id := r.open(t)
			var dead atomic.Bool
			killed := e.Again(t, store.Options{Decider: by, Meter: meter.Options{Below: func(ctx context.Context,
				method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
				if dead.Load() {
					return status.Error(codes.PermissionDenied, "the process is dead")
				}
				err := invoke(ctx, method, req, reply, conn, opts...)
				if err == nil && writes(req, r.collection) {
					dead.Store(true)
				}
				return err
			}}})
			if _, err := killed.Agents.RunDue(t.Context(), never); !dead.Load() || len(e.IDs(t, r.collection)) == 0 {
				t.Fatalf("the agent did nothing: %v", err)
			}
			testenv.Must(t, r.undo(t.Context(), e, id))
			before := len(e.IDs(t, r.collection))
			e.Clock.Add(3 * time.Minute)
			if _, err := e.Agents.RunDue(t.Context(), never); err != nil {
				t.Error(err)
			}
			if n := len(e.IDs(t, r.collection)); n != before {
				t.Errorf("%d %s, and %d after the undo", n, r.collection, before)
			}
			wantActs(t, e.Store, r.kind+" done")
		})
	}
}

// A process sleeps before the commit of a like or a follow. Meanwhile another process does it, and the owner takes it
// back. The first process wakes, and does nothing.
func TestAgentAsleep(t *testing.T) {
	t.Parallel()
	for _, r := range undone[:2] { // the transaction of a request locks what an unfollow deletes
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			e, by, id := r.open(t)
			slept, before := false, 0
			late := e.Again(t, store.Options{Decider: by, Meter: meter.Options{Below: storetest.Before(
				func(path string, _ *pb.Write) bool { return strings.HasPrefix(path, r.collection+"/") }, func() {
					slept = true
					e.Clock.Add(3 * time.Minute)
					run(t, e.Store, 1)
					testenv.Must(t, r.undo(context.Background(), e, id))
					before = len(e.IDs(t, r.collection))
				})}})
			done, err := late.Agents.RunDue(t.Context(), never)
			if n := len(e.IDs(t, r.collection)); done != 0 || !slept || n != before {
				t.Errorf("RunDue = %d, %v; %d %s, and %d after the undo", done, err, n, r.collection, before)
			}
			wantActs(t, e.Store, r.kind+" done")
		})
	}
}
