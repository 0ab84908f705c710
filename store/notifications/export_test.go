package notifications

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// Notify is notify, for the tests of devices.
func (s *Devices) Notify(ctx context.Context, uid model.UserID, id string, before, after *model.Notification) {
	s.notify(ctx, uid, []change{{id, before, after}})
}
