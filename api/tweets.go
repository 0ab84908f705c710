package api

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// NewTweet is the author's request for a new tweet.
type NewTweet struct {
	Content      string      `json:"content,omitempty" maxLength:"65535" doc:"Markdown; its #hashtags become tags. It may be empty or absent if there are media" example:"Sparks fly #hibana"`
	Media        []string    `json:"media,omitempty" maxItems:"4" doc:"Ids of up to 4 ready pictures, or of one video, that the caller uploaded as tweet, in order. A post takes each for itself"`
	Summary      string      `json:"summary,omitempty" maxLength:"500" doc:"Content warning"`
	Tags         []string    `json:"tags,omitempty" maxItems:"10" doc:"Tags of at most 50 characters each; at most 10 tags together with the hashtags"`
	ReplyTo      *string     `json:"replyTo,omitempty" nullable:"true" doc:"Id of the tweet that this tweet answers"`
	AllowLikes   *bool       `json:"allowLikes,omitempty" default:"true"`
	QuoteOf      *string     `json:"quoteOf,omitempty" nullable:"true" doc:"Id of the tweet that this tweet quotes: one that everybody may see, or one of the caller's own"`
	AllowReplies *bool       `json:"allowReplies,omitempty" default:"true" doc:"Short for replyPolicy: everybody or nobody"`
	AllowQuotes  *bool       `json:"allowQuotes,omitempty" default:"true" doc:"Short for quotePolicy: everybody or nobody"`
	ReplyPolicy  string      `json:"replyPolicy,omitempty" enum:"everybody,followers,following,mentioned,nobody" doc:"Who may reply: everybody who may see the tweet; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom it mentions, unless it is nobody. It is for replies to this tweet alone: a reply has a policy of its own. It prevails over allowReplies"`
	QuotePolicy  string      `json:"quotePolicy,omitempty" enum:"everybody,followers,following,mentioned,nobody" doc:"Who may quote, as in replyPolicy, but only followers for followers. The author always may. It prevails over allowQuotes"`
	Poll         *NewPoll    `json:"poll,omitempty" doc:"A question with options, of which each voter chooses one; no edit changes it"`
	Language     string      `json:"language,omitempty" maxLength:"35" doc:"BCP 47 tag of the content's language; if absent, the script tells it where one language has that script for itself" example:"ja"`
	Visibility   string      `json:"visibility,omitempty" enum:"public,unlisted,followers,mentioned" doc:"Who may see the tweet: everybody; everybody, but no list for everybody has it; the author's followers; the author of the tweet that it answers. By default public, or what the tweet has that it answers. A reply cannot be shown to more people than that tweet"`
	To           []Recipient `json:"to,omitempty" maxItems:"12" doc:"Recipients, the long form of visibility, with cc: public (also as https://www.w3.org/ns/activitystreams#Public), followers, and ids of users whom the content mentions or the tweet answers. public in to is public; followers in to and public in cc unlisted; followers alone followers; users alone mentioned"`
	CC           []Recipient `json:"cc,omitempty" maxItems:"12" doc:"Further recipients, as in to"`
}

