package reactions_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/reactions"
)

// profile reads all pages of ann's tweets and shares. between, unless nil, runs after the first page.
func profile(t *testing.T, s *reactions.Shares, v model.Viewer, limit int, between func()) (ids []model.TweetID) {
	t.Helper()
	for from := (model.Cursor{}); ; {
		var m meter.Meter
		page, err := s.Profile(meter.With(t.Context(), &m), v, "ann", from, limit)
		testenv.Must(t, err)
		if len(page.Items) > limit || m.Reads() > 39 {
			t.Errorf("a page of %d has %d entries, and costs %d reads", limit, len(page.Items), m.Reads())
		}
		for _, entry := range page.Items {
			if own := entry.Shared == nil; own != entry.SharedAt.IsZero() || !own && entry.Shared.AuthorID == "ann" {
				t.Errorf("entry = %+v", entry)
			}
			ids = append(ids, entry.ID())
		}
		if from = page.Next; from.IsZero() || len(ids) > 1_000 {
			return ids
		}
		if between != nil {
			between()
			between = nil
		}
	}
}

func viewerOf(uid model.UserID) model.Viewer { return model.Viewer{ID: uid, Role: model.Member} }

// A profile has tweets and shares in the order of time, over pages and months, each once. That holds for an own tweet
// that is shared, and for several events in one millisecond.
func TestProfile(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{PreviewsPerBucket: 8})
	e.CreateUsers(t, "ann", "bob", "cat")
	e.Clock.Set(time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC))
	theirs := slices.Concat(e.CreateTweets(t, "bob", 20), e.CreateTweets(t, "cat", 20))
	share := func(id model.TweetID) { t.Helper(); testenv.Must(t, e.Shares.Share(t.Context(), "ann", id)) }
	var want []model.TweetID // newest first
	add := func(id model.TweetID) model.TweetID { want = slices.Insert(want, 0, id); return id }
	for i, at := range []time.Time{
		time.Date(2026, time.January, 31, 23, 59, 59, 999e6, time.UTC), storetest.Date(time.March, 1).
			Truncate(24 * time.Hour),
		storetest.Date(time.April, 3), time.Date(2026, time.August, 31, 23, 59, 59, 999e6, time.UTC),
		storetest.Date(time.October, 9),
	} {
		e.Clock.Set(at)
		own := add(e.Publish(t, "ann", "a spark").ID)
		share(add(theirs[8*i])) // at the same time: a share comes first
		e.Clock.Add(time.Millisecond)
		share(own)
		for j := 1; j < 8; j++ {
			share(add(theirs[8*i+j]))
			e.Clock.Add(time.Second)
			if j%3 == 0 {
				add(e.Publish(t, "ann", "a spark").ID)
				e.Clock.Add(time.Minute)
			}
		}
	}
	for _, viewer := range []model.Viewer{{}, viewerOf("ann"), viewerOf("bob")} {
		for _, limit := range []int{1, 2, 3, 7, 20, 100} {
			if got := profile(t, e.Shares, viewer, limit, nil); !slices.Equal(got, want) {
				t.Errorf("%q by %d: %d entries, want %d:\n%v\n%v", viewer.ID, limit, len(got), len(want), got, want)
			}
		}
	}
	// Events between two pages change only the later pages, and move no entry.
	last := want[len(want)-1]
	gone := theirs[8*4+7] // where the first page of one ended
	if got := profile(t, e.Shares, model.Viewer{}, 1, func() {
		testenv.Must(t, e.Shares.Unshare(t.Context(), "ann", gone))
		e.Publish(t, "ann", "newer")
		share(e.Tweet(t, "bob", "newer").ID)
	}); !slices.Equal(got, want) || got[len(got)-1] != last {
		t.Errorf("with an unshare between two pages: %v, want %v", got, want)
	}
	if page, err := e.Shares.Profile(t.Context(), model.Viewer{}, "nobody", model.Cursor{}, 20); err != nil ||
		len(page.Items) > 0 || !page.Next.IsZero() {
		t.Errorf("Profile(nobody) = %+v, %v", page, err)
	}
}

