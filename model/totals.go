package model

// Total is the number of documents of a collection: totals/{collection}.
type Total struct {
	Count int64 `firestore:"count"`
}
