package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

// pauses is a DB whose updates note how long a pause could be, and pause no time.
func pauses() (*DB, *[]time.Duration) {
	var noted []time.Duration
	return &DB{updates: updates{
		pause:  func(ctx context.Context, d time.Duration) error { noted = append(noted, d); return ctx.Err() },
		jitter: func(most time.Duration) time.Duration { return most },
	}}, &noted
}

func ms(n ...int) (all []time.Duration) {
	for _, one := range n {
		all = append(all, time.Duration(one)*time.Millisecond)
	}
	return all
}

// An update is tried until its commit is in time, at most 10 times, with longer pauses in between.
func TestUpdate(t *testing.T) {
	t.Parallel()
	broken := status.Error(codes.Internal, "broken")
	for _, test := range []struct {
		name  string
		late  int   // attempts that come too late
		then  error // of the attempt after them
		read  bool  // that error is no commit's
		tries int
		kind  errs.Kind
		waits []time.Duration
	}{
		{name: "in time", tries: 1},
		{name: "the second in time", late: 1, tries: 2, waits: ms(20)},
		{name: "the last in time", late: 9, tries: 10, waits: ms(20, 40, 80, 160, 320, 640, 1000, 1000, 1000)},
		{name: "rivals without end", late: 1 << 30, tries: 10, kind: errs.Unavailable, waits: ms(20, 40, 80, 160, 320, 640,
			1000, 1000, 1000)},
		{name: "another failure", late: 2, then: broken, tries: 3, kind: errs.Internal, waits: ms(20, 40)},
		{name: "an answer", late: 1, then: errs.New(errs.NotFound, "", "nothing here"), tries: 2, kind: errs.NotFound,
			waits: ms(20)},
		{name: "a missing document that was read", then: status.Error(codes.NotFound, "read"), read: true, tries: 1,
			kind: errs.NotFound},
	} {
		d, waited := pauses()
		tries := 0
		err := d.Update(t.Context(), func(context.Context) error {
			if tries++; tries <= test.late {
				return fmt.Errorf("commit: %w",
					Late(status.Error([]codes.Code{codes.FailedPrecondition, codes.AlreadyExists, codes.NotFound}[tries%3], "late")))
			}
			if test.read {
				return test.then
			}
			return Late(test.then)
		})
		if tries != test.tries {
			t.Errorf("%s: %d attempts, want %d", test.name, tries, test.tries)
		}
		if wantErr := test.kind != errs.Internal || test.then != nil; (err != nil) != wantErr || err != nil &&
			errs.KindOf(err) != test.kind {
			t.Errorf("%s: %v, want kind %v", test.name, err, test.kind)
		}
		if diff := cmp.Diff(test.waits, *waited); diff != "" {
			t.Errorf("%s: pauses (-want +got):\n%s", test.name, diff)
		}
		if test.kind == errs.Unavailable && (Outdated(err) || AlreadyExists(err) || NotFound(err) ||
			!strings.Contains(errs.PublicText(err), "once more")) {
			t.Errorf("%s: %v is taken for the error of one attempt, or tells the public %q", test.name, err,
				errs.PublicText(err))
		}
	}
}

// An update ends with its context, and does not try again after it.
func TestUpdateEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	d := &DB{updates: newUpdates()} // with real pauses
	tries := 0
	err := d.Update(ctx, func(context.Context) error {
		if tries++; tries == 2 {
			cancel()
		}
		return Late(status.Error(codes.FailedPrecondition, "late"))
	})
	if !errors.Is(err, context.Canceled) || tries != 2 {
		t.Errorf("Update() = %v after %d attempts, want %v after 2", err, tries, context.Canceled)
	}
}

// The pauses of rivals differ, and are as long as they may be at most.
func TestUpdateJitter(t *testing.T) {
	t.Parallel()
	seen, jitter := map[time.Duration]bool{}, newUpdates().jitter
	for range 100 {
		d := jitter(updatePause)
		if d <= 0 || d > updatePause {
			t.Fatalf("a pause of %v, want up to %v", d, updatePause)
		}
		seen[d] = true
	}
	if len(seen) < 50 {
		t.Errorf("%d different pauses of 100", len(seen))
	}
}

// A metric counts attempts that came too late, and updates that failed for good.
func TestUpdateMetric(t *testing.T) {
	t.Parallel()
	on, err := telemetry.Start(t.Context(), telemetry.Options{Service: "api", Metrics: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer on.Stop(t.Context())
	ctx, span := on.Begin(t.Context(), http.Header{}, trace.SpanKindServer)
	defer span.End()
	d, _ := pauses()
	_ = d.Update(ctx, func(context.Context) error { return Late(status.Error(codes.AlreadyExists, "late")) })
	_ = d.Update(ctx, func(context.Context) error { return nil })
	resp, err := http.Get("http://" + on.Address() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`hibana_write_races_total{outcome="retried"} 9`,
		`hibana_write_races_total{outcome="failed"} 1`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no line %s", want)
		}
	}
}
