package functions_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/objects"
)

// taken notes uploads as MediaUploaded gets them. The first attempt for each fails.
type taken struct {
	mu    sync.Mutex
	tries map[functions.Upload]int
}

func (t *taken) take(_ context.Context, u functions.Upload) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tries[u]++; t.tries[u] == 1 {
		return errors.New("the first attempt fails")
	}
	return nil
}

// A file that a client uploads by a signed address reaches MediaUploaded, again after a failure, and also when events
// are duplicated and answers are lost.
func TestUploadReachesItsFunction(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]*eventarc.Faults{
		"without faults": nil,
		"with faults":    {Seed: 1, Duplicate: 2, Drop: 0.3, Delay: time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			project := testenv.Project(t)
			uploads, _ := storagetest.Buckets(t, project)
			got := taken{tries: map[functions.Upload]int{}}
			s := stacktest.Run(t, stack.Options{Project: project, Storage: storagetest.Host(t), Uploads: uploads,
				Uploaded: got.take, Faults: faults, MaxBackoff: time.Millisecond})
			o, err := objects.Open(t.Context(), uploads, "")
			testenv.Must(t, err)
			t.Cleanup(func() { o.Close() })

			var want []functions.Upload
			for _, name := range []string{"one", "two"} {
				u, err := o.UploadURL(t.Context(), name, "image/png", 100, time.Minute)
				testenv.Must(t, err)
				session := send(t, u.Method, u.URL, u.Headers, nil)
				send(t, http.MethodPut, session, nil, []byte("spark"))
				info, err := o.Stat(t.Context(), name)
				testenv.Must(t, err)
				want = append(want, functions.Upload{Name: name, Generation: info.Generation, Size: 5})
			}
			stacktest.Idle(t, s)
			if len(got.tries) != 2 {
				t.Errorf("uploads are %v, want %v", got.tries, want)
			}
			for u, tries := range got.tries {
				if !slices.Contains(want, u) || tries < 2 || faults == nil && tries != 2 {
					t.Errorf("MediaUploaded had %+v %d times, want twice one of %+v", u, tries, want)
				}
			}
		})
	}
}

// send sends a request of a client, and returns the session that it starts.
func send(t *testing.T, method, at string, headers map[string]string, body []byte) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, at, bytes.NewReader(body))
	testenv.Must(t, err)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	testenv.Must(t, err)
	resp.Body.Close()
	if resp.StatusCode > 299 {
		t.Errorf("%s answered %s", method, resp.Status)
	}
	return resp.Header.Get("Location")
}
