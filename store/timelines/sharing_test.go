package timelines_test

import (
	"context"
	"fmt"
	"slices"
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

// shareFact reads the source document of a share.
func shareFact(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID) *model.Share {
	t.Helper()
	snap, err := e.Raw.Doc("shares/" + model.ReactionKey(uid, id)).Get(t.Context())
	testenv.Must(t, err)
	l := new(model.Share)
	testenv.Must(t, snap.DataTo(l))
	return l
}

// share makes a user share a tweet, and fans the share out.
func share(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID) *model.Share {
	t.Helper()
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Shares.Share(t.Context(), uid, id))
	l := shareFact(t, e, uid, id)
	testenv.Must(t, e.Timelines.FanOutShare(t.Context(), l))
	return l
}

// unshare deletes a share, and withdraws it.
func unshare(t *testing.T, e *storetest.Env, l *model.Share) {
	t.Helper()
	testenv.Must(t, e.Shares.Unshare(t.Context(), l.UserID, l.TweetID))
	testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), l))
	e.Clock.Add(time.Second) // caches forget
}

// sharesIn returns the positions of shares in a month of a home timeline, newest first.
func sharesIn(t *testing.T, e *storetest.Env, uid model.UserID, m model.Month) []model.Position {
	t.Helper()
	raw, _ := e.Doc(t, "timelines/"+model.MonthKey(uid, m))["shares"].(map[string]any)
	positions := map[model.Position]any{}
	for position, by := range raw {
		positions[model.Position(position)] = by
	}
	return model.Newest(positions, 0)
}

// line is an item of a home page in the form that tests compare.
type line struct {
	ID      model.TweetID
	By      model.UserID
	Sharers int
}

// lines reads all of a home timeline by pages of limit.
func lines(t *testing.T, s *store.Store, uid model.UserID, limit int) (all []line) {
	t.Helper()
	for before := timelines.Cursor(""); ; {
		items, next, err := s.Timelines.Home(t.Context(), uid, "", before, limit)
		testenv.Must(t, err)
		for _, i := range items {
			if i.Tweet.ID != i.ID {
				t.Errorf("item %+v has another tweet", i)
			}
			all = append(all, line{i.ID, i.SharedBy, i.Sharers})
		}
		if before = next; next == "" {
			return all
		}
	}
}

func wantLines(t *testing.T, what string, s *store.Store, uid model.UserID, want ...line) {
	t.Helper()
	for _, limit := range []int{1, 2, 20} {
		if diff := cmp.Diff(want, lines(t, s, uid, limit)); diff != "" {
			t.Errorf("%s: home timeline of %s by pages of %d (-want +got):\n%s", what, uid, limit, diff)
		}
	}
}

// A share reaches the followers' home timelines. The tweet is there once, for any number of sharers and even beside the
// tweet itself. It disappears with the last share.
func TestShareReachesFollowers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	for _, author := range []model.UserID{"bob", "cat"} {
		follow(t, e.Store, "dan", author)
	}
	e.Clock.Add(time.Second)
	anns := fanOut(t, e, "ann", 1)[0]
	e.Clock.Add(time.Second)
	bobs := fanOut(t, e, "bob", 1)[0]
	wantLines(t, "before", e.Store, "dan", line{ID: bobs})

	byBob := share(t, e, "bob", anns)
	wantLines(t, "shared once", e.Store, "dan", line{anns, "bob", 1}, line{ID: bobs})
	byCat := share(t, e, "cat", anns)
	wantLines(t, "shared twice", e.Store, "dan", line{anns, "cat", 2}, line{ID: bobs})
	ofBobs := share(t, e, "cat", bobs)
	wantLines(t, "a tweet that is there", e.Store, "dan", line{bobs, "cat", 1}, line{anns, "cat", 2})

	unshare(t, e, byCat)
	wantLines(t, "taken back once", e.Store, "dan", line{bobs, "cat", 1}, line{anns, "bob", 1})
	unshare(t, e, ofBobs)
	wantLines(t, "the tweet by itself", e.Store, "dan", line{anns, "bob", 1}, line{ID: bobs})
	unshare(t, e, byBob)
	wantLines(t, "taken back", e.Store, "dan", line{ID: bobs})
	if left := sharesIn(t, e, "dan", "2026-11"); len(left) > 0 {
		t.Errorf("the timeline still has %v", left)
	}
	if left, _ := e.Doc(t, "shareMonths/cat_2026-11")["shares"].(map[string]any); len(left) > 0 {
		t.Errorf("cat's month still has %v", left)
	}
}

