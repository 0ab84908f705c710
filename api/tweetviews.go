package api

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/tweets"
)

// Author is the part of a profile that a tweet embeds.
type Author struct {
	Username string `json:"username"`
	Nickname string `json:"nickname"`
	Avatar   string `json:"avatar"`
}

// Tweet is a tweet as one viewer sees it.
type Tweet struct {
	ID       model.TweetID `json:"id"`
	AuthorID model.UserID  `json:"authorId"`
	Author   Author        `json:"author"`
	Content  *string       `json:"content,omitempty" doc:"Markdown; a list has it only if the snippet is the whole content"`
	HTML     string        `json:"html,omitempty" doc:"The content as safe HTML; a tweet read by itself has it with format=html"`
	Summary  string        `json:"summary" doc:"Content warning"`
	Snippet  string        `json:"snippet" doc:"First 280 characters of the content"`
	Rendered
	Policies
	Length          int            `json:"length" doc:"Number of characters of the content"`
	ReplyTo         *model.TweetID `json:"replyTo" doc:"Id of the tweet that this tweet answers; null for a root tweet"`
	ReplyToAuthorID model.UserID   `json:"replyToAuthorId,omitempty" doc:"Who wrote the tweet that this tweet answers; absent from a root tweet"`
	RootID          model.TweetID  `json:"rootId" doc:"Id of the tweet that began the thread"`
	Tags            []string       `json:"tags" nullable:"false"`
	Mentions        []Mention      `json:"mentions,omitempty" nullable:"false" doc:"Whom the content mentions; absent if nobody"`
	Media           []TweetMedia   `json:"media,omitempty" nullable:"false" doc:"Its pictures, or its video; absent from a tweet without"`
	QuoteOf         *model.TweetID `json:"quoteOf" doc:"Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none"`
	Poll            *Poll          `json:"poll,omitempty" doc:"The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true"`
	AllowLikes      bool           `json:"allowLikes"`
	AllowReplies    bool           `json:"allowReplies" doc:"False if replyPolicy is nobody"`
	AllowQuotes     bool           `json:"allowQuotes" doc:"False if quotePolicy is nobody"`
	Visibility      string         `json:"visibility" enum:"public,unlisted,followers,mentioned" doc:"Who may see the tweet"`
	To              []string       `json:"to,omitempty" nullable:"false" doc:"Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself"`
	CC              []string       `json:"cc,omitempty" nullable:"false" doc:"Further recipients; absent if there are none, and from lists"`
	Language        string         `json:"language" doc:"BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown" example:"ja"`
	LikeCount       int64          `json:"likeCount"`
	ReplyCount      int64          `json:"replyCount"`
	ShareCount      int64          `json:"shareCount"`
	QuoteCount      int64          `json:"quoteCount"`
	Liked           bool           `json:"liked" doc:"True if the caller likes the tweet"`
	Shared          bool           `json:"shared" doc:"True if the caller shares the tweet"`
	Bookmarked      bool           `json:"bookmarked" doc:"True if the caller keeps the tweet as a bookmark; nobody else learns of it"`
	CreatedAt       time.Time      `json:"createdAt"`
	UpdatedAt       *time.Time     `json:"updatedAt" doc:"null until the first edit"`
	Revision        int            `json:"revision" doc:"How often the tweet was edited; so many revisions are kept"`
	Withdrawn       bool           `json:"quoteWithdrawn,omitempty" doc:"True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise"`
	Folded          bool           `json:"folded,omitempty" doc:"True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise"`
	HeldBy          model.UserID   `json:"repliesHeldBy,omitempty" doc:"Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits"`
	Filtered        []FilterHit    `json:"filtered,omitempty" nullable:"false" doc:"The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none"`
	Remote          *Remote        `json:"remote,omitempty" doc:"Where the post is, if it is of another server; absent from others"`
	Flagged         bool           `json:"flagged,omitempty" doc:"True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise"`
}

func (s *service) authorOf(a model.Author) Author {
	return Author{Username: a.Username, Nickname: a.Nickname, Avatar: s.Media.Address(a.Avatar)}
}

