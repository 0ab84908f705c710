package notices

import (
	"time"

	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/heat"
)

// Reader reads what a user is notified of. Its methods may be called concurrently. Their
// errors are those of package errs.
type Reader struct {
	db *db.DB
}

// Writer writes notices and puts them on notifications.
type Writer struct {
	*Reader
	heat  *heat.Heat
	after time.Duration
	zone  *time.Location
}

// NewReader returns the notices of a database.
func NewReader(d *db.DB) *Reader { return &Reader{db: d} }

// NewWriter returns a writer of the notices that r reads. Notices of a hot notification
// are collected for after. The zone decides on which day a notice is.
func NewWriter(r *Reader, h *heat.Heat, after time.Duration, zone *time.Location) *Writer {
	return &Writer{Reader: r, heat: h, after: after, zone: zone}
}
