package errs

// Kind is the kind of a failure. The zero Kind is Internal, so that an unknown error reveals nothing to the public.
type Kind uint8

// The kinds.
const (
	Internal        Kind = iota // a failure of the service itself
	NotFound                    // the thing does not exist, and perhaps never did
	Gone                        // the thing was deleted
	Exists                      // the thing exists already
	Invalid                     // the request is invalid for every caller
	Unauthenticated             // the caller is unknown
	Forbidden                   // the caller is known and lacks the right
	Conflict                    // the current state does not allow it
	Outdated                    // the caller has seen an older version
	Exhausted                   // too many requests; try later
	Unavailable                 // a part is down, or time ran out; try again
)

var kinds = [...]struct{ code, text string }{
	Internal:        {"internal", "Something went wrong on our side."},
	NotFound:        {"not_found", "There is nothing here."},
	Gone:            {"gone", "This was deleted."},
	Exists:          {"already_exists", "This exists already."},
	Invalid:         {"invalid", "The request is not valid."},
	Unauthenticated: {"unauthenticated", "Sign in first."},
	Forbidden:       {"forbidden", "You may not do this."},
	Conflict:        {"conflict", "Something changed meanwhile, so this cannot be done."},
	Outdated:        {"outdated", "This changed since you read it; read it again."},
	Exhausted:       {"exhausted", "Too many requests; try again later."},
	Unavailable:     {"unavailable", "The service is busy; try again shortly."},
}

// Kinds is the number of kinds, for tables with a row for each.
const Kinds = len(kinds)

// String returns the code of the kind in a problem document, such as "not_found".
func (k Kind) String() string { return kinds[k].code }
