package model

import "time"

// Relationship says that one user follows another: relationships/{follower_followed}.
type Relationship struct {
	FollowerID UserID    `firestore:"followerId"`
	FollowedID UserID    `firestore:"followedId"`
	CreatedAt  time.Time `firestore:"createdAt"`
}

// FollowRequest says that one user asks to follow a locked user: followRequests/{follower_followed}. A user who follows
// already has no request.
type FollowRequest struct {
	FollowerID UserID    `firestore:"followerId"`
	FollowedID UserID    `firestore:"followedId"`
	CreatedAt  time.Time `firestore:"createdAt"`
}

// MutedSharer says that the home timeline of a user hides the shares of another: hiddenSharers/{uid_sharer}. The other
// user does not see it.
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

// Like is a like of a tweet, likes/{uid_tweetId}, a share, shares/{uid_tweetId}, or a bookmark,
// bookmarks/{uid_tweetId}.
type Like struct {
	UserID    UserID    `firestore:"userId"`
	TweetID   TweetID   `firestore:"tweetId"`
	AuthorID  UserID    `firestore:"authorId"` // of the tweet
	CreatedAt time.Time `firestore:"createdAt"`
	ShareID   TweetID   `firestore:"shareId,omitempty"` // of a share: its own id, which has its time

	// Language is that of the tweet, if lists for everybody had the tweet then: trends count only such likes and shares.
	// Absent otherwise, and from bookmarks.
	Language string `firestore:"language,omitempty"`
}
