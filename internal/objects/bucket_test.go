package objects_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/objects"
)

// emulate starts an emulator of Cloud Storage with a bucket, and points this process to it.
func emulate(t *testing.T, bucket string) *fakestorage.Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testenv.Must(t, err)
	at := l.Addr().(*net.TCPAddr)
	l.Close()
	host := fmt.Sprintf("127.0.0.1:%d", at.Port)
	s, err := fakestorage.NewServerWithOptions(fakestorage.Options{
		Scheme: "http", Host: "127.0.0.1", Port: uint16(at.Port), PublicHost: host, ExternalURL: "http://" + host,
		Writer: io.Discard,
	})
	testenv.Must(t, err)
	t.Cleanup(s.Stop)
	s.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: bucket})
	t.Setenv("STORAGE_EMULATOR_HOST", host)
	return s
}

// A bucket of Cloud Storage behaves as a folder does. Without an account that may sign, it
// makes no links.
func TestBucket(t *testing.T) {
	s := emulate(t, "exports")
	o, err := objects.Open(t.Context(), "gs://exports", "http://127.0.0.1:8000")
	testenv.Must(t, err)
	t.Cleanup(func() { o.Close() })
	if o.InFolder() {
		t.Error("a bucket is in a folder")
	}
	behave(t, o)

	stored, err := s.GetObject("exports", "a/1")
	testenv.Must(t, err)
	if stored.ContentType != "application/zip" || string(stored.Content) != "spark" {
		t.Errorf("the bucket has %q of type %s", stored.Content, stored.ContentType)
	}
	// More than the writer holds back, in several requests.
	large := strings.Repeat("spark", 1<<19)
	w, err := o.Writer(t.Context(), "large", "hibana-1.zip")
	testenv.Must(t, err)
	_, err = io.WriteString(w, large)
	testenv.Must(t, err)
	testenv.Must(t, w.Close())
	if stored, err = s.GetObject("exports", "large"); err != nil || string(stored.Content) != large ||
		stored.ContentDisposition != "attachment; filename=hibana-1.zip" {
		t.Errorf("of %d bytes the bucket has %d, to be saved by %q, %v", len(large), len(stored.Content),
			stored.ContentDisposition, err)
	}

	if link, err := o.Link(t.Context(), "a/1", time.Minute); err == nil {
		t.Errorf("nobody may sign, and the link is %s", link)
	}
	if code, _ := get(t, o, "GET", "http://127.0.0.1:8000"+objects.Path+
		"?obj=a%2F1&method=GET"); code != http.StatusForbidden {
		t.Errorf("the API serves files of a bucket: %d", code)
	}
}
