package timelines_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

// A share reaches the followers' home timelines. The tweet is there once, for any number of sharers and even beside the
// tweet itself. It disappears with the last share.
func TestShareReachesFollowers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	for _, author := range []model.UserID{"bob", "cat"} {
		follow(t, e, "dan", author)
	}
	e.Clock.Add(time.Second)
	anns := deliver(t, e, "ann", 1)[0]
	e.Clock.Add(time.Second)
	bobs := deliver(t, e, "bob", 1)[0]
	wantLines(t, "before", e, "dan", line{ID: bobs})

	byBob := share(t, e, "bob", anns)
	wantLines(t, "shared once", e, "dan", line{anns, "bob", 1}, line{ID: bobs})
	byCat := share(t, e, "cat", anns)
	wantLines(t, "shared twice", e, "dan", line{anns, "cat", 2}, line{ID: bobs})
	ofBobs := share(t, e, "cat", bobs)
	wantLines(t, "a tweet that is there", e, "dan", line{bobs, "cat", 1}, line{anns, "cat", 2})

	unshare(t, e, byCat)
	wantLines(t, "taken back once", e, "dan", line{bobs, "cat", 1}, line{anns, "bob", 1})
	unshare(t, e, ofBobs)
	wantLines(t, "the tweet by itself", e, "dan", line{anns, "bob", 1}, line{ID: bobs})
	unshare(t, e, byBob)
	wantLines(t, "taken back", e, "dan", line{ID: bobs})
	for _, path := range []string{"heads/bob", "heads/cat", "shareMonths/bob_2026-11", "shareMonths/cat_2026-11"} {
		if left := positionsIn(t, e, path, "shares"); len(left) > 0 {
			t.Errorf("%s still has %v", path, left)
		}
	}
}

func TestShareCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e, "dan", "bob")
	ids := deliver(t, e, "ann", 2)
	for i, id := range ids {
		testenv.Must(t, e.Shares.Share(t.Context(), "bob", id))
		l := shareOf(t, e, "bob", id)
		out := func(ctx context.Context) error { return e.Timelines.DeliverShare(ctx, l) }
		// The first share of a month also marks the month of tweets.
		testenv.Must(t, storetest.Costs(t, "DeliverShare", 2, 3-int64(i), 0, out))
		testenv.Must(t, storetest.Costs(t, "DeliverShare again", 2, 1, 0, out))
	}
	page := func(ctx context.Context) error {
		items, _, _, err := e.Timelines.Home(ctx, "dan", "", "", 20)
		if len(items) != 2 || items[0].SharedBy != "bob" {
			t.Errorf("page = %+v", items)
		}
		return err
	}
	// The sweep; the graph and the reactions; the heads of bob and dan; the tweets.
	testenv.Must(t, storetest.Costs(t, "home page with shares, cold", 2+2+2, 1, 0, page))
	testenv.Must(t, storetest.Costs(t, "home page with shares, warm", 2, 0, 0, page))
	l := shareOf(t, e, "bob", ids[0])
	testenv.Must(t, e.Shares.Unshare(t.Context(), "bob", ids[0]))
	withdraw := func(ctx context.Context) error { return e.Timelines.WithdrawShare(ctx, l) }
	testenv.Must(t, storetest.Costs(t, "WithdrawShare", 2, 2, 0, withdraw))
	e.Clock.Set(model.TimelineExpiry("2026-11").Add(-time.Minute))
	testenv.Must(t, storetest.Costs(t, "WithdrawShare, late", 2, 2, 0, withdraw))
	e.Clock.Add(time.Minute) // a write would create the month again
	testenv.Must(t, storetest.Costs(t, "WithdrawShare from an expired month", 2, 1, 0, withdraw))
	testenv.Must(t, storetest.Costs(t, "a share from before shares had ids", 0, 0, 0, func(ctx context.Context) error {
		return e.Timelines.DeliverShare(ctx, &model.Share{UserID: "bob", TweetID: ids[0], AuthorID: "ann"})
	}))
}

