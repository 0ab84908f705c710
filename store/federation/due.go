package federation

import (
	"context"
	"net"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/net/publicsuffix"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// dueAtOnce is how many deliveries a run of SendDue reads at once, and duePages how often.
	dueAtOnce, duePages = 100, 3
	// hostsAtOnce is how many hosts it asks at once, and domainAtOnce how many of them of one registered domain.
	hostsAtOnce, domainAtOnce = 16, 2
	// domainFailures is how many hosts of one registered domain fail in a run, while none of its hosts takes anything,
	// until the others wait for domainPause. So nobody who has thousands of hosts below a domain holds up others.
	domainFailures, domainPause = 5, time.Hour
	// sendLease is for how long an attempt is one process's. It is longer than a tick.
	sendLease = 2 * time.Minute
)

// dueRun is a run of SendDue.
type dueRun struct {
	over    func() bool
	send    Send
	places  chan struct{}
	mu      sync.Mutex
	domains map[string]*dueDomain
}

// dueDomain is what a run knows of a registered domain.
type dueDomain struct {
	places chan struct{}
	mu     sync.Mutex
	failed int  // hosts that failed
	takes  bool // a host took something
}

// domain returns what the run knows of the registered domain of a host.
func (r *dueRun) domain(host string) *dueDomain {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := registeredDomain(host)
	if r.domains[name] == nil {
		r.domains[name] = &dueDomain{places: make(chan struct{}, domainAtOnce)}
	}
	return r.domains[name]
}

// note counts what became of an attempt. failed is true for the first failure of a host.
func (d *dueDomain) note(came, failed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.takes = d.takes || came
	if failed {
		d.failed++
	}
}

// down reports whether the hosts of the domain are asked no more in this run.
func (d *dueDomain) down() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.takes && d.failed >= domainFailures
}

