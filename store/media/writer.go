package media

import (
	"context"
	"encoding/hex"
	"io"
	"iter"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/media"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Writer does what uploads and deleted records cause. Functions have it.
type Writer struct {
	*Store
	processor *media.Processor // one file at a time
}

// NewWriter returns a writer of a database. Only packages below store have a [db.DB].
func NewWriter(s *Store) *Writer { return &Writer{s, media.New(media.DefaultLimits)} }

// kinds are the kinds of package media.
var kinds = map[model.MediaKind]media.Kind{
	model.MediaTweet: media.Attachment, model.MediaAvatar: media.Avatar, model.MediaHeader: media.Banner,
	model.MediaProduct: media.Attachment,
}

// cacheControl is what Cloud Storage says of a result to the API.
const cacheControl = "private, max-age=0"

// Uploaded does what a finished upload causes: it checks and processes the file, writes its sizes, makes the record
// ready, or failed with the code of the reason, and removes the upload. name is that of the file, which is the id of
// the record. generation is that of the event; a file that was written under the name before or later stays, and has an
// event of its own.
//
// A repetition writes the same files. It finds a record that is not uploading any more, and only removes the upload. If
// the upload is gone, Uploaded changes nothing. If the record is gone, before or after the files are written, Uploaded
// removes them.
//
// Cost: 2 reads and 1 write; 1 read more for a video with a poster; 1 read for a record that is not uploading.
func (w *Writer) Uploaded(ctx context.Context, name string, generation int64) (err error) {
	defer errs.Wrap(&err, "media.Uploaded(%q, %d)", name, generation)
	if !w.On() {
		return errOff
	}
	upload := w.o.Uploads.Version(name, generation)
	id, err := model.ParseMediaID(name)
	if err != nil {
		return upload.Remove(ctx) // nobody can have put it there but an operator
	}
	m := model.Media{ID: id}
	found, err := w.db.Get(ctx, w.db.Media(id), &m)
	switch {
	case err != nil:
		return err
	case !found:
		return w.removeFiles(ctx, id)
	case m.State != model.MediaUploading:
		return upload.Remove(ctx)
	}
	done, err := w.process(ctx, &m, upload)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return nil // another delivery has done it, the lifecycle of the bucket has removed it, or a later one replaced it
	case errs.KindOf(err) == errs.Invalid:
		done = []firestore.Update{{Path: fields.State, Value: model.MediaFailed}, {Path: fields.Failure,
			Value: errs.CodeOf(err)}}
	case err != nil:
		return err
	}
	there, err := w.finish(ctx, id, done)
	if err != nil {
		return err
	}
	if !there {
		return w.removeFiles(ctx, id)
	}
	return upload.Remove(ctx)
}

// finish writes the result into a record that is still uploading, and returns whether there is a record.
//
// Cost: 1 read and 1 write.
func (w *Writer) finish(ctx context.Context, id model.MediaID, done []firestore.Update) (there bool, err error) {
	err = w.db.Update(ctx, func(ctx context.Context) error {
		found, err := db.As[model.Media](w.db.Media(id).Get(ctx))
		if there = found.Found; err != nil || !there || found.Doc.State != model.MediaUploading {
			return err
		}
		_, err = found.Snap.Ref.Update(ctx, done, firestore.LastUpdateTime(found.Snap.UpdateTime))
		return db.Late(err) // the owner changed the description or deleted it, or the answer to this commit was lost
	})
	return there, err
}

// process writes the sizes of an upload, and returns what its record says of them. A file that is not taken is
// errs.Invalid, and a missing one errs.NotFound.
//
// The signed address has the announced size, but nothing says that Cloud Storage holds a resumable upload to it. So a
// larger file is not taken here, before anything of it is read.
func (w *Writer) process(ctx context.Context, m *model.Media, version *objects.Version) ([]firestore.Update, error) {
	info, err := version.Stat(ctx)
	if err != nil {
		return nil, err
	}
	if info.Size > m.DeclaredBytes {
		return nil, errs.New(errs.Invalid, media.CodeTooLarge, "the file has %d bytes, and %d were announced", info.Size,
			m.DeclaredBytes)
	}
	upload := &remote{ctx: ctx, version: version, size: info.Size}
	head, err := upload.head()
	if err != nil {
		return nil, err
	}
	t, err := media.Sniff(head)
	if err != nil {
		return nil, err
	}
	if t == media.MP4 && m.Kind == model.MediaTweet {
		p, err := w.poster(ctx, m)
		if err != nil {
			return nil, err
		}
		return w.video(ctx, m, upload, p)
	}
	r, err := w.processor.Process(ctx, upload, info.Size, kinds[m.Kind])
	if err != nil {
		return nil, err
	}
	sizes := map[string]media.Picture{model.SizeSmall: r.Small, model.SizeLarge: r.Large}
	if r.Animation != nil {
		sizes[model.SizeOriginal] = *r.Animation
	}
	all := map[string]model.MediaSize{}
	for size, p := range sizes {
		if err := w.o.Files.Put(ctx, fileName(m.ID, size), p.Data, objects.Attributes{ContentType: string(p.Type),
			CacheControl: cacheControl}); err != nil {
			return nil, err
		}
		all[size] = model.MediaSize{Width: p.Width, Height: p.Height, Bytes: int64(len(p.Data)), ContentType: string(p.Type)}
	}
	return result(model.MediaImage, r.Large.Width, r.Large.Height, 0, r.Animation != nil, r.BlurHash, r.Hash, all), nil
}

