package profiles

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// headChange is a post or share for which a head must agree with the source document. The zero headChange rebuilds the
// head.
type headChange struct {
	position model.Position
	put      *model.Tweet // a new post as its event says; nil for other changes
	new      bool         // the event is that of a new post or share
}

// headResult is what a run found out about a change.
type headResult struct {
	found bool // the tweet or share exists
	same  bool // the tweet is still as its event says
	wrote bool // the run wrote the head

	subscribed bool // the author may have subscribers
}

// Subscribers are notified of posts. Each function may be called again for the same post; nil does nothing.
type Subscribers struct {
	Notify   func(ctx context.Context, t *model.Tweet) error                        // of a new post
	Withdraw func(ctx context.Context, author model.UserID, id model.TweetID) error // of a post that was deleted meanwhile
}

// Reconcile finishes the work of Put. It reads the present tweet together with the author's head, and makes the head
// agree with the tweet. If the tweet changed or is gone, Reconcile also corrects the month. found reports whether the
// tweet exists.
//
// Cost: 2 reads and 1 write; 1 read for each further post or share of the same second.
func (w *Writer) Reconcile(ctx context.Context, put *model.Tweet) (found bool, err error) {
	defer errs.Wrap(&err, "profiles.Reconcile(%q)", put.ID)
	change := headChange{position: put.ID.Position(), put: put, new: true}
	is, err := w.changeHead(ctx, put.AuthorID, change)
	if err != nil || is.same {
		return is.found, err
	}
	if found, err = w.ReconcilePreview(ctx, put.AuthorID, put.ID, put.AudiencePartition()); err != nil {
		return found, err
	}
	return found, w.ReconcileHead(ctx, put.AuthorID, change.position)
}

// ReconcileHead makes a user's head agree with a changed or deleted tweet, or with a withdrawn share. The months must
// agree already. ReconcileHead always writes. So another writer that has read an older month or source document starts
// again.
//
// Cost: 2 reads and 1 write; 1 read for each further post or share of the same second. If the head then has fewer than
// model.HeadRefill items and is not whole, the cost of RebuildHead.
func (w *Writer) ReconcileHead(ctx context.Context, uid model.UserID, position model.Position) (err error) {
	defer errs.Wrap(&err, "profiles.ReconcileHead(%q, %q)", uid, position)
	_, err = w.changeHead(ctx, uid, headChange{position: position})
	return err
}

// ReconcileNewShare adds a new share to its sharer's head. found reports whether the share still exists.
//
// Cost: 2 reads and 1 write; 1 read for each further post or share of the same second.
func (w *Writer) ReconcileNewShare(ctx context.Context, uid model.UserID, position model.Position) (found bool,
	err error) {
	defer errs.Wrap(&err, "profiles.ReconcileNewShare(%q, %q)", uid, position)
	is, err := w.changeHead(ctx, uid, headChange{position: position, new: true})
	return is.found, err
}

// changeHead makes a head agree with a change, and returns when the other processes can hear of it. A digest lists the
// head even if nothing was left to write: an earlier delivery of the event may have ended before it listed the head.
//
// Cost: that of writeHead, and that of [digests.Writer.List]; without a write that of [digests.Writer.ListAgain].
func (w *Writer) changeHead(ctx context.Context, uid model.UserID, change headChange) (headResult, error) {
	is, err := w.heads.Do(ctx, uid, change)
	if err != nil {
		return is, err
	}
	if is.wrote {
		err = w.digests.List(ctx, w.db.Head(uid))
	} else {
		err = w.digests.ListAgain(ctx, w.db.Head(uid))
	}
	if err == nil && change.put != nil && w.Subscribers.Notify != nil {
		err = w.tellSubscribers(ctx, uid, change.put, is)
	}
	return is, err
}

// tellSubscribers notifies the subscribers of the author of a new post. If the post is gone, an earlier delivery of the
// event may have notified them, and ended before it saw that.
//
// Cost: nothing for a post without the mark of subscribers; otherwise that of [Subscribers].
func (w *Writer) tellSubscribers(ctx context.Context, author model.UserID, t *model.Tweet, is headResult) error {
	switch {
	case !is.found:
		return w.Subscribers.Withdraw(ctx, author, t.ID)
	case is.subscribed:
		return w.Subscribers.Notify(ctx, t)
	}
	return nil
}

// RebuildHead rebuilds a user's head from the months and the shares. Calls within a second share the work.
//
// Cost: 1 read and 1 write; 1 read a month until there are enough posts; 1 read a newer share, at least 1.
func (w *Writer) RebuildHead(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "profiles.RebuildHead(%q)", uid)
	_, err = w.changeHead(ctx, uid, headChange{})
	return err
}

