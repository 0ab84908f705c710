package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Draft is a tweet that the caller has not posted yet.
type Draft struct {
	ID           string          `json:"id"`
	Content      string          `json:"content" doc:"Markdown"`
	Media        []model.MediaID `json:"media,omitempty" nullable:"false" doc:"Ids of its media. They are kept for 90 days after the last change of the draft, or after publishAt"`
	Summary      string          `json:"summary" doc:"Content warning"`
	Tags         []string        `json:"tags" nullable:"false" doc:"Tags beside the hashtags in the content"`
	ReplyTo      *model.TweetID  `json:"replyTo"`
	QuoteOf      *model.TweetID  `json:"quoteOf"`
	Poll         *NewPoll        `json:"poll,omitempty"`
	AllowLikes   bool            `json:"allowLikes"`
	AllowReplies bool            `json:"allowReplies"`
	AllowQuotes  bool            `json:"allowQuotes"`
	Language     string          `json:"language,omitempty" doc:"BCP 47 tag of the content's language; absent if the author gave none"`
	Visibility   string          `json:"visibility,omitempty" enum:"public,unlisted,followers,mentioned" doc:"Absent for the default, as in a new tweet"`
	To           []string        `json:"to,omitempty" nullable:"false" doc:"Recipients, the long form of visibility, with cc; absent if the author named no users"`
	CC           []string        `json:"cc,omitempty" nullable:"false" doc:"Further recipients"`
	PublishAt    *time.Time      `json:"publishAt" doc:"When the tweet is posted by itself; null for a draft that waits for the caller"`
	Failure      *DraftFailure   `json:"failure,omitempty" doc:"Why the draft was not posted when it was due; absent otherwise, and after the next change"`
	Revision     int             `json:"revision" doc:"How often the draft was changed"`
	CreatedAt    time.Time       `json:"createdAt"`
	UpdatedAt    time.Time       `json:"updatedAt"`
	Policies
}

// DraftFailure is the reason why a scheduled draft was not posted.
type DraftFailure struct {
	Code      string    `json:"code" doc:"What POST /v1/tweets would have answered, or account_frozen, account_suspended or too_late_to_publish"`
	Detail    string    `json:"detail"`
	At        time.Time `json:"at"`
	PublishAt time.Time `json:"publishAt" doc:"When the tweet was to be posted"`
}

func draftOf(d *model.SavedDraft) Draft {
	replies, quotes := model.PolicyOf(d.AllowReplies, d.ReplyPolicy), model.PolicyOf(!d.DenyQuotes, d.QuotePolicy)
	out := Draft{
		ID: d.ID, Content: d.Content, Summary: d.Summary, Tags: append([]string{}, d.Tags...), ReplyTo: d.ReplyTo,
		QuoteOf: quoteOf(d.QuoteOf), Media: d.Media,
		AllowLikes: d.AllowLikes, AllowReplies: replies != model.PolicyNobody, AllowQuotes: quotes != model.PolicyNobody,
		Policies: Policies{replies, quotes}, Visibility: string(d.Visibility),
		Language:  d.Language,
		PublishAt: d.PublishAt, Revision: d.Revision, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}
	out.To, out.CC = d.Recipients()
	if p := d.Poll; p != nil {
		out.Poll = &NewPoll{Options: p.Options, Minutes: p.Minutes}
	}
	if f := d.Failure; f != nil {
		out.Failure = &DraftFailure{Code: f.Code, Detail: f.Detail, At: f.At, PublishAt: f.PublishAt}
	}
	return out
}

type newDraft struct {
	NewTweet
	PublishAt *time.Time `json:"publishAt,omitempty" nullable:"true" pattern:"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$" patternDescription:"a time of RFC 3339, such as 2026-12-01T10:00:00+09:00" doc:"When to post the tweet: a time to come, within 366 days. Without it the draft waits"`
}

// DraftPath is the part of a request that names a draft of the caller.
type DraftPath struct {
	ID string `path:"id" doc:"Id of the draft: 20 lower-case hexadecimal digits"`
}

