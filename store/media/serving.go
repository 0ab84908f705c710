package media

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Signature is the part of an address that lets anybody who has it load a file until it expires. It names the audience
// of the tweet, so an address ends when the tweet gets another audience, is flagged, or is deleted.
type Signature struct {
	Expires int64  // in seconds since 1970
	MAC     string // in URL-safe base64
}

// Served is a file that a request may have.
type Served struct {
	*model.Media
	Size   model.MediaSize
	Public bool // without a signature
}

// scope is what a signature is for: a tweet's audience, or the owner alone.
func scope(a model.Audience, flagged bool) string {
	if a == "" {
		a = model.Public // as previews have it
	}
	return fmt.Sprintf("%s %t", a, flagged)
}

// ownerScope is the scope of media that no tweet has yet.
const ownerScope = "owner"

// open reports whether everybody may see media of a tweet.
func open(a model.Audience, flagged bool) bool {
	return !flagged && (a == "" || a == model.Public || a == model.Unlisted)
}

// Addresses returns the addresses of the sizes of media of a tweet with an audience. Only a caller who may see the
// tweet may get them. Those of a tweet that everybody may see are short; the others are signed, and good for 1 to 2
// hours.
func (s *Store) Addresses(m model.TweetMedia, a model.Audience, flagged bool) map[string]string {
	suffix := ""
	if !open(a, flagged) {
		suffix = s.suffix(m.ID, scope(a, flagged))
	}
	return s.addresses(m, suffix)
}

// HeldAddresses returns the addresses of the sizes of media of a held reply, for its author and the user who approves
// it. They are signed, and good for 1 to 2 hours, as long as no tweet has taken the media.
func (s *Store) HeldAddresses(m model.TweetMedia) map[string]string {
	return s.addresses(m, s.suffix(m.ID, ownerScope))
}

func (s *Store) addresses(m model.TweetMedia, suffix string) map[string]string {
	all := map[string]string{}
	for _, size := range m.SizeNames() {
		all[size] = model.MediaAddress(s.o.URL, m.ID, size) + suffix
	}
	return all
}

// PublicAddresses returns the addresses of the sizes of media that everybody may see, such as those of a product.
func (s *Store) PublicAddresses(m model.TweetMedia) map[string]string { return s.addresses(m, "") }

// OwnAddresses returns the addresses of the sizes of ready media, for its owner.
func (s *Store) OwnAddresses(m *model.Media) map[string]string {
	suffix := ""
	if !m.ForEverybody() {
		suffix = s.suffix(m.ID, ownerScope)
	}
	all := map[string]string{}
	for size := range m.Sizes {
		all[size] = model.MediaAddress(s.o.URL, m.ID, size) + suffix
	}
	return all
}

// Address completes the address of a picture of a profile. Profiles, and tweets with their authors, have the path of an
// uploaded one alone. The address of a picture of another host stays as it is.
func (s *Store) Address(of string) string {
	if strings.HasPrefix(of, model.MediaPath) {
		return s.o.URL + of
	}
	return of
}

// suffix is the query of a signed address. It is the same for an hour, so that caches of browsers find it.
func (s *Store) suffix(id model.MediaID, scope string) string {
	expires := s.db.Now().Truncate(time.Hour).Add(2 * time.Hour).Unix()
	return "?expires=" + strconv.FormatInt(expires, 10) + "&signature=" + s.mac(id, expires, scope)
}

