package model

import "time"

// Cursor is a place in a list that a query orders by a time or a count, and then by
// document id. The zero Cursor is the beginning of the list.
type Cursor struct {
	At    time.Time `json:"at,omitzero" firestore:"at"`
	Count int64     `json:"count,omitzero" firestore:"count"`
	ID    string    `json:"id,omitzero" firestore:"id"`
}

// IsZero tells whether the cursor is the beginning of the list.
func (c Cursor) IsZero() bool { return c.ID == "" }

// After tells whether c is a later time than d, or at the same time a greater id.
func (c Cursor) After(d Cursor) bool {
	if !c.At.Equal(d.At) {
		return c.At.After(d.At)
	}
	return c.ID > d.ID
}

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	Next  Cursor // zero at the end of the list
}
