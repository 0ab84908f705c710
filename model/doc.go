// Package model has the form of Hibana's documents: fields, ids, composite keys, month buckets, limits and validation.
// The package does no I/O. Other packages take every name of a collection and of a counter from here.
//
// Times are UTC with the millisecond precision of tweet ids.
package model
