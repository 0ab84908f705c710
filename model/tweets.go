package model

import (
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/words"
)

// Author is the embedded author of a tweet: a part of the author's profile. So a list of tweets reads no users.
type Author struct {
	Username string `firestore:"username"`
	Nickname string `firestore:"nickname"`
	Avatar   string `firestore:"avatar"`
}

// Tweet is the part of a tweet that lists show: tweets/{tweetId}.
type Tweet struct {
	ID       TweetID `firestore:"-"`
	AuthorID UserID  `firestore:"authorId"`
	Author   Author  `firestore:"author"`
	Summary  string  `firestore:"summary"`            // content warning, may be empty
	Snippet  string  `firestore:"snippet"`            // the content's first MaxSnippet characters
	HasMedia bool    `firestore:"hasMedia,omitempty"` // it has media, or its text has an image
	// at most MaxMedia pictures or one video, in the author's order; only an edit of descriptions changes them
	Media []TweetMedia `firestore:"media,omitempty"`
	// the input of SnippetNodes, if Snippet by itself shows something else; else empty
	SnippetTree     string   `firestore:"snippetTree,omitempty"`
	Length          int      `firestore:"length"`          // of the content, in characters
	ReplyTo         *TweetID `firestore:"replyTo"`         // nil for a root tweet
	ReplyToAuthorID UserID   `firestore:"replyToAuthorId"` // empty for a root tweet
	// CreatedAt of a reply; absent from a root tweet, so that the index of replies has no root tweets
	RepliedAt *time.Time `firestore:"repliedAt,omitempty"`
	RootID    TweetID    `firestore:"rootId"` // id of the root tweet of the thread
	// tag → CreatedAt: lists a tag newest first without a composite index
	Tags      map[string]time.Time `firestore:"tags"`
	RootTags  map[string]time.Time `firestore:"rootTags"`  // Tags for a root tweet, empty for a reply
	TagLabels map[string]string    `firestore:"tagLabels"` // tag → as typed, where that differs
	// sorted: the tags of a tweet that is not Public, instead of Tags, so that no list and no count of a tag has it
	UnlistedTags []string `firestore:"unlistedTags,omitempty"`
	// uid → time of the mention: lists a user's mentions newest first without a composite index
	Mentions     map[string]time.Time `firestore:"mentions,omitempty"`
	MentionNames map[string]UserID    `firestore:"mentionNames,omitempty"` // by which names
	// the tweet that this one quotes; empty for most
	QuoteOf         TweetID `firestore:"quoteOf,omitempty"`
	QuoteOfAuthorID UserID  `firestore:"quoteOfAuthorId,omitempty"`
	// the tweet that this one quoted, if the author of that tweet withdrew it; QuoteOf is empty then
	WithdrawnQuote TweetID `firestore:"withdrawnQuote,omitempty"`
	Poll           *Poll   `firestore:"poll,omitempty"` // nil for most
	AllowLikes     bool    `firestore:"allowLikes"`
	AllowReplies   bool    `firestore:"allowReplies"`
	// absent from a tweet that may be quoted, and from tweets from before there were quotes
	DenyQuotes bool `firestore:"denyQuotes,omitempty"`
	// who may reply and quote, if neither everybody nor nobody: see [PolicyOf]; absent from most
	ReplyPolicy Policy `firestore:"replyPolicy,omitempty"`
	QuotePolicy Policy `firestore:"quotePolicy,omitempty"`
	// the author of the thread's root, if replies of strangers wait for that user's approval; absent from most. A reply
	// has it from the tweet that it answers.
	RepliesHeldBy UserID `firestore:"repliesHeldBy,omitempty"`
	// BCP 47, from the author or from [DetectLanguage]; absent from tweets from before there were languages
	Language string `firestore:"language,omitempty"`
	// Folded says that the author of the thread's root hides this reply: lists have it, and clients fold it.
	Folded      bool     `firestore:"folded,omitempty"`
	Visibility  Audience `firestore:"visibility"`
	IsViolative bool     `firestore:"isViolative"`
	PublicShard int      `firestore:"publicShard"` // -1 for a tweet that is not Public
	ChangeShard int      `firestore:"changeShard"`
	Revision    int      `firestore:"revision"` // number of edits, and of revisions
	// how many of the first revisions were for fewer users than the tweet is
	HiddenRevisions int   `firestore:"hiddenRevisions,omitempty"`
	LikeCount       int64 `firestore:"likeCount"`
	ReplyCount      int64 `firestore:"replyCount"`
	ShareCount      int64 `firestore:"shareCount"`
	QuoteCount      int64 `firestore:"quoteCount"`
	// by counter, the part that roll-ups moved; absent from a tweet without shards
	Rolled    map[string]int64 `firestore:"rolled,omitempty"`
	CreatedAt time.Time        `firestore:"createdAt"` // the time in the id
	UpdatedAt *time.Time       `firestore:"updatedAt"` // nil until the first edit
	// time of the last change of IsViolative; absent until then
	ModeratedAt *time.Time `firestore:"moderatedAt,omitempty"`
	// digest of the request by which an administrator imported the tweet under its id; absent from other tweets. An
	// imported tweet notifies nobody
	Imported string `firestore:"imported,omitempty"`
	// see db.Stamped; creating a tweet sets it, if it is zero
	ChangedAt time.Time `firestore:"changedAt,serverTimestamp"`
	// in its place if a ChangeDigest lists the change
	ListedAt time.Time `firestore:"listedAt,omitempty"`
	// of a post of another server; nil for others
	Remote *RemotePost `firestore:"remote,omitempty"`

	Version time.Time `firestore:"-"` // time of the last write of the document that was read
	// time of the read; both times are the database's, and zero in a tweet that was not read
	ReadAt time.Time `firestore:"-"`
}