// The events of a share come late, repeatedly, and in any order. A withdrawn share stays away, and removes no newer
// share of the same tweet.
func TestShareEventsInAnyOrder(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e, "dan", "bob")
	e.Clock.Add(time.Second)
	id := deliver(t, e, "ann", 1)[0]
	testenv.Must(t, e.Shares.Share(t.Context(), "bob", id))
	old := shareOf(t, e, "bob", id)
	testenv.Must(t, e.Shares.Unshare(t.Context(), "bob", id))
	testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), old))
	testenv.Must(t, e.Timelines.DeliverShare(t.Context(), old)) // late
	wantLines(t, "a late share", e, "dan")
	check := func(what string, want ...model.Position) {
		t.Helper()
		for _, path := range []string{"heads/bob", "shareMonths/bob_2026-11"} {
			if got := positionsIn(t, e, path, "shares"); !slices.Equal(got, want) {
				t.Errorf("%s: %s has %v, want %v", what, path, got, want)
			}
		}
	}
	check("a late share")
	newer := share(t, e, "bob", id)
	testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), old))
	testenv.Must(t, e.Timelines.DeliverShare(t.Context(), old))
	testenv.Must(t, e.Timelines.DeliverShare(t.Context(), newer))
	wantLines(t, "shared again", e, "dan", line{id, "bob", 1})
	check("shared again", newer.Position())
}

// A user who may not see a tweet any more does not see it as a share either.
func TestShareFollowsItsTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow(t, e, "dan", "bob")
	follow(t, e, "dan", "cat")
	e.Clock.Add(time.Second)
	kept, gone := deliver(t, e, "ann", 1)[0], deliver(t, e, "ann", 1)[0]
	cats := deliver(t, e, "cat", 1)[0]
	share(t, e, "bob", kept)
	share(t, e, "bob", gone)
	share(t, e, "bob", cats)
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, gone))
	e.Clock.Add(time.Minute)
	wantLines(t, "deleted", e, "dan", line{cats, "bob", 1}, line{kept, "bob", 1})

	// The tweet is for followers now: dan follows cat, and sees the tweet, but not as bob's share.
	_, err := e.Edits.Edit(t.Context(), "cat", cats, model.TweetPatch{Visibility: new(model.Followers)}, nil)
	testenv.Must(t, err)
	e.Clock.Add(time.Minute)
	wantLines(t, "for followers", e, "dan", line{kept, "bob", 1}, line{ID: cats})

	for name, block := range map[string][2]model.UserID{"the author blocks": {"ann", "dan"},
		"the reader blocks": {"dan", "ann"}} {
		testenv.Must(t, e.Graph.Block(t.Context(), block[0], block[1]))
		testenv.Must(t, e.Viewers.Block(t.Context(), block[0], block[1]))
		e.Clock.Add(time.Minute)
		wantLines(t, name, e, "dan", line{ID: cats})
		testenv.Must(t, e.Graph.Unblock(t.Context(), block[0], block[1]))
		testenv.Must(t, e.Viewers.Block(t.Context(), block[0], block[1]))
	}
	e.Clock.Add(time.Minute)
	wantLines(t, "unblocked", e, "dan", line{kept, "bob", 1}, line{ID: cats})
	_, err = e.Raw.Doc("tweets/"+string(kept)).Set(t.Context(), map[string]any{"isViolative": true}, firestore.MergeAll)
	testenv.Must(t, err)
	e.Clock.Add(24 * time.Hour)
	wantLines(t, "flagged", e, "dan", line{ID: cats})
}