// video copies a video without what a player does not need, and gives it the sizes of its poster.
func (w *Writer) video(ctx context.Context, m *model.Media, upload *remote, p poster) ([]firestore.Update, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out, err := w.o.Files.Writer(ctx, fileName(m.ID, model.SizeOriginal), objects.Attributes{
		ContentType: string(media.MP4), CacheControl: cacheControl})
	if err != nil {
		return nil, err
	}
	r, err := w.processor.CopyVideo(ctx, out, upload, upload.size)
	if err != nil {
		cancel() // so that Close leaves no file
		out.Close()
		return nil, err
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	i := r.Info
	sizes := map[string]model.MediaSize{model.SizeOriginal: {Width: i.Width, Height: i.Height, Bytes: upload.size,
		ContentType: string(media.MP4)}}
	if err := w.give(ctx, p, m.ID, sizes); err != nil {
		return nil, err
	}
	return result(model.MediaVideo, i.Width, i.Height, i.Duration, false, p.blurhash, r.Hash, sizes), nil
}

// result returns the fields of a ready record.
func result(kind string, width, height int, duration time.Duration, animated bool, blurhash string, hash media.Hash,
	sizes map[string]model.MediaSize) []firestore.Update {
	return []firestore.Update{
		{Path: fields.State, Value: model.MediaReady}, {Path: fields.Type, Value: kind},
		{Path: fields.Width, Value: width}, {Path: fields.Height, Value: height},
		{Path: fields.DurationMs, Value: db.OrDelete(duration.Milliseconds(), duration == 0)},
		{Path: fields.Animated, Value: db.OrDelete(animated, !animated)},
		{Path: fields.Blurhash, Value: db.OrDelete(blurhash, blurhash == "")},
		{Path: fields.SHA256, Value: hex.EncodeToString(hash[:])}, {Path: fields.Sizes, Value: sizes},
	}
}

// Remove removes the files of a record that is gone. A record that is there keeps its files.
//
// Cost: 1 read.
func (w *Writer) Remove(ctx context.Context, id model.MediaID) (err error) {
	defer errs.Wrap(&err, "media.Remove(%q)", id)
	if !w.On() {
		return nil
	}
	there, err := w.db.Get(ctx, w.db.Media(id), nil)
	if err != nil || there {
		return err
	}
	return w.removeFiles(ctx, id)
}

// sizesAtMost is more files than media have.
const sizesAtMost = 10

// removeFiles removes the sizes of media, and the upload.
func (w *Writer) removeFiles(ctx context.Context, id model.MediaID) error {
	names, err := w.o.Files.List(ctx, fileName(id, ""), sizesAtMost)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := w.o.Files.Remove(ctx, name); err != nil {
			return err
		}
	}
	return w.o.Uploads.Remove(ctx, string(id))
}

// blockBytes is how much of an upload one request reads at least.
const blockBytes = 1 << 20

// remote reads a file of a bucket at any place. It keeps the last block that it read, so that short reads in a row cost
// one request. It is not safe for concurrent use.
type remote struct {
	ctx     context.Context
	version *objects.Version
	size    int64

	block []byte
	at    int64 // of block
}

// ReadAt fills b as [io.ReaderAt] demands.
func (r *remote) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) {
		here := off + int64(n)
		if here >= r.size {
			return n, io.EOF
		}
		if here < r.at || here >= r.at+int64(len(r.block)) {
			if err := r.load(here, max(blockBytes, int64(len(b)-n))); err != nil {
				return n, err
			}
		}
		n += copy(b[n:], r.block[here-r.at:])
	}
	return n, nil
}

// load reads a block.
func (r *remote) load(at, length int64) error {
	f, err := r.version.ReadRange(r.ctx, at, length)
	if err != nil {
		return err
	}
	defer f.Close()
	block, err := io.ReadAll(f)
	if err == nil && len(block) == 0 {
		err = io.ErrUnexpectedEOF
	}
	r.block, r.at = block, at
	return err
}

// head is the beginning of the file, from which its type follows.
func (r *remote) head() ([]byte, error) {
	b := make([]byte, min(r.size, media.SniffLen))
	_, err := r.ReadAt(b, 0)
	return b, err
}

// StoredFile is a file of the bucket of media.
type StoredFile struct {
	Name    string
	ID      model.MediaID // empty for a name that no program of Hibana gives
	Size    string        // such as "small"
	Written time.Time
}

// Between yields the files of media whose ids come after one id, up to another one, in the order of ids. An empty after
// is before the first id, and an empty to is the last.
//
// Cost: a list of the bucket for each 1,000 files, at least 1.
func (w *Writer) Between(ctx context.Context, after, to model.MediaID) iter.Seq2[StoredFile, error] {
	return func(yield func(StoredFile, error) bool) {
		for f, err := range w.o.Files.Between(ctx, behind(after), behind(to)) {
			file := StoredFile{Name: f.Name, Written: f.ModTime}
			id, size, _ := strings.Cut(f.Name, "/")
			if id, err := model.ParseMediaID(id); err == nil && size != "" {
				file.ID, file.Size = id, size
			}
			if !yield(file, err) {
				return
			}
		}
	}
}

// behind is the first name behind all files of media; empty for no id.
func behind(id model.MediaID) string {
	if id == "" {
		return ""
	}
	return string(id) + string('/'+1)
}
