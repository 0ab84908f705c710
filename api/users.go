package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

type newUser struct {
	Username       string  `json:"username" minLength:"3" maxLength:"20" doc:"a–z, 0–9 and _" example:"ann"`
	Nickname       *string `json:"nickname,omitempty" minLength:"1" maxLength:"50" doc:"The username if absent. One character at least can be seen; none controls the text around it" example:"Ann"`
	Introduction   string  `json:"introduction,omitempty" maxLength:"65535" doc:"Markdown"`
	Avatar         string  `json:"avatar,omitempty" maxLength:"2048" doc:"Empty, or an https URL in ASCII without a user name" example:"https://example.com/ann.png"`
	AIModel        string  `json:"aiModel,omitempty" maxLength:"50"`
	AIPersonality  string  `json:"aiPersonality,omitempty" maxLength:"65535"`
	BlockStrangers bool    `json:"blockStrangers,omitempty"`
	Locked         bool    `json:"locked,omitempty" doc:"True if the user decides who follows"`
	Bot            bool    `json:"bot,omitempty" doc:"True if a program makes the posts"`
	Invitation     string  `json:"invitation,omitempty" maxLength:"40" doc:"Code of the invitation to sign up by; needed if the instance says invitationNeeded" example:"ABCDEFGHIJKLMNOP"`
	TermsVersion   int64   `json:"termsVersion,omitempty" minimum:"0" doc:"Version of the terms to which the user consents; needed if the instance says termsNeeded"`
	Reason         string  `json:"reason,omitempty" maxLength:"500" doc:"Why the user wants to join, for the administrators who approve it; only if the instance says approvalNeeded"`
}

type userPatch struct {
	Username       *string `json:"username,omitempty" minLength:"3" maxLength:"20"`
	Nickname       *string `json:"nickname,omitempty" minLength:"1" maxLength:"50"`
	Introduction   *string `json:"introduction,omitempty" maxLength:"65535"`
	Avatar         *string `json:"avatar,omitempty" maxLength:"2048" doc:"Empty, or an https URL in ASCII without a user name"`
	AvatarMedia    *string `json:"avatarMedia,omitempty" maxLength:"24" doc:"Id of a ready upload of the kind avatar, whose address becomes the avatar; empty for none. It excludes avatar"`
	HeaderMedia    *string `json:"headerMedia,omitempty" maxLength:"24" doc:"Id of a ready upload of the kind header, whose address becomes the header; empty for none"`
	AIModel        *string `json:"aiModel,omitempty" maxLength:"50"`
	AIPersonality  *string `json:"aiPersonality,omitempty" maxLength:"65535"`
	BlockStrangers *bool   `json:"blockStrangers,omitempty"`
	Locked         *bool   `json:"locked,omitempty" doc:"True if the user decides who follows. Whoever follows already stays; requests that are open when it becomes false stay until they are answered"`
	HoldReplies    *string `json:"holdReplies,omitempty" enum:"off,strangers" doc:"Whose replies wait for approval in threads that the user begins from now on. Threads from before stay as they are"`
	Discoverable   *bool   `json:"discoverable,omitempty" doc:"True to be in the directory, which everybody reads"`
	Bot            *bool   `json:"bot,omitempty" doc:"True if a program makes the posts"`
	Pronouns       *string `json:"pronouns,omitempty" maxLength:"40" doc:"Empty for none" example:"they/them"`
	Language       *string `json:"language,omitempty" maxLength:"35" doc:"BCP 47 tag of the language that the user writes, of which the first part is kept; empty for none" example:"ja"`
	NotSuggested   *bool   `json:"notSuggested,omitempty" doc:"True if nobody shall get the user as a suggestion"`
	MessagesFrom   *string `json:"messagesFrom,omitempty" enum:"everybody,following,nobody" doc:"Who may begin a conversation with the user; the messages of strangers are requests. Conversations that began before go on"`

	Fields *[]ProfileField `json:"fields,omitempty" maxItems:"4" nullable:"false" doc:"Lines of the profile, in this order; an empty list for none. The page of a link is asked whether it links to the profile with rel=me"`

	PinnedTags *[]TypedTag `json:"pinnedTags,omitempty" maxItems:"10" nullable:"false" doc:"Tags to show on the profile, in this order and spelling; an empty list for none. A spelling of more than 50 characters gives way to the key of its tag"`
}