// Head reads the head of a user. found is false if no function has written it yet.
//
// Cost: 1 read.
func (r *Reader) Head(ctx context.Context, uid model.UserID) (h *model.Head, found bool, err error) {
	defer errs.Wrap(&err, "profiles.Head(%q)", uid)
	h = &model.Head{}
	found, err = r.db.Get(ctx, r.db.Head(uid), h)
	return h, found, err
}

// writeHead makes a user's head agree with the present posts and shares of some changes.
//
// A write always replaces the whole document, on the condition that no process wrote it since the read. Every write
// sets another changedAt or listedAt. So even a write that changes nothing else makes other writers start again. A
// caller first corrects the month, and then calls writeHead, which reads the source documents. So the last of several
// concurrent writers reads after every other writer's month is correct.
//
// A new post or share needs no write if the head has it already: a later change has an event of its own, and that event
// always writes. A new post or share that is older than the head's beginning needs a write: another writer may rebuild
// the head further into the past, from months that it read before.
func (w *Writer) writeHead(ctx context.Context, uid model.UserID, changes []headChange) ([]headResult, error) {
	rebuild := false
	for _, c := range changes {
		rebuild = rebuild || c.position == ""
	}
	for {
		var l db.Lookup
		is := db.Find[model.Head](&l, w.db.Head(uid))
		s := headSources{map[model.TweetID]*db.Found[model.Tweet]{}, map[model.TweetID]*db.Found[model.Share]{}}
		for _, c := range changes {
			s.find(&l, w.db, uid, c.position)
		}
		if err := w.db.Read(ctx, &l); err != nil {
			return nil, err
		}
		results := make([]headResult, len(changes))
		changed := rebuild
		for i, c := range changes {
			results[i] = s.result(c)
			results[i].subscribed = is.Doc.Subscribed
			changed = changed || !c.new || results[i].found && !is.Doc.Reaches(c.position.Time())
		}
		head := is.Doc
		if rebuild || !is.Found {
			built, err := w.buildHead(ctx, uid)
			if err != nil {
				return nil, err
			}
			head = *built
		}
		changed = s.apply(&head, uid, changes) || changed
		if !head.Whole && head.Len() < model.HeadRefill && changed && is.Found && !rebuild {
			built, err := w.buildHead(ctx, uid)
			if err != nil {
				return nil, err
			}
			head = *built
			s.apply(&head, uid, changes)
		}
		if head.Trim(); !changed && (is.Found || head.Len() == 0) {
			return results, nil
		}
		written, err := w.replaceHead(ctx, uid, is.Snap, &head)
		if err != nil {
			return nil, err
		}
		if written {
			for i := range results {
				results[i].wrote = true
			}
			return results, nil
		}
	}
}

// headSources has the source documents of changes of a head.
type headSources struct {
	tweets map[model.TweetID]*db.Found[model.Tweet]
	shares map[model.TweetID]*db.Found[model.Share] // by the shared tweet
}

// find adds the source document of a position to a lookup, once.
func (s headSources) find(l *db.Lookup, d *db.DB, uid model.UserID, position model.Position) {
	switch id := position.Tweet(); {
	case position.IsShare() && s.shares[id] == nil:
		s.shares[id] = db.Find[model.Share](l, d.Share(uid, id))
	case position != "" && !position.IsShare() && s.tweets[id] == nil:
		s.tweets[id] = db.Find[model.Tweet](l, d.Tweet(id))
	}
}

// share returns the author of the tweet that a share at a position shares, or an empty id without such a share.
func (s headSources) share(position model.Position) model.UserID {
	if is := s.shares[position.Tweet()]; is.Found && is.Doc.Position() == position {
		return is.Doc.AuthorID
	}
	return ""
}

// result says what the source document of a change shows.
func (s headSources) result(c headChange) headResult {
	switch {
	case c.position == "":
		return headResult{}
	case c.position.IsShare():
		return headResult{found: s.share(c.position) != ""}
	}
	is := s.tweets[c.position.Tweet()]
	return headResult{found: is.Found, same: is.Found && c.put != nil && is.Doc.Preview().Equal(c.put.Preview())}
}

