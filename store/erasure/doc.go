// Package erasure holds what belongs to one person: account deletion, which removes all of it, and exports, which write
// an archive of it. Both follow from the registry of collections in package model.
package erasure
