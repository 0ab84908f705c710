package model

import (
	"strings"
	"time"
)

// Cursor is a position in a list that a query orders by a time or a count, and then by document id. The zero Cursor is
// the beginning of the list.
type Cursor struct {
	At    time.Time `json:"at,omitzero" firestore:"at"`
	Count int64     `json:"count,omitzero" firestore:"count"`
	ID    string    `json:"id,omitzero" firestore:"id"`
}

// IsZero reports whether the cursor is the beginning of the list.
func (c Cursor) IsZero() bool { return c.ID == "" }

// Compare orders cursors by time, and at the same time by id. The result is negative if c
// comes before d.
func (c Cursor) Compare(d Cursor) int {
	if n := c.At.Compare(d.At); n != 0 {
		return n
	}
	return strings.Compare(c.ID, d.ID)
}

// After reports whether c is a later time than d, or at the same time a greater id.
func (c Cursor) After(d Cursor) bool { return c.Compare(d) > 0 }

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	Next  Cursor // zero at the end of the list
}
