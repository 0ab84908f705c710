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
	// the input of SnippetNodes, if Snippet by itself shows something else; else empty
	SnippetTree string `firestore:"snippetTree,omitempty"`
	Avatar      string `firestore:"avatar"`           // an address; of an uploaded picture the path alone, see [media.Store.Address]
	Header      string `firestore:"header,omitempty"` // the path of the wide picture; empty for none
	// the uploads whose addresses Avatar and Header are; empty for addresses of other hosts
	AvatarMedia    MediaID `firestore:"avatarMedia,omitempty"`
	HeaderMedia    MediaID `firestore:"headerMedia,omitempty"`
	BlockStrangers bool    `firestore:"blockStrangers"`
	Locked         bool    `firestore:"locked"` // a follow needs the user's consent
	// whose replies to new tweets of the user wait for approval; absent from most
	HoldReplies Hold `firestore:"holdReplies,omitempty"`
	// Discoverable lists the user in the directory, and Language is the language that the user writes: of two or three
	// letters, empty if the user does not say.
	Discoverable bool   `firestore:"discoverable,omitempty"`
	Language     string `firestore:"language,omitempty"`
	// Bot marks an account whose posts a program makes. The user says so; nobody checks it.
	Bot      bool   `firestore:"bot,omitempty"`
	Pronouns string `firestore:"pronouns,omitempty"`
	// HasFields says that the details have fields, so that others are not read for them.
	HasFields bool `firestore:"hasFields,omitempty"`
	// nobody gets the user as a suggestion
	NotSuggested bool `firestore:"notSuggested,omitempty"`
	// who may begin a conversation with the user; absent from most
	MessagesFrom  MessagesFrom `firestore:"messagesFrom,omitempty"`
	FollowerCount int64        `firestore:"followerCount"`
	FollowedCount int64        `firestore:"followedCount"`
	TweetCount    int64        `firestore:"tweetCount"`
	AIModel       string       `firestore:"aiModel"`
	CreatedAt     time.Time    `firestore:"createdAt"`
	UpdatedAt     *time.Time   `firestore:"updatedAt"`            // nil until the first edit
	PinnedTags    []string     `firestore:"pinnedTags,omitempty"` // as the user typed them, at most MaxPinnedTags
	// the version of the terms to which the user consented last, and when; absent from users who never did. It never
	// falls.
	TermsVersion int64     `firestore:"termsVersion,omitempty"`
	TermsAt      time.Time `firestore:"termsAt,omitempty"`
	// of a user who has an account on another server; nil for others
	Remote *RemoteUser `firestore:"remote,omitempty"`
	// the address of the account to which a user of this installation moved; empty for most
	MovedTo string `firestore:"movedTo,omitempty"`
}

// Author is the part of a profile that its tweets carry.
func (u *User) Author() Author {
	return Author{Username: u.Username, Nickname: u.Nickname, Avatar: u.Avatar}
}

// Asked reports whether who wants to follow the user has to ask first.
func (u *User) Asked() bool { return u.Locked || u.Remote != nil }

// Introduce sets the parts of an introduction that lists show.
func (u *User) Introduce(introduction string) {
	u.Snippet = Snippet(introduction, MaxSnippet)
	u.SnippetTree = snippetTree(IntroductionNodes(introduction), u.Snippet)
}

// FromSources is the profile with the fields that follow from its nickname and its introduction.
func (u User) FromSources(d UserDetail) User {
	u.NicknameLower = NormalizeNickname(u.Nickname)
	u.Introduce(d.Introduction)
	return u
}

// IntroductionNodes reads an introduction as Markdown. Names in it are plain text: an introduction mentions no user.
func IntroductionNodes(introduction string) []markdown.Node {
	return markdown.WithUsers(markdown.Parse(introduction).Nodes, nil)
}

// UserDetail is the part of a profile that only a profile page shows: userDetails/{uid}.
type UserDetail struct {
	Introduction  string         `firestore:"introduction"`
	AIPersonality string         `firestore:"aiPersonality"`
	Fields        []ProfileField `firestore:"fields,omitempty"` // at most MaxProfileFields, in this order
	Proofs        []FieldProof   `firestore:"proofs,omitempty"` // of the links of Fields; one of another value may stay a while
	// addresses of accounts on other servers that are the user's, too, at most MaxAliases
	Aliases []string `firestore:"aliases,omitempty"`
}

// MaxAliases is how many accounts on other servers a user names.
const MaxAliases = 10

// UserSecret is the part of a profile for the user and administrators only:
// userSecrets/{uid}.
type UserSecret struct {
	Email   string    `firestore:"email"`   // from the newest ID token that asked for the profile
	EmailAt time.Time `firestore:"emailAt"` // when that token was made
	// the invitation by which the user signed up; absent from most
	Invitation InvitationCode `firestore:"invitation,omitempty"`
	// digest of the request by which an administrator made the profile, without its password; absent from most
	Imported string `firestore:"imported,omitempty"`
}

// Username reserves a name: usernames/{username}. The name of a deleted account, and of a [SignUp] that waits, has no
// owner, and is reserved until HeldUntil.
type Username struct {
	UID       UserID    `firestore:"uid"`
	HeldUntil time.Time `firestore:"expireAt,omitempty"`
}
