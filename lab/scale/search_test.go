package scale_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/discovery"
)

var hits = flag.Int("hits", 1000, "after so many hits TestSearches goes on with the next query")

var searched = flag.Int("searched", 400, "tweets among which TestSearches searches; 20000 takes minutes, because "+
	"the emulator looks at all documents for each query")

// said is a tweet of TestSearches as its author wrote it.
type said struct {
	*model.Tweet
	words    []string // in English, in their order
	japanese string
}

// corpus makes tweets in English, in Japanese and in both. Some words are frequent, and most
// are rare, as in a language.
type corpus struct {
	*rand.Rand
	english, kanji []string
}

func newCorpus(rng *rand.Rand) *corpus {
	c := &corpus{Rand: rng}
	syllables := strings.Fields("ka re mo ti so lu ne vi pa dor gan bel sta fry mun")
	for range 1_500 {
		c.english = append(c.english, syllables[rng.IntN(15)]+syllables[rng.IntN(15)]+syllables[rng.IntN(15)])
	}
	for range 800 {
		word := ""
		for range 1 + rng.IntN(3) {
			word += string(rune(0x4e00 + rng.IntN(400)))
		}
		c.kanji = append(c.kanji, word+[]string{"", "の", "が", "する", "ラーメン"}[rng.IntN(5)])
	}
	return c
}

// pick picks a word: the first of the list often, and the last seldom.
func (c *corpus) pick(words []string) string {
	return words[int(float64(len(words))*c.Float64()*c.Float64()*c.Float64())]
}

func (c *corpus) say(id model.TweetID, author *model.User) (said, string) {
	w := said{}
	kind := c.IntN(3)
	if kind != 1 {
		for range 5 + c.IntN(20) {
			w.words = append(w.words, c.pick(c.english))
		}
	}
	if kind != 0 {
		for range 3 + c.IntN(12) {
			w.japanese += c.pick(c.kanji) + []string{"", "", "、"}[c.IntN(3)]
		}
	}
	content := strings.Join(w.words, " ") + "。" + w.japanese
	if c.IntN(10) == 0 {
		content += " #tag"
	}
	var err error
	w.Tweet, _, err = model.NewTweet(id, author, nil, model.Draft{Content: content, AllowLikes: true})
	if err != nil {
		panic(err) // the draft is good
	}
	return w, content
}

// TestSearches compares 50 searches with looks at every tweet, and shows what each costs and how
// long it takes. With -searched 20000 it is the size of a small installation.
func TestSearches(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	rng := rand.New(rand.NewPCG(*seed, 1))
	c := newCorpus(rng)
	var people []*model.User
	for n := range 50 {
		uid := model.UserID(fmt.Sprint("user_", n))
		_, err := e.Users.CreateUser(t.Context(), uid, model.NewUser{Username: string(uid)})
		testenv.Must(t, err)
		people = append(people, &model.User{ID: uid, Username: string(uid)})
	}
	at := e.Clock.Now().Add(-time.Duration(*searched) * time.Minute)
	ids := model.NewTweetIDs(func() time.Time { return at })
	var all []said // newest first
	bulk := e.Raw.BulkWriter(t.Context())
	for range *searched {
		at = at.Add(time.Minute)
		author := people[rng.IntN(len(people))]
		w, content := c.say(ids.Next(author.ID), author)
		all = append(all, w)
		_, err := bulk.Create(e.Raw.Collection(model.Tweets).Doc(string(w.ID)), w.Tweet)
		testenv.Must(t, err)
		_, err = bulk.Create(e.Raw.Collection(model.SearchDocs).Doc(model.SearchKey(w.ID)), discovery.DocOf(w.Tweet, content))
		testenv.Must(t, err)
	}
	bulk.End()
	slices.Reverse(all)

	word := func(want string) func(said) bool {
		return func(w said) bool { return slices.Contains(w.words, want) }
	}
	part := func(want string) func(said) bool {
		return func(w said) bool { return strings.Contains(w.japanese, want) }
	}
	queries := map[string][]func(said) bool{}
	for len(queries) < 50 {
		some := all[rng.IntN(len(all))]
		a, b := c.pick(c.english), c.pick(c.english)
		k := c.pick(c.kanji)
		switch n := len(queries); {
		case n < 12:
			queries[a] = []func(said) bool{word(a)}
		case n < 16 && len(a) > 4:
			inner := a[1 : len(a)-1]
			queries["*"+inner+"*"] = []func(said) bool{func(w said) bool {
				return strings.Contains(" "+strings.Join(w.words, " ")+" ", inner)
			}}
		case n < 20:
			queries[a+" "+b] = []func(said) bool{word(a), word(b)}
		case n < 26 && len(some.words) > 3:
			phrase := some.words[1:3]
			queries[`"`+strings.Join(phrase, " ")+`"`] = []func(said) bool{func(w said) bool {
				return strings.Contains(" "+strings.Join(w.words, " ")+" ", " "+strings.Join(phrase, " ")+" ")
			}}
		case n >= 26 && n < 36:
			queries[k] = []func(said) bool{part(k)}
		case n >= 36 && n < 40:
			queries[k+" "+a] = []func(said) bool{part(k), word(a)}
		case n >= 40 && n < 44 && len([]rune(some.japanese)) > 8:
			middle := string([]rune(strings.Split(some.japanese, "、")[0]))
			queries[middle] = []func(said) bool{part(middle)}
		case n >= 44 && n < 48:
			queries["from:"+some.Author.Username+" "+k] = []func(said) bool{part(k),
				func(w said) bool { return w.AuthorID == some.AuthorID }}
		case n >= 48:
			queries["#tag "+a] = []func(said) bool{word(a), func(w said) bool { return len(w.Tags) > 0 }}
		}
		delete(queries, "")
	}

	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "query\tfound by a look at all\treads of the first page\tmilliseconds")
	var reads int64
	for query, tests := range queries {
		want := []model.TweetID{}
		for _, w := range all {
			if !slices.ContainsFunc(tests, func(test func(said) bool) bool { return !test(w) }) {
				want = append(want, w.ID)
			}
		}
		q, err := discovery.ParseSearch(query)
		testenv.Must(t, err)
		got, from := []model.TweetID{}, ""
		// Of a phrase of frequent words most pages have few tweets.
		for pages := 0; len(got) < *hits && pages < 30+*hits/50; pages++ {
			e.Clock.Add(time.Minute) // nothing is cached
			m, began := meter.New(), time.Now()
			found, next, err := e.Search.Tweets(meter.With(t.Context(), m), model.Viewer{}, q, false, from, 100)
			testenv.Must(t, err)
			cost := m.Snapshot()
			if pages == 0 {
				fmt.Fprintf(table, "%s\t%d\t%d\t%d\n", query, len(want), cost.Reads, time.Since(began).Milliseconds())
				reads += cost.Reads
			}
			if cost.Reads > 40 || cost.Writes+cost.Deletes > 0 {
				t.Errorf("a page of %q costs %+v", query, cost)
			}
			for _, f := range found {
				got = append(got, f.ID)
			}
			if from = next; next == "" {
				break
			}
		}
		if from != "" {
			if len(got) == 0 {
				t.Errorf("pages of %q have no tweet, and do not end", query)
			}
			want = want[:min(len(want), len(got))]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %d tweets, not the %d that a look at all finds", query, len(got), len(want))
		}
	}
	table.Flush()
	t.Logf("%d searches among %d tweets, %d reads on average for a first page:\n%s", len(queries), len(all),
		reads/int64(len(queries)), text.String())
}
