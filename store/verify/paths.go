package verify

import (
	"strings"

	"github.com/hibana-sns/hibana/model"
)

// at is the path of a document below the database.
func at(parts ...string) string { return strings.Join(parts, "/") }

// notificationEventPath is the path of a notification event in the event log.
func notificationEventPath(id string) (path, partition string) {
	partition, _ = model.NotificationEventPartition(id)
	return at(model.NotificationLogs, partition, model.NotificationEvents, id), partition
}
