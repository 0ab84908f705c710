package model

import "time"

// Relationship says that one user follows another: relationships/{follower_followed}.
type Relationship struct {
	FollowerID UserID    `firestore:"followerId"`
	FollowedID UserID    `firestore:"followedId"`
	CreatedAt  time.Time `firestore:"createdAt"`
}

// FollowRequest says that one user asks to follow another, who is locked:
// followRequests/{follower_followed}. The request of a user who follows already is never there.
type FollowRequest struct {
	FollowerID UserID    `firestore:"followerId"`
	FollowedID UserID    `firestore:"followedId"`
	CreatedAt  time.Time `firestore:"createdAt"`
}

// MutedSharer says that a user sees nothing in the home timeline that another shares:
// hiddenSharers/{uid_sharer}. Nobody but the user is told.
type MutedSharer struct {
	UserID    UserID    `firestore:"userId"`
	SharerID  UserID    `firestore:"sharerId"`
	CreatedAt time.Time `firestore:"createdAt"`
}

// Block says that one user refuses the likes and replies of another:
// blocks/{blocker_blockee}. A block hides nothing.
type Block struct {
	BlockerID UserID    `firestore:"blockerId"`
	BlockeeID UserID    `firestore:"blockeeId"`
	CreatedAt time.Time `firestore:"createdAt"`
}

// Like says that a user likes a tweet, likes/{uid_tweetId}, or shares a tweet,
// shares/{uid_tweetId}, or keeps it, bookmarks/{uid_tweetId}.
type Like struct {
	UserID    UserID    `firestore:"userId"`
	TweetID   TweetID   `firestore:"tweetId"`
	AuthorID  UserID    `firestore:"authorId"` // of the tweet
	CreatedAt time.Time `firestore:"createdAt"`
	ShareID   TweetID   `firestore:"shareId,omitempty"` // of a share: its own id, which has its time

	// Language is that of the tweet, if lists for everybody had the tweet then: trends count such
	// a like or share, and no other. Absent otherwise, and from bookmarks.
	Language string `firestore:"language,omitempty"`
}
