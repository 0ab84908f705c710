package storetest

import (
	"context"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
)

// Slowness is a slow database: it serves a number of calls at once, each for some time, and the others wait. It
// finishes a call whose caller no longer waits, as a database does. It is safe for concurrent use.
//
// The fields Below and BelowReads of a meter's options take the methods Write and Read.
type Slowness struct {
	places chan struct{}
	each   atomic.Int64 // time.Duration
	calls  atomic.Int64
}

// Slow returns a database that serves atOnce calls at once, and is not slow yet.
func Slow(atOnce int) *Slowness { return &Slowness{places: make(chan struct{}, atOnce)} }

// Take sets the duration of each call; 0 is none.
func (s *Slowness) Take(each time.Duration) { s.each.Store(int64(each)) }

// Calls returns how many calls were slow.
func (s *Slowness) Calls() int64 { return s.calls.Load() }

func (s *Slowness) serve(ctx context.Context) error {
	if s.each.Load() == 0 {
		return nil
	}
	s.calls.Add(1)
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.places <- struct{}{}
		time.Sleep(time.Duration(s.each.Load()))
		<-s.places
	}()
	select {
	case <-served:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Write is an interceptor of calls.
func (s *Slowness) Write(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn,
	invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if err := s.serve(ctx); err != nil {
		return err
	}
	return invoke(ctx, method, req, reply, conn, opts...)
}

// Read is an interceptor of reads.
func (s *Slowness) Read(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
	stream grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	if err := s.serve(ctx); err != nil {
		return nil, err
	}
	return stream(ctx, desc, conn, method, opts...)
}
