// Package discovery holds what helps users to find tweets and other users: search, tags, trends and totals. Functions
// write search documents, tags and trends. The API reads them.
package discovery