// TweetDetail is the text of a tweet: tweetDetails/{tweetId}.
type TweetDetail struct {
	Content string            `firestore:"content"`        // Markdown
	Alts    map[string]string `firestore:"alts,omitempty"` // the whole descriptions of its media that have one, by id
	Gist    *Gist             `firestore:"gist,omitempty"` // nil until a reader asks for one
}

// Equal reports whether two texts are the same, whatever their gists.
func (d TweetDetail) Equal(other TweetDetail) bool {
	return d.Content == other.Content && maps.Equal(d.Alts, other.Alts)
}

// ModeratedAt is the field of a tweet with the time of the last change of its flag.
const ModeratedAt = "moderatedAt"

// Tombstone replaces a deleted tweet: tombstones/{tweetId}.
type Tombstone struct {
	ID         TweetID   `firestore:"-"`
	FormerType string    `firestore:"formerType"` // "tweet"
	AuthorID   UserID    `firestore:"authorId"`   // empty after an account deletion
	DeletedAt  time.Time `firestore:"deletedAt"`
	Hidden     bool      `firestore:"hidden,omitempty"` // not everybody saw the tweet

	// Of a reply that everybody saw. A thread finds the tweets above it by ReplyTo, and the tweets below it by both.
	ReplyTo   TweetID    `firestore:"replyTo,omitempty"`
	RepliedAt *time.Time `firestore:"repliedAt,omitempty"` // the time in the id; nil until a reply to it is counted

	// by the clock of the database; creating a tombstone sets it, if it is zero
	ChangedAt time.Time `firestore:"changedAt,serverTimestamp"`
	ExpireAt  time.Time `firestore:"expireAt,omitempty"` // only after an account deletion; not of an import

	// Imported is true for an import, whose id somebody chose: it would come back if the tombstone went.
	Imported bool `firestore:"imported,omitempty"`
}

