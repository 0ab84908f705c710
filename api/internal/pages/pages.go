// Package pages writes what people without scripts, crawlers, feed readers and other sites get of public profiles and
// tweets: HTML with OpenGraph and JSON-LD, RSS, JSON Feed, oEmbed, the sitemap and robots.txt.
//
// It reads nothing and decides nothing: a caller passes only what everybody may see. The same input gives the same
// bytes, so that the ETag of an answer stays.
package pages

import (
	"html/template"
	"net/url"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Site is the public address of an installation.
type Site struct {
	URL    string // origin of all addresses, such as https://hibana.example
	Images string // another origin of pictures and videos; empty for none
}

// Name is the name of the service in titles.
const Name = "Hibana"

// Profile is the address of the page of a profile.
func (s Site) Profile(username string) string { return s.URL + "/@" + url.PathEscape(username) }

// Post is the address of the page of a tweet.
func (s Site) Post(username string, id model.TweetID) string {
	return s.Profile(username) + "/" + string(id)
}

// RSS and JSONFeed are the addresses of the feeds of a profile.
func (s Site) RSS(username string) string { return s.Profile(username) + "/feed.rss" }

// JSONFeed is the address of the JSON Feed of a profile.
func (s Site) JSONFeed(username string) string { return s.Profile(username) + "/feed.json" }

// absolute completes an address within the service; an address of another host stays as it is.
func (s Site) absolute(address string) string {
	if strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") {
		return s.URL + address
	}
	return address
}

// Person is the part of a profile that pages show.
type Person struct {
	ID        model.UserID
	Username  string
	Nickname  string
	Avatar    string        // an address; empty for none
	Header    string        // the address of the wide picture; empty for none
	About     string        // the introduction's beginning as text
	AboutHTML template.HTML // the same as safe HTML
	Language  string        // of two or three letters; empty if unknown
	Followers int64
	Followed  int64
	Posts     int64
	Since     time.Time
	Pronouns  string
	Bot       bool
	Fields    []Field
	Listed    bool // false: search engines shall not list the person
}

// Field is a line of a profile.
type Field struct {
	Name, Value string
	Link        bool // the value is an https address
	Verified    bool // its page links to the profile
}

// Poll is the poll of a tweet.
type Poll struct {
	Options []Option
	Counted bool // everybody may see the votes
	Closed  bool
	Closes  time.Time
}

// Option is an option of a poll.
type Option struct {
	Text  string
	Votes int64
}

// Quoted is a tweet that another quotes.
type Quoted struct {
	ID      model.TweetID
	Author  Person
	Warning string        // content warning; empty for none
	HTML    template.HTML // the beginning of the text as safe HTML; it is not shown with a warning
	Listed  bool          // false: search engines shall not list what shows the tweet
}

// Picture is a picture or video of a tweet.
type Picture struct {
	Address       string // of the picture, or the poster of a video; empty for a video without
	Video         string // of the video; empty for a picture
	Width, Height int
	Alt           string
}

// Post is a tweet that everybody may see.
type Post struct {
	ID       model.TweetID
	Author   Person
	Warning  string        // content warning; empty for none
	Text     string        // as plain text
	HTML     template.HTML // as safe HTML
	Cut      bool          // Text and HTML are the beginning only
	Language string        // BCP 47; empty if unknown
	Pictures []Picture
	ReplyTo  model.TweetID // empty for none
	QuoteOf  model.TweetID // empty for none
	Quoted   *Quoted       // nil if the page does not show the quoted tweet
	Poll     bool
	Votes    *Poll // nil if the page does not show the poll
	Likes    int64
	Replies  int64
	Shares   int64
	Counted  bool // the counts are known
	At       time.Time
	Edited   *time.Time // nil for a tweet without edits
}

// maxTitle is how many characters of a text a title has.
const maxTitle = 70

// headline is the beginning of a tweet on one line. Of a tweet with a content warning it is the warning.
func (p Post) headline() string {
	text := p.Text
	if p.Warning != "" {
		text = p.Warning
	}
	return short(text, maxTitle)
}

// description is what a preview in another service says.
func (p Post) description() string {
	if p.Warning != "" {
		return p.Warning
	}
	return strings.Join(strings.Fields(p.Text), " ")
}

// short is the beginning of a text on one line.
func short(text string, limit int) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) <= limit {
		return string(line)
	}
	return strings.TrimRight(string(line[:limit-1]), " ") + "…"
}

// title is the title of a tweet.
func (p Post) title() string {
	name := p.Author.Nickname + " (@" + p.Author.Username + ")"
	if text := p.headline(); text != "" {
		return name + ": " + text
	}
	return name
}

// time1123 is the time of RSS.
func time1123(t time.Time) string { return t.UTC().Format(time.RFC1123Z) }

// time3339 is the time of HTML, JSON and sitemaps.
func time3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }
