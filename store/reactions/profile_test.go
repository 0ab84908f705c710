package reactions_test

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

// share shares a tweet as a user, and adds it to the user's head.
func share(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID) {
	t.Helper()
	testenv.Must(t, e.Shares.Share(t.Context(), uid, id))
	found, err := e.Previews.ReconcileNewShare(t.Context(), uid, positionOf(t, e, uid, id))
	if err != nil || !found {
		t.Errorf("ReconcileNewShare = %v, %v", found, err)
	}
}

// unshare withdraws a share, and takes it out of the user's head.
func unshare(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID) {
	t.Helper()
	position := positionOf(t, e, uid, id)
	testenv.Must(t, e.Shares.Unshare(t.Context(), uid, id))
	testenv.Must(t, e.Previews.ReconcileHead(t.Context(), uid, position))
}

func positionOf(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID) model.Position {
	t.Helper()
	found, _ := e.Doc(t, "shares/"+model.ReactionKey(uid, id))["shareId"].(string)
	return model.SharePosition(model.TweetID(found), id)
}

// headless deletes the head of ann, as of a user from before there were heads.
func headless(t *testing.T, e *storetest.Env) {
	t.Helper()
	_, err := e.Raw.Doc("heads/ann").Delete(t.Context())
	testenv.Must(t, err)
}

// A profile has tweets and shares in the order of time, over pages and months, each once. That holds for an own tweet
// that is shared, for several events in one millisecond, and with and without a head.
func TestProfile(t *testing.T) {
	t.Parallel()
	for _, heads := range []bool{true, false} {
		t.Run(fmt.Sprint("heads ", heads), func(t *testing.T) {
			t.Parallel()
			testProfile(t, heads)
		})
	}
}

func testProfile(t *testing.T, heads bool) {
	e := storetest.Open(t, store.Options{PreviewsPerBucket: 8})
	e.CreateUsers(t, "ann", "bob", "cat")
	e.Clock.Set(time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC))
	theirs := slices.Concat(e.CreateTweets(t, "bob", 20), e.CreateTweets(t, "cat", 20))
	share := func(id model.TweetID) { t.Helper(); share(t, e, "ann", id) }
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
	if !heads {
		headless(t, e)
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
		unshare(t, e, "ann", gone)
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
	for _, heads := range []bool{true, false} {
		t.Run(fmt.Sprint("heads ", heads), func(t *testing.T) {
			t.Parallel()
			testProfileVisibility(t, heads)
		})
	}
}

func testProfileVisibility(t *testing.T, heads bool) {
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
		share(t, e, "ann", shared[name])
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
	for _, pair := range [][2]model.UserID{{"bob", "cat"}, {"bob", "dan"}, {"dan", "bob"}} {
		testenv.Must(t, e.Graph.Block(t.Context(), pair[0], pair[1]))
		testenv.Must(t, e.Viewers.Block(t.Context(), pair[0], pair[1]))
	}
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "ann"))
	if e.Clock.Add(2 * time.Hour); !heads {
		headless(t, e)
	}
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
	e.CreateUsers(t, "fay")
	e.Publish(t, "ann", "a spark")
	testenv.Must(t, storetest.Costs(t, "a page of somebody who has just begun", 4, 0, 0, page(viewerOf("bob"), 1)))
	e.Clock.Add(2 * time.Hour)
	testenv.Must(t, storetest.Costs(t, "a page without shares", 1, 0, 0, page(viewerOf("bob"), 1)))
	theirs := e.CreateTweets(t, "bob", 3)
	e.Clock.Add(time.Second)
	for _, id := range theirs {
		share(t, e, "ann", id)
	}
	testenv.Must(t, storetest.Costs(t, "3 shares, signed out", 1+3, 0, 0, page(model.Viewer{}, 4)))
	testenv.Must(t, storetest.Costs(t, "3 shares, with an account", 1+1+3, 0, 0, page(viewerOf("fay"), 4)))
	testenv.Must(t, storetest.Costs(t, "3 shares, without the viewer's graph", 1+1+2+3+3+4, 0, 0,
		page(viewerOf("eve"), 4)))
	for range 20 { // newer tweets, so that the shares are below the page
		e.Clock.Add(time.Second)
		e.Publish(t, "ann", "a spark")
	}
	testenv.Must(t, storetest.Costs(t, "shares below the page", 1, 0, 0, page(viewerOf("eve"), 20)))

	e.Clock.Add(time.Second)
	for i := range 40 {
		author := model.UserID(fmt.Sprint("author", i))
		e.CreateUsers(t, author)
		share(t, e, "ann", e.Tweet(t, author, "a spark").ID)
		for _, b := range [][2]model.UserID{{"eve", author}, {author, "eve"}} {
			_, err := e.Raw.Doc("blocks/"+model.BlockKey(b[0], b[1])).
				Set(t.Context(), model.Block{BlockerID: b[0], BlockeeID: b[1]})
			testenv.Must(t, err)
		}
		e.Clock.Add(time.Second)
	}
	testenv.Must(t, storetest.Costs(t, "nothing but shares, signed out", 1+20, 0, 0, page(model.Viewer{}, 20)))
	testenv.Must(t, storetest.Costs(t, "nothing but shares", 1+1+20, 0, 0, page(viewerOf("fay"), 20)))
	headless(t, e)
	testenv.Must(t, storetest.Costs(t, "no head, signed out", 1+1+18+18, 0, 0, page(model.Viewer{}, 18)))
	testenv.Must(t, storetest.Costs(t, "no head", 1+1+10+10+1, 0, 0, page(viewerOf("fay"), 10)))
	// The graph, whether she hides ann's shares, a block each, and of ann neither a block nor a mute.
	testenv.Must(t, storetest.Costs(t, "no head, blocked on both sides by all authors", 1+1+10+1+1+10+1+1, 0, 0,
		page(viewerOf("eve"), 0)))
	for i := range 40 {
		testenv.Must(t, e.Graph.Mute(t.Context(), model.MutedUser{UserID: "bob",
			MutedID: model.UserID(fmt.Sprint("author", i)), Part: model.MuteReplies}, 0))
	}
	_, err := e.Raw.Doc("viewers/bob").Set(t.Context(), model.ViewerGraph{Partial: true})
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "no head, without the graph, mutes that hide nothing", 1+1+10+1+1+1+1+10+10, 0, 0,
		page(viewerOf("bob"), 10)))

	for i := range 30 { // months with a tweet and a share each
		e.Clock.Add(31 * 24 * time.Hour)
		e.Publish(t, "ann", "a spark")
		share(t, e, "ann", e.Tweet(t, "bob", fmt.Sprint(i)).ID)
	}
	all := profile(t, e.Shares, viewerOf("fay"), 20, nil)
	if len(all) != 21+3+40+30+30 {
		t.Errorf("the profile has %d entries", len(all))
	}
}

// A follower sees posts for followers on the page of a head, and nobody else does. A post that left the followers is
// gone at once.
func TestProfileForFollowers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	open := e.Publish(t, "ann", "a spark").ID
	e.Clock.Add(time.Second)
	secret := e.Draft(t, "ann", model.Draft{Content: "a secret", Visibility: model.Followers})
	testenv.Must(t, e.Timelines.Deliver(t.Context(), secret))
	e.Clock.Add(2 * time.Hour)
	if text := fmt.Sprint(e.Doc(t, "heads/ann")); strings.Contains(text, "secret") ||
		!strings.Contains(text, string(secret.ID)) {
		t.Errorf("the head has %s", text)
	}
	check := func(v model.Viewer, cost int64, want ...model.TweetID) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, fmt.Sprintf("%+v", v), cost, 0, 0, func(ctx context.Context) error {
			page, err := e.Again(t, store.Options{}).Shares.Profile(ctx, v, "ann", model.Cursor{}, 20)
			var got []model.TweetID
			for _, entry := range page.Items {
				if got = append(got, entry.ID()); entry.Own.Snippet == "" {
					t.Errorf("%+v: no text in %+v", v, entry)
				}
			}
			if !slices.Equal(got, want) || !page.Next.IsZero() {
				t.Errorf("%+v: page = %v, %v, want %v", v, got, page.Next, want)
			}
			return err
		}))
	}
	check(model.Viewer{}, 1, open)
	check(viewerOf("cat"), 1+1, open)
	check(viewerOf("bob"), 1+1+1, secret.ID, open)
	check(viewerOf("ann"), 1+1, secret.ID, open)
	check(model.Viewer{ID: "mod", Role: model.Moderator}, 1+1, secret.ID, open)
	_, err := e.Raw.Doc("tweets/"+string(secret.ID)).Update(t.Context(), []firestore.Update{{Path: "visibility",
		Value: "mentioned"}})
	testenv.Must(t, err)
	check(viewerOf("bob"), 1+1+1, open)
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "bob", "ann"))
	check(viewerOf("bob"), 1+1, open)
}
