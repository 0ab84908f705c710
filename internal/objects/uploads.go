package objects

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"cloud.google.com/go/storage"
	"gocloud.dev/blob"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Upload is an address at which anyone can upload one file for a limited time. The client sends Method to URL with
// exactly these Headers and without a body. The answer 201 has the address of an upload session in its header Location.
// The client sends the bytes there with PUT: at once, or in chunks of multiples of 256 KiB. A client that lost an
// answer sends a PUT without a body and with the header "Content-Range: bytes */N", where N is the size of the file.
// The answer 308 then has the header "Range: bytes=0-LAST" with the bytes that have arrived, or no such header if none
// have.
type Upload struct {
	URL     string
	Method  string
	Headers map[string]string // all of them are signed
	Expires time.Time         // until then the session can be started; a started session lives for a week
}

// ChunkBytes is the size of which each chunk of an upload but the last is a multiple.
const ChunkBytes = 256 << 10

// UploadURL returns where a client can upload a file of at most maxBytes bytes. The upload never replaces a file: the
// storage answers 412 if a file of the name exists, 400 to a larger file and after the time, and 403 to another content
// type. A directory takes no uploads.
//
// Cost: in the cloud one request to IAM, which signs for the service's own account.
func (o *Objects) UploadURL(ctx context.Context, name, contentType string, maxBytes int64, during time.Duration) (
	_ Upload, err error) {
	defer errs.Wrap(&err, "objects.UploadURL(%q, %q, %d)", name, contentType, maxBytes)
	if o.InFolder() {
		return Upload{}, errors.New("a directory takes no uploads")
	}
	limit := fmt.Sprintf("0,%d", maxBytes)
	u := Upload{Method: http.MethodPost, Headers: map[string]string{
		"Content-Type":                contentType,
		"X-Goog-Resumable":            "start",
		"X-Goog-Content-Length-Range": limit,
		"X-Goog-If-Generation-Match":  "0",
	}}
	u.URL, err = o.bucket.SignedURL(ctx, name, &blob.SignedURLOptions{
		Method: http.MethodPut, Expiry: during, ContentType: contentType, // gocloud.dev knows no POST
		BeforeSign: sign(func(s *storage.SignedURLOptions) {
			s.Method, u.Expires = http.MethodPost, s.Expires
			s.Headers = []string{"x-goog-resumable:start", "x-goog-content-length-range:" + limit,
				"x-goog-if-generation-match:0"}
		}),
	})
	return u, err
}

// sign chooses the fourth version of signatures, and changes the options of one.
func sign(change func(*storage.SignedURLOptions)) func(func(any) bool) error {
	return func(as func(any) bool) error {
		var s *storage.SignedURLOptions
		if !as(&s) {
			return nil // a directory signs by itself
		}
		s.Scheme, s.Insecure = storage.SigningSchemeV4, emulator() != ""
		change(s)
		return nil
	}
}
