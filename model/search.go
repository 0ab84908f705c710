package model

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/markdown"
)

// SearchDoc is the document by which a search finds a tweet: searchDocs/{shard}_{place}, see [SearchKey]. Only a tweet
// that is [Tweet.Searchable] has one.
type SearchDoc struct {
	AuthorID UserID          `firestore:"authorId"`
	Terms    map[string]bool `firestore:"terms"` // see package discovery; always true
	// the shown text of the tweet, without Markdown, as far as Terms has its words
	Text     string `firestore:"text"`
	Revision int    `firestore:"revision"` // the version of Text; no search shows another
}

// SearchShards is the number of parts of the index of terms. Each part accepts about 500 tweets a second with one term.
// A search reads all parts, or the one with the tweets of an author.
const SearchShards = 4

// Searchable reports whether a search finds the tweet: whether lists for everybody have it.
func (t *Tweet) Searchable() bool { return t != nil && t.Visibility == Public && !t.IsViolative }

// Plain is the shown text of a tweet with a content, its summary first, in one line. media says whether the content has
// an image.
func (t *Tweet) Plain(content string) (text string, media bool) {
	nodes := t.Nodes(content)
	return strings.Join(strings.Fields(t.Summary+"\n"+markdown.Text(nodes)), " "), hasImage(nodes)
}

// Title is the title of a tweet with a content: the text of the heading of the first level that the content begins
// with, as far as [MaxTitle]. Most tweets have none.
func (t *Tweet) Title(content string) string {
	if !strings.HasPrefix(strings.TrimLeft(content, " \n"), "#") {
		return ""
	}
	nodes := t.Nodes(content)
	if len(nodes) == 0 || nodes[0].Tag != "h1" {
		return ""
	}
	return Snippet(strings.Join(strings.Fields(markdown.Text(nodes[:1])), " "), MaxTitle)
}

func hasImage(nodes []markdown.Node) bool {
	for _, n := range nodes {
		if n.Tag == "img" || hasImage(n.Nodes) {
			return true
		}
	}
	return false
}

// SearchKey names the document by which a search finds a tweet. Within a shard newer tweets
// have smaller keys, so a query needs no index to list them first. All tweets of an author are
// in one shard.
func SearchKey(id TweetID) string {
	author, at := id.parts()
	return SearchKeyAt(int(author)%SearchShards, fmt.Sprintf("%016x%02x", ^at, ^author))
}

// SearchKeyAt names a position in a shard: a part of a key, or all of it.
func SearchKeyAt(shard int, position string) string { return strconv.Itoa(shard) + "_" + position }

// SearchPosition is the position of the document with a key, which is the same in each shard, and its tweet. ok is
// false for a text that is no key.
func SearchPosition(key string) (position string, id TweetID, ok bool) {
	_, position, _ = strings.Cut(key, "_")
	if len(position) != 18 {
		return "", "", false
	}
	at, err := strconv.ParseUint(position[:16], 16, 64)
	author, err2 := strconv.ParseUint(position[16:], 16, 8)
	id = TweetID(fmt.Sprintf("%02x%016x", ^uint8(author), ^at))
	return position, id, err == nil && err2 == nil && SearchKey(id) == key
}

// SearchPositionOf is a position in each shard: tweets from before a time come after it, and all others before it.
// Times are from 1970 to 2500.
func SearchPositionOf(t time.Time) string {
	return fmt.Sprintf("%016xff", ^(uint64(t.UnixMilli()) << 20))
}

// SearchShard is the shard with the tweets of an author.
func SearchShard(author UserID) int { return int(hashByte(string(author))) % SearchShards }

// parts are the parts of an id: the hash of its author, and the rest, which begins with the time.
func (id TweetID) parts() (author uint8, at uint64) {
	a, _ := strconv.ParseUint(string(id[:2]), 16, 8)
	at, _ = strconv.ParseUint(string(id[2:]), 16, 64)
	return uint8(a), at
}
