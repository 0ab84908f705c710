package federation

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// flight is a value that callers at once share.
func flight[T any](s *Store, name string, f func() (T, error)) (is T, err error) {
	v, err, _ := s.flights.Do(name, func() (any, error) { return f() })
	if err != nil {
		return is, err
	}
	return v.(T), nil
}

// Fetch fetches the object of an address of another server, and keeps nothing. Callers at once share a fetch. The
// limits and the errors are those of [Store.Refetch]: a failure is remembered for [Again].
//
// Cost: that of the installation's key.
func (s *Store) Fetch(ctx context.Context, address string) (is model.RemoteObject, err error) {
	defer errs.Wrap(&err, "federation.Fetch")
	if s.o.FetchObject == nil {
		return is, off()
	}
	return flight(s, "object "+address, func() (is model.RemoteObject, err error) {
		err = s.guarded(ctx, address, "object "+address, func(by model.SigningKey) (err error) {
			is, err = s.o.FetchObject(ctx, address, by)
			return err
		})
		return is, err
	})
}

func off() error {
	return errs.New(errs.NotFound, "federation_off", "this installation does not federate")
}

// Object returns the object of an address of another server: the document that is kept, or the one that is fetched and
// kept for as long as its server says, between [model.MinRemoteObject] and [model.MaxRemoteObject]. An object above
// [model.MaxKeptObject] is not kept. The errors are those of [Store.Fetch].
//
// Cost: 1 read; for a fetch that of Fetch, and 1 write.
func (s *Store) Object(ctx context.Context, address string) (_ model.RemoteObject, err error) {
	defer errs.Wrap(&err, "federation.Object")
	ref := s.db.Doc(model.RemoteObjects, model.RemoteActorKey(address))
	is := &model.RemoteCopy{}
	found, err := s.db.Get(ctx, ref, is)
	if err != nil {
		return model.RemoteObject{}, err
	}
	if found && is.Address == address && s.db.Now().Before(is.ExpireAt) {
		return is.Object(), nil
	}
	fetched, err := s.Fetch(ctx, address)
	if err == nil && len(fetched.JSON) <= model.MaxKeptObject {
		_, err = ref.Set(ctx, fetched.Kept(s.db.Time()))
	}
	return fetched, err
}

// Finger returns what the WebFinger of a host says of a handle, such as acct:bob@example.org: as it is kept, or as it
// is asked and kept for as long as its server says. A host that has no WebFinger at the usual place is asked at the
// template of its host-meta, which is kept, too. fresh asks anew. The limits and the errors are those of [Store.Fetch].
//
// Cost: 1 read, and 1 write for an answer; 1 read and 1 write more for a host with a template, 1 read for a host that
// does not know the handle.
func (s *Store) Finger(ctx context.Context, host, account string, fresh bool) (_ model.Finger, err error) {
	defer errs.Wrap(&err, "federation.Finger")
	if s.o.Finger == nil {
		return model.Finger{}, off()
	}
	ref := s.db.Doc(model.RemoteActors, model.RemoteActorKey(account)).Collection(model.RemoteFacets).
		Doc(model.WebFingerFacet)
	if !fresh {
		is := &model.RemoteFacet{}
		found, err := s.db.Get(ctx, ref, is)
		if err != nil {
			return model.Finger{}, err
		}
		if found && is.Account == account && s.db.Now().Before(is.ExpireAt) {
			return is.Finger(), nil
		}
	}
	return flight(s, "finger "+host+" "+account, func() (is model.Finger, err error) {
		if is, err = s.ask(ctx, host, account); err != nil {
			return is, err
		}
		_, err = ref.Set(ctx, is.Kept(account, s.db.Time()))
		return is, err
	})
}

// ask asks the WebFinger of a host.
func (s *Store) ask(ctx context.Context, host, account string) (is model.Finger, err error) {
	err = s.guarded(ctx, "https://"+host, "finger "+host+" "+account, func(model.SigningKey) (err error) {
		if is, err = s.o.Finger(ctx, host, "", account); errs.KindOf(err) != errs.NotFound || err == nil {
			return err
		}
		template, failed := s.template(ctx, host)
		if failed != nil || template == "" {
			return err
		}
		is, err = s.o.Finger(ctx, host, template, account)
		return err
	})
	return is, err
}

// template returns the address of the WebFinger of a host without one at the usual place; empty for none. It is kept.
//
// Cost: 1 read, and 1 write if the host is asked.
func (s *Store) template(ctx context.Context, host string) (string, error) {
	ref := s.db.Doc(model.RemoteServers, host)
	is := &model.RemoteServer{}
	found, err := s.db.Get(ctx, ref, is)
	if err != nil || found && is.Template != "" && s.db.Now().Before(is.ExpireAt) {
		return is.Template, err
	}
	template, age, err := s.o.Template(ctx, host)
	if err != nil {
		return "", err
	}
	expires := s.db.Time().Add(min(max(age, time.Hour), model.RemoteServerAge))
	_, err = ref.Set(ctx, map[string]any{"lrddTemplate": template, "expireAt": expires}, firestore.MergeAll)
	return template, err
}
