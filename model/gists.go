package model

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of gists.
const (
	MinGisted   = 1_000 // characters of a tweet that may have a gist
	MaxGist     = 600   // characters of a gist
	MaxGistText = 16_000
	// GistPatience is for how long others wait for a gist that somebody asked for, and GistRetry how long after a failure
	// the provider is asked again.
	GistPatience = time.Minute
	GistRetry    = time.Hour
)

// Gist is a short form of a long tweet, which an AI model wrote. It is kept with the text of the tweet, and an edit
// removes it.
type Gist struct {
	Text  string `firestore:"text"` // plain text; empty until the provider has answered
	Model string `firestore:"model"`
	// of the tweet: a process of a former version edits the text and leaves the gist
	Revision int       `firestore:"revision"`
	AskedAt  time.Time `firestore:"askedAt"` // when the provider was asked
}

// Of returns the gist if it is of the present text of a tweet, and nil otherwise.
func (g *Gist) Of(t *Tweet) *Gist {
	if g == nil || g.Revision != t.Revision {
		return nil
	}
	return g
}

// Trim returns a text as a gist has it: one line of at most MaxGist characters.
func (Gist) Trim(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if utf8.RuneCountInString(text) > MaxGist {
		text = string([]rune(text)[:MaxGist-1]) + "…"
	}
	return text
}

// GistDay counts the tokens that gists took in a day: aiModels/gists.
type GistDay struct {
	Day    string `firestore:"day"` // in UTC
	Tokens int64  `firestore:"tokens"`
}

// Reserve counts tokens in the day of a time. Beyond most it counts nothing, and returns false.
func (d *GistDay) Reserve(at time.Time, tokens, most int64) bool {
	if day := at.UTC().Format(time.DateOnly); day != d.Day {
		d.Day, d.Tokens = day, 0
	}
	if d.Tokens+tokens > most {
		return false
	}
	d.Tokens += tokens
	return true
}

// Settle replaces tokens that were reserved at a time by those that were taken. A reserve of the day before stays.
func (d *GistDay) Settle(at time.Time, reserved, taken int64) {
	if at.UTC().Format(time.DateOnly) == d.Day {
		d.Tokens = max(0, d.Tokens-reserved) + taken
	}
}
