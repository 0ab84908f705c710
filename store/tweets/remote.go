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
// errors of [Store.Post]; one that would have to wait for approval is errs.Forbidden (reply_not_approved). A quote that
// is not allowed is no quote.
//
// Cost: 3 reads and 3 writes, 1 write more for a poll, the cost of [mentions.Find], a reply or a quote 2 reads more,
// and another 1 if only followers may. A post that is known costs 1 read more than what was read before.
func (s *Store) PostRemote(ctx context.Context, p RemoteTweet) (id model.TweetID, made bool, err error) {
	defer errs.Wrap(&err, "tweets.PostRemote(%q)", p.Author.ID)
	begun := s.db.Now()
	var known *model.RemotePostMark
	taken := false
	for try := range remoteTries {
		t, detail, err := s.remoteTweet(ctx, &p, try)
		if err != nil {
			return "", false, err
		}
		err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
			known, taken = nil, false
			var l db.Lookup
			mark, is := db.Find[model.RemotePostMark](&l, s.mark(p.Remote.IRI)), db.Find[struct{}](&l, s.db.Tweet(t.ID))
			stone := db.Find[struct{}](&l, s.db.Doc(model.Tombstones, string(t.ID)))
			if err := l.ReadIn(tx); err != nil {
				return err
			}
			if mark.Found && (!mark.Doc.Deleted || mark.Doc.AuthorID == p.Author.ID && !s.over(&mark.Doc)) {
				known = &mark.Doc
				return nil
			}
			if taken = is.Found || stone.Found; taken {
				return nil
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
		case err != nil:
			return "", false, err
		case known != nil:
			return s.knownRemote(known, &p)
		case !taken:
			mentions.Anew(ctx, s.db, s.o.Log, t, begun.Add(s.o.CacheTTL))
			return t.ID, true, nil
		}
	}
	return "", false, errs.New(errs.Gone, "post_deleted", "this post was deleted, or its ids are taken")
}

// knownRemote is the tweet of a post that was known when it was to be written.
func (s *Store) knownRemote(is *model.RemotePostMark, p *RemoteTweet) (model.TweetID, bool, error) {
	switch {
	case is.AuthorID != p.Author.ID:
		return "", false, errs.New(errs.Forbidden, "not_author", "this post is of another author")
	case is.Deleted:
		return "", false, postDeleted()
	}
	return is.TweetID, false, nil
}

func postDeleted() error { return errs.New(errs.Gone, "post_deleted", "this post was deleted") }

// remoteTweet makes the documents of a post, with an id of [model.RemoteTweetID]. The time of the post is after that of
// its parent then.
func (s *Store) remoteTweet(ctx context.Context, p *RemoteTweet, try int) (t *model.Tweet, detail *model.TweetDetail,
	err error) {
	author := p.Author.ID
	found := mentions.Start(ctx, s.db, s.o.Local, author, p.Draft.Names())
	defer func() { _, _ = found() }()
	var parent *model.Tweet
	if p.Draft.ReplyTo() != nil {
		e, err := s.answered(ctx, author, p.Draft)
		if err != nil {
			return nil, nil, err
		}
		if waits, err := s.waits(ctx, author, &e); err != nil {
			return nil, nil, err
		} else if waits {
			return nil, nil, errs.New(errs.Forbidden, "reply_not_approved", "replies to this tweet wait for approval, which "+
				"a post of another server cannot")
		}
		parent = e.Tweet
		if !p.At.After(parent.CreatedAt) {
			p.At = parent.CreatedAt.Add(time.Millisecond)
		}
	}
	mentioned, err := found()
	if err != nil {
		return nil, nil, err
	}
	draft := p.Draft
	if parent != nil {
		draft = draft.Heard(parent)
	}
	if t, detail, err = draft.Tweet(model.RemoteTweetID(author, p.Remote.IRI, p.At, try), p.Author, parent,
		mentioned); err != nil {
		return nil, nil, err
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
			return nil, nil, err
		}
	}
	return t, detail, nil
}

// HearVotes sets what the server of a poll counts, see [model.PollCounts.Hear]. It writes nothing that is there
// already. The poll closes at a time if that is not zero and before the poll's end.
//
// Cost: 2 reads; 1 write for other counts, 1 more for another end.
func (s *Store) HearVotes(ctx context.Context, id model.TweetID, votes []int64, closed time.Time) (err error) {
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

// RemoveRemote deletes a post of another server for its author. A post that is not known is noted, so that it does not
// come later. A post of another author is errs.Forbidden (not_author). A repetition does nothing.
//
// Cost: 2 reads and 1 write; for a known post the cost of [Store.DeleteTweet] more.
func (s *Store) RemoveRemote(ctx context.Context, by model.UserID, iri string) (err error) {
	defer errs.Wrap(&err, "tweets.RemoveRemote(%q)", by)
	var was model.RemotePostMark
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		was = model.RemotePostMark{}
		found, err := db.GetIn(tx, s.mark(iri), &was)
		if err != nil {
			return err
		}
		if found && was.AuthorID != by && was.TweetID != "" {
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
