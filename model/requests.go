package model

// Request makes the creation of a document repeatable. A second request of the same user with the same key gets the
// document of the first request.
type Request struct {
	Key  string // empty: the request is not repeatable
	Hash string // of the request; another hash under the same key is errs.Conflict
}