// Tombstone is the tombstone of the tweet at its deletion.
func (t *Tweet) Tombstone(at time.Time) Tombstone {
	stone := Tombstone{FormerType: "tweet", AuthorID: t.AuthorID, DeletedAt: at,
		Hidden: t.AudiencePartition() != OpenAudiencePartition, Imported: t.Imported != ""}
	if t.ReplyTo != nil && !stone.Hidden { // a thread shows the position to everybody
		stone.ReplyTo = *t.ReplyTo
		if t.ReplyCount > 0 {
			stone.RepliedAt = &t.CreatedAt
		}
	}
	return stone
}

// Draft is the part of a tweet that its author writes.
type Draft struct {
	Content      string   `firestore:"content"`
	Summary      string   `firestore:"summary,omitempty"`
	Tags         []string `firestore:"tags,omitempty"` // besides the #hashtags in Content; duplicates are fine
	ReplyTo      *TweetID `firestore:"replyTo,omitempty"`
	QuoteOf      TweetID  `json:",omitempty" firestore:"quoteOf,omitempty"` // empty for a tweet that quotes none
	AllowLikes   bool     `firestore:"allowLikes"`
	AllowReplies bool     `firestore:"allowReplies"`
	DenyQuotes   bool     `json:",omitempty" firestore:"denyQuotes,omitempty"`
	ReplyPolicy  Policy   `json:",omitempty" firestore:"replyPolicy,omitempty"` // as in the tweet
	QuotePolicy  Policy   `json:",omitempty" firestore:"quotePolicy,omitempty"`
	// of a new tweet; nil for none, and for an edit
	Poll *NewPoll `json:",omitempty" firestore:"poll,omitempty"`
	// of a new tweet, in order, at most MaxMedia
	Media []MediaID `json:",omitempty" firestore:"media,omitempty"`
	// empty for the default, see [NewAudience]
	Visibility Audience `json:",omitempty" firestore:"visibility,omitempty"`
	// users to whom the author says that the tweet is: it mentions or answers them, see [AudienceOf]
	Named []UserID `json:",omitempty" firestore:"named,omitempty"`
	// BCP 47; empty for the result of [DetectLanguage]
	Language string `json:",omitempty" firestore:"language,omitempty"`
	// users who may be mentioned, by the names in Content
	Found map[string]UserID `json:"-" firestore:"-"`

	pictured bool      // the tweet of an edit has media
	kept     [2]Policy // the policies of the tweet of an edit, of replies and quotes
}

// Validate refuses content, summary and tags beyond their limits, and an unknown audience, with errs.Invalid.
func (d Draft) Validate() error {
	_, err := d.Clean()
	return err
}

// CleanDraft is a draft within all limits, with its texts in NFC and its content parsed. Only [Draft.Clean] makes one.
// So a content is parsed once, however many steps need its tree, tags and names, and every step gets a checked draft. A
// CleanDraft never changes.
type CleanDraft struct {
	draft Draft
	text  text
	media []TweetMedia      // of an edit: the tweet's media, with their new descriptions
	alts  map[string]string // of an edit
}

// Clean makes a clean draft. Content, summary and tags beyond their limits are errs.Invalid, as are a content that
// shows nothing, unless there are media, and an unknown audience.
func (d Draft) Clean() (*CleanDraft, error) {
	draft, text, err := d.clean()
	if err != nil {
		return nil, err
	}
	return &CleanDraft{draft: draft, text: text}, nil
}

// ReplyTo is the tweet that the draft answers; nil for none.
func (d *CleanDraft) ReplyTo() *TweetID { return d.draft.ReplyTo }

// Heard is the draft for no more people than the tweet that it answers is for.
func (d *CleanDraft) Heard(parent *Tweet) *CleanDraft {
	if d.draft.Visibility == "" || !d.draft.Visibility.Wider(parent.Visibility) {
		return d
	}
	narrow := *d
	narrow.draft.Visibility = parent.Visibility
	return &narrow
}

// Draft is the draft with its texts in NFC.
func (d *CleanDraft) Draft() Draft { return d.draft }

// Media are the media of the draft, in order.
func (d *CleanDraft) Media() []MediaID { return d.draft.Media }

