package discovery_test

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/searchtest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/discovery"
)

var anyone = model.Viewer{}

func parse(t *testing.T, query string) *discovery.SearchQuery {
	t.Helper()
	q, err := discovery.ParseSearch(query)
	testenv.Must(t, err)
	return q
}

// find reads all pages of a search. No page costs more than its limits say.
func find(t *testing.T, e *storetest.Env, v model.Viewer, query string, following bool,
	limit int) (ids []model.TweetID) {
	t.Helper()
	pages := 0
	for from := ""; ; {
		m := meter.New()
		found, next, err := e.Search.Tweets(meter.With(t.Context(), m), v, parse(t, query), following, from, limit)
		testenv.Must(t, err)
		if got := m.Snapshot(); got.Reads > 40 || got.Writes+got.Deletes > 0 || len(found) > limit {
			t.Errorf("a page of %d of %q costs %+v for %d tweets", limit, query, got, len(found))
		}
		for _, f := range found {
			ids = append(ids, f.ID)
		}
		if pages++; next == "" {
			return ids
		}
		if from = next; pages > 300 {
			t.Fatalf("%q has no end", query)
		}
	}
}

// searchPost writes a tweet as it is posted, and lets searches find it. The clock goes on.
func searchPost(t *testing.T, e *storetest.Env, author model.UserID, d model.Draft) *model.Tweet {
	t.Helper()
	e.Clock.Add(time.Duration(1+len(d.Content)) * time.Second)
	d.AllowReplies, d.AllowLikes = true, true
	made, err := e.Tweets.CreateTweet(t.Context(), author, d, model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, e.Search.Update(t.Context(), made.ID, nil, made.Tweet))
	return made.Tweet
}

// onBoth runs a test with the documents in Firestore, and with them in an engine.
func onBoth(t *testing.T, test func(t *testing.T, e *storetest.Env, engine *searchtest.Server)) {
	t.Run("Firestore", func(t *testing.T) {
		t.Parallel()
		test(t, storetest.Open(t, store.Options{}), nil)
	})
	t.Run("engine", func(t *testing.T) {
		t.Parallel()
		engine := searchtest.New(t)
		e := storetest.Open(t, store.Options{Search: engine.Options()})
		test(t, e, engine)
		if docs := e.IDs(t, model.SearchDocs); len(docs) > 0 {
			t.Errorf("there are documents %v beside those of the engine", docs)
		}
	})
}

// A search finds the same tweets as a check of each of them, however long the pages are.
func TestSearch(t *testing.T) {
	t.Parallel()
	onBoth(t, testSearch)
}

