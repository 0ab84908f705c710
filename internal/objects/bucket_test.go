package objects_test

import (
	"crypto/rand"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/objects"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// A bucket of Cloud Storage behaves as a folder does. Package emulator tests uploads, parts and pages.
func TestBucket(t *testing.T) {
	t.Parallel()
	bucket := "exports-" + strings.ToLower(rand.Text()[:8])
	testenv.Must(t, storage.Create(t.Context(), storagetest.Host(t), bucket))
	o, err := objects.Open(t.Context(), "gs://"+bucket, "http://127.0.0.1:8000")
	testenv.Must(t, err)
	t.Cleanup(func() { o.Close() })
	if o.InFolder() {
		t.Error("a bucket is in a folder")
	}
	behave(t, o)

	// More than the writer holds back, in several requests.
	large := strings.Repeat("spark", 1<<19)
	w, err := o.Writer(t.Context(), "large", objects.Attributes{ContentType: "application/zip", SaveAs: "hibana-1.zip"})
	testenv.Must(t, err)
	_, err = io.WriteString(w, large)
	testenv.Must(t, err)
	testenv.Must(t, w.Close())

	link, err := o.Link(t.Context(), "large", time.Minute)
	testenv.Must(t, err)
	resp, err := http.Get(link)
	testenv.Must(t, err)
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	testenv.Must(t, err)
	if h := resp.Header; string(got) != large || h.Get("Content-Type") != "application/zip" ||
		h.Get("Content-Disposition") != "attachment; filename=hibana-1.zip" {
		t.Errorf("of %d bytes the link has %d, with %v", len(large), len(got), h)
	}
	if code, _ := get(t, o, "GET", "http://127.0.0.1:8000"+objects.Path+
		"?obj=a%2F1&method=GET"); code != http.StatusForbidden {
		t.Errorf("the API serves files of a bucket: %d", code)
	}
}

func TestFolderTakesNoUploads(t *testing.T) {
	t.Parallel()
	o, err := objects.Open(t.Context(), t.TempDir(), "http://127.0.0.1:8000")
	testenv.Must(t, err)
	t.Cleanup(func() { o.Close() })
	if u, err := o.UploadURL(t.Context(), "one", "image/png", 1, time.Minute); err == nil {
		t.Errorf("an upload to a folder goes to %s", u.URL)
	}
}
