package links_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

const address = "https://example.com/a"

var key = model.LinkKey(address)

// page is a site that answers what a test sets.
type page struct {
	model.LinkPage
	err     error
	fetched int
	during  func() // at each fetch
}

func (p *page) fetch(_ context.Context, asked string) (model.LinkPage, error) {
	if p.fetched++; asked != address {
		return model.LinkPage{}, errors.New("another address: " + asked)
	}
	if do := p.during; do != nil {
		p.during = nil
		do()
	}
	return p.LinkPage, p.err
}

func (p *page) options() store.Options { return store.Options{FetchLink: p.fetch} }

// want checks the title of the card that shows, and how many work documents there are.
func want(t *testing.T, e *storetest.Env, title string, work int) {
	t.Helper()
	got := ""
	if doc := e.Doc(t, "linkCards/"+key); doc != nil && doc["failure"] == nil {
		got, _ = doc["title"].(string)
	}
	if n := len(e.IDs(t, model.LinkFetches)); got != title || n != work {
		t.Errorf("the card is %q with %d work documents, want %q and %d", got, n, title, work)
	}
}

// A card is asked for, fetched, shown, and fetched again when it is stale. Each step costs what its comment says.
func TestLife(t *testing.T) {
	t.Parallel()
	site := &page{LinkPage: model.LinkPage{Title: "One", MaxAge: 2 * time.Hour}}
	e := storetest.Open(t, site.options())
	step := func(what string, reads, writes, deletes int64, f func(context.Context) error) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, deletes, f))
	}
	wanting := func(ctx context.Context) error { return e.Links.Want(ctx, address) }
	fetching := func(ctx context.Context) error { return e.Links.Fetch(ctx, key) }
	step("no link", 0, 0, 0, func(ctx context.Context) error { return e.Links.Want(ctx, "") })
	step("a fetch without work", 1, 0, 0, fetching)
	step("a new link", 1, 1, 0, wanting)
	step("the event again", 2, 0, 0, wanting)
	want(t, e, "", 1)
	_, err := e.Links.Card(t.Context(), address)
	storetest.WantErr(t, err, errs.NotFound, "link_card_not_found")
	step("the fetch", 2, 1, 1, fetching)
	step("the fetch again", 1, 0, 0, fetching)
	want(t, e, "One", 0)
	e.Clock.Add(2 * time.Minute)
	for _, reads := range []int64{1, 0} {
		step("reading", reads, 0, 0, func(ctx context.Context) error {
			c, err := e.Links.Card(ctx, "https://EXAMPLE.com:443/a#part")
			if err == nil && c.Title != "One" {
				t.Errorf("the card is %+v", c)
			}
			return err
		})
	}
	step("a second post", 1, 0, 0, wanting)
	if site.fetched != 1 {
		t.Errorf("the page was fetched %d times, want once", site.fetched)
	}

	e.Clock.Add(2 * time.Hour)
	site.LinkPage = model.LinkPage{Failure: model.LinkUnreachable}
	step("a post after the max-age", 1, 1, 0, wanting)
	step("a failing fetch", 2, 1, 1, fetching)
	want(t, e, "One", 0)
	step("a post soon after", 1, 0, 0, wanting)
	e.Clock.Add(time.Hour)
	site.LinkPage = model.LinkPage{Failure: model.LinkNotKept}
	step("a post after the pause", 1, 1, 0, wanting)
	step("a page that forbids copies", 2, 1, 1, fetching)
	want(t, e, "", 0)
	_, err = e.Links.Card(t.Context(), "https://user@example.com/")
	storetest.WantErr(t, err, errs.Invalid, "invalid_link")
}

// A card that an administrator removed stays away, whoever posts its link, until it expires.
func TestRemovedCard(t *testing.T) {
	t.Parallel()
	site := &page{LinkPage: model.LinkPage{Title: "One"}}
	e := storetest.Open(t, site.options())
	testenv.Must(t, e.Links.Want(t.Context(), address))
	testenv.Must(t, e.Links.Fetch(t.Context(), key))
	_, err := e.Raw.Doc("linkCards/"+key).Update(t.Context(),
		[]firestore.Update{{Path: "failure", Value: model.LinkRemoved}})
	testenv.Must(t, err)
	e.Clock.Add(31 * 24 * time.Hour)
	testenv.Must(t, storetest.Costs(t, "a post of a removed card's link", 1, 0, 0, func(ctx context.Context) error {
		return e.Links.Want(ctx, address)
	}))
	_, err = e.Raw.Doc("linkFetches/"+key).Set(t.Context(), model.LinkFetch{Address: address}) // of before the removal
	testenv.Must(t, err)
	testenv.Must(t, e.Links.Fetch(t.Context(), key))
	want(t, e, "", 0)
	if site.fetched != 1 {
		t.Errorf("the page was fetched %d times, want once", site.fetched)
	}
}

