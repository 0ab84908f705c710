// Package reactions holds shares, quotes and bookmarks.
package reactions
