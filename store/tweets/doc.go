// Package tweets stores tweets: posts, edits and revisions, drafts, threads, mentions, pins and polls. A tweet is a
// source document, from which functions derive everything else.
package tweets