func testSearch(t *testing.T, e *storetest.Env, engine *searchtest.Server) {
	people := []model.UserID{"ann", "bob", "cat", "dan", "eve", "fay"} // in more shards than one
	for _, p := range people {
		_, err := e.Users.CreateUser(t.Context(), p, model.NewUser{Username: string(p)})
		testenv.Must(t, err)
	}
	for _, p := range people[1:4] {
		testenv.Must(t, e.Graph.Follow(t.Context(), "ann", p))
	}
	parts := []string{"spark", "Fire", "花火", "大会", "の夜", "bang", "big", "ＢＩＧ", "#go", "sparks", "火",
		"![a](https://example.com/a.png)", "*small*", "3.14", "don't"}
	rng := rand.New(rand.NewPCG(1, 2))
	var all []*model.Tweet // newest first
	contents := map[model.TweetID]string{}
	for range 150 {
		var words []string
		for range 1 + rng.IntN(4) {
			words = append(words, parts[rng.IntN(len(parts))])
		}
		d := model.Draft{Content: strings.Join(words, []string{" ", "", ", "}[rng.IntN(3)]), Visibility: model.Public}
		if !strings.Contains(d.Content, " ") { // a hashtag and an image need room
			d.Content = strings.NewReplacer("#go", "go", "![a](https://example.com/a.png)", "image").Replace(d.Content)
		}
		if len(all) > 0 && rng.IntN(3) == 0 {
			d.ReplyTo = &all[rng.IntN(len(all))].ID
		}
		made := searchPost(t, e, people[rng.IntN(len(people))], d)
		all, contents[made.ID] = slices.Insert(all, 0, made), d.Content
	}
	has := func(texts ...string) func(*model.Tweet) bool { // whole words, or parts of a run
		return func(tw *model.Tweet) bool {
			text, _ := tw.Plain(contents[tw.ID])
			text = strings.ToLower(strings.NewReplacer("ＢＩＧ", "big").Replace(text))
			return !slices.ContainsFunc(texts, func(want string) bool {
				if want[0] > 0x7f {
					return !strings.Contains(text, want)
				}
				return !slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
					return r == ' ' || r == ',' || r == '#' ||
						r > 0x7f
				}), want)
			})
		}
	}
	exactly := func(want string) func(*model.Tweet) bool {
		return func(tw *model.Tweet) bool {
			text, _ := tw.Plain(contents[tw.ID])
			return strings.Contains(strings.ToLower(strings.NewReplacer("ＢＩＧ", "big", ",", " ,").Replace(text))+" ", want+" ")
		}
	}
	within := func(want string) func(*model.Tweet) bool { // as SQL's ILIKE '%want%'
		return func(tw *model.Tweet) bool {
			text, _ := tw.Plain(contents[tw.ID])
			return strings.Contains(strings.ToLower(text), want)
		}
	}
	by := func(uid model.UserID) func(*model.Tweet) bool {
		return func(tw *model.Tweet) bool { return tw.AuthorID == uid }
	}
	middle := all[len(all)/2].CreatedAt.Truncate(24 * time.Hour)
	reply := func(tw *model.Tweet) bool { return tw.ReplyTo != nil }
	queries := map[string][]func(*model.Tweet) bool{
		"spark": {has("spark")}, "SPARK fire": {has("spark", "fire")}, "花火": {has("花火")}, "火": {has("火")},
		"花火大会": {has("花火大会")}, "火花": {has("火花")}, "火大": {has("火大")},
		"big 大会": {has("big", "大会")}, "from:bob": {by("bob")}, "from:@bob spark": {by("bob"), has("spark")},
		"is:reply 花火": {reply, has("花火")}, "#go": {has("go"), func(tw *model.Tweet) bool { return len(tw.Tags) > 0 }},
		"has:media":  {func(tw *model.Tweet) bool { return strings.Contains(contents[tw.ID], "![") }},
		`"big bang"`: {exactly("big bang")},
		"3.14":       {has("3.14")}, "DON'T": {has("don't")}, "nothing": {has("nothing")},
		"*par*": {within("par")}, "*ARK": {func(tw *model.Tweet) bool {
			text, _ := tw.Plain(contents[tw.ID])
			return regexp.MustCompile(`(?i)ark($|[^a-z0-9])`).MatchString(text)
		}}, "*mal* from:bob": {within("mal"), by("bob")},
		"sparks*": {has("sparks")}, "*par* *fir*": {within("par"), within("fir")}, "*xyz*": {has("nothing")},
		"from:nobody spark": {by("nobody")},
		"from:x/y spark":    {by("nobody")},
		"spark since:" + middle.Format(time.DateOnly): {has("spark"),
			func(tw *model.Tweet) bool { return !tw.CreatedAt.Before(middle) }},
		"spark until:" + middle.Format(time.DateOnly): {has("spark"),
			func(tw *model.Tweet) bool { return tw.CreatedAt.Before(middle) }},
		"from:cat until:2026-11-16 since:2026-11-15 is:reply": {by("cat"), reply, func(tw *model.Tweet) bool {
			return tw.CreatedAt.Before(storetest.Date(time.November, 16).Truncate(24 * time.Hour))
		}},
	}
	some := 0
	for query, tests := range queries {
		var want []model.TweetID
		for _, tw := range all {
			if !slices.ContainsFunc(tests, func(test func(*model.Tweet) bool) bool { return !test(tw) }) {
				want = append(want, tw.ID)
			}
		}
		for _, limit := range []int{1, 3, 100} {
			if got := find(t, e, anyone, query, false, limit); !slices.Equal(got, want) {
				t.Errorf("%q by %d finds %d tweets, want %d", query, limit, len(got), len(want))
			}
		}
		followed := slices.DeleteFunc(slices.Clone(want), func(id model.TweetID) bool {
			at := slices.IndexFunc(all, func(tw *model.Tweet) bool { return tw.ID == id })
			return !slices.Contains(people[1:4], all[at].AuthorID)
		})
		if got := find(t, e, model.Viewer{ID: "ann", Role: model.Member}, query, true, 100); !slices.Equal(got, followed) {
			t.Errorf("%q of followed users finds %d tweets, want %d", query, len(got), len(followed))
		}
		if len(want) > 0 {
			some++
		}
	}
	if some < 16 {
		t.Errorf("%d queries find something", some)
	}
	cost := func(query string, reads int64) {
		t.Helper()
		e.Clock.Add(time.Hour) // nothing is cached
		testenv.Must(t, storetest.Costs(t, query, reads, 0, 0, func(ctx context.Context) error {
			_, _, err := e.Search.Tweets(ctx, anyone, parse(t, query), false, "", 100)
			return err
		}))
	}
	if engine != nil {
		cost("nothing", 0)
		cost("from:bob nothing", 1)
	} else {
		cost("nothing", model.SearchShards)
		cost("from:bob nothing", 2)
	}
	cost("from:nobody spark", 1)
	cost("from:x/y", 0)
}

