package audit

import (
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// at is the path of a document below the database.
func at(parts ...string) string { return strings.Join(parts, "/") }

// noticePath is where a notice is in the event log.
func noticePath(id string) (path, partition string) {
	partition, _ = model.NoticePartition(id)
	return at(model.NoticeLogs, partition, model.Notices, id), partition
}

// partitionOf is the partition of the event log that holds a user's notices.
func partitionOf(uid model.UserID) string {
	n := model.NewNotice("", model.NoticeFollow, uid, model.NoticePayload{}, time.UnixMilli(0))
	partition, _ := model.NoticePartition(n.ID)
	return partition
}
