// This file writes the posts of other servers: a post is a tweet, and a mark says which.

package tweets

import (
	"cmp"
	"context"
	"errors"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/mentions"
)

// RemoteTweet is a post of another server that becomes a tweet.
type RemoteTweet struct {
	Remote  model.RemotePost
	Author  *model.User
	Draft   *model.CleanDraft // without media and without a poll
	At      time.Time         // when it was posted; the time of its parent if that is later
	Updated time.Time         // of the version, as its server says; zero for the first
	Poll    *model.Poll       // nil for most
	Votes   []int64           // of the poll, as its server counts them, by option; nil if it does not say
	Quiet   bool              // it notifies nobody

	approved *firestore.DocumentSnapshot // the held reply that becomes the tweet; nil for most
}

// RemotePost returns the mark of a post of another server; nil if it is not known.
//
// Cost: 1 read.
func (s *Store) RemotePost(ctx context.Context, iri string) (_ *model.RemotePostMark, err error) {
	defer errs.Wrap(&err, "tweets.RemotePost")
	is := &model.RemotePostMark{}
	found, err := s.db.Get(ctx, s.mark(iri), is)
	if err != nil || !found || is.IRI != iri || s.over(is) {
		return nil, err
	}
	return is, nil
}

func (s *Store) mark(iri string) *firestore.DocumentRef {
	return s.db.Doc(model.RemotePosts, model.RemotePostKey(iri))
}

// over reports whether the time of a mark is over that the database may delete late.
func (s *Store) over(m *model.RemotePostMark) bool {
	return !m.ExpireAt.IsZero() && !s.db.Now().Before(m.ExpireAt)
}

// remoteTries is how many ids a post may have whose first one is another post's.
const remoteTries = 4

// PostRemote writes a post of another server as a tweet, once: a post that is known returns its tweet, whatever the
// draft says. A post that was deleted is errs.Gone (post_deleted). A reply that its parent does not accept has the
// errors of [Store.Post]. One that has to wait for approval waits, in its newest version, and is errs.Forbidden
// (reply_not_approved); so is one that finds no room. A quote that is not allowed is no quote.
//
// Cost: 3 reads and 3 writes, 1 write more for a poll, the cost of [mentions.Find], a reply or a quote 2 reads more,
// and another 1 if only followers may. A post that is known costs 1 read more than what was read before. In a thread
// that holds replies the cost of [Store.waits]; a reply that waits costs 5 reads and 1 write in the place of 3 each.
func (s *Store) PostRemote(ctx context.Context, p RemoteTweet) (id model.TweetID, made bool, err error) {
	defer errs.Wrap(&err, "tweets.PostRemote(%q)", p.Author.ID)
	begun := s.db.Now()
	var known *model.RemotePostMark
	taken := false
	for try := range remoteTries {
		t, detail, waits, err := s.remoteTweet(ctx, &p, try)
		if err != nil {
			return "", false, err
		}
		if waits {
			if known, err = s.holdRemote(ctx, &p, t); err == nil && known != nil {
				tweet, err := s.knownRemote(known, &p)
				return tweet, false, err
			}
			return "", false, cmp.Or(err, errs.New(errs.Forbidden, "reply_not_approved", "this reply waits for approval"))
		}
		err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
			known, taken = nil, false
			var l db.Lookup
			mark, is := db.Find[model.RemotePostMark](&l, s.mark(p.Remote.IRI)), db.Find[struct{}](&l, s.db.Tweet(t.ID))
			stone := db.Find[struct{}](&l, s.db.Doc(model.Tombstones, string(t.ID)))
			held := &db.Found[struct{}]{}
			if p.approved != nil {
				held = db.Find[struct{}](&l, p.approved.Ref)
			}
			if err := l.ReadIn(tx); err != nil {
				return err
			}
			if p.approved != nil {
				if !held.Found || !held.Snap.UpdateTime.Equal(p.approved.UpdateTime) {
					return model.NoHeldReply(p.approved.Ref.ID)
				}
				if err := tx.Delete(p.approved.Ref); err != nil {
					return err
				}
			}
			if mark.Found && (!mark.Doc.Deleted || mark.Doc.AuthorID == p.Author.ID && !s.over(&mark.Doc)) {
				known = &mark.Doc
				return nil
			}
			if taken = is.Found || stone.Found; taken {
				return errTaken
			}
			err := tx.Create(s.db.Doc(model.TweetDetails, string(t.ID)), detail)
			if t.Poll != nil {
				counts := t.PollCounts()
				counts.Hear(p.Votes)
				err = errors.Join(err, tx.Create(s.db.Doc(model.Polls, string(t.ID)), counts))
			}
			return errors.Join(err, tx.Set(s.mark(p.Remote.IRI), model.RemotePostMark{IRI: p.Remote.IRI,
				AuthorID: p.Author.ID, TweetID: t.ID, UpdatedAt: p.Updated}), tx.Create(s.db.Tweet(t.ID), t))
		})
		switch {
		case err != nil && !errors.Is(err, errTaken):
			return "", false, err
		case known != nil:
			tweet, err := s.knownRemote(known, &p)
			return tweet, false, err
		case !taken:
			mentions.Anew(ctx, s.db, s.o.Log, t, begun.Add(s.o.CacheTTL))
			return t.ID, true, nil
		}
	}
	return "", false, errs.New(errs.Gone, "post_deleted", "this post was deleted, or its ids are taken")
}

