package delivery_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// A post to 10,000 followers on 500 hosts is delivered 500 times, and costs what docs/operate/federation.md says,
// also if
// some of the hosts fail.
func TestCrowd(t *testing.T) {
	testenv.Slow(t, "a post to 500 hosts")
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	var mu sync.Mutex
	hosts := map[string]int{}
	down := false
	l, err := net.Listen("tcp", "0.0.0.0:0") // each address of the loopback network is a host
	testenv.Must(t, err)
	server := &httptest.Server{Listener: l, Config: &http.Server{ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			hosts[r.Host]++
			if down && len(r.Host)%2 == 0 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})}}
	server.Start()
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(l.Addr().String())
	testenv.Must(t, err)
	audience := &model.RemoteAudience{}
	for i := range 10_000 {
		host := i % 500
		if _, full := audience.Add(model.UserID(fmt.Sprintf("ap-%d", i)), fmt.Sprintf("http://127.1.%d.%d:%s/inbox", host/250,
			host%250+1, port)); full {
			t.Fatal("there is no room for 10,000 followers")
		}
	}
	_, err = e.Raw.Collection(model.RemoteAudiences).Doc(model.RemoteAudienceKey("ann", 0)).Set(t.Context(), audience)
	testenv.Must(t, err)
	t.Logf("the audience has %d bytes", audience.Size())
	post := e.Tweet(t, "ann", "hello all of you")
	_, err = e.Federation.Key(t.Context(), "ann")
	testenv.Must(t, err)

	measured := func(do func(context.Context)) meter.Counts {
		m := meter.New()
		begun := time.Now()
		do(meter.With(t.Context(), m))
		c := m.Snapshot()
		t.Logf("%+v in %s", c, time.Since(begun))
		return c
	}
	hook := measured(func(ctx context.Context) { testenv.Must(t, e.Posted(ctx, post)) })
	events := 0
	deliver := func(ctx context.Context) {
		for id := e.IDs(t, model.Outgoings)[0]; ; events++ {
			snap, err := e.Raw.Collection(model.Outgoings).Doc(id).Get(t.Context())
			o := &model.Outgoing{ID: id}
			if err != nil || snap.DataTo(o) != nil || o.Done {
				return
			}
			o.WrittenAt = snap.UpdateTime
			testenv.Must(t, e.SendNext(ctx, o))
		}
	}
	steps := measured(deliver)
	t.Logf("%d events", events)
	mu.Lock()
	if len(hosts) != 500 {
		t.Errorf("%d hosts have it, want 500", len(hosts))
	}
	for host, n := range hosts {
		if n != 1 {
			t.Errorf("%s has it %d times", host, n)
		}
	}
	down = true
	mu.Unlock()
	if events != 10 || hook.Reads > 8 || hook.Writes != 1 || steps.Reads > 31 || steps.Writes+steps.Deletes != 10 {
		t.Errorf("the hook costs %+v, and %d steps %+v", hook, events, steps)
	}

	// Half of the hosts are down.
	events = 0
	post = e.Tweet(t, "ann", "hello again")
	testenv.Must(t, e.Posted(t.Context(), post))
	measured(deliver)
	t.Logf("%d deliveries wait", len(e.IDs(t, model.RemoteDeliveries)))
	down = false
	for range 5 {
		e.Clock.Add(10 * time.Minute)
		measured(func(ctx context.Context) {
			n, err := e.SendDue(ctx, func() bool { return false })
			testenv.Must(t, err)
			t.Logf("%d arrived", n)
		})
	}
}
