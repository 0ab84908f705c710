package profiles

import (
	"context"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// PropagateProfile makes a step of a propagation: all tweets of a user get the present name and avatar of the profile,
// and then all conversations.
// The commit of a rename writes the work document, so a rename during a propagation begins it anew. The first step
// waits until the former profile is too old for the caches of the API. From then on the API writes no tweet with the
// former name. Only a long request could, and it reads the profile again.
//
// Cost: 5 reads and 1 delete, 1 read a tweet or conversation, 1 write for one with another copy, and 1 read more for a
// conversation; 3 reads and 1 write a step.
func (w *Writer) PropagateProfile(ctx context.Context, work model.PropagationWork) (err error) {
	defer errs.Wrap(&err, "profiles.PropagateProfile(%q, %q)", work.UserID, work.After)
	step, current, err := w.db.Begin(ctx, w.propagate(work.UserID), work.WrittenAt)
	if err != nil || !current {
		return err
	}
	return w.propagateStep(ctx, step, work)
}

// propagate returns the work document of a propagation.
func (w *Writer) propagate(uid model.UserID) *firestore.DocumentRef {
	return w.db.Doc(model.Propagations, string(uid))
}

// named is a profile with the time of the last rename, by the clock of the database. If a name is changed and changed
// back, the time still differs.
type named struct {
	model.User
	RenamedAt time.Time `firestore:"renamedAt"`
}

func (n *named) same(author model.Author, at time.Time) bool {
	return n.Author() == author && n.RenamedAt.Equal(at)
}

// propagateStep writes the embedded author into the tweets that follow a tweet, in the order of their ids. At the end
// it reads the profile again. The propagation begins anew if the profile changed, or if the earlier tweets have another
// copy. That holds whatever progress another process has saved meanwhile, because this step may have written the former
// copy over tweets with the new one. So the last writer has written the present profile.
func (w *Writer) propagateStep(ctx context.Context, step *db.Step, work model.PropagationWork) error {
	anew := func() error { return step.Restart(ctx, map[string]any{fields.UserID: work.UserID, fields.After: ""}) }
	var is named
	found, reconciled, err := w.reconciledName(ctx, step, work.UserID, &is)
	switch {
	case err != nil:
		return err
	case !found:
		return step.End(ctx, nil)
	case !reconciled, work.After != "" && !is.same(work.Author, work.RenamedAt):
		return anew()
	}
	next, err := w.writeNames(ctx, step, work.UserID, work.After, is.Author())
	if err != nil {
		return err
	}
	if next == "" {
		changed := false
		err := step.EndWhile(ctx, w.db.User(work.UserID), func(snap *firestore.DocumentSnapshot) (bool, error) {
			now, err := db.As[named](snap, nil)
			changed = now.Found && !now.Doc.same(is.Author(), is.RenamedAt)
			return !changed, err
		})
		if changed && err == nil {
			return anew()
		}
		return err
	}
	var now named
	there, err := w.db.Get(ctx, w.db.User(work.UserID), &now)
	switch {
	case err != nil:
		return err
	case there && !now.same(is.Author(), is.RenamedAt):
		return anew()
	}
	return step.Save(ctx, map[string]any{fields.UserID: work.UserID, fields.After: next, fields.Author: is.Author(),
		fields.RenamedAt: is.RenamedAt}, nil)
}

// reconciledName reads a profile of which no cache of the API has an older version. It waits for that, and waits again
// if the profile changes meanwhile. reconciled is false if the step ends first.
//
// Cost: 1 read, and 1 read more after each pause.
func (w *Writer) reconciledName(ctx context.Context, step *db.Step, uid model.UserID, is *named) (found,
	reconciled bool, err error) {
	for paused := false; ; paused = true {
		before := is.RenamedAt
		now, err := db.As[named](w.db.User(uid).Get(ctx))
		if *is = now.Doc; err != nil || !now.Found {
			return false, false, err
		}
		young := 2*w.cacheTTL - w.db.Server.ReadAt(now.Snap).Sub(is.RenamedAt)
		switch {
		case young <= 0, paused && is.RenamedAt.Equal(before):
			return true, true, nil
		case paused && step.Over():
			return true, false, nil
		}
		if err := db.Pause(ctx, min(young, 2*w.cacheTTL)); err != nil {
			return false, false, err
		}
	}
}

// writeAuthors writes an embedded author into the tweets that follow a tweet, until the step is over. It returns the
// last tweet, or an empty id if there are no more.
//
// Cost: 1 read a tweet, at least 1, and 1 write a tweet that has another copy.
func (w *Writer) writeAuthors(ctx context.Context, step *db.Step, uid model.UserID, after model.TweetID,
	a model.Author) (model.TweetID, error) {
	const pageSize = 200
	from := w.db.Client.Collection(model.Tweets).Where(fields.AuthorID, "==", uid).Select(fields.Author).
		OrderBy(firestore.DocumentID, firestore.Asc).Limit(pageSize)
	for {
		q := from
		if after != "" {
			q = from.StartAfter(string(after))
		}
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil {
			return "", err
		}
		var differ []*firestore.DocumentRef
		for _, snap := range snaps {
			var t model.Tweet
			if err := snap.DataTo(&t); err != nil {
				return "", err
			}
			if t.Author != a {
				differ = append(differ, snap.Ref)
			}
		}
		if err := w.writeAuthor(ctx, differ, a); err != nil {
			return "", err
		}
		if len(snaps) < pageSize {
			return "", nil
		}
		if after = model.TweetID(snaps[len(snaps)-1].Ref.ID); step.Over() {
			return after, nil
		}
	}
}

// writeNames writes the embedded author into tweets, and then into conversations, which have positions of their own.
func (w *Writer) writeNames(ctx context.Context, step *db.Step, uid model.UserID, after model.TweetID,
	a model.Author) (model.TweetID, error) {
	conversation, ok := strings.CutPrefix(string(after), conversationPlace)
	if !ok {
		next, err := w.writeAuthors(ctx, step, uid, after, a)
		if err != nil || next != "" {
			return next, err
		}
	}
	return w.writeMembers(ctx, step, uid, conversation, a)
}

// conversationPlace begins the position of a propagation among conversations. It comes after all ids of tweets.
const conversationPlace = "~"

// writeMembers writes a name and avatar into the conversations that follow one, until the step is over. It returns the
// position of the last one, or an empty one if there are no more.
//
// Cost: 1 read a conversation, at least 1, and 1 read and 1 write for one that has another copy.
func (w *Writer) writeMembers(ctx context.Context, step *db.Step, uid model.UserID, after string,
	a model.Author) (model.TweetID, error) {
	const pageSize = 50
	member := firestore.FieldPath{fields.Members, string(uid)}
	from := w.db.Client.Collection(model.Conversations).Where(fields.Participants, "array-contains", string(uid)).
		SelectPaths(member).OrderBy(firestore.DocumentID, firestore.Asc).Limit(pageSize)
	for {
		q := from
		if after != "" {
			q = from.StartAfter(after)
		}
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil {
			return "", err
		}
		for _, snap := range snaps {
			c, err := db.As[model.Conversation](snap, nil)
			if err != nil {
				return "", err
			}
			if differs(c.Doc.Member(uid), a) {
				if err := w.writeMember(ctx, snap.Ref, uid, a); err != nil {
					return "", err
				}
			}
		}
		if len(snaps) < pageSize {
			return "", nil
		}
		if after = snaps[len(snaps)-1].Ref.ID; step.Over() {
			return model.TweetID(conversationPlace + after), nil
		}
	}
}

// differs reports whether a member of a conversation has another name or avatar. A deleted account has none.
func differs(m *model.ConversationMember, a model.Author) bool {
	return m != nil && m.State != model.StateGone && m.Author != a
}

// writeMember writes a name and avatar into a conversation, if the user is in it.
//
// Cost: 1 read and 1 write.
func (w *Writer) writeMember(ctx context.Context, ref *firestore.DocumentRef, uid model.UserID, a model.Author) error {
	return w.db.Update(ctx, func(ctx context.Context) error {
		c, err := db.As[model.Conversation](ref.Get(ctx))
		if err != nil || !differs(c.Doc.Member(uid), a) {
			return err
		}
		m := *c.Doc.Member(uid)
		m.Author = a
		_, err = ref.Update(ctx, []firestore.Update{{FieldPath: firestore.FieldPath{fields.Members, string(uid)}, Value: &m}},
			firestore.LastUpdateTime(c.Snap.UpdateTime))
		return db.Late(err)
	})
}

// RestoreAuthor writes the embedded author of one tweet.
//
// Cost: 2 reads and 1 write.
func (w *Writer) RestoreAuthor(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "profiles.RestoreAuthor(%q, %q)", uid, id)
	return w.withProfile(ctx, uid, func(a model.Author) error {
		return w.writeAuthor(ctx, []*firestore.DocumentRef{w.db.Tweet(id)}, a)
	})
}