func TestShareCosts(t *testing.T) {
	t.Parallel()
	const n = 120 // two slices
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob")
	fans := crowd(t, e, "bob", n)
	tweet := e.Publish(t, "ann", "a spark")
	testenv.Must(t, e.Shares.Share(t.Context(), "bob", tweet.ID))
	l := shareFact(t, e, "bob", tweet.ID)
	out := func(ctx context.Context) error { return e.Timelines.FanOutShare(ctx, l) }
	testenv.Must(t, storetest.Costs(t, "FanOutShare", 3, 2+n, 0, out))
	testenv.Must(t, storetest.Costs(t, "FanOutShare again", 3, 1+n, 0, out))
	want := map[string]any{
		"userId": string(fans[0]), "month": "2026-11", "expireAt": time.Date(2026, time.December, 31, 0, 0, 0, 0, time.UTC),
		"shares": map[string]any{string(l.Position()): "bob"}, "size": int64(2),
	}
	if diff := cmp.Diff(want, e.Doc(t, "timelines/"+model.MonthKey(fans[0], "2026-11"))); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
	page := func(ctx context.Context) error {
		items, _, err := e.Timelines.Home(ctx, fans[0], "", "", 20)
		if len(items) != 1 || items[0].SharedBy != "bob" {
			t.Errorf("page = %+v", items)
		}
		return err
	}
	testenv.Must(t, page(t.Context())) // records the visit
	// The months of the timeline, of reactions and of own tweets; the reader's graph; the tweet.
	e.Clock.Add(2 * time.Hour)
	testenv.Must(t, storetest.Costs(t, "home page with a share, cold", 2*3+1+1, 0, 0, page))
	testenv.Must(t, storetest.Costs(t, "home page with a share, warm", 2*3+1, 0, 0, page))
	withdraw := func(ctx context.Context) error { return e.Timelines.WithdrawShare(ctx, l) }
	testenv.Must(t, storetest.Costs(t, "WithdrawShare", 4, 2+n, 0, withdraw))
	if got := sharesIn(t, e, fans[0], "2026-11"); len(got) > 0 {
		t.Errorf("after the withdrawal the timeline has %v", got)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	testenv.Must(t, storetest.Costs(t, "WithdrawShare of a tweet that is gone", 3, 2, 0, withdraw))
	testenv.Must(t, storetest.Costs(t, "a share from before shares traveled", 0, 0, 0, func(ctx context.Context) error {
		return e.Timelines.FanOutShare(ctx, &model.Share{UserID: "bob", TweetID: tweet.ID, AuthorID: "ann"})
	}))
}

// A withdrawal after the expiry of all timeline months leaves the months alone: a write would create them again.
func TestWithdrawFromExpiredMonths(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e.Store, "dan", "ann")
	follow(t, e.Store, "dan", "bob")
	e.Clock.Add(time.Second)
	id := fanOut(t, e, "ann", 1)[0]
	testenv.Must(t, e.Shares.Share(t.Context(), "bob", id))
	share := shareFact(t, e, "bob", id)
	testenv.Must(t, e.Timelines.FanOutShare(t.Context(), share))

	expires := model.TimelineExpiry(id.Month())
	for _, c := range []struct {
		what   string
		at     time.Time
		writes int64
	}{{"before", expires.Add(-time.Minute), 1}, {"after", expires, 0}} {
		e.Clock.Set(c.at)
		reads := c.writes // of the followers
		testenv.Must(t, storetest.Costs(t, "Withdraw "+c.what, reads, c.writes, 0, func(ctx context.Context) error {
			return e.Timelines.Withdraw(ctx, id.Position(), "ann")
		}))
		testenv.Must(t, storetest.Costs(t, "WithdrawShare "+c.what, 2+2*reads, 1+2*c.writes, 0,
			func(ctx context.Context) error { return e.Timelines.WithdrawShare(ctx, share) }))
	}
}

// The events of a share come late, repeatedly, and in any order. A withdrawn share stays away, and removes no newer
// share of the same tweet.
func TestShareEventsInAnyOrder(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e.Store, "dan", "bob")
	e.Clock.Add(time.Second)
	id := fanOut(t, e, "ann", 1)[0]
	testenv.Must(t, e.Shares.Share(t.Context(), "bob", id))
	old := shareFact(t, e, "bob", id)
	testenv.Must(t, e.Shares.Unshare(t.Context(), "bob", id))
	testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), old))
	testenv.Must(t, e.Timelines.FanOutShare(t.Context(), old)) // late
	wantLines(t, "a late share", e.Store, "dan")
	if got := sharesIn(t, e, "dan", "2026-11"); len(got) > 0 {
		t.Errorf("a late share left %v", got)
	}
	if left, _ := e.Doc(t, "shareMonths/bob_2026-11")["shares"].(map[string]any); len(left) > 0 {
		t.Errorf("a late share left %v in the month", left)
	}
	newer := share(t, e, "bob", id)
	testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), old))
	testenv.Must(t, e.Timelines.FanOutShare(t.Context(), old))
	testenv.Must(t, e.Timelines.FanOutShare(t.Context(), newer))
	wantLines(t, "shared again", e.Store, "dan", line{id, "bob", 1})
	if got := sharesIn(t, e, "dan", "2026-11"); !slices.Equal(got, []model.Position{newer.Position()}) {
		t.Errorf("the timeline has %v, want %v", got, newer.Position())
	}
}

