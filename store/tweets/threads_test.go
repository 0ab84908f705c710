package tweets_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/tweets"
)

var bob = model.Viewer{ID: "bob", Role: model.Member}

// first is the first page of a thread with the API's default sizes.
var first = tweets.ThreadPage{Size: 20, Depth: 4}

// talk is a conversation that a test writes without functions.
type talk struct {
	*storetest.Env
	t testing.TB
}

// say posts a tweet, and counts it in its parent as its event does.
func (k talk) say(text string, parent model.TweetID) model.TweetID {
	k.t.Helper()
	id := k.whisper(text, parent)
	if parent != "" {
		k.count(parent, 1)
	}
	return id
}

// whisper posts a tweet whose event is late.
func (k talk) whisper(text string, parent model.TweetID) model.TweetID {
	k.t.Helper()
	d := model.Draft{Content: text, AllowLikes: true, AllowReplies: true}
	if parent != "" {
		d.ReplyTo = &parent
	}
	k.Clock.Add(time.Second)
	return k.Draft(k.t, "ann", d).ID
}

// hear counts a tweet whose event was late.
func (k talk) hear(id, parent model.TweetID) {
	k.t.Helper()
	testenv.Must(k.t, k.Counters.CountTweet(k.t.Context(), counters.IdempotencyRecord{EventID: string(id),
		Function: "TweetChanged"}, &model.Tweet{AuthorID: "ann", ReplyTo: &parent}, 1))
	k.Tweets.ForgetTweet(parent)
}

func (k talk) count(id model.TweetID, by int) {
	k.t.Helper()
	ref := k.Raw.Collection(model.Tweets).Doc(string(id))
	if snap, _ := ref.Get(k.t.Context()); snap.Exists() {
		_, err := ref.Update(k.t.Context(), []firestore.Update{{Path: "replyCount", Value: firestore.Increment(by)}})
		testenv.Must(k.t, err)
	}
	k.Tweets.ForgetTweet(id)
}

func (k talk) drop(id, parent model.TweetID) {
	k.t.Helper()
	testenv.Must(k.t, k.Tweets.DeleteTweet(k.t.Context(), "ann", false, id))
	if parent != "" {
		k.count(parent, -1)
	}
}

func (k talk) flag(id model.TweetID) {
	k.t.Helper()
	_, err := k.Raw.Collection(model.Tweets).Doc(string(id)).
		Update(k.t.Context(), []firestore.Update{{Path: "isViolative", Value: true}})
	testenv.Must(k.t, err)
	k.Tweets.ForgetTweet(id)
}

// read reads a thread, and checks that it stays within its reads.
func (k talk) read(id model.TweetID, v model.Viewer, p tweets.ThreadPage) *tweets.Thread {
	k.t.Helper()
	var m meter.Meter
	th, err := k.Threads.Thread(meter.With(k.t.Context(), &m), id, v, p)
	testenv.Must(k.t, err)
	if m.Reads() > 120 {
		k.t.Errorf("the thread of %s took %d reads, at most 120 are allowed", id, m.Reads())
	}
	return th
}

// name returns the end of an id, by which [tree] names it.
func name(id model.TweetID) string { return string(id[len(id)-6:]) }

// tree returns the tree below a node as text: ids with their replies in brackets, and + if there are more replies.
func tree(n *tweets.ThreadNode) string {
	out := name(n.ID)
	switch {
	case n.Tombstone != nil:
		out += "†"
	case n.Tweet == nil:
		out += "?"
	}
	for _, reply := range n.Replies {
		out += "(" + tree(reply) + ")"
	}
	if n.More {
		out += "+"
	}
	return out
}

