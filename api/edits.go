package api

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Revision is an earlier version of a tweet.
type Revision struct {
	Number       int       `json:"number" doc:"1 for the tweet as it was posted; revision n is what edit n replaced"`
	Content      *string   `json:"content,omitempty" doc:"Markdown; a list has it only if the snippet is the whole content"`
	Summary      string    `json:"summary" doc:"Content warning"`
	Snippet      string    `json:"snippet" doc:"First 280 characters of the content"`
	Length       int       `json:"length" doc:"Number of characters of the content"`
	Tags         []string  `json:"tags" nullable:"false"`
	AllowLikes   bool      `json:"allowLikes"`
	AllowReplies bool      `json:"allowReplies"`
	AllowQuotes  bool      `json:"allowQuotes"`
	Visibility   string    `json:"visibility" enum:"public,unlisted,followers,mentioned"`
	WrittenAt    time.Time `json:"writtenAt" doc:"When the author wrote this version"`
	ReplacedAt   time.Time `json:"replacedAt" doc:"When the next version took its place"`
	HTML         string    `json:"html,omitempty" doc:"The content as safe HTML; present where the content is asked for with format=html. It links the mentions of the tweet as it is now"`
	Rendered
	Policies
}

func revisionOf(r *model.Revision) Revision {
	replies, quotes := model.PolicyOf(r.AllowReplies, r.ReplyPolicy), model.PolicyOf(!r.DenyQuotes, r.QuotePolicy)
	return Revision{
		Number: r.Number, Content: wholeContent(r.Snippet, r.Length), Summary: r.Summary, Snippet: r.Snippet,
		Length: r.Length,
		Tags:   append([]string{}, r.Tags...), AllowLikes: r.AllowLikes,
		AllowReplies: replies != model.PolicyNobody, AllowQuotes: quotes != model.PolicyNobody,
		Policies: Policies{replies, quotes}, Visibility: visibilityOf(r.Visibility), WrittenAt: r.WrittenAt,
		ReplacedAt: r.ReplacedAt,
	}
}

type tweetPatch struct {
	Content      *string  `json:"content,omitempty" maxLength:"65535" doc:"Markdown; its #hashtags take the place of those of the former content. A tweet with media may have an empty one"`
	Media        []AltOf  `json:"media,omitempty" minItems:"1" maxItems:"4" nullable:"false" doc:"New descriptions of media that the tweet has; the media themselves stay"`
	Summary      *string  `json:"summary,omitempty" maxLength:"500" doc:"Content warning; empty for none"`
	Tags         []string `json:"tags,omitempty" maxItems:"10" nullable:"false" doc:"All tags beside the hashtags, at most 10 together with them; if absent, those that the tweet has stay"`
	AllowLikes   *bool    `json:"allowLikes,omitempty"`
	AllowReplies *bool    `json:"allowReplies,omitempty" doc:"Short for replyPolicy: false is nobody; true is everybody, or leaves a policy that lets some users reply"`
	AllowQuotes  *bool    `json:"allowQuotes,omitempty" doc:"Short for quotePolicy, as allowReplies"`
	ReplyPolicy  *string  `json:"replyPolicy,omitempty" enum:"everybody,followers,following,mentioned,nobody" doc:"Who may reply from now on. It prevails over allowReplies"`
	QuotePolicy  *string  `json:"quotePolicy,omitempty" enum:"everybody,followers,following,mentioned,nobody" doc:"Who may quote from now on. It prevails over allowQuotes"`
	Visibility   *string  `json:"visibility,omitempty" enum:"public,unlisted,followers,mentioned" doc:"Who may see the tweet from now on; a reply may be shown to no more people than the tweet that it answers"`
}

// UnmarshalJSON refuses null. The decoder would take null for an absent field.
func (p *tweetPatch) UnmarshalJSON(text []byte) error {
	if err := refuseNull(text); err != nil {
		return err
	}
	type plain tweetPatch
	return json.Unmarshal(text, (*plain)(p))
}

// patch converts the patch for the store. An empty list of tags differs from a missing list.
func (p *tweetPatch) patch() (to model.TweetPatch, err error) {
	to = model.TweetPatch{Content: p.Content, Summary: p.Summary, AllowLikes: p.AllowLikes, AllowReplies: p.AllowReplies,
		AllowQuotes: p.AllowQuotes, ReplyPolicy: (*model.Policy)(p.ReplyPolicy), QuotePolicy: (*model.Policy)(p.QuotePolicy)}
	if p.Tags != nil {
		to.Tags = &p.Tags
	}
	if p.Visibility != nil {
		to.Visibility = new(model.Audience(*p.Visibility))
	}
	for _, m := range p.Media {
		id, err := model.ParseMediaID(m.ID)
		if err != nil {
			return to, err
		}
		if to.Alts == nil {
			to.Alts = map[model.MediaID]string{}
		}
		to.Alts[id] = m.Alt
	}
	if p.Media == nil && p.Content == nil && p.Summary == nil && p.Tags == nil && p.AllowLikes == nil &&
		p.AllowReplies == nil && p.AllowQuotes == nil && p.ReplyPolicy == nil && p.QuotePolicy == nil &&
		p.Visibility == nil {
		err = errs.New(errs.Invalid, "empty_patch", "there is nothing to change")
	}
	return to, err
}

type editTweetInput struct {
	TweetPath
	IfMatch string `header:"If-Match" doc:"The ETag of the tweet that the caller has read, or *"`
	Body    tweetPatch
}

type revisionsInput struct {
	TweetPath
	server.Paging
	Rendering
}

type revisionInput struct {
	TweetPath
	Rendering
	Number int `path:"number" minimum:"1" doc:"Number of the revision"`
}