// A share shows only tweets that everybody may see. A viewer gets no share from a sharer whom the viewer mutes, or
// across a block.
func TestProfileVisibility(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	uids := []model.UserID{"ann", "bob", "cat", "dan", "eve", "fay"}
	e.CreateUsers(t, uids...)
	own := e.Publish(t, "ann", "a spark").ID
	shared := map[string]model.TweetID{}
	want := []model.TweetID{own}
	for _, name := range []string{"bob", "deleted", "flagged", "narrowed", "cat", "dan"} {
		author := model.UserID("fay")
		if len(name) == 3 {
			author = model.UserID(name)
		}
		shared[name] = e.Tweet(t, author, "a spark").ID
		e.Clock.Add(time.Second)
		testenv.Must(t, e.Shares.Share(t.Context(), "ann", shared[name]))
		if author != "fay" {
			want = slices.Insert(want, 0, shared[name])
		}
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "fay", false, shared["deleted"]))
	for name, u := range map[string]firestore.Update{"flagged": {Path: "isViolative", Value: true},
		"narrowed": {Path: "visibility", Value: "followers"}} {
		_, err := e.Raw.Doc("tweets/"+string(shared[name])).Update(t.Context(), []firestore.Update{u})
		testenv.Must(t, err)
	}
	testenv.Must(t, e.Graph.Follow(t.Context(), "eve", "fay"))
	testenv.Must(t, e.Graph.Block(t.Context(), "bob", "cat"))
	testenv.Must(t, e.Graph.Block(t.Context(), "bob", "dan"))
	testenv.Must(t, e.Graph.Block(t.Context(), "dan", "bob"))
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "ann"))
	without := func(some ...model.TweetID) []model.TweetID {
		return slices.DeleteFunc(slices.Clone(want), func(id model.TweetID) bool { return slices.Contains(some, id) })
	}
	for _, test := range []struct {
		viewer model.Viewer
		want   []model.TweetID
	}{
		{model.Viewer{}, want}, {viewerOf("ann"), want}, {viewerOf("eve"), want}, {viewerOf("fay"), want},
		{model.Viewer{ID: "eve", Role: model.Anonymous}, want}, {model.Viewer{ID: "eve", Role: model.Moderator}, want},
		{viewerOf("bob"), without(shared["cat"], shared["dan"])}, {viewerOf("cat"), without(shared["bob"])},
		{viewerOf("dan"), []model.TweetID{own}},
	} {
		for _, limit := range []int{2, 20} {
			if got := profile(t, e.Shares, test.viewer, limit, nil); !slices.Equal(got, test.want) {
				t.Errorf("%+v by %d: %v, want %v", test.viewer, limit, got, test.want)
			}
		}
	}
}

// A page costs as documented, and 39 reads at most: with many shares, with months of one tweet each, and if everybody
// blocks the viewer.
func TestProfileCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	page := func(v model.Viewer, entries int) func(context.Context) error {
		db := e.Again(t, store.Options{}) // nothing is cached
		return func(ctx context.Context) error {
			p, err := db.Shares.Profile(ctx, v, "ann", model.Cursor{}, 20)
			if len(p.Items) != entries {
				t.Errorf("the page of %q has %d entries, want %d", v.ID, len(p.Items), entries)
			}
			return err
		}
	}
	e.Publish(t, "ann", "a spark")
	testenv.Must(t, storetest.Costs(t, "a page of somebody who has just begun", 4, 0, 0, page(viewerOf("bob"), 1)))
	e.Clock.Add(2 * time.Hour)
	testenv.Must(t, storetest.Costs(t, "a page without shares", 2, 0, 0, page(viewerOf("bob"), 1)))
	theirs := e.CreateTweets(t, "bob", 3)
	e.Clock.Add(time.Second)
	for _, id := range theirs {
		testenv.Must(t, e.Shares.Share(t.Context(), "ann", id))
	}
	testenv.Must(t, storetest.Costs(t, "3 shares, signed out", 1+3+3, 0, 0, page(model.Viewer{}, 4)))
	testenv.Must(t, storetest.Costs(t, "3 shares, with an account", 1+3+3+2, 0, 0, page(viewerOf("eve"), 4)))
	testenv.Must(t, storetest.Costs(t, "3 shares by their author", 1+3+3+1, 0, 0, page(viewerOf("bob"), 4)))
	for range 20 { // newer tweets, so that the shares are below the page
		e.Clock.Add(time.Second)
		e.Publish(t, "ann", "a spark")
	}
	testenv.Must(t, storetest.Costs(t, "shares below the page", 2, 0, 0, page(viewerOf("eve"), 20)))

	e.Clock.Add(time.Second)
	for i := range 40 {
		author := model.UserID(fmt.Sprint("author", i))
		e.CreateUsers(t, author)
		id := e.Tweet(t, author, "a spark").ID
		testenv.Must(t, e.Shares.Share(t.Context(), "ann", id))
		for _, b := range [][2]model.UserID{{"eve", author}, {author, "eve"}} {
			_, err := e.Raw.Doc("blocks/"+model.BlockKey(b[0], b[1])).
				Set(t.Context(), model.Block{BlockerID: b[0], BlockeeID: b[1]})
			testenv.Must(t, err)
		}
		e.Clock.Add(time.Second)
	}
	testenv.Must(t, storetest.Costs(t, "nothing but shares, signed out", 1+19+19, 0, 0, page(model.Viewer{}, 19)))
	testenv.Must(t, storetest.Costs(t, "nothing but shares", 1+12+12+2, 0, 0, page(viewerOf("fay"), 12)))
	testenv.Must(t, storetest.Costs(t, "blocked on both sides by all authors", 1+12+24+1, 0, 0, page(viewerOf("eve"), 0)))

	for i := range 30 { // months with a tweet and a share each
		e.Clock.Add(31 * 24 * time.Hour)
		e.Publish(t, "ann", "a spark")
		testenv.Must(t, e.Shares.Share(t.Context(), "ann", e.Tweet(t, "bob", fmt.Sprint(i)).ID))
	}
	all := profile(t, e.Shares, viewerOf("fay"), 20, nil)
	if len(all) != 21+3+40+30+30 {
		t.Errorf("the profile has %d entries", len(all))
	}
}
