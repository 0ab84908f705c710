package tweets_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

// importOf is a public import.
func importOf(t *testing.T, author model.UserID, id model.TweetID, text string) tweets.Import {
	t.Helper()
	d, err := model.Draft{Content: text, AllowLikes: true, AllowReplies: true}.Clean()
	testenv.Must(t, err)
	return tweets.Import{ID: id, Author: author, Draft: d, Digest: text}
}

// idOf is an id of a tweet of author.
func idOf(t *testing.T, author model.UserID, digits string) model.TweetID {
	t.Helper()
	id, err := model.ImportID(author, digits)
	testenv.Must(t, err)
	return id
}

// idAt is an id of a tweet of author at a time.
func idAt(t *testing.T, author model.UserID, at time.Time) model.TweetID {
	t.Helper()
	return idOf(t, author, string(model.OldestAt(at)[2:]))
}

// entries counts the documents of the audit log that the imports wrote.
type entries struct{ e *storetest.Env }

func (c entries) add(tx *firestore.Transaction, id model.TweetID) error {
	return tx.Set(c.e.Raw.Doc("adminActions/of-"+string(id)), map[string]any{"tweetId": string(id)})
}

// An import keeps its id and so its time. A repetition gets the tweet as it is by then. Another author or text with the
// id is refused.
func TestImport(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	in, log := importOf(t, "ann", idOf(t, "ann", "0002000000000013"), "old #help for @bob"), entries{e}
	made, err := e.Tweets.Import(t.Context(), in, log.add)
	testenv.Must(t, err)
	if want := time.UnixMilli(0x20000000).UTC(); made.ID != in.ID || !made.CreatedAt.Equal(want) || made.Imported == "" ||
		made.TellsSubscribers() {
		t.Errorf("the import is %+v, want one of %s", made.Tweet, want)
	}
	plain := importOf(t, "ann", idOf(t, "ann", "0003000000000013"), "plain")
	do := func(ctx context.Context) error {
		_, err := e.Tweets.Import(ctx, plain, log.add)
		return err
	}
	testenv.Must(t, storetest.Costs(t, "Import", 4, 3, 0, do)) // with the entry
	testenv.Must(t, storetest.Costs(t, "Import again", 4, 0, 0, do))
	_, err = e.Edits.Edit(t.Context(), "ann", in.ID, content("new"), nil)
	testenv.Must(t, err)
	again, err := e.Tweets.Import(t.Context(), in, func(*firestore.Transaction, model.TweetID) error {
		t.Error("a repetition writes")
		return nil
	})
	testenv.Must(t, err)
	if again.Content != "new" || again.Revision != 1 {
		t.Errorf("a repetition gets %q, want the edited tweet", again.Content)
	}
	own := e.Draft(t, "bob", model.Draft{Content: "posted", AllowLikes: true, AllowReplies: true})
	for _, other := range []tweets.Import{importOf(t, "ann", in.ID, "x"), importOf(t, "bob", own.ID,
		"old #help for @bob")} {
		if _, err := e.Tweets.Import(t.Context(), other, log.add); errs.CodeOf(err) != "tweet_exists" {
			t.Errorf("%s's import of another text: %v, want tweet_exists", other.Author, err)
		}
	}
	if _, err := e.Tweets.Import(t.Context(), importOf(t, "bob", own.ID, "posted"),
		log.add); errs.CodeOf(err) != "tweet_exists" {
		t.Errorf("an import over a tweet that was posted: %v, want tweet_exists", err)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, in.ID))
	if _, err := e.Tweets.Import(t.Context(), in, log.add); errs.KindOf(err) != errs.Gone {
		t.Errorf("the import of a deleted tweet: %v, want gone", err)
	}
	future := idAt(t, "ann", e.Clock.Now().Add(time.Second))
	for _, id := range []model.TweetID{future, idOf(t, "ann", "0000000000000fff"), own.ID[:2] + in.ID[2:]} {
		if _, err := e.Tweets.Import(t.Context(), importOf(t, "ann", id, "x"),
			log.add); errs.CodeOf(err) != "invalid_tweet_id" {
			t.Errorf("import %s: %v, want invalid_tweet_id", id, err)
		}
	}
	reply := importOf(t, "ann", idOf(t, "ann", "0002000000000014"), "x")
	d, err := model.Draft{Content: "re", ReplyTo: &own.ID}.Clean()
	testenv.Must(t, err)
	reply.Draft = d
	if _, err := e.Tweets.Import(t.Context(), reply, log.add); errs.CodeOf(err) != "invalid_tweet_id" {
		t.Errorf("a reply from before its parent: %v, want invalid_tweet_id", err)
	}
}

// A tweet that was imported and deleted between the first look and the transaction of an import does not come back.
func TestImportDeleted(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	in, log := importOf(t, "ann", idOf(t, "ann", "0002000000000013"), "old"), entries{e}
	var once sync.Once
	late := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req, reply any,
		conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if strings.HasSuffix(method, "/BeginTransaction") {
			once.Do(func() {
				_, err := e.Tweets.Import(t.Context(), in, log.add)
				testenv.Must(t, err)
				testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, in.ID))
			})
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	if _, err := late.Tweets.Import(t.Context(), in, log.add); errs.KindOf(err) != errs.Gone {
		t.Errorf("the late import: %v, want gone", err)
	}
	if snap, err := e.Raw.Doc("tweets/" + string(in.ID)).Get(t.Context()); snap == nil || snap.Exists() {
		t.Errorf("the late import left a tweet (%v)", err)
	}
}

// Imports whose answers are lost, and imports side by side, make one tweet and one entry of the audit log.
func TestImportLostAnswers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	losses := storetest.LoseAnswers(1, 0.4)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	for i := range 10 {
		id := idAt(t, "ann", e.Clock.Now().Add(-time.Duration(i+1)*time.Hour))
		done := make(chan error)
		for range 2 {
			go func() {
				_, err := lossy.Tweets.Import(t.Context(), importOf(t, "ann", id, "old"), entries{e}.add)
				done <- err
			}()
		}
		for range 2 {
			if err := <-done; errs.KindOf(err) == errs.Exists { // others may have lost too many answers
				t.Errorf("import %d: %v", i, err)
			}
		}
		_, err := e.Tweets.Import(t.Context(), importOf(t, "ann", id, "old"), entries{e}.add)
		testenv.Must(t, err)
	}
	if losses.Count() == 0 {
		t.Error("no answer was lost")
	}
	for _, c := range []string{"tweets", "tweetDetails", "adminActions"} {
		docs, err := e.Raw.Collection(c).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		if len(docs) != 10 {
			t.Errorf("%s has %d documents, want 10", c, len(docs))
		}
	}
}
