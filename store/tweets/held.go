// This file stores replies that wait for the approval of the author of their thread's root.

package tweets

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// waits reports whether a reply to a tweet has to wait for approval: its thread holds replies, and its author is a
// stranger to the author of the root, who neither follows nor addresses the stranger. Nobody approves replies of a
// thread whose root is gone, so that they do not wait, and nor does a reply without [model.Tweet.ApproverSees]. A user
// whom the author of the root blocks gets the error of [model.MayReply].
//
// Cost: nothing in a thread that holds no replies, and for a reply to the root. For a reply to another tweet 2 reads;
// if the author's graph is not whole, up to 3 reads more.
func (s *Store) waits(ctx context.Context, actor model.UserID, parent *access.Check) (bool, error) {
	t := parent.Tweet
	switch {
	case !t.HoldsReplies(actor):
		return false, nil
	case t.ReplyTo == nil:
		return t.HoldsRepliesOf(actor, parent.ViewerRelationships), nil
	}
	root, err := s.CheckRoot(ctx, actor, t)
	if err != nil || root.Tweet == nil {
		return false, err
	}
	if root.ViewerRelationships.Blocked {
		return false, model.BlockedReply()
	}
	return root.Tweet.HoldsRepliesOf(actor, root.ViewerRelationships), nil
}

// hold tries to write a held reply, together with the record of its request. Media that a tweet cannot take have the
// errors of [model.Media.Usable] and [model.Media.HeldUntil]. More than model.MaxHeldFrom or model.MaxHeldTo replies
// that wait are errs.Conflict; concurrent requests may exceed a limit by their number. The error is late, see
// [db.Late], if the same request came twice at once, or another process wrote its media.
//
// Cost: 2 reads and 1 write; 1 read and 1 write for each of its media, 1 write with a key.
func (s *Store) hold(ctx context.Context, h *model.HeldReply, r model.Request, record *firestore.DocumentSnapshot,
	also []func(context.Context, *db.Batch) error) (*model.HeldReply, error) {
	if err := s.mayHold(ctx, h); err != nil {
		return nil, err
	}
	b := s.db.Batch()
	if err := s.keepHeld(ctx, b, h); err != nil {
		return nil, err
	}
	ref := s.db.Doc(model.HeldReplies, h.ID)
	b.Create(ref, h)
	if r.Key != "" {
		remember(b, record, idempotency{HeldReply: h.ID, Hash: r.Hash, ExpireAt: h.CreatedAt.Add(model.IdempotencyWindow)})
	}
	for _, add := range also {
		if err := add(ctx, b); err != nil {
			return nil, err
		}
	}
	_, err := s.db.CommitOnce(ctx, b, s.db.Made(ref))
	if db.AlreadyExists(err) || db.Outdated(err) || db.NotFound(err) {
		if there, failed := s.db.Get(ctx, ref, nil); there || failed != nil { // the answer to the first commit was lost
			return h, failed
		}
	}
	if err != nil {
		return nil, db.Late(err)
	}
	return h, nil
}

// mayHold counts the replies that wait.
//
// Cost: 2 reads.
func (s *Store) mayHold(ctx context.Context, h *model.HeldReply) error {
	to := s.db.Client.Collection(model.HeldReplies).Where(fields.RootAuthorID, "==", h.RootAuthorID)
	var from, all int64
	g, ctx := safely.WithContext(ctx)
	g.Go(func() (err error) {
		from, err = db.Count(ctx, to.Where(fields.AuthorID, "==", h.AuthorID).Limit(model.MaxHeldFrom))
		return err
	})
	g.Go(func() (err error) {
		all, err = db.Count(ctx, to.Limit(model.MaxHeldTo))
		return err
	})
	switch err := g.Wait(); {
	case err != nil:
		return err
	case from >= model.MaxHeldFrom:
		return errs.New(errs.Conflict, "too_many_held_replies", "%d of your replies wait for the approval of this user, "+
			"which is as many as may wait", model.MaxHeldFrom)
	case all >= model.MaxHeldTo:
		return errs.New(errs.Conflict, "too_many_held_replies", "%d replies wait for the approval of this user, which is as "+
			"many as may wait", model.MaxHeldTo)
	}
	return nil
}