type createTweetInput struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"64" pattern:"^[!-.0-~]+$" patternDescription:"printable ASCII without spaces and slashes" doc:"Lets the caller repeat the request for 24 hours"`
	Body           NewTweet
}

// TweetPath is the part of a request that names a tweet.
type TweetPath struct {
	ID string `path:"id" doc:"Tweet id: 18 lower-case hexadecimal digits"`
}

func (p TweetPath) tweetID() (model.TweetID, error) { return model.ParseTweetID(p.ID) }

// ofTweet passes the tweet id of the path to a handler.
func ofTweet[I interface{ tweetID() (model.TweetID, error) }, O any](handler func(context.Context, I,
	model.TweetID) (*O, error)) func(context.Context, I) (*O, error) {
	return func(ctx context.Context, in I) (*O, error) {
		id, err := in.tweetID()
		if err != nil {
			return nil, err
		}
		return handler(ctx, in, id)
	}
}

type tweetListInput struct {
	TweetPath
	server.Paging
	Rendering
}

type getTweetInput struct {
	TweetPath
	Context model.FilterContext `query:"context" enum:"home,notifications,public,thread,profile" doc:"Where a client shows the tweet, such as below one that quotes it. The answer is then that of a list there: 404 for a tweet that the caller's mutes, blocks or filters hide, and filtered"`
	Rendering
}

// createdTweet is the answer to a request that posts: 201 with the tweet, or 202 with a notice.
type createdTweet struct {
	Status   int
	Location string `header:"Location"`
	ETag     string `header:"ETag"`
	Body     postedBody
}

// tweets adds the operations that post, read and delete tweets.
func (s *service) tweets() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/tweets", OperationID: "createTweet", Tags: []string{"tweets"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Post a tweet",
		Description: "If the service federates, the content may mention people of other servers, as @bob@social.example. " +
			"Of those who are not known yet, 5 at most are looked up; whoever is not found within 5 seconds stays text.\n\n" +
			"The caller may repeat a request with an Idempotency-Key for 24 hours. " +
			"The repeated request answers 201 with the tweet of the first request, as that tweet is then. " +
			"A different request with the same key answers 409 idempotency_key_reused.\n\n" + holding,
		Errors:    []int{http.StatusNotFound, http.StatusConflict, http.StatusGone},
		Responses: heldResponse(),
	}, s.createTweet)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets", OperationID: "listPublicTweets", Tags: []string{"tweets"},
		Summary: "List the public timeline, newest first",
		Description: "The list is at most a second old. It has root tweets, and replies as well if replies is true. A " +
			"page may have fewer items than asked for, and a nextPageToken.",
	}, s.listPublic)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets:batchGet", OperationID: "batchGetTweets", Tags: []string{"tweets"},
		Summary: "Read up to 50 tweets by id", Description: "The answer has one item for each id, in the order of the " +
			"ids: found, gone or unknown. Mutes and filters hide none without context. With polls=true, which 20 ids may " +
			"have, a poll costs 1 read for the vote of a caller who has an account and is not the author, and 1 for " +
			"the counts. With texts=true a tweet that is longer than its snippet costs 1 read, if no request has read its " +
			"content before.",
	}, s.batchGetTweets)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets/{id}", OperationID: "getTweet", Tags: []string{"tweets"},
		Summary: "Read a tweet", Description: "A deleted tweet answers 410. The problem document has the fields of its " +
			"tombstone. Mutes, blocks and filters do not hide a tweet that is read by its id, but what it quotes; with " +
			"context they hide it, too.", Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(s.getTweet))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/tweets/{id}", OperationID: "deleteTweet", Tags: []string{"tweets"},
		Summary: "Delete a tweet of the caller", Description: "An administrator may delete any tweet. The audit log then " +
			"has the reason.\n\n" +
			"Media go with their tweet. With keepMedia those of the caller's own tweet become uploads that nothing has " +
			"taken: nobody else can load them, the caller may post with them, and they are deleted after a day. They cost " +
			"1 read each, and 1 more in all if a description is longer than 300 characters. A deletion that is " +
			"repeated answers 410, and changes no media.",
		Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(s.deleteTweet))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets/{id}/replies", OperationID: "listReplies", Tags: []string{"tweets"},
		Summary: "List the replies to a tweet, oldest first", Description: "Replies stay when their tweet is deleted.",
		Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(s.listReplies))
}

// newPolicy returns the policy of a request that has it, or its short form.
func newPolicy(allow bool, policy string) model.Policy {
	return cmp.Or(model.Policy(policy), model.PolicyOf(allow, ""))
}

// Recipient is whom a tweet is for: public, followers, or the id of a user.
type Recipient string

// Schema implements [huma.SchemaProvider].
func (Recipient) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, MaxLength: new(128)}
}

func recipientTexts(all []Recipient) []string {
	return each(all, func(r Recipient) string { return string(r) })
}

// draft converts the request into a draft of the store. An id in the wrong form is errs.Invalid.
func (b *NewTweet) draft() (d model.Draft, err error) {
	d = model.Draft{Content: b.Content, Summary: b.Summary, Tags: b.Tags, AllowLikes: *b.AllowLikes,
		Visibility: model.Audience(b.Visibility), Language: b.Language}
	d.AllowReplies, d.ReplyPolicy = newPolicy(*b.AllowReplies, b.ReplyPolicy).Stored()
	allowQuotes, quotes := newPolicy(*b.AllowQuotes, b.QuotePolicy).Stored()
	d.DenyQuotes, d.QuotePolicy = !allowQuotes, quotes
	if len(b.To)+len(b.CC) > 0 {
		asked := d.Visibility
		if d.Visibility, d.Named, err = model.AudienceOf(recipientTexts(b.To), recipientTexts(b.CC)); err != nil {
			return d, err
		}
		if asked != "" && asked != d.Visibility {
			return d, errs.New(errs.Invalid, "invalid_recipients", "to and cc mean the visibility %s, and not %s", d.Visibility,
				asked)
		}
	}
	if b.ReplyTo != nil {
		id, err := model.ParseTweetID(*b.ReplyTo)
		if err != nil {
			return d, err
		}
		d.ReplyTo = &id
	}
	if b.QuoteOf != nil {
		if d.QuoteOf, err = model.ParseTweetID(*b.QuoteOf); err != nil {
			return d, err
		}
	}
	for _, text := range b.Media {
		id, err := model.ParseMediaID(text)
		if err != nil {
			return d, err
		}
		d.Media = append(d.Media, id)
	}
	if b.Poll != nil {
		d.Poll = &model.NewPoll{Options: b.Poll.Options, Minutes: b.Poll.Minutes}
	}
	return d, nil
}

func (s *service) createTweet(ctx context.Context, in *createTweetInput) (*createdTweet, error) {
	d, err := in.Body.draft()
	if err != nil {
		return nil, err
	}
	clean, err := d.Clean()
	if err != nil {
		return nil, err
	}
	if err := model.MayPost(s.RequireVerifiedEmail, server.Caller(ctx).EmailVerified); err != nil {
		return nil, err
	}
	s.meet(ctx, d.Content)
	t, err := s.Tweets.Post(ctx, server.Caller(ctx).UID, clean, model.Request{Key: in.IdempotencyKey, Hash: hashOf(d)})
	if err != nil {
		return nil, err
	}
	return s.postedOf(ctx, t), nil
}

func (s *service) createdTweetOf(ctx context.Context, t *tweets.FullTweet) *createdTweet {
	return &createdTweet{Status: http.StatusCreated, Location: "/v1/tweets/" + string(t.ID),
		ETag: versionTag(ctx, t.Revision), Body: postedBody{s.fullTweetOf(t)}}
}

// hashOf returns a digest of a draft. The order and spacing of the JSON in the request make no difference.
func hashOf(d any) string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // only strings, numbers and booleans
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

type publicInput struct {
	Replies bool `query:"replies" doc:"List replies as well"`
	server.Paging
	Before
	Rendering
}

func (s *service) listPublic(ctx context.Context, in *publicInput) (*server.ListOutput[Tweet], error) {
	list := "root tweets"
	if in.Replies {
		list = "all tweets"
	}
	if err := in.startAt(s, &in.Paging, list, atTime); err != nil {
		return nil, err
	}
	found, err := quietPage(ctx, s, list, in.Paging, model.MaxJoinedPage,
		func(from model.Cursor, limit int) (model.Page[*model.Tweet], error) {
			return s.Tweets.Public(ctx, in.Replies, from, limit)
		}, nil)
	if err != nil {
		return nil, err
	}
	return listTweets(ctx, s, found, in.Rendering, model.FilterPublic)
}

func (s *service) batchGetTweets(ctx context.Context, in *struct {
	IDs   []string `query:"ids,explode" required:"true" nullable:"false" doc:"Up to 50 tweet ids, separated by commas or in several parameters"`
	Polls bool     `query:"polls" doc:"Bring polls with what the caller chose and the counts, as in a tweet that is read by itself. ids may hold at most 20 then"`
	Texts bool     `query:"texts" doc:"Bring the content of tweets that are longer than their snippets, about 500,000 characters in all"`

	Context model.FilterContext `query:"context" enum:"home,notifications,public,thread,profile" doc:"Where a client shows the tweets: those that a list there would leave out for the caller are unknown then"`
	Rendering
}) (*struct{ Body Batch }, error) {
	var ids []model.TweetID
	most := model.MaxBatch
	if in.Polls {
		most = model.MaxPollBatch
	}
	for text := range strings.SplitSeq(strings.Join(in.IDs, ","), ",") {
		id, err := model.ParseTweetID(text)
		if err != nil {
			return nil, errs.New(errs.Invalid, errs.CodeOf(err), "ids holds %q; %s", model.Snippet(text, 50),
				errs.PublicText(err))
		}
		if ids = append(ids, id); len(ids) > most {
			return nil, errs.New(errs.Invalid, "too_many_ids", "ids may hold at most %d", most)
		}
	}
	by, h := viewer(ctx), hiding{}
	// Mutes hide no tweet that is asked for by its id, unless for a list.
	hides := func(t *model.Tweet) bool {
		if in.Context == "" {
			return h.user(t.AuthorID)
		}
		_, hidden := h.tweet(t)
		return hidden
	}
	seen, err := s.Tweets.BatchFor(ctx, ids, by, func(ctx context.Context,
		found []*model.Tweet) (_ func(*model.Tweet) bool, err error) {
		owner := by.ID
		if in.Context != "" {
			owner = ""
		}
		h, err = s.hidingIn(ctx, cmp.Or(in.Context, model.FilterThread), owner, authors(found))
		return hides, err
	})
	if err != nil {
		return nil, err
	}
	polls := map[model.TweetID]*tweets.PollResult{}
	if in.Polls {
		var asks []*model.Tweet
		for _, t := range seen {
			if t.Tweet != nil && t.Tweet.Poll != nil && !hides(t.Tweet) {
				asks = append(asks, t.Tweet)
			}
		}
		if polls, err = s.Polls.All(ctx, by, asks); err != nil {
			return nil, err
		}
	}
	whole := map[model.TweetID]*tweets.FullTweet{}
	if in.Texts {
		var shown []*model.Tweet
		for _, t := range seen {
			if t.Tweet != nil && !hides(t.Tweet) {
				shown = append(shown, t.Tweet)
			}
		}
		if whole, err = s.Tweets.Texts(ctx, shown); err != nil {
			return nil, err
		}
	}
	return &struct{ Body Batch }{Batch{each(seen, func(t tweets.Seen) BatchItem {
		item := in.batchItem(s, t)
		if t.Tweet != nil {
			in.putText(s, item.Tweet, whole[t.ID])
		}
		switch {
		case t.Tweet == nil:
		case hides(t.Tweet):
			item = BatchItem{ID: t.ID, Status: "unknown"}
		default:
			item.Tweet.Filtered = h.asked(t.Tweet)
			if poll := polls[t.ID]; poll != nil {
				item.Tweet.Poll = resultOf(poll)
			}
		}
		return item
	})}}, nil
}

func (s *service) getTweet(ctx context.Context, in *getTweetInput, id model.TweetID) (*wholeTweetOutput, error) {
	t, err := s.Tweets.Tweet(ctx, id, viewer(ctx))
	if err != nil {
		return nil, err
	}
	out := &wholeTweetOutput{ETag: versionTag(ctx, t.Revision), Body: WholeTweet{Tweet: in.fullTweet(s, t)}}
	if t.QuoteOf != "" || in.Context != "" {
		h, err := s.hidingIn(ctx, cmp.Or(in.Context, model.FilterThread), "", authorsOf(t.Tweet))
		if err != nil {
			return nil, err
		}
		if _, hidden := h.tweet(t.Tweet); hidden && in.Context != "" {
			return nil, model.NoTweet(id)
		}
		out.Body.Filtered = h.asked(t.Tweet)
		if out.Body.Quoted, err = s.quoted(ctx, t.Tweet, h, in.Rendering); err != nil {
			return nil, err
		}
	}
	if t.Poll != nil {
		r, err := s.Polls.Of(ctx, viewer(ctx), t.Tweet)
		if err != nil {
			return nil, err
		}
		out.Body.Poll = resultOf(r)
	}
	return out, nil
}

// authorsOf returns the author of a tweet, and that of the tweet that it quotes.
func authorsOf(t *model.Tweet) []model.UserID {
	if t.QuoteOf == "" {
		return []model.UserID{t.AuthorID}
	}
	return []model.UserID{t.AuthorID, t.QuoteOfAuthorID}
}

// quoted returns what a tweet quotes, as a page shows it; nil for a tweet that quotes nothing.
func (s *service) quoted(ctx context.Context, t *model.Tweet, h hiding, r Rendering) (*BatchItem, error) {
	if t.QuoteOf == "" {
		return nil, nil
	}
	seen, err := s.Tweets.Batch(ctx, []model.TweetID{t.QuoteOf}, viewer(ctx))
	if err != nil {
		return nil, err
	}
	return new(h.item(s, r, seen[0])), nil
}

func (s *service) deleteTweet(ctx context.Context, in *struct {
	TweetPath
	ReasonQuery
	KeepMedia bool `query:"keepMedia" doc:"Keep the media of an own tweet as uploads, to be posted anew within a day"`
}, id model.TweetID) (*nothing, error) {
	c := server.Caller(ctx)
	if c.Admin {
		return nil, s.Moderation.DeleteTweet(ctx, actorOf(c, in.Reason), id, in.KeepMedia)
	}
	if in.KeepMedia {
		return nil, s.Tweets.Delete(ctx, id, tweets.Deletion{By: c.UID, KeepMedia: true})
	}
	return nil, s.Tweets.DeleteTweet(ctx, c.UID, false, id)
}

func (s *service) listReplies(ctx context.Context, in *tweetListInput, id model.TweetID) (*server.ListOutput[Tweet],
	error) {
	found, err := quietPage(ctx, s, repliesTo(id), in.Paging, model.MaxJoinedPage,
		func(from model.Cursor, limit int) (model.Page[*model.Tweet], error) {
			if err := s.Tweets.RequireParent(ctx, id, viewer(ctx)); err != nil {
				return model.Page[*model.Tweet]{}, err
			}
			return s.Tweets.Replies(ctx, id, from, limit)
		}, func() error { return s.Tweets.RequireTweet(ctx, id, viewer(ctx)) })
	if err != nil {
		return nil, err
	}
	return listTweets(ctx, s, found, in.Rendering, model.FilterThread)
}

// listTweets converts the tweets of a page. It leaves out tweets that the caller may not see, or does not want to see
// in the context.
func listTweets(ctx context.Context, s *service, found server.Rows[*model.Tweet], r Rendering,
	in model.FilterContext) (*server.ListOutput[Tweet], error) {
	ids := each(found.Items, func(t *model.Tweet) model.TweetID { return t.ID })
	by := viewer(ctx)
	viewerState, err := s.Tweets.ViewerState(ctx, by.Account(), ids)
	if err != nil {
		return nil, err
	}
	visible, _, err := s.Tweets.Visible(ctx, by, found.Items)
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, in, "", authors(found.Items))
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(t *model.Tweet) (Tweet, bool) {
		hits, hidden := h.tweet(t)
		to := r.tweet(s, t, viewerState[t.ID])
		to.Filtered = hits
		return to, visible[t.ID] && !hidden
	}), nil
}
