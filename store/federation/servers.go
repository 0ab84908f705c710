package federation

import (
	"context"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// failing are the servers that did not take what they got last, by host.
type failing struct {
	mu      sync.Mutex
	readAt  time.Time
	servers map[string]*model.RemoteCircuit
}

// of returns a server; nil if it does not fail.
func (f *failing) of(host string) *model.RemoteCircuit {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.servers[host]
}

// any reports whether a host of a registered domain fails.
func (f *failing) any(domain string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for host := range f.servers {
		if registeredDomain(host) == domain {
			return true
		}
	}
	return false
}

// orNew returns a server, one without failures if it does not fail.
func (f *failing) orNew(host string) model.RemoteCircuit {
	if is := f.of(host); is != nil {
		return *is
	}
	return model.RemoteCircuit{Host: host}
}

// failing returns the servers that fail, as they were within serversEvery, and what this process saw since.
//
// Cost: 1 read for each, at least 1, once in serversEvery.
func (s *Store) failing(ctx context.Context) (*failing, error) {
	f := &s.servers
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := s.db.Now(); f.servers != nil && now.Before(f.readAt.Add(serversEvery)) {
		return f, nil
	}
	snaps, err := s.db.All(ctx, s.db.Client.Collection(model.RemoteCircuits).OrderBy(fields.RetryAt, firestore.Desc).
		Limit(maxFailing))
	if err != nil {
		return nil, err
	}
	f.readAt, f.servers = s.db.Now(), map[string]*model.RemoteCircuit{}
	for _, snap := range snaps {
		is := &model.RemoteCircuit{Host: snap.Ref.ID}
		if err := snap.DataTo(is); err != nil {
			return nil, err
		}
		f.servers[is.Host] = is
	}
	return f, nil
}

// noteServers writes which servers failed once more, and which do not fail any more: those that are nil.
//
// Cost: 1 write for each.
func (s *Store) noteServers(ctx context.Context, servers map[string]*model.RemoteCircuit) error {
	if len(servers) == 0 {
		return nil
	}
	b := s.db.Batch()
	for host, is := range servers {
		if host == "" {
			continue
		}
		ref := s.db.Doc(model.RemoteCircuits, host)
		change := map[string]any{fields.Failures: firestore.Delete, fields.FailedAt: firestore.Delete,
			fields.RetryAt: firestore.Delete}
		if is != nil {
			change = map[string]any{fields.Failures: is.Failures, fields.FailedAt: is.FailedAt, fields.RetryAt: is.RetryAt,
				fields.ExpireAt: is.ExpireAt}
		}
		b.Set(ref, change, firestore.MergeAll)
	}
	if _, err := b.Commit(ctx); err != nil && !db.NotFound(err) {
		return err
	}
	f := &s.servers
	f.mu.Lock()
	defer f.mu.Unlock()
	for host, is := range servers {
		if is == nil {
			delete(f.servers, host)
		} else {
			f.servers[host] = is
		}
	}
	return nil
}
