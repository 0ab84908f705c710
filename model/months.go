package model

import "time"

// Month is a month in UTC, as "2026-11". Months compare as strings.
type Month string

// MonthOf is the month that holds t.
func MonthOf(t time.Time) Month { return Month(t.UTC().Format("2006-01")) }

// start is the month's first moment.
func (m Month) start() time.Time {
	t, err := time.Parse("2006-01", string(m))
	if err != nil {
		panic("model: Month(" + string(m) + ").start: not a month")
	}
	return t
}

// end is the first moment after the month.
func (m Month) end() time.Time { return m.start().AddDate(0, 1, 0) }

// Oldest is the smallest id of tweets of the month, see [OldestAt].
func (m Month) Oldest() TweetID { return OldestAt(m.start()) }

// Prev is the previous month.
func (m Month) Prev() Month { return MonthOf(m.start().AddDate(0, -1, 0)) }

// MonthsBetween lists the months that overlap [from, to], newest first.
func MonthsBetween(from, to time.Time) []Month {
	var months []Month
	for m, first := MonthOf(to), MonthOf(from); m >= first; m = m.Prev() {
		months = append(months, m)
	}
	return months
}
