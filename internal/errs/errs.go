// Package errs has the one error type of Hibana. An error says what kind of
// failure it is, in which operation it happened, what the public may read about
// it, and what caused it. Store methods add the operation, package api turns
// the kind into an HTTP status, and the cause is for the log alone.
package errs

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Error is a failure with everything that both the log and the public need.
type Error struct {
	Kind Kind   // what sort of failure
	Op   string // where, for the log: store.GetTweet("3f…")
	Msg  string // what the public may read; empty means the sentence of the kind
	Code string // stable machine-readable name such as "username_taken"; empty means the kind's own
	Err  error  // the cause, never shown to the public; may be nil
}

// New returns an error of the given kind for the public to read. The code is
// stable, since clients branch on it; an empty one stands for the kind's own.
// To attach a cause as well, write an Error literal.
func New(kind Kind, code, format string, args ...any) error {
	return &Error{Kind: kind, Code: code, Msg: fmt.Sprintf(format, args...)}
}

// Wrap adds the operation to *errp and settles its kind. It does nothing, and
// formats nothing, when *errp is nil. Its place is the first line of an exported
// method with a named result:
//
//	defer errs.Wrap(&err, "store.GetTweet(%q)", id)
//
// The kind, code and public text of an [Error] inside are kept. The former error
// stays reachable, so that errors.Is and status.FromError still find it: a
// Firestore transaction is retried only if the gRPC status Aborted is visible.
func Wrap(errp *error, format string, args ...any) {
	if *errp != nil {
		*errp = &Error{Kind: KindOf(*errp), Op: fmt.Sprintf(format, args...), Err: *errp}
	}
}

// Error is the text for the log: operation, public text and causes.
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

// KindOf returns the kind of the outermost [Error] in err's tree. Without one it
// goes by the end of a context or by a gRPC status; anything else is Internal,
// and so is nil, which is no failure and has no kind.
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

// CodeOf returns the stable machine-readable code for the public, by default
// that of the kind, such as "not_found".
func CodeOf(err error) string {
	if e := public(err); e != nil && e.Code != "" {
		return e.Code
	}
	return KindOf(err).String()
}

// PublicText returns the sentence that the public may read about err. It never
// holds the text of a cause, and for the kind Internal it is always the same.
func PublicText(err error) string {
	kind := KindOf(err)
	if e := public(err); e != nil && e.Msg != "" && kind != Internal {
		return e.Msg
	}
	return kinds[kind].text
}

// public finds the outermost Error that has something to say to the public. The
// search ends where the kind changes: what was said of a missing document is no
// answer once a caller has decided that its absence is an internal error.
func public(err error) *Error {
	outer, ok := errors.AsType[*Error](err)
	for e := outer; ok && e.Kind == outer.Kind; e, ok = errors.AsType[*Error](e.Err) {
		if e.Msg != "" || e.Code != "" {
			return e
		}
	}
	return nil
}
