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
// the other: the conversation keeps the next one. If no other member is left, it goes with all parts. It returns how
// many documents it changed. A rest stays for the next call: after 25 parts, and as soon as over returns true.
//
// Cost: 1 read and 1 write; 1 read and 1 write for each part of the conversation, at most 25, and 1 write. For the last
// member the cost of [remove].
func Forget(ctx context.Context, d *db.DB, uid model.UserID, conversation string, over func() bool) (changed int,
	err error) {
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
			_, err = ref.Update(ctx, updatesOf(&c, c.Everybody()...), firestore.LastUpdateTime(is.Snap.UpdateTime))
			return db.Late(err)
		})
	}
	if err := update(func(c *model.Conversation) bool {
		if c.StateOf(uid) == model.StateGone {
			return false
		}
		c.Forget(uid)
		c.Close()
		return true
	}); err != nil || c.Member(uid) == nil {
		return changed, err
	}
	if len(c.Present()) == 0 {
		n, err := remove(ctx, d, id, over)
		return changed + n, err
	}
	next := c.Member(uid).Erasing
	for n := 0; next != "" && n < forgottenAtOnce; n++ {
		was := next
		if next, err = clean(ctx, d, uid, was, &changed); err != nil {
			return changed, err
		}
		if over() {
			break
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

// clean removes what a user wrote and chose from a part, and returns the part before it. It changes the part in any
// case: a reaction of the user that was checked before is late then.
//
// Cost: 1 read and 1 write, and 1 delete for each of the media.
func clean(ctx context.Context, d *db.DB, uid model.UserID, key model.PartKey, changed *int) (previous model.PartKey,
	err error) {
	ref := d.Doc(model.ConversationMonths, string(key))
	err = d.Update(ctx, func(ctx context.Context) error {
		p, err := db.As[model.MessagePart](ref.Get(ctx))
		if err != nil || !p.Found {
			return err
		}
		previous = p.Doc.Previous
		keys, media := p.Doc.Forget(uid)
		if _, err := removeMedia(ctx, d, media); err != nil {
			return err
		}
		updates := []firestore.Update{{Path: fields.Cleanings, Value: firestore.Increment(1)}}
		for _, key := range keys {
			updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Messages, key},
				Value: p.Doc.Messages[key]})
		}
		*changed++
		_, err = ref.Update(ctx, updates, firestore.LastUpdateTime(p.Snap.UpdateTime))
		return db.Late(err)
	})
	return previous, err
}

// removeMedia deletes records of media. Their files follow.
//
// Cost: 1 delete for each.
func removeMedia(ctx context.Context, d *db.DB, ids []model.MediaID) (int, error) {
	return db.Parts[model.MediaID]{Add: func(b *db.Batch, id model.MediaID) error {
		b.Delete(d.Media(id))
		return nil
	}}.Commit(ctx, d, ids)
}

// partsAtOnce is how many parts one commit deletes. A part has up to 1 MB, and the bytes of deleted documents count
// towards the 10 MiB of a commit.
const partsAtOnce = 8

// atMost returns a function that returns true from the nth call on.
func atMost(n int) func() bool {
	return func() bool {
		n--
		return n <= 0
	}
}

// remove deletes a conversation in which nobody is present, with its parts, until over returns true. Media go before
// their part, and the conversation goes last, so that a rest is found again. A conversation that somebody has come back
// to stays. It returns how many documents it deleted.
//
// Cost: 1 read and 1 delete for each part and 1 delete for each media, for each 8 parts 1 read and 1 write, and 1
// delete.
func remove(ctx context.Context, d *db.DB, id model.ConversationID, over func() bool) (removed int, err error) {
	for more := true; more; {
		err := d.Update(ctx, func(ctx context.Context) error {
			n := 0
			n, more, err = removeSome(ctx, d, id)
			removed += n
			return db.Late(err)
		})
		if err != nil || over() {
			return removed, err
		}
	}
	return removed, nil
}

// removeSome deletes some parts of a conversation in which nobody is present, and the conversation with the last ones.
// It reports whether there are more.
func removeSome(ctx context.Context, d *db.DB, id model.ConversationID) (removed int, more bool, err error) {
	c, err := db.As[model.Conversation](d.Doc(model.Conversations, string(id)).Get(ctx))
	if err != nil || !c.Found || len(c.Doc.Present()) > 0 {
		return 0, false, err
	}
	snaps, err := d.Client.Collection(model.ConversationMonths).OrderBy(firestore.DocumentID, firestore.Asc).
		StartAt(string(id) + "_").EndBefore(string(id) + "`").Limit(partsAtOnce).Documents(ctx).GetAll()
	if err != nil {
		return 0, false, err
	}
	var media []model.MediaID
	b := d.Batch()
	for _, snap := range snaps {
		var p model.MessagePart
		if err := snap.DataTo(&p); err != nil {
			return 0, false, err
		}
		for _, m := range p.Messages {
			for _, has := range m.Media {
				media = append(media, has.ID)
			}
		}
		b.Delete(snap.Ref)
	}
	if removed, err = removeMedia(ctx, d, media); err != nil {
		return removed, false, err
	}
	unchanged := firestore.LastUpdateTime(c.Snap.UpdateTime)
	if more = len(snaps) == partsAtOnce; more { // whoever comes back begins a new part
		b.Update(c.Snap.Ref, []firestore.Update{{Path: fields.Part, Value: ""}, {Path: fields.PartCount,
			Value: firestore.Increment(1)}}, unchanged)
	} else {
		b.Delete(c.Snap.Ref, unchanged)
		removed++
	}
	if _, err = b.Commit(ctx); err != nil {
		return 0, false, err
	}
	return removed + len(snaps), more, nil
}

// Finish deletes what is left of a conversation after its last user. The function calls it when a part was deleted, and
// when the last user left.
//
// Cost: 1 read; of a conversation in which nobody is present the cost of [remove], for at most 100 parts. Each deleted
// part is an event, so the next ones follow.
func (w *Writer) Finish(ctx context.Context, id model.ConversationID) (err error) {
	defer errs.Wrap(&err, "messages.Finish(%q)", id)
	_, err = remove(ctx, w.db, id, atMost(removedAtOnce/partsAtOnce))
	return err
}
