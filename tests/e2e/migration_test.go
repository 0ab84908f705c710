package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/ops"
	"github.com/hibana-sns/hibana/store/verify"
)

// village is a database with people who did everything that the layouts of versions have differently.
type village struct {
	*env
	busy, calm []person
	tweets     []tweet // of busy people
	polls      []tweet
	calmPages  []string // paths of pages that calm people see
}

// settle seeds a village, in the present layout.
func settle(t *testing.T, e *env) *village {
	v := &village{env: e}
	for i := range 6 {
		v.busy = append(v.busy, e.join(t, fmt.Sprintf("busy_%d", i)))
	}
	for i := range 3 {
		v.calm = append(v.calm, e.join(t, fmt.Sprintf("calm_%d", i)))
	}
	poll := map[string]any{"content": "which spark?", "poll": map[string]any{"options": []string{"red", "blue"},
		"minutes": 60}}
	for _, people := range [][]person{v.busy, v.calm} {
		n := len(people)
		var posted []tweet
		for i, p := range people {
			e.follow(t, p, people[(i+1)%n])
			e.follow(t, p, people[(i+2)%n])
			var asked tweet
			e.do(t, p, "POST /v1/tweets", poll).want(t, http.StatusCreated, &asked)
			v.polls = append(v.polls, asked)
			posted = append(posted, asked, e.post(t, p, "a #spark", tweet{}))
		}
		for i, p := range people {
			next := posted[2*((i+1)%n):]
			e.do(t, p, "PUT /v1/tweets/"+next[0].ID+"/vote", map[string]any{"option": 1 + i%2}).want(t, http.StatusOK, nil)
			e.like(t, p, next[0])
			e.like(t, p, next[1])
			e.put(t, p, "/v1/tweets/"+next[1].ID+"/share")
			e.post(t, p, "so bright", next[1])
		}
		if people[0] == v.busy[0] {
			v.tweets = posted
		}
	}
	e.idle(t)
	for _, p := range []person{v.busy[0], v.calm[0]} {
		e.put(t, p, "/v1/notifications/read")
	}
	e.remove(t, v.calm[1], "/v1/tweets/"+v.polls[len(v.busy)+2].ID+"/like") // the notification has another user, or none
	e.idle(t)
	v.calmPages = []string{"/v1/timeline?pageSize=100", "/v1/notifications?pageSize=100",
		"/v1/tweets/" + v.polls[len(v.polls)-1].ID}
	return v
}

// pages reads the pages of calm people.
func (v *village) pages(t *testing.T, e *env, paths ...string) (all []string) {
	t.Helper()
	for _, p := range v.calm {
		for _, path := range paths {
			all = append(all, path+" "+string(e.do(t, p, "GET "+path, nil).want(t, http.StatusOK, nil).body))
		}
	}
	return all
}

// act is one action of busy people.
func (v *village) act(t *testing.T, e *env, i int) {
	t.Helper()
	p, tw := v.busy[rand.IntN(len(v.busy))], v.tweets[rand.IntN(len(v.tweets))]
	verb := []string{"PUT", "DELETE"}[rand.IntN(2)]
	request, body := verb+" /v1/tweets/"+tw.ID+"/like", any(nil)
	switch i % 6 {
	case 0:
		v.tweets = append(v.tweets, e.post(t, p, fmt.Sprint("#spark number ", i), tweet{}))
		return
	case 1:
		v.tweets = append(v.tweets, e.post(t, p, "so bright", tw))
		return
	case 2:
		request = verb + " /v1/users/" + v.busy[rand.IntN(len(v.busy))].id + "/follow"
	case 3:
		request = verb + " /v1/tweets/" + tw.ID + "/share"
	case 4:
		request, body = "PUT /v1/tweets/"+v.polls[rand.IntN(len(v.busy))].ID+"/vote", map[string]any{"option": 1}
	}
	a := e.do(t, p, request, body)
	refused := []int{http.StatusBadRequest, http.StatusForbidden, http.StatusConflict,
		http.StatusServiceUnavailable} // a killed process keeps its locks for a while
	if a.status >= 300 && !slices.Contains(refused, a.status) {
		t.Fatalf("%s answers %d: %s", request, a.status, a.body)
	}
	e.timeline(t, p)
}

// fresh serves the API with a store that has seen nothing, as a process of another version.
func fresh(t *testing.T, s *stack.Stack) *env {
	t.Helper()
	db, err := store.Open(t.Context(), s.Project, "", store.Options{Emulator: testenv.FirestoreHost(t),
		CacheTTL: time.Nanosecond, Patience: time.Minute})
	testenv.Must(t, err)
	t.Cleanup(func() { db.Close() })
	other := *s
	other.Store = db
	return serve(t, &other)
}

// right fails the test if verify finds a difference.
func (e *env) right(t *testing.T, what string) {
	t.Helper()
	e.idle(t)
	found, err := e.stack.Store.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		t.Errorf("%s: verify finds %s %s: have %v, want %v", what, d.Document, d.Field, d.Have, d.Want)
	}
}

