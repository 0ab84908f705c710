package model

import (
	"time"

	"github.com/hibana-sns/hibana/internal/markdown"
)

// User is a public profile: users/{uid}.
type User struct {
	ID            UserID `firestore:"-"`
	Username      string `firestore:"username"`
	Nickname      string `firestore:"nickname"`
	NicknameLower string `firestore:"nicknameLower"`
	Snippet       string `firestore:"snippet"` // the introduction's first MaxSnippet characters
	// what SnippetNodes reads, where Snippet by itself shows something else; else empty
	SnippetTree    string     `firestore:"snippetTree,omitempty"`
	Avatar         string     `firestore:"avatar"`
	BlockStrangers bool       `firestore:"blockStrangers"`
	Locked         bool       `firestore:"locked"` // whoever wants to follow asks first
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

// Introduce sets what lists show of an introduction.
func (u *User) Introduce(introduction string) {
	u.Snippet = Snippet(introduction, MaxSnippet)
	u.SnippetTree = snippetTree(IntroductionNodes(introduction), u.Snippet)
}

// FromFacts is the profile with what follows from its nickname and its introduction.
func (u User) FromFacts(d UserDetail) User {
	u.NicknameLower = NormalizeNickname(u.Nickname)
	u.Introduce(d.Introduction)
	return u
}

// IntroductionNodes reads an introduction as Markdown. The names in it are text: an introduction
// mentions nobody.
func IntroductionNodes(introduction string) []markdown.Node {
	return markdown.WithUsers(markdown.Parse(introduction).Nodes, nil)
}

// UserDetail is the part of a profile that only a profile page shows: userDetails/{uid}.
type UserDetail struct {
	Introduction  string `firestore:"introduction"`
	AIPersonality string `firestore:"aiPersonality"`
}

// UserSecret is the part of a profile for the user and administrators only:
// userSecrets/{uid}.
type UserSecret struct {
	Email   string    `firestore:"email"`   // as the newest ID token has it that asked for the profile
	EmailAt time.Time `firestore:"emailAt"` // when that token was made
}

// Username reserves a name: usernames/{username}. The name of a user who left belongs to
// nobody, and is held back until HeldUntil.
type Username struct {
	UID       UserID    `firestore:"uid"`
	HeldUntil time.Time `firestore:"expireAt,omitempty"`
}
