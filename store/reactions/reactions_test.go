package reactions_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// mark is one kind of reaction.
type mark struct {
	kind        model.ReactionKind
	field, full string // of a month
	of          func(model.ViewerState) bool
}

var kinds = []mark{
	{model.ReactionLike, "tweets", "full", func(m model.ViewerState) bool { return m.Liked }},
	{model.ReactionShare, "shares", "sharesFull", func(m model.ViewerState) bool { return m.Shared }},
	{model.ReactionBookmark, "bookmarks", "bookmarksFull", func(m model.ViewerState) bool { return m.Bookmarked }},
}

// only returns the viewer state of a tweet with a reaction of one kind, or with none.
func (k mark) only(has bool) model.ViewerState {
	return model.ViewerState{Liked: has && k.kind == model.ReactionLike, Shared: has && k.kind == model.ReactionShare,
		Bookmarked: has && k.kind == model.ReactionBookmark}
}

// TestFullMonth likes, shares and bookmarks more tweets of a month than the month of reactions holds. The document
// stays small, and every answer stays right.
func TestFullMonth(t *testing.T) {
	t.Parallel()
	for _, k := range kinds {
		t.Run(string(k.kind), func(t *testing.T) {
			t.Parallel()
			fullMonth(t, k)
		})
	}
}

func fullMonth(t *testing.T, k mark) {
	const limit, n = 5, 12
	e := storetest.Open(t, store.Options{ReactionsPerMonth: limit})
	e.CreateUsers(t, "ann", "bob")
	ids := e.CreateTweets(t, "ann", n) // newest first; the oldest are marked first
	marked := map[model.TweetID]bool{}
	month := "reactions/" + model.MonthKey("bob", ids[0].Month())
	check := func(what string, held int, full bool) {
		t.Helper()
		doc := e.Doc(t, month)
		tweets, _ := doc[k.field].(map[string]any)
		if isFull, _ := doc[k.full].(bool); len(tweets) != held || isFull != full {
			t.Errorf("%s: the month holds %d and full is %v, want %d and %v: %v", what, len(tweets), isFull, held, full, doc)
		}
		reads := int64(1)
		if full { // the reactions that the month does not hold are queried, at least 1 read
			there := int64(0)
			for _, id := range ids {
				if tweets[string(id)] == nil && marked[id] {
					there++
				}
			}
			reads += max(1, there)
		}
		testenv.Must(t, storetest.Costs(t, what+": Marks", reads, 0, 0, func(ctx context.Context) error {
			got, err := e.Tweets.ViewerState(ctx, "bob", append(ids, ids[0]))
			for _, id := range ids {
				if got[id] != k.only(marked[id]) {
					t.Errorf("%s: bob's marks of %s are %v, want %v", what, id, got[id], marked[id])
				}
			}
			return err
		}))
		for _, id := range ids {
			reads := int64(2)
			if full && tweets[string(id)] == nil {
				reads = 3
			}
			testenv.Must(t, storetest.Costs(t, what+": Tweet", reads, 0, 0, func(ctx context.Context) error {
				got, err := e.Tweets.Tweet(ctx, id, model.Viewer{ID: "bob", Role: model.Member})
				if err == nil && k.of(got.ViewerState) != marked[id] {
					t.Errorf("%s: Tweet says of %s %v, want %v", what, id, got.ViewerState, marked[id])
				}
				return err
			}))
		}
	}
	mark := func(s *store.Store, id model.TweetID) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "AddMark", 0, 2, 0, func(ctx context.Context) error {
			return s.Reactions.Add(ctx, storetest.Reaction(k.kind, model.Reaction{UserID: "bob", TweetID: id,
				AuthorID: "ann", CreatedAt: e.Clock.Now()}))
		}))
		marked[id] = true
		e.CoolDown()
		e.Clock.Add(time.Second)
	}
	unmark := func(id model.TweetID) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "RemoveMark", 0, 1, 1, func(ctx context.Context) error {
			return e.Reactions.Remove(ctx, k.kind, "bob", id)
		}))
		marked[id] = false
	}
	for i := range limit {
		mark(e.Store, ids[n-1-i])
	}
	check("at the limit", limit, false)
	mark(e.Store, ids[n-1-limit])
	check("beyond the limit", limit, true)
	mark(e.Store, ids[n-2-limit])
	unmark(ids[n-1])       // the month holds it
	unmark(ids[n-2-limit]) // the month does not hold it
	check("without two", limit-1, true)
	mark(e.Store, ids[n-1])
	check("marked again", limit-1, true)

	// Each process that does not know of the saturated month puts one more reaction into it.
	other := e.Again(t, store.Options{ReactionsPerMonth: limit})
	for _, id := range ids[:4] {
		mark(other, id)
	}
	check("by another process", limit, true)

	// A process that has shown a page to the user knows of the saturated month.
	third := e.Again(t, store.Options{ReactionsPerMonth: limit})
	unmark(ids[0])
	_, err := third.Tweets.ViewerState(t.Context(), "bob", ids)
	testenv.Must(t, err)
	unmark(ids[1])
	mark(third, ids[1])
	check("by a process that has read", limit-1, true)

	// Another month begins anew, and so does another user, and every other kind.
	e.Clock.Set(storetest.Date(12, 15))
	december := e.Tweet(t, "ann", "december").ID
	mark(e.Store, december)
	testenv.Must(t, e.Reactions.Add(t.Context(), storetest.Reaction(k.kind, model.Reaction{UserID: "ann",
		TweetID: ids[0], AuthorID: "ann"})))
	for _, path := range []string{"reactions/" + model.MonthKey("bob", december.Month()), "reactions/" +
		model.MonthKey("ann", ids[0].Month())} {
		if doc := e.Doc(t, path); doc[k.full] != nil || len(doc[k.field].(map[string]any)) != 1 {
			t.Errorf("%s = %v, want one mark", path, doc)
		}
	}
	for _, o := range kinds {
		if o.kind != k.kind {
			testenv.Must(t, e.Reactions.Add(t.Context(), storetest.Reaction(o.kind, model.Reaction{UserID: "bob",
				TweetID: ids[0], AuthorID: "ann"})))
			if held, _ := e.Doc(t, month)[o.field].(map[string]any); len(held) != 1 {
				t.Errorf("a month that is full of %s holds no %s", k.kind, o.kind)
			}
		}
	}
}

