package store

import (
	"context"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Request makes creating a tweet repeatable: a second request of the same user
// with the same key within model.IdempotencyWindow gets what the first created.
type Request struct {
	Key  string // empty: not repeatable
	Hash string // of what was asked; another one under the same key is errs.Conflict
}

// FullTweet is a tweet with the parts that only its own page shows.
type FullTweet struct {
	*model.Tweet
	Content string
	Liked   bool // by the viewer
}

// Deleted is inside the errs.Gone error of a tweet that was deleted.
type Deleted struct{ model.Tombstone }

func (d *Deleted) Error() string { return fmt.Sprintf("tweet %s was deleted", d.ID) }

// CreateTweet writes a tweet: 2 writes, or 3 with a request key. It reads the
// author's profile, which may be cached; for a reply the parent, its author,
// and whether they blocked or follow the replier; and for a key its record. A draft
// that breaks a limit is errs.Invalid; a parent that is deleted, unknown, or does not
// take this reply is errs.Gone, NotFound or Forbidden.
func (s *Store) CreateTweet(ctx context.Context, author model.UserID, d model.Draft, r Request) (_ *FullTweet, err error) {
	defer errs.Wrap(&err, "store.CreateTweet(%q)", author)
	for {
		earlier, record, err := s.requested(ctx, author, r)
		if err != nil {
			return nil, err
		}
		if earlier != "" {
			return s.Tweet(ctx, earlier, author)
		}
		t, err := s.createTweet(ctx, author, d, r, record)
		if exists(err) || outdated(err) || missing(err) {
			continue // the id is taken, or the same request came in twice at once, or its expired record went
		}
		return t, err
	}
}

func (s *Store) createTweet(ctx context.Context, author model.UserID, d model.Draft, r Request, record *firestore.DocumentSnapshot) (*FullTweet, error) {
	profile, err := s.profile(ctx, author)
	if err != nil {
		return nil, err
	}
	var parent *model.Tweet
	if d.ReplyTo != nil {
		var refusal string
		if parent, refusal, err = s.interaction(ctx, author, *d.ReplyTo); err != nil {
			return nil, err
		}
		if refusal == "" && !parent.AllowReplies {
			refusal = "replies_not_allowed"
		}
		if refusal != "" {
			return nil, refuse(refusal, "reply to this tweet")
		}
	}
	t, detail, err := model.NewTweet(s.ids.Next(author), profile, parent, d)
	if err != nil {
		return nil, err
	}
	b := s.batch()
	b.Create(s.tweet(t.ID), t)
	b.Create(s.doc(model.TweetDetails, string(t.ID)), detail)
	if r.Key != "" {
		remember(b, record, idempotency{TweetID: t.ID, Hash: r.Hash, ExpireAt: s.time().Add(model.IdempotencyWindow)})
	}
	if _, err := b.Commit(ctx); err != nil {
		return nil, err
	}
	return &FullTweet{Tweet: t, Content: detail.Content}, nil
}

type idempotency struct {
	TweetID  model.TweetID `firestore:"tweetId"`
	Hash     string        `firestore:"hash"`
	ExpireAt time.Time     `firestore:"expireAt"`
}

// requested finds what an earlier request with the same key created: 1 read. It
// returns the record too, which may have expired.
func (s *Store) requested(ctx context.Context, uid model.UserID, r Request) (model.TweetID, *firestore.DocumentSnapshot, error) {
	if r.Key == "" {
		return "", nil, nil
	}
	snap, err := s.doc(model.Idempotency, model.IdempotencyKey(uid, r.Key)).Get(ctx)
	var rec idempotency
	held, err := decode(snap, err)(&rec)
	switch {
	case err != nil:
		return "", nil, err
	case !held || s.now().After(rec.ExpireAt):
		return "", snap, nil
	case rec.Hash != r.Hash:
		return "", nil, errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
	}
	return rec.TweetID, snap, nil
}

// remember adds the record of a request, in the place of an expired one.
func remember(b *firestore.WriteBatch, old *firestore.DocumentSnapshot, rec idempotency) {
	if !old.Exists() {
		b.Create(old.Ref, rec)
		return
	}
	b.Update(old.Ref, []firestore.Update{
		{Path: "tweetId", Value: rec.TweetID}, {Path: "hash", Value: rec.Hash}, {Path: "expireAt", Value: rec.ExpireAt},
	}, firestore.LastUpdateTime(old.UpdateTime))
}

// Tweet reads a tweet as viewer sees it; an empty viewer is signed out. It costs
// 2 reads, 1 more for a viewer, all in one round trip. One that was deleted is
// errs.Gone with a *Deleted inside, which costs a read too; one that never was is
// errs.NotFound.
func (s *Store) Tweet(ctx context.Context, id model.TweetID, viewer model.UserID) (_ *FullTweet, err error) {
	defer errs.Wrap(&err, "store.Tweet(%q)", id)
	refs := []*firestore.DocumentRef{s.tweet(id), s.doc(model.TweetDetails, string(id))}
	if viewer != "" {
		refs = append(refs, s.reactionMonth(viewer, id.Month()))
	}
	snaps, err := s.fs.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	if !snaps[0].Exists() {
		return nil, s.gone(ctx, id)
	}
	t := &FullTweet{Tweet: &model.Tweet{ID: id}}
	var detail model.TweetDetail
	var reactions model.ReactionMonth
	for i, to := range []any{t.Tweet, &detail, &reactions}[:len(snaps)] {
		if _, err := decode(snaps[i], nil)(to); err != nil {
			return nil, err
		}
	}
	t.Content, t.Liked = detail.Content, reactions.Tweets[id].Liked
	return t, nil
}

// gone says why a tweet is not there.
func (s *Store) gone(ctx context.Context, id model.TweetID) error {
	tombs, err := s.tombstones(ctx, []model.TweetID{id})
	if err != nil {
		return err
	}
	if tomb := tombs[id]; tomb != nil {
		return &errs.Error{Kind: errs.Gone, Code: "tweet_deleted", Msg: "this tweet was deleted", Err: &Deleted{*tomb}}
	}
	return errs.New(errs.NotFound, "tweet_not_found", "there is no tweet %q", id)
}

func (s *Store) tombstones(ctx context.Context, ids []model.TweetID) (map[model.TweetID]*model.Tombstone, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return readAll(ctx, s, model.Tombstones, ids, func(id model.TweetID, t *model.Tombstone) { t.ID = id })
}

// Seen is what a batch lookup found under one id. Without a Tweet and a Tombstone
// there never was one.
type Seen struct {
	ID        model.TweetID
	Tweet     *model.Tweet
	Tombstone *model.Tombstone
	Liked     bool
}

// Batch looks tweets up by id, in the order asked, through the cache: at most a
// read an id, one a month for a viewer, and for each that is not there one of its
// tombstone.
func (s *Store) Batch(ctx context.Context, ids []model.TweetID, viewer model.UserID) (_ []Seen, err error) {
	defer errs.Wrap(&err, "store.Batch(%d)", len(ids))
	tweets, err := s.tweets.all(ctx, ids)
	if err != nil {
		return nil, err
	}
	var absent []model.TweetID
	for _, id := range ids {
		if tweets[id] == nil {
			absent = append(absent, id)
		}
	}
	tombs, err := s.tombstones(ctx, absent)
	if err != nil {
		return nil, err
	}
	liked, err := s.liked(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	seen := make([]Seen, len(ids))
	for i, id := range ids {
		seen[i] = Seen{ID: id, Tweet: tweets[id], Tombstone: tombs[id], Liked: liked[id]}
	}
	return seen, nil
}

// DeleteTweet puts a tombstone in the place of a tweet: 1 read, 1 write and 2
// deletes. Only its author may, or anybody with admin. One that was deleted
// already is errs.Gone.
func (s *Store) DeleteTweet(ctx context.Context, by model.UserID, admin bool, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "store.DeleteTweet(%q)", id)
	var t model.Tweet
	held, err := s.get(ctx, s.tweet(id), &t)
	if err != nil || !held {
		return errOr(err, s.gone(ctx, id))
	}
	if t.AuthorID != by && !admin {
		return errs.New(errs.Forbidden, "not_author", "only its author may delete a tweet")
	}
	b := s.batch()
	b.Delete(s.tweet(id), firestore.Exists)
	b.Delete(s.doc(model.TweetDetails, string(id)))
	b.Create(s.doc(model.Tombstones, string(id)), model.Tombstone{FormerType: "tweet", AuthorID: t.AuthorID, DeletedAt: s.time()})
	_, err = b.Commit(ctx)
	s.tweets.forget(id)
	if missing(err) || exists(err) {
		return s.gone(ctx, id)
	}
	return err
}

// Replies lists the replies to a tweet, oldest first: a read each.
func (s *Store) Replies(ctx context.Context, id model.TweetID, from Cursor, limit int) (_ Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "store.Replies(%q)", id)
	q := s.fs.Collection(model.Tweets).Where("replyTo", "==", id)
	return page(ctx, q, firestore.FieldPath{"createdAt"}, firestore.Asc, from, limit, func(snap *firestore.DocumentSnapshot) (*model.Tweet, Cursor, error) {
		t, err := s.keepTweet(snap)
		return t, Cursor{At: t.CreatedAt, ID: snap.Ref.ID}, err
	})
}

