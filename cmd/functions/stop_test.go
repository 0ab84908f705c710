package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/local/eventarc"
	"github.com/hibana-sns/hibana/internal/local/stack"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/audit"
	"github.com/hibana-sns/hibana/store/facts"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// A service that is told to stop in the middle of many events, and another that takes its place, lose
// no event and count none twice: verification finds nothing.
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	project, quiet := testenv.Project(t), slog.New(slog.DiscardHandler)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testenv.Must(t, err)
	cfg := config.Service{
		Port: uint16(l.Addr().(*net.TCPAddr).Port), Project: project, FirestoreEmulator: testenv.FirestoreHost(t), AuthEmulator: testenv.AuthHost(t),
		WriteEvery: 20 * time.Millisecond, DrainAfter: 20 * time.Millisecond, TimeZone: "Asia/Tokyo",
	}
	testenv.Must(t, l.Close())

	// Eventarc, which delivers again what was not answered.
	runner := eventarc.New(eventarc.Options{
		Project: project, FirestoreHost: testenv.FirestoreHost(t), Triggers: stack.Triggers(),
		FunctionsURL: fmt.Sprintf("http://127.0.0.1:%d", cfg.Port), Log: quiet,
	})
	runner.Start(context.WithoutCancel(t.Context()))
	events, err := net.Listen("tcp", "127.0.0.1:0")
	testenv.Must(t, err)
	server := &http.Server{Handler: runner, ReadHeaderTimeout: time.Minute}
	go server.Serve(events)
	testenv.Must(t, eventarc.Route(t.Context(), testenv.EventsAddr(t), project, "http://"+events.Addr().String()))
	testenv.Must(t, runner.Register(t.Context()))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		testenv.Must(t, runner.Unregister(ctx))
		testenv.Must(t, eventarc.Unroute(ctx, testenv.EventsAddr(t), project))
		testenv.Must(t, server.Close())
		testenv.Must(t, runner.Stop(ctx))
	})

	db, err := store.Open(t.Context(), project, "", store.Options{Emulator: testenv.FirestoreHost(t)})
	testenv.Must(t, err)
	defer db.Close()
	begin := func() (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- run(ctx, cfg, quiet) }()
		return func() {
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("run() = %v", err)
			}
		}
	}
	const people = 6
	uid := func(i int) model.UserID { return model.UserID(fmt.Sprintf("user%d", i%people)) }
	for i := range people {
		_, err := db.Facts.CreateUser(t.Context(), uid(i), facts.NewUser{Username: string(uid(i)), Nickname: "a spark"})
		testenv.Must(t, err)
	}
	busy := func() {
		for _, err := range testenv.AtOnce(people, func(i int) error {
			for k := range 3 {
				if err := db.Facts.Follow(t.Context(), uid(i), uid(i+k+1)); err != nil {
					return err
				}
				tweet, err := db.Facts.CreateTweet(t.Context(), uid(i), model.Draft{Content: "a #spark", AllowLikes: true, AllowReplies: true}, facts.Request{})
				if err != nil {
					return err
				}
				for j := range 3 {
					if err := db.Facts.Like(t.Context(), uid(i+j+1), tweet.ID); err != nil {
						return err
					}
				}
			}
			return nil
		}) {
			testenv.Must(t, err)
		}
	}
	for range 3 {
		stop := begin()
		busy()
		stop() // events are under way: functions derive while facts come
	}
	stop := begin()
	testenv.Must(t, runner.WaitIdle(t.Context()))
	found, _, err := db.Audit.Part(t.Context(), "", 0, audit.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		t.Errorf("after the stops: %+v", d)
	}
	user, err := db.Facts.User(t.Context(), uid(0))
	testenv.Must(t, err)
	if user.TweetCount != 9 {
		t.Errorf("%d tweets are counted, want 9", user.TweetCount)
	}
	stop()
}
