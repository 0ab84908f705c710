// Package tweets holds what belongs to a tweet: edits and revisions, drafts, threads, mentions, pins and polls.
package tweets
