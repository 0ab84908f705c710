// Package objects stores files, in a bucket of Cloud Storage or in a local directory. gocloud.dev/blob serves both.
//
// With STORAGE_EMULATOR_HOST in the environment, as host:port, buckets are those of the emulator. The emulator also
// signs addresses, as IAM does in the cloud, so a process on a laptop needs no key.
package objects

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cloud.google.com/go/storage"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"

	"github.com/hibana-sns/hibana/internal/errs"
)

// scheme begins the location of a bucket of Cloud Storage.
const scheme = "gs://"

// Path is the path at which [Objects.ServeHTTP] serves the files of a directory.
const Path = "/exported"

// bufferSize is the buffer of a writer in bytes. Cloud Storage requires multiples of 256 KiB.
const bufferSize = 1 << 20

// Objects are named files. Its methods may be called concurrently.
type Objects struct {
	name   string // of the bucket; empty for a directory
	bucket *blob.Bucket
	signer *fileblob.URLSignerHMAC // for a directory; nil for a bucket, whose links the cloud signs
}

// Valid returns an error for an invalid location. A location is gs:// and the name of a bucket, or the absolute path of
// a directory.
func Valid(place string) error {
	name, cloud := strings.CutPrefix(place, scheme)
	switch {
	case cloud && (name == "" || strings.ContainsAny(name, "/?#")):
		return errors.New("a bucket is as gs://name, without a folder")
	case !cloud && !filepath.IsAbs(place):
		return errors.New("it is neither a bucket, as gs://name, nor the absolute path of a folder")
	}
	return nil
}

// IsFolder reports whether a location is a local directory.
func IsFolder(place string) bool { return place != "" && !strings.HasPrefix(place, scheme) }

// Open opens a location, and creates a missing directory. Links to the files of a directory begin with base, the
// address of the server that serves [Path], such as http://127.0.0.1:8000. The key that signs these links is random, so
// they are valid in the process that created them only.
func Open(ctx context.Context, place, base string) (_ *Objects, err error) {
	defer errs.Wrap(&err, "objects.Open(%q)", place)
	if err := Valid(place); err != nil {
		return nil, err
	}
	if !IsFolder(place) {
		b, err := openBucket(ctx, place)
		return &Objects{name: strings.TrimPrefix(place, scheme), bucket: b}, err
	}
	at, err := url.Parse(base + Path)
	if err != nil {
		return nil, err
	}
	signer := fileblob.NewURLSignerHMAC(at, []byte(rand.Text()+rand.Text()))
	b, err := fileblob.OpenBucket(place, &fileblob.Options{CreateDir: true, DirFileMode: 0o700, NoTempDir: true,
		URLSigner: signer})
	return &Objects{bucket: b, signer: signer}, err
}

// Close frees the connection.
func (o *Objects) Close() error { return o.bucket.Close() }

// Attributes are what a file says about itself to the browsers that load it. An empty field is not sent.
type Attributes struct {
	ContentType  string // such as "image/jpeg"; required
	CacheControl string // such as "private, max-age=3600"
	SaveAs       string // the name under which browsers save the file, instead of showing it
}

func (a Attributes) options() *blob.WriterOptions {
	o := &blob.WriterOptions{BufferSize: bufferSize, ContentType: a.ContentType, CacheControl: a.CacheControl}
	if a.SaveAs != "" {
		o.ContentDisposition = mime.FormatMediaType("attachment", map[string]string{"filename": a.SaveAs})
	}
	return o
}

// Put writes a whole file, and replaces an existing file of the name. A repeat is harmless.
func (o *Objects) Put(ctx context.Context, name string, data []byte, as Attributes) (err error) {
	defer errs.Wrap(&err, "objects.Put(%q, %d)", name, len(data))
	return o.bucket.WriteAll(ctx, name, data, as.options())
}

// Writer writes a file in parts, with a buffer of 1 MiB. The file exists only after the writer is closed, and not at
// all if ctx ends before. It replaces an existing file of the name.
func (o *Objects) Writer(ctx context.Context, name string, as Attributes) (_ io.WriteCloser, err error) {
	defer errs.Wrap(&err, "objects.Writer(%q)", name)
	return o.bucket.NewWriter(ctx, name, as.options())
}

// Read reads a whole file. A missing file is errs.NotFound.
func (o *Objects) Read(ctx context.Context, name string) (_ []byte, err error) {
	defer errs.Wrap(&err, "objects.Read(%q)", name)
	data, err := o.bucket.ReadAll(ctx, name)
	return data, known(err)
}

// File is a file that is being read. The caller closes it.
type File struct {
	io.ReadCloser
	Size        int64 // of the whole file in bytes, also if a part of it is read
	ContentType string
	ModTime     time.Time
}

// Reader reads a file from its beginning. A missing file is errs.NotFound.
func (o *Objects) Reader(ctx context.Context, name string) (*File, error) {
	return o.ReadRange(ctx, name, 0, -1)
}

