package api

import (
	"net/http"

	"github.com/hibana-sns/hibana/internal/errs"
)

// statuses has the HTTP status that answers each kind of failure.
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