// QuoteOf is the tweet that the draft quotes; empty for none.
func (d *CleanDraft) QuoteOf() TweetID { return d.draft.QuoteOf }

// text is the content of a clean draft as Markdown, and the labels of the draft's tags.
type text struct {
	*markdown.Document
	labels map[string]string
}

// clean returns the draft with its texts in NFC. Texts and tags beyond their limits, and a
// content that shows nothing, are errs.Invalid.
func (d Draft) clean() (_ Draft, t text, err error) {
	if d.Content, err = cleanText("content", d.Content, MaxContent); err != nil {
		return Draft{}, text{}, err
	}
	if err := cleanMedia(d.Media); err != nil {
		return Draft{}, text{}, err
	}
	if !hasVisible(d.Content) && !d.pictured && len(d.Media) == 0 {
		return Draft{}, text{}, errs.New(errs.Invalid, "content_required",
			"a tweet without media needs a content of 1 to %d characters, and one that can be seen", MaxContent)
	}
	if d.Summary, err = cleanText("summary", d.Summary, MaxSummary); err != nil {
		return Draft{}, text{}, err
	}
	if err := d.Visibility.validate(); err != nil {
		return Draft{}, text{}, err
	}
	if d.ReplyPolicy, err = limitPolicy(d.AllowReplies, d.ReplyPolicy, d.kept[0]); err != nil {
		return Draft{}, text{}, err
	}
	if d.QuotePolicy, err = limitPolicy(!d.DenyQuotes, d.QuotePolicy, d.kept[1]); err != nil {
		return Draft{}, text{}, err
	}
	if d.Poll, err = d.Poll.clean(); err != nil {
		return Draft{}, text{}, err
	}
	if d.Language, err = cleanLanguage(d.Language); err != nil {
		return Draft{}, text{}, err
	}
	t.Document = markdown.Parse(d.Content)
	t.labels, err = tagsIn(t.Document, d.Tags)
	return d, t, err
}

// NewTweet cleans a draft and makes the documents of its tweet, see [Draft.Clean] and
// [CleanDraft.Tweet].
func NewTweet(id TweetID, author *User, parent *Tweet, d Draft) (*Tweet, *TweetDetail, error) {
	clean, err := d.Clean()
	if err != nil {
		return nil, nil, err
	}
	return clean.Tweet(id, author, parent, d.Found)
}

// Tweet makes the documents of a tweet from the draft. parent is the tweet that a reply answers, and nil
// for a root tweet. found has the users whom the tweet may mention, by the names in the draft. An
// audience that a reply cannot have is errs.Invalid, and so is a named recipient whom the tweet does not address.
func (d *CleanDraft) Tweet(id TweetID, author *User, parent *Tweet, found map[string]UserID) (*Tweet, *TweetDetail,
	error) {
	draft, err := d.draft, error(nil)
	draft.Found = found
	if draft.Visibility, err = NewAudience(draft.Visibility, parent); err != nil {
		return nil, nil, err
	}
	t := &Tweet{
		ID: id, AuthorID: author.ID, Author: author.Author(), RootID: id,
		ChangeShard: id.changeShard(), CreatedAt: id.Time(),
	}
	if parent != nil {
		t.ReplyTo, t.ReplyToAuthorID, t.RootID = &parent.ID, parent.AuthorID, parent.RootID
		t.RepliedAt, t.RepliesHeldBy = new(t.CreatedAt), parent.RepliesHeldBy
	} else if author.HoldReplies != HoldNobody {
		t.RepliesHeldBy = author.ID
	}
	if poll := draft.Poll; poll != nil {
		t.Poll = &Poll{Options: poll.Options, ClosesAt: t.CreatedAt.Add(time.Duration(poll.Minutes) * time.Minute)}
	}
	t.write(draft, d.text, t.CreatedAt)
	return t, &TweetDetail{Content: draft.Content}, t.isFor(draft.Named)
}

