package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

func TestMain(m *testing.M) { testenv.Program(m, main) }

// A process that gets SIGTERM in the middle of many events, and another that takes its place, lose no
// event and count none twice: each event whose function has begun is answered, and verification finds
// nothing.
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	project := testenv.Project(t)

	// Eventarc, which delivers again what was not answered.
	gate := &gate{to: &http.Transport{MaxIdleConnsPerHost: 128, ExpectContinueTimeout: time.Hour}}
	runner := eventarc.New(eventarc.Options{
		Project: project, FirestoreHost: testenv.FirestoreHost(t), Triggers: stack.Triggers(""),
		Client: &http.Client{Transport: gate}, MaxBackoff: 200 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
	})
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
	begin := func() (url string, stop func()) {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), testenv.RunMain+"=1", "GOOGLE_CLOUD_PROJECT="+project, "FIRESTORE_EMULATOR_HOST="+
			testenv.FirestoreHost(t),
			"FIREBASE_AUTH_EMULATOR_HOST="+testenv.AuthHost(t), "WRITE_EVERY=20ms", "DRAIN_AFTER=20ms")
		url, err := stacktest.Serve(process, nil)
		testenv.Must(t, err)
		runner.SetFunctionsURL(url)
		return url, func() {
			testenv.Must(t, process.Process.Signal(syscall.SIGTERM))
			for { // until it takes no more
				conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
				if err != nil {
					break
				}
				conn.Close()
			}
			gate.open()
			if err := process.Wait(); err != nil {
				t.Errorf("the service ended with %v", err)
			}
		}
	}
	const people = 6
	uid := func(i int) model.UserID { return model.UserID(fmt.Sprintf("user%d", i%people)) }
	for i := range people {
		_, err := db.Users.CreateUser(t.Context(), uid(i), model.NewUser{Username: string(uid(i)), Nickname: "a spark"})
		testenv.Must(t, err)
	}
	busy := func(round int) {
		for _, err := range testenv.AtOnce(people, func(i int) error {
			for k := range 3 {
				if err := db.Graph.Follow(t.Context(), uid(i), uid(i+k+1)); err != nil {
					return err
				}
				again := model.Request{Key: fmt.Sprint(round, " ", k), Hash: "spark"} // all of it is done again if a part failed
				tweet, err := db.Tweets.CreateTweet(t.Context(), uid(i), model.Draft{Content: "a #spark", AllowLikes: true,
					AllowReplies: true}, again)
				if err != nil {
					return err
				}
				for j := range 3 {
					if err := db.Reactions.Like(t.Context(), uid(i+j+1), tweet.ID); err != nil {
						return err
					}
				}
			}
			return nil
		}) {
			testenv.Must(t, err)
		}
	}
	const held = 5
	for round := range 3 {
		url, stop := begin()
		within := gate.hold(held, url) // while other events come and go
		if round == 0 {
			runner.Start(context.WithoutCancel(t.Context()))
		}
		busy(round)
		select {
		case <-within:
		case <-t.Context().Done():
			t.Fatal("no events are in flight")
		}
		stop()
		for range held {
			if answer := <-gate.answers; answer != nil {
				t.Errorf("stop %d: an event in flight was not answered: %v", round+1, answer)
			}
		}
	}
	_, stop := begin()
	testenv.Must(t, runner.WaitIdle(t.Context()))
	found, _, err := db.Audit.Part(t.Context(), "", 0, verify.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		t.Errorf("after the stops: %+v", d)
	}
	user, err := db.Users.User(t.Context(), uid(0))
	testenv.Must(t, err)
	if user.TweetCount != 9 {
		t.Errorf("%d tweets are counted, want 9", user.TweetCount)
	}
	stop()
}

// gate sends events, and can keep some of them in flight: the function has begun, and waits for the
// rest of the event.
type gate struct {
	to http.RoundTripper

	mu      sync.Mutex
	host    string          // of the process whose events are kept
	left    int             // events to keep
	within  *sync.WaitGroup // of them, until their functions have begun
	open    func()          // lets the kept events go on
	opened  chan struct{}   // closed by open
	answers chan error      // to the kept events: nil for each that was answered
}

// hold keeps the next n events of a process in flight. The channel is closed when the functions of all
// of them have begun.
func (g *gate) hold(n int, url string) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.host, g.left, g.within, g.opened, g.answers = strings.TrimPrefix(url, "http://"), n, new(sync.WaitGroup),
		make(chan struct{}), make(chan error, n)
	opened := g.opened
	g.open = sync.OnceFunc(func() { close(opened) })
	g.within.Add(n)
	all := make(chan struct{})
	go func() {
		g.within.Wait()
		close(all)
	}()
	return all
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	g.mu.Lock()
	keep := g.left > 0 && r.URL.Host == g.host
	if keep {
		g.left--
	}
	within, opened, answers := g.within, g.opened, g.answers
	g.mu.Unlock()
	if !keep {
		return g.to.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	r.Header.Set("Expect", "100-continue") // so that the body is read when the function asks for it
	r.GetBody = nil
	r.Body = &kept{r.Body, sync.OnceFunc(within.Done), opened}
	resp, err := g.to.RoundTrip(r)
	answers <- err
	return resp, err
}

// kept is the body of an event that is kept.
type kept struct {
	io.ReadCloser
	begun  func()
	opened <-chan struct{}
}

func (k *kept) Read(p []byte) (int, error) {
	k.begun()
	<-k.opened
	return k.ReadCloser.Read(p)
}
