// Package timelines writes and reads home timelines: fan-out, backfill, reads of large authors' own months (pull),
// follower pages, positions of shares, and dormant readers, whose timelines are rebuilt at their next visit.
package timelines
