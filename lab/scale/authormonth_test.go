package scale_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	vkit "cloud.google.com/go/firestore/apiv1"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/api/iterator"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var monthTweets = flag.Int("tweets", 170, "how many tweets an author writes in one month")

// largest is how large a document may become. Firestore refuses 1 MiB.
const largest = 900 << 10

func checkIDs(t *testing.T, got, want []model.TweetID) {
	t.Helper()
	for i, id := range want {
		if i >= len(got) || got[i] != id {
			t.Errorf("there are %d tweets, of which the one in place %d is wrong; want %d, and %s there", len(got), i, len(want),
				id)
			return
		}
	}
	if len(got) > len(want) {
		t.Errorf("there are %d tweets, want %d", len(got), len(want))
	}
}

// checkSizes looks that no document of a collection is too large, and that there are so many at least.
func (e *env) checkSizes(t *testing.T, collection string, atLeast int) {
	t.Helper()
	opts, err := meter.ClientOptions(testenv.FirestoreHost(t), meter.Options{})
	testenv.Must(t, err)
	client, err := vkit.NewClient(t.Context(), opts...)
	testenv.Must(t, err)
	defer client.Close()
	most, which, n := 0, "", 0
	docs := client.ListDocuments(t.Context(), &pb.ListDocumentsRequest{
		Parent: "projects/" + e.project + "/databases/(default)/documents", CollectionId: collection, PageSize: 20,
	})
	for {
		doc, err := docs.Next()
		if errors.Is(err, iterator.Done) {
			break
		}
		testenv.Must(t, err)
		n++
		if size := proto.Size(doc); size > most {
			most, which = size, doc.Name[strings.LastIndexByte(doc.Name, '/')+1:]
		}
	}
	if n < atLeast {
		t.Errorf("%s: %d documents, want at least %d: nothing overflowed", collection, n, atLeast)
	}
	t.Logf("%s: %d documents, the largest %s with %d KiB", collection, n, which, most>>10)
	if most > largest {
		t.Errorf("%s/%s has %d KiB, want at most %d", collection, which, most>>10, largest>>10)
	}
}

// TestAuthorMonth lets an author write a lot in a month, as large tweets as there are.
func TestAuthorMonth(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	e := start(t, store.Options{}, eventarc.Faults{Duplicate: 2, Delay: 100 * time.Millisecond}, func(e *env) {
		e.clock.set(time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC))
	})
	e.users(t, "ann", "reader")
	testenv.Must(t, e.follow(t.Context(), "reader", "ann"))
	var tags []string
	for i := range model.MaxTags {
		tags = append(tags, fmt.Sprintf("%s%d", strings.Repeat("火", model.MaxTagLength-1), i))
	}
	draft := model.Draft{
		Content: strings.Repeat("🎇", model.MaxSnippet+1), Summary: strings.Repeat("🎆", model.MaxSummary), Tags: tags,
	}
	var want []model.TweetID
	for range *monthTweets {
		tweet, err := e.Store.Tweets.CreateTweet(t.Context(), "ann", draft, model.Request{})
		testenv.Must(t, err)
		want = append(want, tweet.ID)
	}
	e.idle(t)
	slices.Reverse(want)
	var got []model.TweetID
	for before := model.TweetID(""); ; {
		previews, next, err := e.Store.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", before, 100)
		testenv.Must(t, err)
		for _, preview := range previews {
			got = append(got, preview.ID)
		}
		if before = next; next == "" {
			break
		}
	}
	checkIDs(t, got, want)
	e.checkSizes(t, model.TweetMonths, 2)
	e.audit(t, []model.UserID{"reader"})
}
