// Package errs has the only error type of Hibana. An [Error] has a kind, the operation that failed, a text for the
// public, and a cause. A store method adds the operation. Package api answers with the HTTP status of the kind. Only
// the log shows the cause.
package errs

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Error is a failure with the parts that the log and the public need.
type Error struct {
	Kind Kind   // kind of the failure
	Op   string // failed operation, for the log: store.GetTweet("3f…")
	Msg  string // text for the public; empty for the sentence of the kind
	Code string // stable machine-readable name such as "username_taken"; empty for the code of the kind
	Err  error  // cause, never shown to the public; may be nil
}

// New returns an error of the given kind with a public text. A code never changes, because clients branch on it. An
// empty code stands for the code of the kind. For an error with a cause, use an Error literal.
func New(kind Kind, code, format string, args ...any) error {
	return &Error{Kind: kind, Code: code, Msg: fmt.Sprintf(format, args...)}
}

// Wrap adds the operation to *errp and sets its kind. Wrap does nothing and formats nothing if *errp is nil. The first
// line of an exported method with a named result calls Wrap:
//
//	defer errs.Wrap(&err, "store.GetTweet(%q)", id)
//
// The kind, code and public text of an [Error] inside stay. errors.Is and status.FromError still find the earlier
// error: the Firestore client repeats a transaction only if it sees the gRPC status Aborted.
func Wrap(errp *error, format string, args ...any) {
	if *errp != nil {
		*errp = &Error{Kind: KindOf(*errp), Op: fmt.Sprintf(format, args...), Err: *errp}
	}
}

// Error returns the text for the log: operation, public text and causes.
func (e *Error) Error() string {
	text := e.Msg
	if e.Err != nil {
		text = join(text, e.Err.Error())
	}
	if text == "" {
		text = e.Kind.String()
	}
	return join(e.Op, text)
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + ": " + b
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the outermost [Error] in the tree of err. Without an Error
// the kind follows from the end of a context or from a gRPC status. Any other error is
// Internal. nil is Internal too, although nil is no failure and has no kind.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Unavailable
	}
	switch status.Code(err) {
	case codes.NotFound:
		return NotFound
	case codes.AlreadyExists:
		return Exists
	case codes.InvalidArgument:
		return Invalid
	case codes.FailedPrecondition: // a document changed since its update time was read
		return Conflict
	case codes.ResourceExhausted:
		return Exhausted
	case codes.Unavailable, codes.DeadlineExceeded, codes.Aborted, codes.Canceled:
		return Unavailable
	}
	return Internal
}

// CodeOf returns the stable machine-readable code for the public. An error without a
// code has the code of its kind, such as "not_found".
func CodeOf(err error) string {
	if e := public(err); e != nil && e.Code != "" {
		return e.Code
	}
	return KindOf(err).String()
}

// PublicText returns the sentence of err that the public may read. It never contains the text of a cause. The kind
// Internal always has the same sentence.
func PublicText(err error) string {
	kind := KindOf(err)
	if e := public(err); e != nil && e.Msg != "" && kind != Internal {
		return e.Msg
	}
	return kinds[kind].text
}

// public finds the outermost Error with a public text or code. The search ends where the kind changes: a caller that
// turns a missing document into an internal error withdraws the text about the document.
func public(err error) *Error {
	outer, ok := errors.AsType[*Error](err)
	for e := outer; ok && e.Kind == outer.Kind; e, ok = errors.AsType[*Error](e.Err) {
		if e.Msg != "" || e.Code != "" {
			return e
		}
	}
	return nil
}
