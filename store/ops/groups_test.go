package ops_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/ops"
)

// The event of each migration's end starts the next one, also if it comes twice, if the next one was started by its
// name, and if it is over. Nothing starts once the operator went back.
func TestGroup(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	var names []string
	for _, m := range e.Migrations.Of(ops.Forward) {
		names = append(names, m.Name)
	}
	status := func(name string) (w model.MigrationWork, found bool) {
		t.Helper()
		w, found, err := e.Migrations.Status(t.Context(), name)
		testenv.Must(t, err)
		return w, found
	}
	finish := func(name string) model.MigrationWork {
		t.Helper()
		for {
			w, found := status(name)
			if !found {
				t.Fatalf("%s did not start", name)
			}
			if w.Done {
				return w
			}
			testenv.Must(t, e.Migrations.Migrate(t.Context(), w))
		}
	}
	start := func(want string) {
		t.Helper()
		if got, err := e.Migrations.StartGroup(t.Context(), ops.Forward, 400); err != nil || got != want {
			t.Fatalf("StartGroup() = %q, %v, want %q", got, err, want)
		}
	}
	for _, name := range []string{names[1], names[2]} { // one runs by its name, and one is over
		_, err := e.Migrations.Start(t.Context(), name, 400)
		testenv.Must(t, err)
	}
	finish(names[2])
	start(names[0])
	start(names[0])
	_, err := e.Migrations.Start(t.Context(), names[0], 400) // by its name, while it runs
	testenv.Must(t, err)
	first := finish(names[0])
	if want := slices.Concat(names[1:2], names[3:]); !slices.Equal(first.Next, want) {
		t.Errorf("%s is followed by %v, want %v", first.Name, first.Next, want)
	}
	for range 2 {
		testenv.Must(t, e.Migrations.Migrate(t.Context(), first)) // the event of its end
	}
	second := finish(names[1])
	if diff := cmp.Diff(names[3:], second.Next); diff != "" {
		t.Errorf("what follows a migration that was started by its name (-want +got):\n%s", diff)
	}
	testenv.Must(t, e.Migrations.Migrate(t.Context(), second))
	for i, name := range names[3:] {
		last := finish(name)
		if diff := cmp.Diff(names[i+4:], last.Next, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("what follows %s (-want +got):\n%s", name, diff)
		}
		testenv.Must(t, e.Migrations.Migrate(t.Context(), last))
	}
	testenv.Must(t, e.Migrations.Migrate(t.Context(), first)) // late, and all are over
	start("")
	testenv.Must(t, e.Migrations.Forget(t.Context(), ops.Forward))
	testenv.Must(t, e.Migrations.Migrate(t.Context(), first))
	for _, name := range names {
		if w, found := status(name); found {
			t.Errorf("after the way back %s is %+v", name, w)
		}
	}
	start(names[0])
}

// Version 0.1.0 serves while the steps back run: it writes the newest tweets of authors again and again. They stay, and
// the steps end.
func TestBackUnderTraffic(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{Now: time.Now}) // creation times are compared
	write := func(id string) {
		t.Helper()
		_, err := e.Raw.Doc(model.FormerRecents+"/"+id).Set(t.Context(), map[string]any{"tweets": map[string]any{}})
		testenv.Must(t, err)
	}
	write("stale")
	var steps, fresh []string
	err := e.Migrations.RunGroup(t.Context(), ops.Back, 400, func(w model.MigrationWork) {
		steps, fresh = append(steps, w.Name), append(fresh, fmt.Sprintf("author%02d", len(fresh)))
		write(fresh[len(fresh)-1])
	})
	if err != nil {
		t.Errorf("the way back ends with %v", err)
	}
	if diff := cmp.Diff(fresh, e.IDs(t, model.FormerRecents)); diff != "" {
		t.Errorf("newest tweets that version 0.1.0 wrote meanwhile (-want +got):\n%s", diff)
	}
	if steps[0] != "back-newest-tweets" {
		t.Errorf("the first step is %s, which leaves the newest tweets of before longer than needed", steps[0])
	}
}

