package mastodon

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

const (
	// chunkBytes is how much of a file is in memory: a multiple of 256 KiB, as resumable uploads of Cloud Storage demand.
	chunkBytes = 2 << 20
	// maxParts is the number of parts of a form with a file, and maxPart the largest of the others in bytes.
	maxParts = 10
	maxPart  = 32 << 10
	// tidyTime is the time to remove what an upload that broke off left.
	tidyTime = 5 * time.Second
)

// receive takes a file of a form, and passes it on to where native uploads go, as it comes. Then it waits some seconds
// for a picture to be ready, because many apps post at once; for a video if videos says so.
//
// Cost: that of POST /v1/media, and of PATCH for a description behind the file; 1 read for each look.
func (c *call) receive(videos bool) (any, error) {
	media, options, _ := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	if media != "multipart/form-data" {
		return nil, invalid("send the file as multipart/form-data, in the part file")
	}
	form := multipart.NewReader(c.request.Body, options["boundary"])
	var u *nativeUpload
	var alt *string
	whole := false
	defer func() {
		if u != nil && !whole {
			c.discard(u)
		}
	}()
	for n := 0; ; n++ {
		part, err := form.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && n >= maxParts {
			err = invalid("a form with a file has at most %d parts", maxParts)
		}
		if err != nil {
			return nil, formError(err)
		}
		switch name := part.FormName(); {
		case name == "file" && u == nil:
			if u, err = c.pass(part, alt); err != nil {
				return nil, formError(err)
			}
			alt = nil
		case name == "description":
			text, err := io.ReadAll(io.LimitReader(part, maxPart))
			if err != nil {
				return nil, formError(err)
			}
			alt = new(string(text))
		}
	}
	if u == nil {
		return nil, invalid("the part file is missing")
	}
	if alt != nil {
		if err := c.describe(u, *alt); err != nil {
			return nil, err
		}
	}
	whole = true
	kind := u.Type
	for n, wait := 0, firstLook; n < looks && u.State == uploading && (videos || kind != "video"); n, wait = n+1,
		wait*3/2 {
		select {
		case <-c.Done():
			return nil, c.Err()
		case <-time.After(wait):
		}
		var err error
		if u, err = c.upload(string(u.ID)); err != nil {
			return nil, err
		}
	}
	if u.Type == "" {
		u.Type = kind
	}
	return c.uploaded(u, http.StatusAccepted)
}

// formError is the error of a form that cannot be read: that of its body, or that it is no form.
func formError(err error) error {
	if server.CodeOf(err) != "internal" {
		return err
	}
	return invalid("the body is not a form: %s", model.Snippet(err.Error(), 100))
}

// pass announces the upload of a file, and sends the file there.
func (c *call) pass(file io.Reader, alt *string) (*nativeUpload, error) {
	from := bufio.NewReader(file)
	head, err := from.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	of := typeOf(head, file)
	most := int64(model.MaxImageBytes)
	if strings.HasPrefix(of, "video/") {
		most = model.MaxVideoBytes
	}
	announced := most
	if length := c.request.ContentLength; length > 0 {
		if length > most+maxOverhead {
			return nil, server.TooLarge(most)
		}
		announced = min(length, most)
	}
	body := map[string]any{"contentType": of, "bytes": announced}
	if alt != nil {
		body["alt"] = *alt
	}
	return c.store(body, from, announced, most)
}

// store announces an upload, and sends its file: at most so many bytes as were announced. most is the limit of its
// type.
func (c *call) store(about map[string]any, from *bufio.Reader, announced, most int64) (*nativeUpload, error) {
	u := &nativeUpload{}
	if err := c.send(http.MethodPost, "/v1/media", about, u); err != nil {
		return nil, err
	}
	of, _ := about["contentType"].(string)
	u.Type, _, _ = strings.Cut(of, "/") // until its bytes have decided
	session, err := c.session(u.Upload)
	if err == nil {
		if err = c.chunks(session, from, announced, most); err != nil {
			c.tidy(func(ctx context.Context) { c.storage(ctx, http.MethodDelete, session, nil, nil) })
		}
	}
	if err != nil {
		c.discard(u)
		return nil, err
	}
	return u, nil
}

// typeOf is the media type of a file by its first bytes, or else what the form says. What a file is in truth is seen
// when it is whole.
func typeOf(head []byte, file io.Reader) string {
	of, _, _ := strings.Cut(http.DetectContentType(head), ";")
	if strings.HasPrefix(of, "image/") || strings.HasPrefix(of, "video/") {
		return of
	}
	if part, ok := file.(*multipart.Part); ok {
		said, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
		if err == nil && said != "application/octet-stream" {
			return model.Snippet(said, 50)
		}
	}
	if len(head) > 12 && string(head[4:8]) == "ftyp" { // ISO/IEC 14496-12
		return "video/mp4"
	}
	return of
}

// storageClient asks the storage, whose addresses the native API signs.
var storageClient = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
	return http.ErrUseLastResponse // 308 says that a chunk has come
}}

// storage sends a request to the storage.
func (c *call) storage(ctx context.Context, method, address string, header map[string]string,
	body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	answer, err := storageClient.Do(r)
	if err != nil {
		return nil, storageFailure(err)
	}
	defer answer.Body.Close()
	io.CopyN(io.Discard, answer.Body, 64<<10)
	return answer, nil
}

// storageFailure is the error of a storage that takes no file. Its cause may have a signed address, so it is left out
// but for the end of the request.
func storageFailure(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return errs.New(errs.Unavailable, "upload_broken", "the upload took too long; try again")
	}
	return errs.New(errs.Unavailable, "upload_broken", "the storage does not take the file now; try again")
}

// session begins an upload, and returns where its bytes go.
func (c *call) session(to nativeTarget) (string, error) {
	answer, err := c.storage(c, to.Method, to.URL, to.Headers, nil)
	if err != nil {
		return "", err
	}
	if session := answer.Header.Get("Location"); answer.StatusCode < 300 && session != "" {
		return session, nil
	}
	return "", storageFailure(nil)
}

// chunks sends a file. It has at most so many bytes as were announced; most is the limit of its type.
func (c *call) chunks(session string, file *bufio.Reader, announced, most int64) error {
	buf := make([]byte, min(chunkBytes, announced+1))
	for sent := int64(0); ; {
		n, err := io.ReadFull(file, buf)
		if err == nil {
			_, err = file.Peek(1)
		}
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		switch {
		case err != nil && !last:
			return err
		case sent+int64(n) > announced:
			return server.TooLarge(most)
		case n == 0:
			return invalid("the file is empty")
		}
		part, want := fmt.Sprintf("bytes %d-%d/*", sent, sent+int64(n)-1), http.StatusPermanentRedirect
		if sent += int64(n); last {
			part, want = fmt.Sprintf("bytes %d-%d/%d", sent-int64(n), sent-1, sent), http.StatusOK
		}
		answer, err := c.storage(c, http.MethodPut, session, map[string]string{"Content-Range": part}, buf[:n])
		if err != nil {
			return err
		}
		if answer.StatusCode != want && (!last || answer.StatusCode != http.StatusCreated) {
			return storageFailure(nil)
		}
		if last {
			return nil
		}
	}
}

// discard removes an upload that broke off. Should that fail, the upload expires.
func (c *call) discard(u *nativeUpload) {
	c.tidy(func(ctx context.Context) {
		c.api.Native.Within(ctx, http.MethodDelete, native("media", string(u.ID)), nil, nil)
	})
}

func (c *call) tidy(do func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context), tidyTime)
	defer cancel()
	do(ctx)
}
