package moderation

import (
	"cmp"
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// DeleteMedia deletes an upload of another user that no tweet, message and profile shows, such as a former avatar; its
// files follow. Media that are shown are errs.Conflict: the flag or deletion of their tweet hides them, and
// [Store.EditProfile] takes them off a profile. Only media of a message that somebody has reported may be deleted
// although the message shows them. An id without a record changes nothing, and is no act.
//
// Cost: 1 read, 1 write and 1 delete; for media of a message 1 read more, and 1 read for each user who ever was in its
// conversation, at most 32.
func (s *Store) DeleteMedia(ctx context.Context, by Actor, id model.MediaID) (err error) {
	defer errs.Wrap(&err, "moderation.DeleteMedia(%q)", id)
	var done *model.Action
	err = s.db.Update(ctx, func(ctx context.Context) error {
		found, err := db.As[model.Media](s.db.Media(id).Get(ctx))
		switch {
		case err != nil || !found.Found:
			return err
		case found.Doc.Shown():
			if reported, err := s.reportedMedia(ctx, &found.Doc); err != nil || !reported {
				return cmp.Or(err, error(model.MediaInUse(id)))
			}
		}
		entry := s.entry(by, model.ActDeleteMedia, found.Doc.OwnerID)
		entry.Before = map[string]string{"media": string(id), "alt": found.Doc.Alt}
		b := s.db.Batch()
		s.log(b, entry)
		b.Delete(found.Snap.Ref, firestore.LastUpdateTime(found.Snap.UpdateTime))
		if _, err = s.db.CommitOnce(ctx, b, s.db.Made(s.db.Doc(model.AdminActions, entry.ID))); err == nil {
			done = entry
		}
		return db.Late(err) // a tweet or profile took it, a function finished it, or somebody deleted it
	})
	s.done(ctx, done, err)
	return err
}

// reportedMedia reports whether a member has reported the message that shows media. A report that is resolved counts
// until it expires.
//
// Cost: nothing for other media; 1 read, and 1 read for each user who ever was in the conversation.
func (s *Store) reportedMedia(ctx context.Context, m *model.Media) (bool, error) {
	if m.ConversationID == "" || m.TweetID != "" {
		return false, nil
	}
	var c model.Conversation
	if found, err := s.db.Get(ctx, s.db.Doc(model.Conversations, string(m.ConversationID)), &c); err != nil || !found {
		return false, err
	}
	var keys []string
	for _, uid := range c.Everybody() {
		keys = append(keys, model.MessageReportKey(uid, m.ConversationID, m.MessageID))
	}
	reports, err := db.ReadAll(ctx, s.db, model.Reports, keys, func(string, *model.Report) {})
	return len(reports) > 0, err
}
