package model

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// MediaID names an uploaded picture or video: 24 lower-case hexadecimal digits, at random. It is in public addresses,
// and is no secret.
type MediaID string

const mediaIDLength = 24

// NewMediaID returns a random id.
func NewMediaID() MediaID {
	var id [mediaIDLength / 2]byte
	rand.Read(id[:]) // it never fails
	return MediaID(hex.EncodeToString(id[:]))
}

// ParseMediaID checks the form of a media id. Any other text is errs.Invalid.
func ParseMediaID(s string) (MediaID, error) {
	if !isHex(s, mediaIDLength) {
		return "", errs.New(errs.Invalid, "invalid_media_id", "the id of media is %d lower-case hexadecimal digits",
			mediaIDLength)
	}
	return MediaID(s), nil
}

// MediaKind is the use of an upload. It decides the sizes that are made, and who may see them.
type MediaKind string

// All kinds.
const (
	MediaTweet   MediaKind = "tweet"   // a picture or video of a post
	MediaAvatar  MediaKind = "avatar"  // of a profile; everybody may see it
	MediaHeader  MediaKind = "header"  // the wide picture of a profile; everybody may see it
	MediaProduct MediaKind = "product" // a picture of a product of the shop; everybody may see it
)

// MediaState is the progress of an upload.
type MediaState string

// All states.
const (
	MediaUploading MediaState = "uploading" // the file is on its way, or a function works on it
	MediaReady     MediaState = "ready"     // its sizes can be shown
	MediaFailed    MediaState = "failed"    // the file is no picture or video that Hibana takes
)

// Types of media.
const (
	MediaImage = "image"
	MediaVideo = "video"
)

// Names of sizes. An image has small and large, and an animation the moving original besides. A video has the original,
// and with a poster the small and large of the poster.
const (
	SizeSmall    = "small"
	SizeLarge    = "large"
	SizeOriginal = "original"
)

// Media is the record of an upload: media/{mediaId}. Its files are in a bucket, one for each size, and go when the
// record goes. A record that no post, message, profile and product uses expires.
type Media struct {
	ID      MediaID    `firestore:"-"`
	OwnerID UserID     `firestore:"ownerId"`
	Kind    MediaKind  `firestore:"kind"`
	State   MediaState `firestore:"state"`
	Failure string     `firestore:"failure,omitempty"` // the code of a failed upload, as media_damaged

	// Declared are the content type and the bytes that the client announced.
	DeclaredType  string `firestore:"declaredType"`
	DeclaredBytes int64  `firestore:"declaredBytes"`
	// Alt describes the picture in words. An attached picture has its text in its tweet.
	Alt string `firestore:"alt,omitempty"`
	// PosterID is of an upload of the owner, a picture that shows a video until it plays. The video gets a copy of it.
	PosterID MediaID `firestore:"posterId,omitempty"`

	// The result of a ready upload.
	Type       string               `firestore:"type,omitempty"` // image or video
	Width      int                  `firestore:"width,omitempty"`
	Height     int                  `firestore:"height,omitempty"`
	DurationMs int64                `firestore:"durationMs,omitempty"` // of a video
	Animated   bool                 `firestore:"animated,omitempty"`   // an image that moves
	Blurhash   string               `firestore:"blurhash,omitempty"`
	SHA256     string               `firestore:"sha256,omitempty"` // of the uploaded file, in hexadecimal digits
	Sizes      map[string]MediaSize `firestore:"sizes,omitempty"`

	// TweetID is of the tweet that shows it. It changes only with the deletion of that tweet, if it keeps the media.
	TweetID TweetID `firestore:"tweetId,omitempty"`
	// ConversationID and MessageID are of the message that shows it; they never change.
	ConversationID ConversationID `firestore:"conversationId,omitempty"`
	MessageID      MessageID      `firestore:"messageId,omitempty"`
	InProfile      bool           `firestore:"inProfile,omitempty"` // its owner's profile shows it, or did
	ProductID      ProductID      `firestore:"productId,omitempty"` // the product that shows it, or did
	CreatedAt      time.Time      `firestore:"createdAt"`
	// ExpireAt is absent while a tweet, profile or product uses the record. Readers compare it with the clock.
	ExpireAt time.Time `firestore:"expireAt,omitempty"`
}

// MediaSize is a file of media.
type MediaSize struct {
	Width       int    `firestore:"width"`
	Height      int    `firestore:"height"`
	Bytes       int64  `firestore:"bytes"`
	ContentType string `firestore:"contentType"`
}

