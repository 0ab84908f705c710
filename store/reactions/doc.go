// Package reactions stores likes, shares, quotes and bookmarks, and lists whose shares a user has muted.
package reactions
