package functions_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/model"
)

// listedFollowers is how many followers a list has at most, so that users have more.
const listedFollowers = 4

// crowdOut returns an interceptor that now and then writes a list of followers just before a commit does, as another
// process may. So functions ask for rebuilds of lists. lose intercepts the commit itself.
func crowdOut(seed uint64, seen *faultCoverage, lose grpc.UnaryClientInterceptor) grpc.UnaryClientInterceptor {
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(seed, 2))
	return func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption) error {
		commit, _ := req.(*pb.CommitRequest)
		for _, w := range commit.GetWrites() {
			name := w.GetUpdate().GetName()
			if strings.Contains(name, "/"+model.RollUps+"/"+model.FollowerLists+"_") {
				seen.add(contendedList, 1)
			}
			mu.Lock()
			first := strings.Contains(name, "/"+model.FollowerLists+"/") && rng.Float64() < 0.4
			mu.Unlock()
			if first {
				other := &pb.Write{Operation: &pb.Write_Transform{Transform: &pb.DocumentTransform{Document: name,
					FieldTransforms: []*pb.DocumentTransform_FieldTransform{{FieldPath: "changedAt",
						TransformType: &pb.DocumentTransform_FieldTransform_SetToServerValue{
							SetToServerValue: pb.DocumentTransform_FieldTransform_REQUEST_TIME}}}}},
					CurrentDocument: &pb.Precondition{ConditionType: &pb.Precondition_Exists{Exists: true}}}
				// no error if there is no list yet
				_ = invoke(ctx, method, &pb.CommitRequest{Database: commit.GetDatabase(), Writes: []*pb.Write{other}},
					&pb.CommitResponse{}, conn, opts...)
			}
		}
		return lose(ctx, method, req, reply, conn, invoke, opts...)
	}
}

// compareFollowers compares the lists of followers, by pages of some size, with who follows. It also looks whether the
// pages came from lists: everybody who is followed has one.
func (h *history) compareFollowers() {
	h.t.Helper()
	for _, uid := range h.world.users {
		var want, got []model.UserID
		for k := range h.world.follows {
			if k[1] == uid {
				want = append(want, k[0])
			}
		}
		limit := 1 + h.rng.IntN(6)
		var last model.Cursor
		for from := (model.Cursor{}); ; {
			page, err := h.store.Graph.Followers(h.t.Context(), uid, from, limit)
			h.must(err)
			for _, r := range page.Items {
				if c := r.Cursor(); !last.IsZero() && c.Compare(last) >= 0 {
					h.t.Errorf("the followers of %s by pages of %d are not newest first", uid, limit)
				}
				got, last = append(got, r.FollowerID), r.Cursor()
			}
			if from = page.Next; from.IsZero() {
				break
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			h.t.Errorf("the followers of %s by pages of %d (-want +got):\n%s", uid, limit, diff)
		}
		h.compareFollowerList(uid, want)
	}
}

// compareFollowerList compares the document of a user's newest followers with who follows.
func (h *history) compareFollowerList(uid model.UserID, want []model.UserID) {
	h.t.Helper()
	snap, err := h.raw.Collection(model.FollowerLists).Doc(string(uid)).Get(h.t.Context())
	if !snap.Exists() {
		if len(want) > 0 {
			h.t.Errorf("%s has followers and no list of them: %v", uid, err)
		}
		return
	}
	var list model.FollowerList
	h.must(snap.DataTo(&list))
	got := slices.Sorted(maps.Keys(list.Followers))
	for _, follower := range got {
		rel, err := h.store.Graph.Relationship(h.t.Context(), follower, uid)
		switch {
		case !slices.Contains(want, follower):
			h.t.Errorf("the list of followers of %s has %s", uid, follower)
		case err != nil || !rel.CreatedAt.Equal(list.Followers[follower]):
			h.t.Errorf("%s follows %s since %v, and in the list since %v: %v", follower, uid, rel, list.Followers[follower], err)
		}
	}
	switch n := len(got); {
	case list.Whole && n != len(want):
		h.t.Errorf("the whole list of followers of %s has %v, want %v", uid, got, want)
	case !h.kills && (n > listedFollowers || !list.Whole && n < (listedFollowers+1)/2):
		h.t.Errorf("the list of followers of %s has %d of %d", uid, n, len(want))
	case !list.Whole:
		h.seen.add(moreFollowers, 1)
	}
}
