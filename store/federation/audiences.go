package federation

import (
	"context"
	"errors"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

func (s *Store) audience(uid model.UserID, part int) *firestore.DocumentRef {
	return s.db.Doc(model.RemoteAudiences, model.RemoteAudienceKey(uid, part))
}

// ReconcileAudience makes the inboxes of a user's remote followers agree with the present relationship of one of them,
// whatever change it is called for. So calls may come twice and in any order.
//
// Cost: 3 reads, and 1 write unless the audience is right. 1 read and 1 write more where the first part is full; a
// follower who left with a profile that is gone, or with another inbox, costs 1 read for each further part. The last
// known follower with an inbox that had more costs 2 reads for each user of that server, at most some 1,000, and 1
// write.
func (s *Store) ReconcileAudience(ctx context.Context, followed, follower model.UserID) (err error) {
	defer errs.Wrap(&err, "federation.ReconcileAudience(%q, %q)", followed, follower)
	uncounted := map[string]int{} // inboxes, with their parts
	realm := ""
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		clear(uncounted)
		var l db.Lookup
		follows := db.Find[struct{}](&l, s.db.Relationship(follower, followed))
		profile := db.Find[model.User](&l, s.db.User(follower))
		first := db.Find[model.RemoteAudience](&l, s.audience(followed, 0))
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		inbox := ""
		if profile.Found && profile.Doc.Remote != nil {
			realm = profile.Doc.Remote.Realm
		}
		if follows.Found && profile.Found && profile.Doc.Remote != nil {
			inbox = profile.Doc.Remote.DeliverTo()
		}
		parts := map[int]*model.RemoteAudience{0: &first.Doc}
		read := func(want ...int) error {
			var more db.Lookup
			found := map[int]*db.Found[model.RemoteAudience]{}
			for _, p := range want {
				if parts[p] == nil {
					found[p] = db.Find[model.RemoteAudience](&more, s.audience(followed, p))
				}
			}
			if err := more.ReadIn(tx); err != nil {
				return err
			}
			for p, f := range found {
				parts[p] = &f.Doc
			}
			return nil
		}
		changed := map[int]bool{}
		if inbox != "" {
			// An inbox stays in the part where it is.
			part := 0
			if _, known := first.Doc.Inboxes[model.InboxKey(inbox)]; !known && len(first.Doc.Inboxes) >= model.FirstAudience {
				part = model.InboxPart(inbox)
				if err := read(part); err != nil {
					return err
				}
			}
			added, full := parts[part].Add(follower, inbox)
			if full {
				s.o.Log.WarnContext(ctx, "no room for the inbox of a follower", "user", followed, "follower", follower)
			}
			changed[part] = added
			if added && part > 0 && !slices.Contains(first.Doc.Parts, part) {
				first.Doc.Parts = append(first.Doc.Parts, part)
				slices.Sort(first.Doc.Parts)
				changed[0] = true
			}
			if !added && !full {
				return nil // it was there, so it is nowhere else
			}
		}
		// Out of every other inbox: it may have had another one.
		left := first.Doc.Remove(follower, inbox)
		changed[0] = changed[0] || left
		if !left && len(first.Doc.Parts) > 0 {
			if err := read(first.Doc.Parts...); err != nil {
				return err
			}
			for _, p := range first.Doc.Parts {
				if parts[p].Remove(follower, inbox) {
					changed[p] = true
				}
			}
		}
		for p, is := range parts {
			for _, inbox := range is.Uncounted() {
				uncounted[inbox] = p
			}
		}
		for p, is := range changed {
			if !is {
				continue
			}
			if err := s.putAudience(tx, followed, p, parts[p]); err != nil {
				return err
			}
		}
		return nil
	})
	for inbox, part := range uncounted {
		err = errors.Join(err, s.recount(ctx, followed, inbox, part, realm))
	}
	return err
}

func (s *Store) putPart(tx *firestore.Transaction, followed model.UserID, part int, is *model.RemoteAudience) error {
	if len(is.Inboxes) == 0 && len(is.Parts) == 0 {
		return tx.Delete(s.audience(followed, part))
	}
	return tx.Set(s.audience(followed, part), is)
}

// recounted is how many users of a server are asked for those who follow.
const recounted = 500

// recount finds who has an inbox of an audience that had more followers than are known, when all known ones left. realm
// is that of a user with the inbox; empty if none is known.
//
// Cost: 1 read for each user of the server, at most recounted, 1 for each who has the inbox, and 1 read and 1 write.
func (s *Store) recount(ctx context.Context, followed model.UserID, inbox string, part int, realm string) error {
	known := realm != ""
	if !known {
		realm = model.RealmOf(inbox)
	}
	snaps, err := s.db.All(ctx, s.db.Client.Collection(model.Users).Where(remoteRealm, "==", realm).Limit(recounted))
	if err != nil {
		return err
	}
	var with []model.UserID
	for _, snap := range snaps {
		var u model.User
		if err := snap.DataTo(&u); err != nil {
			return err
		}
		if u.Remote != nil && u.Remote.DeliverTo() == inbox {
			with = append(with, model.UserID(snap.Ref.ID))
		}
	}
	if len(with) == 0 && !known {
		return nil // its users may have addresses of another host
	}
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		is := db.Find[model.RemoteAudience](&l, s.audience(followed, part))
		follow := make([]*db.Found[struct{}], len(with))
		for i, uid := range with {
			follow[i] = db.Find[struct{}](&l, s.db.Relationship(uid, followed))
		}
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		var followers []model.UserID
		for i, uid := range with {
			if follow[i].Found {
				followers = append(followers, uid)
			}
		}
		if !is.Doc.Count(inbox, followers, len(snaps) == recounted) {
			return nil
		}
		return s.putPart(tx, followed, part, &is.Doc)
	})
}