// A user shares more than a head has, and months of shares overflow. A share that is withdrawn after the overflow is
// not shown, though the overflow document has it.
func TestSharesOverflow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{SharesPerBucket: 6, PreviewsPerBucket: 6})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e, "dan", "bob")
	var all []*model.Share
	var want []line
	for range 28 {
		all = append(all, share(t, e, "bob", deliver(t, e, "ann", 1)[0]))
		e.Clock.Add(time.Second)
		want = slices.Insert(want, 0, line{ID: deliver(t, e, "bob", 1)[0]}, line{all[len(all)-1].TweetID, "bob", 1})
		overflow(t, e)
	}
	if e.Doc(t, "shareMonths/bob_2026-11_1") == nil || e.Doc(t, "tweetMonths/bob_2026-11_1") == nil {
		t.Fatal("nothing has overflowed")
	}
	wantLines(t, "spilt", e, "dan", want...)
	for _, l := range all[:2] {
		unshare(t, e, l)
		want = slices.DeleteFunc(want, func(other line) bool { return other.ID == l.TweetID })
	}
	wantLines(t, "taken back", e, "dan", want...)
	share(t, e, "bob", all[0].TweetID)
	want = slices.Insert(want, 0, line{all[0].TweetID, "bob", 1})
	wantLines(t, "shared again", e, "dan", want...)
}

// A share is in its sharer's month, and not yet in the head, which has everything of its time: the function ended
// between the two. A page that reads the month shows the tweet at its own position, and later at that of the share.
func TestShareNotYetInHead(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e, "dan", "ann", "bob")
	bobs := deliver(t, e, "bob", 3)
	e.Clock.Add(time.Second)
	shared := deliver(t, e, "ann", 1)[0]
	bobs = append(deliver(t, e, "bob", model.HeadItems), bobs...)
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Shares.Share(t.Context(), "bob", shared))
	l := shareOf(t, e, "bob", shared)
	testenv.Must(t, e.Previews.PutShare(t.Context(), l))
	e.Clock.Add(forget)
	// The first page reads bob's month, before it comes to the tweet.
	want := slices.Insert(slices.Clone(bobs), model.HeadItems, shared)
	if got := idsOf(pages(t, e.Store, "dan", sizes(50), func() {})); !slices.Equal(got, want) {
		t.Errorf("the pages have %v, want %v", got, want)
	}
	testenv.Must(t, e.Timelines.DeliverShare(t.Context(), l))
	wantHome(t, "the event came again", e, "dan", append([]model.TweetID{shared}, bobs...))
}

// A share of an old tweet is in the month of the share, and its tweet in its own month.
func TestShareOfAnEarlierMonth(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan")
	e.Clock.Set(storetest.Date(time.October, 25))
	follow(t, e, "dan", "bob")
	follow(t, e, "dan", "ann")
	e.Clock.Add(time.Second)
	oldest := deliver(t, e, "ann", 1)[0]
	old := deliver(t, e, "ann", 1)[0]
	older := deliver(t, e, "ann", 1)[0]
	e.Clock.Set(storetest.Date(time.November, 5))
	testenv.Must(t, e.Reactions.Like(t.Context(), "dan", old))
	recent := deliver(t, e, "bob", 1)[0]
	share(t, e, "bob", old)
	wantLines(t, "two months", e, "dan", line{old, "bob", 1}, line{ID: recent}, line{ID: older}, line{ID: oldest})
	items, _, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 1)
	testenv.Must(t, err)
	if len(items) != 1 || !items[0].Liked {
		t.Errorf("the like of a shared tweet of an earlier month is not seen: %+v", items)
	}
	e.Clock.Set(storetest.Date(time.November, 15))
	_, next, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 3)
	testenv.Must(t, err)
	items, _, _, err = e.Timelines.Home(t.Context(), "dan", "", next, 20) // begins in October
	testenv.Must(t, err)
	if len(items) != 1 || items[0].ID != oldest {
		t.Errorf("a page that begins in October has the tweet that November has: %+v", items)
	}
}