// errTaken undoes a commit whose tweet would have the id of another one.
var errTaken = errors.New("the id is another post's")

// holdRemote lets a post of another server wait for approval, or its newer version in its place. t is the tweet that it
// would be. It returns the mark of a post that is known, or deleted, by now.
//
// Cost: 5 reads and 1 write; 3 reads for a version that waits already, or is older.
func (s *Store) holdRemote(ctx context.Context, p *RemoteTweet, t *model.Tweet) (known *model.RemotePostMark,
	err error) {
	draft := p.Draft.Draft()
	draft.Visibility = t.Visibility
	h := model.NewHeldReply(p.Author.ID, draft, t, s.db.Time())
	h.ID = model.RemoteHeldReplyID(p.Remote.IRI)
	h.Remote = &model.HeldRemote{RemotePost: p.Remote, UpdatedAt: p.Updated, Poll: p.Poll, Votes: p.Votes, Quiet: p.Quiet}
	ref := s.db.Doc(model.HeldReplies, h.ID)
	waiting, err := s.db.Get(ctx, ref, nil)
	if err == nil && !waiting {
		err = s.mayHold(ctx, h)
	}
	if errs.CodeOf(err) == "too_many_held_replies" {
		return nil, errs.New(errs.Forbidden, "reply_not_approved", "too many replies wait for approval")
	}
	if err != nil {
		return nil, err
	}
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		known = nil
		var l db.Lookup
		mark, is := db.Find[model.RemotePostMark](&l, s.mark(p.Remote.IRI)), db.Find[model.HeldReply](&l, ref)
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		switch {
		case mark.Found && (!mark.Doc.Deleted || mark.Doc.AuthorID == p.Author.ID && !s.over(&mark.Doc)):
			known = &mark.Doc
			return nil
		case is.Found && !is.Doc.Expired(s.db.Now()):
			if is.Doc.AuthorID != h.AuthorID || is.Doc.Remote == nil || !p.Updated.After(is.Doc.Remote.UpdatedAt) {
				return nil
			}
			h.CreatedAt, h.ExpireAt = is.Doc.CreatedAt, is.Doc.ExpireAt
		}
		return tx.Set(ref, h)
	})
	return known, err
}

// approveRemote makes the tweet of a post of another server that waited. snap is its held reply. The errors are those
// of PostRemote, and errs.NotFound for a reply that was changed or removed meanwhile.
func (s *Store) approveRemote(ctx context.Context, h *model.HeldReply, d *model.CleanDraft,
	snap *firestore.DocumentSnapshot) (*FullTweet, error) {
	author, err := s.Profile(ctx, h.AuthorID)
	if err != nil {
		return nil, err
	}
	id, _, err := s.PostRemote(ctx, RemoteTweet{Remote: h.Remote.RemotePost, Author: author, Draft: d, At: s.db.Time(),
		Updated: h.Remote.UpdatedAt, Poll: h.Remote.Poll, Votes: h.Remote.Votes, Quiet: h.Remote.Quiet, approved: snap})
	if err != nil {
		return nil, err
	}
	return s.Tweet(ctx, id, model.Viewer{ID: h.AuthorID, Role: model.Member})
}

