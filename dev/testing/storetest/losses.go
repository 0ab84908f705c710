package storetest

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/store"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Losses loses answers to successful commits. The Firestore client then gets the error Unavailable, and sends the
// commit once more. A Losses never loses two answers to one commit in a row. Many goroutines may use a Losses at once.
//
// The field Below of a meter's options takes the method Lose:
//
//	losses := LoseAnswers(seed, 0.05)
//	store.Options{Meter: meter.Options{Below: losses.Lose}}
type Losses struct {
	mu     sync.Mutex
	chance func() bool
	again  map[*pb.CommitRequest]bool // commits that the client will send once more
	lost   int
	sent   int // commits that the client sent once more
}

// LoseAnswers loses the answer to a commit with a probability: 0 is never, 1 is always. One seed gives one sequence of
// losses. Goroutines that commit at once may share the sequence differently at each run.
func LoseAnswers(seed uint64, probability float64) *Losses {
	rng := rand.New(rand.NewPCG(seed, 0))
	return &Losses{chance: func() bool { return rng.Float64() < probability }, again: map[*pb.CommitRequest]bool{}}
}

// LoseFirst loses the answer to the first commit. Before the client gets the error, it runs meanwhile, which must not
// commit through the same store.
func LoseFirst(meanwhile func()) *Losses {
	first := true
	return &Losses{again: map[*pb.CommitRequest]bool{}, chance: func() bool {
		if !first {
			return false
		}
		first = false
		meanwhile()
		return true
	}}
}

// SentAgain returns the number of commits that the client repeated after a lost answer.
func (l *Losses) SentAgain() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent
}

// Count returns the number of lost answers.
func (l *Losses) Count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// Lose is an interceptor. A commit that failed keeps its answer.
func (l *Losses) Lose(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn,
	invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	err := invoke(ctx, method, req, reply, conn, opts...)
	commit, ok := req.(*pb.CommitRequest)
	if !ok {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.again[commit] { // the client repeats a call with the request of that call
		delete(l.again, commit)
		l.sent++
		return err
	}
	if err != nil || !l.chance() {
		return err
	}
	l.again[commit] = true
	l.lost++
	return status.Error(codes.Unavailable, "the answer was lost")
}

// Lossy opens a second store on the database of e. The store loses the answers to its commits with a probability.
func (e *Env) Lossy(t testing.TB, probability float64) (*store.Store, *Losses) {
	t.Helper()
	losses := LoseAnswers(1, probability)
	return e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}}), losses
}
