package notifications

import "time"

// FlushTime changes how long a flush goes on to the next notification.
func FlushTime(w *Writer, d time.Duration) { w.flushTime = d }