// The layout of version 0.1.0 becomes the present one while people like, share, vote, post and follow, and while the
// process of the functions is killed again and again. Nothing is lost or counted twice.
func TestMigrationUnderTraffic(t *testing.T) {
	t.Parallel()
	testenv.NeedEvents(t, "kills the functions")
	seeded := newEnv(t)
	v := settle(t, seeded)
	want, polls := v.pages(t, seeded, v.calmPages...), v.pages(t, seeded, v.calmPages[2])
	raw := testenv.Client(t, seeded.stack.Project)
	storetest.Former(t, raw)
	stale := map[string]any{"whole": true} // of an earlier rollout
	_, err := raw.Doc(model.Viewers+"/"+v.busy[0].id).Set(t.Context(), stale)
	testenv.Must(t, err)

	e := fresh(t, seeded.stack)
	same(t, "polls before the migration", v.pages(t, e, v.calmPages[2]), polls)
	migrations := e.stack.Store.Migrations
	left := func() (all int64) {
		for _, m := range migrations.Of(ops.Forward) {
			n, _, err := migrations.Left(t.Context(), m.Name)
			testenv.Must(t, err)
			all += n
		}
		return all
	}
	if n := left(); n == 0 {
		t.Fatal("the former layout needs no migration")
	}
	var killed atomic.Int64
	stop := e.killFunctions(t, &killed)
	_, err = migrations.StartGroup(t.Context(), ops.Forward, 8)
	testenv.Must(t, err)
	for i, deadline := 0, time.Now().Add(5*time.Minute); ; i++ {
		v.act(t, e, i)
		if i%20 == 19 && killed.Load() > 2 && left() == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d documents still need a change", left())
		}
	}
	stop()
	e.right(t, "after the migration")
	if diff := cmp.Diff(want, v.pages(t, e, v.calmPages...)); diff != "" {
		t.Errorf("pages that nobody changed (-former +present):\n%s", diff)
	}
	if name, err := migrations.StartGroup(t.Context(), ops.Forward, 8); err != nil || name != "" {
		t.Errorf("after the last step %q starts, %v", name, err)
	}
}

// killFunctions runs the functions in a process that it kills again and again, until stop is called.
func (e *env) killFunctions(t *testing.T, killed *atomic.Int64) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	run := func() *exec.Cmd {
		process, url := stacktest.Process(t, e.stack.Project, nil, "WRITE_EVERY=10ms", "DRAIN_AFTER=10ms")
		e.stack.Runner.SetFunctionsURL(url)
		return process
	}
	first := run()
	go func() {
		defer close(ended)
		for process := first; ; process = run() {
			select {
			case <-time.After(500*time.Millisecond + rand.N(time.Second)):
			case <-ctx.Done():
			}
			process.Process.Kill()
			process.Wait()
			killed.Add(1)
			if ctx.Err() != nil {
				return
			}
		}
	}()
	stop = func() {
		cancel()
		<-ended
		e.stack.Runner.SetFunctionsURL(e.stack.FunctionsURL)
	}
	t.Cleanup(stop)
	return stop
}

// The steps back give version 0.1.0 what it needs, and leave nothing that it does not keep up. From there the steps
// forward lead to the same pages again, and the last step deletes what only version 0.1.0 reads.
func TestMigrationBackAndForward(t *testing.T) {
	t.Parallel()
	seeded := newEnv(t)
	v := settle(t, seeded)
	want := v.pages(t, seeded, v.calmPages...)
	raw := testenv.Client(t, seeded.stack.Project)
	ids := func(collection string) (all []string) {
		t.Helper()
		snaps, err := raw.CollectionGroup(collection).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		for _, snap := range snaps {
			all = append(all, snap.Ref.ID)
		}
		return all
	}
	_, err := raw.Doc(model.FormerRecents+"/"+v.calm[0].id).Set(t.Context(), map[string]any{"tweets": map[string]any{}})
	testenv.Must(t, err)
	migrations := fresh(t, seeded.stack).stack.Store.Migrations
	run := func(group ops.Group) {
		t.Helper()
		steps := 0
		testenv.Must(t, migrations.RunGroup(t.Context(), group, ops.MaxRate, func(model.MigrationWork) { steps++ }))
		if steps < len(migrations.Of(group)) {
			t.Errorf("%s took %d steps, want at least 1 for each migration", group, steps)
		}
	}
	run(ops.Back)
	for _, collection := range []string{model.Viewers, model.Heads, model.FollowerLists, model.NotificationLists,
		model.FormerRecents} {
		if left := ids(collection); len(left) > 0 {
			t.Errorf("after the way back %s has %v", collection, left)
		}
	}
	snap, err := raw.Doc(model.Polls + "/" + v.polls[0].ID).Get(t.Context())
	testenv.Must(t, err)
	n := snap.Data()
	if votes, _ := n["votes"].(map[string]any); len(votes) > 0 || n["votes1"] == nil && n["votes2"] == nil {
		t.Errorf("after the way back a poll is %v", n)
	}
	if len(ids(model.Notifications)) == 0 || len(ids(model.Actors)) == 0 {
		t.Error("after the way back there are no notifications, or no actors")
	}

	run(ops.Forward)
	e := fresh(t, seeded.stack)
	e.right(t, "back and forward")
	if diff := cmp.Diff(want, v.pages(t, e, v.calmPages...)); diff != "" {
		t.Errorf("pages after the way back and forward (-before +after):\n%s", diff)
	}

	storetest.Former(t, raw)
	testenv.Must(t, e.stack.Store.Totals.CountDue(t.Context(), func() bool { return false }))
	run(ops.Former)
	for _, collection := range model.FormerCollections {
		if left := ids(collection); len(left) > 0 {
			t.Errorf("after the last step %s has %v", collection, left)
		}
	}
	shard, err := raw.Doc("totals/users/shards/1").Get(t.Context())
	if status.Code(err) != codes.NotFound {
		t.Errorf("after the last step a total has the shard %v, %v", shard, err)
	}
	same(t, "documents of totals", ids(model.Totals), []string{model.TotalsDocument})
}