// A phrase of frequent words that no tweet has costs a page no more than any other search.
func TestPhraseOfNobody(t *testing.T) {
	t.Parallel()
	onBoth(t, testPhraseOfNobody)
}

func testPhraseOfNobody(t *testing.T, e *storetest.Env, engine *searchtest.Server) {
	for _, p := range []model.UserID{"ann", "bob", "cat"} {
		_, err := e.Users.CreateUser(t.Context(), p, model.NewUser{Username: string(p)})
		testenv.Must(t, err)
		for range 15 {
			searchPost(t, e, p, model.Draft{Content: "spark big"})
		}
	}
	for from, pages := "", 0; ; pages++ {
		m, asked := meter.New(), 0
		if engine != nil {
			asked = engine.Sent()
		}
		found, next, err := e.Search.Tweets(meter.With(t.Context(), m), anyone, parse(t, `"big spark"`), false, from, 100)
		testenv.Must(t, err)
		if engine != nil && engine.Sent()-asked > 3 {
			t.Errorf("page %d asks the engine %d times", pages, engine.Sent()-asked)
		}
		if got := m.Snapshot().Reads; got > model.SearchReads || len(found) > 0 {
			t.Errorf("page %d finds %v for %d reads, want none for %d at most", pages, found, got, model.SearchReads)
		}
		if from = next; next == "" || pages > 50 {
			break
		}
	}
}

// The document of a tweet follows the tweet: its text, its audience and its flag. Events may
// come late, twice and out of order.
func TestIndex(t *testing.T) {
	t.Parallel()
	onBoth(t, testIndex)
}

