package access_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/timelines"
)

// shownHome is a reader's home page in one process.
type shownHome struct {
	*storetest.Env
	ids []model.TweetID // newest first
}

// showHome fills a reader's home page and shows the page twice, for 24 reads each.
func showHome(t *testing.T) *shownHome {
	t.Helper()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	h := &shownHome{Env: e}
	for _, reader := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, e.Graph.Follow(t.Context(), reader, "ann"))
	}
	for range 20 {
		tweet := e.Tweet(t, "ann", "a spark")
		testenv.Must(t, testenv.Patiently(func() error { return e.Timelines.Deliver(t.Context(), tweet) }))
		h.ids = slices.Insert(h.ids, 0, tweet.ID)
	}
	h.page(t)
	e.Clock.Add(time.Minute)
	// The process begins to follow changes only now, because it had nothing cached before.
	testenv.Must(t, h.costs(t, "the page a minute later", 24))
	return h
}

// costs checks how many reads the page costs.
func (h *shownHome) costs(t *testing.T, what string, reads int64) error {
	t.Helper()
	return storetest.Costs(t, what, reads, 0, 0, func(ctx context.Context) error {
		_, _, _, err := h.Timelines.Home(ctx, "bob", "", "", 20)
		return err
	})
}

// page returns the tweets that the page shows now.
func (h *shownHome) page(t *testing.T) map[model.TweetID]*model.Tweet {
	t.Helper()
	items, _, _, err := h.Timelines.Home(t.Context(), "bob", "", "", 20)
	testenv.Must(t, err)
	shown := map[model.TweetID]*model.Tweet{}
	for _, item := range items {
		shown[item.ID] = item.Tweet
	}
	return shown
}

func TestUnchangedTweetsCostNothing(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	for range 3 {
		h.Clock.Add(time.Minute)
		testenv.Must(t, h.costs(t, "a page of which nothing changed", 4))
		testenv.Must(t, h.costs(t, "the same again at once", 2))
	}
	h.Clock.Add(5 * time.Minute)
	testenv.Must(t, h.costs(t, "a page, and what was deleted, and who was renamed", 6))

	// The cache knows which version of each tweet it has.
	for id, tweet := range h.page(t) {
		snap, err := h.Raw.Doc("tweets/" + string(id)).Get(t.Context())
		testenv.Must(t, err)
		if !tweet.Version.Equal(snap.UpdateTime) {
			t.Errorf("the version of %s is %v, want %v", id, tweet.Version, snap.UpdateTime)
		}
	}
}

func TestChangesAreHeard(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	other := h.Again(t, store.Options{WriteEvery: time.Millisecond})

	h.Clock.Add(time.Minute)
	err := other.Counters.Reaction(counters.IdempotencyRecord{EventID: "1", Function: "CountLike"},
		&model.Like{UserID: "cat", TweetID: h.ids[3]}, 1).Commit(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, h.costs(t, "a page of which one tweet changed", 4))
	if got := h.page(t)[h.ids[3]].LikeCount; got != 1 {
		t.Errorf("likeCount = %d, want 1", got)
	}

	// A hot counter changes the tweet by a roll-up.
	h.Clock.Add(time.Minute)
	for n := range 5 {
		err := other.Counters.Reaction(counters.IdempotencyRecord{EventID: fmt.Sprint("hot", n), Function: "CountLike"},
			&model.Like{UserID: "cat", TweetID: h.ids[5]}, 1).Commit(t.Context())
		testenv.Must(t, err)
	}
	_, err = other.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tweets, ID: string(h.ids[5])})
	testenv.Must(t, err)
	if got := h.page(t)[h.ids[5]].LikeCount; got != 5 {
		t.Errorf("likeCount = %d, want 5", got)
	}
}

