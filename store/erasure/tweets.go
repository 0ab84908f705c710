package erasure

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// textBytes is about how many bytes of text one request reads.
const textBytes = 1 << 20

// tweets is the section of tweets and replies, with their texts. When the part is full, a page may end before the last
// document that it read. A tweet without a text is being deleted.
//
// Cost: 2 reads for each tweet, at least 1.
func tweets(ctx context.Context, s *source, after string, p *part) (string, error) {
	snaps, err := s.read(ctx, s.db.Client.Collection(model.Tweets).Where(fields.AuthorID, "==", s.uid).OrderBy(
		firestore.DocumentID, firestore.Asc), after)
	if err != nil {
		return "", err
	}
	for from := 0; from < len(snaps); {
		var l db.Lookup
		var some []*model.Tweet
		var texts []*db.Found[model.TweetDetail]
		for size := 0; from < len(snaps) && size < textBytes; from++ {
			t := &model.Tweet{ID: model.TweetID(snaps[from].Ref.ID)}
			if err := snaps[from].DataTo(t); err != nil {
				return "", err
			}
			size += 4 * t.Length // bytes of a character, at most
			some = append(some, t)
			texts = append(texts, db.Find[model.TweetDetail](&l, s.db.Doc(model.TweetDetails, string(t.ID))))
		}
		if err := s.db.Read(ctx, &l); err != nil {
			return "", err
		}
		for i, text := range texts {
			if !text.Found {
				continue
			}
			if err := p.add(tweetOf(some[i], text.Doc)); err != nil {
				return "", err
			}
		}
		if p.full() && from < len(snaps) {
			return snaps[from-1].Ref.ID, nil
		}
	}
	return s.next(snaps), nil
}

type tweetItem struct {
	Media        []usedMedia             `json:"media,omitempty"`
	ID           model.TweetID           `json:"id"`
	Content      string                  `json:"content"`
	Summary      string                  `json:"summary"`
	Tags         []string                `json:"tags"`               // as typed
	Mentions     map[string]model.UserID `json:"mentions,omitempty"` // by name
	ReplyTo      *model.TweetID          `json:"replyTo,omitempty"`
	ReplyToUser  model.UserID            `json:"replyToAuthorId,omitempty"`
	RootID       model.TweetID           `json:"rootId"`
	QuoteOf      model.TweetID           `json:"quoteOf,omitempty"`
	Withdrawn    bool                    `json:"quoteWithdrawn,omitempty"` // its author withdrew the quoted tweet
	Folded       bool                    `json:"folded,omitempty"`
	Poll         *pollItem               `json:"poll,omitempty"`
	AllowLikes   bool                    `json:"allowLikes"`
	AllowReplies bool                    `json:"allowReplies"`
	AllowQuotes  bool                    `json:"allowQuotes"`
	Visibility   model.Audience          `json:"visibility"`
	IsViolative  bool                    `json:"isViolative"`
	LikeCount    int64                   `json:"likeCount"`
	ReplyCount   int64                   `json:"replyCount"`
	ShareCount   int64                   `json:"shareCount"`
	QuoteCount   int64                   `json:"quoteCount"`
	CreatedAt    time.Time               `json:"createdAt"`
	UpdatedAt    *time.Time              `json:"updatedAt,omitempty"`
	policies
}

// policies say who may answer, if only some users may.
type policies struct {
	ReplyPolicy model.Policy `json:"replyPolicy,omitempty"`
	QuotePolicy model.Policy `json:"quotePolicy,omitempty"`
}

// pollItem is a poll. In a draft it has its duration in minutes, and else the time at which it closes.
type pollItem struct {
	Options  []string   `json:"options"`
	Minutes  int        `json:"minutes,omitempty"`
	ClosesAt *time.Time `json:"closesAt,omitempty"`
}