// TestRemoveReactions removes the likes, shares and bookmarks of a tweet that is gone, and no reactions to other
// tweets.
func TestRemoveReactions(t *testing.T) {
	t.Parallel()
	for _, k := range kinds {
		t.Run(string(k.kind), func(t *testing.T) {
			t.Parallel()
			removeReactions(t, k)
		})
	}
}

func removeReactions(t *testing.T, k mark) {
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	id, other := e.Tweet(t, "ann", "x").ID, e.Tweet(t, "ann", "y").ID
	const n = 210 // more than go into one commit
	add := func(fan model.UserID, id model.TweetID) error {
		return e.Reactions.Add(t.Context(), storetest.Reaction(k.kind, model.Reaction{UserID: fan, TweetID: id,
			AuthorID: "ann"}))
	}
	for _, err := range testenv.AtOnce(n, func(i int) error { return add(model.UserID(fmt.Sprint("fan_", i)), id) }) {
		testenv.Must(t, err)
	}
	testenv.Must(t, add("fan_1", other))
	testenv.Must(t, e.Reactions.Remove(t.Context(), k.kind, "fan_0", id))
	// the reaction may be gone already
	testenv.Must(t, storetest.Costs(t, "RemoveMark, not there", 0, 0, 0, func(ctx context.Context) error {
		return e.Reactions.Remove(ctx, k.kind, "fan_0", id)
	}))
	remove := func(ctx context.Context) error {
		_, err := e.Reactions.RemoveAll(ctx, k.kind, id, func() bool { return false })
		return err
	}
	testenv.Must(t, storetest.Costs(t, "RemoveMarks", n-1, n-1, n-1, remove))
	testenv.Must(t, storetest.Costs(t, "RemoveMarks, none left", 1, 0, 0, remove))
	if got, want := fmt.Sprint(e.IDs(t, k.kind.Collection())),
		fmt.Sprint([]string{model.ReactionKey("fan_1", other)}); got != want {
		t.Errorf("%s = %v, want %v", k.kind, got, want)
	}
	for _, fan := range []model.UserID{"fan_0", "fan_1", "fan_209"} {
		got, err := e.Tweets.ViewerState(t.Context(), fan, []model.TweetID{id, other})
		testenv.Must(t, err)
		if got[id] != k.only(false) || got[other] != k.only(fan == "fan_1") {
			t.Errorf("%s has the marks %v", fan, got)
		}
	}
}

// More likes than fit by size into one commit of Firestore are removed all the same.
func TestRemoveLargeViewerState(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	id := e.Tweet(t, "ann", "x").ID
	for i := range 12 {
		fan := model.UserID(fmt.Sprint("fan_", i))
		testenv.Must(t, e.Reactions.Add(t.Context(), model.Like{UserID: fan, TweetID: id, AuthorID: "ann"}))
		_, err := e.Raw.Doc(model.Likes+"/"+model.ReactionKey(fan, id)).
			Update(t.Context(), []firestore.Update{{Path: "planted", Value: strings.Repeat("x", 900_000)}})
		testenv.Must(t, err)
	}
	testenv.Must(t, storetest.Costs(t, "RemoveMarks of 10.8 MB", 12, 12, 12, func(ctx context.Context) error {
		done, err := e.Reactions.RemoveAll(ctx, model.ReactionLike, id, func() bool { return false })
		if err == nil && !done {
			t.Error("not all likes are gone")
		}
		return err
	}))
	if left := e.IDs(t, model.Likes); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// TestUnlikeLeavesNothing likes tweets and removes the likes.
func TestUnlikeLeavesNothing(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ids := e.CreateTweets(t, "ann", 3)
	for _, id := range ids {
		testenv.Must(t, e.Reactions.Like(t.Context(), "ann", id))
	}
	testenv.Must(t, e.Reactions.Unlike(t.Context(), "ann", ids[0]))
	_, err := e.Reactions.RemoveAll(t.Context(), model.ReactionLike, ids[1], func() bool { return false })
	testenv.Must(t, err)
	got, _ := e.Doc(t, "reactions/"+model.MonthKey("ann", ids[0].Month()))["tweets"].(map[string]any)
	if len(got) != 1 || got[string(ids[2])] != true {
		t.Errorf("the month holds %v, want %s alone", got, ids[2])
	}
}
