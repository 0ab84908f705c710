package timelines_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// forget is longer than a process keeps a head, month or tweet without asking for changes.
const forget = 3 * time.Second

// deliver lets an author write n tweets, calls the function of each, and returns their ids, newest first.
func deliver(t *testing.T, e *storetest.Env, author model.UserID, n int) []model.TweetID {
	t.Helper()
	ids := make([]model.TweetID, n)
	for i := range ids {
		tweet := e.Tweet(t, author, "a spark")
		testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
		ids[n-1-i] = tweet.ID
	}
	return ids
}

// remove lets an author delete a tweet, and calls the part of its function that concerns home timelines.
func remove(t *testing.T, e *storetest.Env, id model.TweetID) {
	t.Helper()
	snap, err := e.Raw.Doc("tweets/" + string(id)).Get(t.Context())
	testenv.Must(t, err)
	tweet := model.Tweet{ID: id}
	testenv.Must(t, snap.DataTo(&tweet))
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "", true, id))
	testenv.Must(t, e.Previews.Update(t.Context(), id, &tweet, nil))
}

// follow makes a user follow some authors, a second later.
func follow(t *testing.T, e *storetest.Env, follower model.UserID, authors ...model.UserID) {
	t.Helper()
	e.Clock.Add(time.Second)
	for _, author := range authors {
		testenv.Must(t, e.Graph.Follow(t.Context(), follower, author))
	}
}

// shareOf reads the source document of a share.
func shareOf(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID) *model.Share {
	t.Helper()
	snap, err := e.Raw.Doc("shares/" + model.ReactionKey(uid, id)).Get(t.Context())
	testenv.Must(t, err)
	l := new(model.Share)
	testenv.Must(t, snap.DataTo(l))
	return l
}

// share makes a user share a tweet a second later, and calls the function of the share.
func share(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID) *model.Share {
	t.Helper()
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Shares.Share(t.Context(), uid, id))
	l := shareOf(t, e, uid, id)
	testenv.Must(t, e.Timelines.DeliverShare(t.Context(), l))
	return l
}

// unshare deletes a share, and calls its function.
func unshare(t *testing.T, e *storetest.Env, l *model.Share) {
	t.Helper()
	testenv.Must(t, e.Shares.Unshare(t.Context(), l.UserID, l.TweetID))
	testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), l))
}

// overflow calls the functions of all months that are to overflow.
func overflow(t *testing.T, e *storetest.Env) {
	t.Helper()
	for _, key := range e.IDs(t, model.Overflows) {
		work := e.Doc(t, model.Overflows+"/"+key)
		bucket := work["bucket"].(string)
		switch work["collection"] {
		case model.TweetMonths:
			testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, bucket))
		case model.FollowerMonths:
			testenv.Must(t, e.Previews.Overflow(t.Context(), model.FollowersAudiencePartition, bucket))
		case model.ShareMonths:
			testenv.Must(t, e.Previews.OverflowShares(t.Context(), bucket))
		}
	}
}

// pages reads a home timeline page by page. limit gives the size of each page, and between runs between two pages.
func pages(t *testing.T, s *store.Store, uid model.UserID, limit func() int, between func()) (all []timelines.Item) {
	t.Helper()
	for next, n := timelines.Cursor(""), 0; ; n++ {
		size := limit()
		items, more, _, err := s.Timelines.Home(t.Context(), uid, "", next, size)
		testenv.Must(t, err)
		if len(items) > size || more != "" && len(items) == size &&
			!strings.HasPrefix(string(more), string(items[size-1].Position)) {
			t.Errorf("a page of %d tweets, want %d; next is %q", len(items), size, more)
		}
		if most := 36 + 1 + 4*timelines.MostShown; len(more) > most {
			t.Fatalf("a cursor has %d bytes, want %d at most", len(more), most)
		}
		for _, i := range items {
			if i.Tweet.ID != i.ID || i.Position.Tweet() != i.ID {
				t.Errorf("item %+v has another tweet", i)
			}
		}
		if all = append(all, items...); more == "" {
			return all
		}
		end, _, _ := strings.Cut(string(more), "~")
		begin, _, _ := strings.Cut(string(next), "~")
		if begin != "" && model.Position(end).Compare(model.Position(begin)) >= 0 || n > 3_000 {
			t.Fatalf("page %d begins at %q and ends at %q", n, begin, end)
		}
		between()
		next = more
	}
}

func sizes(n int) func() int { return func() int { return n } }

// home reads the tweets of a home timeline, once no cache of the process is older than a change.
func home(t *testing.T, e *storetest.Env, uid model.UserID, limit int) []model.TweetID {
	t.Helper()
	e.Clock.Add(forget)
	return idsOf(pages(t, e.Store, uid, sizes(limit), func() {}))
}

// idsOf returns the tweets of some items.
func idsOf(items []timelines.Item) []model.TweetID {
	ids := []model.TweetID{}
	for _, i := range items {
		ids = append(ids, i.ID)
	}
	return ids
}

func wantHome(t *testing.T, what string, e *storetest.Env, uid model.UserID, want []model.TweetID) {
	t.Helper()
	if got := home(t, e, uid, 20); !slices.Equal(got, want) {
		t.Errorf("%s: the timeline has %v, want %v", what, got, want)
	}
}

// line is an item of a home page in the form that tests compare.
type line struct {
	ID      model.TweetID
	By      model.UserID
	Sharers int
}

func lines(items []timelines.Item) (all []line) {
	for _, i := range items {
		all = append(all, line{i.ID, i.SharedBy, i.Sharers})
	}
	return all
}

// wantLines compares a home timeline with a list, for pages of some sizes.
func wantLines(t *testing.T, what string, e *storetest.Env, uid model.UserID, want ...line) {
	t.Helper()
	e.Clock.Add(forget)
	for _, limit := range []int{1, 2, 20} {
		if diff := cmp.Diff(want, lines(pages(t, e.Store, uid, sizes(limit), func() {}))); diff != "" {
			t.Errorf("%s: home timeline of %s by pages of %d (-want +got):\n%s", what, uid, limit, diff)
		}
	}
}

// positionsIn returns the positions in a map of a document, newest first.
func positionsIn(t *testing.T, e *storetest.Env, path, field string) []model.Position {
	t.Helper()
	raw, _ := e.Doc(t, path)[field].(map[string]any)
	positions := map[model.Position]any{}
	for position, value := range raw {
		positions[model.Position(position)] = value
	}
	return model.Newest(positions, 0)
}

// meterAfterRead calls do after a read, see [storetest.AfterRead].
func meterAfterRead(path string, do func()) meter.Options {
	return meter.Options{BelowReads: storetest.AfterRead(path, do)}
}
