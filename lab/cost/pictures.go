package cost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/meter"
)

// The operations of a day with pictures, beside those of any other day.
const (
	pictureUpload = "picture"      // the upload before a post that has it
	avatarChange  = "avatar"       // upload and profile
	pictureView   = "picture view" // a file that the browser does not have
)

const (
	postsAPicture = 10 // one of so many posts and replies has a picture
	usersAnAvatar = 20 // one of so many users changes the avatar
	avatarAt      = 12 * time.Hour
)

// gallery is what a run knows of pictures. Its choices take no random numbers, so that a day has the same other
// operations with pictures and without.
type gallery struct {
	file  []byte                  // of each upload
	posts int                     // so far
	ready map[int]string          // by user: the id of an upload that the next post takes
	has   map[int]map[string]bool // by user: addresses that the browser has loaded on this day
	page  []shownTweet            // the newest home page
}

// newGallery draws the picture that all users upload. What Firestore bills does not depend on its size.
func newGallery() (*gallery, error) {
	m := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 {
		m.Set(i, i, color.RGBA{R: 200, G: uint8(4 * i), B: 30, A: 255})
	}
	var file bytes.Buffer
	err := png.Encode(&file, m)
	return &gallery{file: file.Bytes(), ready: map[int]string{}, has: map[int]map[string]bool{}}, err
}

// illustrates reports whether an operation is a post with a picture. It counts the posts.
func (g *gallery) illustrates(op operation) bool {
	if g == nil || op.name != postTweet && op.name != replyTweet {
		return false
	}
	g.posts++
	return g.posts%postsAPicture == 0
}

// avatars lists the changes of avatars on a day.
func (g *gallery) avatars(users int) (all []operation) {
	if g == nil {
		return nil
	}
	for user := range users {
		if user%usersAnAvatar == usersAnAvatar/2-1 {
			all = append(all, operation{user: user, name: avatarChange, at: avatarAt})
		}
	}
	return all
}

// forget begins a day: a browser keeps a file for a day.
func (g *gallery) forget() {
	if g != nil {
		clear(g.has)
	}
}

// show notes the newest home page.
func (g *gallery) show(page []shownTweet) {
	if g != nil {
		g.page = page
	}
}

// unseen returns the files of the newest home page that the user's browser does not have. It has them then.
func (g *gallery) unseen(user int) (addresses []string) {
	if g == nil {
		return nil
	}
	if g.has[user] == nil {
		g.has[user] = map[string]bool{}
	}
	load := func(address string) {
		if address != "" && !g.has[user][address] {
			g.has[user][address] = true
			addresses = append(addresses, address)
		}
	}
	for _, t := range g.page {
		load(t.Author.Avatar)
		for _, m := range t.Media {
			load(m.URLs.Small)
		}
	}
	return addresses
}

// upload uploads a picture as a user: the announcement, the file, its event, and one question whether it is ready. The
// bill is that of the API.
func (r *run) upload(ctx context.Context, user, kind string) (id string, b Bill, err error) {
	var made struct {
		ID     string
		Upload struct {
			URL, Method string
			Headers     map[string]string
		}
	}
	if b, err = r.call(ctx, user, http.MethodPost, "/v1/media", map[string]any{"kind": kind, "contentType": "image/png",
		"bytes": len(r.gallery.file), "alt": "A line"}, &made); err != nil {
		return "", b, err
	}
	session, err := r.send(ctx, made.Upload.Method, made.Upload.URL, made.Upload.Headers, nil)
	if err == nil {
		_, err = r.send(ctx, http.MethodPut, session.Get("Location"), nil, r.gallery.file)
	}
	if err == nil {
		err = r.Idle(ctx)
	}
	if err != nil {
		return "", b, err
	}
	var is struct{ State, Failure string }
	asked, err := r.call(ctx, user, http.MethodGet, "/v1/media/"+made.ID, nil, &is)
	if err == nil && is.State != "ready" {
		err = fmt.Errorf("cost: a picture is %s after its event: %s", is.State, is.Failure)
	}
	r.Functions.keep(made.ID)
	return made.ID, b.plus(asked), err
}

