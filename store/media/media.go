// Package media stores uploaded pictures and videos. A record says whose an upload is, and what uses it; the files are
// in two buckets. Clients upload to the first, a function writes what may be shown to the second, and the API serves
// that.
//
// A record is a source document, and its files follow from it: whatever deletes a record deletes its files.
package media

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Options configures the Store.
type Options struct {
	// Uploads is where clients upload, and Files where the results are. Without both there are no media.
	Uploads, Files *objects.Objects
	URL            string // the beginning of the addresses of files, such as https://media.example.com
	Key            []byte // signs addresses; all instances need the same
}

// Store makes records and serves files. Its methods may be called concurrently. Their errors are errors of package
// errs.
type Store struct {
	db     *db.DB
	access *access.Store
	o      Options
	cache  lru.Cache[model.MediaID, cached]

	refused lru.Cache[model.MediaID, time.Time] // ids that no address opened, with the time of the read
}

// remembered is how many records a process caches: about 1 KB each.
const remembered = 5_000

// cached is a record with the time of its read.
type cached struct {
	*model.Media
	at time.Time
}

// New returns the media of a database.
func New(d *db.DB, a *access.Store, o Options) *Store {
	return &Store{db: d, access: a, o: o, cache: lru.New[model.MediaID, cached](remembered),
		refused: lru.New[model.MediaID, time.Time](remembered)}
}

// On reports whether there are media.
func (s *Store) On() bool { return s.o.Uploads != nil && s.o.Files != nil }

// errOff is the error without configured buckets.
var errOff = errs.New(errs.NotFound, "media_off", "this installation takes no media: its operator has set no "+
	"UPLOADS_BUCKET and MEDIA_BUCKET")

// Create makes the record of an upload, and the address at which the owner uploads the file. What
// [model.NewMedia.Clean] refuses is errs.Invalid. A user without a profile is errs.Forbidden.
//
// Cost: 1 write; 1 read more if the user's profile is not remembered.
func (s *Store) Create(ctx context.Context, uid model.UserID, n model.NewMedia) (_ *model.Media, _ objects.Upload,
	err error) {
	defer errs.Wrap(&err, "media.Create(%q)", uid)
	if !s.On() {
		return nil, objects.Upload{}, errOff
	}
	if n, err = n.Clean(); err != nil {
		return nil, objects.Upload{}, err
	}
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return nil, objects.Upload{}, err
	}
	now := s.db.Time()
	m := &model.Media{ID: model.NewMediaID(), OwnerID: uid, Kind: n.Kind, State: model.MediaUploading,
		DeclaredType: n.ContentType, DeclaredBytes: n.Bytes, Alt: n.Alt, PosterID: n.Poster, CreatedAt: now,
		ExpireAt: now.Add(model.MediaWindow)}
	upload, err := s.o.Uploads.UploadURL(ctx, string(m.ID), n.ContentType, n.Bytes, model.UploadWindow)
	if err != nil {
		return nil, upload, err
	}
	return m, upload, s.db.CreateOnce(ctx, s.db.Media(m.ID), m)
}

// Get reads a record of its owner, and for moderators those of all users. Every other id is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) Get(ctx context.Context, by model.Viewer, id model.MediaID) (_ *model.Media, err error) {
	defer errs.Wrap(&err, "media.Get(%q)", id)
	if !s.On() {
		return nil, errOff
	}
	m := model.Media{ID: id}
	found, err := s.db.Get(ctx, s.db.Media(id), &m)
	if err == nil && (!found || m.OwnerID != by.ID && !by.Moderates() || m.Expired(s.db.Now())) {
		err = model.NoMedia(id)
	}
	return &m, err
}

// own reads a record of its owner.
//
// Cost: 1 read.
func (s *Store) own(ctx context.Context, uid model.UserID, id model.MediaID) (*model.Media,
	*firestore.DocumentSnapshot, error) {
	if !s.On() {
		return nil, nil, errOff
	}
	found, err := db.As[model.Media](s.db.Media(id).Get(ctx))
	if err != nil {
		return nil, nil, err
	}
	m := &found.Doc
	if m.ID = id; !found.Found || m.OwnerID != uid || m.Expired(s.db.Now()) {
		return nil, nil, model.NoMedia(id)
	}
	return m, found.Snap, nil
}

// SetAlt changes the description of media that no post and no profile uses. Media in use are errs.Conflict: an edit of
// the post changes its descriptions.
//
// Cost: 1 read and 1 write; 1 read without a change.
func (s *Store) SetAlt(ctx context.Context, uid model.UserID, id model.MediaID, alt string) (m *model.Media,
	err error) {
	defer errs.Wrap(&err, "media.SetAlt(%q)", id)
	if alt, err = model.CleanAlt(alt); err != nil {
		return nil, err
	}
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var snap *firestore.DocumentSnapshot
		m, snap, err = s.own(ctx, uid, id)
		switch {
		case err != nil:
			return err
		case m.Alt == alt && !m.Attached():
			return nil
		case m.Attached():
			return model.MediaInUse(id)
		}
		m.Alt = alt
		_, err := snap.Ref.Update(ctx, []firestore.Update{{Path: fields.Alt, Value: db.OrDelete(alt, alt == "")}},
			firestore.LastUpdateTime(snap.UpdateTime))
		return db.Late(err) // a post took it, a function finished it, or the answer to this commit was lost
	})
	return m, err
}

// Delete removes media of a user that no post and no profile uses; its files follow. An id under which the user has no
// media changes nothing. Media in use are errs.Conflict.
//
// Cost: 1 read and 1 delete.
func (s *Store) Delete(ctx context.Context, uid model.UserID, id model.MediaID) (err error) {
	defer errs.Wrap(&err, "media.Delete(%q)", id)
	return s.db.Update(ctx, func(ctx context.Context) error {
		m, snap, err := s.own(ctx, uid, id)
		switch {
		case err != nil && errs.CodeOf(err) == "media_not_found":
			return nil
		case err != nil:
			return err
		case m.Attached():
			return model.MediaInUse(id)
		}
		_, err = snap.Ref.Delete(ctx, firestore.LastUpdateTime(snap.UpdateTime))
		return db.Late(err)
	})
}
