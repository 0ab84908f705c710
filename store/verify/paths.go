package verify

import (
	"strings"

	"github.com/hibana-sns/hibana/model"
)

// at is the path of a document below the database.
func at(parts ...string) string { return strings.Join(parts, "/") }

// noticePath is where a notice is in the event log.
func noticePath(id string) (path, partition string) {
	partition, _ = model.NoticePartition(id)
	return at(model.NoticeLogs, partition, model.Notices, id), partition
}
