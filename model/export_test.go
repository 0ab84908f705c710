package model

import "time"

// What the tests of the package use, and nobody else.

const MaxUserID = maxUserID

var (
	ReservedUsernames = reservedUsernames
	OfficialUsernames = officialUsernames
	Skeleton          = skeleton
	TagsOf            = tagsOf
	ValidateLength    = validateLength
)

func (m Month) Start() time.Time { return m.start() }

func (m Month) End() time.Time { return m.end() }

func (id TweetID) PublicShard() int { return id.publicShard() }

func (id TweetID) ChangeShard() int { return id.changeShard() }
