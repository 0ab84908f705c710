package store

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// What follows mends derived documents while everything else goes on. A count is moved by
// the difference, on the condition that nobody wrote the document since it was found
// wrong. All others are made to agree with the fact as it is now.

// CorrectCounts moves counts of the document at path, and moves what stands in its shards
// into them, in one write: by is how far each count is off, shards included, and pending
// what the shards hold, both by field as in [Counted]. It does nothing, and answers false,
// if somebody wrote the document since updated.
func (s *Store) CorrectCounts(ctx context.Context, path string, updated time.Time, by, pending map[string]int64) (done bool, err error) {
	defer errs.Wrap(&err, "store.CorrectCounts(%q)", path)
	fields := maps.Clone(pending)
	maps.Copy(fields, by)
	var updates []firestore.Update
	for field := range fields {
		at := strings.SplitN(field, ".", 2) // a tag holds no dot
		updates = append(updates, firestore.Update{FieldPath: at, Value: firestore.Increment(by[field] + pending[field])})
		if n := pending[field]; n != 0 {
			updates = append(updates, firestore.Update{FieldPath: append(firestore.FieldPath{"rolled"}, at...), Value: firestore.Increment(n)})
		}
	}
	ref := s.fs.Doc(path)
	_, err = ref.Update(ctx, s.stamped(ref, updates), firestore.LastUpdateTime(updated))
	if outdated(err) || missing(err) {
		return false, nil
	}
	return err == nil, err
}

// RestoreTag creates the document of a tag that has none, with its count, to which shards
// that were left over add nothing: a read for each of them and 1 write.
func (s *Store) RestoreTag(ctx context.Context, name string, tweets int64) (err error) {
	defer errs.Wrap(&err, "store.RestoreTag(%q)", name)
	rolled, err := sumShards(ctx, s.tag(name))
	if err != nil {
		return err
	}
	_, err = s.tag(name).Create(ctx, map[string]any{"content": name, model.TweetCount: tweets, "rolled": rolled})
	if exists(err) {
		return nil
	}
	return err
}

// RemoveStrayShards deletes the shards of a document that is gone: what RemoveShards
// costs, and 1 read.
func (s *Store) RemoveStrayShards(ctx context.Context, collection, id string) (err error) {
	defer errs.Wrap(&err, "store.RemoveStrayShards(%q, %q)", collection, id)
	if stray, err := s.HasStrayShards(ctx, collection, id); err != nil || !stray {
		return err
	}
	return s.RemoveShards(ctx, collection, id)
}

// SettleReaction makes the month of a user's reactions agree with whether the user likes
// a tweet: 1 read and 1 write.
func (s *Store) SettleReaction(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "store.SettleReaction(%q, %q)", uid, id)
	return s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		liked, err := decode(tx.Get(s.like(uid, id)))(nil)
		if err != nil {
			return err
		}
		return tx.Set(s.reactionMonth(uid, id.Month()), reaction(uid, id, liked), firestore.MergeAll)
	})
}

// SettleUsername makes the reservation of a name agree with the profiles: it belongs to
// claimant if their profile has it, otherwise it stays with whoever has it in theirs, and
// goes if nobody does. If two profiles have the name, it is errs.Conflict. At most 3 reads and 1
// write.
func (s *Store) SettleUsername(ctx context.Context, name string, claimant model.UserID) (err error) {
	defer errs.Wrap(&err, "store.SettleUsername(%q, %q)", name, claimant)
	ref := s.doc(model.Usernames, name)
	return s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		has := func(uid model.UserID) (bool, error) {
			var u model.User
			held, err := decode(tx.Get(s.doc(model.Users, string(uid))))(&u)
			return held && u.Username == name, err
		}
		var now model.Username
		reserved, err := decode(tx.Get(ref))(&now)
		if err != nil {
			return err
		}
		claimed, err := has(claimant)
		if err != nil {
			return err
		}
		owned := claimed
		if reserved && now.UID != claimant {
			if owned, err = has(now.UID); err != nil {
				return err
			}
			if owned && claimed {
				return errs.New(errs.Conflict, "", "%q and %q both have the username %q", claimant, now.UID, name)
			}
		}
		switch {
		case claimed && !(reserved && now.UID == claimant):
			return tx.Set(ref, model.Username{UID: claimant})
		case reserved && !claimed && !owned:
			return tx.Delete(ref)
		}
		return nil
	})
}

// RestoreCard makes the card of a tweet in its author's month agree with the tweet, and
// removes it from those documents of months of author, given by their ids, where it can
// never belong: what SettleCard costs, and a write for each.
func (s *Store) RestoreCard(ctx context.Context, author model.UserID, id model.TweetID, documents []string) (err error) {
	defer errs.Wrap(&err, "store.RestoreCard(%q, %q)", author, id)
	t, err := s.readTweets(ctx, []model.TweetID{id})
	if err != nil {
		return err
	}
	theirs := t[id] != nil && t[id].AuthorID == author
	if theirs || t[id] == nil {
		if _, err := s.SettleCard(ctx, author, id); err != nil {
			return err
		}
	}
	for _, document := range documents {
		if theirs && strings.HasPrefix(document, model.MonthKey(author, id.Month())) {
			continue
		}
		if err := s.removeField(ctx, s.doc(model.TweetMonths, document), firestore.FieldPath{"tweets", string(id)}); err != nil {
			return err
		}
	}
	return nil
}

