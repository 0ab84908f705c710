package ops_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

const name = "tweet-language"

// old makes a tweet as the version before languages wrote it, and returns its path.
func old(t *testing.T, e *storetest.Env, content string) string {
	t.Helper()
	path := model.Tweets + "/" + string(e.Tweet(t, "ann", content).ID)
	_, err := e.Raw.Doc(path).Update(t.Context(), []firestore.Update{{Path: "language", Value: firestore.Delete}})
	testenv.Must(t, err)
	return path
}

// work reads the work document as its event would tell it.
func work(t *testing.T, e *storetest.Env) model.MigrationWork {
	t.Helper()
	w, found, err := e.Migrations.Status(t.Context(), name)
	testenv.Must(t, err)
	if !found {
		t.Fatal("the migration has no document")
	}
	return w
}

func begin(t *testing.T, e *storetest.Env, rate int) {
	t.Helper()
	if began, err := e.Migrations.Start(t.Context(), name, rate); err != nil || !began {
		t.Fatalf("Start() = %v, %v, want a migration that begins", began, err)
	}
}

// steps does the steps of the migration, as its events would, until it is over. before is
// called before each step.
func steps(t *testing.T, e *storetest.Env, s *store.Store, before func(n int, w model.MigrationWork)) (n int,
	last model.MigrationWork) {
	t.Helper()
	for ; n < 1000; n++ {
		w := work(t, e)
		if w.Done {
			return n, w
		}
		if before != nil {
			before(n, w)
		}
		testenv.Must(t, s.Migrations.Migrate(t.Context(), w))
	}
	t.Fatal("the migration does not end")
	return n, last
}

func left(t *testing.T, e *storetest.Env, want int64) {
	t.Helper()
	if got, all, err := e.Migrations.Left(t.Context(), name); err != nil || got != want {
		t.Errorf("%d of %d documents lack the field, %v, want %d", got, all, err, want)
	}
}

// Every tweet without a language gets the language of its whole text, and nothing else of it
// changes. Only the long one costs more than a read and a write.
func TestMigrate(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	want := map[string]string{
		old(t, e, "花火がきれいです"): "ja", old(t, e, "불꽃놀이가 아름다워요"): "ko", old(t, e, "a spark"): "und",
		old(t, e, strings.Repeat("a ", 200)+strings.Repeat("ひばな", 200)): "ja", // its snippet alone is Latin
	}
	given := e.Draft(t, "ann", model.Draft{Content: "une étincelle", Language: "fr"})
	want[model.Tweets+"/"+string(given.ID)] = "fr"
	before := map[string]map[string]any{}
	for path := range want {
		before[path] = e.Doc(t, path)
	}
	left(t, e, 4)
	testenv.Must(t, storetest.Costs(t, "starting", 0, 1, 0, func(ctx context.Context) error {
		_, err := e.Migrations.Start(ctx, name, 400)
		return err
	}))
	first := work(t, e)
	testenv.Must(t, storetest.Costs(t, "a pass over 5 tweets, of which 4 lack a language, and one of them is long", 1+5+1,
		4+1, 0, func(ctx context.Context) error {
			return e.Migrations.Migrate(ctx, first)
		}))
	testenv.Must(t, storetest.Costs(t, "its event once more", 1, 0, 0, func(ctx context.Context) error {
		return e.Migrations.Migrate(ctx, first)
	}))
	second := work(t, e)
	if second.Done || second.Pass != 1 || second.Written != 4 {
		t.Errorf("after the first pass the migration is %+v", second)
	}
	testenv.Must(t, storetest.Costs(t, "a pass that finds nothing", 1+5, 1, 0, func(ctx context.Context) error {
		return e.Migrations.Migrate(ctx, second)
	}))
	over := work(t, e)
	if !over.Done || over.Found != 0 || over.Read != 10 || over.Written != 4 || over.EndedAt.IsZero() {
		t.Errorf("at its end the migration is %+v", over)
	}
	testenv.Must(t, storetest.Costs(t, "the event of its end", 0, 0, 0, func(ctx context.Context) error {
		return e.Migrations.Migrate(ctx, over)
	}))
	for path, language := range want {
		is := e.Doc(t, path)
		if is["language"] != language {
			t.Errorf("the language of %v is %v, want %s", is["snippet"], is["language"], language)
		}
		delete(is, "language")
		delete(before[path], "language")
		if diff := cmp.Diff(before[path], is); diff != "" {
			t.Errorf("the tweet changed:\n%s", diff)
		}
	}
	left(t, e, 0)
}

