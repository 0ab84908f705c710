package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// ImportedUser is an administrator's request for an account with a profile.
type ImportedUser struct {
	UID            string `json:"uid,omitempty" maxLength:"128" doc:"Uid of the account; a new one if absent. Only a request with one can be repeated" example:"0001000000000002"`
	Email          string `json:"email,omitempty" maxLength:"320" doc:"Address to sign in with; if absent, nobody can sign in" example:"ann@example.com"`
	EmailVerified  bool   `json:"emailVerified,omitempty" doc:"True if the address needs no confirmation"`
	Password       string `json:"password,omitempty" minLength:"8" maxLength:"128" doc:"Password for the address; a random one that nobody knows if absent. A repetition does not change it, and no answer and no log has it"`
	Username       string `json:"username" minLength:"3" maxLength:"20" doc:"a–z, 0–9 and _" example:"ann"`
	Nickname       string `json:"nickname,omitempty" maxLength:"50" doc:"The username if absent" example:"Ann"`
	Introduction   string `json:"introduction,omitempty" maxLength:"65535" doc:"Markdown"`
	Avatar         string `json:"avatar,omitempty" maxLength:"2048" doc:"Empty, or an https URL in ASCII without a user name"`
	AIModel        string `json:"aiModel,omitempty" maxLength:"50"`
	AIPersonality  string `json:"aiPersonality,omitempty" maxLength:"65535"`
	BlockStrangers bool   `json:"blockStrangers,omitempty"`
	Locked         bool   `json:"locked,omitempty" doc:"True if the user decides who follows"`
	Reason
}

// ImportedTweet is an administrator's request for a tweet in the name of a user.
type ImportedTweet struct {
	ID           string   `json:"id,omitempty" maxLength:"18" doc:"Id of an imported tweet, which also says its time: the first 2 digits of the SHA-256 of the uid, and 16 that are a zero bit, 43 bits of Unix milliseconds and 20 bits of any value. It is not of the future. An imported tweet notifies nobody. A new tweet of this moment if absent; only a request with an id can be repeated" example:"5a0002000000000013"`
	Content      string   `json:"content" minLength:"1" maxLength:"65535" doc:"Markdown; its #hashtags become tags" example:"Sparks fly #hibana"`
	Summary      string   `json:"summary,omitempty" maxLength:"500" doc:"Content warning"`
	Tags         []string `json:"tags,omitempty" maxItems:"10" doc:"Tags of at most 50 characters each; at most 10 tags together with the hashtags"`
	ReplyTo      *string  `json:"replyTo,omitempty" nullable:"true" doc:"Id of the tweet that this tweet answers"`
	QuoteOf      *string  `json:"quoteOf,omitempty" nullable:"true" doc:"Id of the tweet that this tweet quotes"`
	AllowLikes   *bool    `json:"allowLikes,omitempty" default:"true"`
	AllowReplies *bool    `json:"allowReplies,omitempty" default:"true"`
	AllowQuotes  *bool    `json:"allowQuotes,omitempty" default:"true"`
	Language     string   `json:"language,omitempty" maxLength:"35" doc:"BCP 47 tag of the content's language"`
	Visibility   string   `json:"visibility,omitempty" enum:"public,unlisted,followers,mentioned" doc:"As in a new tweet of the user"`
	Reason
}

// draft converts the request into a draft of the store, with the policies of a short form.
func (b *ImportedTweet) draft() (model.Draft, error) {
	n := NewTweet{Content: b.Content, Summary: b.Summary, Tags: b.Tags, ReplyTo: b.ReplyTo, QuoteOf: b.QuoteOf,
		AllowLikes: b.AllowLikes, AllowReplies: b.AllowReplies, AllowQuotes: b.AllowQuotes, Language: b.Language,
		Visibility: b.Visibility}
	return n.draft()
}

// ActFor is what an administrator does in the name of a user.
type ActFor struct {
	Kind   string `json:"kind" enum:"follow,unfollow,like,unlike,block,unblock"`
	Target string `json:"target" maxLength:"128" doc:"Id of the user to follow or block, or of the tweet to like" example:"5a0002000000000013"`
	Reason
}

