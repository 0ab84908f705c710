package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// HeldNotice says that a reply waits for the approval of the author of the thread's first tweet.
type HeldNotice struct {
	Held      bool      `json:"held" doc:"Always true: the reply is no tweet yet"`
	ID        string    `json:"id" doc:"Id of the held reply"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt" doc:"When it is deleted, unless it is approved before"`
}

// HeldReply is a reply that waits for approval, with what the tweet would have.
type HeldReply struct {
	ID           string         `json:"id"`
	AuthorID     model.UserID   `json:"authorId"`
	Author       Author         `json:"author" doc:"The author's profile as it is now"`
	RootAuthorID model.UserID   `json:"rootAuthorId" doc:"Who approves or refuses it"`
	ReplyTo      model.TweetID  `json:"replyTo" doc:"Id of the tweet that it answers, which may be gone by now"`
	RootID       model.TweetID  `json:"rootId"`
	QuoteOf      *model.TweetID `json:"quoteOf"`
	Content      string         `json:"content" doc:"Markdown"`
	Summary      string         `json:"summary" doc:"Content warning"`
	Tags         []string       `json:"tags" nullable:"false" doc:"Tags beside the hashtags in the content"`
	Media        []TweetMedia   `json:"media,omitempty" nullable:"false" doc:"Its pictures, or its video, with signed addresses"`
	Poll         *NewPoll       `json:"poll,omitempty" doc:"Its poll opens when the reply is approved"`
	Visibility   string         `json:"visibility,omitempty" enum:"public,unlisted,followers,mentioned" doc:"Who will see the tweet"`
	To           []string       `json:"to,omitempty" nullable:"false" doc:"Recipients, the long form of visibility, with cc; absent if the author named no users"`
	CC           []string       `json:"cc,omitempty" nullable:"false" doc:"Further recipients"`
	CreatedAt    time.Time      `json:"createdAt"`
	ExpiresAt    time.Time      `json:"expiresAt"`
}

// postedBody is a tweet, or the notice of a held reply. The OpenAPI document has one for each status.
type postedBody struct{ is any }

// MarshalJSON writes the tweet or the notice.
func (b postedBody) MarshalJSON() ([]byte, error) { return json.Marshal(b.is) }

// Schema is that of the tweet. It also registers the schema of the notice, see [heldResponse].
func (postedBody) Schema(r huma.Registry) *huma.Schema {
	r.Schema(reflect.TypeFor[HeldNotice](), true, "")
	return r.Schema(reflect.TypeFor[Tweet](), true, "")
}

// heldResponse describes the answer for a reply that waits.
func heldResponse() map[string]*huma.Response {
	return map[string]*huma.Response{"202": {
		Description: "The reply waits for the approval of the author of the thread's first tweet",
		Content: map[string]*huma.MediaType{"application/json": {
			Schema: &huma.Schema{Ref: "#/components/schemas/HeldNotice"}}},
	}}
}

// holding is a part of the descriptions of operations that post.
const holding = "A reply of a stranger in a thread that holds replies (repliesHeldBy) becomes no tweet: the answer " +
	"is 202, and the reply waits up to 30 days for the approval of the author of the thread's first tweet. A " +
	"stranger is a user whom that author does not follow, and whom neither that tweet mentions nor a tweet of that " +
	"author that the reply answers. A reply that the author may not see does not wait. At most 20 replies of a user " +
	"wait for one author, and 1,000 of all users; beyond that the answer is 409 too_many_held_replies."

// postedOf returns the answer with a tweet, or with the notice of a held reply.
func (s *service) postedOf(ctx context.Context, p tweets.Posted) *createdTweet {
	if h := p.Held; h != nil {
		return &createdTweet{Status: http.StatusAccepted, Body: postedBody{HeldNotice{true, h.ID, h.CreatedAt, h.ExpireAt}}}
	}
	return s.createdTweetOf(ctx, p.FullTweet)
}

func (s *service) heldReplyOf(h *model.HeldReply, author *model.User) HeldReply {
	out := HeldReply{ID: h.ID, AuthorID: h.AuthorID, Author: s.authorOf(author.Author()), RootAuthorID: h.RootAuthorID,
		RootID: h.RootID, QuoteOf: quoteOf(h.QuoteOf), Content: h.Content, Summary: h.Summary,
		Tags: append([]string{}, h.Tags...), Media: s.heldMediaOf(h.Shown),
		Visibility: string(h.Visibility), CreatedAt: h.CreatedAt, ExpiresAt: h.ExpireAt}
	out.To, out.CC = h.Recipients()
	if h.ReplyTo != nil {
		out.ReplyTo = *h.ReplyTo
	}
	if p := h.Poll; p != nil {
		out.Poll = &NewPoll{Options: p.Options, Minutes: p.Minutes}
	}
	return out
}