// A process is killed while it fetches, or its commit fails: the work stays, and the event that comes again does it.
func TestKilled(t *testing.T) {
	t.Parallel()
	site := &page{LinkPage: model.LinkPage{Title: "One"}, err: context.Canceled}
	e := storetest.Open(t, site.options())
	testenv.Must(t, e.Links.Want(t.Context(), address))
	if err := e.Links.Fetch(t.Context(), key); !errors.Is(err, context.Canceled) {
		t.Fatalf("a fetch that ends early = %v", err)
	}
	want(t, e, "", 1)
	site.err = nil
	for range 2 {
		testenv.Must(t, e.Links.Fetch(t.Context(), key))
	}
	want(t, e, "One", 0)
	if site.fetched != 2 {
		t.Errorf("the page was fetched %d times, want twice", site.fetched)
	}
}

// The answers of all commits are lost: the card is written once, and the page fetched once.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	site := &page{LinkPage: model.LinkPage{Title: "One"}}
	o := site.options()
	losses := storetest.LoseAnswers(1, 1)
	o.Meter = meter.Options{Below: losses.Lose}
	e := storetest.Open(t, o)
	testenv.Must(t, e.Links.Want(t.Context(), address))
	testenv.Must(t, e.Links.Fetch(t.Context(), key))
	want(t, e, "One", 0)
	if site.fetched != 1 || losses.Count() == 0 {
		t.Errorf("the page was fetched %d times, and %d answers were lost", site.fetched, losses.Count())
	}
}

// What happens while one process fetches.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	work := func(e *storetest.Env) *firestore.DocumentRef { return e.Raw.Doc("linkFetches/" + key) }
	tests := map[string]struct {
		meanwhile     func(*testing.T, *storetest.Env, *page)
		title         string
		first, second int // fetches of the two processes
	}{
		"another process does the work": {func(t *testing.T, e *storetest.Env, other *page) {
			testenv.Must(t, e.Again(t, other.options()).Links.Fetch(t.Context(), key))
		}, "Two", 1, 1},
		"the event counts as lost, and the work is asked for anew": {func(t *testing.T, e *storetest.Env, _ *page) {
			_, err := work(e).Update(t.Context(), []firestore.Update{{Path: "asks", Value: 1}})
			testenv.Must(t, err)
		}, "One", 1, 0},
		"another process does the work, and a post asks anew": {func(t *testing.T, e *storetest.Env, other *page) {
			s := e.Again(t, other.options())
			testenv.Must(t, s.Links.Fetch(t.Context(), key))
			e.Clock.Add(3 * time.Hour)
			testenv.Must(t, s.Links.Want(t.Context(), address))
		}, "One", 1, 1}, // the work is another one, and the page that was fetched serves it
		"an administrator removes the card": {func(t *testing.T, e *storetest.Env, _ *page) {
			now := e.Clock.Now()
			b := e.Raw.BulkWriter(t.Context())
			_, err := b.Set(e.Raw.Doc("linkCards/"+key), model.LinkPage{Failure: model.LinkRemoved,
				MaxAge: model.MaxLinkAge}.Card(address, nil, now))
			testenv.Must(t, err)
			_, err = b.Delete(work(e))
			testenv.Must(t, err)
			b.End()
		}, "", 1, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, two := &page{LinkPage: model.LinkPage{Title: "One"}}, &page{LinkPage: model.LinkPage{Title: "Two"}}
			e := storetest.Open(t, one.options())
			testenv.Must(t, e.Links.Want(t.Context(), address))
			one.during = func() { tt.meanwhile(t, e, two) }
			testenv.Must(t, e.Links.Fetch(t.Context(), key))
			want(t, e, tt.title, 0)
			if one.fetched != tt.first || two.fetched != tt.second {
				t.Errorf("fetched %d and %d times, want %d and %d", one.fetched, two.fetched, tt.first, tt.second)
			}
		})
	}
}

// Work that was asked for before the card was written fetches nothing, also if an administrator removed the card.
func TestWritten(t *testing.T) {
	t.Parallel()
	for _, p := range []model.LinkPage{{Title: "Two"}, {Failure: model.LinkRemoved}} {
		site := &page{LinkPage: model.LinkPage{Title: "One"}}
		e := storetest.Open(t, site.options())
		testenv.Must(t, e.Links.Want(t.Context(), address))
		_, err := e.Raw.Doc("linkCards/"+key).Set(t.Context(), p.Card(address, nil, e.Clock.Now()))
		testenv.Must(t, err)
		testenv.Must(t, storetest.Costs(t, "the fetch", 2, 0, 1, func(ctx context.Context) error {
			return e.Links.Fetch(ctx, key)
		}))
		want(t, e, p.Title, 0)
		if site.fetched != 0 {
			t.Errorf("the page was fetched %d times, want never", site.fetched)
		}
	}
}

// Without a fetcher nothing is asked for, and work that is left is removed.
func TestOff(t *testing.T) {
	t.Parallel()
	site := &page{LinkPage: model.LinkPage{Title: "One"}}
	e := storetest.Open(t, store.Options{})
	testenv.Must(t, storetest.Costs(t, "a link", 0, 0, 0, func(ctx context.Context) error {
		return e.Links.Want(ctx, address)
	}))
	testenv.Must(t, e.Again(t, site.options()).Links.Want(t.Context(), address))
	want(t, e, "", 1)
	testenv.Must(t, e.Links.Fetch(t.Context(), key))
	want(t, e, "", 0)
}