// Caches get a rename at no cost, even of an author with more tweets than a process would follow. A page shows the new
// name after the next query for renames. It shows the new name again if the embedded authors are rewritten later.
func TestRenamesAreHeard(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	// a propagation waits twice as long
	other := h.Again(t, store.Options{CacheTTL: time.Millisecond, WriteEvery: time.Millisecond})
	ids := model.NewTweetIDs(func() time.Time { return h.Clock.Now().Add(-40 * 24 * time.Hour) })
	b := h.Raw.BulkWriter(t.Context())
	for range 250 {
		_, err := b.Set(h.Raw.Doc("tweets/"+string(ids.Next("ann"))),
			model.Tweet{AuthorID: "ann", ChangedAt: h.Clock.Now().Add(-time.Hour)})
		testenv.Must(t, err)
	}
	b.End()
	names := func(want string) {
		t.Helper()
		for id, tweet := range h.page(t) {
			if tweet.Author.Nickname != want {
				t.Errorf("the author of %s is %q, want %s", id, tweet.Author.Nickname, want)
			}
		}
	}

	h.Clock.Add(time.Minute)
	testenv.Must(t, other.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("Annie")}))
	testenv.Must(t, other.Previews.PropagateProfile(t.Context(), model.PropagationWork{UserID: "ann"}))
	testenv.Must(t, h.costs(t, "a page after 270 author copies were rewritten", 4))
	names("ann")
	h.Clock.Add(5 * time.Minute)
	testenv.Must(t, h.costs(t, "a page, what was deleted, and who was renamed", 3+3+20))
	names("Annie")
	h.Clock.Add(5 * time.Minute)
	testenv.Must(t, h.costs(t, "a page that has the name already", 6))

	// The query runs before the embedded authors are rewritten.
	testenv.Must(t, other.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("Anna")}))
	h.Clock.Add(5 * time.Minute)
	names("Annie")
	testenv.Must(t, other.Previews.PropagateProfile(t.Context(), model.PropagationWork{UserID: "ann"}))
	h.Clock.Add(5 * time.Minute)
	names("Anna")

	// Only changes of the profile parts that tweets show make an answer longer.
	bobs := func() any { return h.Doc(t, "users/bob")["renamedAt"] }
	testenv.Must(t, other.Users.UpdateUser(t.Context(), "bob", model.UserPatch{Introduction: new("I am Bob."),
		Username: new("bob_u")}))
	if got := bobs(); got != nil {
		t.Errorf("bob has a new introduction and is renamed at %v", got)
	}
	testenv.Must(t, other.Users.UpdateUser(t.Context(), "bob", model.UserPatch{Username: new("bobby")}))
	if bobs() == nil {
		t.Error("bob has a new username and is not renamed")
	}
}

// Processes whose clocks are hours apart, from each other and from the database's clock, get each other's changes and
// deletions.
func TestClocksDoNotMatter(t *testing.T) {
	t.Parallel()
	clock := testenv.NewClock(time.Now().Add(-time.Hour))
	e := storetest.Open(t, store.Options{Now: clock.Now})
	behind := e.Again(t, store.Options{Now: func() time.Time { return time.Now().Add(-3 * time.Hour) }})
	ahead := e.Again(t, store.Options{Now: func() time.Time { return time.Now().Add(3 * time.Hour) }})
	e.CreateUsers(t, "ann", "bob")
	ids := e.CreateTweets(t, "ann", 3)
	show := func(pass time.Duration) map[model.TweetID]*model.Tweet {
		t.Helper()
		clock.Add(pass)
		tweets, err := e.Tweets.FreshTweets(t.Context(), ids)
		testenv.Must(t, err)
		return tweets
	}
	like := func(s *store.Store, event string, id model.TweetID) {
		t.Helper()
		testenv.Must(t, s.Counters.Reaction(counters.IdempotencyRecord{EventID: event, Function: "CountLike"},
			&model.Like{UserID: "bob", TweetID: id}, 1).Commit(t.Context()))
	}
	show(0)
	show(time.Minute)
	show(time.Minute)

	like(behind, "1", ids[0])
	like(ahead, "2", ids[1])
	got := show(time.Minute)
	if got[ids[0]].LikeCount != 1 || got[ids[1]].LikeCount != 1 || got[ids[2]].LikeCount != 0 {
		t.Errorf("likeCounts = %d, %d, %d, want 1, 1, 0", got[ids[0]].LikeCount, got[ids[1]].LikeCount, got[ids[2]].LikeCount)
	}
	testenv.Must(t, behind.Tweets.DeleteTweet(t.Context(), "ann", false, ids[1]))
	testenv.Must(t, ahead.Tweets.DeleteTweet(t.Context(), "ann", false, ids[2]))
	show(3 * time.Minute)
	if got := show(3 * time.Minute); len(got) != 1 {
		t.Errorf("%d tweets are shown, want the one that is left", len(got))
	}
}