// A muted user's shares are not in the reader's timeline, alone or before the share of another user. The muted user's
// tweets are. After the unmute all older shares come back.
func TestHideShares(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "eve")
	for _, reader := range []model.UserID{"dan", "eve"} {
		follow(t, e, reader, "bob")
		follow(t, e, reader, "cat")
	}
	e.Clock.Add(time.Second)
	shared := deliver(t, e, "ann", 2)
	e.Clock.Add(time.Second)
	bobs := deliver(t, e, "bob", 1)[0]
	e.Clock.Add(time.Second)
	share(t, e, "bob", shared[0])
	e.Clock.Add(time.Second)
	share(t, e, "bob", shared[1])
	e.Clock.Add(time.Second)
	share(t, e, "cat", shared[1])
	e.Clock.Add(time.Second)
	cats := deliver(t, e, "cat", 1)[0]
	e.Clock.Add(time.Second)
	share(t, e, "cat", bobs)
	all := []line{{bobs, "cat", 1}, {ID: cats}, {shared[1], "cat", 2}, {shared[0], "bob", 1}}
	wantLines(t, "all", e, "dan", all...)

	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "cat"))
	e.Clock.Add(time.Minute)
	wantLines(t, "without what cat shares", e, "dan", line{ID: cats}, line{shared[1], "bob", 2},
		line{shared[0], "bob", 1}, line{ID: bobs})
	wantLines(t, "of another reader", e, "eve", all...)
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "bob"))
	e.Clock.Add(time.Minute)
	wantLines(t, "without what both share", e, "dan", line{ID: cats}, line{ID: bobs})
	testenv.Must(t, e.Shares.Unhide(t.Context(), "dan", "cat"))
	testenv.Must(t, e.Shares.Unhide(t.Context(), "dan", "bob"))
	testenv.Must(t, e.Shares.Unhide(t.Context(), "dan", "bob"))
	e.Clock.Add(time.Minute)
	wantLines(t, "shown again", e, "dan", all...)
}

// A muted user shared many tweets after another user. Each tweet is at the position of the other share.
func TestHideManyShares(t *testing.T) {
	t.Parallel()
	const n = 12
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow(t, e, "dan", "bob")
	follow(t, e, "dan", "cat")
	e.Clock.Add(time.Second)
	shared := deliver(t, e, "ann", n)
	var want []line
	for _, id := range shared {
		share(t, e, "bob", id)
		share(t, e, "cat", id)
		want = slices.Insert(want, 0, line{id, "bob", 2})
	}
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "cat"))
	e.Clock.Add(time.Minute)
	for _, limit := range []int{1, 5, n, 2 * n, 40} {
		if diff := cmp.Diff(want, lines(pages(t, e.Store, "dan", sizes(limit), func() {}))); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", limit, diff)
		}
	}
}

// A tweet that many followed users share is on the page once, and takes no room from other tweets.
func TestShareOfMany(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "cid", "dan")
	follow(t, e, "dan", "ann")
	const sharers = 18
	for n := range sharers {
		uid := model.UserID(fmt.Sprintf("u%02d", n))
		e.CreateUsers(t, uid)
		follow(t, e, "dan", uid)
	}
	e.Clock.Add(time.Second)
	id := deliver(t, e, "cid", 1)[0]
	others := deliver(t, e, "ann", 10)
	for n := range sharers {
		share(t, e, model.UserID(fmt.Sprintf("u%02d", n)), id)
	}
	items, _, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 1+len(others))
	testenv.Must(t, err)
	var got []model.TweetID
	for _, i := range items {
		got = append(got, i.ID)
	}
	if diff := cmp.Diff(append([]model.TweetID{id}, others...), got); diff != "" {
		t.Errorf("the first page (-want +got):\n%s", diff)
	}
}

