package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/words"
)

// Revision is an earlier version of a tweet: tweets/{tweetId}/revisions/{000001}. Edit n replaced revision n, so
// revision 1 is the tweet as it was posted.
type Revision struct {
	Number       int      `firestore:"-"`
	AuthorID     UserID   `firestore:"authorId"`
	Content      string   `firestore:"content"` // Markdown
	Summary      string   `firestore:"summary"`
	Snippet      string   `firestore:"snippet"`
	SnippetTree  string   `firestore:"snippetTree,omitempty"` // as in the tweet; absent from before it was kept
	Length       int      `firestore:"length"`
	Tags         []string `firestore:"tags"` // sorted
	AllowLikes   bool     `firestore:"allowLikes"`
	AllowReplies bool     `firestore:"allowReplies"`
	DenyQuotes   bool     `firestore:"denyQuotes,omitempty"`
	ReplyPolicy  Policy   `firestore:"replyPolicy,omitempty"` // as in the tweet
	QuotePolicy  Policy   `firestore:"quotePolicy,omitempty"`
	Visibility   Audience `firestore:"visibility,omitempty"` // empty if it was Public
	// with the descriptions of this version, as in a preview
	Media      []TweetMedia `firestore:"media,omitempty"`
	WrittenAt  time.Time    `firestore:"writtenAt"`  // when the author wrote this version
	ReplacedAt time.Time    `firestore:"replacedAt"` // when an edit replaced this version
	EditID     string       `firestore:"editId"`     // random; tells the edit from all others

	// Change has what functions need to know of the edit. A revision from before functions learned of edits by revisions
	// has none.
	Change *TweetChange `firestore:"change,omitempty"`
}

// TweetChange is what functions need to know of an edit: what changed between two versions of a tweet, and the tweets
// that it answers and quotes.
type TweetChange struct {
	Before          TweetVersion `firestore:"before"`
	After           TweetVersion `firestore:"after"`
	ReplyTo         *TweetID     `firestore:"replyTo"`
	ReplyToAuthorID UserID       `firestore:"replyToAuthorId,omitempty"`
	RootID          TweetID      `firestore:"rootId"`
	QuoteOf         TweetID      `firestore:"quoteOf,omitempty"`
	QuoteOfAuthorID UserID       `firestore:"quoteOfAuthorId,omitempty"`
	Link            string       `firestore:"link,omitempty"` // of the version after, if the one before has another
}

// TweetVersion is one version of a tweet: its tags, mentions, language and audience, as in [Tweet].
type TweetVersion struct {
	Tags       map[string]time.Time `firestore:"tags"`
	TagLabels  map[string]string    `firestore:"tagLabels"`
	Mentions   map[string]time.Time `firestore:"mentions,omitempty"`
	Language   string               `firestore:"language,omitempty"`
	Visibility Audience             `firestore:"visibility"`
	Revision   int                  `firestore:"revision"`
}

// changedTo returns the change from a version of a tweet to another.
func (t *Tweet) changedTo(after *Tweet) *TweetChange {
	c := &TweetChange{Before: t.version(), After: after.version(), ReplyTo: t.ReplyTo,
		ReplyToAuthorID: t.ReplyToAuthorID, RootID: t.RootID, QuoteOf: t.QuoteOf, QuoteOfAuthorID: t.QuoteOfAuthorID}
	if link := after.Link(); link != t.Link() {
		c.Link = link
	}
	return c
}

func (t *Tweet) version() TweetVersion {
	return TweetVersion{Tags: t.Tags, TagLabels: t.TagLabels, Mentions: t.Mentions, Language: t.Language,
		Visibility: t.Visibility, Revision: t.Revision}
}

// Versions returns the tweet of the revision before and after the edit, with what a [TweetChange] has of them. Both are
// nil if the revision has no change.
func (r *Revision) Versions(id TweetID) (before, after *Tweet) {
	if r.Change == nil {
		return nil, nil
	}
	version := func(v TweetVersion) *Tweet {
		return &Tweet{ID: id, AuthorID: r.AuthorID, CreatedAt: id.Time(), Tags: v.Tags, TagLabels: v.TagLabels,
			Mentions: v.Mentions, Language: v.Language, Visibility: v.Visibility, Revision: v.Revision,
			ReplyTo: r.Change.ReplyTo, ReplyToAuthorID: r.Change.ReplyToAuthorID, RootID: r.Change.RootID,
			QuoteOf: r.Change.QuoteOf, QuoteOfAuthorID: r.Change.QuoteOfAuthorID}
	}
	return version(r.Change.Before), version(r.Change.After)
}

// RevisionKey names a revision of a tweet. The keys are in the order of the numbers.
func RevisionKey(n int) string { return fmt.Sprintf("%06d", n) }

// RevisionNumber returns the argument of RevisionKey, or 0 for any other text.
func RevisionNumber(key string) int {
	n, err := strconv.Atoi(key)
	if err != nil || n < 1 || RevisionKey(n) != key {
		return 0
	}
	return n
}

