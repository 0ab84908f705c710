package discovery_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/searchtest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A write that reaches the engine after that of a later event changes nothing, though its call is killed meanwhile and
// checks nothing: neither old words nor a deleted tweet come back. If the engine has forgotten the deletion, the slow
// call checks and removes the document.
func TestEngineLate(t *testing.T) {
	t.Parallel()
	edit := func(ctx context.Context, e *storetest.Env, id model.TweetID) error {
		_, err := e.Edits.Edit(ctx, "ann", id, model.TweetPatch{Content: new("new")}, nil)
		return err
	}
	remove := func(ctx context.Context, e *storetest.Env, id model.TweetID) error {
		return e.Tweets.DeleteTweet(ctx, "ann", false, id)
	}
	for _, test := range []struct {
		name          string
		change        func(context.Context, *storetest.Env, model.TweetID) error
		kill, forgets bool
		indexed       bool // before the slow call
	}{
		{name: "edited", change: edit}, {name: "edited and killed", change: edit, kill: true, indexed: true},
		{name: "deleted", change: remove, indexed: true}, {name: "deleted and killed", change: remove, kill: true,
			indexed: true},
		{name: "deleted before it was known, and killed", change: remove, kill: true},
		{name: "deleted and forgotten", change: remove, forgets: true, indexed: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			engine := searchtest.New(t)
			e := storetest.Open(t, store.Options{Search: engine.Options()})
			ctx := t.Context()
			_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann"})
			testenv.Must(t, err)
			tw, err := e.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "old"}, model.Request{})
			testenv.Must(t, err)
			if test.indexed {
				testenv.Must(t, e.Search.Index(ctx, tw.ID))
			}
			life, kill := context.WithCancel(ctx)
			defer kill()
			var bulks atomic.Int32
			arrived := make(chan struct{})
			engine.Before = func(path string, _ []byte) (int, string) {
				if strings.HasSuffix(path, "_bulk") && bulks.Add(1) == 1 { // the slow call, before its write
					if err := test.change(ctx, e, tw.ID); err != nil {
						t.Error(err)
					}
					if err := e.Search.Index(ctx, tw.ID); err != nil { // the event of the change
						t.Error(err)
					}
					if test.forgets {
						engine.Forget()
					}
					if test.kill {
						kill()
					}
					close(arrived)
				}
				return 0, ""
			}
			slow := e.Again(t, store.Options{Search: engine.Options()})
			if err := slow.Search.Index(life, tw.ID); (err != nil) != test.kill {
				t.Errorf("the slow call: %v", err)
			}
			<-arrived
			want := []string{}
			if strings.HasPrefix(test.name, "edited") {
				want = append(want, string(tw.ID))
			}
			for range 20 { // a killed call does not learn when its write is over
				if test.kill {
					time.Sleep(10 * time.Millisecond)
				}
				if got := engine.IDs(); !slices.Equal(got, want) {
					t.Fatalf("documents %v, want %v", got, want)
				}
			}
			if got := find(t, e, anyone, "old", false, 10); len(got) > 0 {
				t.Errorf("old finds %v", got)
			}
			if got := find(t, e, anyone, "new", false, 10); len(got) != len(want) {
				t.Errorf("new finds %v", got)
			}
		})
	}
}

// The answers of an engine show nothing by themselves: a tweet is shown only as it is now, to viewers who may see it.
func TestEngineLies(t *testing.T) {
	t.Parallel()
	engine := searchtest.New(t)
	e := storetest.Open(t, store.Options{Search: engine.Options()})
	ctx := t.Context()
	_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	hidden := searchPost(t, e, "ann", model.Draft{Content: "hidden", Visibility: model.Followers})
	public := searchPost(t, e, "ann", model.Draft{Content: "public", Visibility: model.Public})
	none := "00" + string(public.ID)[2:]
	hit := func(id string, revision string) string {
		return `{"_id":"` + id + `","_source":{"place":"` + id + `","data":{"authorId":"ann","text":"spark","revision":` +
			revision + `}}}`
	}
	engine.Before = func(string, []byte) (int, string) {
		return 200, `{"timed_out":false,"_shards":{"failed":0},"hits":{"hits":[` + strings.Join([]string{
			hit(string(hidden.ID), "0"), hit(string(public.ID), "7"), hit(none, "0"), hit("a/b", "0"), hit("", "0"),
			hit(string(public.ID), "0"),
		}, ",") + `]}}`
	}
	found, _, err := e.Search.Tweets(ctx, anyone, parse(t, "spark"), false, "", 10)
	testenv.Must(t, err)
	if len(found) != 1 || found[0].ID != public.ID {
		t.Errorf("found %v", found)
	}
}

