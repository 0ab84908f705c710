package model

import (
	"regexp"

	"github.com/hibana-sns/hibana/internal/errs"
)

// A card's id is its slot and its term, see Event.NotificationKey.
var notificationID = regexp.MustCompile(`^[a-z]+(:[0-9a-f]{18})?_[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// ParseNotificationID checks the form of a card's id, which must not name anything else
// in the database; errs.Invalid tells what it should be.
func ParseNotificationID(s string) (string, error) {
	if !notificationID.MatchString(s) {
		return "", errs.New(errs.Invalid, "invalid_notification_id", "a notification id is a slot and a day, such as follow_2026-11-20")
	}
	return s, nil
}