type createDraftInput struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"64" pattern:"^[!-.0-~]+$" patternDescription:"printable ASCII without spaces and slashes" doc:"Lets the caller repeat the request"`
	Body           newDraft
}

type changeDraftInput struct {
	DraftPath
	IfMatch string `header:"If-Match" doc:"The ETag of the draft that the caller has read, or *"`
	Body    newDraft
}

type draftOutput struct {
	ETag string `header:"ETag" doc:"For If-Match; a change of the draft changes its beginning"`
	Body Draft
}

type createdDraft struct {
	Location string `header:"Location"`
	ETag     string `header:"ETag"`
	Body     Draft
}

// drafts adds the operations on tweets that the caller has not posted yet.
func (s *service) drafts() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/drafts", OperationID: "createDraft", Tags: []string{"drafts"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Save a draft, or schedule a tweet",
		Description: "A draft takes what a new tweet takes; its media may still be on their way. " +
			"Whether the tweet that it answers or quotes is there, and allows it, is looked at when it is posted. " +
			"With publishAt the tweet is posted by itself within a minute of that time, once. A tweet that cannot be posted " +
			"then stays as a draft, with the reason in failure. " +
			"A user has 100 drafts at most; beyond that the answer is 409 too_many_drafts.\n\n" +
			"The caller may repeat a request with an Idempotency-Key as long as the draft is there. A different request with " +
			"the same key answers 409 idempotency_key_reused.",
		Errors: []int{http.StatusConflict},
	}, s.createDraft)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/drafts", OperationID: "listDrafts", Tags: []string{"drafts"},
		Summary: "List the drafts of the caller, newest first", Description: "At most 20 on a page.",
	}, func(ctx context.Context, in *server.Paging) (*server.ListOutput[Draft], error) {
		uid := server.Caller(ctx).UID
		found, err := server.CursorPage(s.Server, "drafts of "+string(uid), *in,
			func(from model.Cursor) (model.Page[*model.SavedDraft], error) {
				return s.Drafts.Of(ctx, uid, from, in.Most(model.MaxDraftPage))
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, func(d *model.SavedDraft) (Draft, bool) { return draftOf(d), true }), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/drafts/{id}", OperationID: "getDraft", Tags: []string{"drafts"},
		Summary: "Read a draft of the caller", Errors: []int{http.StatusNotFound},
	}, ofDraft(func(ctx context.Context, _ *DraftPath, id string) (*draftOutput, error) {
		return draftOutputOf(ctx)(s.Drafts.Draft(ctx, server.Caller(ctx).UID, id))
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/drafts/{id}", OperationID: "changeDraft", Tags: []string{"drafts"},
		Summary: "Put another text and time into a draft",
		Description: "The body takes the place of all that the draft says: without publishAt it is scheduled no more. " +
			"With If-Match and the ETag of a draft, a change of a draft that was changed since answers 412 draft_changed. " +
			"A change that changes nothing answers 200, whatever If-Match says. So the caller may repeat a change whose " +
			"answer was lost. " +
			"A draft that has been posted answers 404.",
		Errors: []int{http.StatusNotFound, http.StatusPreconditionFailed},
	}, ofDraft(s.changeDraft))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/drafts/{id}", OperationID: "deleteDraft", Tags: []string{"drafts"},
		Summary: "Delete a draft of the caller",
	}, ofDraft(func(ctx context.Context, _ *DraftPath, id string) (*nothing, error) {
		return nil, s.Drafts.Delete(ctx, server.Caller(ctx).UID, id)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/drafts/{id}/publish", OperationID: "publishDraft", Tags: []string{"drafts"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Post a draft now",
		Description: "The answer is that of POST /v1/tweets, and the draft is gone. If the tweet is refused, the draft " +
			"stays as it is. " +
			"However often it is sent, one tweet is posted: a repeated request answers 404.\n\n" + holding,
		Errors:    []int{http.StatusNotFound, http.StatusConflict, http.StatusGone, http.StatusPreconditionFailed},
		Responses: heldResponse(),
	}, ofDraft(func(ctx context.Context, _ *DraftPath, id string) (*createdTweet, error) {
		if err := model.MayPost(s.RequireVerifiedEmail, server.Caller(ctx).EmailVerified); err != nil {
			return nil, err
		}
		t, err := s.Drafts.Publish(ctx, server.Caller(ctx).UID, id)
		if err != nil {
			return nil, err
		}
		return s.postedOf(ctx, t), nil
	}))
}

// ofDraft passes the draft id of the path to a handler.
func ofDraft[I interface{ draftID() (string, error) }, O any](handler func(context.Context, I, string) (*O,
	error)) func(context.Context, I) (*O, error) {
	return func(ctx context.Context, in I) (*O, error) {
		id, err := in.draftID()
		if err != nil {
			return nil, err
		}
		return handler(ctx, in, id)
	}
}

func (p DraftPath) draftID() (string, error) { return model.ParseDraftID(p.ID) }

// draftOutputOf returns the answer with a draft.
func draftOutputOf(ctx context.Context) func(*model.SavedDraft, error) (*draftOutput, error) {
	return func(d *model.SavedDraft, err error) (*draftOutput, error) {
		if err != nil {
			return nil, err
		}
		return &draftOutput{ETag: versionTag(ctx, d.Revision), Body: draftOf(d)}, nil
	}
}

// saved returns the draft that the request describes. A caller who may not post may not schedule a draft.
func (s *service) saved(ctx context.Context, b *newDraft) (d model.SavedDraft, err error) {
	if d.Draft, err = b.draft(); err != nil {
		return d, err
	}
	if err := d.Draft.Validate(); err != nil {
		return d, err
	}
	if d.PublishAt = b.PublishAt; d.PublishAt != nil {
		err = model.MayPost(s.RequireVerifiedEmail, server.Caller(ctx).EmailVerified)
	}
	if err == nil {
		s.meet(ctx, d.Content) // nobody is looked up when it is posted
	}
	return d, err
}

func (s *service) createDraft(ctx context.Context, in *createDraftInput) (*createdDraft, error) {
	d, err := s.saved(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	saved, err := s.Drafts.Save(ctx, server.Caller(ctx).UID, d, model.Request{Key: in.IdempotencyKey, Hash: hashOf(struct {
		model.Draft
		PublishAt *string // a time with a five-digit year has no JSON form
	}{d.Draft, textOf(d.PublishAt)})})
	if err != nil {
		return nil, err
	}
	return &createdDraft{Location: "/v1/drafts/" + saved.ID, ETag: versionTag(ctx, saved.Revision), Body: draftOf(saved)},
		nil
}

// textOf formats a time; nil stays nil. Two forms of one moment have the same text.
func textOf(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return new(t.UTC().Format(time.RFC3339Nano))
}

func (s *service) changeDraft(ctx context.Context, in *changeDraftInput, id string) (*draftOutput, error) {
	from, err := parseIfMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	d, err := s.saved(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	return draftOutputOf(ctx)(s.Drafts.Change(ctx, server.Caller(ctx).UID, id, d, from))
}
