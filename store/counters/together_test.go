package counters_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
)

// crowd begins to follow ann at one moment: so many that ann's counter is hot, and not so many that it is busy.
func crowd(t *testing.T, o store.Options) (e *storetest.Env, fans []model.UserID) {
	t.Helper()
	t.Parallel()
	e = storetest.Open(t, o)
	for i := range 12 {
		fans = append(fans, model.UserID(fmt.Sprint("fan_", i)))
	}
	e.CreateUsers(t, append(fans, "ann")...)
	return e, fans
}

// follow counts each follow of ann, each of them times times at once.
func follow(t *testing.T, e *storetest.Env, fans []model.UserID, times int) {
	t.Helper()
	for _, err := range testenv.AtOnce(times*len(fans), func(i int) error {
		return testenv.Patiently(func() error {
			fan := fans[i/times]
			record := counters.IdempotencyRecord{EventID: "event/" + string(fan), Function: "Test"}
			return e.Counters.CountFollow(t.Context(), record, fan, "ann", 1)
		})
	}) {
		testenv.Must(t, err)
	}
}

// counted checks the counts of ann and the fans, with the shards.
func counted(t *testing.T, e *storetest.Env, fans []model.UserID, want int64) {
	t.Helper()
	_, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Users, ID: "ann"})
	testenv.Must(t, err)
	if got, _ := e.Doc(t, "users/ann")[model.FollowerCount].(int64); got != want {
		t.Errorf("ann has %d followers, want %d", got, want)
	}
	for _, fan := range fans {
		if got, _ := e.Doc(t, "users/"+string(fan))[model.FollowedCount].(int64); got != 1 {
			t.Errorf("%s follows %d users, want 1", fan, got)
		}
	}
}

// The effects of one process on a hot document share a commit. So the document is seldom written, and neither a shard
// nor a roll-up is needed.
func TestTogether(t *testing.T) {
	e, fans := crowd(t, store.Options{SlowCommit: time.Hour})
	follow(t, e, fans, 1)
	if shards, asked := e.IDs(t, "users/ann/shards"), e.IDs(t, model.RollUps); len(shards)+len(asked) > 0 {
		t.Errorf("the shards %q and the roll-ups %q are there, want none", shards, asked)
	}
	if n := len(e.IDs(t, model.ProcessedEvents)); n != len(fans) {
		t.Errorf("%d records, want one for each event", n)
	}
	counted(t, e, fans, int64(len(fans)))
}

// Events that come several times at once count once, also those that share a commit with them.
func TestTogetherRepeated(t *testing.T) {
	e, fans := crowd(t, store.Options{})
	follow(t, e, fans[:3], 1)
	follow(t, e, fans, 2)
	counted(t, e, fans, int64(len(fans)))
}

// Answers to commits are lost, so that the client or the caller commits again.
func TestTogetherLost(t *testing.T) {
	losses := storetest.LoseAnswers(1, 0.3)
	e, fans := crowd(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	lost := losses.Count()
	follow(t, e, fans, 1)
	for n := 0; losses.Count() == lost && n < 20; n++ {
		follow(t, e, fans, 1) // again: each event counts once
	}
	if losses.Count() == lost {
		t.Error("no answer was lost")
	}
	counted(t, e, fans, int64(len(fans)))
}

// A follower is gone. The others are counted.
func TestTogetherGone(t *testing.T) {
	e, fans := crowd(t, store.Options{})
	follow(t, e, append([]model.UserID{"nobody"}, fans...), 1)
	counted(t, e, fans, int64(len(fans)+1))
	if e.Doc(t, "users/nobody") != nil {
		t.Error("the user who is gone has a document")
	}
}

// The database aborts a shared commit, because other processes write the document as well. Each caller goes on alone at
// once, and what comes next does so too.
func TestTogetherContended(t *testing.T) {
	var shared atomic.Int64
	e, fans := crowd(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req, reply any,
		conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if commit, _ := req.(*firestorepb.CommitRequest); writesTogether(commit) {
			shared.Add(1)
			return status.Error(codes.Aborted, "too much contention on these documents")
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	for _, some := range [][]model.UserID{fans[:8], fans[8:]} {
		for _, err := range testenv.AtOnce(len(some), func(i int) error {
			record := counters.IdempotencyRecord{EventID: "event/" + string(some[i]), Function: "Test"}
			return e.Counters.CountFollow(t.Context(), record, some[i], "ann", 1)
		}) {
			testenv.Must(t, err)
		}
	}
	if n := shared.Load(); n != 1 {
		t.Errorf("%d shared commits, want 1", n)
	}
	counted(t, e, fans, int64(len(fans)))
}

// writesTogether reports whether a commit has the records of several events.
func writesTogether(commit *firestorepb.CommitRequest) bool {
	records := 0
	for _, w := range commit.GetWrites() {
		if strings.Contains(w.GetUpdate().GetName(), "/documents/"+model.ProcessedEvents+"/") {
			records++
		}
	}
	return records > 1
}
