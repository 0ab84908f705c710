package tweets

import (
	"context"
	"log/slog"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/digests"
	"github.com/hibana-sns/hibana/store/internal/mentions"
)

// Options configures the Store.
type Options struct {
	CacheTTL    time.Duration // the largest age of a cached profile
	PublicBytes int           // about how many bytes the cached pages of the public timeline take
	Log         *slog.Logger  // for failures that no caller gets
	Digests     *digests.Writer
	Local       mentions.Local // of the handles of this installation; nil if it does not federate
}

// Store reads and writes tweets. Callers above package store get the reads of [access.Store] with it. Its methods may
// be called concurrently. Their errors are errors of package errs.
type Store struct {
	*access.Store
	db     *db.DB
	o      Options
	ids    *model.TweetIDs
	public readcache.Values[publicPage, *publicRead]
	kept   *keptTexts
}

// New returns the tweets of a database.
func New(d *db.DB, a *access.Store, o Options) *Store {
	s := &Store{Store: a, db: d, o: o, ids: model.NewTweetIDs(d.Now), kept: newKeptTexts()}
	public := readcache.New(d.Now, publicTTL, o.PublicBytes, readcache.Size, s.readPublic)
	public.Stale, public.Name = publicStale, "public"
	s.public = public
	return s
}

// FullTweet is a tweet with the parts that only the tweet's own page shows.
type FullTweet struct {
	*model.Tweet
	Content           string
	Alts              map[string]string // see [model.TweetDetail]
	model.ViewerState                   // of the viewer
}

// Detail is the text of the tweet.
func (t *FullTweet) Detail() model.TweetDetail {
	return model.TweetDetail{Content: t.Content, Alts: t.Alts}
}

// Posted is what became of a draft: a tweet, or a reply that waits for approval.
type Posted struct {
	*FullTweet                  // nil if the reply waits
	Held       *model.HeldReply // nil for a tweet; a repeated request has only its id and its times
}

// CreateTweet cleans a draft and posts it, see [model.Draft.Clean] and [Store.Post].
func (s *Store) CreateTweet(ctx context.Context, author model.UserID, d model.Draft,
	r model.Request) (_ Posted, err error) {
	defer errs.Wrap(&err, "tweets.CreateTweet(%q)", author)
	clean, err := d.Clean()
	if err != nil {
		return Posted{}, err
	}
	return s.Post(ctx, author, clean, r)
}

// Post writes a tweet, and attaches its media. An author without a profile is errs.Forbidden. A parent that does not
// accept this reply is errs.Forbidden. A deleted parent is errs.Gone, and an unknown or hidden parent errs.NotFound. A
// quoted tweet has the same errors. A second request with the same key gets the tweet of the first request, for
// model.IdempotencyWindow. If that tweet was deleted, the second request is errs.Gone. Media that the tweet cannot take
// have the errors of [model.Media.Usable]. The commit includes the writes that also adds; Post calls also anew for each
// try.
//
// A reply may have to wait for approval, see [Store.waits]. Then the commit writes a held reply in place of the tweet,
// with the errors of [Store.hold]. A second request with the same key gets the held reply, whatever became of it.
//
// Cost: 2 writes and the cost of [mentions.Find]; a reply or a quote 2 reads more, and another 1 if only followers may;
// a key 1 read and 1 write, each of its media 1 read and 1 write. In a thread that holds replies the costs of
// [Store.waits] and [Store.hold].
func (s *Store) Post(ctx context.Context, author model.UserID, d *model.CleanDraft, r model.Request,
	also ...func(context.Context, *db.Batch) error) (made Posted, err error) {
	defer errs.Wrap(&err, "tweets.Post(%q)", author)
	return s.post(ctx, author, d, r, posting{also: also})
}

// posting is how a draft is posted.
type posting struct {
	also     []func(context.Context, *db.Batch) error // see [Store.Post]
	approved bool                                     // a reply does not wait
}

func (s *Store) post(ctx context.Context, author model.UserID, d *model.CleanDraft, r model.Request,
	by posting) (made Posted, err error) {
	err = s.db.Update(ctx, func(ctx context.Context) error {
		earlier, record, err := s.requested(ctx, author, r)
		switch {
		case err != nil:
			return err
		case earlier.HeldReply != "":
			made = Posted{Held: earlier.heldReply()}
			return nil
		case earlier.TweetID != "":
			made.FullTweet, err = s.Tweet(ctx, earlier.TweetID, model.Viewer{ID: author, Role: model.Member})
			return err
		}
		made, err = s.createTweet(ctx, author, d, r, record, by)
		return err
	})
	if err != nil {
		return Posted{}, err
	}
	return made, nil
}