func testIndex(t *testing.T, e *storetest.Env, engine *searchtest.Server) {
	for _, p := range []model.UserID{"ann", "bob"} {
		_, err := e.Users.CreateUser(t.Context(), p, model.NewUser{Username: string(p)})
		testenv.Must(t, err)
	}
	ctx := t.Context()
	docs := func() []string { return e.IDs(t, model.SearchDocs) }
	if engine != nil {
		docs = engine.IDs
	}
	index := func(id model.TweetID, reads, writes, deletes int64) {
		t.Helper()
		if engine != nil {
			writes, deletes = 0, 0
		}
		testenv.Must(t, storetest.Costs(t, "Index", reads, writes, deletes, func(ctx context.Context) error {
			return e.Search.Index(ctx, id)
		}))
	}
	finds := func(step string, want map[string]int) {
		t.Helper()
		e.Clock.Add(time.Minute) // nothing is cached
		for query, n := range want {
			if got := find(t, e, anyone, query, false, 10); len(got) != n {
				t.Errorf("%s: %q finds %v, want %d", step, query, got, n)
			}
		}
	}
	tw, err := e.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "old spark", AllowReplies: true}, model.Request{})
	testenv.Must(t, err)
	created := *tw.Tweet
	narrowed := created
	narrowed.Visibility = model.Followers
	index(tw.ID, 3, 1, 0)
	index(tw.ID, 3, 1, 0) // the event again
	finds("posted", map[string]int{"spark": 1, "from:ann old": 1, "new": 0})

	edit := func(p model.TweetPatch) {
		t.Helper()
		_, err := e.Edits.Edit(ctx, "ann", tw.ID, p, nil)
		testenv.Must(t, err)
	}
	edit(model.TweetPatch{Content: new("new spark")})
	finds("edited, before its event", map[string]int{"spark": 0, "old": 0})
	index(tw.ID, 3, 1, 0)
	testenv.Must(t, e.Search.Update(ctx, tw.ID, nil, &created)) // the first event, late
	finds("edited", map[string]int{"spark": 1, "old": 0, "new": 1})

	for _, a := range []model.Audience{model.Unlisted, model.Public, model.Followers, model.Public, model.Mentioned} {
		edit(model.TweetPatch{Visibility: &a})
		open := 0
		if a == model.Public {
			open = 1
		}
		finds(string(a)+", before its event", map[string]int{"spark": 0}) // no document shows more than its tweet
		if a == model.Public {
			index(tw.ID, 3, 1, 0)
		} else {
			index(tw.ID, 3, 0, 1)
		}
		testenv.Must(t, e.Search.Update(ctx, tw.ID, nil, &created))
		finds(string(a), map[string]int{"spark": open})
		if docs := docs(); len(docs) != open {
			t.Errorf("%s: there are documents %v", a, docs)
		}
	}
	edit(model.TweetPatch{Visibility: new(model.Public)})
	index(tw.ID, 3, 1, 0)
	testenv.Must(t, e.Tweets.Flag(ctx, tw.ID, true))
	finds("flagged, before its event", map[string]int{"spark": 0})
	index(tw.ID, 3, 0, 1)
	testenv.Must(t, e.Tweets.Flag(ctx, tw.ID, false))
	index(tw.ID, 3, 1, 0)
	finds("unflagged", map[string]int{"spark": 1})
	testenv.Must(t, e.Search.Update(ctx, tw.ID, &created, &narrowed)) // an event of long ago, late
	finds("narrowed long ago", map[string]int{"spark": 1})

	// A tweet that is deleted while it is indexed is removed with its event.
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, tw.ID))
	finds("deleted, before its event", map[string]int{"spark": 0})
	index(tw.ID, 3, 0, 1)
	testenv.Must(t, e.Search.Update(ctx, tw.ID, nil, &created))
	if docs := docs(); len(docs) > 0 {
		t.Errorf("there are documents %v of deleted tweets", docs)
	}

	// A tweet that no search finds before and after costs nothing.
	hidden, public := created, created
	hidden.Visibility, hidden.Revision = model.Followers, 1
	testenv.Must(t, storetest.Costs(t, "Update of a hidden tweet", 0, 0, 0, func(ctx context.Context) error {
		return e.Search.Update(ctx, tw.ID, &hidden, &hidden)
	}))
	reads, deletes := int64(1), int64(1)
	if engine != nil {
		reads, deletes = 3, 0
	}
	testenv.Must(t, storetest.Costs(t, "Update of a tweet that was public", reads, 0, deletes,
		func(ctx context.Context) error {
			return e.Search.Update(ctx, tw.ID, &public, &hidden)
		}))
}