// Exists tells by an error whether a tweet is there, through the cache.
func (s *Store) Exists(ctx context.Context, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "store.Exists(%q)", id)
	if _, held, err := s.tweets.one(ctx, id); err != nil || !held {
		return errOr(err, s.gone(ctx, id))
	}
	return nil
}

// Holds tells whether a tweet is there now: 1 read.
func (s *Store) Holds(ctx context.Context, id model.TweetID) (held bool, err error) {
	defer errs.Wrap(&err, "store.Holds(%q)", id)
	return s.get(ctx, s.tweet(id), nil)
}

func (s *Store) tweet(id model.TweetID) *firestore.DocumentRef {
	return s.doc(model.Tweets, string(id))
}

// keepTweet decodes a tweet that a query found and puts it into the cache.
func (s *Store) keepTweet(snap *firestore.DocumentSnapshot) (*model.Tweet, error) {
	t := &model.Tweet{ID: model.TweetID(snap.Ref.ID)}
	err := snap.DataTo(t)
	if err == nil {
		s.tweets.put(t.ID, t)
	}
	return t, err
}

func (s *Store) readTweets(ctx context.Context, ids []model.TweetID) (map[model.TweetID]*model.Tweet, error) {
	return readAll(ctx, s, model.Tweets, ids, func(id model.TweetID, t *model.Tweet) { t.ID = id })
}
