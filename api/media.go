package api

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/media"
)

// MediaURLs are the addresses of the sizes of media. Who has one can load the file.
type MediaURLs struct {
	Small    string `json:"small,omitempty" doc:"At most 400 x 400 pixels; of an image, or the poster of a video"`
	Large    string `json:"large,omitempty" doc:"At most 1600 x 1600 pixels; of an image, or the poster of a video"`
	Original string `json:"original,omitempty" doc:"The video, or the moving image"`
}

func mediaURLsOf(all map[string]string) MediaURLs {
	return MediaURLs{Small: all[model.SizeSmall], Large: all[model.SizeLarge], Original: all[model.SizeOriginal]}
}

// TweetMedia is a picture or video of a tweet.
type TweetMedia struct {
	ID         model.MediaID `json:"id"`
	Type       string        `json:"type" enum:"image,video"`
	Width      int           `json:"width" doc:"Of the largest size, in pixels"`
	Height     int           `json:"height"`
	Blurhash   string        `json:"blurhash" doc:"A few colors to be shown until the picture is there (blurha.sh); empty for a video without a poster"`
	Alt        string        `json:"alt" doc:"What the picture shows, in words; lists have the first 300 characters at most"`
	AltCut     bool          `json:"altCut,omitempty" doc:"True if the description is longer than alt: the tweet by itself has all of it; absent otherwise"`
	DurationMs int64         `json:"durationMs,omitempty" doc:"Of a video"`
	Animated   bool          `json:"animated,omitempty" doc:"True for an image that moves; small and large stand still"`
	URLs       MediaURLs     `json:"urls" doc:"Where everybody may see the tweet, they are short and stay; otherwise they are signed, and good for an hour at least: read the tweet again for new ones"`
}

// mediaOf converts the media of a tweet with an audience; nil for none. The caller may see the tweet.
func (s *service) mediaOf(of []model.TweetMedia, a model.Audience, flagged bool) (all []TweetMedia) {
	for _, m := range of {
		all = append(all, tweetMediaOf(m, s.Media.Addresses(m, a, flagged)))
	}
	return all
}

// heldMediaOf converts the media of a held reply. The caller is its author, or the user who approves it.
func (s *service) heldMediaOf(of []model.TweetMedia) (all []TweetMedia) {
	for _, m := range of {
		all = append(all, tweetMediaOf(m, s.Media.HeldAddresses(m)))
	}
	return all
}

func tweetMediaOf(m model.TweetMedia, addresses map[string]string) TweetMedia {
	return TweetMedia{ID: m.ID, Type: m.Type, Width: m.Width, Height: m.Height, Blurhash: m.Blurhash,
		Alt: m.Alt, AltCut: m.AltCut, DurationMs: m.DurationMs, Animated: m.Animated, URLs: mediaURLsOf(addresses)}
}

// AltOf is a new description of media.
type AltOf struct {
	ID  string `json:"id"`
	Alt string `json:"alt" maxLength:"1500" doc:"What the picture shows, in words; empty for none"`
}

// Media is an upload of the caller.
type Media struct {
	ID        model.MediaID `json:"id"`
	Kind      string        `json:"kind" enum:"tweet,avatar,header,product"`
	State     string        `json:"state" enum:"uploading,ready,failed" doc:"uploading: until the file has come and was looked at. ready: a post, a message, a profile or a product can take it. failed: it can not"`
	Failure   string        `json:"failure,omitempty" enum:"media_type_unsupported,media_too_large,media_damaged" doc:"Why it failed"`
	Alt       string        `json:"alt" doc:"What the picture shows, in words. A post copies it, and an edit of the post changes that copy"`
	Used      bool          `json:"used" doc:"Whether a post, a message, a profile or a product has taken it"`
	CreatedAt time.Time     `json:"createdAt"`
	ExpiresAt *time.Time    `json:"expiresAt,omitempty" doc:"When it is deleted, unless a post, a message, a profile or a product takes it before"`

	Type       string     `json:"type,omitempty" enum:"image,video" doc:"This and the following are there when it is ready"`
	Width      int        `json:"width,omitempty"`
	Height     int        `json:"height,omitempty"`
	Blurhash   string     `json:"blurhash,omitempty"`
	DurationMs int64      `json:"durationMs,omitempty"`
	Animated   bool       `json:"animated,omitempty"`
	URLs       *MediaURLs `json:"urls,omitempty" doc:"Signed until a post that everybody may see, a profile or a product, has taken it"`
}

func (s *service) uploadOf(m *model.Media) Media {
	out := Media{ID: m.ID, Kind: string(m.Kind), State: string(m.State), Failure: m.Failure, Alt: m.Alt,
		Used: m.Attached(), CreatedAt: m.CreatedAt, Type: m.Type, Width: m.Width, Height: m.Height, Blurhash: m.Blurhash,
		DurationMs: m.DurationMs, Animated: m.Animated}
	if !m.ExpireAt.IsZero() {
		out.ExpiresAt = &m.ExpireAt
	}
	if m.State == model.MediaReady && m.TweetID == "" {
		out.URLs = new(mediaURLsOf(s.Media.OwnAddresses(m)))
	}
	return out
}