// The caches of a process stay within their bytes. The weight of a profile or tweet is the size of its content.
func TestCacheBytes(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheBytes: 64 << 10}) // profiles get 4 KiB
	uids := make([]model.UserID, 20)
	for n := range uids {
		uids[n] = model.UserID(fmt.Sprint("user", n))
	}
	e.CreateUsers(t, uids...)
	for n := range uids {
		testenv.Must(t, storetest.Costs(t, "a profile", 1, 0, 0, look(e, uids[n])))
	}
	testenv.Must(t, storetest.Costs(t, "the newest", 0, 0, 0, look(e, uids[19])))
	testenv.Must(t, storetest.Costs(t, "the oldest", 1, 0, 0, look(e, uids[0])))

	// A profile of more than a quarter of the cache is read each time, and evicts no other profile.
	_, err := e.Raw.Doc("users/user1").
		Update(t.Context(), []firestore.Update{{Path: "snippet", Value: strings.Repeat("x", 2<<10)}})
	testenv.Must(t, err)
	for range 2 {
		testenv.Must(t, storetest.Costs(t, "a large profile", 1, 0, 0, look(e, uids[1])))
	}
	testenv.Must(t, storetest.Costs(t, "the newest two", 0, 0, 0, look(e, uids[0], uids[19])))
}

// A deleted tweet stays out of a page, though its entry is still there.
func TestDeletionsAreHeard(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	other := h.Again(t, store.Options{})
	h.Clock.Add(time.Minute)
	testenv.Must(t, h.Tweets.DeleteTweet(t.Context(), "ann", false, h.ids[1]))
	testenv.Must(t, other.Tweets.DeleteTweet(t.Context(), "ann", false, h.ids[2]))
	if page := h.page(t); page[h.ids[1]] != nil {
		t.Error("what this process deleted is shown")
	}
	h.Clock.Add(5 * time.Minute)
	if page := h.page(t); page[h.ids[2]] != nil || len(page) != 18 {
		t.Errorf("%d tweets are shown, want the 18 that are left", len(page))
	}
}

// A process that did not follow changes for long reads anew. So does a process with too many changes to follow.
func TestListeningEnds(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	other := h.Again(t, store.Options{})
	h.Clock.Add(11 * time.Minute)
	testenv.Must(t, h.costs(t, "a page after a long silence", 24))
	h.Clock.Add(time.Minute)
	testenv.Must(t, h.costs(t, "the page after that", 4))

	h.Clock.Add(time.Minute)
	noisy := make([]model.TweetID, 200)
	for _, err := range testenv.AtOnce(len(noisy), func(n int) error {
		tweet, err := other.Tweets.CreateTweet(t.Context(), "cat", model.Draft{Content: "noise"}, model.Request{})
		if err == nil {
			noisy[n] = tweet.ID
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	testenv.Must(t, h.costs(t, "a page after 200 changes", 3+200+20))
	for range 2 {
		h.Clock.Add(10 * time.Second)
		testenv.Must(t, h.costs(t, "a page while nothing is heard", 23))
	}
	h.Clock.Add(time.Minute)
	testenv.Must(t, h.costs(t, "a page when listening begins again", 23))
	h.Clock.Add(10 * time.Second)
	testenv.Must(t, h.costs(t, "the page after that", 4))
}

// Many concurrent readers cause one query for changes.
func TestOneListens(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	_, _, _, err := h.Timelines.Home(t.Context(), "cat", "", "", 20) // concurrent first visits would be repeated
	testenv.Must(t, err)
	h.Clock.Add(time.Minute)
	m := meter.New()
	for _, err := range testenv.AtOnce(20, func(n int) error {
		items, _, _, err := h.Timelines.Home(meter.With(t.Context(), m), []model.UserID{"bob", "cat"}[n%2], "", "", 20)
		if err == nil && !slices.EqualFunc(items, h.ids, func(s timelines.Item, id model.TweetID) bool {
			return s.ID == id
		}) {
			err = fmt.Errorf("%d tweets, want %d", len(items), len(h.ids))
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	if got := m.Reads(); got != 20*2+2 { // one query for tweets, and one for heads
		t.Errorf("20 pages at once cost %d reads, want 2 each and 2", got)
	}
}