// edits adds the operations that edit tweets and read their earlier versions.
func (s *service) edits() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/tweets/{id}", OperationID: "editTweet", Tags: []string{"tweets"},
		Summary: "Edit a tweet of the caller",
		Description: "An absent field stays as it is, and null is refused. What the tweet was becomes a revision, which " +
			"everybody may read who may read the tweet. " +
			"If the tweet was for followers or for the mentioned, and is shown to more people now, its revisions until then " +
			"stay with its author and moderators.\n\n" +
			"With If-Match and the ETag of a tweet, an edit of a tweet that was edited since answers 412 tweet_edited. " +
			"Counts do not matter: a like is no edit. " +
			"Without If-Match, or with *, the last edit prevails.\n\n" +
			"An edit that changes nothing answers 200 and makes no revision, whatever If-Match says. So the caller may " +
			"repeat an edit whose answer was lost.\n\n" +
			"A tweet that moderators have hidden cannot be edited. The service may limit the age of the tweet (403 " +
			"too_old_to_edit); a tweet may be edited at most 100 times (403 too_many_edits).",
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusGone, http.StatusPreconditionFailed},
	}, ofTweet(s.editTweet))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets/{id}/revisions", OperationID: "listRevisions", Tags: []string{"tweets"},
		Summary:     "List the earlier versions of a tweet, oldest first",
		Description: "The list of a tweet that was never edited is empty. The revisions of a deleted tweet are deleted.",
		Errors:      []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(s.listRevisions))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets/{id}/revisions/{number}", OperationID: "getRevision",
		Tags:    []string{"tweets"},
		Summary: "Read an earlier version of a tweet", Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(s.getRevision))
}

func (s *service) editTweet(ctx context.Context, in *editTweetInput, id model.TweetID) (*tweetOutput, error) {
	from, err := parseIfMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	p, err := in.Body.patch()
	if err != nil {
		return nil, err
	}
	if err := model.MayPost(s.RequireVerifiedEmail, server.Caller(ctx).EmailVerified); err != nil {
		return nil, err
	}
	if p.Content != nil {
		s.meet(ctx, *p.Content)
	}
	t, err := s.Edits.Edit(ctx, server.Caller(ctx).UID, id, p, from)
	if err != nil {
		return nil, err
	}
	return s.tweetOutputOf(ctx, t, Rendering{}), nil
}

func (s *service) listRevisions(ctx context.Context, in *revisionsInput,
	id model.TweetID) (*server.ListOutput[Revision], error) {
	t, err := s.revised(ctx, id)
	if err != nil {
		return nil, err
	}
	by := viewer(ctx)
	found, err := server.Page(s.Server, "revisions of "+string(id), in.Paging,
		func(after int) ([]*model.Revision, int, error) {
			return s.Edits.Revisions(ctx, id, after, in.PageSize)
		}, nil)
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(r *model.Revision) (Revision, bool) {
		return in.revision(r), model.VisibleRevision(by, t, r.Number)
	}), nil
}

func (s *service) getRevision(ctx context.Context, in *revisionInput, id model.TweetID) (*struct{ Body Revision },
	error) {
	t, err := s.revised(ctx, id)
	if err != nil {
		return nil, err
	}
	if !model.VisibleRevision(viewer(ctx), t, in.Number) {
		return nil, model.NoRevision(id, in.Number)
	}
	r, err := s.Edits.Revision(ctx, id, in.Number)
	if err != nil {
		return nil, err
	}
	whole := in.revision(r)
	whole.Content = &r.Content
	if in.Format == "html" {
		whole.HTML = htmlTexts.Former(t, r)
	}
	return &struct{ Body Revision }{whole}, nil
}

// revised returns the tweet whose revisions the caller reads, if the caller may see it.
// Cost: 1 read, or less if cached, and the cost of the access check.
func (s *service) revised(ctx context.Context, id model.TweetID) (*model.Tweet, error) {
	if err := s.Tweets.RequireTweet(ctx, id, viewer(ctx)); err != nil {
		return nil, err
	}
	return s.Tweets.Cached(ctx, id)
}

// versionTag records the version of the tweet or draft in the answer, and returns the version as an ETag. The version
// changes with each edit.
func versionTag(ctx context.Context, revision int) string {
	version := strconv.Itoa(revision)
	server.SetVersion(ctx, version)
	return `"` + version + `"`
}

var entityTag = regexp.MustCompile(`^(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"$`)

// parseIfMatch returns the revision numbers that the tags of an If-Match header name, see [versionsOf]. A tag that does
// not belong to a tweet becomes a number that no revision has.
func parseIfMatch(header string) (from []int, err error) {
	versions, err := versionsOf(header)
	for _, version := range versions {
		n, err := strconv.Atoi(version)
		if err != nil || n < 0 {
			n = -1
		}
		from = append(from, n)
	}
	return from, err
}

// versionsOf returns the versions that the tags of an If-Match header begin with. It returns nil for "*" and for a
// missing header. A weak tag counts as a strong one, because proxies that compress answers weaken tags.
func versionsOf(header string) (versions []string, err error) {
	if header = strings.TrimSpace(header); header == "" || header == "*" {
		return nil, nil
	}
	for tag := range strings.SplitSeq(header, ",") {
		m := entityTag.FindStringSubmatch(strings.TrimSpace(tag))
		if m == nil {
			return nil, errs.New(errs.Invalid, "invalid_if_match", "If-Match must be *, or ETags with their quotes and "+
				"commas between")
		}
		version, _, _ := strings.Cut(m[1], "-")
		versions = append(versions, version)
	}
	return versions, nil
}