// A migration is started by its name, once while it runs, and again when it is over.
func TestStart(t *testing.T) {
	t.Parallel()
	const stale = 300 * time.Millisecond
	e := storetest.Open(t, store.Options{StaleAfter: stale})
	for _, test := range []struct {
		name string
		rate int
		kind errs.Kind
		code string
	}{{"nonsense", 1, errs.NotFound, "migration_not_found"}, {name, 0, errs.Invalid, "invalid_rate"},
		{name, 401, errs.Invalid, "invalid_rate"}} {
		_, err := e.Migrations.Start(t.Context(), test.name, test.rate)
		storetest.WantErr(t, err, test.kind, test.code)
	}
	if _, found, err := e.Migrations.Status(t.Context(), name); found || err != nil {
		t.Errorf("a migration that never ran is found: %v, %v", found, err)
	}
	begin(t, e, 400)
	first := work(t, e)
	again := func() {
		t.Helper()
		if began, err := e.Migrations.Start(t.Context(), name, 1); began || err != nil {
			t.Errorf("starting what runs = %v, %v", began, err)
		}
	}
	again()
	time.Sleep(2 * stale) // the event is lost
	again()
	if is := work(t, e); !is.WrittenAt.After(first.WrittenAt) || is.Rate != 400 {
		t.Errorf("the lost migration is %+v, want it asked for again", is)
	}
	steps(t, e, e.Store, nil)
	begin(t, e, 400)
	if is := work(t, e); is.Done || is.Pass != 0 {
		t.Errorf("begun anew, the migration is %+v", is)
	}
}

// Steps that end half way, run twice, come late or never come lose nothing.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	const stale = 200 * time.Millisecond
	e := storetest.Open(t, store.Options{StaleAfter: stale})
	e.CreateUsers(t, "ann")
	for n := range 50 {
		old(t, e, fmt.Sprint("花火がきれい", n))
	}
	begin(t, e, 20)
	killed, kill := context.WithCancel(t.Context())
	dying := e.Again(t, store.Options{
		Meter: meter.Options{Below: storetest.Before(func(path string, _ *firestorepb.Write) bool {
			return strings.HasPrefix(path, model.Tweets)
		}, kill)}})
	if err := dying.Migrations.Migrate(killed, work(t, e)); err == nil {
		t.Error("a step that was killed succeeded")
	}
	small, other := e.Again(t, store.Options{StepTime: time.Nanosecond}),
		e.Again(t, store.Options{StepTime: time.Nanosecond})
	var late model.MigrationWork
	n, last := steps(t, e, small, func(n int, w model.MigrationWork) {
		switch n % 4 {
		case 1:
			testenv.Must(t, other.Migrations.Migrate(t.Context(), late))
		case 2:
			w.WrittenAt = time.Time{} // an event of any time, and the step is done twice
			testenv.Must(t, other.Migrations.Migrate(t.Context(), w))
		}
		if n == 3 { // the event is lost, and the day's sweep finds that
			time.Sleep(2 * stale)
			_, err := e.Raw.Doc("sweeps/day").Set(t.Context(), model.SweepWork{})
			testenv.Must(t, err)
			testenv.Must(t, e.Timelines.Sweep(t.Context(), model.SweepWork{ID: "day"}))
			if !work(t, e).WrittenAt.After(w.WrittenAt) {
				t.Error("the sweep did not ask for the lost step")
			}
		}
		late = w
	})
	if n < 6 || last.Found != 0 {
		t.Errorf("the migration took %d steps, and ended as %+v", n, last)
	}
	left(t, e, 0)
}

