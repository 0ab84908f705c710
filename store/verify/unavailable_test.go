package verify_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A repair whose commits the database refuses for a while mends all the same, and moves a
// count once.
func TestRepairWhileUnavailable(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{}, nil)
	e.join(t, "ann", "bob")
	testenv.Must(t, e.Runner.WaitIdle(t.Context())) // the totals have both
	_, err := e.raw.Doc("users/ann").Update(t.Context(), []firestore.Update{{Path: "tweetCount", Value: 5}})
	testenv.Must(t, err)
	_, err = e.raw.Doc("usernames/bob").Delete(t.Context())
	testenv.Must(t, err)
	var refused, refusedNames atomic.Int64 // commits, and commits of a username
	refuse := func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption) error {
		commit, ok := req.(*pb.CommitRequest)
		if ok && refused.Add(1) <= 4 || names(commit) && refusedNames.Add(1) <= 6 { // a transaction tries 5 times
			return status.Error(codes.Aborted, "not now") // unlike Unavailable, which the client tries again itself
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}
	db, err := store.Open(t.Context(), e.Project, "", store.Options{Emulator: testenv.FirestoreHost(t),
		Meter: meter.Options{Below: refuse}})
	testenv.Must(t, err)
	t.Cleanup(func() { db.Close() })
	found, err := db.Audit.All(t.Context(), verify.Options{Repair: true, Pause: time.Millisecond,
		Wait: func(context.Context) error { return nil }})
	testenv.Must(t, err)
	if len(found) != 2 || !found[0].Repaired || !found[1].Repaired || refused.Load() < 5 {
		t.Errorf("found %v after %d commits, want two differences, both repaired", bare(found), refused.Load())
	}
	if left, err := db.Audit.All(t.Context(), verify.Options{}); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", bare(left), err)
	}
}

// names reports whether a commit writes a username.
func names(commit *pb.CommitRequest) bool {
	return slices.ContainsFunc(commit.GetWrites(), func(w *pb.Write) bool {
		return strings.Contains(w.GetUpdate().GetName(), "/usernames/")
	})
}

// A verification whose reads the database refuses for a while finds what it would have found at once.
func TestReadWhileUnavailable(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{}, nil)
	e.join(t, "ann")
	testenv.Must(t, e.Runner.WaitIdle(t.Context()))
	_, err := e.raw.Doc("users/ann").Update(t.Context(), []firestore.Update{{Path: "tweetCount", Value: 5}})
	testenv.Must(t, err)
	var reads atomic.Int64
	refuse := func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer,
		opts ...grpc.CallOption) (grpc.ClientStream, error) {
		if reads.Add(1) <= 4 {
			return nil, status.Error(codes.Aborted, "not now")
		}
		return open(ctx, desc, conn, method, opts...)
	}
	db, err := store.Open(t.Context(), e.Project, "", store.Options{Emulator: testenv.FirestoreHost(t),
		Meter: meter.Options{BelowReads: refuse}})
	testenv.Must(t, err)
	t.Cleanup(func() { db.Close() })
	found, err := db.Audit.All(t.Context(), verify.Options{Pause: time.Millisecond,
		Wait: func(context.Context) error { return nil }})
	if err != nil || len(found) != 1 || reads.Load() < 5 {
		t.Errorf("found %v after %d reads, %v, want one difference", bare(found), reads.Load(), err)
	}
}
