// Package tweets handles the parts of a tweet: edits and revisions, drafts, threads, mentions, pins and polls.
package tweets
