// Package model holds what Hibana's documents look like: their fields, ids,
// composite keys, month buckets, limits and validation. It does no I/O, and
// every collection and field name that the rest of the code uses is here.
//
// Times are UTC with the millisecond precision of tweet ids.
package model