// send sends bytes to Cloud Storage, and returns the headers of a successful answer.
func (s *system) send(ctx context.Context, method, url string, headers map[string]string, data []byte) (http.Header,
	error) {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode > 299 {
		return nil, fmt.Errorf("%s of a picture: %s", method, resp.Status)
	}
	return resp.Header, nil
}

// setAvatar uploads a picture and makes it the avatar of a user.
func (r *run) setAvatar(ctx context.Context, user string) (Bill, error) {
	id, b, err := r.upload(ctx, user, "avatar")
	if err != nil {
		return b, err
	}
	of, err := r.call(ctx, user, http.MethodPatch, "/v1/users/me", map[string]string{"avatarMedia": id}, nil)
	r.Functions.keep(id)
	return b.plus(of), err
}

// pictured performs an operation of this file. ok is false for any other.
func (r *run) pictured(ctx context.Context, op operation) (b Bill, would func(baseline) Bill, ok bool, err error) {
	switch op.name {
	case pictureUpload:
		r.gallery.ready[op.user], b, err = r.upload(ctx, r.names[op.user], "tweet")
		return b, baseline.picture, true, err
	case avatarChange:
		b, err = r.setAvatar(ctx, r.names[op.user])
		return b, baseline.avatar, true, err
	}
	return b, nil, false, nil
}

// publish posts a tweet with the picture that its author has uploaded for it, if there is one, and remembers the tweet.
func (r *run) publish(ctx context.Context, user int, text, replyTo string) (b Bill, err error) {
	var media []string
	if r.gallery != nil && r.gallery.ready[user] != "" {
		media = []string{r.gallery.ready[user]}
		delete(r.gallery.ready, user)
	}
	id, b, err := r.post(ctx, r.names[user], text, replyTo, media...)
	r.tweets[user] = append(r.tweets[user], id)
	r.Functions.keep(media...)
	return b, err
}

// views loads what the newest home page shows and the user's browser does not have, and reports the bill.
func (r *run) views(ctx context.Context, user int) error {
	for _, address := range r.gallery.unseen(user) {
		b, err := r.view(ctx, address)
		if err != nil {
			return err
		}
		r.report.add(pictureView, b, nil, 0, func(baseline) Bill { return Bill{} })
	}
	return nil
}

// view loads a file.
func (s *system) view(ctx context.Context, address string) (b Bill, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+address, nil)
	if err != nil {
		return b, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return b, err
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if err == nil && (resp.StatusCode != http.StatusOK || n == 0) {
		err = fmt.Errorf("%s: %s with %d bytes", address, resp.Status, n)
	}
	select {
	case b = <-s.files:
	case <-ctx.Done():
		err = errors.Join(err, ctx.Err())
	}
	return b, err
}

type billKey struct{}

// tellFiles passes requests to a handler, and sends the bill of each request for a file to s.files. The answer does not
// have it, because shared caches keep the answer.
func (s *system) tellFiles(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !strings.HasPrefix(req.URL.Path, "/media/") {
			h.ServeHTTP(w, req)
			return
		}
		var b Bill
		defer func() { s.files <- b }()
		h.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), billKey{}, &b)))
	})
}

// fileBills is the log handler of the API. It reads the bill of a request of [system.tellFiles] from its line.
type fileBills struct{ slog.Handler }

func (fileBills) Enabled(context.Context, slog.Level) bool { return true }

func (h fileBills) Handle(ctx context.Context, r slog.Record) error {
	if b, ok := ctx.Value(billKey{}).(*Bill); ok {
		r.Attrs(func(a slog.Attr) bool {
			if c, ok := a.Value.Any().(meter.Counts); ok {
				*b = billOf(c)
			}
			return true
		})
	}
	if !h.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// keep notes that uploads do not expire, because a post or a profile takes them. [Instrument.wrote] sees only that they
// were written, so keep follows each such write.
func (in *Instrument) keep(ids ...string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, id := range ids {
		if path := "media/" + id; in.awaiting[path] {
			delete(in.awaiting, path)
			in.expired--
		}
	}
}

// picture is the bill of a picture before its post, which takes it at no further cost: its record. Whoever has the
// address may load the file.
func (baseline) picture() Bill { return Bill{Writes: 1} }

// avatar is the bill of a picture, and of the edit of a profile.
func (l baseline) avatar() Bill { return l.picture().plus(Bill{Reads: 1, Writes: 1}) }