// Attached reports whether a tweet, a message, a profile or a product uses the record.
func (m *Media) Attached() bool { return m.TweetID != "" || m.ConversationID != "" || m.ForEverybody() }

// ForEverybody reports whether a profile or a product shows the record, or did: then everybody may see it.
func (m *Media) ForEverybody() bool { return m.InProfile || m.ProductID != "" }

// Shown reports whether a tweet or a message shows the record, or a profile or product does now. A picture that left
// one of these is not shown.
func (m *Media) Shown() bool {
	return m.TweetID != "" || m.ConversationID != "" || m.ForEverybody() && m.ExpireAt.IsZero()
}

// Expired reports whether the record counts as deleted.
func (m *Media) Expired(now time.Time) bool { return !m.ExpireAt.IsZero() && !now.Before(m.ExpireAt) }

// Embedded is the part of ready media that a tweet carries, with the beginning of a description.
func (m *Media) Embedded(alt string) TweetMedia {
	return TweetMedia{ID: m.ID, Type: m.Type, Width: m.Width, Height: m.Height, Blurhash: m.Blurhash,
		DurationMs: m.DurationMs, Animated: m.Animated}.withAlt(alt)
}

// TweetMedia is a picture or video of a tweet, as lists show it.
type TweetMedia struct {
	ID         MediaID `firestore:"id"`
	Type       string  `firestore:"type"` // image or video
	Width      int     `firestore:"width"`
	Height     int     `firestore:"height"`
	Blurhash   string  `firestore:"blurhash"`
	Alt        string  `firestore:"alt,omitempty"`        // the first MaxEmbeddedAlt characters
	AltCut     bool    `firestore:"altCut,omitempty"`     // the description is longer
	DurationMs int64   `firestore:"durationMs,omitempty"` // of a video
	Animated   bool    `firestore:"animated,omitempty"`
}

// withAlt is the media with the beginning of a description.
func (m TweetMedia) withAlt(alt string) TweetMedia {
	m.Alt = Snippet(alt, MaxEmbeddedAlt)
	m.AltCut = m.Alt != alt
	return m
}

// NewMedia is the announcement of an upload.
type NewMedia struct {
	Kind        MediaKind
	ContentType string // what the file claims to be; its bytes decide
	Bytes       int64
	Alt         string
	Poster      MediaID // of a video: another upload of the user, or empty
}

// mediaLimits has the largest files, by declared type.
var mediaLimits = map[string]int64{
	"image/jpeg": MaxImageBytes, "image/png": MaxImageBytes, "image/webp": MaxImageBytes, "image/gif": MaxImageBytes,
	"video/mp4": MaxVideoBytes,
}

// MediaTypes lists the content types that may be uploaded, sorted.
func MediaTypes() (types []string) {
	for t := range mediaLimits {
		types = append(types, t)
	}
	slices.Sort(types)
	return types
}

// Clean returns the announcement with its text in NFC. A type that is not taken, a size beyond its limit, a video for a
// profile or product, a poster of a picture and a text beyond its limit are errs.Invalid.
func (n NewMedia) Clean() (_ NewMedia, err error) {
	limit, ok := mediaLimits[n.ContentType]
	switch {
	case n.Kind != MediaTweet && n.Kind != MediaAvatar && n.Kind != MediaHeader && n.Kind != MediaProduct:
		return n, errs.New(errs.Invalid, "invalid_request", "kind is %s, %s, %s or %s", MediaTweet, MediaAvatar, MediaHeader,
			MediaProduct)
	case !ok || n.Kind != MediaTweet && strings.HasPrefix(n.ContentType, "video/"):
		return n, errs.New(errs.Invalid, "media_type_unsupported", "a file of type %q is not taken; take one of %s",
			Snippet(n.ContentType, 50), strings.Join(MediaTypes(), ", "))
	case n.Bytes < 1 || n.Bytes > limit:
		return n, errs.New(errs.Invalid, "media_too_large", "the file has %d bytes; one of type %s has 1 to %d", n.Bytes,
			n.ContentType, limit)
	}
	if n.Poster != "" {
		if _, err := ParseMediaID(string(n.Poster)); err != nil {
			return n, err
		}
		if !strings.HasPrefix(n.ContentType, "video/") {
			return n, errs.New(errs.Invalid, "invalid_request", "poster is for a video, and the file is of type %s",
				n.ContentType)
		}
	}
	n.Alt, err = cleanText("alt", n.Alt, MaxAlt)
	return n, err
}

