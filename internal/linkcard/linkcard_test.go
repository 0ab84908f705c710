package linkcard

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/media"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
)

// picture is a PNG of one color.
func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			m.Set(x, y, color.RGBA{uint8(x), uint8(y), 90, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// site serves one page, which a test changes.
func site(t *testing.T, serve http.HandlerFunc) (*Fetcher, string) {
	t.Helper()
	s := httptest.NewServer(serve)
	t.Cleanup(s.Close)
	return New(outbound.Client(outbound.Options{AllowLoopback: true, Redirects: 3})), s.URL
}

// A whole page, with a picture that is encoded anew.
func TestPage(t *testing.T) {
	t.Parallel()
	f, at := site(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/articles/new", http.StatusMovedPermanently)
		case "/articles/new":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Cache-Control", "public, max-age=7200, s-maxage=9")
			_, _ = io.WriteString(w, `<!doctype html><html lang="ja"><head><title>no</title>
<meta property="og:title" content="  花火の &lt;夜&gt;
 続き"><meta property="og:title" content="second"><meta name=twitter:description content="The second">
<meta name="description" content="third"><meta property="og:description" content="">
<meta property="og:site_name" content="Sparks"><meta name="author" content="Ann">
<meta property="og:image" content="../p.png"></head><body><meta property="og:url" content="x"></body>`)
		case "/p.png":
			_, _ = w.Write(picture(t, 900, 450))
		}
	})
	got, err := f.Fetch(t.Context(), at+"/old")
	if err != nil || got.Picture == nil {
		t.Fatalf("Fetch() = %+v, %v", got, err)
	}
	p := got.Picture
	if p.ContentType != "image/jpeg" || p.Width != 400 || p.Height != 200 || len(p.Data) == 0 ||
		len(p.Data) > model.MaxLinkPicture {
		t.Errorf("the picture is %s of %d x %d in %d bytes", p.ContentType, p.Width, p.Height, len(p.Data))
	}
	got.Picture = nil
	want := model.LinkPage{Title: "花火の <夜> 続き", Description: "The second", SiteName: "Sparks", Author: "Ann",
		Language: "ja", MaxAge: 2 * time.Hour}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Fetch() (-want +got):\n%s", diff)
	}
}

// What hostile and broken pages give.
func TestHostile(t *testing.T) {
	t.Parallel()
	const title = `<meta property="og:title" content="T">`
	tests := []struct {
		what, header, body string
		want               model.LinkPage
	}{
		{"title alone", "", "<title>A &amp; B</title>", model.LinkPage{Title: "A & B"}},
		{"no head at all", "", "<p>hello", model.LinkPage{Failure: model.LinkNoPage}},
		{"empty", "", "", model.LinkPage{Failure: model.LinkNoPage}},
		{"a title of nothing", "", "<title>\u202e\u200b \u2066</title>", model.LinkPage{Failure: model.LinkNoPage}},
		{"bidi and control", "", "<title>a\u202eb\u2066c\u200fd\x01\x7f\ufeff</title>", model.LinkPage{Title: "abcd"}},
		{"joiners stay", "", "<title>می\u200cخواهم 👩\u200d🚀</title>", model.LinkPage{Title: "می\u200cخواهم 👩\u200d🚀"}},
		{"markup in a title", "", "<title><script>alert(1)</script></title>",
			model.LinkPage{Title: "<script>alert(1)</script>"}},
		{"in the body", "", "<body>" + title, model.LinkPage{Failure: model.LinkNoPage}},
		{"noarchive", "", title + `<meta name=robots content="index, NOARCHIVE">`, model.LinkPage{Failure: model.LinkNotKept}},
		{"noarchive as a header", "X-Robots-Tag: noarchive", title, model.LinkPage{Failure: model.LinkNotKept}},
		{"nosnippet", "", title + `<meta name=robots content=nosnippet><meta name=description content=secret>`,
			model.LinkPage{Title: "T"}},
		{"noindex", "", title + `<meta name=robots content=noindex>`, model.LinkPage{Title: "T"}},
		{"JSON", "Content-Type: application/json", title, model.LinkPage{Failure: model.LinkNoPage}},
		{"no type", "Content-Type: ;;", title, model.LinkPage{Failure: model.LinkNoPage}},
		{"Shift_JIS by the header", "Content-Type: text/html; charset=Shift_JIS", "<title>\x89\xd4\x89\xce</title>",
			model.LinkPage{Title: "花火"}},
		{"EUC-JP by a meta element", "", "<meta charset=euc-jp><title>\xb2\xd6\xb2\xd0</title>", model.LinkPage{Title: "花火"}},
		{"an unknown charset", "Content-Type: text/html; charset=x-none", "<title>plain</title>",
			model.LinkPage{Title: "plain"}},
		{"broken UTF-8", "Content-Type: text/html; charset=utf-8", "<title>a\xff\xfeb</title>",
			model.LinkPage{Title: "a\ufffd\ufffdb"}},
		{"a picture of another scheme", "", title + `<meta property=og:image content="file:///etc/passwd">`,
			model.LinkPage{Title: "T"}},
		{"a picture in a private network", "", title + `<meta property=og:image content="http://10.0.0.1/a.png">`,
			model.LinkPage{Title: "T"}},
		{"a picture that is none", "", title + `<meta property=og:image content="/">`, model.LinkPage{Title: "T"}},
		{"a language that is none", "", `<html lang="<script>">` + title, model.LinkPage{Title: "T"}},
		{"a tag that does not end", "", "<title>T</title><meta content=\"" + strings.Repeat("x", 400<<10),
			model.LinkPage{Title: "T"}},
		{"a comment that does not end", "", "<title>T</title><!--" + strings.Repeat("x", 400<<10),
			model.LinkPage{Title: "T"}},
		{"a title behind the limit", "", strings.Repeat(" ", pageBytes) + "<title>T</title>",
			model.LinkPage{Failure: model.LinkNoPage}},
	}
	for _, tt := range tests {
		f, at := site(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			if name, value, ok := strings.Cut(tt.header, ": "); ok {
				w.Header().Set(name, value)
			}
			_, _ = io.WriteString(w, tt.body)
		})
		got, err := f.Fetch(t.Context(), at)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.what, err, diff)
		}
	}
}