// A share crosses a new follow: whichever comes first, the follower has the share.
func TestFollowCrossesShare(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "dan")
	before := share(t, e, "bob", fanOut(t, e, "ann", 1)[0])
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Graph.Follow(t.Context(), "dan", "bob"))
	since := share(t, e, "bob", fanOut(t, e, "ann", 1)[0]) // dan is on no page of followers
	testenv.Must(t, storetest.Costs(t, "Link", 7, 3, 0, func(ctx context.Context) error {
		return e.Timelines.Link(ctx, "dan", "bob")
	}))
	wantLines(t, "linked late", e.Store, "dan", line{since.TweetID, "bob", 1})

	// An unfollow hides the shares at once, and a new follow does not bring them back.
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "dan", "bob"))
	wantLines(t, "left", e.Store, "dan")
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Graph.Follow(t.Context(), "dan", "bob"))
	testenv.Must(t, e.Timelines.Link(t.Context(), "dan", "bob"))
	wantLines(t, "followed again", e.Store, "dan")
	after := share(t, e, "bob", before.TweetID+"")
	if after.ShareID != before.ShareID {
		t.Error("sharing again made another share")
	}
}

// A user who may not see a tweet any more does not see it as a share either.
func TestShareFollowsItsTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow(t, e.Store, "dan", "bob")
	follow(t, e.Store, "dan", "cat")
	e.Clock.Add(time.Second)
	kept, gone := fanOut(t, e, "ann", 1)[0], fanOut(t, e, "ann", 1)[0]
	cats := fanOut(t, e, "cat", 1)[0]
	share(t, e, "bob", kept)
	share(t, e, "bob", gone)
	share(t, e, "bob", cats)
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, gone))
	e.Clock.Add(time.Minute)
	wantLines(t, "deleted", e.Store, "dan", line{cats, "bob", 1}, line{kept, "bob", 1})

	// The tweet is for followers now: dan follows cat, and sees the tweet, but not as bob's share.
	_, err := e.Edits.Edit(t.Context(), "cat", cats, model.TweetPatch{Visibility: new(model.Followers)}, nil)
	testenv.Must(t, err)
	e.Clock.Add(time.Minute)
	wantLines(t, "for followers", e.Store, "dan", line{kept, "bob", 1}, line{ID: cats})

	for name, block := range map[string][2]model.UserID{"the author blocks": {"ann", "dan"},
		"the reader blocks": {"dan", "ann"}} {
		testenv.Must(t, e.Graph.Block(t.Context(), block[0], block[1]))
		testenv.Must(t, e.Viewers.Block(t.Context(), block[0], block[1]))
		e.Clock.Add(time.Minute)
		wantLines(t, name, e.Store, "dan", line{ID: cats})
		testenv.Must(t, e.Graph.Unblock(t.Context(), block[0], block[1]))
		testenv.Must(t, e.Viewers.Block(t.Context(), block[0], block[1]))
	}
	e.Clock.Add(time.Minute)
	wantLines(t, "unblocked", e.Store, "dan", line{kept, "bob", 1}, line{ID: cats})
	_, err = e.Raw.Doc("tweets/"+string(kept)).Set(t.Context(), map[string]any{"isViolative": true}, firestoreMerge)
	testenv.Must(t, err)
	e.Clock.Add(24 * time.Hour)
	wantLines(t, "flagged", e.Store, "dan", line{ID: cats})
}

