package api_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// picture is a PNG.
func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	testenv.Must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))))
	return b.Bytes()
}

// announced announces an upload of a caller.
func (e *env) announced(t *testing.T, token, kind string, size int) (m api.CreatedMedia) {
	t.Helper()
	r := e.do(t, "POST", "/v1/media", token, map[string]any{"contentType": "image/png", "bytes": size, "kind": kind,
		"alt": "A gray field"})
	r.want(t, http.StatusCreated, &m)
	return m
}

// uploaded uploads a picture of a caller, and does what its event causes.
func (e *env) uploaded(t *testing.T, token, kind string) model.MediaID {
	t.Helper()
	data := picture(t)
	m := e.announced(t, token, kind, len(data))
	begin, err := http.NewRequestWithContext(t.Context(), m.Upload.Method, m.Upload.URL, nil)
	testenv.Must(t, err)
	for name, value := range m.Upload.Headers {
		begin.Header.Set(name, value)
	}
	begun := send(t, begin)
	if begun.status != http.StatusCreated {
		t.Fatalf("the session answered %d: %s", begun.status, begun.body)
	}
	put, err := http.NewRequestWithContext(t.Context(), "PUT", begun.header.Get("Location"), bytes.NewReader(data))
	testenv.Must(t, err)
	if r := send(t, put); r.status != http.StatusOK {
		t.Fatalf("the upload answered %d: %s", r.status, r.body)
	}
	files, err := objects.Open(t.Context(), "gs://"+e.project+"-uploads", "")
	testenv.Must(t, err)
	defer files.Close()
	is, err := files.Stat(t.Context(), string(m.ID))
	testenv.Must(t, err)
	testenv.Must(t, e.db.Media.Uploaded(t.Context(), is.Name, is.Generation))
	return m.ID
}

// get loads a file, or a problem.
func get(t *testing.T, e *env, path string, headers ...string) reply {
	t.Helper()
	return e.do(t, "GET", path, "", nil, headers...)
}

// A list has the beginning of a long description, and says so. The tweet by itself has all of it.
func TestAltCut(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	root := e.post(t, ann, map[string]any{"content": "root"})
	long := strings.Repeat("a", model.MaxEmbeddedAlt+1)
	ids := []model.MediaID{e.uploaded(t, ann.token, "tweet"), e.uploaded(t, ann.token, "tweet")}
	e.do(t, "PATCH", "/v1/media/"+string(ids[0]), ann.token, map[string]any{"alt": long}).want(t, http.StatusOK, nil)
	posted := e.post(t, ann, map[string]any{"replyTo": root.ID, "media": ids})
	var one api.Tweet
	e.do(t, "GET", "/v1/tweets/"+string(posted.ID), "", nil).want(t, http.StatusOK, &one)
	for what, m := range map[string][]api.TweetMedia{"posted": posted.Media, "by itself": one.Media} {
		if m[0].Alt != long || m[0].AltCut || m[1].AltCut {
			t.Errorf("%s: the media are %+v", what, m)
		}
	}
	var list server.List[api.Tweet]
	e.do(t, "GET", "/v1/tweets/"+string(root.ID)+"/replies", "", nil).want(t, http.StatusOK, &list)
	if m := list.Items[0].Media; len(m[0].Alt) != model.MaxEmbeddedAlt || !m[0].AltCut || m[1].AltCut {
		t.Errorf("in a list: the media are %+v", m)
	}
}