// Answers reports whether the tweet answers another user. A reply to oneself goes on with one's own text.
func (t *Tweet) Answers() bool { return t.ReplyTo != nil && t.ReplyToAuthorID != t.AuthorID }

// Quote makes the tweet a quote of another.
func (t *Tweet) Quote(quoted *Tweet) { t.QuoteOf, t.QuoteOfAuthorID = quoted.ID, quoted.AuthorID }

// QuoteWithdrawal says that the author of a quoted tweet withdrew it from a quote: quoteWithdrawals/{tweetId}, by the
// quote. One commit creates it and changes the quote; its event is the edge that counts.
type QuoteWithdrawal struct {
	AuthorID        UserID    `firestore:"authorId"` // of the quote
	QuoteOf         TweetID   `firestore:"quoteOf"`
	QuoteOfAuthorID UserID    `firestore:"quoteOfAuthorId"`
	ExpireAt        time.Time `firestore:"expireAt"`
}

// Withdrawal is what the author of the quoted tweet leaves who withdraws it from this quote.
func (t *Tweet) Withdrawal(at time.Time) QuoteWithdrawal {
	return QuoteWithdrawal{t.AuthorID, t.QuoteOf, t.QuoteOfAuthorID, at.Add(QuoteWithdrawalWindow)}
}

// Quote is the quote as it was, with what a withdrawal knows of it.
func (w *QuoteWithdrawal) Quote(id TweetID) *Tweet {
	return &Tweet{ID: id, AuthorID: w.AuthorID, QuoteOf: w.QuoteOf, QuoteOfAuthorID: w.QuoteOfAuthorID,
		CreatedAt: id.Time()}
}

// NotifiesQuoted reports whether the author of the quoted tweet is notified. Only a quote that everybody could see from
// the beginning notifies its author.
func (t *Tweet) NotifiesQuoted() bool {
	return t.Imported == "" && t.QuoteOf != "" && t.Visibility.open() && t.HiddenRevisions == 0
}

// Snippet is the beginning of content, at most limit characters. It ends between user-perceived characters.
func Snippet(content string, limit int) string { return words.Cut(content, limit) }

// IsWhole reports whether a tweet's snippet is its whole content. length is that of the content, in characters.
func IsWhole(snippet string, length int) bool { return utf8.RuneCountInString(snippet) == length }

// Excerpt is the beginning of the shown text of the tweet, in one line and without markup, at most [MaxExcerpt]
// characters. For a tweet with a summary it is the beginning of the summary: the summary warns of the text.
func (t *Tweet) Excerpt() string {
	shown := t.Summary
	if shown == "" {
		shown = markdown.Text(SnippetNodes(t.Snippet, t.SnippetTree))
	}
	return strings.TrimSpace(Snippet(strings.Join(strings.Fields(shown), " "), MaxExcerpt))
}

// snippetTree is the snippet of a Markdown text with its structure, in the compact form. It is
// empty if the snippet by itself, as Markdown, shows the same. That is so for most texts that
// mention nobody.
func snippetTree(nodes []markdown.Node, snippet string) string {
	tree := markdown.Compact(markdown.Snippet(nodes, MaxSnippet, MaxSnippetTree))
	if tree == markdown.Compact(SnippetNodes(snippet, "")) {
		return ""
	}
	return tree
}

// Nodes reads the content of the tweet as Markdown.
func (t *Tweet) Nodes(content string) []markdown.Node {
	return markdown.WithUsers(markdown.Parse(content).Nodes, t.usersByName())
}

// SnippetNodes reads a snippet with its structure: from the compact form if there is one, else
// from the snippet itself. A document from before the compact form has none.
func SnippetNodes(snippet, tree string) []markdown.Node {
	if nodes, err := markdown.Expand(tree); err == nil && nodes != nil {
		return nodes
	}
	return markdown.Snippet(markdown.WithUsers(markdown.Parse(snippet).Nodes, nil), MaxSnippet, MaxSnippetTree)
}
