// Package bounds holds the documents of the database to the bounds that the registry
// of package model states.
package bounds
