package federation

import (
	"context"
	"errors"
	"net/url"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Actor returns the actor of another server with an address, which is its own or that of one of its keys. It fetches an
// actor that is not known, or whose time is over. One that is not there is errs.NotFound; a server that does not answer
// is errs.Unavailable. Both are remembered for [Again].
//
// Cost: 1 read a minute, and for an actor that is fetched that of the installation's key.
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
// Cost: nothing, and that of the installation's key if it is fetched.
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

// ErrBusy is in the error of a fetch that did not begin: too many go on, or went on within the last minute.
var ErrBusy = errors.New("too many fetches")

// mayFetch reports whether an actor may be fetched now, and returns what ends the fetch. Nobody waits for another
// fetch: the addresses come from strangers, whose servers may be slow on purpose, and who waits holds a place among the
// readers of public pages. For the same reason a host is asked [hostAtOnce] times at once, and [hostAMinute] a minute.
func (s *Store) mayFetch(address string) (done func(), err error) {
	busy := &errs.Error{Kind: errs.Unavailable, Code: "remote_unavailable", Msg: "Too many actors are being fetched.",
		Err: ErrBusy}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errs.New(errs.NotFound, "no_remote_actor", "there is no actor at this address: it is no address")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hostOf(u.Host)
	if s.fetching >= fetchesAtOnce || h.fetching >= hostAtOnce || !h.allowed.AllowN(s.db.Now(), 1) {
		return nil, busy
	}
	s.fetching++
	h.fetching++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.fetching--
		h.fetching--
	}, nil
}

// guarded fetches something of an address within the limits of [Store.mayFetch], by the installation's key. A failure
// is
// remembered for Again under a name. Nothing is asked of a host that is cut off.
func (s *Store) guarded(ctx context.Context, address, name string, fetch func(model.SigningKey) error) error {
	if f, ok := s.failed.Get(name); ok && s.db.Now().Before(f.until) {
		return f.err
	}
	if err := s.RefuseSuspended(ctx, address); err != nil {
		return err
	}
	done, err := s.mayFetch(address)
	if err != nil {
		return err
	}
	defer done()
	by, err := s.SigningKey(ctx, "")
	if err != nil {
		return err
	}
	if err = fetch(by); err != nil && ctx.Err() == nil {
		s.failed.Add(name, failure{err, s.db.Now().Add(Again)})
	}
	return err
}

// fetchActor fetches an actor, and writes nothing: see Keep.
func (s *Store) fetchActor(ctx context.Context, address string) (*model.RemoteActor, error) {
	if s.o.Fetch == nil {
		return nil, errs.New(errs.NotFound, "federation_off", "this installation does not federate")
	}
	var fetched model.RemoteActor
	err := s.guarded(ctx, address, address, func(by model.SigningKey) (err error) {
		fetched, err = s.o.Fetch(ctx, address, by)
		return err
	})
	if err != nil {
		return nil, err
	}
	fetched.Address = address
	a := fetched.Kept(s.db.Time())
	a.Unkept = true
	return &a, nil
}

// Keep writes an actor that was fetched, once. Callers keep an actor when a signature by one of its keys held: anybody
// can name addresses, and only who has a key makes a document.
//
// Cost: 1 write for an actor that was fetched, else nothing.
func (s *Store) Keep(ctx context.Context, a *model.RemoteActor) (err error) {
	defer errs.Wrap(&err, "federation.Keep(%q)", a.Address)
	if !a.Unkept {
		return nil
	}
	kept := *a
	kept.Unkept = false
	if _, err := s.actor(a.Address).Set(ctx, kept); err != nil {
		return err
	}
	s.actors.Put(a.Address, &kept)
	s.fresh.Put(a.Address, &kept)
	return nil
}