// A chain of replies has a deleted and a flagged tweet: both keep their positions.
func TestThread(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	k := talk{e, t}
	root := k.say("root", "")
	a := k.say("a", root)
	gone := k.say("gone", a)
	hidden := k.say("hidden", gone)
	low := k.say("low", hidden)
	leaf := k.say("a leaf that is deleted", root)
	alone := k.say("a leaf that is flagged", root)
	k.drop(gone, a)
	k.drop(leaf, root)
	k.flag(hidden)
	k.flag(alone)
	testenv.Must(t, e.Reactions.Like(t.Context(), "bob", low))

	th := k.read(low, bob, first)
	var up []string
	for _, s := range th.Ancestors {
		up = append(up, fmt.Sprint(name(s.ID), s.Tweet != nil, s.Tombstone != nil))
	}
	want := []string{
		fmt.Sprint(name(root), true, false), fmt.Sprint(name(a), true, false), fmt.Sprint(name(gone), false, true),
		fmt.Sprint(name(hidden), false, false),
	}
	if diff := cmp.Diff(want, up); diff != "" || th.Gap != "" || !th.Tweet.Liked || th.Tweet.Content != "low" {
		t.Errorf("ancestors (-want +got):\n%s\ngap %q, %+v", diff, th.Gap, th.Tweet)
	}

	// The reply to a deleted reply is not below its grandparent, whose count is 0, but below its parent.
	if got, want := tree(k.read(root, bob, first).Node), name(root)+"("+name(a)+")"; got != want {
		t.Errorf("the tree of the root is %s, want %s", got, want)
	}
	below := "(" + name(gone) + "†(" + name(hidden) + "?(" + name(low) + ")))"
	th = k.read(a, bob, first)
	if got := tree(th.Node); got != name(a)+below {
		t.Errorf("the tree of a is %s, want %s", got, name(a)+below)
	}
	if liked := th.Node.Replies[0].Replies[0].Replies[0].Liked; !liked {
		t.Error("the tree does not tell what the viewer likes")
	}
	moderator := model.Viewer{ID: "bob", Role: model.Moderator}
	if got, want := tree(k.read(root, moderator, first).Node), name(root)+"("+name(a)+")("+name(alone)+")"; got != want {
		t.Errorf("a moderator sees %s, want %s", got, want)
	}

	th = k.read(gone, bob, first)
	if th.Tweet != nil || th.Node.Tombstone == nil || len(th.Ancestors) != 2 || th.Ancestors[1].ID != a ||
		len(th.Node.Replies) != 1 {
		t.Errorf("the thread of a deleted tweet = %+v", th)
	}
	th = k.read(hidden, bob, first)
	if got, want := tree(th.Node), name(hidden)+"?("+name(low)+")"; got != want || th.Tweet != nil ||
		len(th.Ancestors) > 0 {
		t.Errorf("the thread of a hidden tweet is %s below %v, want %s", got, th.Ancestors, want)
	}
	_, err := e.Threads.Thread(t.Context(), alone, bob, first)
	storetest.WantErr(t, err, errs.NotFound, "tweet_not_found")
	_, err = e.Threads.Thread(t.Context(), model.NewTweetIDs(time.Now).Next("ann"), bob, first)
	storetest.WantErr(t, err, errs.NotFound, "tweet_not_found")

	e.Tweets.ForgetTweet(root)
	testenv.Must(t, storetest.Costs(t, "Thread of a root with one reply", 1+2+1, 0, 0, func(ctx context.Context) error {
		_, err := e.Threads.Thread(ctx, root, model.Viewer{}, first)
		return err
	}))
}

// A reply keeps its position even if it is deleted before the events of its own replies come.
func TestUncountedReply(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: time.Hour}) // no roll-up comes by itself
	e.CreateUsers(t, "ann", "bob")
	k := talk{e, t}
	root := k.say("root", "")

	gone := k.say("gone", root)
	low := k.whisper("low", gone)
	k.drop(gone, "")
	k.hear(low, gone)
	if got, want := tree(k.read(root, bob, first).Node), name(root)+"("+name(gone)+"†("+name(low)+"))"; got != want {
		t.Errorf("the tree of the root is %s, want %s", got, want)
	}
	if up := k.read(low, bob, first).Ancestors; len(up) != 2 || up[0].ID != root || up[1].ID != gone {
		t.Errorf("above the reply stands %+v, want the root and a tombstone", up)
	}

	// The same holds for a hot counter: the roll-up adds the reply to the tombstone.
	hot := k.say("hot", root)
	var late []model.TweetID
	for range 3 {
		late = append(late, k.whisper("late", hot))
	}
	for _, id := range late {
		k.hear(id, hot)
	}
	ref := k.Raw.Collection(model.Tweets).Doc(string(hot))
	// as if a cold −1 had come meanwhile
	_, err := ref.Update(t.Context(), []firestore.Update{{Path: "replyCount", Value: 0}})
	testenv.Must(t, err)
	k.Tweets.ForgetTweet(hot)
	if shards := k.IDs(t, "tweets/"+string(hot)+"/shards"); len(shards) == 0 {
		t.Fatal("the replies were not counted in shards")
	}
	k.drop(hot, "")
	testenv.Must(t, k.Counters.RemoveStrayShards(t.Context(), model.Tweets, string(hot)))
	if got := k.read(root, bob, first).Node.Replies; len(got) != 2 || got[1].ID != hot ||
		len(got[1].Replies) != len(late) {
		t.Errorf("the replies to the root are %+v, want the hot one with what answered it", got)
	}

	leaf := k.say("a leaf", root)
	k.drop(leaf, root)
	th := k.read(leaf, bob, first)
	if len(th.Ancestors) != 1 || th.Ancestors[0].ID != root {
		t.Errorf("above a deleted leaf stands %+v, want the root", th.Ancestors)
	}
	if got := k.read(root, bob, first).Node.Replies; len(got) != 2 {
		t.Errorf("the replies to the root are %+v: a deleted leaf has no place", got)
	}
}

