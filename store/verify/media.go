package verify

import (
	"context"
	"maps"
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
const mediaTogether = 300

// mediaPlace begins the position of a verification among the media, where otherwise the id of a user is. No id of a
// user has a slash.
const mediaPlace = model.MediaRecords + "/"

// uploads verifies the records and files of media whose ids come after one: n records, and all if n is 0. It returns
// the position of the next part, and the empty one at the end.
//
// Cost: that of [mediaRange.read] for each mediaTogether records, or n if that is less.
func (v *verifier) uploads(ctx context.Context, after model.MediaID, n int) (all []Difference, next model.UserID,
	err error) {
	all, last, err := v.ranges(ctx, n, mediaTogether, string(after), func(after string, limit int) span {
		return &mediaRange{verifier: v, after: model.MediaID(after), limit: limit}
	})
	if last != "" {
		next = model.UserID(mediaPlace + last)
	}
	return all, next, err
}

// mediaRange is a [span]: the records whose ids come after one, up to another one, and the files beside them. Its first
// reading decides how far it goes, so that later ones compare the same.
type mediaRange struct {
	*verifier
	after, to model.MediaID // an empty after is before the first id, and an empty to the last
	limit     int           // records of the first reading
	bound     bool          // whether to is known
}

func (r *mediaRange) end() string { return string(r.to) }

// read finds attached records whose tweet is gone or does not show them, records that their owner's profile does not
// show and that do not expire, ready records without a file, and files without a record. It walks along records and
// files at once, because both are in the order of ids. A lost file is not repaired.
//
// Cost: 1 read a record, at least 1, and 1 read for each tweet, profile or product with attached ones; a list of the
// bucket for each 1,000 files, at least 1.
func (r *mediaRange) read(ctx context.Context) (ds []Difference, err error) {
	records, err := r.records(ctx)
	if err != nil {
		return nil, err
	}
	stray, err := r.strayMedia(ctx, records)
	if err != nil {
		return nil, err
	}
	for _, m := range records {
		if stray[m.ID] {
			path := at(model.MediaRecords, string(m.ID))
			add(&ds, model.MediaRecords, path, "", string(m.TweetID), nil, &fix{path, func(ctx context.Context) error {
				return r.removeStrayMedia(ctx, m.ID)
			}})
		}
	}
	if !r.media.On() {
		return ds, nil
	}
	old := r.db.Now().Add(-orphanAge)
	var sizes []string // of the first record that is left
	var orphan model.MediaID
	pass := func() {
		if m := records[0]; m.State == model.MediaReady && !stray[m.ID] {
			for size := range m.Sizes {
				if !slices.Contains(sizes, size) {
					add(&ds, model.MediaRecords, at(model.MediaRecords, string(m.ID)), "sizes."+size, nil, true, nil)
				}
			}
		}
		records, sizes = records[1:], nil
	}
	for f, err := range r.media.Between(ctx, r.after, r.to) {
		if err != nil {
			return nil, err
		}
		if f.ID == "" { // an operator put it there, and may remove it
			add(&ds, model.MediaRecords, at(model.MediaRecords, f.Name), "files", true, nil, nil)
			continue
		}
		for len(records) > 0 && records[0].ID < f.ID {
			pass()
		}
		switch {
		case len(records) > 0 && records[0].ID == f.ID:
			sizes = append(sizes, f.Size)
		case f.ID != orphan && f.Written.Before(old):
			orphan = f.ID
			path := at(model.MediaRecords, string(f.ID))
			add(&ds, model.MediaRecords, path, "files", true, nil, &fix{"files of " + path, func(ctx context.Context) error {
				return r.media.Remove(ctx, f.ID)
			}})
		}
	}
	for len(records) > 0 {
		pass()
	}
	return ds, nil
}

// orphanAge is how old a file is that nobody waits for: a function writes files before it writes their record.
const orphanAge = 24 * time.Hour

// records reads the records of the range, in the order of ids.
//
// Cost: 1 read a record, at least 1.
func (r *mediaRange) records(ctx context.Context) (records []*model.Media, err error) {
	q := r.db.Client.Collection(model.MediaRecords).OrderBy(firestore.DocumentID, firestore.Asc)
	if r.after != "" {
		q = q.StartAfter(string(r.after))
	}
	switch {
	case !r.bound:
		q = q.Limit(r.limit)
	case r.to != "":
		q = q.EndAt(string(r.to))
	}
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	for _, snap := range snaps {
		m := &model.Media{ID: model.MediaID(snap.Ref.ID)}
		if err := snap.DataTo(m); err != nil {
			return nil, err
		}
		records = append(records, m)
	}
	if !r.bound && len(records) == r.limit {
		r.to = records[len(records)-1].ID
	}
	r.bound = true
	return records, nil
}

// strayMedia returns which records say that a tweet, message, profile or product uses them, and none does.
//
// Cost: 1 read for each tweet, part of a conversation, profile and product.
func (a *Auditor) strayMedia(ctx context.Context, records []*model.Media) (map[model.MediaID]bool, error) {
	var ids []model.TweetID
	var uids []model.UserID
	var goods []model.ProductID
	for _, m := range records {
		switch {
		case m.TweetID != "":
			ids = append(ids, m.TweetID)
		case m.ConversationID != "":
		case m.InProfile && m.ExpireAt.IsZero():
			uids = append(uids, m.OwnerID)
		case m.ProductID != "" && m.ExpireAt.IsZero():
			goods = append(goods, m.ProductID)
		}
	}
	tweets, err := readOnce(ctx, a.db, model.Tweets, ids, func(id model.TweetID, t *model.Tweet) { t.ID = id })
	if err != nil {
		return nil, err
	}
	inMessage, err := a.inMessage(ctx, records)
	if err != nil {
		return nil, err
	}
	products, err := readOnce(ctx, a.db, model.Products, goods, func(id model.ProductID, p *model.Product) { p.ID = id })
	if err != nil {
		return nil, err
	}
	users, err := readOnce(ctx, a.db, model.Users, uids, func(uid model.UserID, u *model.User) { u.ID = uid })
	stray := map[model.MediaID]bool{}
	for _, m := range records {
		switch {
		case m.TweetID != "":
			t := tweets[m.TweetID]
			stray[m.ID] = t == nil || !slices.ContainsFunc(t.Media, func(is model.TweetMedia) bool { return is.ID == m.ID })
		case m.ConversationID != "":
			stray[m.ID] = !inMessage[m.ID]
		case m.InProfile && m.ExpireAt.IsZero():
			u := users[m.OwnerID]
			stray[m.ID] = u == nil || u.AvatarMedia != m.ID && u.HeaderMedia != m.ID
		case m.ProductID != "" && m.ExpireAt.IsZero():
			p := products[m.ProductID]
			stray[m.ID] = p == nil || p.Picture == nil || p.Picture.ID != m.ID
		}
	}
	return stray, err
}

// inMessage returns which records the messages that they name show. It reads partsTogether parts of conversations at a
// time.
//
// Cost: 1 read for each part.
func (a *Auditor) inMessage(ctx context.Context, records []*model.Media) (map[model.MediaID]bool, error) {
	of := map[model.PartKey][]*model.Media{}
	for _, m := range records {
		if m.TweetID == "" && m.ConversationID != "" {
			key := m.MessageID.Part(m.ConversationID)
			of[key] = append(of[key], m)
		}
	}
	shown := map[model.MediaID]bool{}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(of)), partsTogether) {
		parts, err := db.ReadAll(ctx, a.db, model.ConversationMonths, some, func(key model.PartKey, p *model.MessagePart) {
			p.Key = key
		})
		if err != nil {
			return nil, err
		}
		for key, p := range parts {
			for _, m := range of[key] {
				message := p.Messages[m.MessageID.Key()]
				shown[m.ID] = message != nil && slices.ContainsFunc(message.Media, func(is model.TweetMedia) bool {
					return is.ID == m.ID
				})
			}
		}
	}
	return shown, nil
}

// readOnce reads documents by their ids, each once.
func readOnce[K ~string, V any](ctx context.Context, d *db.DB, collection string, ids []K, name func(K, *V)) (map[K]*V,
	error) {
	if len(ids) == 0 {
		return nil, nil
	}
	slices.Sort(ids)
	return db.ReadAll(ctx, d, collection, slices.Compact(ids), name)
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
		if stray, err := a.strayMedia(ctx, []*model.Media{&found.Doc}); err != nil || !stray[id] {
			return err
		}
		_, err = found.Snap.Ref.Delete(ctx, firestore.LastUpdateTime(found.Snap.UpdateTime))
		return db.Late(err)
	})
}
