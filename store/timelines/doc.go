// Package timelines writes and reads home timelines. It covers fan-out, backfill, pulls of large authors' months, pages
// of followers, positions of shares, and dormant readers. A dormant reader's timeline is rebuilt at the reader's next
// visit.
package timelines
