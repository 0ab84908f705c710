package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// What becomes of a request to an inbox.
const (
	arrives       = "a request that arrived once"
	refusedBefore = "a request that was refused before it was handled"
	cutBefore     = "a connection that ended before a request was handled"
	refusedAfter  = "a request that was handled, and refused"
	cutAfter      = "a connection that ended after a request was handled"
	doubled       = "a request that came twice at once"
	repeated      = "a request that came again later"
	slowed        = "a request that waited"
	overtaken     = "a request that was refused, and handled later"
)

// mishaps are how often of a hundred times each happens.
var mishaps = []struct {
	what string
	of   int
}{{refusedBefore, 6}, {cutBefore, 4}, {refusedAfter, 6}, {cutAfter, 4}, {doubled, 7}, {repeated, 15}, {slowed, 6},
	{overtaken, 9}}

// unreliable is a network between installations that loses, delays and repeats what goes to inboxes. Other requests
// pass.
type unreliable struct {
	mu     sync.Mutex
	rng    *rand.Rand
	off    bool // then all arrives once
	counts map[string]int
	kinds  map[string]int // types of activities that were refused or repeated
	late   []func()       // requests that come later

	forced map[string]string // what happens to the next activity of a type
}

func newUnreliable(seed uint64) *unreliable {
	return &unreliable{rng: rand.New(rand.NewPCG(seed, 2)), counts: map[string]int{}, kinds: map[string]int{},
		forced: map[string]string{}}
}

// next draws what happens to a request, and how long it waits.
func (u *unreliable) next(body []byte) (what string, wait time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	what = arrives
	n, wait := u.rng.IntN(100), time.Duration(u.rng.IntN(150))*time.Millisecond
	for _, m := range mishaps {
		if n -= m.of; n < 0 {
			what = m.what
			break
		}
	}
	if u.off {
		what = arrives
	}
	var is struct{ Type string }
	if err := json.Unmarshal(body, &is); err != nil {
		return arrives, 0
	}
	if forced := u.forced[is.Type]; forced != "" {
		what = forced
		delete(u.forced, is.Type)
	}
	if u.counts[what]++; what != arrives {
		u.kinds[is.Type]++
	}
	return what, wait
}

// force says what happens to the next activity of a type.
func (u *unreliable) force(kind, what string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.forced[kind] = what
}

// stop lets everything arrive from now on, and start ends that.
func (u *unreliable) stop()  { u.set(true) }
func (u *unreliable) start() { u.set(false) }

func (u *unreliable) set(off bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.off = off
}

// release lets requests come that come later, in any order: at most n. It returns how many there were.
func (u *unreliable) release(n int) int {
	u.mu.Lock()
	u.rng.Shuffle(len(u.late), func(i, j int) { u.late[i], u.late[j] = u.late[j], u.late[i] })
	n = min(n, len(u.late))
	now := u.late[:n]
	u.late = u.late[n:]
	u.mu.Unlock()
	for _, comes := range now {
		comes()
	}
	return n
}

// spoil is what an inbox gets of what is sent to it.
func (u *unreliable) spoil(to http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/inbox") {
			to.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		handle := func(w http.ResponseWriter) {
			again := r.Clone(context.WithoutCancel(r.Context()))
			again.Body = io.NopCloser(bytes.NewReader(body))
			to.ServeHTTP(w, again)
		}
		unheard := func() { handle(httptest.NewRecorder()) }
		later := func() {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.late = append(u.late, unheard)
		}
		what, wait := u.next(body)
		switch what {
		case refusedBefore:
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case overtaken:
			later()
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case cutBefore:
			panic(http.ErrAbortHandler)
		case refusedAfter:
			unheard()
			w.WriteHeader(http.StatusInternalServerError)
			return
		case cutAfter:
			unheard()
			panic(http.ErrAbortHandler)
		case doubled:
			var both sync.WaitGroup
			both.Go(unheard)
			defer both.Wait()
		case repeated:
			later()
		case slowed:
			time.Sleep(wait)
		}
		handle(w)
	})
}