// HeldReplyPath is the part of a request that names a held reply.
type HeldReplyPath struct {
	ID string `path:"id" doc:"Id of the held reply: 20 lower-case hexadecimal digits"`
}

// heldReplies adds the operations on replies that wait for approval.
func (s *service) heldReplies() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/heldReplies", OperationID: "listHeldReplies", Tags: []string{"heldReplies"},
		Summary: "List the replies that wait for the caller's approval, newest first",
		Description: "At most 20 on a page, which may have fewer items than pageSize. Replies of users whom the caller " +
			"blocks or mutes are left out; they expire.",
	}, func(ctx context.Context, in *server.Paging) (*server.ListOutput[HeldReply], error) {
		return s.listHeld(ctx, "replies held for ", *in, s.HeldReplies.To)
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/heldReplies", OperationID: "listOwnHeldReplies",
		Tags:    []string{"heldReplies"},
		Summary: "List the caller's own replies that wait for approval, newest first", Description: "At most 20 on a page, " +
			"which may have fewer items than pageSize.",
	}, func(ctx context.Context, in *server.Paging) (*server.ListOutput[HeldReply], error) {
		return s.listHeld(ctx, "held replies by ", *in, s.HeldReplies.By)
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/heldReplies/{id}/approve", OperationID: "approveHeldReply",
		Tags: []string{"heldReplies"}, DefaultStatus: http.StatusCreated,
		Summary: "Approve a reply that waits for the caller",
		Description: "The answer is the tweet, which is of this moment. However often it is sent, one tweet is posted: a " +
			"repeated request answers 404. Everything is checked again: 409 author_blocked, author_may_not_post and " +
			"held_reply_refused, and 410 for a deleted tweet that the reply answers or quotes. The reply waits as before " +
			"then, and may be refused.",
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusGone},
	}, ofHeld(func(ctx context.Context, id string) (*approvedTweet, error) {
		t, err := s.HeldReplies.Approve(ctx, server.Caller(ctx).UID, id)
		if err != nil {
			return nil, err
		}
		return &approvedTweet{Location: "/v1/tweets/" + string(t.ID), ETag: versionTag(ctx, t.Revision),
			Body: s.fullTweetOf(t)}, nil
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/heldReplies/{id}", OperationID: "removeHeldReply",
		Tags: []string{"heldReplies"}, Summary: "Refuse a reply that waits for the caller, or withdraw one of the caller's",
		Description: "Nobody is notified. A reply that does not wait any more answers 404: it may have been approved.",
		Errors:      []int{http.StatusNotFound},
	}, ofHeld(func(ctx context.Context, id string) (*nothing, error) {
		return nil, s.HeldReplies.Remove(ctx, server.Caller(ctx).UID, id)
	}))
}

type approvedTweet struct {
	Location string `header:"Location"`
	ETag     string `header:"ETag"`
	Body     Tweet
}

// ofHeld passes the id of the path to a handler.
func ofHeld[O any](handler func(context.Context, string) (*O, error)) func(context.Context, *HeldReplyPath) (*O,
	error) {
	return func(ctx context.Context, in *HeldReplyPath) (*O, error) {
		id, err := model.ParseHeldReplyID(in.ID)
		if err != nil {
			return nil, err
		}
		return handler(ctx, id)
	}
}

// listHeld answers a page of held replies. It leaves out those of authors who have no profile, or whom the caller
// blocks or mutes.
//
// Cost: 2 reads for each reply at most, and 1 read.
func (s *service) listHeld(ctx context.Context, list string, in server.Paging, page func(context.Context, model.UserID,
	model.Cursor, int) (model.Page[*model.HeldReply], error)) (*server.ListOutput[HeldReply], error) {
	uid := server.Caller(ctx).UID
	found, err := server.CursorPage(s.Server, list+string(uid), in,
		func(from model.Cursor) (model.Page[*model.HeldReply], error) {
			return page(ctx, uid, from, in.Most(model.MaxHeldPage))
		}, nil)
	if err != nil {
		return nil, err
	}
	uids := each(found.Items, func(h *model.HeldReply) model.UserID { return h.AuthorID })
	users, err := s.Users.Listed(ctx, uids)
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, "", "", uids)
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(r *model.HeldReply) (HeldReply, bool) {
		author := users[r.AuthorID]
		if author == nil || h.user(r.AuthorID) {
			return HeldReply{}, false
		}
		return s.heldReplyOf(r, author), true
	}), nil
}