// createTweet tries to write a tweet or a held reply, together with the record of its request. The error is late, see
// [db.Late], if another process took the id. It is late, too, if the same request came twice at once or the expired
// record was deleted meanwhile.
func (s *Store) createTweet(ctx context.Context, author model.UserID, d *model.CleanDraft, r model.Request,
	record *firestore.DocumentSnapshot, by posting) (none Posted, err error) {
	begun := s.db.Now()
	profile, err := s.Profile(ctx, author)
	if err != nil {
		return none, err
	}
	found := mentions.Start(ctx, s.db, s.o.Local, author, d.Names())
	defer func() { _, _ = found() }() // a refused reply also waits for its names, so that no read follows the answer
	var parent *model.Tweet
	waits := false
	if d.ReplyTo() != nil {
		e, err := s.answered(ctx, author, d)
		if err != nil {
			return none, err
		}
		if parent = e.Tweet; !by.approved {
			if waits, err = s.waits(ctx, author, &e); err != nil {
				return none, err
			}
		}
	}
	mentioned, err := found()
	if err != nil {
		return none, err
	}
	t, detail, err := d.Tweet(s.ids.Next(author), profile, parent, mentioned)
	if err != nil {
		return none, err
	}
	if err := s.quote(ctx, author, d, t); err != nil {
		return none, err
	}
	if waits && t.ApproverSees() {
		draft := d.Draft()
		draft.Visibility = t.Visibility // the default may be another one at the approval
		held, err := s.hold(ctx, model.NewHeldReply(author, draft, parent, s.db.Time()), r, record, by.also)
		return Posted{Held: held}, err
	}
	b := s.db.Batch()
	if err := s.attach(ctx, b, author, d.Media(), t, detail); err != nil {
		return none, err
	}
	b.Create(s.db.Doc(model.TweetDetails, string(t.ID)), detail)
	if t.Poll != nil {
		b.Create(s.db.Doc(model.Polls, string(t.ID)), t.PollCounts())
	}
	s.o.Digests.Unheard(t)
	b.Create(s.db.Tweet(t.ID), t) // after all documents that a reader of the tweet reads, see db.Batch
	if r.Key != "" {
		remember(b, record, idempotency{TweetID: t.ID, Hash: r.Hash, ExpireAt: s.db.Time().Add(model.IdempotencyWindow)})
	}
	for _, add := range by.also {
		if err := add(ctx, b); err != nil {
			return none, err
		}
	}
	if _, err := s.db.CommitOnce(ctx, b, s.db.Made(s.db.Tweet(t.ID))); err != nil {
		if there, failed := s.wrote(ctx, t, detail, err); failed != nil {
			return none, failed
		} else if !there {
			return none, db.Late(err)
		}
	}
	mentions.Anew(ctx, s.db, s.o.Log, t, begun.Add(s.o.CacheTTL))
	return Posted{FullTweet: &FullTweet{Tweet: t, Content: detail.Content, Alts: detail.Alts}}, nil
}

// answered reads the tweet that a draft answers. The error is that of a parent that does not accept this reply.
//
// Cost: 2 reads; 1 read more if only followers may reply.
func (s *Store) answered(ctx context.Context, author model.UserID, d *model.CleanDraft) (e access.Check, err error) {
	if e, err = s.Check(ctx, author, *d.ReplyTo(), true); err != nil {
		return e, err
	}
	if err := s.lookUpFollow(ctx, author, &e, e.Tweet.ReplyNeedsFollow(author)); err != nil {
		return e, err
	}
	return e, model.MayReply(author, e.Tweet, e.Author, e.ViewerRelationships)
}

// quote makes t a quote if its draft quotes a tweet. The error is that of a tweet that does not accept this quote.
//
// Cost: 2 reads for a quote; 1 read more if only followers may quote.
func (s *Store) quote(ctx context.Context, author model.UserID, d *model.CleanDraft, t *model.Tweet) error {
	quoted := d.QuoteOf()
	if quoted == "" {
		return nil
	}
	e, err := s.Check(ctx, author, quoted, true)
	if err != nil {
		return err
	}
	if err := s.lookUpFollow(ctx, author, &e, e.Tweet.QuoteNeedsFollow(author)); err != nil {
		return err
	}
	if err := model.MayQuote(author, e.Tweet, e.Author, e.ViewerRelationships); err != nil {
		return err
	}
	t.Quote(e.Tweet)
	return nil
}

// lookUpFollow reads whether an actor follows the author of a tweet, if that decides and is not known.
//
// Cost: 1 read, or nothing.
func (s *Store) lookUpFollow(ctx context.Context, actor model.UserID, e *access.Check, decides bool) (err error) {
	if !decides || e.ViewerRelationships.Follows {
		return nil
	}
	e.ViewerRelationships.Follows, err = s.db.Get(ctx, s.db.Relationship(actor, e.Tweet.AuthorID), nil)
	return err
}

