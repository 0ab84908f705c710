package model

import "time"

// User is a public profile: users/{uid}.
type User struct {
	ID             UserID     `firestore:"-"`
	Username       string     `firestore:"username"`
	Nickname       string     `firestore:"nickname"`
	NicknameLower  string     `firestore:"nicknameLower"`
	Snippet        string     `firestore:"snippet"`
	Avatar         string     `firestore:"avatar"`
	BlockStrangers bool       `firestore:"blockStrangers"`
	Private        bool       `firestore:"private"`
	FollowerCount  int64      `firestore:"followerCount"`
	FollowedCount  int64      `firestore:"followedCount"`
	TweetCount     int64      `firestore:"tweetCount"`
	AIModel        string     `firestore:"aiModel"`
	CreatedAt      time.Time  `firestore:"createdAt"`
	UpdatedAt      *time.Time `firestore:"updatedAt"` // nil until the first edit
}

// Author is the part of a profile that its tweets carry.
func (u *User) Author() Author {
	return Author{Username: u.Username, Nickname: u.Nickname, Avatar: u.Avatar}
}

// UserDetail is the part of a profile that only a profile page shows: userDetails/{uid}.
type UserDetail struct {
	Introduction  string `firestore:"introduction"`
	AIPersonality string `firestore:"aiPersonality"`
}

// UserSecret is the part of a profile for the user and administrators only:
// userSecrets/{uid}.
type UserSecret struct {
	Email string `firestore:"email"`
}

// Username reserves a name: usernames/{username}. The name of a user who left belongs to
// nobody, and is held back until HeldUntil.
type Username struct {
	UID       UserID    `firestore:"uid"`
	HeldUntil time.Time `firestore:"expireAt,omitempty"`
}