// Policies say who may answer a tweet, among those who may see it.
type Policies struct {
	ReplyPolicy model.Policy `json:"replyPolicy" enum:"everybody,followers,following,mentioned,nobody" doc:"Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply"`
	QuotePolicy model.Policy `json:"quotePolicy" enum:"everybody,followers,following,mentioned,nobody" doc:"Who may quote the tweet; the author always may"`
}

// Mention is a user whom a text mentions by a username, or by a handle with a host. The username may belong to another
// user by now.
type Mention struct {
	Username string       `json:"username" doc:"The name in the text, in lower case"`
	UserID   model.UserID `json:"userId"`
}

// mentionsOf lists the mentions of a tweet by name; nil if there are none.
func mentionsOf(t *model.Tweet) (all []Mention) {
	for _, name := range slices.Sorted(maps.Keys(t.MentionNames)) {
		all = append(all, Mention{name, t.MentionNames[name]})
	}
	return all
}

func (s *service) tweetOf(t *model.Tweet, by model.ViewerState) Tweet {
	return Tweet{
		ID: t.ID, AuthorID: t.AuthorID, Author: s.authorOf(t.Author), Content: wholeContent(t.Snippet, t.Length),
		Summary: t.Summary, Snippet: t.Snippet, Length: t.Length, ReplyTo: t.ReplyTo,
		ReplyToAuthorID: t.ReplyToAuthorID, RootID: t.RootID, Tags: t.TagNames(),
		Mentions: mentionsOf(t), Media: s.mediaOf(t.Media, t.Visibility, t.IsViolative),
		QuoteOf: quoteOf(t.QuoteOf), Poll: pollOf(t.Poll), AllowLikes: t.AllowLikes,
		AllowReplies: t.Replies() != model.PolicyNobody, AllowQuotes: t.Quotes() != model.PolicyNobody,
		Policies:   Policies{t.Replies(), t.Quotes()},
		Visibility: visibilityOf(t.Visibility), Language: cmp.Or(t.Language, model.Undetermined),
		LikeCount: t.LikeCount, ReplyCount: t.ReplyCount, ShareCount: t.ShareCount, QuoteCount: t.QuoteCount, Liked: by.Liked,
		Shared: by.Shared, Bookmarked: by.Bookmarked,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, Revision: t.Revision, Flagged: t.IsViolative,
		Withdrawn: t.WithdrawnQuote != "", Folded: t.Folded, HeldBy: t.RepliesHeldBy, Remote: remotePostOf(t.Remote),
	}
}

// quoteOf returns the id of a quoted tweet for an answer: nil for none.
func quoteOf(id model.TweetID) *model.TweetID {
	if id == "" {
		return nil
	}
	return &id
}

// visibilityOf returns an audience for an answer. Post previews and revisions omit public.
func visibilityOf(a model.Audience) string { return string(cmp.Or(a, model.Public)) }

func (s *service) fullTweetOf(t *tweets.FullTweet) Tweet {
	full := s.tweetOf(t.Tweet, t.ViewerState)
	full.Content = &t.Content
	full.To, full.CC = t.Recipients()
	for i, m := range t.Media {
		full.Media[i].Alt, full.Media[i].AltCut = t.Detail().AltOf(m), false
	}
	return full
}

// wholeContent returns the snippet if it is the whole content, else nil.
func wholeContent(snippet string, length int) *string {
	if model.IsWhole(snippet, length) {
		return &snippet
	}
	return nil
}

