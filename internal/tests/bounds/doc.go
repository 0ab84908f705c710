// Package bounds holds the documents of the database to the bounds that docs/model/bounds.md
// states.
package bounds