func tweetOf(t *model.Tweet, d model.TweetDetail) tweetItem {
	var poll *pollItem
	if t.Poll != nil {
		poll = &pollItem{Options: t.Poll.Options, ClosesAt: &t.Poll.ClosesAt}
	}
	tags := []string{}
	for _, tag := range t.TagNames() {
		if label := t.TagLabels[tag]; label != "" {
			tag = label
		}
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	return tweetItem{
		ID: t.ID, Content: d.Content, Media: mediaOf(t.Media, d.Alts), Summary: t.Summary, Tags: tags,
		Mentions: t.MentionNames, ReplyTo: t.ReplyTo,
		ReplyToUser: t.ReplyToAuthorID, RootID: t.RootID,
		QuoteOf: t.QuoteOf, Withdrawn: t.WithdrawnQuote != "", Folded: t.Folded, Poll: poll,
		AllowLikes: t.AllowLikes, AllowReplies: t.AllowReplies, AllowQuotes: !t.DenyQuotes,
		policies: policies{t.ReplyPolicy, t.QuotePolicy}, Visibility: t.Visibility, IsViolative: t.IsViolative,
		LikeCount: t.LikeCount, ReplyCount: t.ReplyCount, ShareCount: t.ShareCount, QuoteCount: t.QuoteCount,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
	}
}

// revisionsTogether is how many revisions one query reads. A revision may have 271 KB.
const revisionsTogether = 10

// revisions is the section of the earlier versions of edited tweets. The cursor after a page is the id of a tweet and
// the number of a revision.
//
// Cost: 1 read for each revision, at least 1.
func revisions(ctx context.Context, s *source, after string, p *part) (string, error) {
	q := s.db.Client.CollectionGroup(model.Revisions).Where(fields.AuthorID, "==", s.uid).
		OrderBy(firestore.DocumentID, firestore.Asc)
	if tweet, number, ok := strings.Cut(after, "/"); ok {
		q = q.StartAfter(s.db.Revision(model.TweetID(tweet), model.RevisionNumber(number)))
	}
	limit := min(s.pageSize, revisionsTogether)
	snaps, err := q.Limit(limit).Documents(ctx).GetAll()
	if err != nil {
		return "", err
	}
	rule := ""
	for _, snap := range snaps {
		tweet := snap.Ref.Parent.Parent.ID
		r := model.Revision{Number: model.RevisionNumber(snap.Ref.ID)}
		if err := snap.DataTo(&r); err != nil {
			return "", err
		}
		if err := p.add(revisionItem{
			TweetID: model.TweetID(tweet), Number: r.Number, Content: r.Content, Summary: r.Summary, Tags: r.Tags,
			Media:      mediaOf(r.Media, nil),
			AllowLikes: r.AllowLikes, AllowReplies: r.AllowReplies, AllowQuotes: !r.DenyQuotes,
			policies: policies{r.ReplyPolicy, r.QuotePolicy}, Visibility: cmp.Or(r.Visibility,
				model.Public), WrittenAt: r.WrittenAt, ReplacedAt: r.ReplacedAt,
		}); err != nil {
			return "", err
		}
		rule = tweet + "/" + snap.Ref.ID
	}
	if len(snaps) < limit {
		return "", nil
	}
	return rule, nil
}

type revisionItem struct {
	TweetID      model.TweetID  `json:"tweetId"`
	Number       int            `json:"number"`
	Media        []usedMedia    `json:"media,omitempty"`
	Content      string         `json:"content"`
	Summary      string         `json:"summary"`
	Tags         []string       `json:"tags"`
	AllowLikes   bool           `json:"allowLikes"`
	AllowReplies bool           `json:"allowReplies"`
	AllowQuotes  bool           `json:"allowQuotes"`
	Visibility   model.Audience `json:"visibility"`
	WrittenAt    time.Time      `json:"writtenAt"`
	ReplacedAt   time.Time      `json:"replacedAt"`
	policies
}

// draft is the item of a tweet that the user has not posted yet.
func draft(key string, saved *model.SavedDraft) any {
	d := draftOf(saved.Draft)
	d.ID, d.PublishAt, d.Failure = model.DraftID(key), saved.PublishAt, saved.Failure
	d.CreatedAt, d.UpdatedAt = saved.CreatedAt, saved.UpdatedAt
	return d
}

func draftOf(d model.Draft) draftItem {
	var poll *pollItem
	if d.Poll != nil {
		poll = &pollItem{Options: d.Poll.Options, Minutes: d.Poll.Minutes}
	}
	return draftItem{
		Poll: poll, Content: d.Content, Summary: d.Summary, Tags: d.Tags, ReplyTo: d.ReplyTo,
		QuoteOf: d.QuoteOf, Media: d.Media,
		AllowLikes: d.AllowLikes, AllowReplies: d.AllowReplies, AllowQuotes: !d.DenyQuotes,
		policies: policies{d.ReplyPolicy, d.QuotePolicy}, Visibility: d.Visibility,
	}
}

type draftItem struct {
	Media        []model.MediaID     `json:"media,omitempty"`
	ID           string              `json:"id"`
	Content      string              `json:"content"`
	Summary      string              `json:"summary"`
	Tags         []string            `json:"tags,omitempty"`
	ReplyTo      *model.TweetID      `json:"replyTo,omitempty"`
	QuoteOf      model.TweetID       `json:"quoteOf,omitempty"`
	AllowLikes   bool                `json:"allowLikes"`
	AllowReplies bool                `json:"allowReplies"`
	AllowQuotes  bool                `json:"allowQuotes"`
	Visibility   model.Audience      `json:"visibility,omitempty"`
	Poll         *pollItem           `json:"poll,omitempty"`
	PublishAt    *time.Time          `json:"publishAt,omitempty"`
	Failure      *model.DraftFailure `json:"failure,omitempty"` // why it was not posted when it was due
	CreatedAt    time.Time           `json:"createdAt"`
	UpdatedAt    time.Time           `json:"updatedAt,omitzero"`
	policies

	// Of a reply that waits for the approval of another user.
	HeldFor  model.UserID  `json:"heldFor,omitempty"`
	RootID   model.TweetID `json:"rootId,omitempty"`
	ExpireAt time.Time     `json:"expireAt,omitzero"`
}