// A tweet that changes while its document is written is found by its last version, even if the call for the change was
// faster.
func TestIndexWhileChanged(t *testing.T) {
	t.Parallel()
	changes := map[string]func(ctx context.Context, e *storetest.Env, id model.TweetID) error{
		"edited": func(ctx context.Context, e *storetest.Env, id model.TweetID) error {
			_, err := e.Edits.Edit(ctx, "ann", id, model.TweetPatch{Content: new("new")}, nil)
			return err
		},
		"hidden": func(ctx context.Context, e *storetest.Env, id model.TweetID) error {
			_, err := e.Edits.Edit(ctx, "ann", id, model.TweetPatch{Visibility: new(model.Followers)}, nil)
			return err
		},
		"flagged": func(ctx context.Context, e *storetest.Env, id model.TweetID) error {
			return e.Tweets.Flag(ctx, id, true)
		},
		"deleted": func(ctx context.Context, e *storetest.Env, id model.TweetID) error {
			return e.Tweets.DeleteTweet(ctx, "ann", false, id)
		},
	}
	test := func(name string, call func(context.Context, *store.Store, *model.Tweet) error) func(*testing.T) {
		return func(t *testing.T) {
			t.Parallel()
			e, change := storetest.Open(t, store.Options{}), changes[name]
			ctx := t.Context()
			_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann"})
			testenv.Must(t, err)
			tw, err := e.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "old"}, model.Request{})
			testenv.Must(t, err)
			slow := e.Again(t, store.Options{
				Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(model.SearchDocs+"/"+model.SearchKey(tw.ID)),
					func() {
						if err := change(ctx, e, tw.ID); err != nil {
							t.Error(err)
						}
						if err := e.Search.Index(ctx, tw.ID); err != nil { // the event of the change
							t.Error(err)
						}
					})}})
			testenv.Must(t, call(ctx, slow, tw.Tweet))
			want := []string{}
			if name == "edited" {
				want = append(want, model.SearchKey(tw.ID))
			}
			if got := e.IDs(t, model.SearchDocs); !slices.Equal(got, want) {
				t.Errorf("documents %v, want %v", got, want)
			}
			if got := find(t, e, anyone, "old", false, 10); len(got) > 0 {
				t.Errorf("old finds %v", got)
			}
			if got := find(t, e, anyone, "new", false, 10); len(got) != len(want) {
				t.Errorf("new finds %v", got)
			}
		}
	}
	for name := range changes {
		t.Run(name, test(name, func(ctx context.Context, s *store.Store, tw *model.Tweet) error {
			return s.Search.Index(ctx, tw.ID)
		}))
		t.Run(name+" after its event", test(name, func(ctx context.Context, s *store.Store, tw *model.Tweet) error {
			return s.Search.Update(ctx, tw.ID, nil, tw)
		}))
	}
}

// The event of a new tweet has all words of a short text. A longer text is read, and so is a tweet whose event is late.
func TestIndexNewTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	_, err := e.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	for _, test := range []struct {
		name, content string
		later         time.Duration
		reads         int64
	}{
		{"short", "end #short", 10 * time.Second, 1}, {"late", "end #late", 10*time.Second + time.Millisecond, 3},
		{"long", strings.Repeat("a", model.MaxSnippet) + " end #long", 0, 3},
	} {
		tw, err := e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: test.content}, model.Request{})
		testenv.Must(t, err)
		e.Clock.Add(test.later)
		testenv.Must(t, storetest.Costs(t, test.name, test.reads, 1, 0, func(ctx context.Context) error {
			return e.Search.Update(ctx, tw.ID, nil, tw.Tweet)
		}))
		path := model.SearchDocs + "/" + model.SearchKey(tw.ID)
		got := e.Doc(t, path)
		testenv.Must(t, e.Search.Index(t.Context(), tw.ID))
		if diff := cmp.Diff(e.Doc(t, path), got); diff != "" || got == nil {
			t.Errorf("%s: the document is not that of the tweet (-tweet +is):\n%s", test.name, diff)
		}
		if got := find(t, e, anyone, "end #"+test.name, false, 10); !slices.Equal(got, []model.TweetID{tw.ID}) {
			t.Errorf("%s: found %v", test.name, got)
		}
	}
}