// MoveInbox goes on with those whom a user of another server follows here, and whose posts go to the new inbox of that
// user.
//
// Cost: 1 read, and 1 write a step; 1 read for each of them, and that of ReconcileAudience.
func (s *Store) MoveInbox(ctx context.Context, m *model.RemoteMove) (err error) {
	defer errs.Wrap(&err, "federation.MoveInbox(%q)", m.From)
	const together = 20
	step, ok, err := s.db.Begin(ctx, s.db.Doc(model.RemoteMoves, m.ID), m.WrittenAt)
	if err != nil || !ok {
		return err
	}
	after := m.After
	for !step.Over() {
		q := s.db.Client.Collection(model.Relationships).Where(fields.FollowerID, "==", m.From).
			OrderBy(firestore.DocumentID, firestore.Asc).Limit(together)
		if after != "" {
			q = q.StartAfter(after)
		}
		found, err := s.db.All(ctx, q)
		if err != nil {
			return err
		}
		for _, snap := range found {
			after = snap.Ref.ID
			var r model.Relationship
			if err := snap.DataTo(&r); err != nil {
				return err
			}
			if r.FollowedID.Remote() {
				continue
			}
			if err := s.ReconcileAudience(ctx, r.FollowedID, m.From); err != nil {
				return err
			}
		}
		if len(found) < together {
			return step.End(ctx, nil)
		}
	}
	return step.Save(ctx, map[string]any{fields.After: after}, nil)
}

// dropInboxes takes inboxes that are gone for good out of a user's audience. A follower there who follows again, or who
// has another inbox, comes back by ReconcileAudience.
//
// Cost: 1 read and 1 write; 1 of each more for each part beside the first.
func (s *Store) dropInboxes(ctx context.Context, uid model.UserID, gone []string) error {
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var first model.RemoteAudience
		if found, err := db.GetIn(tx, s.audience(uid, 0), &first); err != nil || !found {
			return err
		}
		parts := map[int]*model.RemoteAudience{0: &first}
		changed := map[int]bool{}
		for _, inbox := range gone {
			k, part := model.InboxKey(inbox), 0
			if _, here := first.Inboxes[k]; !here {
				part = model.InboxPart(inbox)
				if !slices.Contains(first.Parts, part) {
					continue
				}
				if parts[part] == nil {
					parts[part] = &model.RemoteAudience{}
					if _, err := db.GetIn(tx, s.audience(uid, part), parts[part]); err != nil {
						return err
					}
				}
			}
			if _, here := parts[part].Inboxes[k]; here {
				delete(parts[part].Inboxes, k)
				changed[part] = true
			}
		}
		for p := range changed {
			if err := s.putAudience(tx, uid, p, parts[p]); err != nil {
				return err
			}
		}
		return nil
	})
}

// putAudience writes a part of an audience, or deletes an empty one.
func (s *Store) putAudience(tx *firestore.Transaction, uid model.UserID, part int, is *model.RemoteAudience) error {
	if len(is.Inboxes) == 0 && len(is.Parts) == 0 {
		return tx.Delete(s.audience(uid, part))
	}
	return tx.Set(s.audience(uid, part), is)
}

// HasAudience reports whether a user has followers on other servers.
//
// Cost: 1 read.
func (s *Store) HasAudience(ctx context.Context, uid model.UserID) (_ bool, err error) {
	defer errs.Wrap(&err, "federation.HasAudience(%q)", uid)
	return s.db.Get(ctx, s.audience(uid, 0), nil)
}

// Audience returns the inboxes of all remote followers of a user.
//
// Cost: 1 read; 1 more for each part beside the first.
func (s *Store) Audience(ctx context.Context, uid model.UserID) (all []string, err error) {
	defer errs.Wrap(&err, "federation.Audience(%q)", uid)
	spots, _, err := s.inboxes(ctx, uid, place{}, model.AudienceParts*model.MaxAudiencePart)
	for _, is := range spots {
		all = append(all, is.inbox)
	}
	return all, err
}

// place is a place in an audience: a part, and an inbox of it. Parts are in order, and the inboxes of a part by key.
type place struct {
	part int
	key  string // InboxKey; empty before the first
}

// spot is an inbox of an audience, with its place.
type spot struct {
	inbox string
	at    place
}

// inboxes returns the inboxes of an audience after a place, at most limit, and whether these are the last.
//
// Cost: 1 read, and 1 for each further part that it comes to.
func (s *Store) inboxes(ctx context.Context, uid model.UserID, after place, limit int) (all []spot, last bool,
	err error) {
	var first model.RemoteAudience
	if _, err := s.db.Get(ctx, s.audience(uid, 0), &first); err != nil {
		return nil, false, err
	}
	for _, part := range append([]int{0}, first.Parts...) {
		if part < after.part {
			continue
		}
		is := first
		if part > 0 {
			is = model.RemoteAudience{}
			if _, err := s.db.Get(ctx, s.audience(uid, part), &is); err != nil {
				return nil, false, err
			}
		}
		for _, k := range slices.Sorted(maps.Keys(is.Inboxes)) {
			if part == after.part && k <= after.key {
				continue
			}
			if len(all) == limit {
				return all, false, nil
			}
			all = append(all, spot{is.Inboxes[k].Inbox, place{part, k}})
		}
	}
	return all, true, nil
}
