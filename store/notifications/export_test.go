package notifications

import "time"

// DrainTime changes how long a drain goes on to the next notification.
func DrainTime(w *Writer, d time.Duration) { w.drainTime = d }
