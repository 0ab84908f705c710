package federation_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/federation"
)

// Many hosts of one domain that fail hold up no other, are not all asked, and are forgotten beyond a limit.
func TestHostsOfOneDomain(t *testing.T) {
	t.Parallel()
	e := open(t, nil)
	var mu sync.Mutex
	asked, most, now := 0, 0, 0 // of the domain that fails
	down := true
	send := func(ctx context.Context, _ *model.Outgoing, inboxes []string) ([]federation.Outcome, error) {
		var all []federation.Outcome
		for _, inbox := range inboxes {
			is := federation.Outcome{Inbox: inbox, Asked: true}
			mu.Lock()
			if strings.HasSuffix(model.HostOf(inbox), ".evil.example") {
				asked++
				now++
				most = max(most, now)
				if down {
					is.Err = errors.New("down")
				}
			}
			mu.Unlock()
			time.Sleep(2 * time.Millisecond)
			mu.Lock()
			if strings.HasSuffix(model.HostOf(inbox), ".evil.example") {
				now--
			}
			mu.Unlock()
			all = append(all, is)
		}
		return all, ctx.Err()
	}
	_, err := e.Raw.Collection(model.Outgoings).Doc("o").Set(t.Context(), model.Outgoing{By: "ann", Done: true})
	testenv.Must(t, err)
	deliver := func(host string, due time.Time) {
		t.Helper()
		d := model.RemoteDelivery{OutgoingID: "o", Inbox: "https://" + host + "/inbox", Host: host,
			Domain: federation.RegisteredDomain(host), Attempts: 1, DueAt: due, CreatedAt: due, ExpireAt: due.Add(time.Hour)}
		_, err := e.Raw.Collection(model.RemoteDeliveries).Doc(model.RemoteDeliveryKey("o", d.Inbox)).Set(t.Context(), d)
		testenv.Must(t, err)
	}
	begun := e.Clock.Now()
	for i := range 230 {
		deliver(fmt.Sprintf("s%d.evil.example", i), begun.Add(-time.Hour))
	}
	deliver("good.example", begun.Add(-time.Minute))
	due := func() int {
		t.Helper()
		n, err := e.Federation.SendDue(t.Context(), func() bool { return false }, send)
		testenv.Must(t, err)
		return n
	}
	if n := due(); n != 1 || asked > 12 || most > 2 {
		t.Errorf("%d arrived, %d of the others were asked, %d at once; want 1, 12 at most, and 2", n, asked, most)
	}
	e.Clock.Add(30 * time.Minute)
	if asked = 0; due() != 0 || asked > 12 {
		t.Errorf("after half an hour %d were asked", asked)
	}
	// Those that are back get theirs.
	mu.Lock()
	down = false
	mu.Unlock()
	arrived := 0
	for range 8 {
		e.Clock.Add(2 * time.Hour)
		arrived += due()
	}
	if left := e.IDs(t, model.RemoteDeliveries); arrived != 230 || len(left) != 0 {
		t.Errorf("%d arrived in the end, %d are left", arrived, len(left))
	}
}

// The deliveries of all hosts of a domain have one limit.
func TestDeliveriesOfOneDomain(t *testing.T) {
	t.Parallel()
	e := open(t, nil)
	for i := 0; i < model.MaxRemoteDeliveries; i += 500 {
		b := e.Raw.BulkWriter(t.Context())
		for j := range 500 {
			host := fmt.Sprintf("s%d.evil.example", i+j)
			_, err := b.Set(e.Raw.Collection(model.RemoteDeliveries).Doc(host), model.RemoteDelivery{Host: host,
				Domain: federation.RegisteredDomain(host)})
			testenv.Must(t, err)
		}
		b.End()
	}
	_, err := e.Raw.Collection(model.RemoteCircuits).Doc("s1.evil.example").Set(t.Context(), model.RemoteCircuit{
		Failures: 1, RetryAt: e.Clock.Now()})
	testenv.Must(t, err)
	o := model.Outgoing{ID: "o", By: "ann", Inboxes: []string{"https://new.evil.example/inbox",
		"https://other.example/inbox"}}
	testenv.Must(t, e.Federation.Enqueue(t.Context(), o))
	snap, err := e.Raw.Collection(model.Outgoings).Doc("o").Get(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, snap.DataTo(&o))
	o.WrittenAt = snap.UpdateTime
	testenv.Must(t, e.Federation.SendNext(t.Context(), &o, func(_ context.Context, _ *model.Outgoing, inboxes []string) (
		all []federation.Outcome, _ error) {
		for _, inbox := range inboxes {
			all = append(all, federation.Outcome{Inbox: inbox, Asked: true, Err: errors.New("down")})
		}
		return all, nil
	}))
	if n := len(e.IDs(t, model.RemoteDeliveries)); n != model.MaxRemoteDeliveries+1 {
		t.Errorf("there are %d deliveries, want that to the other domain more than %d", n, model.MaxRemoteDeliveries)
	}
}

func TestRegisteredDomain(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{"far.example": "far.example", "a.b.far.example": "far.example",
		"a.far.co.uk": "far.co.uk", "a.far.example:8443": "far.example", "127.0.0.1:8080": "127.0.0.1:8080",
		"[::1]:80": "[::1]:80", "localhost": "localhost", "localhost:1": "localhost", "": "", "co.uk": "co.uk"} {
		if got := federation.RegisteredDomain(host); got != want {
			t.Errorf("RegisteredDomain(%q) = %q, want %q", host, got, want)
		}
	}
}
