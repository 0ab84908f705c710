package verify

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// tweetMedia finds tweets whose media have no record, or one of another tweet. Nothing repairs that: the files are gone
// or belong to the other tweet.
//
// Cost: 1 read for each media of a tweet.
func tweetMedia(ctx context.Context, a *Auditor, u *snapshot.User) (ds []Difference, err error) {
	var ids []model.MediaID
	for _, t := range u.Tweets {
		for _, m := range t.Doc.Media {
			ids = append(ids, m.ID)
		}
	}
	for some := range slices.Chunk(ids, mediaTogether) {
		records, err := db.ReadAll(ctx, a.db, model.MediaRecords, some, func(id model.MediaID, m *model.Media) { m.ID = id })
		if err != nil {
			return nil, err
		}
		for id, t := range u.Tweets {
			for _, m := range t.Doc.Media {
				if !slices.Contains(some, m.ID) {
					continue
				}
				var have any
				if r := records[m.ID]; r != nil {
					have = string(r.TweetID)
				}
				if have != string(id) {
					add(&ds, model.MediaRecords, at(model.MediaRecords, string(m.ID)), "tweetId", have, string(id), nil)
				}
			}
		}
	}
	return ds, nil
}

// mediaTogether is how many records are compared together.
const mediaTogether = 200

// mediaRecords is the unit of all records of uploads. It finds attached records whose tweet is gone or does not show
// them, records that their owner's profile does not show and that do not expire, and ready records without a file. A
// lost file is not repaired.
//
// Cost: 1 read a record, and 1 read for the tweet or profile of each that is attached; a list of files for each ready
// one.
func (v *verifier) mediaRecords() *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		q := v.db.Client.Collection(model.MediaRecords).OrderBy(firestore.DocumentID, firestore.Asc).Limit(mediaTogether)
		for page := q; ; {
			snaps, err := page.Documents(ctx).GetAll()
			if err != nil {
				return nil, err
			}
			some, err := v.mediaPage(ctx, snaps)
			if ds = append(ds, some...); err != nil || len(snaps) < mediaTogether {
				return ds, err
			}
			page = q.StartAfter(snaps[len(snaps)-1].Ref.ID)
		}
	}}
}

func (v *verifier) mediaPage(ctx context.Context, snaps []*firestore.DocumentSnapshot) (ds []Difference, err error) {
	for _, snap := range snaps {
		m := &model.Media{ID: model.MediaID(snap.Ref.ID)}
		if err := snap.DataTo(m); err != nil {
			return nil, err
		}
		path := at(model.MediaRecords, snap.Ref.ID)
		stray, err := v.strayMedia(ctx, m)
		switch {
		case err != nil:
			return nil, err
		case stray:
			add(&ds, model.MediaRecords, path, "", string(m.TweetID), nil, &fix{path, func(ctx context.Context) error {
				return v.removeStrayMedia(ctx, m.ID)
			}})
			continue
		case m.State != model.MediaReady || !v.media.On():
			continue
		}
		files, err := v.media.Files(ctx, m.ID)
		if err != nil {
			return nil, err
		}
		for size := range m.Sizes {
			if !slices.Contains(files, size) {
				add(&ds, model.MediaRecords, path, "sizes."+size, nil, true, nil)
			}
		}
	}
	return ds, nil
}

// strayMedia reports whether a record says that a tweet or profile uses it, and none does.
//
// Cost: 1 read for an attached record.
func (a *Auditor) strayMedia(ctx context.Context, m *model.Media) (bool, error) {
	switch {
	case m.TweetID != "":
		var t model.Tweet
		found, err := a.db.Get(ctx, a.db.Tweet(m.TweetID), &t)
		return !found || !slices.ContainsFunc(t.Media, func(is model.TweetMedia) bool { return is.ID == m.ID }), err
	case m.InProfile && m.ExpireAt.IsZero():
		var u model.User
		_, err := a.db.Get(ctx, a.db.User(m.OwnerID), &u)
		return u.AvatarMedia != m.ID && u.HeaderMedia != m.ID, err
	}
	return false, nil
}

// removeStrayMedia deletes a record that nothing uses. The event of the deletion removes its files.
//
// Cost: 2 reads and 1 delete.
func (a *Auditor) removeStrayMedia(ctx context.Context, id model.MediaID) (err error) {
	defer errs.Wrap(&err, "verify.removeStrayMedia(%q)", id)
	return a.db.Update(ctx, func(ctx context.Context) error {
		found, err := db.As[model.Media](a.db.Media(id).Get(ctx))
		if err != nil || !found.Found {
			return err
		}
		found.Doc.ID = id
		if stray, err := a.strayMedia(ctx, &found.Doc); err != nil || !stray {
			return err
		}
		_, err = found.Snap.Ref.Delete(ctx, firestore.LastUpdateTime(found.Snap.UpdateTime))
		return db.Late(err)
	})
}

// orphanAge is how old a file is that nobody waits for: a function writes files before it writes their record.
const orphanAge = 24 * time.Hour

// mediaFiles is the unit of the files of media. It finds files without a record.
//
// Cost: 1 read for each folder of files, and a list of files for each thousand.
func (v *verifier) mediaFiles() *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		if !v.media.On() {
			return nil, nil
		}
		for cursor, first := "", true; first || cursor != ""; first = false {
			var ids []model.MediaID
			if ids, cursor, err = v.media.Stored(ctx, cursor, v.db.Now().Add(-orphanAge)); err != nil {
				return nil, err
			}
			keys := make([]string, len(ids))
			for i, id := range ids {
				keys[i] = string(id)
			}
			there, err := v.db.There(ctx, model.MediaRecords, keys)
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				if path := at(model.MediaRecords, string(id)); !there[string(id)] {
					add(&ds, model.MediaRecords, path, "files", true, nil, &fix{"files of " + path, func(ctx context.Context) error {
						return v.media.Remove(ctx, id)
					}})
				}
			}
		}
		return ds, nil
	}}
}
