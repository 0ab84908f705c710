package errs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Every kind has its row, so a kind added without a decision fails here.
func TestKinds(t *testing.T) {
	tests := []struct {
		kind Kind
		code string
	}{
		{Internal, "internal"},
		{NotFound, "not_found"},
		{Gone, "gone"},
		{Exists, "already_exists"},
		{Invalid, "invalid"},
		{Unauthenticated, "unauthenticated"},
		{Forbidden, "forbidden"},
		{Conflict, "conflict"},
		{Outdated, "outdated"},
		{Exhausted, "exhausted"},
		{Unavailable, "unavailable"},
	}
	if len(tests) != Kinds {
		t.Errorf("%d kinds are tested, want %d", len(tests), Kinds)
	}
	seen := map[string]bool{}
	for _, test := range tests {
		plain := fmt.Errorf("request: %w", &Error{Kind: test.kind, Err: errors.New("secret")})
		Wrap(&plain, "op")
		if got := KindOf(plain); got != test.kind {
			t.Errorf("KindOf(%v) = %v, want %v", plain, got, test.kind)
		}
		if got := CodeOf(plain); got != test.code {
			t.Errorf("CodeOf(%v) = %q, want %q", plain, got, test.code)
		}
		text := PublicText(plain)
		if text == "" || seen[text] || strings.Contains(text, "secret") {
			t.Errorf("PublicText(%v) = %q, want a sentence of its own without the cause", plain, text)
		}
		seen[text] = true

		told := New(test.kind, "my_code", "limit is %d", 7)
		Wrap(&told, "op")
		want := "limit is 7"
		if test.kind == Internal {
			want = text
		}
		if got := PublicText(told); got != want {
			t.Errorf("PublicText(%v) = %q, want %q", told, got, want)
		}
		if got := CodeOf(told); got != "my_code" {
			t.Errorf("CodeOf(%v) = %q, want my_code", told, got)
		}
	}
}

func TestWrapStatus(t *testing.T) {
	const path = "projects/p/databases/(default)/documents/userSecrets/u"
	tests := map[codes.Code]Kind{
		codes.Canceled:           Unavailable,
		codes.Unknown:            Internal,
		codes.InvalidArgument:    Invalid,
		codes.DeadlineExceeded:   Unavailable,
		codes.NotFound:           NotFound,
		codes.AlreadyExists:      Exists,
		codes.PermissionDenied:   Internal,
		codes.ResourceExhausted:  Exhausted,
		codes.FailedPrecondition: Conflict,
		codes.Aborted:            Unavailable,
		codes.OutOfRange:         Internal,
		codes.Unimplemented:      Internal,
		codes.Internal:           Internal,
		codes.Unavailable:        Unavailable,
		codes.DataLoss:           Internal,
		codes.Unauthenticated:    Internal,
	}
	if got, want := len(tests), 16; got != want {
		t.Errorf("%d codes are tested, want %d", got, want)
	}
	for code, want := range tests {
		raw := status.Error(code, path+" is the matter")
		err := fmt.Errorf("reading: %w", raw)
		Wrap(&err, "inner(%q)", "u")
		Wrap(&err, "outer()")
		for _, err := range []error{raw, err} {
			if got := KindOf(err); got != want {
				t.Errorf("KindOf(%v) = %v, want %v", err, got, want)
			}
			if got := PublicText(err); strings.Contains(got, path) || got != kinds[want].text {
				t.Errorf("PublicText(%v) = %q, want %q", err, got, kinds[want].text)
			}
		}
		if s, ok := status.FromError(err); !ok || s.Code() != code {
			t.Errorf("status.FromError(%v) = %v, %v; want %v, true", err, s, ok, code)
		}
		if !errors.Is(err, raw) {
			t.Errorf("errors.Is(%v, the status) = false", err)
		}
		if got, want := err.Error(), `outer(): inner("u"): reading: `+raw.Error(); got != want {
			t.Errorf("Error() = %q, want %q", got, want)
		}
	}
}

func TestWrapContext(t *testing.T) {
	for _, cause := range []error{context.Canceled, context.DeadlineExceeded} {
		err := fmt.Errorf("waiting: %w", cause)
		Wrap(&err, "op")
		if got := KindOf(err); got != Unavailable || !errors.Is(err, cause) {
			t.Errorf("KindOf(%v) = %v, want unavailable with the cause inside", err, got)
		}
	}
}

// A caller that gives a failure another kind takes back what was said about it.
func TestKindChanges(t *testing.T) {
	inner := New(NotFound, "no_such_user", "there is no user %q", "ann")
	err := error(&Error{Kind: Conflict, Op: "sign up", Err: inner})
	Wrap(&err, "op")
	if got, want := PublicText(err), kinds[Conflict].text; got != want {
		t.Errorf("PublicText(%v) = %q, want %q", err, got, want)
	}
	if got, want := CodeOf(err), "conflict"; got != want {
		t.Errorf("CodeOf(%v) = %q, want %q", err, got, want)
	}
	if got, want := err.Error(), `op: sign up: there is no user "ann"`; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}

func TestWrapNil(t *testing.T) {
	var err error
	id := "u"
	allocs := testing.AllocsPerRun(100, func() { Wrap(&err, "op(%p)", &id) })
	if err != nil || allocs > 0 {
		t.Errorf("Wrap(nil) = %v with %v allocations, want nil with none", err, allocs)
	}
	if got, want := (&Error{Kind: Gone}).Error(), "gone"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}
