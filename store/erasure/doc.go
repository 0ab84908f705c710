// Package erasure holds all documents of one user: account deletion, which removes them, and exports, which write an
// archive of them. Both follow the registry of collections in package model.
package erasure