// knownRemote is the tweet of a post that was known when it was to be written.
func (s *Store) knownRemote(is *model.RemotePostMark, p *RemoteTweet) (model.TweetID, error) {
	switch {
	case is.AuthorID != p.Author.ID:
		return "", errs.New(errs.Forbidden, "not_author", "this post is of another author")
	case is.Deleted:
		return "", postDeleted()
	}
	return is.TweetID, nil
}

func postDeleted() error { return errs.New(errs.Gone, "post_deleted", "this post was deleted") }

// remoteTweet makes the documents of a post, with an id of [model.RemoteTweetID], and reports whether it waits for
// approval. The time of the post is after that of its parent then.
func (s *Store) remoteTweet(ctx context.Context, p *RemoteTweet, try int) (t *model.Tweet, detail *model.TweetDetail,
	waits bool, err error) {
	author := p.Author.ID
	found := mentions.Start(ctx, s.db, s.o.Local, author, p.Draft.Names())
	defer func() { _, _ = found() }()
	var parent *model.Tweet
	if p.Draft.ReplyTo() != nil {
		e, err := s.answered(ctx, author, p.Draft)
		if err != nil {
			return nil, nil, false, err
		}
		if p.approved == nil {
			if waits, err = s.waits(ctx, author, &e); err != nil {
				return nil, nil, false, err
			}
		}
		parent = e.Tweet
		if !p.At.After(parent.CreatedAt) {
			p.At = parent.CreatedAt.Add(time.Millisecond)
		}
	}
	mentioned, err := found()
	if err != nil {
		return nil, nil, false, err
	}
	draft := p.Draft
	if parent != nil {
		draft = draft.Heard(parent)
	}
	if t, detail, err = draft.Tweet(model.RemoteTweetID(author, p.Remote.IRI, p.At, try), p.Author, parent,
		mentioned); err != nil {
		return nil, nil, false, err
	}
	t.Remote, t.Poll = &p.Remote, p.Poll
	if p.Quiet {
		t.Imported = "remote"
	}
	s.o.Digests.Unheard(t)
	switch err := s.quote(ctx, author, p.Draft, t); errs.KindOf(err) {
	case errs.Forbidden, errs.NotFound, errs.Gone:
		if err == nil {
			break
		}
		t.QuoteOf, t.QuoteOfAuthorID = "", ""
	default:
		if err != nil {
			return nil, nil, false, err
		}
	}
	return t, detail, waits && t.ApproverSees(), nil
}

// HearVotes sets what the server of a poll counts, see [model.PollCounts.Hear]. It writes nothing that is there
// already. The poll closes at a time if that is not zero and before the poll's end. mayBeOlder says that the known
// counts are of the same version of the post: then fewer votes are older ones, unless the poll has closed.
//
// Cost: 2 reads; 1 write for other counts, 1 more for another end.
func (s *Store) HearVotes(ctx context.Context, id model.TweetID, votes []int64, closed time.Time,
	mayBeOlder bool) (err error) {
	defer errs.Wrap(&err, "tweets.HearVotes(%q)", id)
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		ref := s.db.Doc(model.Polls, string(id))
		is, counts := db.Find[model.Tweet](&l, s.db.Tweet(id)), db.Find[model.PollCounts](&l, ref)
		if err := l.ReadIn(tx); err != nil || !is.Found || !counts.Found || is.Doc.Poll == nil {
			return err
		}
		var err error
		if ends := !closed.IsZero() && closed.Before(is.Doc.Poll.ClosesAt); ends {
			err = errors.Join(tx.Update(s.db.Tweet(id), s.db.Stamped(s.db.Tweet(id), []firestore.Update{
				{Path: model.PollEnd, Value: closed}})), tx.Update(ref, []firestore.Update{{Path: fields.ClosesAt,
				Value: closed}}))
		}
		if len(votes) != len(is.Doc.Poll.Options) {
			return err
		}
		before := counts.Doc.Shown(len(votes))
		if mayBeOlder && closed.IsZero() && sum(votes) < sum(before) {
			return err
		}
		after := counts.Doc
		after.Hear(votes)
		for i, n := range after.Shown(len(votes)) {
			if n != before[i] {
				return errors.Join(err, tx.Update(ref, []firestore.Update{{Path: fields.Elsewhere, Value: after.Elsewhere}}))
			}
		}
		return err
	})
}