// TypedTag is a tag as a user typed it, with or without #.
type TypedTag string

// Schema limits the characters, of which a tag leaves out some.
func (TypedTag) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, MaxLength: new(model.MaxTagTyped)}
}

// UnmarshalJSON refuses null. The decoder would take null for an absent field.
func (p *userPatch) UnmarshalJSON(text []byte) error {
	if err := refuseNull(text); err != nil {
		return err
	}
	type plain userPatch
	return json.Unmarshal(text, (*plain)(p))
}

// patch converts the patch for the store.
func (p *userPatch) patch() model.UserPatch {
	id := func(text *string) *model.MediaID {
		if text == nil {
			return nil
		}
		return new(model.MediaID(*text))
	}
	return model.UserPatch{Username: p.Username, Nickname: p.Nickname, Introduction: p.Introduction, Avatar: p.Avatar,
		AvatarMedia: id(p.AvatarMedia), HeaderMedia: id(p.HeaderMedia), AIModel: p.AIModel, AIPersonality: p.AIPersonality,
		BlockStrangers: p.BlockStrangers, Locked: p.Locked, HoldReplies: hold(p.HoldReplies),
		Discoverable: p.Discoverable, Bot: p.Bot, Pronouns: p.Pronouns,
		Fields: profileFields(p.Fields), Language: p.Language, NotSuggested: p.NotSuggested,
		MessagesFrom: messagesFrom(p.MessagesFrom), PinnedTags: typedTags(p.PinnedTags)}
}

// typedTags returns the tags of a request; nil stays nil, and an empty list empty.
func typedTags(typed *[]TypedTag) *[]string {
	if typed == nil {
		return nil
	}
	texts := []string{}
	for _, tag := range *typed {
		texts = append(texts, string(tag))
	}
	return &texts
}

// messagesFrom returns a setting of a request; nil stays nil. The schema allows no other than those of the model.
func messagesFrom(text *string) *model.MessagesFrom {
	if text == nil {
		return nil
	}
	is, _ := model.ParseMessagesFrom(*text)
	return &is
}

// hold returns a setting of a request; nil stays nil. The schema allows no other than those of the model.
func hold(text *string) *model.Hold {
	if text == nil {
		return nil
	}
	is, _ := model.ParseHold(*text)
	return &is
}

// refuseNull returns an error if a field of an object is null.
func refuseNull(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	for name, value := range fields {
		if string(value) == "null" {
			return fmt.Errorf("%s is null; leave it out to keep it as it is", name)
		}
	}
	return nil
}

// UserPath is the part of a request that names a user.
type UserPath struct {
	UID string `path:"uid" doc:"User id of at most 128 characters; me is the caller"`
}

func (p UserPath) userID(ctx context.Context) (model.UserID, error) { return userID(ctx, p.UID) }

// ofUser passes the user id of the path to a handler.
func ofUser[I interface {
	userID(context.Context) (model.UserID, error)
}, O any](handler func(context.Context, I, model.UserID) (*O, error)) func(context.Context, I) (*O, error) {
	return func(ctx context.Context, in I) (*O, error) {
		uid, err := in.userID(ctx)
		if err != nil {
			return nil, err
		}
		return handler(ctx, in, uid)
	}
}

type userOutput struct{ Body User }

type ownUserOutput struct {
	Status int
	Body   User
}

type createdUser struct {
	Status   int
	Location string `header:"Location"`
	Body     createdBody
}