// A search fails as a whole, and costs no reads, while the engine does not answer. So does an event, which comes again.
func TestEngineDown(t *testing.T) {
	t.Parallel()
	engine := searchtest.New(t)
	e := storetest.Open(t, store.Options{Search: engine.Options()})
	ctx := t.Context()
	_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	tw := searchPost(t, e, "ann", model.Draft{Content: "spark", Visibility: model.Public})
	engine.Before = func(string, []byte) (int, string) { return 503, `{"error":{"type":"cluster_block_exception"}}` }
	m := meter.New()
	_, _, err = e.Search.Tweets(meter.With(ctx, m), anyone, parse(t, "spark"), false, "", 10)
	if got := m.Snapshot(); errs.KindOf(err) != errs.Unavailable || got.Reads > 0 {
		t.Errorf("a search: %v, %+v", err, got)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, tw.ID))
	if err := e.Search.Update(ctx, tw.ID, tw, nil); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("an event: %v", err)
	}
	engine.Before = nil
	testenv.Must(t, e.Search.Update(ctx, tw.ID, tw, nil))
	if got := engine.IDs(); len(got) > 0 {
		t.Errorf("documents %v", got)
	}
}

// Only the events of the deleted tweets remove the tweets of a deleted account from the engine.
func TestEngineAccountDeletion(t *testing.T) {
	t.Parallel()
	engine := searchtest.New(t)
	e := storetest.Open(t, store.Options{Search: engine.Options()})
	ctx := t.Context()
	_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	tw := searchPost(t, e, "ann", model.Draft{Content: "spark", Visibility: model.Public})
	work, err := e.Users.Leave(ctx, "ann")
	testenv.Must(t, err)
	testenv.Must(t, e.AccountDeletions.Leave(ctx, *work)) // from here on this process knows that the author is gone
	if e.Doc(t, "tweets/"+string(tw.ID)) != nil {
		t.Fatal("the tweet is there")
	}
	testenv.Must(t, e.Search.Update(ctx, tw.ID, tw, nil))
	if got := engine.IDs(); len(got) > 0 {
		t.Errorf("documents %v of somebody who left", got)
	}
}

// A rebuild makes an engine agree with the tweets, in steps, and again at no harm.
func TestRebuild(t *testing.T) {
	t.Parallel()
	engine := searchtest.New(t)
	e := storetest.Open(t, store.Options{Search: engine.Options()})
	ctx := t.Context()
	rebuild := func() (steps int) {
		t.Helper()
		for cursor := ""; ; {
			next, _, err := e.Search.Rebuild(ctx, cursor)
			testenv.Must(t, err)
			if steps++; next == "" {
				return steps
			}
			if cursor = next; steps > 20 {
				t.Fatal("a rebuild has no end")
			}
		}
	}
	rebuild() // of nothing: the engine has an index from now on
	if got := find(t, e, anyone, "spark", false, 10); len(got) > 0 {
		t.Errorf("found %v of nothing", got)
	}
	_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	var want []string
	var gone []model.TweetID
	for n := range 130 {
		d := model.Draft{Content: "spark", Visibility: model.Public}
		if n%10 == 3 {
			d.Visibility = model.Followers
		}
		e.Clock.Add(time.Second)
		tw, err := e.Tweets.CreateTweet(ctx, "ann", d, model.Request{})
		testenv.Must(t, err)
		if n%10 == 5 { // its deletion has no event
			testenv.Must(t, e.Search.Index(ctx, tw.ID))
			testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, tw.ID))
			gone = append(gone, tw.ID)
		} else if n%10 != 3 {
			want = append(want, string(tw.ID))
		}
	}
	slices.Sort(want)
	if got := len(engine.IDs()); got != len(gone) {
		t.Fatalf("%d documents before", got)
	}
	for range 2 {
		if steps := rebuild(); steps < 6 {
			t.Errorf("%d steps", steps)
		}
		if got := engine.IDs(); !slices.Equal(got, want) {
			t.Errorf("%d documents, want %d", len(got), len(want))
		}
	}
	if got := find(t, e, anyone, "spark", false, 10); len(got) != len(want) {
		t.Errorf("found %d, want %d", len(got), len(want))
	}
	testenv.Must(t, storetest.Costs(t, "the first step", 300, 0, 0, func(ctx context.Context) error {
		_, _, err := e.Search.Rebuild(ctx, "")
		return err
	}))
	if _, _, err := e.Search.Rebuild(ctx, "elsewhere"); errs.KindOf(err) != errs.Invalid {
		t.Errorf("a cursor of nothing: %v", err)
	}
	if _, _, err := storetest.Open(t, store.Options{}).Search.Rebuild(ctx, ""); err == nil {
		t.Error("a rebuild without an engine does nothing")
	}
}