// The last level of a page does not end at hidden replies. A hidden reply shows only above a visible reply, so
// otherwise its replies would be nowhere.
func TestHiddenAtTheLastLevel(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	k := talk{e, t}
	root := k.say("root", "")
	a := k.say("a", root)
	hidden := k.say("hidden", a)
	narrow := k.say("for followers", hidden)
	low := k.say("low", narrow)
	lower := k.say("lower", low)
	alone := k.say("hidden, with hidden below", a)
	k.flag(k.say("hidden below", alone))
	k.flag(hidden)
	k.flag(alone)
	_, err := e.Edits.Edit(t.Context(), "ann", narrow, model.TweetPatch{Visibility: new(model.Followers)}, nil)
	testenv.Must(t, err)
	e.Tweets.ForgetTweet(narrow)
	place := "(" + name(hidden) + "?(" + name(narrow) + "?(" + name(low)
	for depth, want := range map[int]string{
		1: name(root) + "(" + name(a) + "+)",
		2: name(root) + "(" + name(a) + place + "+))))",
		3: name(root) + "(" + name(a) + place + "(" + name(lower) + ")))))",
	} {
		if got := tree(k.read(root, bob, tweets.ThreadPage{Size: 20, Depth: depth}).Node); got != want {
			t.Errorf("the tree to level %d is %s, want %s", depth, got, want)
		}
	}
}

