package threads_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/threads"
)

func TestMain(m *testing.M) { testenv.Main(m) }

var bob = model.Viewer{ID: "bob", Role: model.Member}

// first is the first page of a thread as the API asks for it by default.
var first = threads.Page{Size: 20, Depth: 4}

// talk is a conversation that a test writes without functions.
type talk struct {
	*storetest.Env
	t testing.TB
}

// say posts a tweet, and counts it with its parent as CountReply does.
func (k talk) say(text string, parent model.TweetID) model.TweetID {
	k.t.Helper()
	d := model.Draft{Content: text, AllowLikes: true, AllowReplies: true}
	if parent != "" {
		d.ReplyTo = &parent
	}
	k.Clock.Add(time.Second)
	id := k.Draft(k.t, "ann", d).ID
	if parent != "" {
		k.count(parent, 1)
	}
	return id
}

func (k talk) count(id model.TweetID, by int) {
	k.t.Helper()
	ref := k.Raw.Collection(model.Tweets).Doc(string(id))
	if snap, _ := ref.Get(k.t.Context()); snap.Exists() {
		_, err := ref.Update(k.t.Context(), []firestore.Update{{Path: "replyCount", Value: firestore.Increment(by)}})
		testenv.Must(k.t, err)
	}
	k.Facts.Forget(id)
}

func (k talk) drop(id, parent model.TweetID) {
	k.t.Helper()
	testenv.Must(k.t, k.Facts.DeleteTweet(k.t.Context(), "ann", false, id))
	if parent != "" {
		k.count(parent, -1)
	}
}

func (k talk) flag(id model.TweetID) {
	k.t.Helper()
	_, err := k.Raw.Collection(model.Tweets).Doc(string(id)).Update(k.t.Context(), []firestore.Update{{Path: "isViolative", Value: true}})
	testenv.Must(k.t, err)
	k.Facts.Forget(id)
}

// read reads a thread, and checks that it stays within its reads.
func (k talk) read(id model.TweetID, v model.Viewer, p threads.Page) *threads.Thread {
	k.t.Helper()
	var m meter.Meter
	th, err := k.Threads.Thread(meter.With(k.t.Context(), &m), id, v, p)
	testenv.Must(k.t, err)
	if m.Reads() > 120 {
		k.t.Errorf("the thread of %s took %d reads, at most 120 are allowed", id, m.Reads())
	}
	return th
}

// tree is the tree below a node as text: ids with their replies in brackets, and + where there is more.
func tree(n *threads.Node) string {
	text := n.ID[len(n.ID)-6:] + ""
	out := string(text)
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

// A chain of replies with a deleted and a flagged tweet in it: both keep their places.
func TestThread(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
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
	testenv.Must(t, e.Facts.Like(t.Context(), "bob", low))

	name := func(id model.TweetID) string { return string(id[len(id)-6:]) }
	th := k.read(low, bob, first)
	var up []string
	for _, s := range th.Ancestors {
		up = append(up, fmt.Sprint(name(s.ID), s.Tweet != nil, s.Tombstone != nil))
	}
	want := []string{
		fmt.Sprint(name(root), true, false), fmt.Sprint(name(a), true, false), fmt.Sprint(name(gone), false, true), fmt.Sprint(name(hidden), false, false),
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
	if th.Tweet != nil || th.Node.Tombstone == nil || len(th.Ancestors) != 2 || th.Ancestors[1].ID != a || len(th.Node.Replies) != 1 {
		t.Errorf("the thread of a deleted tweet = %+v", th)
	}
	_, err := e.Threads.Thread(t.Context(), hidden, bob, first)
	storetest.WantErr(t, err, errs.NotFound, "tweet_not_found")
	_, err = e.Threads.Thread(t.Context(), model.NewTweetIDs(time.Now).Next("ann"), bob, first)
	storetest.WantErr(t, err, errs.NotFound, "tweet_not_found")

	e.Facts.Forget(root)
	testenv.Must(t, storetest.Costs(t, "Thread of a root with one reply", 2+2+1, 0, 0, func(ctx context.Context) error {
		_, err := e.Threads.Thread(ctx, root, model.Viewer{}, first)
		return err
	}))
}

// A thread that is longer than a page has its root, a gap, and the nearest ancestors.
func TestLongThread(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
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
	if got := k.read(chain[19], bob, threads.Page{From: model.Cursor{At: e.Clock.Now(), ID: "x"}, Size: 20, Depth: 1}); len(got.Ancestors) > 0 {
		t.Errorf("a later page has ancestors: %+v", got.Ancestors)
	}
}

// Random conversations, read page by page and branch by branch, are what was said. Every
// branch of a tweet that is there opens, if there is a reply below it.
func TestRandomThreads(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.Users(t, "ann", "bob")
			k := talk{e, t}
			rng := rand.New(rand.NewPCG(seed, 1))
			type tweet struct {
				id, parent model.TweetID
				deleted    bool
				replies    int  // that are there
				placed     bool // it keeps its place though it is deleted
			}
			said := map[model.TweetID]*tweet{}
			var order []*tweet
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
				tw.id = k.say("x", tw.parent)
				said[tw.id], order = tw, append(order, tw)
				if victim := order[rng.IntN(len(order))]; rng.IntN(4) == 0 && !victim.deleted && victim.parent != "" {
					victim.deleted, victim.placed = true, victim.replies > 0
					k.drop(victim.id, victim.parent)
					said[victim.parent].replies--
				}
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
			var walk func(n *threads.Node) string
			walk = func(n *threads.Node) (text string) {
				for _, reply := range n.Replies {
					below := walk(reply)
					if reply.Tombstone == nil || below != "" {
						text += "(" + string(reply.ID) + below + ")"
					}
				}
				if n.More {
					th := k.read(n.ID, bob, threads.Page{From: n.Next, Size: 1 + rng.IntN(5), Depth: 1 + rng.IntN(4)})
					text += walk(th.Node)
				}
				return text
			}
			for _, tw := range order {
				if tw.deleted && !tw.placed {
					continue
				}
				th := k.read(tw.id, bob, threads.Page{Size: 1 + rng.IntN(5), Depth: 1 + rng.IntN(4)})
				if diff := cmp.Diff(want(tw), walk(th.Node)); diff != "" {
					t.Errorf("below %s (-want +got):\n%s", tw.id, diff)
				}
			}
		})
	}
}

// A wide thread takes no more reads than it may, whatever page is asked for, and shows a part
// of each level.
func TestWideThread(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
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
	for _, p := range []threads.Page{{Size: 1, Depth: 6}, {Size: 20, Depth: 1}, {Size: 20, Depth: 6}, {Size: 100, Depth: 6}} {
		var m meter.Meter
		th, err := e.Threads.Thread(meter.With(t.Context(), &m), root, model.Viewer{}, p)
		testenv.Must(t, err)
		if m.Reads() > 2+model.ThreadReads {
			t.Errorf("%+v takes %d reads, at most %d are allowed", p, m.Reads(), 2+model.ThreadReads)
		}
		if n := len(th.Node.Replies); n != min(p.Size, model.MaxThreadReplies) || !th.Node.More {
			t.Errorf("%+v has %d replies to the root, and more: %v", p, n, th.Node.More)
		}
		deeper := slices.ContainsFunc(th.Node.Replies, func(n *threads.Node) bool { return len(n.Replies) > 0 })
		if deeper != (p.Depth > 1) {
			t.Errorf("%+v has replies to replies: %v", p, deeper)
		}
	}
}