// ReadRange reads at most length bytes of a file from an offset; all that follow if length is negative. A missing file
// is errs.NotFound. An offset at or behind the end of the file is errs.Invalid with the code range_not_satisfiable.
func (o *Objects) ReadRange(ctx context.Context, name string, offset, length int64) (_ *File, err error) {
	defer errs.Wrap(&err, "objects.ReadRange(%q, %d, %d)", name, offset, length)
	r, err := o.bucket.NewRangeReader(ctx, name, offset, length, nil)
	if err != nil {
		return nil, known(err)
	}
	if offset > 0 && offset >= r.Size() { // a directory says so late
		r.Close()
		return nil, errRange(nil)
	}
	return &File{ReadCloser: r, Size: r.Size(), ContentType: r.ContentType(), ModTime: r.ModTime()}, nil
}

// Info describes a file.
type Info struct {
	Name        string
	Size        int64     // in bytes
	Generation  int64     // changes with every write of the name; 0 in a directory and in a list
	ContentType string    // empty in a list
	ModTime     time.Time // when the file was written
}

// Stat describes a file. A missing file is errs.NotFound.
func (o *Objects) Stat(ctx context.Context, name string) (_ *Info, err error) {
	defer errs.Wrap(&err, "objects.Stat(%q)", name)
	a, err := o.bucket.Attributes(ctx, name)
	if err != nil {
		return nil, known(err)
	}
	i := &Info{Name: name, Size: a.Size, ContentType: a.ContentType, ModTime: a.ModTime}
	var cloud storage.ObjectAttrs
	if a.As(&cloud) {
		i.Generation = cloud.Generation
	}
	return i, nil
}

// List returns at most limit names of files that begin with prefix, in order.
func (o *Objects) List(ctx context.Context, prefix string, limit int) (names []string, err error) {
	defer errs.Wrap(&err, "objects.List(%q)", prefix)
	for all := o.bucket.List(&blob.ListOptions{Prefix: prefix}); len(names) < limit; {
		f, err := all.Next(ctx)
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		names = append(names, f.Key)
	}
	return names, nil
}

// Between yields the files whose names are at least from and below to, in order of their names. An empty from is the
// first name, and an empty to is behind the last. The order is that of bytes.
//
// Cost: 1 request for each 1,000 files, at least 1.
func (o *Objects) Between(ctx context.Context, from, to string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		all := o.bucket.List(&blob.ListOptions{BeforeList: func(as func(any) bool) error {
			var q *storage.Query
			if as(&q) {
				q.StartOffset, q.EndOffset = from, to
			}
			return nil
		}})
		for {
			f, err := all.Next(ctx)
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				err = fmt.Errorf("objects.Between(%q, %q): %w", from, to, err)
				yield(Info{}, err)
				return
			case f.Key < from || to != "" && f.Key >= to: // a directory lists all
			case !yield(Info{Name: f.Key, Size: f.Size, ModTime: f.ModTime}, nil):
				return
			}
		}
	}
}

// known gives an error of the storage its kind.
func known(err error) error {
	var refused *googleapi.Error
	switch {
	case gcerrors.Code(err) == gcerrors.NotFound:
		return &errs.Error{Kind: errs.NotFound, Err: err}
	case errors.As(err, &refused) && refused.Code == http.StatusRequestedRangeNotSatisfiable:
		return errRange(err)
	}
	return err
}

func errRange(cause error) error {
	return &errs.Error{Kind: errs.Invalid, Code: "range_not_satisfiable", Err: cause}
}

// Remove removes a file. Removing a missing file is not an error.
func (o *Objects) Remove(ctx context.Context, name string) (err error) {
	defer errs.Wrap(&err, "objects.Remove(%q)", name)
	err = o.bucket.Delete(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return err
}

// Link returns a URL with which anyone can download a file for a limited time, at most a week.
func (o *Objects) Link(ctx context.Context, name string, during time.Duration) (_ string, err error) {
	defer errs.Wrap(&err, "objects.Link(%q)", name)
	return o.bucket.SignedURL(ctx, name, &blob.SignedURLOptions{Expiry: during, Method: http.MethodGet,
		BeforeSign: sign(func(*storage.SignedURLOptions) {})})
}

// InFolder reports whether the files are in a local directory, which ServeHTTP serves.
func (o *Objects) InFolder() bool { return o.signer != nil }

// ServeHTTP serves the files of a directory. It answers 403 to an invalid or expired link, and if there is no
// directory.
func (o *Objects) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, text string) { http.Error(w, text, status) }
	if o.signer == nil || r.Method != http.MethodGet || r.URL.Query().Get("method") != http.MethodGet {
		refuse(http.StatusForbidden, "The link is wrong.")
		return
	}
	name, err := o.signer.KeyFromURL(r.Context(), r.URL)
	if err != nil {
		refuse(http.StatusForbidden, "The link is wrong or has expired; ask for a new one.")
		return
	}
	f, err := o.bucket.NewReader(r.Context(), name, nil)
	if err != nil {
		refuse(http.StatusNotFound, "The file is gone.")
		return
	}
	defer f.Close()
	h := w.Header()
	h.Set("Content-Type", f.ContentType())
	h.Set("Content-Length", strconv.FormatInt(f.Size(), 10))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if a, err := o.bucket.Attributes(r.Context(), name); err == nil && a.ContentDisposition != "" {
		h.Set("Content-Disposition", a.ContentDisposition)
	}
	if _, err := io.Copy(w, f); err != nil {
		panic(fmt.Errorf("%w: %w", http.ErrAbortHandler, err)) // the client must not take a part for the whole
	}
}