// keepHeld adds to the commit of a held reply that its media do not expire before it. Media that no tweet may have
// together are errs.Invalid.
//
// Cost: 1 read and 1 write for each.
func (s *Store) keepHeld(ctx context.Context, b *db.Batch, h *model.HeldReply) error {
	found, err := s.media(ctx, h.Media)
	if err != nil {
		return err
	}
	media := make([]*model.Media, len(found))
	for i, f := range found {
		media[i] = &f.Doc
		if err := f.Doc.Usable(h.AuthorID, model.MediaTweet, s.db.Now()); err != nil {
			return err
		}
		until, err := f.Doc.HeldUntil(h)
		if err != nil {
			return err
		}
		if f.Doc.ExpireAt.Before(until) {
			b.Update(f.Snap.Ref, []firestore.Update{{Path: fields.ExpireAt, Value: until}},
				firestore.LastUpdateTime(f.Snap.UpdateTime))
		}
	}
	var as model.Tweet
	err = as.Attach(&model.TweetDetail{}, media)
	h.Shown = as.Media
	return err
}

// HeldReplies reads, approves and removes replies that wait for approval. Its methods may be called concurrently. Their
// errors are errors of package errs.
type HeldReplies struct {
	db     *db.DB
	tweets *Store
}

// NewHeldReplies returns the held replies of a database.
func NewHeldReplies(d *db.DB, t *Store) *HeldReplies { return &HeldReplies{db: d, tweets: t} }

// To returns the replies that a user may approve, newest first. A page may have fewer than limit.
//
// Cost: 1 read for each, at least 1.
func (s *HeldReplies) To(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[*model.HeldReply], err error) {
	defer errs.Wrap(&err, "tweets.HeldReplies.To(%q)", uid)
	return s.page(ctx, fields.RootAuthorID, uid, from, limit)
}

// By returns the replies of a user that wait, newest first. A page may have fewer than limit.
//
// Cost: 1 read for each, at least 1.
func (s *HeldReplies) By(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[*model.HeldReply], err error) {
	defer errs.Wrap(&err, "tweets.HeldReplies.By(%q)", uid)
	return s.page(ctx, fields.AuthorID, uid, from, limit)
}

func (s *HeldReplies) page(ctx context.Context, field string, uid model.UserID, from model.Cursor,
	limit int) (model.Page[*model.HeldReply], error) {
	q := s.db.Client.Collection(model.HeldReplies).Where(field, "==", uid)
	found, err := db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.HeldReply, model.Cursor, error) {
			h, err := decodeHeld(snap)
			return h, model.Cursor{At: h.CreatedAt, ID: snap.Ref.ID}, err
		})
	found.Items = slices.DeleteFunc(found.Items, func(h *model.HeldReply) bool { return h.Expired(s.db.Now()) })
	return found, err
}

// Waiting counts the replies that a user may approve, up to model.MaxHeldTo. It counts also those of blocked users, and
// those that have expired since yesterday.
//
// Cost: 1 read.
func (s *HeldReplies) Waiting(ctx context.Context, uid model.UserID) (_ int64, err error) {
	defer errs.Wrap(&err, "tweets.HeldReplies.Waiting(%q)", uid)
	return db.Count(ctx, s.db.Client.Collection(model.HeldReplies).Where(fields.RootAuthorID, "==", uid).
		Limit(model.MaxHeldTo))
}

