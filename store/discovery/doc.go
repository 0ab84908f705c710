// Package discovery holds what helps people to find tweets and people: search, tags, trends and totals. Functions write
// search documents, tags and trends. The API reads them.
package discovery
