package model

import "time"

// TotalsDocument is the only document of totals.
const TotalsDocument = "all"

// TotalCounts are the numbers of documents of the collections of [Totaled]: totals/all.
type TotalCounts struct {
	Of map[string]Total `firestore:"of"`
}

// Total is the number of documents of a collection at a time. A large collection is counted in slices, one at a time.
type Total struct {
	Count     int64            `firestore:"count"`
	CountedAt time.Time        `firestore:"countedAt"` // of the last slice
	Slices    map[string]int64 `firestore:"slices,omitempty"`
	Next      string           `firestore:"next"`    // the slice that is counted next; empty before the first, or for a small collection
	TriedAt   time.Time        `firestore:"triedAt"` // of the last count, also of one that failed
}
