package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
)

const (
	// streamsAtOnce is how many requests with a streamed body a process handles at once. As many more wait for at most
	// streamsWait. They take no place of other requests.
	streamsAtOnce = 4
	streamsWait   = 5 * time.Second
	// streamsOfOne is how many of these are of one user, so that a slow one leaves places for others. As many more of the
	// user wait.
	streamsOfOne = 2
	// streamTime is the time limit of such a request, below that of Cloud Run (deploy/terraform/run.tf).
	streamTime = 55 * time.Second
)

// stream handles a request whose body, of at most a number of bytes, the handler reads as it comes. Reading fails with
// the problem that the request is answered with: a body that is too large, too slow, or breaks off.
func (s *Server) stream(c huma.Context, most int64, handle func(huma.Context)) {
	g := humagin.Unwrap(c)
	about, _ := aboutRequest(c.Context()) // serve put it there
	about.outside = true
	s.options.Limits.Gate.Leave()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), streamTime)
	defer cancel()
	uid := Caller(ctx).UID
	own := s.streamers.of(uid)
	defer s.streamers.done(uid)
	if !own.Enter(ctx) {
		s.refuse(ctx, g.Writer, saturated())
		return
	}
	defer own.Leave()
	if !s.streams.Enter(ctx) {
		s.options.Telemetry.Count(ctx, telemetry.Saturated, 1)
		s.refuse(ctx, g.Writer, saturated())
		return
	}
	defer s.streams.Leave()
	in := &streamed{incoming: incoming{from: g.Request.Body, conn: http.NewResponseController(g.Writer),
		began: time.Now(), patience: min(bodyTime, s.options.Timeout), most: most,
		asks: g.Request.Header.Get("Expect") != ""}, within: time.Now().Add(streamTime)}
	if g.Request.ContentLength > most {
		in.drain()
		fail(g, tooLarge(most))
		return
	}
	g.Request.Body = in
	handle(huma.WithContext(c, ctx))
	in.conn.SetReadDeadline(time.Time{})
}

// streamers are the users whose bodies handlers read, each with a gate.
type streamers struct {
	mu  sync.Mutex
	all map[model.UserID]*streamer
}

type streamer struct {
	gate     *limits.Gate
	requests int
}

// of returns the gate of a user, until done.
func (s *streamers) of(uid model.UserID) *limits.Gate {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[model.UserID]*streamer{}
	}
	one := s.all[uid]
	if one == nil {
		one = &streamer{gate: limits.NewGate(streamsOfOne, streamsWait)}
		s.all[uid] = one
	}
	one.requests++
	return one.gate
}

func (s *streamers) done(uid model.UserID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[uid].requests--; s.all[uid].requests == 0 {
		delete(s.all, uid)
	}
}

// streamed is a body that a handler reads as it comes.
type streamed struct {
	incoming
	arrived int64
	within  time.Time
}

// Read reads what has come, and waits for it no longer than for any other body.
func (in *streamed) Read(b []byte) (int, error) {
	in.conn.SetReadDeadline(earlier(in.within,
		in.began.Add(in.patience+time.Duration(in.arrived)*time.Second/bodyRate)))
	n, err := in.from.Read(b)
	in.arrived += int64(n)
	switch {
	case in.arrived > in.most:
		return n, &passed{tooLarge(in.most)}
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, &passed{newProblem(http.StatusRequestTimeout, "timeout", fmt.Sprintf("The body took too long to "+
			"arrive: it has %v, a second more for each %d bytes, and %v in all.", in.patience, bodyRate, streamTime))}
	}
	return n, &passed{invalidBody("the body breaks off")}
}

// Close implements [io.Closer]. The server closes the body.
func (in *streamed) Close() error { return nil }

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// TooLarge is the error of a body, or a part of one, of more than a number of bytes.
func TooLarge(most int64) error { return &passed{tooLarge(most)} }