// TweetPatch is an author's change of a tweet. A nil field stays as it is.
type TweetPatch struct {
	Content      *string
	Summary      *string
	Tags         *[]string // besides the #hashtags in the content; duplicates are fine
	AllowLikes   *bool
	AllowReplies *bool
	AllowQuotes  *bool
	ReplyPolicy  *Policy // prevails over AllowReplies, see [Policy.Patched]
	QuotePolicy  *Policy
	Visibility   *Audience
	Narrow       *Audience          // prevails over Visibility, if it is narrower than that of the tweet
	Alts         map[MediaID]string // new descriptions of its media; the others stay
	Found        map[string]UserID  // users who may be mentioned, by the new names in Content
}

// Patched is the draft that a patch makes of the tweet. d is the text of the tweet. Content, summary and tags beyond
// their limits are errs.Invalid, as in a new tweet.
//
// The #hashtags of a new content replace those of the old content. The other tags stay, unless the patch has tags.
func (t *Tweet) Patched(d TweetDetail, p TweetPatch) (*CleanDraft, error) {
	draft := Draft{
		Content: or(p.Content, d.Content), Summary: or(p.Summary, t.Summary),
		AllowLikes: or(p.AllowLikes, t.AllowLikes), Visibility: or(p.Visibility, t.Visibility),
		pictured: len(t.Media) > 0, kept: [2]Policy{t.ReplyPolicy, t.QuotePolicy},
	}
	if p.Narrow != nil && t.Visibility.Wider(*p.Narrow) {
		draft.Visibility = *p.Narrow
	}
	draft.AllowReplies, draft.ReplyPolicy = t.Replies().Patched(p.AllowReplies, p.ReplyPolicy).Stored()
	allowQuotes, quotes := t.Quotes().Patched(p.AllowQuotes, p.QuotePolicy).Stored()
	draft.DenyQuotes, draft.QuotePolicy = !allowQuotes, quotes
	if t.Language != DetectLanguage(d.Content) {
		draft.Language = t.Language // the author gave it
	}
	if p.Tags != nil {
		draft.Tags = *p.Tags
	} else {
		draft.Tags = t.tagsBeside(d.Content)
	}
	clean, err := draft.Clean()
	if err != nil {
		return nil, err
	}
	if clean.draft.Content == d.Content && p.Tags == nil {
		clean.text.labels = t.labels() // also those that were typed in two ways
	}
	clean.media, clean.alts, err = t.withAlts(d, p.Alts)
	return clean, err
}

// Edit is [Tweet.Patched] and [Tweet.Edited] in one.
func (t *Tweet) Edit(d TweetDetail, p TweetPatch, at time.Time) (*Tweet, TweetDetail, *Revision, error) {
	draft, err := t.Patched(d, p)
	if err != nil {
		return nil, TweetDetail{}, nil, err
	}
	after, detail, before := t.Edited(d, draft, p.Found, at)
	return after, detail, before, nil
}

// Edited returns the tweet and its text after a draft of [Tweet.Patched], and the revision with the old version. found
// has the users who may be mentioned, by the new names in the draft. t and d stay as they are. The revision is nil if
// the draft changes nothing.
func (t *Tweet) Edited(d TweetDetail, to *CleanDraft, found map[string]UserID, at time.Time) (*Tweet, TweetDetail,
	*Revision) {
	draft, text := to.draft, to.text
	draft.Found = found
	if draft.Content == d.Content && draft.Summary == t.Summary && maps.Equal(text.labels, t.labels()) &&
		draft.AllowLikes == t.AllowLikes && draft.AllowReplies == t.AllowReplies && draft.DenyQuotes == t.DenyQuotes &&
		draft.ReplyPolicy == t.ReplyPolicy && draft.QuotePolicy == t.QuotePolicy && draft.Visibility == t.Visibility &&
		maps.Equal(to.alts, d.Alts) {
		return t, d, nil
	}
	after := *t
	after.Media = to.media
	after.write(draft, text, at)
	after.Revision, after.UpdatedAt = t.Revision+1, &at
	if !t.Visibility.open() && (after.Visibility.Wider(t.Visibility) || len(after.Mentioned(t)) > 0) {
		after.HiddenRevisions = after.Revision
	}
	before := t.revision(d, at)
	before.Change = t.changedTo(&after)
	return &after, TweetDetail{Content: draft.Content, Alts: to.alts}, before
}

// revision is the tweet as the revision that an edit leaves.
func (t *Tweet) revision(d TweetDetail, at time.Time) *Revision {
	preview := t.Preview()
	r := &Revision{
		Number: t.Revision + 1, AuthorID: t.AuthorID, Content: d.Content, Summary: preview.Summary, Snippet: preview.Snippet,
		SnippetTree: preview.SnippetTree, Length: preview.Length,
		Tags: preview.Tags, AllowLikes: preview.AllowLikes, AllowReplies: preview.AllowReplies,
		DenyQuotes: preview.DenyQuotes, ReplyPolicy: preview.ReplyPolicy, QuotePolicy: preview.QuotePolicy,
		Visibility: preview.Visibility, WrittenAt: t.CreatedAt, ReplacedAt: at,
		Media: preview.Media,
	}
	if t.UpdatedAt != nil {
		r.WrittenAt = *t.UpdatedAt
	}
	return r
}