// Card is a post preview in the list of one author, without counts and without the author.
type Card struct {
	ID       model.TweetID `json:"id"`
	AuthorID model.UserID  `json:"authorId"`
	Content  *string       `json:"content,omitempty" doc:"Markdown; present only if the snippet is the whole content"`
	Summary  string        `json:"summary"`
	Snippet  string        `json:"snippet"`
	Rendered
	Policies
	Length       int            `json:"length"`
	ReplyTo      *model.TweetID `json:"replyTo"`
	RootID       model.TweetID  `json:"rootId"`
	Tags         []string       `json:"tags" nullable:"false"`
	QuoteOf      *model.TweetID `json:"quoteOf"`
	AllowLikes   bool           `json:"allowLikes"`
	AllowReplies bool           `json:"allowReplies"`
	AllowQuotes  bool           `json:"allowQuotes"`
	Visibility   string         `json:"visibility" enum:"public,unlisted,followers,mentioned"`
	CreatedAt    time.Time      `json:"createdAt"`
	UpdatedAt    *time.Time     `json:"updatedAt"`
	Revision     int            `json:"revision" doc:"How often the tweet was edited"`
	Withdrawn    bool           `json:"quoteWithdrawn,omitempty" doc:"As in Tweet"`
	HasMedia     bool           `json:"hasMedia" doc:"Whether the tweet has media, or an image in its text"`
	Media        []TweetMedia   `json:"media,omitempty" nullable:"false" doc:"Its pictures, or its video; absent from a tweet without"`
}

func (s *service) cardOf(author model.UserID, c profiles.PreviewOf) Card {
	replies, quotes := model.PolicyOf(c.AllowReplies, c.ReplyPolicy), model.PolicyOf(!c.DenyQuotes, c.QuotePolicy)
	return Card{
		ID: c.ID, AuthorID: author, Content: wholeContent(c.Snippet, c.Length), Summary: c.Summary, Snippet: c.Snippet,
		Length: c.Length, ReplyTo: c.ReplyTo, RootID: c.RootID, Tags: append([]string{}, c.Tags...),
		QuoteOf: quoteOf(c.QuoteOf), AllowLikes: c.AllowLikes, AllowReplies: replies != model.PolicyNobody,
		AllowQuotes: quotes != model.PolicyNobody, Policies: Policies{replies, quotes},
		Visibility: visibilityOf(c.Visibility), CreatedAt: c.ID.Time(), UpdatedAt: c.UpdatedAt, Revision: c.Revision,
		HasMedia: c.HasMedia, Media: s.mediaOf(c.Media, c.Visibility, c.IsViolative), Withdrawn: c.Withdrawn != "",
	}
}

// Tombstone is the remainder of a deleted tweet.
type Tombstone struct {
	ID         model.TweetID `json:"id"`
	FormerType string        `json:"formerType" example:"tweet"`
	AuthorID   model.UserID  `json:"authorId"`
	DeletedAt  time.Time     `json:"deletedAt"`
}

func tombstoneOf(t *model.Tombstone) Tombstone {
	return Tombstone{ID: t.ID, FormerType: t.FormerType, AuthorID: t.AuthorID, DeletedAt: t.DeletedAt}
}

// BatchItem is the answer for one id of a batch.
type BatchItem struct {
	ID        model.TweetID `json:"id"`
	Status    string        `json:"status" enum:"found,gone,unknown"`
	Tweet     *Tweet        `json:"tweet,omitempty" doc:"Present if the status is found"`
	Tombstone *Tombstone    `json:"tombstone,omitempty" doc:"Present if the status is gone"`
}

// Batch has one item for each id, in the order of the request.
type Batch struct {
	Items []BatchItem `json:"items" nullable:"false"`
}

type tweetOutput struct {
	ETag string `header:"ETag" doc:"For If-Match; an edit changes its beginning, and counts do not"`
	Body Tweet
}

func (s *service) tweetOutputOf(ctx context.Context, t *tweets.FullTweet, r Rendering) *tweetOutput {
	return &tweetOutput{ETag: versionTag(ctx, t.Revision), Body: r.fullTweet(s, t)}
}

// WholeTweet is a tweet that is read on its own, with the tweet that it quotes.
type WholeTweet struct {
	Tweet
	Quoted *BatchItem `json:"quoted,omitempty" doc:"The tweet that this tweet quotes: found; gone; or unknown, if the caller may not see it. Present in a quote"`
}

type wholeTweetOutput struct {
	ETag string `header:"ETag" doc:"For If-Match; an edit changes its beginning, and counts do not"`
	Body WholeTweet
}