// A picture is announced, uploaded, described and posted, and its addresses follow the audience of the post.
func TestMedia(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	waiting := e.announced(t, ann.token, "tweet", 10)
	if waiting.State != "uploading" || waiting.ExpiresAt == nil || waiting.URLs != nil {
		t.Errorf("announced: %+v", waiting)
	}
	r := e.do(t, "GET", "/v1/media/"+string(waiting.ID), ann.token, nil)
	if r.want(t, http.StatusOK, nil); r.header.Get("Retry-After") == "" {
		t.Error("an upload on its way has no Retry-After")
	}
	r = e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"media": []any{waiting.ID}})
	if r.problem(t, http.StatusConflict, "media_processing"); r.header.Get("Retry-After") == "" {
		t.Error("media on their way have no Retry-After")
	}
	e.do(t, "DELETE", "/v1/media/"+string(waiting.ID), bob.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", "/v1/media/"+string(waiting.ID), bob.token, nil).problem(t, http.StatusNotFound, "media_not_found")
	e.do(t, "DELETE", "/v1/media/"+string(waiting.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", "/v1/media/"+string(waiting.ID), ann.token, nil).problem(t, http.StatusNotFound, "media_not_found")

	id := e.uploaded(t, ann.token, "tweet")
	var m api.Media
	e.do(t, "PATCH", "/v1/media/"+string(id), ann.token, map[string]any{"alt": "Fog"}).want(t, http.StatusOK, &m)
	if m.Alt != "Fog" || m.State != "ready" || m.Width != 30 || m.URLs == nil ||
		!strings.Contains(m.URLs.Small, "signature=") {
		t.Errorf("ready: %+v", m)
	}
	get(t, e, m.URLs.Small).want(t, http.StatusOK, nil)
	get(t, e, "/media/"+string(id)+"/small").problem(t, http.StatusNotFound, "media_not_found")

	e.now = func() time.Time { return time.Now().Add(time.Minute) } // what was refused is remembered for some seconds
	var made api.Tweet
	r = e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"media": []any{id}})
	r.want(t, http.StatusCreated, &made)
	if len(made.Media) != 1 || made.Media[0].Alt != "Fog" || made.Media[0].URLs.Large != "/media/"+string(id)+"/large" ||
		*made.Content != "" {
		t.Errorf("posted: %+v", made)
	}
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"media": []any{id}}).problem(t, http.StatusConflict,
		"media_in_use")
	e.do(t, "DELETE", "/v1/media/"+string(id), ann.token, nil).problem(t, http.StatusConflict, "media_in_use")
	public := made.Media[0].URLs.Small
	file := get(t, e, public)
	file.want(t, http.StatusOK, nil)
	for name, want := range map[string]string{"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff",
		"Cache-Control": "public, max-age=86400, s-maxage=3600", "Content-Security-Policy": "default-src 'none'; sandbox",
		"Cross-Origin-Resource-Policy": "cross-origin", "Content-Disposition": "inline", "Accept-Ranges": "bytes"} {
		if got := file.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if _, _, err := image.Decode(bytes.NewReader(file.body)); err != nil {
		t.Errorf("the file is no picture: %v", err)
	}
	if file.header.Get("Server-Timing") != "" || file.header.Get("RateLimit") != "" {
		t.Errorf("shared caches keep what one request cost: %v", file.header)
	}
	get(t, e, public, "If-None-Match", file.header.Get("ETag")).want(t, http.StatusNotModified, nil)
	head := e.do(t, "HEAD", public, "", nil)
	if head.want(t, http.StatusOK, nil); len(head.body) > 0 ||
		head.header.Get("Content-Length") != file.header.Get("Content-Length") {
		t.Errorf("HEAD has %d bytes and %v", len(head.body), head.header)
	}
	for header, want := range map[string]string{"bytes=0-3": "0-3", "bytes=2-": "2-", "bytes=-5": "",
		"bytes=1-100000": "1-"} {
		part := get(t, e, public, "Range", header)
		part.want(t, http.StatusPartialContent, nil)
		if got := part.header.Get("Content-Range"); !strings.HasPrefix(got, "bytes "+want) || !bytes.Contains(file.body,
			part.body) || len(part.body) == 0 {
			t.Errorf("%s: %q with %d bytes", header, got, len(part.body))
		}
	}
	get(t, e, public, "Range", "bytes=1000000-").want(t, http.StatusRequestedRangeNotSatisfiable, nil)
	for _, header := range []string{"bytes=3-1", "bytes=0-1,3-4", "lines=1-2", "bytes=x-", "bytes=-"} {
		if whole := get(t, e, public, "Range", header); whole.status != http.StatusOK || len(whole.body) != len(file.body) {
			t.Errorf("%s: %d with %d bytes", header, whole.status, len(whole.body))
		}
	}
	if whole := get(t, e, public, "Range", "bytes=0-3", "If-Range", `"other"`); whole.status != http.StatusOK {
		t.Errorf("a range of another version: %d", whole.status)
	}

	// For followers: the public address ends at once, and a follower's signed one works.
	e.do(t, "PATCH", "/v1/tweets/"+string(made.ID), ann.token, map[string]any{"visibility": "followers"}).
		want(t, http.StatusOK, nil)
	get(t, e, public).problem(t, http.StatusNotFound, "media_not_found")
	get(t, e, public, "Authorization", "Bearer "+ann.token).problem(t, http.StatusNotFound, "media_not_found")
	e.do(t, "GET", "/v1/tweets/"+string(made.ID), bob.token, nil).want(t, http.StatusNotFound, nil)
	testenv.Must(t, e.db.Graph.Follow(t.Context(), bob.id, ann.id))
	var seen api.WholeTweet
	e.do(t, "GET", "/v1/tweets/"+string(made.ID), bob.token, nil).want(t, http.StatusOK, &seen)
	signed := get(t, e, seen.Media[0].URLs.Small)
	if signed.want(t, http.StatusOK, nil); signed.header.Get("Cache-Control") != "private, max-age=3600" {
		t.Errorf("a signed address: %v", signed.header)
	}
	get(t, e, strings.Replace(seen.Media[0].URLs.Small, "signature=", "signature=A", 1)).problem(t, http.StatusNotFound,
		"media_not_found")

	// An edit changes descriptions.
	r = e.do(t, "PATCH", "/v1/tweets/"+string(made.ID), ann.token, map[string]any{"media": []any{map[string]any{"id": id,
		"alt": "Mist"}}})
	r.want(t, http.StatusOK, nil)
	if r.want(t, http.StatusOK, &made); made.Media[0].Alt != "Mist" || made.Revision != 2 {
		t.Errorf("edited: %+v", made)
	}
	e.do(t, "DELETE", "/v1/tweets/"+string(made.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	get(t, e, seen.Media[0].URLs.Small).problem(t, http.StatusNotFound, "media_not_found")
}

// A profile takes an avatar and a header.
func TestProfilePictures(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	avatar, header := e.uploaded(t, ann.token, "avatar"), e.uploaded(t, ann.token, "header")
	var u api.User
	r := e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"avatarMedia": avatar, "headerMedia": header})
	r.want(t, http.StatusOK, nil)
	r.want(t, http.StatusOK, &u)
	for _, address := range []string{u.Avatar, u.Header} {
		if !strings.HasPrefix(address, "/media/") {
			t.Fatalf("the profile is %+v", u)
		}
		get(t, e, address).want(t, http.StatusOK, nil)
	}
	r = e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"avatarMedia": "", "headerMedia": ""})
	u = api.User{}
	if r.want(t, http.StatusOK, &u); u.Avatar != "" || u.Header != "" {
		t.Errorf("the profile is %+v", u)
	}
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"avatarMedia": avatar}).problem(t, http.StatusConflict,
		"media_in_use")
}

