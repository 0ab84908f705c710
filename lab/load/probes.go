package load

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/dev/metrics"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
)

// Probe is something that follows a write, and within what time the sources want it.
type Probe string

// The probes.
const (
	Fanout   Probe = "S1-41" // a tweet is in the home timeline of a follower, within 3 s
	Backfill Probe = "S1-42" // a tweet is in the home timeline of a new follower, within 5 s
	Removal  Probe = "S1-43" // the like of a deleted tweet is gone, within 5 s
)

// Within is what the sources want of 95 of 100.
var Within = map[Probe]time.Duration{Fanout: 3 * time.Second, Backfill: 5 * time.Second, Removal: 5 * time.Second}

const (
	lookEach = 100 * time.Millisecond // so much a measured time may be too long
	giveUp   = 30 * time.Second       // a probe that lasts longer counts as this
	atOnce   = 4 * time.Second        // a page shows a tweet, if no event waits: heads wait up to 1 s, and caches 2 s
	calmFor  = 3                      // seconds without an event say that none is left
)

// probe looks at how soon things follow, beside the load, until ctx ends. The first person writes,
// the second follows and likes.
func (r *run) probe(ctx context.Context, to *Result) {
	var mu sync.Mutex
	note := func(p Probe, took time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		to.Probes = append(to.Probes, Seen{p, time.Since(to.Begun), took})
	}
	writer, reader := r.people[0], r.people[1]
	for n := 0; ctx.Err() == nil; n++ {
		posted := r.send(ctx, writer, http.MethodPost, "/v1/tweets", map[string]string{"content": "Who sees this?"})
		if tweet := posted.id(); tweet != "" {
			if took, ok := r.until(ctx, func() bool { return r.shows(ctx, reader, tweet) }); ok {
				note(Fanout, took)
			}
			r.forget(ctx, note, writer, reader, tweet)
		}
		// Someone else who does not follow the writer follows anew.
		other := r.people[2+n%(len(r.people)-2)]
		r.send(ctx, other, http.MethodDelete, "/v1/users/"+writer.uid+"/follow", nil)
		if posted := r.send(ctx, writer, http.MethodPost, "/v1/tweets",
			map[string]string{"content": "For who comes later."}); posted.ok() {
			pause(ctx, time.Second) // the tweet is in its author's month
			if r.send(ctx, other, http.MethodPut, "/v1/users/"+writer.uid+"/follow", nil).ok() {
				if took, ok := r.until(ctx, func() bool { return r.shows(ctx, other, posted.id()) }); ok {
					note(Backfill, took)
				}
			}
		}
		pause(ctx, r.ProbeEach)
	}
}

// reconcile waits until the functions have delivered the preparation's documents.
func (r *run) reconcile(ctx context.Context) (time.Duration, error) {
	r.Progress("waiting until the functions have handled all events")
	begun := time.Now()
	ctx, stop := context.WithTimeoutCause(ctx, MaxReconcile, fmt.Errorf("the functions did not handle all events "+
		"within %v", MaxReconcile))
	defer stop()
	if err := r.calm(ctx); err != nil {
		return 0, err
	}
	writer, reader := r.people[0], r.people[1]
	if err := must(r.send(ctx, reader, http.MethodPut, "/v1/users/"+writer.uid+"/follow", nil), "a follow"); err != nil {
		return 0, err
	}
	for calm := 0; calm < 2; {
		posted := r.send(ctx, writer, http.MethodPost, "/v1/tweets", map[string]string{"content": "Is everything there?"})
		if err := must(posted, "a tweet"); err != nil && ctx.Err() == nil {
			return 0, err
		}
		took, ok := r.until(ctx, func() bool { return r.shows(ctx, reader, posted.id()) })
		if !ok {
			return 0, context.Cause(ctx)
		}
		if calm++; took > atOnce {
			calm = 0
		}
	}
	return time.Since(begun), nil
}

// calm waits until the functions handle no more events. Two people who see each other's tweets say little of a
// thousand whose events wait at other functions.
func (r *run) calm(ctx context.Context) error {
	if r.Metrics == "" {
		return nil
	}
	for seconds, before := 0, -1.0; seconds < calmFor; pause(ctx, time.Second) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		page, err := metrics.Read(ctx, r.Metrics)
		if err != nil { // the machine is busy with what was made
			seconds, before = 0, -1
			continue
		}
		handled := page.Total(telemetry.Events)
		r.Progress(fmt.Sprintf("waiting until the functions have handled all events: %.0f handled", handled))
		if seconds++; handled != before || handled == 0 { // what was made has events
			seconds, before = 0, handled
		}
	}
	return nil
}

// forget deletes a tweet that somebody likes, and measures how soon the like is gone.
func (r *run) forget(ctx context.Context, note func(Probe, time.Duration), writer, reader *person, tweet string) {
	if r.Firestore == "" || !r.send(ctx, reader, http.MethodPut, "/v1/tweets/"+tweet+"/like", nil).ok() {
		return
	}
	like := r.Firestore + "/v1/projects/" + r.Project + "/databases/(default)/documents/" + model.Likes + "/" +
		url.PathEscape(model.ReactionKey(model.UserID(reader.uid), model.TweetID(tweet)))
	if r.there(ctx, like) != http.StatusOK { // another project: nothing would be measured
		return
	}
	if r.send(ctx, writer, http.MethodDelete, "/v1/tweets/"+tweet, nil).ok() {
		if took, ok := r.until(ctx, func() bool { return r.there(ctx, like) == http.StatusNotFound }); ok {
			note(Removal, took)
		}
	}
}

// there asks the Firestore emulator for a document.
func (r *run) there(ctx context.Context, document string) int {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, document, nil)
	if err != nil {
		return 0
	}
	req.Header.Set("Authorization", "Bearer owner")
	resp, err := r.client.Do(req)
	if err != nil {
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

// until measures how long it takes until something is so. It is not measured if ctx ended first.
func (r *run) until(ctx context.Context, so func() bool) (took time.Duration, ok bool) {
	begun := time.Now()
	for !so() {
		if ctx.Err() != nil {
			return 0, false
		}
		if time.Since(begun) > giveUp {
			return giveUp, true
		}
		pause(ctx, lookEach)
	}
	return time.Since(begun), true
}

// shows reports whether a home timeline has a tweet among its first.
func (r *run) shows(ctx context.Context, who *person, tweet string) bool {
	var page struct {
		Items []json.RawMessage
	}
	a := r.send(ctx, who, http.MethodGet, "/v1/timeline?pageSize=100", nil)
	return a.ok() && json.Unmarshal(a.body, &page) == nil &&
		slices.ContainsFunc(page.Items, func(item json.RawMessage) bool { return strings.Contains(string(item), tweet) })
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