// wrote reports whether a tweet exists although the commit that creates it failed. If the answer to a commit is lost,
// the client itself sends the commit again. The second commit then fails because the client's own documents exist.
//
// Cost: 2 reads if the failure may come from a repeated commit.
func (s *Store) wrote(ctx context.Context, t *model.Tweet, d *model.TweetDetail, failure error) (bool, error) {
	if !db.AlreadyExists(failure) && !db.Outdated(failure) && !db.NotFound(failure) {
		return false, nil
	}
	return s.written(ctx, t, d)
}

// written reports whether a tweet exists as a commit would have written it.
//
// Cost: 2 reads.
func (s *Store) written(ctx context.Context, t *model.Tweet, d *model.TweetDetail) (bool, error) {
	var l db.Lookup
	is, detail := db.Find[model.Tweet](&l, s.db.Tweet(t.ID)), db.Find[model.TweetDetail](&l,
		s.db.Doc(model.TweetDetails, string(t.ID)))
	if err := s.db.Read(ctx, &l); err != nil || !is.Found || !detail.Found {
		return false, err
	}
	// An edited tweet has another text. An id belongs to one author and one moment.
	return is.Doc.AuthorID == t.AuthorID && (detail.Doc.Equal(*d) || is.Doc.Revision > 0), nil
}

// Tweet reads a tweet for a viewer. A deleted tweet is errs.Gone with a [*access.Deleted] inside. An unknown tweet is
// errs.NotFound, and so is a tweet that the viewer may not see.
//
// Most tweets are no longer than their snippets. The text of a longer tweet comes with a second round trip. If an edit
// changed the text after the first one, Tweet begins again: the new text may be for fewer users. If there is no text,
// Tweet begins again once: the tweet was probably deleted meanwhile.
//
// Cost: 1 read; 1 read more for a viewer with an account, for a text that is longer than the snippet, for a tombstone,
// and for a tweet for followers.
func (s *Store) Tweet(ctx context.Context, id model.TweetID, viewer model.Viewer) (_ *FullTweet, err error) {
	defer errs.Wrap(&err, "tweets.Tweet(%q)", id)
	for last := false; ; {
		t, readAt, err := s.read(ctx, id, viewer, &db.Lookup{})
		if err != nil {
			return nil, err
		}
		if detail, whole := t.Tweet.Detail(); whole {
			t.Content, t.Alts = detail.Content, detail.Alts
			return t, nil
		}
		text, err := db.As[model.TweetDetail](s.db.Doc(model.TweetDetails, string(id)).Get(ctx))
		if err != nil {
			return nil, err
		}
		switch t.Content, t.Alts = text.Doc.Content, text.Doc.Alts; {
		case text.Found && !text.Snap.UpdateTime.After(readAt), !text.Found && last:
			return t, nil
		case !text.Found:
			last = true
		}
	}
}

// read reads a tweet without its text, for a viewer, in one round trip with all that l has.
//
// Cost: 1 read; 1 read more for a viewer with an account, for a tombstone, and for a tweet for followers.
func (s *Store) read(ctx context.Context, id model.TweetID, viewer model.Viewer, l *db.Lookup) (t *FullTweet,
	readAt time.Time, err error) {
	is := db.Find[struct{}](l, s.db.Tweet(id))
	reactions := &db.Found[model.ReactionMonth]{} // none for a guest
	account := viewer.Account()
	if account != "" {
		reactions = db.Find[model.ReactionMonth](l, s.db.ReactionMonth(account, id.Month()))
	}
	if err := s.db.Read(ctx, l); err != nil {
		return nil, readAt, err
	}
	if !is.Found {
		return nil, readAt, s.Gone(ctx, viewer, id)
	}
	kept, err := s.KeepTweet(is.Snap) // the tweet's replies and likes are often read next
	if err != nil {
		return nil, readAt, err
	}
	own := *kept
	t = &FullTweet{Tweet: &own}
	if err := s.RequireVisible(ctx, viewer, t.Tweet); err != nil {
		return nil, readAt, err
	}
	viewerState, err := s.ViewerStateIn(ctx, account, &reactions.Doc, []model.TweetID{id})
	t.ViewerState = viewerState[id]
	return t, is.Snap.ReadTime, err
}

// Replies returns the replies to a tweet, oldest first.
//
// Cost: 1 read for each reply, at least 1.
func (s *Store) Replies(ctx context.Context, id model.TweetID, from model.Cursor,
	limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "tweets.Replies(%q)", id)
	q := s.db.Client.Collection(model.Tweets).Where(fields.ReplyTo, "==", id)
	return db.Page(ctx, q, firestore.FieldPath{fields.RepliedAt}, firestore.Asc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := s.KeepTweet(snap)
			return t, model.Cursor{At: t.CreatedAt, ID: snap.Ref.ID}, err
		})
}
