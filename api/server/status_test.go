package server

import (
	"testing"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Every kind has its row, so a kind added without a status fails here.
func TestStatuses(t *testing.T) {
	t.Parallel()
	tests := map[errs.Kind]int{
		errs.Internal:        500,
		errs.NotFound:        404,
		errs.Gone:            410,
		errs.Exists:          409,
		errs.Invalid:         400,
		errs.Unauthenticated: 401,
		errs.Forbidden:       403,
		errs.Conflict:        409,
		errs.Outdated:        412,
		errs.Exhausted:       429,
		errs.Unavailable:     503,
	}
	for kind := range errs.Kind(errs.Kinds) {
		want, ok := tests[kind]
		if !ok {
			t.Errorf("the kind %v is not tested", kind)
		}
		if got := problemOf(&errs.Error{Kind: kind}).Status; got != want {
			t.Errorf("a failure of the kind %v is answered with %d, want %d", kind, got, want)
		}
	}
}