// A month with very many shares overflows, and older pages are read as before. A share withdrawn after the overflow is
// not shown.
func TestSharesOverflow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond, EntriesPerBucket: 6})
	e.CreateUsers(t, "ann", "bob", "dan", "eve")
	follow(t, e.Store, "dan", "bob")
	var all []*model.Share
	var want []line
	for range 20 {
		e.Clock.Add(time.Second)
		all = append(all, share(t, e, "bob", fanOut(t, e, "ann", 1)[0]))
		e.Clock.Add(time.Second)
		want = slices.Insert(want, 0, line{ID: fanOut(t, e, "bob", 1)[0]}, line{all[len(all)-1].TweetID, "bob", 1})
		for _, overflow := range []struct {
			key string
			do  func(context.Context, string) error
		}{{"timelines_dan_2026-11", e.Timelines.Overflow}, {"shareMonths_bob_2026-11", e.Previews.OverflowShares}} {
			if e.Doc(t, "spills/"+overflow.key) != nil {
				_, bucket, _ := cutKey(overflow.key)
				testenv.Must(t, overflow.do(t.Context(), bucket))
			}
		}
	}
	if e.Doc(t, "timelines/dan_2026-11_1") == nil || e.Doc(t, "shareMonths/bob_2026-11_1") == nil {
		t.Fatal("nothing was spilt")
	}
	for _, l := range all {
		size := len(sharesIn(t, e, "dan", "2026-11"))
		if size > 12 {
			t.Fatalf("%d shares in the month of dan; %v", size, l)
		}
	}
	wantLines(t, "spilt", e.Store, "dan", want...)
	unshare(t, e, all[0]) // it has long been in an overflow document
	want = slices.DeleteFunc(want, func(l line) bool { return l.ID == all[0].TweetID })
	wantLines(t, "taken back", e.Store, "dan", want...)

	// A user who followed for as long, and whose timeline is rebuilt, has the same timeline.
	_, err := e.Raw.Doc("relationships/eve_bob").
		Set(t.Context(), model.Relationship{FollowerID: "eve", FollowedID: "bob",
			CreatedAt: all[0].CreatedAt.Add(-time.Second)})
	testenv.Must(t, err)
	_, err = e.Raw.Doc("viewers/eve").Delete(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, e.Timelines.Link(t.Context(), "eve", "bob"))
	wantLines(t, "made anew", e.Store, "eve", want...)
}

// A share of an old tweet is in the month of the share, and its tweet in its own month.
func TestShareOfAnEarlierMonth(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "dan")
	e.Clock.Set(storetest.Date(time.October, 25))
	follow(t, e.Store, "dan", "bob")
	follow(t, e.Store, "dan", "ann")
	e.Clock.Add(time.Second)
	oldest := fanOut(t, e, "ann", 1)[0]
	old := fanOut(t, e, "ann", 1)[0]
	older := fanOut(t, e, "ann", 1)[0]
	e.Clock.Set(storetest.Date(time.November, 5))
	testenv.Must(t, e.Reactions.Like(t.Context(), "dan", old))
	recent := fanOut(t, e, "bob", 1)[0]
	share(t, e, "bob", old)
	wantLines(t, "two months", e.Store, "dan", line{old, "bob", 1}, line{ID: recent}, line{ID: older}, line{ID: oldest})
	items, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 1)
	testenv.Must(t, err)
	if len(items) != 1 || !items[0].Liked {
		t.Errorf("the like of a shared tweet of an earlier month is not seen: %+v", items)
	}
	e.Clock.Set(storetest.Date(time.November, 15))
	_, next, err := e.Timelines.Home(t.Context(), "dan", "", "", 3)
	testenv.Must(t, err)
	items, _, err = e.Timelines.Home(t.Context(), "dan", "", next, 20) // begins in October
	testenv.Must(t, err)
	if len(items) != 1 || items[0].ID != oldest {
		t.Errorf("a page that begins in October has the tweet that November has: %+v", items)
	}
}

// Readers pull the shares of a large sharer. Hashed pages push them, and withdraw them.
func TestShareOfLargeSharers(t *testing.T) {
	t.Parallel()
	for name, pull := range map[string]int{"hashed pages": 100, "pulled": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond, FollowersPerPage: 4, PullAbove: pull})
			e.CreateUsers(t, "ann", "bob")
			fans := crowd(t, e, "bob", 8)
			_, err := e.Raw.Doc("users/bob").Set(t.Context(), map[string]any{"followerCount": 8}, firestoreMerge)
			testenv.Must(t, err)
			e.Clock.Add(time.Second)
			id := fanOut(t, e, "ann", 1)[0]
			work := func() {
				t.Helper()
				for _, key := range e.IDs(t, model.FanOuts) {
					var w model.FanOutWork
					snap, err := e.Raw.Doc("fanouts/" + key).Get(t.Context())
					testenv.Must(t, err)
					testenv.Must(t, snap.DataTo(&w))
					w.WrittenAt = snap.UpdateTime
					testenv.Must(t, e.Timelines.Continue(t.Context(), w))
				}
			}
			l := share(t, e, "bob", id)
			work()
			for _, fan := range fans {
				wantLines(t, "shared", e.Store, fan, line{id, "bob", 1})
			}
			if got := len(sharesIn(t, e, fans[0], "2026-11")); (got == 0) != (pull == 3) {
				t.Errorf("%d shares were pushed", got)
			}
			unshare(t, e, l)
			work()
			for _, fan := range fans {
				wantLines(t, "taken back", e.Store, fan)
				if got := sharesIn(t, e, fan, "2026-11"); len(got) > 0 {
					t.Errorf("the timeline of %s still has %v", fan, got)
				}
			}
		})
	}
}

