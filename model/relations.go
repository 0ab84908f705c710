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