// EditedTweet changes a tweet of any author.
type EditedTweet struct {
	Reason       string   `json:"reason" minLength:"1" maxLength:"1000" doc:"Why, for the audit log"`
	Content      *string  `json:"content,omitempty" maxLength:"65535" doc:"Markdown; its #hashtags take the place of those of the former content"`
	Summary      *string  `json:"summary,omitempty" maxLength:"500" doc:"Content warning; empty for none"`
	Tags         []string `json:"tags,omitempty" maxItems:"10" nullable:"false" doc:"All tags beside the hashtags; if absent, those that the tweet has stay"`
	AllowLikes   *bool    `json:"allowLikes,omitempty"`
	AllowReplies *bool    `json:"allowReplies,omitempty"`
	AllowQuotes  *bool    `json:"allowQuotes,omitempty"`
	Visibility   *string  `json:"visibility,omitempty" enum:"public,unlisted,followers,mentioned" doc:"Who may see the tweet from now on"`
}

// UnmarshalJSON refuses null. The decoder would take null for an absent field.
func (e *EditedTweet) UnmarshalJSON(text []byte) error {
	if err := refuseNull(text); err != nil {
		return err
	}
	type plain EditedTweet
	return json.Unmarshal(text, (*plain)(e))
}

// imports adds the operations by which an administrator makes users and tweets, and acts in their name.
func (s *service) imports() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/users", OperationID: "importUser", Tags: []string{"admin"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Make an account with a profile",
		Description: "The same request with a uid answers with the profile as it is by then. Another request for a user " +
			"who exists is 409 user_exists. An account that has the uid with another address, or the address with another " +
			"uid, is 409 account_exists. The audit log has each profile. Neither terms nor an invitation are needed.",
		Errors: []int{http.StatusConflict},
	}, s.importUser)
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/users/{uid}/tweets", OperationID: "importTweet", Tags: []string{"admin"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Post a tweet in the name of a user",
		Description: "The user may do so, or the answer is that of POST /v1/tweets; a reply does not wait for approval. " +
			"The same request with an id answers with the tweet as it is by then. Another request with the id is 409 " +
			"tweet_exists. A deleted tweet is 410 and does not come back. The audit log has each tweet.",
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusGone},
	}, ofUser(s.importTweet))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/users/{uid}/acts", OperationID: "actFor", Tags: []string{"admin"},
		DefaultStatus: http.StatusNoContent,
		Summary:       "Follow, like or block in the name of a user",
		Description: "Doing it again changes nothing. What the user may not do is refused. The entry of the audit log " +
			"comes before the act: that of a request that failed or was repeated is there too.",
		Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofUser(s.actFor))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/admin/tweets/{id}", OperationID: "editAnyTweet", Tags: []string{"admin"},
		Summary: "Edit a tweet of any author",
		Description: "As editTweet, for a tweet of any age: what the tweet was becomes a revision, and the audit log has " +
			"the first 280 characters of the texts before and after. A tweet that moderators have hidden cannot be edited.",
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusGone, http.StatusPreconditionFailed},
	}, ofTweet(s.editAnyTweet))
}

// digestOf is the digest that tells a repeated import from another request: of a userDigest or a tweetDigest.
func digestOf(request any) string { return hashOf(request)[:32] }

// userDigest has what tells an imported user from another. Documents keep its digest, so that names, order and
// omitempty of its fields never change. A later field stands at its end, with omitempty.
type userDigest struct {
	UID            string `json:"uid,omitempty"`
	Email          string `json:"email,omitempty"`
	EmailVerified  bool   `json:"emailVerified,omitempty"`
	Username       string `json:"username"`
	Nickname       string `json:"nickname,omitempty"`
	Introduction   string `json:"introduction,omitempty"`
	Avatar         string `json:"avatar,omitempty"`
	AIModel        string `json:"aiModel,omitempty"`
	AIPersonality  string `json:"aiPersonality,omitempty"`
	BlockStrangers bool   `json:"blockStrangers,omitempty"`
	Locked         bool   `json:"locked,omitempty"`
	Reason         string `json:"reason"` // empty: a repetition may have another
}

// digest has no password: the digest of one could be guessed.
func (b *ImportedUser) digest() string {
	return digestOf(userDigest{UID: b.UID, Email: b.Email, EmailVerified: b.EmailVerified, Username: b.Username,
		Nickname: b.Nickname, Introduction: b.Introduction, Avatar: b.Avatar, AIModel: b.AIModel,
		AIPersonality: b.AIPersonality, BlockStrangers: b.BlockStrangers, Locked: b.Locked})
}