// CleanAlt returns a description in NFC. Beyond MaxAlt characters it is errs.Invalid.
func CleanAlt(alt string) (string, error) { return cleanText("alt", alt, MaxAlt) }

// NoMedia returns the error of an id under which the caller has no media: it is unknown, expired, or another user's.
func NoMedia(id MediaID) error {
	return errs.New(errs.NotFound, "media_not_found", "you have no media %q; what nothing uses goes after a day, "+
		"and with a draft after %d days", string(id), int(DraftMediaWindow.Hours()/24))
}

// MediaInUse returns the error of media that a post, a message, a profile or a product uses already.
func MediaInUse(id MediaID) error {
	return errs.New(errs.Conflict, "media_in_use", "media %q belongs to a post, a message, a profile or a product "+
		"already; upload it again to use it once more", string(id))
}

// Usable returns an error unless a post, profile or product of a user can take the record: errs.NotFound for another's,
// errs.Conflict for one in use (media_in_use) or not ready (media_processing), errs.Invalid for a failed one and one of
// another kind.
func (m *Media) Usable(by UserID, kind MediaKind, now time.Time) error {
	switch {
	case m.OwnerID != by || m.Expired(now):
		return NoMedia(m.ID)
	case m.Attached():
		return MediaInUse(m.ID)
	case m.Kind != kind:
		return errs.New(errs.Invalid, "wrong_media_kind", "media %q was uploaded as %s, and is needed as %s", string(m.ID),
			m.Kind, kind)
	case m.State == MediaFailed:
		return errs.New(errs.Invalid, "media_failed", "media %q cannot be shown (%s); upload another file", string(m.ID),
			m.Failure)
	case m.State != MediaReady:
		return &errs.Error{Kind: errs.Conflict, Code: "media_processing", Err: &NotYet{MediaWait},
			Msg: "media " + string(m.ID) + " is not ready yet; send the request again in some seconds"}
	}
	return nil
}

// DraftUntil returns how long the record stays that a draft has: DraftMediaWindow after the upload, or after the time
// to post of a scheduled tweet. However often the draft is saved or scheduled anew, it is no longer than
// DraftMediaWindow and MaxSchedule after the upload. A time to post near that end or behind it is errs.Invalid.
func (m *Media) DraftUntil(publishAt *time.Time) (time.Time, error) {
	until, most := m.CreatedAt.Add(DraftMediaWindow), m.lastUntil()
	if publishAt == nil {
		return until, nil
	}
	if until = publishAt.Add(DraftMediaWindow); until.After(most) {
		until = most
	}
	if publishAt.Add(MaxLate).After(until) {
		return until, m.tooOld()
	}
	return until, nil
}

// HeldUntil returns how long the record stays that a held reply has: as long as the reply wants. A reply that would
// keep it longer than a scheduled tweet may is errs.Invalid, so that no chain of held replies keeps it for ever.
func (m *Media) HeldUntil(h *HeldReply) (time.Time, error) {
	until := h.MediaUntil()
	if until.After(m.lastUntil()) {
		return until, m.tooOld()
	}
	return until, nil
}

// lastUntil is how long no tweet and no profile needs to use the record, whatever else does.
func (m *Media) lastUntil() time.Time { return m.CreatedAt.Add(MaxSchedule + DraftMediaWindow) }

func (m *Media) tooOld() error {
	return errs.New(errs.Invalid, "media_too_old", "media %q was uploaded on %s, and goes before this tweet is posted; "+
		"upload it again", string(m.ID), m.CreatedAt.UTC().Format(time.DateOnly))
}

// MediaPatience is how long after its announcement a file may come for a scheduled tweet that is due.
const MediaPatience = time.Hour

// MediaWait is how long a client should wait before it asks again about an upload.
const MediaWait = 2 * time.Second

// NotYet is the cause of an error that is over after a while.
type NotYet struct{ Wait time.Duration }

func (e *NotYet) Error() string { return "not yet; try again in " + e.Wait.String() }

// cleanMedia checks the media ids of a draft: no id twice, at most MaxMedia.
func cleanMedia(ids []MediaID) error {
	if len(ids) > MaxMedia {
		return errs.New(errs.Invalid, "too_many_media", "a post has at most %d pictures, or one video", MaxMedia)
	}
	for i, id := range ids {
		if _, err := ParseMediaID(string(id)); err != nil {
			return err
		}
		if slices.Contains(ids[:i], id) {
			return errs.New(errs.Invalid, "too_many_media", "media holds %q twice", string(id))
		}
	}
	return nil
}

