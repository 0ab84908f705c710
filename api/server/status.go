package server

import (
	"net/http"

	"github.com/hibana-sns/hibana/internal/errs"
)

// statuses maps each kind of failure to its HTTP status.
var statuses = [errs.Kinds]int{
	errs.Internal:        http.StatusInternalServerError,
	errs.NotFound:        http.StatusNotFound,
	errs.Gone:            http.StatusGone,
	errs.Exists:          http.StatusConflict,
	errs.Invalid:         http.StatusBadRequest,
	errs.Unauthenticated: http.StatusUnauthorized,
	errs.Forbidden:       http.StatusForbidden,
	errs.Conflict:        http.StatusConflict,
	errs.Outdated:        http.StatusPreconditionFailed,
	errs.Exhausted:       http.StatusTooManyRequests,
	errs.Unavailable:     http.StatusServiceUnavailable,
}
