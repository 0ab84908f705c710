package functions

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// spreadProfile gives all tweets of a user the name and avatar that the user has now. It
// first lets the profile grow old in the caches of the API, so that no tweet is written
// with the former one any more when it looks which there are. It writes no profile, and
// returns at once where only counts changed.
func (h *handlers) spreadProfile(ctx context.Context, c *Change) error {
	before, after, err := versions[model.User](c)
	if err != nil || before == nil || after == nil || before.Author() == after.Author() {
		return err
	}
	if err := pause(ctx, 2*h.store.CacheTTL()); err != nil {
		return err
	}
	return h.store.SpreadProfile(ctx, model.UserID(c.ID))
}
