package federation

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Actor returns the actor of another server with an address, which is its own or that of one of its keys. It fetches an
// actor that is not known, or whose time is over. One that is not there is errs.NotFound; a server that does not answer
// is errs.Unavailable. Both are remembered for [Again].
//
// Cost: 1 read a minute; 1 read and 1 write for an actor that is fetched, and that of the installation's key.
func (s *Store) Actor(ctx context.Context, address string) (_ *model.RemoteActor, err error) {
	defer errs.Wrap(&err, "federation.Actor")
	a, _, err := s.actors.One(ctx, address)
	if err == nil && !s.db.Now().Before(a.ExpireAt) {
		return s.Refetch(ctx, address)
	}
	return a, err
}

// Refetch returns an actor as its server has it now, or had it within [Again]: its keys may have changed. Callers at
// once share a fetch.
//
// Cost: 1 write if it is fetched.
func (s *Store) Refetch(ctx context.Context, address string) (_ *model.RemoteActor, err error) {
	defer errs.Wrap(&err, "federation.Refetch")
	a, _, err := s.fresh.One(ctx, address)
	if err == nil {
		s.actors.Put(address, a)
	}
	return a, err
}

func (s *Store) actor(address string) *firestore.DocumentRef {
	return s.db.Doc(model.RemoteActors, model.RemoteActorKey(address))
}

// readActor reads an actor for the cache. A document of another address would be a mistake or an attack.
func (s *Store) readActor(ctx context.Context, address string) (*model.RemoteActor, error) {
	is := &model.RemoteActor{}
	found, err := s.db.Get(ctx, s.actor(address), is)
	if err != nil {
		return nil, err
	}
	if found && is.Address == address && s.db.Now().Before(is.ExpireAt) {
		return is, nil
	}
	a, _, err := s.fresh.One(ctx, address)
	return a, err
}

// fetchActor fetches an actor and writes it.
func (s *Store) fetchActor(ctx context.Context, address string) (*model.RemoteActor, error) {
	if s.o.Fetch == nil {
		return nil, errs.New(errs.NotFound, "federation_off", "this installation does not federate")
	}
	if f, ok := s.failed.Get(address); ok && s.db.Now().Before(f.until) {
		return nil, f.err
	}
	select {
	case s.fetching <- struct{}{}:
		defer func() { <-s.fetching }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	by, err := s.SigningKey(ctx, "")
	if err != nil {
		return nil, err
	}
	fetched, err := s.o.Fetch(ctx, address, by)
	if err != nil {
		if ctx.Err() == nil {
			s.failed.Add(address, failure{err, s.db.Now().Add(Again)})
		}
		return nil, err
	}
	fetched.Address = address
	a := fetched.Kept(s.db.Time())
	if _, err := s.actor(address).Set(ctx, a); err != nil {
		return nil, err
	}
	return &a, nil
}