// withProfile calls write with the right embedded author for a user's tweets. If the profile changed meanwhile,
// withProfile calls write again. Without a profile it does nothing.
//
// Cost: 1 read before the first call, and 1 read after each call.
func (w *Writer) withProfile(ctx context.Context, uid model.UserID, write func(model.Author) error) error {
	var written *model.Author
	for {
		a, found, err := w.author(ctx, uid)
		if err != nil || !found {
			return err
		}
		if written != nil && *written == a {
			return nil
		}
		if err := write(a); err != nil {
			return err
		}
		written = &a
	}
}

// author returns the right embedded author for a user's tweets.
//
// Cost: 1 read.
func (w *Writer) author(ctx context.Context, uid model.UserID) (_ model.Author, found bool, err error) {
	var u model.User
	found, err = w.db.Get(ctx, w.db.User(uid), &u)
	return u.Author(), found, err
}

// writeAuthor writes the embedded author into tweets, and leaves out tweets that are gone. It does not set changedAt.
// Home pages learn of a rename from the profile, because otherwise they would have to read each tweet of the author
// anew.
//
// Cost: 1 write a tweet.
func (w *Writer) writeAuthor(ctx context.Context, tweets []*firestore.DocumentRef, a model.Author) error {
	if len(tweets) == 0 {
		return nil
	}
	update := []firestore.Update{{Path: fields.Author, Value: a}}
	b := w.db.Batch()
	for _, ref := range tweets {
		b.Update(ref, update)
	}
	_, err := b.Commit(ctx)
	if !db.NotFound(err) {
		return err
	}
	for _, ref := range tweets { // a tweet was deleted, so the batch failed whole
		if _, err := ref.Update(ctx, update); err != nil && !db.NotFound(err) {
			return err
		}
	}
	return nil
}