// users adds the operations on one profile and on the lists of one user.
func (s *service) users() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/users", OperationID: "createUser", Tags: []string{"users"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Create the caller's profile",
		Description: "The e-mail address comes from the ID token, and is kept in lower case; one of more than 100 " +
			"characters is 400 email_too_long. The answer is 409 user_exists if the caller has a profile, and 409 " +
			"username_taken if another user has the username. If the instance needs consent to its terms, a " +
			"profile without it is 403 terms_required, and 409 terms_changed with another version. If it needs an invitation, " +
			"a " +
			"profile without one is 403 invitation_required. A code that is unknown, used up or expired is 403 " +
			"invitation_invalid. If the instance says approvalNeeded, a sign-up without an invitation waits for an " +
			"administrator: 202 with the sign-up. It may be sent again with changes; after a refusal it is 403 " +
			"sign_up_refused for 30 days. A blocked e-mail domain or network is 403 email_domain_blocked or address_blocked.",
		Responses: waitingResponse(),
		Errors:    []int{http.StatusConflict}, Metadata: map[string]any{server.WithoutConsent: true},
	}, s.createUser)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me", OperationID: "getMe", Tags: []string{"users"},
		Summary: "Read the caller's whole profile",
		Description: "The e-mail address is that of the newest ID token that asked, in lower case. One of more than 100 " +
			"characters does not take the place of the one before.", Errors: []int{http.StatusNotFound},
		Responses: noneResponse("The caller has no profile, and asked with ifAny"),
	}, func(ctx context.Context, in *struct {
		Rendering
		IfAny
	}) (*ownUserOutput, error) {
		out, err := s.ownUser(ctx, in.Rendering)
		if in.none(err, "user_not_found") {
			return &ownUserOutput{Status: http.StatusNoContent}, nil
		}
		if err != nil {
			return nil, err
		}
		return &ownUserOutput{http.StatusOK, out.Body}, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/users/{uid}", OperationID: "updateUser", Tags: []string{"users"},
		Summary: "Change the caller's profile",
		Description: "An absent field stays as it is, and null is refused. The answer is 403 not_you for the profile of " +
			"another user. " +
			"Another username, nickname or avatar that comes too soon after others is 429 limit_reached, with nextAt, and " +
			"nothing is changed then.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofUser(s.updateUser))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}", OperationID: "getUser", Tags: []string{"users"},
		Summary: "Read a profile", Errors: []int{http.StatusNotFound},
	}, ofUser(s.getUser))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/usernames/{username}", OperationID: "getUserByUsername", Tags: []string{"users"},
		Summary: "Read the profile of the user with a username", Errors: []int{http.StatusNotFound},
	}, s.getUserByUsername)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/tweets", OperationID: "listUserTweets", Tags: []string{"users"},
		Summary: "List what a user writes and shares, newest first",
		Description: "A tweet that the user shares stands at the time of the share, with sharedBy and author; one of the " +
			"user's own stands at its own time alone. " +
			"Everybody may see what is shared; a caller who hides what the user shares does not find it here, and nobody " +
			"finds tweets of users whom they block, or who block them. " +
			"ownOnly leaves shares out. A page ends early when it may have cost 40 reads: it may have fewer items than asked " +
			"for, or none, and a nextPageToken.\n\n" +
			"The items have neither counts nor flags of the caller, so that a page costs little; view=full adds them. " +
			"A page of a list that leaves tweets out (rootOnly, mediaOnly, tag) looks at the tweets of a year with tweets, " +
			"or at 1,200 tweets: it may have fewer items than asked for, or none, and not be the last. " +
			"Tweets for the mentioned are not in the list, and those for followers are for followers.",
		Errors: []int{http.StatusNotFound},
	}, ofUser(s.listUserTweets))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/likes", OperationID: "listUserLikes", Tags: []string{"users"},
		Summary: "List the tweets that a user likes, newest like first", Errors: []int{http.StatusNotFound},
	}, ofUser(s.listUserLikes))
}

func (s *service) createUser(ctx context.Context, in *struct{ Body newUser }) (*createdUser, error) {
	b, caller := in.Body, server.Caller(ctx)
	if err := s.onlyUser(b.Username); err != nil {
		return nil, err
	}
	nickname := b.Username
	if b.Nickname != nil {
		nickname = *b.Nickname
	}
	is, err := s.Moderation.Instance(ctx)
	if err != nil {
		return nil, err
	}
	var invitation model.InvitationCode
	switch {
	case b.TermsVersion == 0 && is.Demands() != 0:
		return nil, model.TermsRequired(is.Demands())
	case b.Invitation == "" && is.InvitationNeeded:
		return nil, model.InvitationRequired()
	case b.Invitation != "":
		if invitation, err = model.ParseInvitationCode(b.Invitation); err != nil {
			return nil, err
		}
	}
	n := model.NewUser{
		Username: b.Username, Nickname: nickname, Introduction: b.Introduction, Avatar: b.Avatar, AIModel: b.AIModel,
		AIPersonality: b.AIPersonality, BlockStrangers: b.BlockStrangers, Locked: b.Locked, Bot: b.Bot, Email: caller.Email,
		EmailAt: caller.IssuedAt, TermsVersion: b.TermsVersion, Invitation: invitation,
	}
	severity, about, err := s.Moderation.BlocksOf(ctx, caller.Email, server.Address(ctx))
	if err != nil {
		return nil, err
	}
	if err := severity.Refused(about); err != nil {
		return nil, err
	}
	n.MayWait = is.ApprovalNeeded || severity == model.SeverityApproval
	if n.MayWait && invitation == "" {
		waits, err := s.Users.AskToJoin(ctx, caller.UID, n, b.Reason)
		if err != nil {
			return nil, err
		}
		out, _ := signUpOf(waits)
		return &createdUser{Status: http.StatusAccepted, Location: "/v1/users/me/sign-up", Body: createdBody{out}}, nil
	}
	u, err := s.Users.CreateUser(ctx, caller.UID, n)
	if err != nil {
		return nil, err
	}
	full := s.fullUserOf(u)
	full.Email = &caller.Email
	return &createdUser{Status: http.StatusCreated, Location: "/v1/users/" + url.PathEscape(string(u.ID)),
		Body: createdBody{full}}, nil
}

