package model

import "time"

// Limits of what clients may send, where code depends on them. Package api has the
// others in the tags of its types. Lengths are in characters (Unicode code points),
// not bytes.
const (
	MaxContent   = 65_535
	MaxSummary   = 500
	MaxSnippet   = 280
	MaxTags      = 10
	MaxTagLength = 50
	MinUsername  = 3
	MaxUsername  = 20
	MaxNickname  = 50
	maxUserID    = 128 // Firebase Auth's own limit

	MaxIdempotencyKey = 64
	MaxBatch          = 100 // ids in one batch request
	MaxPageSize       = 100
)

const (
	// RecentTweets is how many cards userRecent keeps, and how many tweets of
	// the time before a follow the follower's timeline receives.
	RecentTweets = 20

	// TimelineWindow is how far back a home timeline goes. Older entries are
	// not shown, and their bucket expires.
	TimelineWindow = 30 * 24 * time.Hour

	// IdempotencyWindow is how long an Idempotency-Key is remembered.
	IdempotencyWindow = 24 * time.Hour

	// DedupeWindow is how long an event's effect is remembered: Eventarc
	// redelivers an event for at most 24 hours.
	DedupeWindow = 24 * time.Hour

	// PublicShards is over how many values the public timeline's index is
	// spread; each takes about 500 new tweets a second.
	PublicShards = 4

	// A hot counter is spread over MinShards documents, doubling to MaxShards as it
	// gets hotter.
	MinShards = 8
	MaxShards = 128

	// PullAbove is how many followers an author has whose tweets are not pushed to
	// them any more, but pulled when they read.
	PullAbove = 10_000

	// SleepAfter is how long somebody has not looked at their home timeline when
	// nothing is pushed to them any more.
	SleepAfter = 30 * 24 * time.Hour

	// EntriesPerBucket and CardsPerBucket are how many items a bucket holds before
	// the older half is moved to overflow documents. At their largest the documents
	// stay far below 900 KiB, and each write of one takes little time.
	EntriesPerBucket = 500
	CardsPerBucket   = 150

	// FollowersPerPage is how many followers the single page of an author
	// holds before it is split into FollowerPageCount hashed pages.
	FollowersPerPage  = 1_000
	FollowerPageCount = 16
)