// A muted user's shares are not in the reader's timeline, alone or before the share of another user. The muted user's
// tweets are. After the unmute all older shares come back.
func TestHideShares(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "eve")
	for _, reader := range []model.UserID{"dan", "eve"} {
		follow(t, e.Store, reader, "bob")
		follow(t, e.Store, reader, "cat")
	}
	e.Clock.Add(time.Second)
	shared := fanOut(t, e, "ann", 2)
	e.Clock.Add(time.Second)
	bobs := fanOut(t, e, "bob", 1)[0]
	e.Clock.Add(time.Second)
	share(t, e, "bob", shared[0])
	e.Clock.Add(time.Second)
	share(t, e, "bob", shared[1])
	e.Clock.Add(time.Second)
	share(t, e, "cat", shared[1])
	e.Clock.Add(time.Second)
	cats := fanOut(t, e, "cat", 1)[0]
	e.Clock.Add(time.Second)
	share(t, e, "cat", bobs)
	all := []line{{bobs, "cat", 1}, {ID: cats}, {shared[1], "cat", 2}, {shared[0], "bob", 1}}
	wantLines(t, "all", e.Store, "dan", all...)

	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "cat"))
	e.Clock.Add(time.Minute)
	wantLines(t, "without what cat shares", e.Store, "dan", line{ID: cats}, line{shared[1], "bob", 2},
		line{shared[0], "bob", 1}, line{ID: bobs})
	wantLines(t, "of another reader", e.Store, "eve", all...)
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "bob"))
	e.Clock.Add(time.Minute)
	wantLines(t, "without what both share", e.Store, "dan", line{ID: cats}, line{ID: bobs})
	testenv.Must(t, e.Shares.Unhide(t.Context(), "dan", "cat"))
	testenv.Must(t, e.Shares.Unhide(t.Context(), "dan", "bob"))
	testenv.Must(t, e.Shares.Unhide(t.Context(), "dan", "bob"))
	e.Clock.Add(time.Minute)
	wantLines(t, "shown again", e.Store, "dan", all...)
}

// A muted user shared many tweets after another user. Each tweet is at the position of the other share.
func TestHideManyShares(t *testing.T) {
	t.Parallel()
	const n = 12
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow(t, e.Store, "dan", "bob")
	follow(t, e.Store, "dan", "cat")
	e.Clock.Add(time.Second)
	shared := fanOut(t, e, "ann", n)
	var want []line
	for _, id := range shared {
		share(t, e, "bob", id)
		share(t, e, "cat", id)
		want = slices.Insert(want, 0, line{id, "bob", 2})
	}
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "cat"))
	e.Clock.Add(time.Minute)
	for _, limit := range []int{1, 5, n, 2 * n, 40} {
		if diff := cmp.Diff(want, lines(t, e.Store, "dan", limit)); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", limit, diff)
		}
	}
}

// A tweet that many followed users share is on the page once, and takes no room from other tweets.
func TestShareOfMany(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "cid", "dan")
	follow(t, e.Store, "dan", "ann")
	const sharers = 18
	for n := range sharers {
		uid := model.UserID(fmt.Sprintf("u%02d", n))
		e.CreateUsers(t, uid)
		follow(t, e.Store, "dan", uid)
	}
	e.Clock.Add(time.Second)
	id := fanOut(t, e, "cid", 1)[0]
	others := fanOut(t, e, "ann", 10)
	for n := range sharers {
		share(t, e, model.UserID(fmt.Sprintf("u%02d", n)), id)
	}
	items, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 1+len(others))
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
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond, MaxViewerEntries: 10})
	e.CreateUsers(t, "ann", "dan")
	users := make([]model.UserID, sharers)
	for n := range users {
		users[n] = model.UserID(fmt.Sprintf("u%02d", n))
		e.CreateUsers(t, users[n])
		follow(t, e.Store, "dan", users[n])
	}
	e.Clock.Add(time.Second)
	id := fanOut(t, e, "ann", 1)[0]
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
			items, more, err := e.Timelines.Home(meter.With(t.Context(), bill), "dan", "", next, 40)
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
