package mastodon

import (
	"net/http"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
)

// notHere is the error of what an installation does not have.
func notHere() error { return errs.New(errs.NotFound, "not_found", "there is no such thing") }

// absent answers as a Mastodon where something is not there.
func absent(*call) (any, error) { return nil, notHere() }

// isMissing reports whether an operation failed because there is nothing of a name.
func isMissing(err error) bool {
	if err == nil {
		return false
	}
	status := server.StatusOf(err)
	return status == http.StatusNotFound || status == http.StatusGone
}
