package scale_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var (
	migrated    = flag.Int("migrated", 300, "how many tweets lack what a migration fills in")
	migrateRate = flag.Int("migrate-rate", 100, "documents that the migration writes in a second, at most")
	migrateCalm = flag.Bool("migrate-calm", false, "nobody acts during the migration, and nothing fails, to measure it")
)

// TestMigration rehearses a migration: tweets from before there were languages get theirs while people
// edit, delete, like and post. Events come twice and late, and those of the migration may never come.
// Its steps are ended half way.
func TestMigration(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	const name, long = "tweet-language", 20 // each 20th tweet is longer than its snippet
	n := *migrated
	var all []model.TweetID
	options, faults := store.Options{StaleAfter: time.Second, StepTime: 500 * time.Millisecond},
		eventarc.Faults{Duplicate: 2, Delay: 50 * time.Millisecond, Drop: 0.1, Lose: 0.2,
			Losable: func(t eventarc.Trigger) bool { return t.Name == "Migrate" }}
	if *migrateCalm {
		options, faults = store.Options{}, eventarc.Faults{}
	}
	e := start(t, options, faults, func(e *env) {
		ids, b := model.NewTweetIDs(e.clock.now), e.raw.BulkWriter(t.Context())
		set := func(path string, doc any) {
			_, err := b.Set(e.raw.Doc(path), doc)
			testenv.Must(t, err)
		}
		set(model.Users+"/ann", model.User{Username: "ann_u", TweetCount: int64(n)})
		for i := range n {
			content := fmt.Sprint("花火がきれいです ", i)
			if i%long == 0 {
				for range 40 {
					content += "花火がきれいです"
				}
			}
			tweet, detail, err := model.NewTweet(ids.Next("ann"), &model.User{ID: "ann", Username: "ann_u"}, nil,
				model.Draft{Content: content, AllowLikes: true})
			testenv.Must(t, err)
			tweet.Language, tweet.ChangedAt = "", time.Time{}
			set(model.Tweets+"/"+string(tweet.ID), tweet)
			set(model.TweetDetails+"/"+string(tweet.ID), detail)
			all = append(all, tweet.ID)
		}
		b.End()
	})
	e.users(t, "ben")
	e.idle(t)

	var billed bills
	var step atomic.Int64
	inner := functions.Handler(e.Store, gcplog.New(&billed, slog.LevelInfo))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !*migrateCalm && r.URL.Path == "/Migrate" && step.Add(1)%5 == 2 { // the process ends in the middle of a step
			ctx, kill := context.WithTimeout(r.Context(), 200*time.Millisecond)
			defer kill()
			r = r.WithContext(ctx)
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	e.Runner.SetFunctionsURL(server.URL)

	begun := time.Now()
	if began, err := e.Store.Migrations.Start(t.Context(), name, *migrateRate); err != nil || !began {
		t.Fatalf("Start() = %v, %v", began, err)
	}
	want := map[model.TweetID]any{} // by what people do meanwhile
	busy, over := make(chan error, 1), make(chan struct{})
	go func() {
		busy <- func() error {
			for i := 0; !*migrateCalm; i++ {
				select {
				case <-over:
					return nil
				case <-time.After(20 * time.Millisecond):
				}
				id := all[(i*7919)%n]
				if _, did := want[id]; did {
					continue
				}
				act := func() (err error) { _, err = e.tweet(t.Context(), "ben"); return err }
				switch i % 4 {
				case 0:
					want[id] = "ko"
					act = func() (err error) {
						_, err = e.Store.Edits.Edit(t.Context(), "ann", id, model.TweetPatch{Content: new("불꽃놀이가 아름다워요")}, nil)
						return err
					}
				case 1:
					want[id] = nil
					act = func() error {
						// by a try that seemed to fail
						if err := e.Store.Tweets.DeleteTweet(t.Context(), "ann", false, id); errs.KindOf(err) != errs.Gone {
							return err
						}
						return nil
					}
				case 2:
					want[id] = "ja"
					act = func() error { return e.Store.Reactions.Like(t.Context(), "ben", id) }
				}
				if err := testenv.Patiently(act); err != nil {
					return err
				}
			}
			return nil
		}()
	}()
	var work model.MigrationWork
	for deadline := time.Now().Add(10 * time.Minute); !work.Done; {
		time.Sleep(200 * time.Millisecond)
		var err error
		if work, _, err = e.Store.Migrations.Status(t.Context(), name); err != nil || time.Now().After(deadline) {
			t.Fatalf("the migration is %+v, %v", work, err)
		}
		if time.Since(work.WrittenAt) > 3*time.Second && !*migrateCalm { // as an operator, or the day's sweep
			_, err = e.Store.Migrations.Start(t.Context(), name, *migrateRate)
			testenv.Must(t, err)
		}
	}
	took := time.Since(begun)
	close(over)
	testenv.Must(t, <-busy)
	e.idle(t)

	left, there, err := e.Store.Migrations.Left(t.Context(), name)
	if err != nil || left > 0 {
		t.Errorf("%d of %d tweets are left, %v", left, there, err)
	}
	refs := make([]*firestore.DocumentRef, len(all))
	for i, id := range all {
		refs[i] = e.raw.Doc(model.Tweets + "/" + string(id))
	}
	snaps, err := e.raw.GetAll(t.Context(), refs)
	testenv.Must(t, err)
	for i, snap := range snaps {
		language, did := want[all[i]]
		if !did {
			language = "ja"
		}
		if got := snap.Data()["language"]; got != language {
			t.Errorf("tweet %d has the language %v, want %v", i, got, language)
		}
	}
	billed.print(t)
	t.Logf("%d tweets in %.1f s beside %d acts of people: %.1f s for 10,000; %d passes, %d written", n, took.Seconds(),
		len(want), took.Seconds()*10_000/float64(n), work.Pass, work.Written)
}