// A way back that is killed goes on by its command alone. The functions of the present version leave it, and the way
// forward forgets it: a later way back takes all steps again.
func TestBackStaysWithItsCommand(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	heads := e.IDs(t, model.Heads)
	back := func(do func(m ops.Migration, w model.MigrationWork, found bool)) {
		t.Helper()
		for _, m := range e.Migrations.Of(ops.Back) {
			w, found, err := e.Migrations.Status(t.Context(), m.Name)
			testenv.Must(t, err)
			do(m, w, found)
		}
	}
	killed, kill := context.WithCancel(t.Context())
	err := e.Migrations.RunGroup(killed, ops.Back, 400, func(w model.MigrationWork) {
		if w.Name == "back-heads" {
			kill()
		}
	})
	if err == nil {
		t.Error("the way back ended although it was killed")
	}
	for range 2 { // the events of all documents
		back(func(_ ops.Migration, w model.MigrationWork, found bool) {
			if found {
				testenv.Must(t, e.Migrations.Migrate(t.Context(), w))
			}
		})
	}
	if diff := cmp.Diff(heads, e.IDs(t, model.Heads)); diff != "" || len(heads) == 0 {
		t.Errorf("the functions went back (-heads before +after):\n%s", diff)
	}
	_, err = e.Migrations.StartGroup(t.Context(), ops.Forward, 400)
	testenv.Must(t, err)
	back(func(m ops.Migration, w model.MigrationWork, found bool) {
		if found {
			t.Errorf("after the way forward began %s is %+v", m.Name, w)
		}
	})
	steps := map[string]bool{}
	testenv.Must(t, e.Migrations.RunGroup(t.Context(), ops.Back, 400, func(w model.MigrationWork) {
		steps[w.Name] = true
	}))
	back(func(m ops.Migration, _ model.MigrationWork, _ bool) {
		if !steps[m.Name] {
			t.Errorf("a later way back leaves out %s", m.Name)
		}
	})
	if left := e.IDs(t, model.Heads); len(left) > 0 {
		t.Errorf("a later way back leaves the heads of %v", left)
	}
}

// A way back whose documents another command forgets ends.
func TestBackForgotten(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	steps := 0
	err := e.Migrations.RunGroup(ctx, ops.Back, 400, func(model.MigrationWork) {
		if steps++; steps == 1 {
			_, err := e.Migrations.StartGroup(ctx, ops.Forward, 400)
			testenv.Must(t, err)
		}
	})
	storetest.WantErr(t, err, errs.NotFound, "migration_not_found")
}

// A plan counts a deletion once a document, and for notifications no write for each.
func TestPlan(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	for _, path := range []string{"timelines/ann", "timelines/bob", "users/ann/notifications/a"} {
		_, err := e.Raw.Doc(path).Set(t.Context(), map[string]any{"userId": "ann"})
		testenv.Must(t, err)
	}
	for name, want := range map[string]ops.Plan{
		"former-timelines": {Documents: 2, Reads: 2, Deletes: 2},
		"notifications":    {Documents: 1, Reads: 2*2*2 + 1, Deletes: 1}, // 2 passes, and 1 read more for each user
		"poll-votes":       {},
	} {
		if got, err := e.Migrations.Plan(t.Context(), name); err != nil || got != want {
			t.Errorf("Plan(%q) = %+v, %v, want %+v", name, got, err, want)
		}
	}
}

// A step saves its progress while Start tells what follows. Start tells it again.
func TestStartBesideStep(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	_, err := e.Migrations.Start(t.Context(), "viewers", 400)
	testenv.Must(t, err)
	ref := e.Raw.Doc(model.Migrations + "/viewers")
	s := e.Again(t, store.Options{Meter: meter.Options{
		Below: storetest.Before(func(path string, w *firestorepb.Write) bool {
			return path == model.Migrations+"/viewers" && slices.Contains(w.GetUpdateMask().GetFieldPaths(), "next")
		}, func() {
			_, err := ref.Update(t.Context(), []firestore.Update{{Path: "after", Value: "ann"}})
			testenv.Must(t, err)
		})}})
	_, err = s.Migrations.Start(t.Context(), "viewers", 400, "heads")
	testenv.Must(t, err)
	w, _, err := e.Migrations.Status(t.Context(), "viewers")
	testenv.Must(t, err)
	if w.After != "ann" || !slices.Equal(w.Next, []string{"heads"}) {
		t.Errorf("the migration is %+v, want its progress, and heads that follows", w)
	}
}
