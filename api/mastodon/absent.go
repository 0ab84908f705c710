package mastodon

import "github.com/hibana-sns/hibana/internal/errs"

// notHere is the error of what an installation does not have.
func notHere() error { return errs.New(errs.NotFound, "not_found", "there is no such thing") }

// absent answers as a Mastodon where something is not there.
func absent(*call) (any, error) { return nil, notHere() }