// Visible replies to a hidden tweet are on some page, although the hidden tweet's own entry has only the first few of
// them. A page in between may have none. A first page without visible replies looks like the page of an unknown tweet.
func TestBelowHidden(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	k := talk{e, t}
	root := k.say("root", "")
	hidden := k.say("hidden", root)
	var want, got []model.TweetID
	for range model.ThreadBranch {
		want = append(want, k.say("answer", hidden))
	}
	for range model.ThreadBranch {
		k.flag(k.say("hidden, too", hidden))
	}
	for range model.ThreadBranch + 1 {
		want = append(want, k.say("later answer", hidden))
	}
	k.flag(k.say("hidden, and the last", hidden))
	k.flag(hidden)
	node := k.read(root, bob, first).Node.Replies[0]
	if node.ID != hidden || node.Tweet != nil {
		t.Fatalf("the first reply is %+v, want a hidden one", node)
	}
	for _, reply := range node.Replies {
		got = append(got, reply.ID)
	}
	for pages := 0; node.More && pages < 5; pages++ {
		node = k.read(hidden, bob, tweets.ThreadPage{From: node.Next, Size: model.ThreadBranch, Depth: 1}).Node
		for _, reply := range node.Replies {
			got = append(got, reply.ID)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the answers to a hidden reply (-want +got):\n%s", diff)
	}
	for what, p := range map[string]tweets.ThreadPage{
		"with hidden replies alone": {Size: 1, Depth: 1}, "after the last reply that is seen": {
			From: model.Cursor{At: want[len(want)-1].Time(), ID: string(want[len(want)-1])}, Size: 20, Depth: 1},
	} {
		id := hidden
		if p.From.IsZero() {
			id = k.say("hidden with a hidden answer first", root)
			k.flag(k.say("hidden", id))
			k.say("seen", id)
			k.flag(id)
		}
		_, err := k.Threads.Thread(t.Context(), id, bob, p)
		if errs.CodeOf(err) != "tweet_not_found" {
			t.Errorf("a page %s answers %v, want that of an unknown tweet", what, err)
		}
	}
}

// A thread that is longer than a page has its root, a gap, and the nearest ancestors.
func TestLongThread(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	k := talk{e, t}
	chain := []model.TweetID{k.say("root", "")}
	for len(chain) < 20 {
		chain = append(chain, k.say("on", chain[len(chain)-1]))
	}
	var got []model.TweetID // from the bottom to the root, by way of the gaps
	for id := chain[19]; id != ""; {
		th := k.read(id, bob, first)
		up := th.Ancestors
		if len(up) > model.MaxAncestors {
			t.Fatalf("%d ancestors, want at most %d", len(up), model.MaxAncestors)
		}
		if len(up) > 0 && up[0].ID != chain[0] {
			t.Errorf("the first ancestor of %s is %s, want the root", id, up[0].ID)
		}
		got = append(got, id)
		for i := len(up) - 1; i > 0 || i == 0 && th.Gap == ""; i-- {
			got = append(got, up[i].ID)
		}
		id = th.Gap
	}
	slices.Reverse(got)
	if diff := cmp.Diff(chain, got); diff != "" {
		t.Errorf("ancestors by way of the gaps (-want +got):\n%s", diff)
	}
	if got := k.read(chain[19], bob, tweets.ThreadPage{From: model.Cursor{At: e.Clock.Now(), ID: "x"}, Size: 20,
		Depth: 1}); len(got.Ancestors) > 0 {
		t.Errorf("a later page has ancestors: %+v", got.Ancestors)
	}
}

// Random conversations, read page by page and branch by branch, agree with the posts. Every branch of an existing tweet
// opens, if there is a reply below it.
func TestRandomThreads(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.CreateUsers(t, "ann", "bob")
			k := talk{e, t}
			rng := rand.New(rand.NewPCG(seed, 1))
			type tweet struct {
				id, parent model.TweetID
				deleted    bool
				replies    int  // existing replies
				placed     bool // it keeps its position though it is deleted
			}
			said := map[model.TweetID]*tweet{}
			var order, late []*tweet // the events of late come at the end
			for range 50 {
				tw := &tweet{}
				if len(order) > 0 {
					parent := order[max(0, rng.IntN(len(order))-rng.IntN(10))]
					if parent.deleted {
						continue
					}
					tw.parent = parent.id
					parent.replies++
				}
				if tw.parent != "" && rng.IntN(3) == 0 {
					tw.id, late = k.whisper("x", tw.parent), append(late, tw)
				} else {
					tw.id = k.say("x", tw.parent)
				}
				said[tw.id], order = tw, append(order, tw)
				if victim := order[rng.IntN(len(order))]; rng.IntN(4) == 0 && !victim.deleted && victim.parent != "" {
					victim.deleted, victim.placed = true, victim.replies > 0
					k.drop(victim.id, victim.parent)
					said[victim.parent].replies--
				}
			}
			for _, tw := range late {
				k.Clock.Add(4 * time.Second) // the counters are cold
				k.hear(tw.id, tw.parent)
			}
			var want func(tw *tweet) string
			want = func(tw *tweet) (text string) {
				for _, reply := range order {
					if reply.parent != tw.id || reply.deleted && !reply.placed {
						continue
					}
					below := ""
					if reply.deleted || reply.replies > 0 {
						below = want(reply)
					}
					if reply.deleted && below == "" {
						continue // its replies were deleted, too
					}
					text += "(" + string(reply.id) + below + ")"
				}
				return text
			}
			var walk func(n *tweets.ThreadNode) string
			walk = func(n *tweets.ThreadNode) (text string) {
				for _, reply := range n.Replies {
					below := walk(reply)
					if reply.Tombstone == nil || below != "" {
						text += "(" + string(reply.ID) + below + ")"
					}
				}
				if n.More {
					th := k.read(n.ID, bob, tweets.ThreadPage{From: n.Next, Size: 1 + rng.IntN(5), Depth: 1 + rng.IntN(4)})
					text += walk(th.Node)
				}
				return text
			}
			for _, tw := range order {
				if tw.deleted && !tw.placed {
					continue
				}
				th := k.read(tw.id, bob, tweets.ThreadPage{Size: 1 + rng.IntN(5), Depth: 1 + rng.IntN(4)})
				if diff := cmp.Diff(want(tw), walk(th.Node)); diff != "" {
					t.Errorf("below %s (-want +got):\n%s", tw.id, diff)
				}
			}
		})
	}
}

// A wide thread stays within its limit of reads on every page, and shows a part of each level.
func TestWideThread(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	k := talk{e, t}
	root := k.say("root", "")
	for i := range 24 {
		child := k.say("child", root)
		for j := range 5 {
			leaf := k.say("leaf", child)
			if i%2 == 1 && j < 3 {
				k.say("below", leaf)
				k.drop(leaf, child)
			}
		}
	}
	for _, p := range []tweets.ThreadPage{{Size: 1, Depth: 6}, {Size: 20, Depth: 1}, {Size: 20, Depth: 6},
		{Size: 100, Depth: 6}} {
		var m meter.Meter
		th, err := e.Threads.Thread(meter.With(t.Context(), &m), root, model.Viewer{}, p)
		testenv.Must(t, err)
		if m.Reads() > 2+model.ThreadReads {
			t.Errorf("%+v takes %d reads, at most %d are allowed", p, m.Reads(), 2+model.ThreadReads)
		}
		if n := len(th.Node.Replies); n != min(p.Size, model.MaxThreadReplies) || !th.Node.More {
			t.Errorf("%+v has %d replies to the root, and more: %v", p, n, th.Node.More)
		}
		deeper := slices.ContainsFunc(th.Node.Replies, func(n *tweets.ThreadNode) bool { return len(n.Replies) > 0 })
		if deeper != (p.Depth > 1) {
			t.Errorf("%+v has replies to replies: %v", p, deeper)
		}
	}
}
