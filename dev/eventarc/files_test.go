package eventarc_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/objects"
)

const finalized = "google.cloud.storage.object.v1.finalized"

// receiver is a function that notes the files whose events it gets.
type receiver struct {
	mu      sync.Mutex
	got     []string
	failing int // how many events it refuses
}

func (f *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var data struct{ Bucket, Name, Generation, Size, ContentType string }
	err := json.Unmarshal(body, &data)
	h := r.Header
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failing > 0 {
		f.failing--
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if err != nil || h.Get("ce-type") != finalized || h.Get("ce-subject") != "objects/"+data.Name ||
		h.Get("ce-source") != "//storage.googleapis.com/projects/_/buckets/"+data.Bucket ||
		h.Get("ce-bucket") != data.Bucket || h.Get("ce-id") == "" || h.Get("ce-time") == "" ||
		h.Get("Authorization") != "" || data.Generation == "" || data.Size != "5" || data.ContentType != "image/png" {
		f.got = append(f.got, fmt.Sprintf("a bad event: %v %s", h, body))
		return
	}
	f.got = append(f.got, data.Name)
}

// want checks the files of all events since the last check.
func (f *receiver) want(t *testing.T, what string, want ...string) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.Sort(f.got)
	if !slices.Equal(f.got, want) {
		t.Errorf("%s: the function has %q, want %q", what, f.got, want)
	}
	f.got = nil
}

// files runs a runner for the files of a bucket. It gets events of the bucket of media, too.
func files(t *testing.T, bucket, functionsURL string, faults *eventarc.Faults) *eventarc.Runner {
	t.Helper()
	r := eventarc.New(eventarc.Options{Project: bucket, FunctionsURL: functionsURL, Faults: faults,
		MinBackoff: time.Millisecond,
		Triggers:   []eventarc.Trigger{{Name: "MediaUploaded", EventType: finalized, Bucket: bucket}}})
	r.Start(context.WithoutCancel(t.Context()))
	server := httptest.NewServer(r)
	t.Cleanup(func() {
		testenv.Must(t, r.Stop(context.WithoutCancel(t.Context())))
		server.Close()
	})
	for _, name := range []string{bucket, strings.TrimSuffix(bucket, "-uploads") + "-media"} { // the other has no trigger
		testenv.Must(t, storage.Watch(t.Context(), storagetest.Host(t), name, server.URL))
	}
	return r
}

func TestFiles(t *testing.T) {
	t.Parallel()
	project := "demo-" + strings.ToLower(rand.Text()[:8])
	uploads, media := storagetest.Buckets(t, project)
	var f receiver
	functions := httptest.NewServer(&f)
	t.Cleanup(functions.Close)
	open := func(place string) *objects.Objects {
		o, err := objects.Open(t.Context(), place, "")
		testenv.Must(t, err)
		t.Cleanup(func() { o.Close() })
		return o
	}
	in, out := open(uploads), open(media)
	put := func(o *objects.Objects, name string) {
		testenv.Must(t, o.Put(t.Context(), name, []byte("spark"), objects.Attributes{ContentType: "image/png"}))
	}

	put(in, "before") // the trigger is not there yet
	first := files(t, project+"-uploads", functions.URL, nil)
	idle := func(r *eventarc.Runner) { testenv.Must(t, r.WaitIdle(t.Context())) }
	put(in, "one")
	put(in, "a/b c")
	put(out, "result") // of a bucket without a trigger
	idle(first)
	f.want(t, "each file", "a/b c", "one")
	put(in, "one")
	idle(first)
	f.want(t, "a new version", "one")
	testenv.Must(t, in.Remove(t.Context(), "one"))
	idle(first)
	f.want(t, "a deletion")

	f.failing = 2
	put(in, "two")
	idle(first)
	f.want(t, "a function that failed twice", "two")

	// Uploads do not wait for a runner that is gone, and the next one has their events.
	testenv.Must(t, first.Stop(t.Context()))
	put(in, "three")
	put(in, "four")
	second := files(t, project+"-uploads", functions.URL, nil)
	idle(second)
	f.want(t, "after a restart", "four", "three")
}

// Duplicates, delays and lost answers: no event is lost, and some come more than once.
func TestFilesWithFaults(t *testing.T) {
	t.Parallel()
	project := "demo-" + strings.ToLower(rand.Text()[:8])
	uploads, _ := storagetest.Buckets(t, project)
	var f receiver
	functions := httptest.NewServer(&f)
	t.Cleanup(functions.Close)
	o, err := objects.Open(t.Context(), uploads, "")
	testenv.Must(t, err)
	t.Cleanup(func() { o.Close() })
	r := files(t, project+"-uploads", functions.URL, &eventarc.Faults{Seed: 7, Duplicate: 2, Drop: 0.5,
		Delay: time.Millisecond})
	var want []string
	for i := range 20 {
		name := fmt.Sprintf("%02d", i)
		want = append(want, name)
		testenv.Must(t, o.Put(t.Context(), name, []byte("spark"), objects.Attributes{ContentType: "image/png"}))
	}
	testenv.Must(t, r.WaitIdle(t.Context()))
	all := len(f.got)
	slices.Sort(f.got)
	f.got = slices.Compact(f.got)
	f.want(t, "with faults", want...)
	if stats := r.Stats(); all < stats.Received+stats.Duplicated || stats.Duplicated == 0 || stats.Retried == 0 {
		t.Errorf("the function had %d events, and the runner %+v", all, stats)
	}
}