func (s *Store) mac(id model.MediaID, expires int64, scope string) string {
	mac := hmac.New(sha256.New, s.o.Key)
	fmt.Fprintf(mac, "media\x00%s\x00%d\x00%s", id, expires, scope)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (s *Store) signed(id model.MediaID, by Signature, scope string) bool {
	return s.db.Now().Unix() < by.Expires && hmac.Equal([]byte(by.MAC), []byte(s.mac(id, by.Expires, scope)))
}

// errNoFile is the error of every file that a request may not have, so that none tells from another whether it exists.
var errNoFile = errs.New(errs.NotFound, "media_not_found", "there is no such file, or this address does not open it")

// Serve decides whether a request may have a size of media. by is the signature of its address, zero if it has none. A
// file that the request may not have is errs.NotFound, as a missing one is.
//
// A tweet in the cache may be a moment old, see access.Options.
//
// The API has no limits of callers here, so an id of nothing is remembered for refusedTrust: it costs 1 read for all
// who ask meanwhile. A signature of its owner is looked at nevertheless.
//
// Cost: nothing if cached; otherwise 1 read of the record, and 1 of its tweet. If the tweet of a cached record is gone,
// 1 read of the record, and 1 of the tweet that has it now.
func (s *Store) Serve(ctx context.Context, id model.MediaID, size string, by Signature) (_ *Served, err error) {
	defer errs.Wrap(&err, "media.Serve(%q, %q)", id, size)
	if !s.On() {
		return nil, errOff
	}
	own := s.signed(id, by, ownerScope)
	if at, ok := s.refused.Get(id); ok && s.db.Now().Sub(at) < refusedTrust && !own {
		return nil, errNoFile
	}
	m, known, err := s.record(ctx, id)
	if err != nil {
		return nil, err
	}
	f, gone, err := s.file(ctx, m, size, by, own)
	if gone && known { // its tweet may have left it to another one, or to its owner
		s.cache.Remove(id)
		if m, _, err = s.record(ctx, id); err != nil {
			return nil, err
		}
		f, gone, err = s.file(ctx, m, size, by, own)
	}
	if gone {
		return nil, s.refuse(id)
	}
	return f, err
}

// file returns a file of a record, if a request may have it. gone means that no request may have any: there is no
// record, nobody but its owner may see it, or its tweet is gone.
//
// Cost: 1 read if the tweet of the record is not cached.
func (s *Store) file(ctx context.Context, m *model.Media, size string, by Signature, own bool) (_ *Served, gone bool,
	err error) {
	if m == nil || m.Expired(s.db.Now()) || m.State != model.MediaReady {
		return nil, true, nil
	}
	file, ok := m.Sizes[size]
	if !ok {
		return nil, false, errNoFile
	}
	public := m.ForEverybody()
	switch {
	case public:
	case m.TweetID == "":
		if !own {
			return nil, true, nil
		}
	default:
		t, found, err := s.access.FindCached(ctx, m.TweetID)
		if err != nil || !found {
			return nil, err == nil, err
		}
		if public = open(t.Visibility, t.IsViolative); !public &&
			!s.signed(m.ID, by, scope(t.Visibility, t.IsViolative)) {
			return nil, false, errNoFile
		}
	}
	return &Served{m, file, public}, false, nil
}

// refusedTrust is how long an id is remembered that no address opens.
const refusedTrust = 3 * time.Second

// refuse remembers an id that no address opens, and returns the error.
func (s *Store) refuse(id model.MediaID) error {
	s.refused.Add(id, s.db.Now())
	return errNoFile
}

// profileTrust is how old the cached record of a picture of a profile or product may be. A record of a tweet does not
// change as long as the tweet is there.
const profileTrust = time.Minute

// record reads a record through the cache; nil if there is none. known is whether it was cached.
//
// Cost: 1 read if it is not cached.
func (s *Store) record(ctx context.Context, id model.MediaID) (_ *model.Media, known bool, err error) {
	now := s.db.Now()
	if c, ok := s.cache.Get(id); ok && (c.TweetID != "" || now.Sub(c.at) < profileTrust) {
		return c.Media, true, nil
	}
	m := &model.Media{ID: id}
	found, err := s.db.Get(ctx, s.db.Media(id), m)
	if err != nil || !found {
		return nil, false, err
	}
	if m.Attached() { // any other may be attached in a moment
		s.cache.Add(id, cached{m, now})
	}
	return m, false, nil
}

// partBytes is how much of a file one request to the bucket reads.
const partBytes = 1 << 20

// Read reads at most length bytes of a file from an offset. The caller closes it. A missing file is errs.NotFound.
//
// The reader holds one part of at most 1 MiB, and no connection to the bucket while its caller does not read: a stream
// would buffer more.
func (s *Store) Read(ctx context.Context, f *Served, size string, offset, length int64) (_ io.ReadCloser, err error) {
	defer errs.Wrap(&err, "media.Read(%q, %q)", f.ID, size)
	r := &parts{load: func(at, length int64) (io.ReadCloser, error) {
		return s.o.Files.ReadRange(ctx, fileName(f.ID, size), at, length)
	}, at: offset, end: offset + length}
	if err = r.next(); errs.KindOf(err) == errs.NotFound {
		return nil, errNoFile
	}
	return r, err
}

// parts reads a file in parts.
type parts struct {
	load    func(at, length int64) (io.ReadCloser, error)
	at, end int64 // of what was not loaded
	buf     bytes.Buffer
}

// next loads the next part, if there is one.
func (p *parts) next() error {
	if p.at >= p.end {
		return nil
	}
	file, err := p.load(p.at, min(partBytes, p.end-p.at))
	if err != nil {
		return err
	}
	defer file.Close()
	n, err := io.Copy(&p.buf, file)
	if p.at += n; err == nil && n == 0 {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Read implements [io.Reader].
func (p *parts) Read(b []byte) (int, error) {
	if p.buf.Len() == 0 {
		if err := p.next(); err != nil {
			return 0, err
		}
	}
	return p.buf.Read(b)
}

// Close implements [io.Closer].
func (p *parts) Close() error { return nil }

// fileName is the name of a size in the bucket of files.
func fileName(id model.MediaID, size string) string { return string(id) + "/" + size }
