package model

import (
	"time"

	"github.com/hibana-sns/hibana/internal/markdown"
)

// What the tests of the package use, and nobody else.

const MaxUserID = maxUserID

var (
	ReservedUsernames = reservedUsernames
	OfficialUsernames = officialUsernames
	Skeleton          = skeleton
	ValidateLength    = validateLength
)

func (m Month) Start() time.Time { return m.start() }

func (m Month) End() time.Time { return m.end() }

func (id TweetID) PublicShard() int { return id.publicShard() }

func (id TweetID) ChangeShard() int { return id.changeShard() }

// TagsOf collects the tags of a tweet, from the hashtags in its content and from a list.
func TagsOf(content string, list []string) (map[string]string, error) {
	return tagsIn(markdown.Parse(content), list)
}