// tweetDigest has what tells an imported tweet from another, and never changes, as userDigest.
type tweetDigest struct {
	Author model.UserID
	Draft  struct {
		Content      string
		Summary      string
		Tags         []string
		ReplyTo      *model.TweetID
		QuoteOf      model.TweetID `json:",omitempty"`
		AllowLikes   bool
		AllowReplies bool
		DenyQuotes   bool           `json:",omitempty"`
		ReplyPolicy  model.Policy   `json:",omitempty"`
		QuotePolicy  model.Policy   `json:",omitempty"`
		Visibility   model.Audience `json:",omitempty"`
		Language     string         `json:",omitempty"`
	}
}

// digestOfTweet is the digest of a draft of an imported tweet.
func digestOfTweet(author model.UserID, d *model.Draft) string {
	t := tweetDigest{Author: author}
	t.Draft.Content, t.Draft.Summary, t.Draft.Tags, t.Draft.Language = d.Content, d.Summary, d.Tags, d.Language
	t.Draft.ReplyTo, t.Draft.QuoteOf, t.Draft.Visibility = d.ReplyTo, d.QuoteOf, d.Visibility
	t.Draft.AllowLikes, t.Draft.AllowReplies, t.Draft.DenyQuotes = d.AllowLikes, d.AllowReplies, d.DenyQuotes
	t.Draft.ReplyPolicy, t.Draft.QuotePolicy = d.ReplyPolicy, d.QuotePolicy
	return digestOf(t)
}

// importUser makes the account before the profile. A process that ends between the two leaves an account, which the
// repeated request takes.
//
// Cost: 5 reads and 7 writes, and 2 reads for an AI model; a repetition 3 reads.
func (s *service) importUser(ctx context.Context, in *struct{ Body ImportedUser }) (*createdUser, error) {
	b := in.Body
	by := actorOf(server.Caller(ctx), b.Reason.Reason)
	if err := model.ValidateReason(by.Reason, true); err != nil {
		return nil, err
	}
	if err := s.onlyUser(b.Username); err != nil {
		return nil, err
	}
	account := model.NewAccount{EmailVerified: b.EmailVerified, Password: b.Password}
	n := model.NewUser{Username: b.Username, Nickname: b.Nickname, Introduction: b.Introduction, Avatar: b.Avatar,
		AIModel: b.AIModel, AIPersonality: b.AIPersonality, BlockStrangers: b.BlockStrangers, Locked: b.Locked,
		Imported: b.digest()}
	var err error
	if b.UID == "" {
		b.UID = rand.Text()
	}
	if account.UID, err = model.ParseUserID(b.UID); err != nil {
		return nil, err
	}
	if b.Email != "" {
		if account.Email, err = model.ParseEmail(b.Email); err != nil {
			return nil, err
		}
	} else if account.Password != "" {
		return nil, errs.New(errs.Invalid, "invalid_email", "a password needs an e-mail address")
	}
	n.Email = account.Email
	if _, err := n.Clean(); err != nil { // before there is an account
		return nil, err
	}
	u, err := s.Users.Imported(ctx, account.UID, n.Imported)
	if u == nil && err == nil {
		if err := s.mayImport(ctx, n); err != nil {
			return nil, err
		}
		if err := s.Accounts.Create(ctx, account); err != nil {
			return nil, err
		}
		u, err = s.Moderation.CreateUser(ctx, by, account.UID, n)
	}
	if err != nil {
		return nil, err
	}
	return &createdUser{Status: http.StatusCreated, Location: "/v1/users/" + url.PathEscape(string(u.ID)),
		Body: createdBody{s.fullUserOf(u)}}, nil
}

// mayImport returns errs.Exists for a username that a user has, and errs.Invalid for an AI model that there is not,
// before there is an account that would stay without a profile. The commit of the profile decides.
func (s *service) mayImport(ctx context.Context, n model.NewUser) error {
	_, err := s.Users.UserByUsername(ctx, n.Username)
	switch {
	case err == nil:
		return errs.New(errs.Exists, "username_taken", "username %q is taken", n.Username)
	case errs.KindOf(err) != errs.NotFound:
		return err
	}
	return s.Users.CheckAIModel(ctx, n.AIModel)
}