// A call that was slow and then killed leaves the document of an old version. No viewer sees that document: neither its
// own words nor words of a version for fewer users.
func TestIndexKilled(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	tw, err := e.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "old"}, model.Request{})
	testenv.Must(t, err)
	edit := func(p model.TweetPatch) {
		if _, err := e.Edits.Edit(ctx, "ann", tw.ID, p, nil); err != nil {
			t.Error(err)
		}
		if err := e.Search.Index(ctx, tw.ID); err != nil { // the event of the edit
			t.Error(err)
		}
	}
	finds := func(step string, want map[string]int) {
		t.Helper()
		e.Clock.Add(time.Minute) // nothing is cached
		for query, n := range want {
			if got := find(t, e, anyone, query, false, 10); len(got) != n {
				t.Errorf("%s: %q finds %v, want %d", step, query, got, n)
			}
		}
	}
	doc := model.SearchDocs + "/" + model.SearchKey(tw.ID)
	life, kill := context.WithCancel(ctx)
	defer kill()
	edits := 0
	slow := e.Again(t, store.Options{Meter: meter.Options{
		BelowReads: storetest.AfterRead("tweets/"+string(tw.ID), func() {
			edits++
			edit(model.TweetPatch{Content: new("secret"), Visibility: new(model.Followers)})
		}),
		Below: func(rpc context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
			opts ...grpc.CallOption) error {
			commit, ok := req.(*pb.CommitRequest)
			if ok && strings.HasSuffix(commit.GetWrites()[0].GetUpdate().GetName(), doc) {
				edits++
				edit(model.TweetPatch{Content: new("new"), Visibility: new(model.Public)})
				defer kill()
			}
			return invoke(rpc, method, req, reply, conn, opts...)
		},
	}})
	if err := slow.Search.Index(life, tw.ID); err == nil || edits != 2 {
		t.Fatalf("the slow call was not killed: %v; %d edits", err, edits)
	}
	finds("killed", map[string]int{"secret": 0, "old": 0, "from:ann": 0})
	testenv.Must(t, e.Search.Index(ctx, tw.ID)) // the event that was killed, again
	finds("delivered again", map[string]int{"secret": 0, "old": 0, "new": 1})
}

// Words that an edit removed find nothing from then on, though its event is late.
func TestEditBeforeItsEvent(t *testing.T) {
	t.Parallel()
	onBoth(t, testEditBeforeItsEvent)
}

func testEditBeforeItsEvent(t *testing.T, e *storetest.Env, engine *searchtest.Server) {
	ctx := t.Context()
	_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	tw := searchPost(t, e, "ann", model.Draft{Content: "mistake"})
	o := store.Options{}
	if engine != nil {
		o.Search = engine.Options()
	}
	late := e.Again(t, o) // another process
	show := func(by *store.Store, query string) (texts []string) {
		t.Helper()
		found, _, err := by.Search.Tweets(ctx, anyone, parse(t, query), false, "", 10)
		testenv.Must(t, err)
		for _, f := range found {
			text := ""
			for _, p := range f.Excerpt {
				text += p.Text
			}
			texts = append(texts, text)
		}
		return texts
	}
	if got := show(late, "mistake"); !slices.Equal(got, []string{"mistake"}) {
		t.Fatalf("a new tweet is shown as %q", got)
	}
	_, err = e.Edits.Edit(ctx, "ann", tw.ID, model.TweetPatch{Content: new("mended")}, nil)
	testenv.Must(t, err)
	if got := show(e.Store, "from:ann"); len(got) > 0 {
		t.Errorf("the tweet is shown as %q before the event of its edit", got)
	}
	testenv.Must(t, e.Search.Index(ctx, tw.ID))
	if got := show(e.Store, "from:ann"); !slices.Equal(got, []string{"mended"}) {
		t.Errorf("the tweet is shown as %q", got)
	}
	if got := show(late, "from:ann"); len(got) > 0 { // has the tweet as it was, and not the words
		t.Errorf("a process with the old tweet shows %q", got)
	}
}

// Losing the answer to a commit changes nothing.
func TestIndexLosesAnswers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	_, err := e.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	losses := storetest.LoseAnswers(7, 0.5)
	other := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	var want []model.TweetID
	for n := range 20 {
		e.Clock.Add(time.Second)
		tw, err := e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "spark"}, model.Request{})
		testenv.Must(t, err)
		testenv.Must(t, other.Search.Index(t.Context(), tw.ID))
		if n%2 == 0 {
			testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tw.ID))
			testenv.Must(t, other.Search.Index(t.Context(), tw.ID))
			continue
		}
		want = slices.Insert(want, 0, tw.ID)
	}
	if got := find(t, e, anyone, "spark", false, 10); !slices.Equal(got, want) || losses.Count() == 0 {
		t.Errorf("spark finds %v, want %v; %d answers were lost", got, want, losses.Count())
	}
}
