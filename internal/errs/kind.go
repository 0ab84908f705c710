package errs

import "net/http"

// Kind is what sort of failure an error is. Its zero value is Internal, so that
// an error about which nothing is known tells nothing.
type Kind uint8

// The kinds, with the HTTP status of each.
const (
	Internal        Kind = iota // 500: our fault, or nobody's
	NotFound                    // 404: there is no such thing, and perhaps never was
	Gone                        // 410: there was, and it was deleted
	Exists                      // 409: it is there already
	Invalid                     // 400: the request makes no sense, whoever sends it
	Unauthenticated             // 401: the caller is unknown
	Forbidden                   // 403: the caller is known and may not
	Conflict                    // 409: the state of things does not allow it now
	TooLarge                    // 413: the body is over the limit
	Exhausted                   // 429: too many requests; try later
	Unavailable                 // 503: a part is down, or time ran out; try again
)

var kinds = [...]struct {
	code   string
	status int
	text   string
}{
	Internal:        {"internal", http.StatusInternalServerError, "Something went wrong on our side."},
	NotFound:        {"not_found", http.StatusNotFound, "There is nothing here."},
	Gone:            {"gone", http.StatusGone, "This was deleted."},
	Exists:          {"already_exists", http.StatusConflict, "This exists already."},
	Invalid:         {"invalid", http.StatusBadRequest, "The request is not valid."},
	Unauthenticated: {"unauthenticated", http.StatusUnauthorized, "Sign in first."},
	Forbidden:       {"forbidden", http.StatusForbidden, "You may not do this."},
	Conflict:        {"conflict", http.StatusConflict, "Something changed meanwhile, so this cannot be done."},
	TooLarge:        {"too_large", http.StatusRequestEntityTooLarge, "The request is too large."},
	Exhausted:       {"exhausted", http.StatusTooManyRequests, "Too many requests; try again later."},
	Unavailable:     {"unavailable", http.StatusServiceUnavailable, "The service is busy; try again shortly."},
}

// String returns the code that the kind has in a problem document, such as
// "not_found".
func (k Kind) String() string { return kinds[k].code }

// HTTPStatus returns the status that a response to a failure of this kind has.
func (k Kind) HTTPStatus() int { return kinds[k].status }