// NewMedia announces an upload.
type NewMedia struct {
	Kind        string `json:"kind,omitempty" enum:"tweet,avatar,header,product" default:"tweet" doc:"What it is for"`
	ContentType string `json:"contentType" maxLength:"50" doc:"What the file is: image/jpeg, image/png, image/webp, image/gif, or for a post video/mp4. The bytes decide in the end" example:"image/jpeg"`
	Bytes       int64  `json:"bytes" minimum:"1" doc:"Size of the file: at most 10 MiB, and 30 MiB of a video"`
	Alt         string `json:"alt,omitempty" maxLength:"1500" doc:"What the picture shows, in words"`
	Poster      string `json:"poster,omitempty" maxLength:"24" doc:"Of a video: the id of an upload of the caller, a picture that shows it until it plays. The video gets a copy. One that is not ready a minute after its announcement, or that no one can see, is left out"`
}

// Upload is where the file goes.
type Upload struct {
	URL     string            `json:"url"`
	Method  string            `json:"method" example:"POST"`
	Headers map[string]string `json:"headers" doc:"To be sent as they are"`
	Expires time.Time         `json:"expires" doc:"Until then the upload can begin"`
}

// CreatedMedia is a new upload.
type CreatedMedia struct {
	Media
	Upload Upload `json:"upload" doc:"Where to send the file, by the resumable uploads of Cloud Storage"`
}

// MediaIDPath is the part of a request that names media.
type MediaIDPath struct {
	ID string `path:"id" doc:"Id of media: 24 lower-case hexadecimal digits"`
}

type mediaOutput struct {
	RetryAfter string `header:"Retry-After" doc:"While it is uploading: how many seconds to wait before the next question"`
	Body       Media
}

func (s *service) mediaOutputOf(m *model.Media, err error) (*mediaOutput, error) {
	if err != nil {
		return nil, err
	}
	out := &mediaOutput{Body: s.uploadOf(m)}
	if m.State == model.MediaUploading {
		out.RetryAfter = strconv.Itoa(int(model.MediaWait.Seconds()))
	}
	return out, nil
}

// media adds the operations of uploads, and the files.
func (s *service) media() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/media", OperationID: "createMedia", Tags: []string{"media"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Announce the upload of a picture or video",
		Description: "The file goes to Cloud Storage itself: send upload.method to upload.url with upload.headers and no " +
			"body. The answer 201 has the address of a session in Location, which takes the bytes by PUT, at once or in " +
			"chunks of multiples of 256 KiB with Content-Range. After a broken connection, a PUT without a body and with " +
			"Content-Range: bytes */SIZE answers 308, with Range for what has come.\n\n" +
			"Then the file is looked at, which takes some seconds: ask GET, or listen to the document media/{id}. Metadata " +
			"such as places is removed. What no post, message, profile and product takes is deleted after a day.\n\n" +
			"An account may announce 100 files and 200 MB a day; beyond that the answer is 429 limit_reached. " +
			"Without buckets the answer is 404 media_off.",
		Errors: []int{http.StatusNotFound},
	}, s.createMedia)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/media/{id}", OperationID: "getMedia", Tags: []string{"media"},
		Summary: "Read how far an upload of the caller is", Description: "Moderators read the uploads of all users.",
		Errors: []int{http.StatusNotFound},
	}, ofMedia(func(ctx context.Context, _ *MediaIDPath, id model.MediaID) (*mediaOutput, error) {
		return s.mediaOutputOf(s.Media.Get(ctx, viewer(ctx), id))
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/media/{id}", OperationID: "changeMedia", Tags: []string{"media"},
		Summary: "Describe an upload of the caller", Description: "The description of media that a post has taken is " +
			"changed by an edit of the post; here the answer is 409 media_in_use.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofMedia(func(ctx context.Context, in *changeMediaInput, id model.MediaID) (*mediaOutput, error) {
		return s.mediaOutputOf(s.Media.SetAlt(ctx, server.Caller(ctx).UID, id, in.Body.Alt))
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/media/{id}", OperationID: "deleteMedia", Tags: []string{"media"},
		Summary: "Delete an upload of the caller",
		Description: "Media that a post, a message, a profile or a product has taken go with " +
			"it; here the answer is 409 media_in_use. Media that are not there change nothing.\n\n" +
			"A moderator may delete the uploads of all users that no post, message, profile and product shows, such as " +
			"former avatars, and those of a message that somebody has reported. The audit log then has the reason.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofMedia(s.deleteMedia))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/media/{id}/{size}", OperationID: "getMediaFile", Tags: []string{"media"},
		Summary: "Load a picture or video",
		Description: "Media of a tweet that everybody may see, and of a profile, need no more. Media of other tweets need " +
			"the signed address that a caller gets who may see the tweet. When the tweet is shown to fewer people, is hidden " +
			"by moderators or is deleted, its addresses end: here within seconds, and in shared caches within an hour.\n\n" +
			"An answer to a range has at most 1 MiB; ask for the rest.",
		Metadata: map[string]any{server.WithoutAppCheck: true, server.WithoutLimits: true},
		Errors:   []int{http.StatusNotFound},
		Responses: map[string]*huma.Response{
			"200": {Description: "The file", Content: fileTypes()},
			"206": {Description: "The part of the file that Range names", Content: fileTypes()},
			"304": {Description: "The client has the file"},
			"416": {Description: "The file has no such part"},
		},
	}, ofMedia(s.getMediaFile))
}