// apply makes a head agree with the source documents. It returns whether the head has changed.
func (s headSources) apply(h *model.Head, uid model.UserID, changes []headChange) (changed bool) {
	for _, c := range changes {
		switch {
		case c.position == "":
		case c.position.IsShare():
			changed = h.PutShare(c.position, s.share(c.position)) || changed
		default:
			var t *model.Tweet
			if is := s.tweets[c.position.Tweet()]; is.Found && is.Doc.AuthorID == uid {
				t = &is.Doc
			}
			changed = h.PutTweet(c.position.Tweet(), t) || changed
		}
	}
	return changed
}

// buildHead builds a head from the months and the shares. It reads one item more than a head has. So it knows where the
// head begins.
//
// Cost: 1 read a month and an overflow document, 1 read more if there are few posts; 1 read a share that is newer than
// the last post, at least 1.
func (w *Writer) buildHead(ctx context.Context, uid model.UserID) (*model.Head, error) {
	h := model.NewHead(uid)
	last, err := w.newestPosts(ctx, uid, &h)
	if err != nil {
		return nil, err
	}
	q := w.db.Client.Collection(model.Shares).Where(fields.UserID, "==", uid).OrderBy(fields.CreatedAt, firestore.Desc).
		Limit(model.HeadItems + 1)
	if !last.IsZero() {
		q = q.Where(fields.CreatedAt, ">=", last)
	}
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	for _, snap := range snaps {
		var share model.Share
		if err := snap.DataTo(&share); err != nil {
			return nil, err
		}
		position := share.Position()
		if position == "" { // the head cannot have a share from before shares had ids
			h.Cut(share.CreatedAt.Truncate(time.Millisecond).Add(time.Millisecond))
			break
		}
		h.PutShare(position, share.AuthorID)
	}
	h.Trim()
	return &h, nil
}

// newestPosts adds the newest posts in a user's months to a head, at most one more than a head has. last is the time of
// the oldest of them, or zero if there are no older posts.
//
// Cost: 1 read a month and an overflow document, 1 read more if there are few posts.
func (w *Writer) newestPosts(ctx context.Context, uid model.UserID, h *model.Head) (last time.Time, err error) {
	months := w.db.Client.Collection(model.TweetMonths).Where(fields.UserID, "==", uid).
		OrderBy(fields.Month, firestore.Desc)
	for q := months; ; {
		found, err := db.First[model.TweetMonth](ctx, q)
		if err != nil || !found.Found {
			return time.Time{}, err
		}
		m := &found.Doc
		m.ReadAt = found.Snap.ReadTime
		all, err := w.monthPreviews(ctx, m, true, "")
		if err != nil {
			return time.Time{}, err
		}
		for {
			c, ok, err := all.next(ctx)
			if err != nil {
				return time.Time{}, err
			}
			if !ok {
				break
			}
			h.PutPreview(c.ID, c.TweetPreview)
			if h.Len() > model.HeadItems {
				return c.ID.Time(), nil
			}
		}
		q = months.StartAfter(m.Month)
	}
}

// replaceHead replaces the document of a head. It returns false if another process wrote the document since old was
// read.
//
// Cost: 1 write.
func (w *Writer) replaceHead(ctx context.Context, uid model.UserID, old *firestore.DocumentSnapshot,
	h *model.Head) (bool, error) {
	updates := w.digests.Stamped(old.Ref, []firestore.Update{
		{Path: fields.Tweets, Value: byText(h.Tweets)}, {Path: fields.ForFollowers, Value: byText(h.ForFollowers)},
		{Path: fields.Shares, Value: byText(h.Shares)}, {Path: fields.Whole, Value: h.Whole},
		{Path: fields.ChangeShard, Value: model.NewHead(uid).ChangeShard},
	})
	if !h.Whole {
		updates = append(updates, firestore.Update{Path: fields.Since, Value: h.Since})
	}
	var err error
	if old.Exists() {
		if h.Whole {
			updates = append(updates, firestore.Update{Path: fields.Since, Value: firestore.Delete})
		}
		_, err = old.Ref.Update(ctx, updates, firestore.LastUpdateTime(old.UpdateTime))
	} else {
		// Nobody knows whether the lost head had the mark: the next post finds out.
		doc := map[string]any{fields.Subscribed: true}
		for _, u := range updates {
			doc[u.Path] = u.Value
		}
		_, err = old.Ref.Create(ctx, doc)
	}
	if db.AlreadyExists(err) || db.Outdated(err) || db.NotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// byText returns a map with plain strings as keys, because the client does not write maps with other keys.
func byText[K ~string, V any](m map[K]V) map[string]V {
	plain := make(map[string]V, len(m))
	for key, value := range m {
		plain[string(key)] = value
	}
	return plain
}