func sum(all []int64) (n int64) {
	for _, one := range all {
		n += one
	}
	return n
}

// RemoveRemote deletes a post of another server for its author. A post that is not known is noted, so that it does not
// come later, and waits no more. A post of another author is errs.Forbidden (not_author). A repetition does nothing.
//
// Cost: 3 reads and 1 write; 1 delete more for one that waits; for a known post the cost of [Store.DeleteTweet] more.
func (s *Store) RemoveRemote(ctx context.Context, by model.UserID, iri string) (err error) {
	defer errs.Wrap(&err, "tweets.RemoveRemote(%q)", by)
	var was model.RemotePostMark
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		held := s.db.Doc(model.HeldReplies, model.RemoteHeldReplyID(iri))
		mark, waits := db.Find[model.RemotePostMark](&l, s.mark(iri)), db.Find[model.HeldReply](&l, held)
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		was = mark.Doc
		if waits.Found && waits.Doc.AuthorID == by {
			if err := tx.Delete(held); err != nil {
				return err
			}
		}
		if mark.Found && was.AuthorID != by && was.TweetID != "" {
			return errs.New(errs.Forbidden, "not_author", "this post is of another author")
		}
		if was.Deleted && was.AuthorID == by && !s.over(&was) {
			return nil
		}
		return tx.Set(s.mark(iri), model.RemotePostMark{IRI: iri, AuthorID: by, TweetID: was.TweetID, Deleted: true,
			UpdatedAt: was.UpdatedAt, ExpireAt: s.db.Time().Add(model.RemoteStoneWindow)})
	})
	if err != nil || was.TweetID == "" {
		return err
	}
	err = s.DeleteTweet(ctx, by, false, was.TweetID)
	if kind := errs.KindOf(err); err != nil && (kind == errs.Gone || kind == errs.NotFound) {
		return nil
	}
	return err
}

// EditRemote applies a patch to a post of another server, as [Edits.Edit] does, if its version is newer than the known
// one. updated is the time of the version, as its server says. A post that is not known is errs.NotFound, one that was
// deleted errs.Gone, and one of another author errs.Forbidden. A post that was edited too often stays as it is.
//
// Cost: 1 read; for a newer version the cost of [Edits.EditFor], and 1 write.
func (s *Edits) EditRemote(ctx context.Context, by model.UserID, iri string, p model.TweetPatch,
	updated time.Time) (err error) {
	defer errs.Wrap(&err, "tweets.EditRemote(%q)", by)
	mark, err := s.newer(ctx, by, iri, updated)
	if err != nil || mark == nil {
		return err
	}
	tries := 0
	_, err = s.edit(ctx, by, mark.Doc.TweetID, p, nil, func(b *db.Batch, _, _ *FullTweet) (err error) {
		if tries++; tries > 1 { // another version may have been written meanwhile
			if mark, err = s.newer(ctx, by, iri, updated); err != nil || mark == nil {
				return cmp.Or(err, errOlder)
			}
		}
		b.Update(mark.Snap.Ref, []firestore.Update{{Path: fields.UpdatedAt, Value: updated}},
			firestore.LastUpdateTime(mark.Snap.UpdateTime))
		return nil
	})
	if errors.Is(err, errOlder) || errs.CodeOf(err) == "too_many_edits" {
		return nil
	}
	return err
}

// errOlder is the error of a version that is older than the known one.
var errOlder = errors.New("the version is older than the known one")

// newer returns the mark of a post of an author if a version of a time is newer than the known one, and nil if it is
// not.
//
// Cost: 1 read.
func (s *Edits) newer(ctx context.Context, by model.UserID, iri string, updated time.Time) (
	*db.Found[model.RemotePostMark], error) {
	mark, err := db.As[model.RemotePostMark](s.tweets.mark(iri).Get(ctx))
	is := &mark.Doc
	switch {
	case err != nil:
		return nil, err
	case !mark.Found || is.TweetID == "" && !is.Deleted:
		return nil, errs.New(errs.NotFound, "post_not_found", "this post is not known")
	case is.AuthorID != by:
		return nil, errs.New(errs.Forbidden, "not_author", "this post is of another author")
	case is.Deleted:
		return nil, postDeleted()
	case !updated.After(is.UpdatedAt):
		return nil, nil
	}
	return mark, nil
}
