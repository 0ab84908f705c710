package model

import (
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// KeptTime returns a time as the database keeps it: in UTC, in whole microseconds. A time before the year 1 or after
// the year 9999 of UTC, which neither the database nor JSON has, is errs.Invalid with a code. what names
// the time.
func KeptTime(code, what string, t time.Time) (time.Time, error) {
	t = t.UTC().Truncate(time.Microsecond)
	if y := t.Year(); y < 1 || y > 9999 {
		return t, errs.New(errs.Invalid, code, "%s is in the year %d of UTC, which is not 1 to 9999", what, y)
	}
	return t, nil
}