func (s *service) ownUser(ctx context.Context, r Rendering) (*userOutput, error) {
	caller := server.Caller(ctx)
	u, err := s.Users.FullUser(ctx, caller.UID)
	if err != nil {
		return nil, err
	}
	out := &userOutput{Body: r.fullUser(s, u)}
	if caller.App == "" { // no app learns the address
		email, err := s.Users.Email(ctx, caller.UID, caller.Email, caller.IssuedAt)
		if err != nil {
			return nil, err
		}
		out.Body.Email = &email
	}
	if err := s.nameModel(ctx, &out.Body); err != nil {
		return nil, err
	}
	out.Body.MessagesFrom, out.Body.NotSuggested = u.MessagesFrom.String(), &u.NotSuggested
	out.Body.TermsVersion = &u.TermsVersion
	if u.HoldReplies != model.HoldNobody {
		n, err := s.HeldReplies.Waiting(ctx, caller.UID)
		if err != nil {
			return nil, err
		}
		out.Body.HeldReplies = &n
	}
	if u.Locked {
		n, err := s.Requests.Waiting(ctx, caller.UID)
		if err != nil {
			return nil, err
		}
		out.Body.FollowRequests = &n
	}
	return out, nil
}

func (s *service) updateUser(ctx context.Context, in *struct {
	UserPath
	Body userPatch
}, uid model.UserID) (*userOutput, error) {
	if uid != server.Caller(ctx).UID {
		return nil, errs.New(errs.Forbidden, "not_you", "you can change your own profile only")
	}
	b := in.Body
	if b == (userPatch{}) {
		return nil, errs.New(errs.Invalid, "empty_patch", "there is nothing to change")
	}
	if b.Username != nil {
		if err := s.onlyUser(*b.Username); err != nil {
			return nil, err
		}
	}
	if err := s.Users.UpdateOwn(ctx, uid, b.patch(), s.coolDown(ctx)); err != nil {
		return nil, err
	}
	if s.federates() {
		if err := s.Stores.Federation.ActorChanged(ctx, uid); err != nil {
			return nil, err
		}
	}
	return s.ownUser(ctx, Rendering{})
}

// coolDown returns the cool-down of the caller. Administrators have none.
func (s *service) coolDown(ctx context.Context) model.CoolDown {
	if server.Caller(ctx).Admin {
		return model.CoolDown{}
	}
	return s.CoolDown
}

func (s *service) getUser(ctx context.Context, in *struct {
	UserPath
	View string `query:"view" enum:"basic,full" default:"basic" doc:"full adds introduction and aiPersonality"`
	Rendering
}, uid model.UserID) (*userOutput, error) {
	if in.View == "full" {
		u, err := s.Users.FullUser(ctx, uid)
		if err != nil {
			return nil, err
		}
		return s.seen(ctx, in.fullUser(s, u))
	}
	u, err := s.Users.User(ctx, uid)
	if err != nil {
		return nil, err
	}
	return s.basic(ctx, in.Rendering, u)
}