// People edit, like and delete a tweet between its reading and its writing, and a server of the
// version before posts behind the migration.
func TestTraffic(t *testing.T) {
	t.Parallel()
	for what, do := range map[string]struct {
		meanwhile func(e *storetest.Env, path string) error
		want      any
	}{
		"an edit": {func(e *storetest.Env, path string) error {
			_, err := e.Edits.Edit(t.Context(), "ann", model.TweetID(strings.TrimPrefix(path, "tweets/")),
				model.TweetPatch{Content: new("불꽃놀이")}, nil)
			return err
		}, "ko"},
		"an edit by the version before": {func(e *storetest.Env, path string) error {
			//lint:ignore SA1019 as it was done
			b := e.Raw.Batch()
			b.Update(e.Raw.Doc(path), []firestore.Update{{Path: "snippet", Value: "불꽃놀이"}, {Path: "length", Value: 4}})
			b.Update(e.Raw.Doc("tweetDetails/"+strings.TrimPrefix(path, "tweets/")),
				[]firestore.Update{{Path: "content", Value: "불꽃놀이"}})
			_, err := b.Commit(t.Context())
			return err
		}, "ko"},
		"a like": {func(e *storetest.Env, path string) error {
			_, err := e.Raw.Doc(path).Update(t.Context(), []firestore.Update{{Path: "likeCount", Value: firestore.Increment(1)}})
			return err
		}, "ja"},
		"a language that the author gives": {func(e *storetest.Env, path string) error {
			_, err := e.Raw.Doc(path).Update(t.Context(), []firestore.Update{{Path: "language", Value: "fr"}})
			return err
		}, "fr"},
		"a deletion": {func(e *storetest.Env, path string) error {
			return e.Tweets.DeleteTweet(t.Context(), "ann", false, model.TweetID(strings.TrimPrefix(path, "tweets/")))
		}, nil},
		"a post by the version before": {func(e *storetest.Env, path string) error {
			_, err := e.Raw.Doc("tweets/000000000000000001").
				Set(t.Context(), map[string]any{"authorId": "ann", "snippet": "ひばな", "length": 3})
			return err
		}, "ja"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.CreateUsers(t, "ann")
			path := old(t, e, "花火がきれいです")
			s := e.Again(t, store.Options{
				Meter: meter.Options{Below: storetest.Before(func(p string, _ *firestorepb.Write) bool { return p == path },
					func() { testenv.Must(t, do.meanwhile(e, path)) })}})
			begin(t, e, 400)
			_, last := steps(t, e, s, nil)
			if last.Found != 0 {
				t.Errorf("the migration ended as %+v", last)
			}
			is := e.Doc(t, path)
			if do.want == nil && is != nil || do.want != nil && is["language"] != do.want {
				t.Errorf("the tweet is %v, want the language %v", is, do.want)
			}
			left(t, e, 0)
		})
	}
}

// A version that goes on writing the old shape does not keep a migration going for ever.
func TestOldVersionStays(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	begin(t, e, 400)
	n, last := steps(t, e, e.Store, func(int, model.MigrationWork) { old(t, e, "花火がきれいです") })
	if n != 5 || last.Found == 0 {
		t.Errorf("after %d passes the migration ended as %+v, want the finding of the fifth", n, last)
	}
}

// A migration writes no faster than its rate.
func TestRate(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	for range 6 {
		old(t, e, "花火がきれいです")
	}
	_, err := e.Migrations.Start(t.Context(), name, 5)
	testenv.Must(t, err)
	begun := time.Now()
	testenv.Must(t, e.Migrations.Migrate(t.Context(), work(t, e)))
	if took := time.Since(begun); took < time.Second {
		t.Errorf("6 documents at 5 a second took %v", took)
	}
	left(t, e, 0)
}
