// Package reactions handles shares, quotes and bookmarks.
package reactions
