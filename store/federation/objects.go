package federation

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Fetch fetches the object of an address of another server, and keeps nothing. The limits and the errors are those of
// [Store.Refetch]: a failure is remembered for [Again].
//
// Cost: that of the installation's key.
func (s *Store) Fetch(ctx context.Context, address string) (is model.RemoteObject, err error) {
	defer errs.Wrap(&err, "federation.Fetch")
	if s.o.FetchObject == nil {
		return is, errs.New(errs.NotFound, "federation_off", "this installation does not federate")
	}
	err = s.guarded(ctx, address, "object "+address, func(by model.SigningKey) (err error) {
		is, err = s.o.FetchObject(ctx, address, by)
		return err
	})
	return is, err
}

// Finger asks the WebFinger of a host what a handle is, such as acct:bob@example.org. The limits and the errors are
// those of [Store.Fetch].
//
// Cost: that of the installation's key.
func (s *Store) Finger(ctx context.Context, host, account string) (is model.Finger, err error) {
	defer errs.Wrap(&err, "federation.Finger")
	if s.o.Finger == nil {
		return is, errs.New(errs.NotFound, "federation_off", "this installation does not federate")
	}
	err = s.guarded(ctx, "https://"+host, "finger "+host+" "+account, func(model.SigningKey) (err error) {
		is, err = s.o.Finger(ctx, host, "", account)
		return err
	})
	return is, err
}
