package objects_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/objects"
)

// get answers the status and the body of a link.
func get(t *testing.T, h http.Handler, method, link string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, link, nil))
	return w.Code, w.Body.String()
}

// behave writes, reads, lists and removes files: a/1, which holds "spark", and b/1 stay.
func behave(t *testing.T, o *objects.Objects) {
	t.Helper()
	ctx := t.Context()
	testenv.Must(t, o.Put(ctx, "a/1", []byte("half a spark"), objects.Attributes{ContentType: "application/zip"}))
	testenv.Must(t, o.Put(ctx, "a/1", []byte("spark"), objects.Attributes{ContentType: "application/zip"}))
	testenv.Must(t, o.Put(ctx, "a/2", []byte("other"), objects.Attributes{ContentType: "application/zip"}))
	testenv.Must(t, o.Put(ctx, "b/1", []byte("other"), objects.Attributes{ContentType: "application/zip"}))

	// What is not finished is no file.
	broken, cancel := context.WithCancel(ctx)
	w, err := o.Writer(broken, "a/3", objects.Attributes{ContentType: "application/zip", SaveAs: "x.zip"})
	testenv.Must(t, err)
	io.WriteString(w, "half")
	cancel()
	w.Close()
	if names, err := o.List(ctx, "a/", 9); err != nil || !slices.Equal(names, []string{"a/1", "a/2"}) {
		t.Errorf("List = %q, %v", names, err)
	}
	if names, err := o.List(ctx, "", 2); err != nil || len(names) != 2 {
		t.Errorf("List of two = %q, %v", names, err)
	}
	if data, err := o.Read(ctx, "a/1"); err != nil || string(data) != "spark" {
		t.Errorf("Read = %q, %v", data, err)
	}
	if _, err := o.Read(ctx, "a/3"); errs.KindOf(err) != errs.NotFound {
		t.Errorf("Read of no file = %v", err)
	}
	testenv.Must(t, o.Remove(ctx, "a/2"))
	testenv.Must(t, o.Remove(ctx, "a/2"))
	if names, err := o.List(ctx, "a/", 9); err != nil || !slices.Equal(names, []string{"a/1"}) {
		t.Errorf("List after Remove = %q, %v", names, err)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir := filepath.Join(t.TempDir(), "new")
	open := func() *objects.Objects {
		o, err := objects.Open(ctx, dir, "http://127.0.0.1:8000")
		testenv.Must(t, err)
		t.Cleanup(func() { o.Close() })
		return o
	}
	o := open()
	behave(t, o)

	link, err := o.Link(ctx, "a/1", time.Minute)
	testenv.Must(t, err)
	if !strings.HasPrefix(link, "http://127.0.0.1:8000"+objects.Path+"?") {
		t.Errorf("the link is %s", link)
	}
	if code, body := get(t, o, "GET", link); code != http.StatusOK || body != "spark" {
		t.Errorf("GET = %d, %q", code, body)
	}
	expired, err := o.Link(ctx, "a/1", time.Nanosecond)
	testenv.Must(t, err)
	gone, err := o.Link(ctx, "a/2", time.Minute)
	testenv.Must(t, err)
	change := func(key, value string) string {
		u, _ := url.Parse(link)
		q := u.Query()
		q.Set(key, value)
		u.RawQuery = q.Encode()
		return u.String()
	}
	time.Sleep(1100 * time.Millisecond) // links know seconds
	for _, test := range []struct {
		what, method, link string
		handler            http.Handler
		want               int
	}{
		{"an expired link", "GET", expired, o, http.StatusForbidden},
		{"another file", "GET", change("obj", "b/1"), o, http.StatusForbidden},
		{"a longer life", "GET", change("expiry", "99999999999"), o, http.StatusForbidden},
		{"another method", "DELETE", link, o, http.StatusForbidden},
		{"a key of another process", "GET", link, open(), http.StatusForbidden},
		{"no signature", "GET", change("signature", ""), o, http.StatusForbidden},
		{"a file that is gone", "GET", gone, o, http.StatusNotFound},
	} {
		if code, body := get(t, test.handler, test.method, test.link); code != test.want || strings.Contains(body, "spark") {
			t.Errorf("%s: %d %q, want %d", test.what, code, body, test.want)
		}
	}
}

func TestValid(t *testing.T) {
	t.Parallel()
	for place, good := range map[string]bool{
		"gs://bucket": true, "/var/exports": true, "gs://": false, "gs://bucket/folder": false,
		"gs://bucket?access_id=x": false, "exports": false, "s3://bucket": false,
	} {
		if err := objects.Valid(place); (err == nil) != good {
			t.Errorf("Valid(%q) = %v", place, err)
		}
	}
}
