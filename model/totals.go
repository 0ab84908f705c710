package model

// Total tells how many documents a collection has: totals/{collection}.
type Total struct {
	Count int64 `firestore:"count"`
}