// freeUser returns an error for a user in whose name nothing is done, because moderators froze or suspended the user.
//
// Cost: 1 read.
func (s *service) freeUser(ctx context.Context, uid model.UserID) error {
	is, err := s.Moderation.AccountStatus(ctx, uid)
	if err == nil && is.State != model.AccountStatusFree {
		err = model.MayWrite(model.Frozen)
	}
	return err
}

func (s *service) importTweet(ctx context.Context, in *struct {
	UserPath
	Body ImportedTweet
}, uid model.UserID) (_ *createdTweet, err error) {
	i := tweets.Import{Author: uid}
	if err := model.ValidateReason(in.Body.Reason.Reason, true); err != nil {
		return nil, err
	}
	d, err := in.Body.draft()
	if err != nil {
		return nil, err
	}
	if in.Body.ID != "" {
		if i.ID, err = model.ParseTweetID(in.Body.ID); err != nil {
			return nil, err
		}
		i.Digest = digestOfTweet(uid, &d)
	}
	if i.Draft, err = d.Clean(); err != nil {
		return nil, err
	}
	if err := s.freeUser(ctx, uid); err != nil {
		return nil, err
	}
	t, err := s.Moderation.ImportTweet(ctx, actorOf(server.Caller(ctx), in.Body.Reason.Reason), i)
	if err != nil {
		return nil, err
	}
	return s.createdTweetOf(ctx, t), nil
}

// actFor writes the entry of the audit log before the act, so that there is no act without an entry.
//
// Cost: 1 write more than that of the user's own act.
func (s *service) actFor(ctx context.Context, in *struct {
	UserPath
	Body ActFor
}, uid model.UserID) (*nothing, error) {
	b := in.Body
	if err := model.ValidateReason(b.Reason.Reason, true); err != nil {
		return nil, err
	}
	if err := s.freeUser(ctx, uid); err != nil {
		return nil, err
	}
	entry := model.Action{Act: model.ActActFor, UserID: uid, After: map[string]string{"kind": b.Kind, "target": b.Target}}
	var act func() error
	if b.Kind == "like" || b.Kind == "unlike" {
		id, err := model.ParseTweetID(b.Target)
		if err != nil {
			return nil, err
		}
		do := map[string]func(context.Context, model.UserID, model.TweetID) error{"like": s.Reactions.Like,
			"unlike": s.Reactions.Unlike}[b.Kind]
		entry.TweetID, act = id, func() error { return do(ctx, uid, id) }
	} else {
		target, err := userID(ctx, b.Target)
		if err != nil {
			return nil, err
		}
		do := map[string]func(context.Context, model.UserID, model.UserID) error{"follow": s.Graph.Follow,
			"unfollow": s.Graph.Unfollow, "block": s.block, "unblock": s.Graph.Unblock}[b.Kind]
		entry.After["target"] = string(target)
		act = func() error { return do(ctx, uid, target) }
	}
	if err := s.Moderation.Log(ctx, actorOf(server.Caller(ctx), b.Reason.Reason), entry); err != nil {
		return nil, err
	}
	return nil, act()
}

func (s *service) editAnyTweet(ctx context.Context, in *struct {
	TweetPath
	IfMatch string `header:"If-Match" doc:"The ETag of the tweet that the administrator has read, or *"`
	Body    EditedTweet
}, id model.TweetID) (*tweetOutput, error) {
	b := in.Body
	if err := model.ValidateReason(b.Reason, true); err != nil {
		return nil, err
	}
	from, err := parseIfMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	own := tweetPatch{Content: b.Content, Summary: b.Summary, Tags: b.Tags, AllowLikes: b.AllowLikes,
		AllowReplies: b.AllowReplies, AllowQuotes: b.AllowQuotes, Visibility: b.Visibility}
	p, err := own.patch()
	if err != nil {
		return nil, err
	}
	t, err := s.Moderation.EditTweet(ctx, actorOf(server.Caller(ctx), b.Reason), s.Edits, id, p, from)
	if err != nil {
		return nil, err
	}
	return s.tweetOutputOf(ctx, t, Rendering{}), nil
}