// seen adds to a profile the relationship between its user and the caller.
// Cost: 2 reads if the caller follows or blocks the user, otherwise 3; 5 without the caller's graph; none for the
// caller's own profile.
func (s *service) seen(ctx context.Context, u User) (*userOutput, error) {
	if err := s.nameModel(ctx, &u); err != nil {
		return nil, err
	}
	account := viewer(ctx).Account()
	if account != "" && account != u.ID {
		all, err := s.Graph.ViewerRelationshipsOf(ctx, account, []model.UserID{u.ID})
		if err != nil {
			return nil, err
		}
		viewerRelationships := all[u.ID]
		u.Following, u.Requested, u.FollowedBy, u.Blocking = &viewerRelationships.Follows, &viewerRelationships.Requested,
			&viewerRelationships.Followed, &viewerRelationships.Blocks
		u.Muting = mutingOf(viewerRelationships.Muted)
	}
	return &userOutput{u}, nil
}

// onlyUser returns an error for a username that the installation for one user does not have. So nobody else signs up,
// and the user keeps the name.
func (s *service) onlyUser(username string) error {
	if s.SingleUser == "" || username == s.SingleUser {
		return nil
	}
	return errs.New(errs.Forbidden, "single_user", "this instance is for one person, and nobody else signs up")
}

// foldUsername returns a name in lower case.
func foldUsername(name string) string {
	return strings.Map(func(r rune) rune { // ASCII only: U+212A is not a k
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, name)
}

func (s *service) getUserByUsername(ctx context.Context, in *struct {
	Username string `path:"username" doc:"In lower case or capitals; of somebody of another server the handle, as bob@social.example"`
	Rendering
}) (*userOutput, error) {
	name, err := s.handleOf(in.Username)
	if err != nil {
		return nil, err
	}
	uid, err := s.Users.UserByUsername(ctx, name)
	if err != nil {
		return nil, err
	}
	u, err := s.Users.User(ctx, uid)
	if err != nil {
		return nil, err
	}
	return s.basic(ctx, in.Rendering, u)
}

type userListInput struct {
	UserPath
	server.Paging
}

type renderedListInput struct {
	UserPath
	server.Paging
	Rendering
}

// LikedTweet is a tweet in the list of a user's likes.
type LikedTweet struct {
	Tweet
	LikedAt time.Time `json:"likedAt"`
}

func (s *service) listUserLikes(ctx context.Context, in *renderedListInput,
	uid model.UserID) (*server.ListOutput[LikedTweet], error) {
	list := "likes of user " + string(uid)
	likes, err := quietPage(ctx, s, list, in.Paging, model.MaxLikesPage,
		func(from model.Cursor, limit int) (model.Page[model.Like], error) {
			return s.Reactions.LikesBy(ctx, uid, from, limit)
		}, func() error { return s.userExists(ctx, uid) })
	if err != nil {
		return nil, err
	}
	return listMarked(ctx, s, likes, in.Rendering, uid, model.FilterProfile,
		func(l model.Like) model.TweetID { return l.TweetID },
		func(l model.Like, t Tweet) LikedTweet { return LikedTweet{t, l.CreatedAt} })
}

// listMarked converts the tweets of a page of likes, shares, bookmarks or pins. It leaves out a tweet that was deleted
// or is hidden from the caller.
// It leaves out tweets that the caller does not want to see in the list of owner.
func listMarked[M, T any](ctx context.Context, s *service, marks server.Rows[M], r Rendering, owner model.UserID,
	in model.FilterContext, of func(M) model.TweetID, show func(M, Tweet) T) (*server.ListOutput[T], error) {
	seen, err := s.Tweets.Batch(ctx, each(marks.Items, of), viewer(ctx))
	if err != nil {
		return nil, err
	}
	found := map[model.TweetID]tweets.Seen{}
	for _, t := range seen {
		found[t.ID] = t
	}
	h, err := s.hidingIn(ctx, in, owner, authorsSeen(seen))
	if err != nil {
		return nil, err
	}
	return server.ListOf(marks, func(m M) (item T, ok bool) {
		t := found[of(m)]
		if t.Tweet == nil {
			return item, false
		}
		hits, hidden := h.tweet(t.Tweet)
		to := r.tweet(s, t.Tweet, t.ViewerState)
		to.Filtered = hits
		return show(m, to), !hidden
	}), nil
}

// userExists returns an error if the user has no profile.
// Cost: 1 read, or none if the cache has the profile.
func (s *service) userExists(ctx context.Context, uid model.UserID) error {
	found, err := s.Users.Users(ctx, []model.UserID{uid})
	if err == nil && found[uid] == nil {
		err = model.NoUser(uid)
	}
	return err
}