// Long texts are cut to their limits, and a bomb of any size is read up to the limit.
func TestBounds(t *testing.T) {
	t.Parallel()
	f, at := site(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/long":
			fmt.Fprintf(w, `<html><title>%[1]s</title><meta name=description content="%[1]s"><meta name=author content="%[1]s">`,
				strings.Repeat("火", 9_000))
		case "/bomb":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, "<title>small</title>")
			_, _ = z.Write(make([]byte, 64<<20))
			_ = z.Close()
		case "/large.png":
			_, _ = w.Write(picture(t, 3000, 3000)) // 9 megapixels
		case "/pictured":
			_, _ = io.WriteString(w, `<html><title>T</title><meta name=twitter:image content=/large.png>`)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			http.Error(w, "<title>no</title>", http.StatusTeapot)
		}
	})
	got, err := f.Fetch(t.Context(), at+"/long")
	if n := [3]int{utf8.RuneCountInString(got.Title), utf8.RuneCountInString(got.Description),
		utf8.RuneCountInString(got.Author)}; err != nil || n != [3]int{200, 500, 100} {
		t.Errorf("long texts have %v characters, %v", n, err)
	}
	for path, want := range map[string]model.LinkPage{
		"/bomb": {Title: "small"}, "/pictured": {Title: "T"}, "/loop": {Failure: model.LinkUnreachable},
		"/none": {Failure: model.LinkRefused},
	} {
		got, err := f.Fetch(t.Context(), at+path)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", path, err, diff)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Fetch(ended, at+"/long"); err == nil {
		t.Error("a fetch without time has no error")
	}
	strict := New(outbound.Client(outbound.Options{}))
	if got, err := strict.Fetch(t.Context(), at+"/long"); err != nil || got.Failure != model.LinkUnreachable {
		t.Errorf("loopback in production gives %+v, %v", got, err)
	}
}

// A page has its card without the picture while other pictures are in work: the event would come again for it.
func TestPictureWaits(t *testing.T) {
	t.Parallel()
	f, at := site(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/p.png" {
			_, _ = w.Write(picture(t, 9, 9))
			return
		}
		_, _ = io.WriteString(w, `<html><title>T</title><meta property=og:image content=/p.png>`)
	})
	reading, read := make(chan struct{}), make(chan struct{})
	defer close(read)
	go func() { _, _ = f.pictures.Process(context.Background(), blocked{reading, read}, 9, media.Thumbnail) }()
	<-reading
	within, cancel := context.WithTimeout(t.Context(), 2*pictureTime) // less than a function has
	defer cancel()
	got, err := f.Fetch(within, at)
	if diff := cmp.Diff(model.LinkPage{Title: "T"}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// blocked is a file that is read for as long as a test wants.
type blocked struct{ reading, read chan struct{} }

func (b blocked) ReadAt([]byte, int64) (int, error) {
	close(b.reading)
	<-b.read
	return 0, io.EOF
}

func FuzzHead(f *testing.F) {
	f.Add(`<html lang=en><title>a</title><meta property=og:image content="http://[::1]:namedport">`)
	f.Fuzz(func(t *testing.T, s string) {
		h := &head{}
		h.read(strings.NewReader(s))
		at, _ := http.NewRequest(http.MethodGet, "https://example.com/a/b", nil) //nolint:noctx // it asks nothing
		p := h.page(at.URL)
		if n := utf8.RuneCountInString(p.Title); n > model.MaxLinkTitle || !utf8.ValidString(p.Title) ||
			(n > 0) == (p.Failure != "") {
			t.Errorf("title %q, failure %q", p.Title, p.Failure)
		}
	})
}