// write puts a clean draft into a tweet. at is when the draft was written.
func (t *Tweet) write(d Draft, text text, at time.Time) {
	t.Summary, t.Snippet, t.Length = d.Summary, Snippet(d.Content, MaxSnippet), utf8.RuneCountInString(d.Content)
	t.mention(namesIn(text.Document), d.Found, at)
	t.SnippetTree = snippetTree(markdown.WithUsers(text.Nodes, t.usersByName()), t.Snippet)
	t.HasMedia = text.HasImage || len(t.Media) > 0
	t.Language = cmp.Or(d.Language, DetectLanguage(d.Content))
	t.AllowLikes, t.AllowReplies, t.DenyQuotes, t.Visibility = d.AllowLikes, d.AllowReplies, d.DenyQuotes, d.Visibility
	t.ReplyPolicy, t.QuotePolicy = d.ReplyPolicy, d.QuotePolicy
	t.Tags, t.RootTags, t.TagLabels, t.UnlistedTags = map[string]time.Time{}, map[string]time.Time{}, map[string]string{},
		nil
	t.PublicShard = notListed
	if t.Visibility == Public {
		t.PublicShard = t.ID.publicShard()
	} else {
		t.UnlistedTags = slices.Sorted(maps.Keys(text.labels))
	}
	for tag, label := range text.labels {
		if t.Visibility == Public {
			t.Tags[tag] = t.CreatedAt
		}
		if label != tag {
			t.TagLabels[tag] = label
		}
	}
	if t.ReplyTo == nil {
		t.RootTags = t.Tags
	}
}

// FromText returns the tweet as computed from its text: with the snippet and length of the text, and with the hashtags
// of the text among its tags. Other tags stay, and so do all tags of a tweet from before the limit of tags. t stays as
// it is.
func (t *Tweet) FromText(d TweetDetail) *Tweet {
	is := *t
	content := markdown.Parse(d.Content)
	labels, err := tagsIn(content, t.tagsBeside(d.Content))
	if err != nil {
		labels = t.labels()
	}
	for tag, label := range t.labels() { // any of several spellings of a tag will do
		if labels[tag] != "" {
			labels[tag] = label
		}
	}
	is.write(Draft{Content: d.Content, Summary: t.Summary, AllowLikes: t.AllowLikes, AllowReplies: t.AllowReplies,
		DenyQuotes: t.DenyQuotes, ReplyPolicy: t.ReplyPolicy, QuotePolicy: t.QuotePolicy, Visibility: t.Visibility},
		text{content, labels}, t.CreatedAt)
	is.Language = t.Language
	return &is
}

// notListed is the PublicShard of a tweet that is not in the public timeline.
const notListed = -1

// TagNames are the tags of the tweet, sorted, whether or not their lists have it; never nil.
func (t *Tweet) TagNames() []string {
	names := append(slices.AppendSeq([]string{}, maps.Keys(t.Tags)), t.UnlistedTags...)
	slices.Sort(names)
	return names
}

// labels maps each tag to the form in which it was typed, as tagsIn does.
func (t *Tweet) labels() map[string]string {
	labels := make(map[string]string, len(t.Tags))
	for _, tag := range t.TagNames() {
		labels[tag] = tag
	}
	maps.Copy(labels, t.TagLabels)
	return labels
}

// tagsBeside lists the tags that are not among the hashtags of the content, as they were typed. A tweet from before
// package words has some of its tags in another form, and hashtags that ended earlier: these are the same tags.
func (t *Tweet) tagsBeside(content string) []string {
	labels, within := t.labels(), map[string]bool{}
	for _, typed := range markdown.Parse(content).Hashtags {
		tag, _ := words.Tag(typed)
		within[tag] = true
		if former, ok := words.FormerTag(typed); ok {
			within[former] = true
		}
	}
	maps.DeleteFunc(labels, func(tag, _ string) bool {
		is, _ := words.Tag(tag)
		return within[is]
	})
	return slices.Sorted(maps.Values(labels))
}

// or returns the value of a pointer, or another value for nil.
func or[T any](p *T, other T) T {
	if p != nil {
		return *p
	}
	return other
}

// NoRevision returns the error of a number without a revision of the tweet.
func NoRevision(id TweetID, n int) error {
	return errs.New(errs.NotFound, "revision_not_found", "tweet %q has no revision %d", id, n)
}

// TweetEdited returns the error of a caller who has read an earlier revision of a tweet.
func TweetEdited(t *Tweet) error {
	return errs.New(errs.Outdated, "tweet_edited", "this tweet was edited since: its revision is %d; read it again",
		t.Revision)
}
