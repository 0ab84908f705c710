package messages

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// forgottenAtOnce is how many parts one call of Forget cleans.
const forgottenAtOnce = 25

// Forget does a part of the account deletion of a user in a conversation. First the user is in it no more, so that the
// user's requests write nothing. Then the user's messages become taken back and the reactions go, from one part after
// the other: the conversation keeps the next one. If nobody else may read the conversation, it goes with all parts. It
// returns how many documents it changed, and a rest stays for the next call.
//
// Cost: 1 read and 1 write; 1 read and 1 write for each part with something of the user, at most 25, and 1 write. For
// the last user 1 read and 1 delete for each part.
func Forget(ctx context.Context, d *db.DB, uid model.UserID, conversation string) (changed int, err error) {
	defer errs.Wrap(&err, "messages.Forget(%q, %q)", uid, conversation)
	id := model.ConversationID(conversation)
	ref := d.Doc(model.Conversations, conversation)
	var c model.Conversation
	update := func(do func(*model.Conversation) bool) error {
		return d.Update(ctx, func(ctx context.Context) error {
			is, err := db.As[model.Conversation](ref.Get(ctx))
			if c = is.Doc; err != nil || !is.Found || c.Member(uid) == nil || !do(&c) {
				return err
			}
			changed++
			_, err = ref.Update(ctx, updatesOf(&c, uid), firestore.LastUpdateTime(is.Snap.UpdateTime))
			return db.Late(err)
		})
	}
	if err := update(func(c *model.Conversation) bool {
		if c.StateOf(uid) == model.StateGone {
			return false
		}
		c.Forget(uid)
		return true
	}); err != nil || c.Member(uid) == nil {
		return changed, err
	}
	if len(c.Present()) == 0 {
		n, err := remove(ctx, d, id, 0)
		return changed + n, err
	}
	next := c.Member(uid).Erasing
	for n := 0; next != "" && n < forgottenAtOnce; n++ {
		was := next
		if next, err = clean(ctx, d, uid, was, &changed); err != nil {
			return changed, err
		}
	}
	return changed, update(func(c *model.Conversation) bool {
		m := c.Member(uid)
		if m.State != model.StateGone || m.Erasing == "" {
			return false
		}
		m.Erasing = next
		c.Put(uid, model.StateGone)
		return true
	})
}

// clean removes what a user wrote and chose from a part, and returns the part before it.
//
// Cost: 1 read; 1 write if there was something, and 1 delete for each of the media.
func clean(ctx context.Context, d *db.DB, uid model.UserID, key model.PartKey, changed *int) (previous model.PartKey,
	err error) {
	ref := d.Doc(model.ConversationMonths, string(key))
	err = d.Update(ctx, func(ctx context.Context) error {
		p, err := db.As[model.MessagePart](ref.Get(ctx))
		if err != nil {
			return err
		}
		previous = p.Doc.Previous
		keys, media := p.Doc.Forget(uid)
		if len(keys) == 0 {
			return nil
		}
		b := d.Batch()
		for _, id := range media {
			b.Delete(d.Media(id)) // its files follow
		}
		var updates []firestore.Update
		for _, key := range keys {
			updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Messages, key},
				Value: p.Doc.Messages[key]})
		}
		b.Update(ref, updates, firestore.LastUpdateTime(p.Snap.UpdateTime))
		*changed++
		_, err = b.Commit(ctx)
		return db.Late(err)
	})
	return previous, err
}

// remove deletes a conversation with its parts, at most so many of them; 0 stands for all. The conversation goes last,
// so that a rest is found again. It returns how many documents it deleted.
//
// Cost: 1 read and 1 delete for each part, and 1 delete; 1 delete for each media.
func remove(ctx context.Context, d *db.DB, id model.ConversationID, most int) (removed int, err error) {
	prefix := string(id) + "_"
	for {
		// A part has up to 1 MB, and the bytes of deleted documents count towards the 10 MiB of a commit.
		snaps, err := d.Client.Collection(model.ConversationMonths).OrderBy(firestore.DocumentID, firestore.Asc).
			StartAt(prefix).EndBefore(string(id) + "`").Limit(8).Documents(ctx).GetAll()
		if err != nil {
			return removed, err
		}
		b := d.Batch()
		for _, snap := range snaps {
			var p model.MessagePart
			if err := snap.DataTo(&p); err != nil {
				return removed, err
			}
			for _, m := range p.Messages {
				for _, media := range m.Media {
					b.Delete(d.Media(media.ID))
				}
			}
			b.Delete(snap.Ref)
		}
		last := len(snaps) < 8
		if last {
			b.Delete(d.Doc(model.Conversations, string(id)))
			removed++
		}
		if _, err := b.Commit(ctx); err != nil {
			return removed, err
		}
		if removed += len(snaps); last || most > 0 && removed >= most {
			return removed, nil
		}
	}
}
