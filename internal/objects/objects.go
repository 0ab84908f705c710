// Package objects stores files for download, in a bucket of Cloud Storage or in a local directory. gocloud.dev/blob
// serves both.
package objects

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/gcsblob" // gs://
	"gocloud.dev/gcerrors"

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
		b, err := blob.OpenBucket(ctx, place)
		return &Objects{bucket: b}, err
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

// Put writes a whole file, and replaces an existing file of the name.
func (o *Objects) Put(ctx context.Context, name string, data []byte) (err error) {
	defer errs.Wrap(&err, "objects.Put(%q, %d)", name, len(data))
	return o.bucket.WriteAll(ctx, name, data, &blob.WriterOptions{BufferSize: bufferSize, ContentType: "application/zip"})
}

// Writer writes a file in parts. Browsers save the file under the name saveAs. The file exists only after the writer is
// closed, and not at all if ctx ends before.
func (o *Objects) Writer(ctx context.Context, name, saveAs string) (_ io.WriteCloser, err error) {
	defer errs.Wrap(&err, "objects.Writer(%q)", name)
	return o.bucket.NewWriter(ctx, name, &blob.WriterOptions{
		BufferSize: bufferSize, ContentType: "application/zip",
		ContentDisposition: mime.FormatMediaType("attachment", map[string]string{"filename": saveAs}),
	})
}

// Read reads a whole file. A missing file is errs.NotFound.
func (o *Objects) Read(ctx context.Context, name string) (_ []byte, err error) {
	defer errs.Wrap(&err, "objects.Read(%q)", name)
	data, err := o.bucket.ReadAll(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, &errs.Error{Kind: errs.NotFound, Err: err}
	}
	return data, err
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

// Remove removes a file. Removing a missing file is not an error.
func (o *Objects) Remove(ctx context.Context, name string) (err error) {
	defer errs.Wrap(&err, "objects.Remove(%q)", name)
	err = o.bucket.Delete(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return err
}

// Link returns a URL with which anyone can download a file for a limited time.
func (o *Objects) Link(ctx context.Context, name string, during time.Duration) (_ string, err error) {
	defer errs.Wrap(&err, "objects.Link(%q)", name)
	return o.bucket.SignedURL(ctx, name, &blob.SignedURLOptions{Expiry: during, Method: http.MethodGet})
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
