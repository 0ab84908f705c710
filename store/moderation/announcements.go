package moderation

import (
	"context"
	"maps"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// AnnouncementsEvery is for how long a process shows the announcements that it has read. A change shows after that in
// every process, and at once in the process that made it.
const AnnouncementsEvery = time.Minute

// knownAnnouncements are the announcements that a process has read, under one key. The maps in it never change.
type knownAnnouncements = readcache.Values[string, *model.Announcements]

func newKnownAnnouncements(s *Store) knownAnnouncements {
	c := readcache.New(s.db.Now, AnnouncementsEvery, 1<<20, func(*model.Announcements) int { return 0 },
		func(ctx context.Context, _ []string) (map[string]*model.Announcements, error) {
			is := &model.Announcements{}
			_, err := s.db.Get(ctx, s.announcements(), is)
			return map[string]*model.Announcements{"": is}, err
		})
	c.Name = "announcements"
	return c
}

// Announcements returns the announcements that show now. Callers of a process share what it has read, and a caller
// whose time is over waits for no other.
//
// Cost: 1 read, or nothing within a minute.
func (s *Store) Announcements(ctx context.Context) (_ *model.Announcements, err error) {
	defer errs.Wrap(&err, "moderation.Announcements")
	is, _, err := s.announced.One(ctx, "")
	if err != nil {
		return nil, err
	}
	now := s.db.Now()
	current := maps.Clone(is.Announcements)
	maps.DeleteFunc(current, func(_ string, a model.Announcement) bool { return !a.Current(now) })
	return &model.Announcements{Announcements: current}, nil
}

// AllAnnouncements returns also the announcements that start later, and those that have ended.
//
// Cost: 1 read.
func (s *Store) AllAnnouncements(ctx context.Context) (_ *model.Announcements, err error) {
	defer errs.Wrap(&err, "moderation.AllAnnouncements")
	is := &model.Announcements{}
	_, err = s.db.Get(ctx, s.announcements(), is)
	return is, err
}

// Announce adds or replaces an announcement, with its entry in the audit log, and returns the announcement as it is
// kept. An announcement of another form is errs.Invalid. More than [model.MaxAnnouncements] that have not ended are
// errs.Conflict.
//
// Cost: 1 read, and 2 writes if something changes.
func (s *Store) Announce(ctx context.Context, by Actor, id model.AnnouncementID,
	a model.Announcement) (_ model.Announcement, err error) {
	defer errs.Wrap(&err, "moderation.Announce(%q)", id)
	if a, err = a.Clean(); err != nil {
		return a, err
	}
	now := s.db.Time()
	is, err := s.changeAnnouncements(ctx, by, model.ActAnnounce, id, func(all *model.Announcements) (bool, error) {
		return all.Put(id, a, now)
	})
	if err != nil {
		return a, err
	}
	return is.Announcements[string(id)], nil
}

// RemoveAnnouncement removes an announcement, with an entry in the audit log. Without the announcement it changes
// nothing.
//
// Cost: 1 read, and 2 writes if the announcement exists.
func (s *Store) RemoveAnnouncement(ctx context.Context, by Actor, id model.AnnouncementID) (err error) {
	defer errs.Wrap(&err, "moderation.RemoveAnnouncement(%q)", id)
	_, err = s.changeAnnouncements(ctx, by, model.ActRemoveAnnouncement, id, func(all *model.Announcements) (bool, error) {
		_, there := all.Announcements[string(id)]
		delete(all.Announcements, string(id))
		return there, nil
	})
	return err
}

// changeAnnouncements changes the announcements in a transaction, which writes the entry of the audit log too. to
// returns whether something changed.
func (s *Store) changeAnnouncements(ctx context.Context, by Actor, act model.Act, id model.AnnouncementID,
	to func(*model.Announcements) (bool, error)) (is *model.Announcements, err error) {
	var entry *model.Action
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is, entry = &model.Announcements{}, nil
		if _, err := db.GetIn(tx, s.announcements(), is); err != nil {
			return err
		}
		before := announced(is, id)
		if changed, err := to(is); err != nil || !changed {
			return err
		}
		entry = s.entry(by, act, "")
		entry.Before, entry.After = before, announced(is, id)
		shorten(entry)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		return tx.Set(s.announcements(), is)
	}, func(ctx context.Context) (bool, error) {
		if entry == nil {
			return true, nil
		}
		return s.db.Made(s.db.Doc(model.AdminActions, entry.ID))(ctx)
	})
	s.announced.Forget("")
	s.done(ctx, entry, err)
	return is, err
}

// announced is what the audit log says of an announcement, which may be missing.
func announced(all *model.Announcements, id model.AnnouncementID) map[string]string {
	a, there := all.Announcements[string(id)]
	if !there {
		return map[string]string{"id": string(id)}
	}
	is := map[string]string{"id": string(id), "title": a.Title, "text": a.Text,
		"startsAt": a.StartsAt.Format(time.RFC3339)}
	if !a.EndsAt.IsZero() {
		is["endsAt"] = a.EndsAt.Format(time.RFC3339)
	}
	return is
}

// announcements names the document of all announcements.
func (s *Store) announcements() *firestore.DocumentRef {
	return s.db.Doc(model.AnnouncementLists, "all")
}