// fileTypes describes the bodies of files.
func fileTypes() map[string]*huma.MediaType {
	all := map[string]*huma.MediaType{}
	for _, t := range []string{"image/jpeg", "image/png", "image/gif", "video/mp4"} {
		all[t] = &huma.MediaType{Schema: &huma.Schema{Type: "string", Format: "binary"}}
	}
	return all
}

type changeMediaInput struct {
	MediaIDPath
	Body struct {
		Alt string `json:"alt" maxLength:"1500" doc:"What the picture shows, in words; empty for none"`
	}
}

func (p MediaIDPath) mediaID() (model.MediaID, error) { return model.ParseMediaID(p.ID) }

// ofMedia passes the id of the path to a handler.
func ofMedia[I interface{ mediaID() (model.MediaID, error) }, O any](handler func(context.Context, I,
	model.MediaID) (*O, error)) func(context.Context, I) (*O, error) {
	return func(ctx context.Context, in I) (*O, error) {
		id, err := in.mediaID()
		if err != nil {
			return nil, err
		}
		return handler(ctx, in, id)
	}
}

// deleteMedia deletes an upload of the caller, or for a moderator one of another user.
func (s *service) deleteMedia(ctx context.Context, in *struct {
	MediaIDPath
	ReasonQuery
}, id model.MediaID) (*nothing, error) {
	c := server.Caller(ctx)
	if !viewer(ctx).Moderates() {
		return nil, s.Media.Delete(ctx, c.UID, id)
	}
	m, err := s.Media.Get(ctx, viewer(ctx), id)
	switch {
	case errs.CodeOf(err) == "media_not_found":
		return nil, nil
	case err != nil:
		return nil, err
	case m.OwnerID == c.UID:
		return nil, s.Media.Delete(ctx, c.UID, id)
	}
	if err := s.above(ctx, m.OwnerID); err != nil && errs.KindOf(err) != errs.NotFound {
		return nil, err
	}
	return nil, s.Moderation.DeleteMedia(ctx, actorOf(c, in.Reason), id)
}

type createdMedia struct {
	Location string `header:"Location"`
	Body     CreatedMedia
}

func (s *service) createMedia(ctx context.Context, in *struct{ Body NewMedia }) (*createdMedia, error) {
	b := in.Body
	m, u, err := s.Media.Create(ctx, server.Caller(ctx).UID, model.NewMedia{Kind: model.MediaKind(b.Kind),
		ContentType: b.ContentType, Bytes: b.Bytes, Alt: b.Alt, Poster: model.MediaID(b.Poster)})
	if err != nil {
		return nil, err
	}
	server.ChargeBytes(ctx, b.Bytes)
	return &createdMedia{Location: "/v1/media/" + string(m.ID), Body: CreatedMedia{Media: s.uploadOf(m),
		Upload: Upload(u)}}, nil
}

const (
	// cachedPublic lets browsers keep a public file for a day, and shared caches for an hour: so long they may show a file
	// after its tweet is gone.
	cachedPublic = "public, max-age=86400, s-maxage=3600"
	// cachedSigned lets the browser alone keep a file that a signed address opened.
	cachedSigned = "private, max-age=3600"
)

type fileInput struct {
	MediaIDPath
	Size      string `path:"size" maxLength:"20" doc:"small, large or original"`
	Expires   int64  `query:"expires" doc:"Of a signed address"`
	Signature string `query:"signature" maxLength:"100" doc:"Of a signed address"`
}

func (s *service) getMediaFile(ctx context.Context, in *fileInput, id model.MediaID) (*huma.StreamResponse, error) {
	f, err := s.Media.Serve(ctx, id, in.Size, media.Signature{Expires: in.Expires, MAC: in.Signature})
	if err != nil {
		return nil, err
	}
	cache := cachedPublic
	if !f.Public {
		cache = cachedSigned
	}
	return (&server.File{ContentType: f.Size.ContentType, CacheControl: cache, Size: f.Size.Bytes,
		Shared: f.Public, Tag: `"` + string(id) + "-" + in.Size + `"`,
		Open: func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
			return s.Media.Read(ctx, f, in.Size, offset, length)
		}}).Answer(s.Server), nil
}