// Attach gives a new tweet the media of its draft, in order, and its text their descriptions. A video beside anything
// else is errs.Invalid.
func (t *Tweet) Attach(d *TweetDetail, media []*Media) error {
	for _, m := range media {
		if m.Type == MediaVideo && len(media) > 1 {
			return errs.New(errs.Invalid, "too_many_media", "a post has at most %d pictures, or one video", MaxMedia)
		}
		t.Media = append(t.Media, m.Embedded(m.Alt))
		if m.Alt != "" {
			d.Alts = with(d.Alts, string(m.ID), m.Alt)
		}
	}
	t.HasMedia = t.HasMedia || len(media) > 0
	return nil
}

// Detail is the text of the tweet with the descriptions of its media. It is whole unless some text is longer than the
// tweet has it.
func (t *Tweet) Detail() (d TweetDetail, whole bool) {
	d.Content, whole = t.Snippet, IsWhole(t.Snippet, t.Length)
	for _, m := range t.Media {
		if whole = whole && !m.AltCut; m.Alt != "" {
			d.Alts = with(d.Alts, string(m.ID), m.Alt)
		}
	}
	return d, whole
}

// AltOf is the whole description of media of a tweet.
func (d TweetDetail) AltOf(m TweetMedia) string {
	if alt := d.Alts[string(m.ID)]; alt != "" {
		return alt
	}
	return m.Alt
}

// withAlts returns the media and the descriptions of a tweet after an edit of descriptions. An id that the tweet does
// not have is errs.NotFound.
func (t *Tweet) withAlts(d TweetDetail, alts map[MediaID]string) ([]TweetMedia, map[string]string, error) {
	if len(alts) == 0 {
		return t.Media, d.Alts, nil
	}
	media, all := slices.Clone(t.Media), map[string]string{}
	for i, m := range media {
		alt, ok := alts[m.ID]
		if !ok {
			alt = d.AltOf(m)
		} else if clean, err := CleanAlt(alt); err != nil {
			return nil, nil, err
		} else {
			alt = clean
		}
		if media[i] = m.withAlt(alt); alt != "" {
			all[string(m.ID)] = alt
		}
	}
	for id := range alts {
		if !slices.ContainsFunc(media, func(m TweetMedia) bool { return m.ID == id }) {
			return nil, nil, NoMedia(id)
		}
	}
	if len(all) == 0 {
		all = nil
	}
	return media, all, nil
}

// previewMedia is the media of a preview. A preview has a bound, so the descriptions get what the other texts leave.
func (t *Tweet) previewMedia() []TweetMedia {
	if len(t.Media) == 0 {
		return nil
	}
	left := MaxPreviewText - len(t.Summary) - len(t.Snippet) - len(t.SnippetTree)
	for _, tag := range t.TagNames() {
		left -= len(tag)
	}
	media := slices.Clone(t.Media)
	for i, m := range media {
		if most := max(left, 0) / (len(media) - i); len(m.Alt) > most {
			media[i].Alt, media[i].AltCut = cutBytes(m.Alt, most), true
		}
		left -= len(media[i].Alt)
	}
	return media
}

// cutBytes is the beginning of a text, at most so many bytes, without a broken character.
func cutBytes(s string, most int) string {
	return strings.ToValidUTF8(s[:most], "")
}

// ProfileSize is the size of a picture whose address a profile has.
func ProfileSize(MediaKind) string { return SizeLarge }

// MediaPath is the beginning of the paths of the addresses of files.
const MediaPath = "/media/"

// MediaAddress is the address of a size of public media. base is the address of the server that serves files, such as
// https://media.example.com.
func MediaAddress(base string, id MediaID, size string) string {
	return base + MediaPath + string(id) + "/" + size
}

// IsMediaAddress reports whether an address is one of [MediaAddress], with any base.
func IsMediaAddress(address string) bool {
	at := strings.LastIndex(address, MediaPath)
	if at < 0 || len(address) > MaxAvatar {
		return false
	}
	id, size, _ := strings.Cut(address[at+len(MediaPath):], "/")
	return isHex(id, mediaIDLength) && size == SizeLarge
}

// SizeNames lists the sizes of media of a tweet. A video with a poster has a blurhash.
func (m TweetMedia) SizeNames() []string {
	switch {
	case m.Type == MediaVideo && m.Blurhash == "":
		return []string{SizeOriginal}
	case m.Animated, m.Type == MediaVideo:
		return []string{SizeSmall, SizeLarge, SizeOriginal}
	}
	return []string{SizeSmall, SizeLarge}
}
