package functions_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A database that takes half a second for a call, under load, for a minute, keeps no function from
// its work: roll-ups and flushes go on meanwhile, and everything is handled within twice that time
// after. All times are an eighth of those: a function has 1 s, a call takes 62 ms, the minute is
// 7.5 s, and hot documents are written each eighth of a second. Where the machine itself is too
// slow for that, they are a quarter, and then a half.
func TestSlowDatabase(t *testing.T) {
	testenv.Slow(t, "a database that answers late, and events that are sent again")
	t.Parallel()
	for _, scale := range []time.Duration{8, 4, 2} {
		problem := slowDatabase(t, scale)
		if problem == "" {
			return
		}
		if t.Logf("by 1/%d of the times: %s", scale, problem); scale == 2 {
			t.Error(problem)
		}
	}
}

// slowDatabase tells what was not handled in time.
func slowDatabase(t *testing.T, scale time.Duration) (problem string) {
	const tweets = 40
	minute := time.Minute / scale
	slow := storetest.Slow(10)
	s := stacktest.Run(t, stack.Options{Timeout: functions.Timeout / scale, MaxBackoff: 10 * time.Second / scale,
		Store: store.Options{
			CacheTTL: time.Millisecond, WriteEvery: time.Second / scale, FlushAfter: time.Second / scale,
			SlowCommit: time.Second / scale,
			Meter:      meter.Options{Below: slow.Write, BelowReads: slow.Read},
		}})
	quick, err := store.Open(t.Context(), s.Project, "", store.Options{Emulator: testenv.FirestoreHost(t),
		Meter: strict.Meter(t, meter.Options{})})
	testenv.Must(t, err)
	t.Cleanup(func() { quick.Close() })
	ids := make([]model.TweetID, tweets)
	for i := range ids {
		uid := model.UserID(fmt.Sprintf("user%d", i))
		_, err := quick.Users.CreateUser(t.Context(), uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
		tweet, err := quick.Tweets.CreateTweet(t.Context(), uid, model.Draft{Content: "spark", AllowLikes: true},
			model.Request{})
		testenv.Must(t, err)
		ids[i] = tweet.ID
	}
	stacktest.Idle(t, s)

	handled := func(function string) int64 { return int64(s.Runner.Stats().ByFunction[function].Delivered) }
	slow.Take(time.Second / 2 / scale)
	over := time.Now().Add(minute)
	var likes atomic.Int64
	var g errgroup.Group
	for by := range tweets { // each likes the tweets of half of the others
		g.Go(func() error {
			for n := range tweets / 2 {
				if time.Now().After(over) {
					break
				}
				if err := quick.Reactions.Like(t.Context(), model.UserID(fmt.Sprintf("user%d", by)),
					ids[(by+n+1)%tweets]); err != nil {
					return err
				}
				likes.Add(1)
				time.Sleep(minute / tweets)
			}
			return nil
		})
	}
	testenv.Must(t, g.Wait())
	time.Sleep(time.Until(over))
	rolled, flushed := handled("RollUp"), handled("FlushNotifications")
	t.Logf("while the database was slow: %d roll-ups and %d drains were handled", rolled, flushed)
	if rolled < 8 || flushed < 8 {
		problem = fmt.Sprintf("%d roll-ups and %d drains were handled while the database was slow, want 8 at least", rolled,
			flushed)
	}
	slow.Take(0)
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 2*minute)
	defer cancel()
	if err := s.Runner.WaitIdle(ctx); err != nil {
		return fmt.Sprintf("%v after the database was slow not everything is handled: %+v", 2*minute, s.Runner.Stats().Counts)
	}
	t.Logf("%d likes, %d slow calls; handled %v after: %+v", likes.Load(), slow.Calls(), time.Since(begun),
		s.Runner.Stats().Counts)
	found, err := s.Store.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		t.Errorf("verify: %s %s is %v, want %v", d.Document, d.Field, d.Have, d.Want)
	}
	return problem
}
