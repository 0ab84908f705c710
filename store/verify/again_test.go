package verify

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// failing fails n times, and then it does not.
type failing struct {
	n     int
	code  codes.Code
	calls int
}

func (f *failing) do(context.Context) error {
	if f.calls++; f.calls <= f.n {
		return status.Error(f.code, "not now")
	}
	return nil
}

// A verification goes on where the database was unavailable for a while, and ends where it
// stays so. What cannot get better is not tried again.
func TestAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		f     failing
		calls int
		fails bool
	}{
		{failing{n: 0}, 1, false},
		{failing{n: 2, code: codes.Unavailable}, 3, false},
		{failing{n: attempts - 1, code: codes.Aborted}, attempts, false},
		{failing{n: attempts, code: codes.Unavailable}, attempts, true},
		{failing{n: 1, code: codes.PermissionDenied}, 1, true},
		{failing{n: 1, code: codes.Internal}, 1, true},
	} {
		read, fixed := test.f, test.f
		v := &verifier{Options: Options{Pause: time.Nanosecond, Repair: true}}
		_, err := v.snapshot(t.Context(),
			[]*unit{{func(ctx context.Context) ([]Difference, error) { return nil, read.do(ctx) }}})
		if read.calls != test.calls || (err != nil) != test.fails {
			t.Errorf("%+v: %d reads, %v", test.f, read.calls, err)
		}
		ds, err := v.repair(t.Context(), []Difference{{Kind: "users", Document: "users/ann", fix: &fix{"fix", fixed.do}}},
			&[]Difference{})
		if fixed.calls != test.calls || (err != nil) != test.fails || !test.fails && !ds[0].Repaired {
			t.Errorf("%+v: %d repairs, %v, %v", test.f, fixed.calls, ds, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := failing{n: 9, code: codes.Unavailable}
	if err := (&verifier{}).again(ctx, func() error { return f.do(ctx) }); err == nil || f.calls != 1 {
		t.Errorf("after the end: %d calls, %v", f.calls, err)
	}
}
