package ops_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/ops"
)

// A step whose time is over within a page saves its position. The next one goes on there.
func TestStepOver(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{StepTime: time.Nanosecond})
	e.CreateUsers(t, "ann")
	first := strings.TrimPrefix(old(t, e, "花火がきれい"), model.Tweets+"/")
	for range 2 {
		e.Clock.Add(time.Second)
		old(t, e, "ひばな")
	}
	begin(t, e, 400)
	testenv.Must(t, e.Migrations.Migrate(t.Context(), work(t, e)))
	if is := work(t, e); is.After != first || is.Read != 1 || is.Written != 1 || is.Pass != 0 {
		t.Errorf("after the first step the migration is %+v, want 1 of 3 tweets", is)
	}
	_, last := steps(t, e, e.Store, nil)
	if last.Read != 3+3 || last.Written != 3 || last.Failed != 0 {
		t.Errorf("at its end the migration is %+v, want each tweet once in each pass", last)
	}
	left(t, e, 0)
}

// The change of a document takes longer than its event may. What comes before the document is saved, and the next step
// begins with it.
func TestSlowDocument(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	var paths []string
	for range 3 {
		e.Clock.Add(time.Second)
		paths = append(paths, old(t, e, "花火がきれい"))
	}
	var hung atomic.Bool
	s := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req, reply any,
		conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		commit, _ := req.(*pb.CommitRequest)
		for _, w := range commit.GetWrites() {
			if strings.HasSuffix(w.GetUpdate().GetName(), paths[1]) && hung.CompareAndSwap(false, true) {
				<-ctx.Done()
				return ctx.Err()
			}
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	begin(t, e, 400)
	event, cancel := context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	if err := s.Migrations.Migrate(event, work(t, e)); err != nil || !hung.Load() {
		t.Errorf("a step with a slow document: %v", err)
	}
	if is := work(t, e); is.After != strings.TrimPrefix(paths[0], model.Tweets+"/") || is.Read != 1 || is.Failed != 0 {
		t.Errorf("after the step the migration is %+v, want the position of the first tweet", is)
	}
	if _, last := steps(t, e, s, nil); last.Failed != 0 {
		t.Errorf("at its end the migration is %+v", last)
	}
	left(t, e, 0)
}

// The change of one document fails always. Each pass tries it again, logs it, counts it and passes over it. The others
// are changed, and the next migration follows.
func TestFailure(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	e := storetest.Open(t, store.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	e.CreateUsers(t, "ann", "bob", "cat")
	for _, uid := range []string{"ann", "bob", "cat"} {
		n := map[string]any{"groupKey": "follow", "countUsers": 1, "expireAt": e.Clock.Now().Add(time.Hour)}
		if uid == "bob" {
			n["countUsers"] = "many"
		}
		_, err := e.Raw.Doc("users/"+uid+"/notifications/follow_2026-11-15").Set(t.Context(), n)
		testenv.Must(t, err)
	}
	const name = "notifications"
	status := func() model.MigrationWork {
		t.Helper()
		w, _, err := e.Migrations.Status(t.Context(), name)
		testenv.Must(t, err)
		return w
	}
	run := func() (tries []int) {
		t.Helper()
		for range 100 {
			w := status()
			if w.Done {
				return tries
			}
			tries = append(tries, w.Tries)
			if err := e.Migrations.Migrate(t.Context(), w); err != nil {
				t.Fatalf("a step with a document that fails: %v", err)
			}
		}
		t.Fatalf("the migration does not end: %+v", status())
		return nil
	}
	_, err := e.Migrations.Start(t.Context(), name, 400, "poll-votes")
	testenv.Must(t, err)
	tries := run()
	over := status()
	if over.Failed != 1 || over.Found != 0 || over.Written != 2 || over.Pass != 2 {
		t.Errorf("at its end the migration is %+v after %v failures, want one document that failed", over, tries)
	}
	if logged := strings.Count(log.String(), "passes over"); logged != over.Pass ||
		!strings.Contains(log.String(), "document=users/bob") {
		t.Errorf("%d passes logged %q, want the document of bob for each", over.Pass, log.String())
	}
	for uid, want := range map[string]int{"ann": 0, "bob": 1, "cat": 0} {
		if got := e.IDs(t, "users/"+uid+"/notifications"); len(got) != want {
			t.Errorf("%s has %v left, want %d", uid, got, want)
		}
	}
	if left, _, err := e.Migrations.Left(t.Context(), name); err != nil || left != 1 {
		t.Errorf("%d users are left, %v, want the one that failed", left, err)
	}
	testenv.Must(t, e.Migrations.Migrate(t.Context(), over)) // the event of its end
	if _, found, err := e.Migrations.Status(t.Context(), "poll-votes"); err != nil || !found {
		t.Errorf("the next migration is found = %v, %v", found, err)
	}

	// Once the document is mended, a restart has nothing that fails.
	_, err = e.Raw.Doc("users/bob/notifications/follow_2026-11-15").Update(t.Context(),
		[]firestore.Update{{Path: "countUsers", Value: 1}})
	testenv.Must(t, err)
	_, err = e.Migrations.Start(t.Context(), name, 400)
	testenv.Must(t, err)
	run()
	if over := status(); over.Failed != 0 || over.Written != 1 {
		t.Errorf("mended, the migration is %+v", over)
	}
}

// A migration of one pass has left what failed. A step back ends at a document that fails.
func TestFailureOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Clock.Set(time.Now().Add(time.Hour)) // after the database's time of the graph
	e.CreateUsers(t, "ann")
	_, err := e.Raw.Doc(model.Viewers+"/ann").Set(t.Context(), map[string]any{"whole": true})
	testenv.Must(t, err)
	_, err = e.Raw.Doc(model.Polls+"/p").Set(t.Context(), map[string]any{"votes": map[string]any{"1": "many"}})
	testenv.Must(t, err)
	broken := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req, reply any,
		conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		commit, _ := req.(*pb.CommitRequest)
		for _, w := range commit.GetWrites() {
			if strings.Contains(w.GetUpdate().GetName()+w.GetDelete(), "/"+model.Viewers+"/") {
				panic("a mistake") // of the change of this document
			}
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	_, err = e.Migrations.Start(t.Context(), "viewers", 400)
	testenv.Must(t, err)
	for range 100 {
		w, _, err := e.Migrations.Status(t.Context(), "viewers")
		testenv.Must(t, err)
		if w.Done {
			break
		}
		testenv.Must(t, broken.Migrations.Migrate(t.Context(), w))
	}
	w, _, err := e.Migrations.Status(t.Context(), "viewers")
	if err != nil || !w.Done || w.Pass != 1 || w.Failed != 1 {
		t.Errorf("a migration of one pass is %+v, %v", w, err)
	}
	if left, _, err := e.Migrations.Left(t.Context(), "viewers"); err != nil || left != 1 {
		t.Errorf("%d graphs are left, %v, want the one that failed", left, err)
	}
	err = e.Migrations.RunGroup(t.Context(), ops.Back, 400, func(model.MigrationWork) {})
	if err == nil || !strings.Contains(err.Error(), model.Polls+"/p") {
		t.Errorf("the way back with a poll that cannot go back = %v", err)
	}
}