// An account may announce so many bytes a day.
func TestMediaBytes(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) {
		o.Limits = server.Limits{Limiter: limits.New(limits.Options{Limits: []limits.Limit{
			{Scope: limits.Account, What: limits.Bytes, Quota: 1000, Window: 24 * time.Hour}}})}
	})
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.announced(t, ann.token, "tweet", 600)
	e.announced(t, ann.token, "tweet", 600)
	r := e.do(t, "POST", "/v1/media", ann.token, map[string]any{"contentType": "image/png", "bytes": 1})
	r.problem(t, http.StatusTooManyRequests, "limit_reached")
	if !strings.Contains(r.header.Get("RateLimit"), `"bytes-day";r=0`) || r.header.Get("Retry-After") == "" {
		t.Errorf("the refusal says %v", r.header)
	}
	e.announced(t, bob.token, "tweet", 600)
	e.do(t, "GET", "/v1/users/me", ann.token, nil).want(t, http.StatusOK, nil)
}

// Without buckets there are no media.
func TestMediaOff(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withStore(t, store.Options{}))
	ann := e.join(t, "ann")
	e.do(t, "POST", "/v1/media", ann.token, map[string]any{"contentType": "image/png", "bytes": 1}).problem(t,
		http.StatusNotFound, "media_off")
	get(t, e, "/media/"+string(model.NewMediaID())+"/small").problem(t, http.StatusNotFound, "media_off")
}

// Requests for files may come from a shared cache, so its address has no limits. An id of nothing costs 1 read, for all
// who ask within some seconds.
func TestFilesHaveNoLimits(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "visitor-requests=2/minute,address-requests=2/minute"))
	for i, id := range []string{"0123456789abcdef01234567", "0123456789abcdef01234568"} {
		for n := range 3 {
			r := get(t, e, "/media/"+id+"/small", "X-Forwarded-For", "192.0.2.1")
			r.problem(t, http.StatusNotFound, "media_not_found")
			if got, want := r.cost(t).Reads, int64(max(0, 1-n)); got != want || r.header.Get("RateLimit") != "" {
				t.Errorf("request %d for id %d cost %d reads, want %d; %v", n, i, got, want, r.header)
			}
		}
	}
}

