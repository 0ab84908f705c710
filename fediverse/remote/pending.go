package remote

import (
	"context"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/model"
)

// KnownPost returns the post of an address as it is known. It knows those of this installation alone so far.
func (r *Remote) KnownPost(_ context.Context, iri string) (model.TweetID, error) {
	if id, ok := r.site.PostOf(iri); ok {
		return id, nil
	}
	return "", refused("no post")
}

// Post is KnownPost so far.
func (r *Remote) Post(ctx context.Context, iri string) (model.TweetID, error) {
	return r.KnownPost(ctx, iri)
}

// Put keeps nothing so far.
func (r *Remote) Put(context.Context, *model.User, *activitypub.Object) (model.TweetID, error) {
	return "", refused("no post")
}

// Remove removes nothing so far.
func (r *Remote) Remove(context.Context, *model.User, string) error { return nil }

// RemovePerson removes nothing so far.
func (r *Remote) RemovePerson(context.Context, string) error { return nil }