// registeredDomain is the part of a host that somebody registered, such as far.example for a.b.far.example: whoever
// has it may have any number of hosts below it. It is the host itself for an address of the network and for a public
// suffix.
func registeredDomain(host string) string {
	name := host
	if bare, _, err := net.SplitHostPort(host); err == nil {
		if net.ParseIP(bare) != nil {
			return host
		}
		name = bare
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(strings.Trim(name, ".")); err == nil {
		return domain
	}
	return name
}

// SendDue tries the deliveries that are due, at most 300, until over returns true, and returns how many arrived. Hosts
// are asked at the same time; after a failure the rest of a host's deliveries wait, and after some failing hosts of one
// registered domain those of its other hosts. A delivery is tried for some 3 days, and is then given up; one whose
// inbox is gone is given up at once. Two runs at the same time send a delivery once, unless a process ends between the
// answer and its commit.
//
// Cost: 1 read if nothing is due. Each attempt costs 2 or 3 reads and 2 writes, one that waits 1 read and 1 write, and
// the servers what they do in SendNext.
func (s *Store) SendDue(ctx context.Context, over func() bool, send Send) (arrived int, err error) {
	defer errs.Wrap(&err, "federation.SendDue")
	run := &dueRun{over: over, send: send, places: make(chan struct{}, hostsAtOnce), domains: map[string]*dueDomain{}}
	for range duePages {
		due, err := s.db.All(ctx, s.db.Client.Collection(model.RemoteDeliveries).Where(fields.DueAt, "<=", s.db.Time()).
			OrderBy(fields.DueAt, firestore.Asc).Limit(dueAtOnce))
		if err != nil {
			return arrived, err
		}
		n, err := s.sendAll(ctx, run, due)
		if arrived += n; err != nil || len(due) < dueAtOnce || over() {
			return arrived, err
		}
	}
	return arrived, nil
}

// sendAll tries deliveries.
func (s *Store) sendAll(ctx context.Context, run *dueRun, due []*firestore.DocumentSnapshot) (arrived int, err error) {
	byHost := map[string][]*firestore.DocumentSnapshot{}
	for _, snap := range due {
		host, _ := snap.Data()[fields.Host].(string)
		byHost[host] = append(byHost[host], snap)
	}
	var group safely.Group
	counts := make(chan int, len(byHost))
	for host, snaps := range byHost {
		domain := run.domain(host)
		group.Go(func() error {
			domain.places <- struct{}{}
			defer func() { <-domain.places }()
			run.places <- struct{}{}
			defer func() { <-run.places }()
			n, err := s.sendTo(ctx, run, host, snaps)
			counts <- n
			return err
		})
	}
	err = group.Wait()
	close(counts)
	for n := range counts {
		arrived += n
	}
	return arrived, err
}

// sendTo tries the deliveries of one host that are due, until one fails.
func (s *Store) sendTo(ctx context.Context, run *dueRun, host string, snaps []*firestore.DocumentSnapshot) (arrived int,
	err error) {
	domain := run.domain(host)
	again := true // whether the host is asked again
	for _, snap := range snaps {
		if run.over() {
			return arrived, nil
		}
		d := &model.RemoteDelivery{ID: snap.Ref.ID}
		if err := snap.DataTo(d); err != nil {
			return arrived, err
		}
		failing, err := s.failing(ctx)
		if err != nil {
			return arrived, err
		}
		now := s.db.Time()
		until := now.Add(time.Minute)
		server := failing.of(host)
		if server != nil && server.RetryAt.After(until) {
			until = server.RetryAt
		}
		if again && domain.down() && until.Before(now.Add(domainPause)) {
			until = now.Add(domainPause)
		}
		if !again || server.Open(now) || domain.down() {
			if err := s.putOff(ctx, snap, d, until); err != nil {
				return arrived, err
			}
			continue
		}
		came, failed, err := s.attempt(ctx, snap, d, run.send)
		if err != nil {
			return arrived, err
		}
		domain.note(came, failed)
		if came {
			arrived++
		}
		again = !failed
	}
	return arrived, nil
}

// putOff lets a delivery wait for its host.
func (s *Store) putOff(ctx context.Context, snap *firestore.DocumentSnapshot, d *model.RemoteDelivery,
	until time.Time) error {
	updates := []firestore.Update{{Path: fields.DueAt, Value: until}}
	if until.Sub(d.CreatedAt) > model.OutgoingWindow-12*time.Hour {
		updates = []firestore.Update{{Path: fields.DueAt, Value: firestore.Delete}} // given up
	}
	_, err := snap.Ref.Update(ctx, updates, firestore.LastUpdateTime(snap.UpdateTime))
	if db.Outdated(err) || db.NotFound(err) {
		return nil
	}
	return err
}

// attempt tries a delivery, and returns whether it arrived, and whether its host failed.
func (s *Store) attempt(ctx context.Context, snap *firestore.DocumentSnapshot, d *model.RemoteDelivery,
	send Send) (arrived, failed bool, err error) {
	claimed, err := snap.Ref.Update(ctx, []firestore.Update{{Path: fields.DueAt, Value: s.db.Time().Add(sendLease)}},
		firestore.LastUpdateTime(snap.UpdateTime))
	if db.Outdated(err) || db.NotFound(err) { // another process has it
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	same := firestore.LastUpdateTime(claimed.UpdateTime)
	o := &model.Outgoing{ID: d.OutgoingID}
	found, err := s.db.Get(ctx, s.outgoing(o.ID), o)
	if err != nil {
		return false, false, err
	}
	gone := !found
	if found {
		if gone, err = s.gone(ctx, o); err != nil {
			return false, false, err
		}
	}
	if gone {
		return false, false, late(snap.Ref.Delete(ctx, same))
	}
	outcomes, err := send(ctx, o, []string{d.Inbox})
	if err != nil {
		return false, false, err // the lease ends
	}
	is := outcomes[0]
	if !is.Asked {
		return false, true, nil // the lease ends
	}
	if err := s.dropGone(ctx, o, is); err != nil {
		return false, false, err
	}
	now := s.db.Time()
	failing, err := s.failing(ctx)
	if err != nil {
		return false, false, err
	}
	servers := map[string]*model.RemoteCircuit{}
	if is.Err == nil || is.Gone && is.Status != 0 {
		if failing.of(d.Host) != nil {
			servers[d.Host] = nil
		}
	} else if !is.Gone {
		next := failing.orNew(d.Host).Failed(now)
		servers[d.Host] = &next
	}
	if err := s.noteServers(ctx, servers); err != nil {
		return false, false, err
	}
	if is.Err == nil || is.Gone {
		return is.Err == nil, false, late(snap.Ref.Delete(ctx, same))
	}
	next, again := model.NextRemoteAttempt(d.Attempts+1, now)
	updates := []firestore.Update{{Path: fields.Attempts, Value: d.Attempts + 1}, {Path: fields.Status, Value: is.Status},
		{Path: fields.Failure, Value: model.Snippet(is.Err.Error(), model.MaxRemoteFailure)},
		{Path: fields.DueAt, Value: firestore.Delete}}
	if again {
		updates[3].Value = next
	}
	return false, true, late(snap.Ref.Update(ctx, updates, same))
}