// A moderator sees the media of a flagged tweet and the uploads of others, deletes what nothing shows, and has an entry
// in the audit log.
func TestMediaOfOthers(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, mo := e.join(t, "ann"), staff(t, "moderator")
	tweet := e.post(t, ann, map[string]any{"media": []any{e.uploaded(t, ann.token, "tweet")}})
	testenv.Must(t, e.db.Tweets.Flag(t.Context(), tweet.ID, true))
	e.do(t, "GET", "/v1/tweets/"+string(tweet.ID), "", nil).want(t, http.StatusNotFound, nil)
	get(t, e, tweet.Media[0].URLs.Small).want(t, http.StatusNotFound, nil)
	var flagged api.Tweet
	e.do(t, "GET", "/v1/tweets/"+string(tweet.ID), mo.token, nil).want(t, http.StatusOK, &flagged)
	get(t, e, flagged.Media[0].URLs.Small).want(t, http.StatusOK, nil)

	path := "/v1/media/" + string(tweet.Media[0].ID)
	e.do(t, "DELETE", path, mo.token, nil).problem(t, http.StatusConflict, "media_in_use")
	path = "/v1/media/" + string(e.uploaded(t, ann.token, "tweet"))
	var m api.Media
	e.do(t, "GET", path, mo.token, nil).want(t, http.StatusOK, &m)
	get(t, e, m.URLs.Large).want(t, http.StatusOK, nil)
	for _, want := range []meter.Counts{{Reads: 2, Writes: 1, Deletes: 1}, {Reads: 1}} {
		r := e.do(t, "DELETE", path+"?reason=spam", mo.token, nil).want(t, http.StatusNoContent, nil)
		if got := r.cost(t); got != want {
			t.Errorf("costs %+v, want %+v", got, want)
		}
	}
	e.do(t, "GET", path, ann.token, nil).problem(t, http.StatusNotFound, "media_not_found")
	acts := e.acts(t, mo.token, "")
	if len(acts) != 1 || acts[0].Act != model.ActDeleteMedia || acts[0].UserID != ann.id || acts[0].By != mo.id ||
		acts[0].Reason != "spam" {
		t.Errorf("the audit log has %+v", acts)
	}
	// No moderator deletes the uploads of an administrator. To delete one's own is no act.
	boss := staff(t, "admin")
	testenv.Must(t, e.options.Accounts.SetRole(t.Context(), boss.id, model.RoleAdministrator, true))
	for _, owner := range []person{boss, mo} {
		path = "/v1/media/" + string(model.NewMediaID())
		_, err := e.admin.Doc(path[len("/v1/"):]).Create(t.Context(), model.Media{OwnerID: owner.id, Kind: model.MediaTweet,
			State: model.MediaFailed})
		testenv.Must(t, err)
		if owner.id == boss.id {
			e.do(t, "DELETE", path, mo.token, nil).problem(t, http.StatusForbidden, "not_admin")
		} else {
			e.do(t, "DELETE", path, mo.token, nil).want(t, http.StatusNoContent, nil)
		}
	}
	if acts := e.acts(t, mo.token, ""); len(acts) != 1 {
		t.Errorf("the audit log has %+v", acts)
	}
}

// The addresses of uploaded pictures of profiles begin with MEDIA_URL, wherever a profile or a part of it is shown. The
// documents have the path alone, so another MEDIA_URL is one of all pictures.
func TestAddressesOfProfiles(t *testing.T) {
	t.Parallel()
	e := newEnvAt(t, "https://pictures.test")
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	path := "/media/" + strings.Repeat("a", 24) + "/large"
	_, err := e.admin.Doc("users/"+string(ann.id)).Update(t.Context(), []firestore.Update{{Path: "avatar", Value: path},
		{Path: "header", Value: path}})
	testenv.Must(t, err)
	e.offset = time.Hour // profiles are cached
	tweet := e.post(t, ann, map[string]any{"content": "spark"})
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", bob.token, nil).want(t, http.StatusOK, nil)
	for _, at := range []string{"/v1/users/" + string(ann.id), "/v1/users/" + string(ann.id) + "?format=html",
		"/v1/tweets/" + string(tweet.ID), "/v1/tweets", "/v1/users/" + string(bob.id) + "/following"} {
		r := e.do(t, "GET", at, bob.token, nil)
		r.want(t, http.StatusOK, nil)
		for _, found := range regexp.MustCompile(`"(avatar|header)":"([^"]*)"`).FindAllStringSubmatch(string(r.body), -1) {
			if found[2] != "" && found[2] != "https://pictures.test"+path {
				t.Errorf("%s: the %s is %q", at, found[1], found[2])
			}
		}
		if !strings.Contains(string(r.body), "https://pictures.test"+path) {
			t.Errorf("%s has no picture: %s", at, r.body)
		}
	}
}
