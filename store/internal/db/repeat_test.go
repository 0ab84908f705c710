package db

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A part of a job is repeated where the database was unavailable, at most 6 times. An error that repetition cannot
// mend ends it at once.
func TestRepeat(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		failures int
		code     codes.Code
		calls    int
		fails    bool
	}{
		{failures: 0, calls: 1},
		{failures: 2, code: codes.Unavailable, calls: 3},
		{failures: repeats - 1, code: codes.Aborted, calls: repeats},
		{failures: repeats, code: codes.Unavailable, calls: repeats, fails: true},
		{failures: 1, code: codes.PermissionDenied, calls: 1, fails: true},
		{failures: 1, code: codes.Internal, calls: 1, fails: true},
	} {
		calls := 0
		err := Repeat(t.Context(), time.Nanosecond, func() error {
			if calls++; calls <= test.failures {
				return status.Error(test.code, "not now")
			}
			return nil
		})
		if calls != test.calls || (err != nil) != test.fails {
			t.Errorf("%+v: %d calls, %v", test, calls, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls := 0
	if err := Repeat(ctx, time.Second, func() error {
		calls++
		return status.Error(codes.Unavailable, "not now")
	}); err == nil || calls != 1 {
		t.Errorf("after the end: %d calls, %v", calls, err)
	}
}
