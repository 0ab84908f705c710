// Package bounds holds the documents of the database to the bounds that docs/data-model.md
// states.
package bounds
