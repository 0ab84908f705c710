package scale_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

var replies = flag.Int("replies", 600, "how many replies a thread has, of which half answer a reply")

// TestThread pages through a thread with very many replies: half of them answer the tweet, and each of
// those has one answer. Every page has what the one before left, no page costs more than the first,
// and all of the thread is seen once.
func TestThread(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ann := &model.User{ID: "ann", Username: "ann"}
	b := e.Raw.BulkWriter(t.Context())
	set := func(tweet *model.Tweet, count int64) {
		tweet.ReplyCount = count
		_, err := b.Set(e.Raw.Collection(model.Tweets).Doc(string(tweet.ID)), tweet)
		testenv.Must(t, err)
	}
	e.CreateUsers(t, "ann")
	ids := model.NewTweetIDs(e.Clock.Now)
	say := func(text string, parent *model.Tweet) *model.Tweet {
		e.Clock.Add(time.Second)
		d := model.Draft{Content: text, AllowLikes: true, AllowReplies: true}
		if parent != nil {
			d.ReplyTo = &parent.ID
		}
		tweet, _, err := model.NewTweet(ids.Next("ann"), ann, parent, d)
		testenv.Must(t, err)
		return tweet
	}
	root, want := say("root", nil), map[model.TweetID]bool{}
	branches := *replies / 2
	set(root, int64(branches))
	for i := range branches {
		reply := say(fmt.Sprint("reply ", i), root)
		answer := say(fmt.Sprint("answer ", i), reply)
		set(reply, 1)
		set(answer, 0)
		want[reply.ID], want[answer.ID] = true, true
	}
	b.End()

	const size = 20
	var pages, reads int
	var most int64
	var slowest time.Duration
	for from := (model.Cursor{}); ; {
		m, begun := meter.New(), time.Now()
		thread, err := e.Store.Threads.Thread(meter.With(t.Context(), m), root.ID,
			model.Viewer{ID: "bob", Role: model.Member}, tweets.ThreadPage{From: from, Size: size, Depth: 2})
		testenv.Must(t, err)
		pages, reads, most, slowest = pages+1, reads+int(m.Reads()), max(most, m.Reads()), max(slowest, time.Since(begun))
		if n := len(thread.Node.Replies); n != size && thread.Node.More {
			t.Fatalf("page %d has %d replies, want %d", pages, n, size)
		}
		see := func(n *tweets.ThreadNode) {
			if !want[n.ID] {
				t.Errorf("page %d has %s once more, or it is none of the thread", pages, n.ID)
			}
			delete(want, n.ID)
		}
		for _, reply := range thread.Node.Replies {
			see(reply)
			if reply.More && len(reply.Replies) == 0 { // a branch that the client opens
				m := meter.New()
				branch, err := e.Store.Threads.Thread(meter.With(t.Context(), m), reply.ID,
					model.Viewer{ID: "bob", Role: model.Member}, tweets.ThreadPage{Size: size, Depth: 1})
				testenv.Must(t, err)
				if m.Reads() > 10 {
					t.Errorf("a branch of one answer costs %d reads", m.Reads())
				}
				reply.Replies = branch.Node.Replies
			}
			for _, answer := range reply.Replies {
				see(answer)
			}
		}
		if from = thread.Node.Next; !thread.Node.More {
			break
		}
	}
	t.Logf("%d replies in %d pages of %d, %d reads, at most %d a page, the slowest after %v", *replies, pages, size, reads,
		most, slowest.Round(time.Millisecond))
	if len(want) > 0 {
		t.Errorf("%d replies are on no page", len(want))
	}
	if limit := int64(model.ThreadReads + 20); most > limit {
		t.Errorf("a page costs %d reads, want at most %d", most, limit)
	}
	if want := branches/size + 1; pages > want { // the last one may be empty
		t.Errorf("%d pages, want at most %d", pages, want)
	}
}
