package model

import (
	"regexp"

	"github.com/hibana-sns/hibana/internal/errs"
)

// The id of a notification is its group key and its day, see [NotificationEvent.NotificationKey].
var notificationID = regexp.MustCompile(`^[a-zA-Z]+(:[0-9a-f]{18})?_[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// ParseNotificationID checks the form of a notification's id. Any other text could name another document. Such a text
// is errs.Invalid, and the error has the form.
func ParseNotificationID(s string) (string, error) {
	if !notificationID.MatchString(s) {
		return "", errs.New(errs.Invalid, "invalid_notification_id",
			"a notification id is a slot and a day, such as follow_2026-11-20")
	}
	return s, nil
}
