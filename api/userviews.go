package api

import (
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/users"
)

// User is a profile. Introduction and AIPersonality are present with view=full only.
// Email and NotSuggested are present only on the caller's own profile.
type User struct {
	ID             model.UserID       `json:"id"`
	Username       string             `json:"username"`
	Nickname       string             `json:"nickname"`
	Snippet        string             `json:"snippet" doc:"First 280 characters of the introduction"`
	Avatar         string             `json:"avatar"`
	Header         string             `json:"header,omitempty" doc:"Address of the wide picture; absent from a profile without"`
	BlockStrangers bool               `json:"blockStrangers" doc:"True if only people that this user follows may like and reply"`
	Locked         bool               `json:"locked" doc:"True if this user decides who follows: following makes a request, which the user accepts or refuses"`
	HoldReplies    string             `json:"holdReplies" enum:"off,strangers" doc:"Whose replies in this user's new threads wait for this user's approval: nobody's, or those of strangers"`
	Discoverable   bool               `json:"discoverable" doc:"True if this user wants to be in the directory"`
	Bot            bool               `json:"bot" doc:"True if the user says that a program makes the posts"`
	Pronouns       string             `json:"pronouns,omitempty"`
	Fields         []ProfileFieldItem `json:"fields,omitempty" nullable:"false" doc:"At most 4 lines of the profile; absent if there are none"`
	Language       string             `json:"language,omitempty" doc:"Language that this user writes, as two or three letters; absent if the user does not say"`
	NotSuggested   *bool              `json:"notSuggested,omitempty" doc:"True if nobody gets this user as a suggestion; present in GET and PATCH /v1/users/me"`
	HeldReplies    *int64             `json:"heldReplies,omitempty" doc:"How many replies wait for the caller's approval, up to 1,000; present in GET /v1/users/me while holdReplies is not off"`
	FollowRequests *int64             `json:"followRequests,omitempty" doc:"How many ask to follow the caller, up to 1,000; present in GET /v1/users/me while locked"`
	MessagesFrom   string             `json:"messagesFrom,omitempty" enum:"everybody,following,nobody" doc:"Who may begin a conversation with the caller; present in GET /v1/users/me"`
	TermsVersion   *int64             `json:"termsVersion,omitempty" doc:"Version of the terms to which the caller consented last, 0 for none; present in GET /v1/users/me"`
	PinnedTags     []string           `json:"pinnedTags,omitempty" nullable:"false" doc:"Tags that this user shows on the profile, as the user spells them, at most 10; absent if there are none"`
	FollowerCount  int64              `json:"followerCount"`
	FollowedCount  int64              `json:"followedCount"`
	TweetCount     int64              `json:"tweetCount"`
	AIModel        string             `json:"aiModel"`
	CreatedAt      time.Time          `json:"createdAt"`
	UpdatedAt      *time.Time         `json:"updatedAt" doc:"null until the first edit"`

	Rendered

	Introduction     *string `json:"introduction,omitempty" doc:"Markdown"`
	IntroductionHTML string  `json:"introductionHtml,omitempty" doc:"The introduction as safe HTML; present with format=html, where the introduction is, unless that is empty. Names in it are text"`
	AIPersonality    *string `json:"aiPersonality,omitempty"`
	Email            *string `json:"email,omitempty"`

	Following  *bool `json:"following,omitempty" doc:"Whether the caller follows this user. This and the next three are present if the caller has an account and reads somebody else's profile; whether the user blocks the caller is never told"`
	Requested  *bool `json:"requested,omitempty" doc:"Whether the caller asks to follow this user, who has not answered"`
	FollowedBy *bool `json:"followedBy,omitempty" doc:"Whether this user follows the caller"`
	Blocking   *bool `json:"blocking,omitempty" doc:"Whether the caller blocks this user"`

	MovedTo   string       `json:"movedTo,omitempty" doc:"The address of the account to which the user moved; absent from most"`
	MovedToID model.UserID `json:"movedToId,omitempty" doc:"The id of that account here, present with movedTo; GET /v1/users/{uid} is 404 for one that this server has not met"`

	Remote *Remote `json:"remote,omitempty" doc:"Where the account is, if it is on another server: counts and lists of it are what this server knows; absent from others"`
	Muting *Muting `json:"muting,omitempty" doc:"The caller's mute of this user; absent if there is none, or if it has ended"`
}

func (s *service) userOf(u *model.User) User {
	movedTo, movedToID := s.movedTo(u)
	return User{
		ID: u.ID, Username: u.Username, Nickname: u.Nickname, Snippet: u.Snippet, Avatar: s.Media.Address(u.Avatar),
		Header:         s.Media.Address(u.Header),
		BlockStrangers: u.BlockStrangers, Locked: u.Locked, HoldReplies: u.HoldReplies.String(),
		Discoverable: u.Discoverable, Bot: u.Bot, Pronouns: u.Pronouns, Language: u.Language, PinnedTags: u.PinnedTags,
		FollowerCount: u.FollowerCount, FollowedCount: u.FollowedCount, TweetCount: u.TweetCount,
		AIModel: u.AIModel, CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt, Remote: remoteUserOf(u.Remote),
		MovedTo: movedTo, MovedToID: movedToID,
	}
}

// movedTo is the account to which a user moved: its address, and its id here.
func (s *service) movedTo(u *model.User) (address string, id model.UserID) {
	address = u.MovedTo
	if u.Remote != nil {
		address = u.Remote.MovedTo
	}
	if address == "" {
		return "", ""
	}
	if s.PublicURL != "" {
		if uid, ours := s.fediverse().UserOf(address); ours {
			return address, uid
		}
	}
	return address, model.RemoteUserID(address)
}

func (s *service) fullUserOf(u *users.FullUser) User {
	full := s.userOf(&u.User)
	full.Introduction, full.AIPersonality = &u.Introduction, &u.AIPersonality
	full.Fields = fieldsOf(&u.UserDetail, u.Username)
	return full
}

// UserSummary is the part of a profile that a list of users shows.
type UserSummary struct {
	ID            model.UserID `json:"id"`
	Username      string       `json:"username"`
	Nickname      string       `json:"nickname"`
	Avatar        string       `json:"avatar"`
	Snippet       string       `json:"snippet"`
	Bot           bool         `json:"bot,omitempty" doc:"True if the user says that a program makes the posts"`
	FollowerCount int64        `json:"followerCount"`
	FollowedCount int64        `json:"followedCount"`
	TweetCount    int64        `json:"tweetCount"`

	Rendered
}

func (s *service) summaryOf(u *model.User) UserSummary {
	return UserSummary{
		ID: u.ID, Username: u.Username, Nickname: u.Nickname, Avatar: s.Media.Address(u.Avatar), Snippet: u.Snippet,
		Bot: u.Bot, FollowerCount: u.FollowerCount, FollowedCount: u.FollowedCount, TweetCount: u.TweetCount,
	}
}