// A reader mutes as many sharers of one tweet as a page has positions, or the tweet's author blocks the reader. No page
// exceeds its cost, and a share by an unmuted user brings the tweet. The reader's graph has no room in one document, so
// the pages read the source documents.
func TestHideSharersOfOneTweet(t *testing.T) {
	t.Parallel()
	const sharers, most = 47, 120
	e := storetest.Open(t, store.Options{MaxViewerEntries: sharers + 1})
	e.CreateUsers(t, "ann", "dan")
	users := make([]model.UserID, sharers)
	for n := range users {
		users[n] = model.UserID(fmt.Sprintf("u%02d", n))
		e.CreateUsers(t, users[n])
		follow(t, e, "dan", users[n])
	}
	e.Clock.Add(time.Second)
	id := deliver(t, e, "ann", 1)[0]
	for n, uid := range users {
		share(t, e, uid, id)
		if n > 0 { // the first share is at the last position
			testenv.Must(t, e.Shares.Hide(t.Context(), "dan", uid))
		}
	}
	e.Clock.Add(time.Minute)
	pages := func() (got []line) {
		t.Helper()
		for next, n := timelines.Cursor(""), 0; ; n++ {
			bill := meter.New()
			items, more, _, err := e.Timelines.Home(meter.With(t.Context(), bill), "dan", "", next, 40)
			testenv.Must(t, err)
			if bill.Reads() > most {
				t.Errorf("page %d costs %d reads, want %d at most", n, bill.Reads(), most)
			}
			for _, i := range items {
				got = append(got, line{i.ID, i.SharedBy, i.Sharers})
			}
			if next = more; next == "" {
				return got
			}
		}
	}
	if got := pages(); len(got) != 1 || got[0].By != users[0] {
		t.Errorf("the pages are %+v, want the tweet that %s shares", got, users[0])
	}
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "dan"))
	testenv.Must(t, e.Viewers.Block(t.Context(), "ann", "dan"))
	e.Clock.Add(time.Minute)
	if got := pages(); len(got) != 0 {
		t.Errorf("the author blocks the reader, who sees %+v", got)
	}
}

// A share of the last second of a month goes in the next month: it leaves the month of its own time, and the head.
func TestWithdrawalInTheNextMonth(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e, "dan", "bob")
	e.Clock.Set(time.Date(2026, time.November, 30, 23, 59, 58, 0, time.UTC))
	id := deliver(t, e, "ann", 1)[0]
	l := share(t, e, "bob", id)
	if got := positionsIn(t, e, "shareMonths/bob_2026-11", "shares"); len(got) != 1 {
		t.Fatalf("November has %v", got)
	}
	e.Clock.Set(storetest.Date(time.December, 2))
	wantLines(t, "in December", e, "dan", line{id, "bob", 1})
	unshare(t, e, l)
	for _, path := range []string{"heads/bob", "shareMonths/bob_2026-11"} {
		if got := positionsIn(t, e, path, "shares"); len(got) != 0 {
			t.Errorf("%s still has %v", path, got)
		}
	}
	wantLines(t, "withdrawn", e, "dan")
}

// A user shares a tweet after a first page, and takes another share back. The walk shows both tweets once, at their own
// positions, and a new walk begins with the share.
func TestSharesBetweenPages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e, "dan", "ann", "bob")
	ids := deliver(t, e, "ann", 6)
	back, kept := share(t, e, "bob", ids[5]), share(t, e, "bob", ids[3])
	e.Clock.Add(forget)
	var got []model.TweetID
	items, next, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 1)
	testenv.Must(t, err)
	got = append(got, idsOf(items)...)
	share(t, e, "bob", ids[4])
	unshare(t, e, back)
	e.Clock.Add(forget)
	for next != "" {
		items, next, _, err = e.Timelines.Home(t.Context(), "dan", "", next, 2)
		testenv.Must(t, err)
		got = append(got, idsOf(items)...)
	}
	if want := []model.TweetID{kept.TweetID, ids[0], ids[1], ids[2], ids[4], ids[5]}; !slices.Equal(got, want) {
		t.Errorf("the walk has %v, want %v", got, want)
	}
	wantLines(t, "another walk", e, "dan", line{ids[4], "bob", 1}, line{ids[3], "bob", 1}, line{ID: ids[0]},
		line{ID: ids[1]}, line{ID: ids[2]}, line{ID: ids[5]})
}