// Approve posts a reply that waits for a user. The tweet is of this moment, and everything is checked again. One commit
// creates the tweet and deletes the held reply: two approvals at once make one tweet. A reply that does not wait for
// the user is errs.NotFound. A blocked or suspended author, and an author who may not write this reply any more, are
// errs.Conflict. A deleted tweet that it answers or quotes is errs.Gone. After an error the reply waits as before.
//
// Cost: 3 reads, 1 delete, and the cost of [Store.Post].
func (s *HeldReplies) Approve(ctx context.Context, by model.UserID, id string) (_ *FullTweet, err error) {
	defer errs.Wrap(&err, "tweets.HeldReplies.Approve(%q, %q)", by, id)
	h, snap, err := s.read(ctx, id, func(h *model.HeldReply) bool { return h.RootAuthorID == by })
	if err != nil {
		return nil, err
	}
	if err := s.mayApprove(ctx, h); err != nil {
		return nil, err
	}
	clean, err := h.Draft.Clean()
	if err != nil {
		return nil, model.RefusedHeldReply(err)
	}
	if h.Remote != nil {
		t, err := s.tweets.approveRemote(ctx, h, clean, snap)
		return t, refusedHeld(err)
	}
	tried := false
	posted, err := s.tweets.post(ctx, h.AuthorID, clean, model.Request{}, posting{approved: true,
		also: []func(context.Context, *db.Batch) error{func(ctx context.Context, b *db.Batch) error {
			if tried { // another process has approved or removed the reply, or has the id of the tweet
				if there, err := s.db.Get(ctx, snap.Ref, nil); err != nil {
					return err
				} else if !there {
					return model.NoHeldReply(id)
				}
			}
			tried = true
			b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))
			return nil
		}}})
	if errs.CodeOf(err) == "media_in_use" { // perhaps because another process has approved the reply
		if _, _, gone := s.read(ctx, id, func(*model.HeldReply) bool { return true }); gone != nil {
			return nil, gone
		}
	}
	return posted.FullTweet, refusedHeld(err)
}

// refusedHeld is the error of an approval, for one of a post.
func refusedHeld(err error) error {
	switch kind := errs.KindOf(err); {
	case err == nil, errs.CodeOf(err) == "held_reply_not_found":
		return err
	case kind == errs.Forbidden, kind == errs.NotFound, kind == errs.Invalid:
		return model.RefusedHeldReply(err)
	}
	return err
}

// mayApprove returns an error if the author of a held reply may not post any more, or is blocked.
//
// Cost: 2 reads.
func (s *HeldReplies) mayApprove(ctx context.Context, h *model.HeldReply) error {
	var l db.Lookup
	status := db.Find[model.AccountStatus](&l, s.db.Doc(model.AccountStatuses, string(h.AuthorID)))
	block := db.Find[struct{}](&l, s.db.Block(h.RootAuthorID, h.AuthorID))
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	return model.MayApprove(block.Found, status.Doc.State)
}

// Remove refuses a reply for the user who may approve it, or withdraws it for its author. Its media stay as long as
// before, since another reply or a draft may need them. A post of another server counts as deleted then, so that it
// does not come again. A reply that does not wait is errs.NotFound, and so is one of others.
//
// Cost: 1 read and 1 delete; 1 write more for a post of another server.
func (s *HeldReplies) Remove(ctx context.Context, by model.UserID, id string) (err error) {
	defer errs.Wrap(&err, "tweets.HeldReplies.Remove(%q, %q)", by, id)
	return s.db.Update(ctx, func(ctx context.Context) error {
		h, snap, err := s.read(ctx, id, func(h *model.HeldReply) bool { return h.RootAuthorID == by || h.AuthorID == by })
		if err != nil {
			return err
		}
		b := s.db.Batch()
		if h.Remote != nil {
			b.Set(s.tweets.mark(h.Remote.IRI), model.RemotePostMark{IRI: h.Remote.IRI, AuthorID: h.AuthorID, Deleted: true,
				UpdatedAt: h.Remote.UpdatedAt, ExpireAt: s.db.Time().Add(model.RemoteStoneWindow)})
		}
		b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))
		_, err = s.db.CommitOnce(ctx, b, s.db.Gone(snap.Ref))
		return db.Late(err) // another process has removed or approved the reply
	})
}

// read reads a held reply of a user, as mine says. A missing or expired one is errs.NotFound.
//
// Cost: 1 read.
func (s *HeldReplies) read(ctx context.Context, id string, mine func(*model.HeldReply) bool) (*model.HeldReply,
	*firestore.DocumentSnapshot, error) {
	snap, err := s.db.Doc(model.HeldReplies, id).Get(ctx)
	if db.NotFound(err) {
		return nil, nil, model.NoHeldReply(id)
	}
	if err != nil {
		return nil, nil, err
	}
	h, err := decodeHeld(snap)
	if err == nil && (!mine(h) || h.Expired(s.db.Now())) {
		err = model.NoHeldReply(id)
	}
	return h, snap, err
}

func decodeHeld(snap *firestore.DocumentSnapshot) (*model.HeldReply, error) {
	h := &model.HeldReply{ID: snap.Ref.ID}
	return h, snap.DataTo(h)
}