// RestoreEntry makes a home timeline agree with whether its owner follows the author of a
// tweet, as LinkTimeline does, and removes entries of the tweet that no following could
// explain: what LinkTimeline costs, a read, and a write for each.
func (s *Store) RestoreEntry(ctx context.Context, uid, author model.UserID, id model.TweetID, entries []ShownEntry) (err error) {
	defer errs.Wrap(&err, "store.RestoreEntry(%q, %q)", uid, id)
	if err := s.LinkTimeline(ctx, uid, author); err != nil {
		return err
	}
	for _, e := range entries {
		err := s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
			held, err := decode(tx.Get(s.relationship(uid, author)))(nil)
			if err != nil {
				return err
			}
			if held && e.AuthorID == author && e.Document == model.MonthKey(uid, id.Month()) {
				return nil
			}
			merge := map[string]any{"entries": map[string]any{string(id): firestore.Delete}}
			return tx.Set(s.doc(model.Timelines, e.Document), merge, firestore.MergeAll)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// RemoveStrayFollower removes a follower from a page where they can never belong: 1 write.
func (s *Store) RemoveStrayFollower(ctx context.Context, page string, follower model.UserID) (err error) {
	defer errs.Wrap(&err, "store.RemoveStrayFollower(%q, %q)", page, follower)
	return s.removeField(ctx, s.doc(model.FollowerPages, page), firestore.FieldPath{"followers", string(follower)})
}

func (s *Store) removeField(ctx context.Context, ref *firestore.DocumentRef, at firestore.FieldPath) error {
	_, err := ref.Update(ctx, []firestore.Update{{FieldPath: at, Value: firestore.Delete}})
	if missing(err) {
		return nil
	}
	return err
}

// RemoveStrayLike deletes a like whose tweet is gone: 1 read, a write and a delete.
func (s *Store) RemoveStrayLike(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "store.RemoveStrayLike(%q, %q)", uid, id)
	if held, err := s.Holds(ctx, id); err != nil || held {
		return err
	}
	return s.Unlike(ctx, uid, id)
}

// RestoreEvent writes an event that is missing from the log, and makes its card anew.
func (s *Store) RestoreEvent(ctx context.Context, e *model.Event) (err error) {
	defer errs.Wrap(&err, "store.RestoreEvent(%q)", e.ID)
	partition, _ := model.EventPartition(e.ID)
	restored := *e
	restored.Pending = false // RebuildNotification puts it on its card
	if _, err := s.events(partition).Doc(e.ID).Create(ctx, &restored); err != nil && !exists(err) {
		return err
	}
	return s.RebuildNotification(ctx, e.UserID, e.NotificationKey(s.zone))
}

// ExpectedCard is the card that events of one slot and day make, and whom it counts.
func ExpectedCard(events []model.Event, zone *time.Location) *CardState {
	c := &CardState{Actors: map[model.UserID]bool{}}
	for _, e := range events {
		c.ID, c.Slot, c.Term = e.NotificationKey(zone), e.Slot(), e.Term(zone)
		c.Add(&e)
		c.Actors[e.Payload.UserID] = true
		if e.Type == model.EventReply {
			c.CountTweets++
		}
	}
	c.CountUsers = int64(len(c.Actors))
	return c
}

// RebuildNotification makes a card anew from the events that were put on it: a read for
// each event of its user, and a write for the card and each user whom it counts and
// should not, or the other way round. Whether it is read stays as it is. A card without
// events is deleted.
func (s *Store) RebuildNotification(ctx context.Context, uid model.UserID, key string) (err error) {
	defer errs.Wrap(&err, "store.RebuildNotification(%q, %q)", uid, key)
	for {
		done, err := s.tryRebuildNotification(ctx, uid, key)
		if err != nil || done {
			return err
		}
	}
}

// tryRebuildNotification reads the card first. Whoever puts an event on it writes the
// card in the same commit, so then it is no longer as it was.
func (s *Store) tryRebuildNotification(ctx context.Context, uid model.UserID, key string) (bool, error) {
	ref := s.notification(uid, key)
	old, err := ref.Get(ctx)
	var was model.Notification
	if _, err := decode(old, err)(&was); err != nil {
		return false, err
	}
	now, err := s.moment(ctx)
	if err != nil {
		return false, err
	}
	var all []model.Event
	if err := now.events(ctx, uid, &all); err != nil {
		return false, err
	}
	all = slices.DeleteFunc(all, func(e model.Event) bool { return e.Pending || e.NotificationKey(s.zone) != key })
	actors, err := ref.Collection(model.Actors).Documents(ctx).GetAll()
	if err != nil {
		return false, err
	}
	card := ExpectedCard(all, s.zone)
	b := s.batch()
	for _, actor := range actors {
		if uid := model.UserID(actor.Ref.ID); card.Actors[uid] {
			delete(card.Actors, uid)
		} else {
			b.Delete(actor.Ref)
		}
	}
	for uid := range card.Actors {
		b.Set(ref.Collection(model.Actors).Doc(string(uid)), map[string]any{"expireAt": card.ExpireAt})
	}
	switch {
	case len(all) == 0 && !old.Exists():
		return true, nil
	case len(all) == 0:
		b.Delete(ref, firestore.LastUpdateTime(old.UpdateTime))
	case old.Exists():
		b.Update(ref, []firestore.Update{
			{Path: "slot", Value: card.Slot}, {Path: "term", Value: card.Term}, {Path: "records", Value: card.Records},
			{Path: "countUsers", Value: card.CountUsers}, {Path: "countTweets", Value: card.CountTweets},
			{Path: "createdAt", Value: card.CreatedAt}, {Path: "updatedAt", Value: card.UpdatedAt}, {Path: "expireAt", Value: card.ExpireAt},
		}, firestore.LastUpdateTime(old.UpdateTime))
	default:
		b.Create(ref, card.Notification)
	}
	_, err = b.Commit(ctx)
	if exists(err) || missing(err) || outdated(err) {
		return false, nil
	}
	return err == nil, err
}
