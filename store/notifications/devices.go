// This file keeps the browsers and apps of users that show notifications in the background, and sends notifications to
// them. A device is a source document that only its user changes.

package notifications

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Devices keeps devices. Its methods may be called concurrently. Their errors are those of package
// errs.
type Devices struct {
	db     *db.DB
	access *access.Store
	DeviceOptions
}

// DeviceOptions say how messages go to devices.
type DeviceOptions struct {
	// Send sends a message to a device of a user, and returns whether the device is gone. If nil, nothing is sent.
	Send func(context.Context, model.UserID, model.Device, model.DeviceMessage) (gone bool, err error)
	Log  *slog.Logger
}

// NewDevices returns the devices of a database. Only packages below store have a [db.DB].
func NewDevices(d *db.DB, a *access.Store, o DeviceOptions) *Devices { return &Devices{d, a, o} }

// Put registers a device of a user under an id, or replaces it. Put removes the same browser or app under another id. A
// device of another form is errs.Invalid. One device more than [model.MaxDevices] is errs.Conflict. A user without a
// profile is errs.Forbidden. The device of an access token that has ended is errs.Unauthenticated (invalid_token): a
// request that a process let in before would else leave a device that nothing takes away.
//
// Cost: 1 read and 1 write; 1 read more for the device of an access token, and for a user whose profile this process
// has not cached.
func (s *Devices) Put(ctx context.Context, uid model.UserID, id string, device model.Device) (err error) {
	defer errs.Wrap(&err, "notifications.Put(%q, %q)", uid, id)
	if device, err = model.NewDevice(device); err != nil {
		return err
	}
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return err
	}
	device.At = s.db.Time()
	return s.changeBy(ctx, uid, device.Token, func(d *model.Devices) (bool, error) {
		if is := d.Devices[id]; is.Same(device) && is.At.Equal(device.At) {
			return false, nil
		}
		return true, d.Put(id, device)
	})
}

// stands returns an error if an access token, by its hash, has ended. An empty one is none.
//
// Cost: 1 read for a token.
func (s *Devices) stands(tx *firestore.Transaction, token string) error {
	if token == "" {
		return nil
	}
	found, err := db.GetIn(tx, s.db.Doc(model.OAuthTokens, token), nil)
	if err == nil && !found {
		err = errs.New(errs.Unauthenticated, "invalid_token", "the access token was revoked; sign in again")
	}
	return err
}

// ChangeApp changes of what types of notifications an app for Mastodon is told. token is the hash of the access token
// of an app that asks for this; such an app changes the devices of its token alone, and else it is errs.Forbidden. A
// device that is no app is errs.NotFound.
//
// Cost: 1 read, and 1 write if that changes anything.
func (s *Devices) ChangeApp(ctx context.Context, uid model.UserID, id, token string, alerts []string) (err error) {
	defer errs.Wrap(&err, "notifications.ChangeApp(%q, %q)", uid, id)
	return s.change(ctx, uid, func(d *model.Devices) (bool, error) { return d.ChangeApp(id, token, alerts) })
}

// Remove removes a device. token is as for [Devices.ChangeApp]. If the device does not exist, Remove changes nothing.
//
// Cost: 1 read, and 1 write if the device exists.
func (s *Devices) Remove(ctx context.Context, uid model.UserID, id, token string) (err error) {
	defer errs.Wrap(&err, "notifications.Remove(%q, %q)", uid, id)
	return s.change(ctx, uid, func(d *model.Devices) (bool, error) { return d.Drop(id, token) })
}

// RemoveIn removes, in a transaction, the devices that were registered by one of some access tokens, by their hashes.
// It reads at once, and returns what writes.
//
// Cost: 1 read, and 1 write if there is such a device.
func (s *Devices) RemoveIn(tx *firestore.Transaction, uid model.UserID, tokens []string) (write func() error,
	err error) {
	d := model.Devices{UserID: uid}
	if _, err := db.GetIn(tx, s.ref(uid), &d); err != nil {
		return nil, err
	}
	switch {
	case !d.DropOf(tokens):
		return func() error { return nil }, nil
	case len(d.Devices) == 0:
		return func() error { return tx.Delete(s.ref(uid)) }, nil
	}
	return func() error { return tx.Set(s.ref(uid), d) }, nil
}

// RemoveBefore removes the devices of a user that were registered before a time.
//
// Cost: 1 read; 1 read and 1 write more if there is such a device.
func (s *Devices) RemoveBefore(ctx context.Context, uid model.UserID, at time.Time) (err error) {
	defer errs.Wrap(&err, "notifications.RemoveBefore(%q)", uid)
	all, err := s.Of(ctx, uid)
	if old := (&model.Devices{Devices: all}); err != nil || !old.DropBefore(at) {
		return err
	}
	return s.change(ctx, uid, func(d *model.Devices) (bool, error) { return d.DropBefore(at), nil })
}

// Of reads the devices of a user, by their ids.
//
// Cost: 1 read.
func (s *Devices) Of(ctx context.Context, uid model.UserID) (_ map[string]model.Device, err error) {
	defer errs.Wrap(&err, "notifications.Of(%q)", uid)
	var d model.Devices
	_, err = s.db.Get(ctx, s.ref(uid), &d)
	return d.Devices, err
}

// sendTime bounds the time for all messages of a change to a user's notifications. A flush of notifications ends within
// 8 s. sendsAtOnce is how many of the messages are sent concurrently.
const sendTime, sendsAtOnce = 2 * time.Second, 50

// change is a notification that was written. before is the notification before the write, or nil.
type change struct {
	id            string
	before, after *model.Notification
}

// notify sends the notifications of a user that one commit wrote to the user's devices, each if its change is worth a
// message, see [model.Notification.Sends]. A device that cannot be reached gets no message, and neither do devices
// whose documents cannot be read. notify logs that, and removes a device that is gone.
//
// Cost: nothing if there is nothing to send. Else 1 read; up to 2 reads for each message if there are devices; 1 write
// if one of them is gone.
func (s *Devices) notify(ctx context.Context, uid model.UserID, written []change) {
	now := s.db.Now()
	news := slices.DeleteFunc(written, func(c change) bool {
		return !c.after.Sends(c.before) || now.Sub(c.after.UpdatedAt) > model.SendWithin
	})
	if s.Send == nil || len(news) == 0 {
		return
	}
	if err := safely.Do(func() error { return s.send(ctx, uid, news) }); err != nil {
		s.Log.WarnContext(ctx, "devices get no message", "error", err)
	}
}

// send sends notifications to the devices of a user.
//
// Cost: see notify.
func (s *Devices) send(ctx context.Context, uid model.UserID, news []change) error {
	devices, err := s.Of(ctx, uid)
	if err != nil || len(devices) == 0 {
		return err
	}
	messages, err := s.messages(ctx, news)
	if err != nil {
		return err
	}
	return s.sendAll(ctx, uid, devices, messages)
}

// Message sends the message that m makes to the devices of a user, if m says so. m is called for a user with devices
// alone. A device that cannot be reached gets none, and one that is gone
// is removed.
//
// Cost: nothing if nothing is sent at all. Else 1 read; 1 write if a device is gone.
func (s *Devices) Message(ctx context.Context, uid model.UserID, m func(context.Context) (model.DeviceMessage, bool,
	error)) (err error) {
	defer errs.Wrap(&err, "notifications.Message(%q)", uid)
	if s.Send == nil {
		return nil
	}
	devices, err := s.Of(ctx, uid)
	if err != nil || len(devices) == 0 {
		return err
	}
	message, ok, err := m(ctx)
	if err != nil || !ok {
		return err
	}
	return s.sendAll(ctx, uid, devices, []model.DeviceMessage{message})
}

// sendAll sends messages to devices, and removes those that are gone.
func (s *Devices) sendAll(ctx context.Context, uid model.UserID, devices map[string]model.Device,
	messages []model.DeviceMessage) error {
	gone := map[string]model.Device{}
	sending, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	var mu sync.Mutex
	var g safely.Group
	g.SetLimit(sendsAtOnce)
	for _, m := range messages {
		m.RecipientID = uid
		for id, device := range devices {
			if !device.Wants(m) {
				continue
			}
			g.Go(func() error {
				var lost bool
				err := safely.Do(func() (err error) { lost, err = s.Send(sending, uid, device, m); return err })
				if err != nil {
					s.Log.WarnContext(ctx, "a push to a device failed", "error", err)
				}
				if lost {
					mu.Lock()
					defer mu.Unlock()
					gone[id] = device
				}
				return nil
			})
		}
	}
	_ = g.Wait()
	if len(gone) == 0 {
		return nil
	}
	return s.change(ctx, uid, func(d *model.Devices) (bool, error) {
		n := len(d.Devices)
		maps.DeleteFunc(d.Devices, func(id string, is model.Device) bool { // a device that was registered meanwhile stays
			was, ok := gone[id]
			return ok && is.Same(was) && is.At.Equal(was.At)
		})
		return len(d.Devices) < n, nil
	})
}

// messages makes the messages about notifications.
//
// Cost: 1 read for each user and tweet.
func (s *Devices) messages(ctx context.Context, news []change) ([]model.DeviceMessage, error) {
	var l db.Lookup
	actors, about := make([]*db.Found[model.User], len(news)), make([]*db.Found[model.Tweet], len(news))
	for i, c := range news {
		actors[i], about[i] = db.Find[model.User](&l, s.db.User(c.after.Records[0].UserID)), &db.Found[model.Tweet]{}
		if id := c.after.About(); id != "" {
			about[i] = db.Find[model.Tweet](&l, s.db.Tweet(id))
		}
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	messages := make([]model.DeviceMessage, len(news))
	for i, c := range news { // an empty document says as much as none
		messages[i] = model.NewDeviceMessage(c.id, c.after, &actors[i].Doc, &about[i].Doc)
	}
	return messages, nil
}

// change changes the devices of a user in a transaction. to returns whether something changed. A document without
// devices is deleted.
func (s *Devices) change(ctx context.Context, uid model.UserID, to func(*model.Devices) (bool, error)) error {
	return s.changeBy(ctx, uid, "", to)
}

// changeBy is change for an access token that stands, by its hash, or for none.
func (s *Devices) changeBy(ctx context.Context, uid model.UserID, token string,
	to func(*model.Devices) (bool, error)) error {
	return s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		if err := s.stands(tx, token); err != nil {
			return err
		}
		d := model.Devices{UserID: uid}
		if _, err := db.GetIn(tx, s.ref(uid), &d); err != nil {
			return err
		}
		changed, err := to(&d)
		if err != nil || !changed {
			return err
		}
		if len(d.Devices) == 0 {
			return tx.Delete(s.ref(uid))
		}
		return tx.Set(s.ref(uid), d)
	}, func(ctx context.Context) (bool, error) {
		d := model.Devices{UserID: uid}
		if _, err := s.db.Get(ctx, s.ref(uid), &d); err != nil {
			return false, err
		}
		changed, err := to(&d)
		return !changed, err
	})
}

// ref names the document with a user's devices.
func (s *Devices) ref(uid model.UserID) *firestore.DocumentRef {
	return s.db.Doc(model.DeviceLists, string(uid))
}

// DeviceIDs are the ids of devices, the last registered first.
func DeviceIDs(devices map[string]model.Device) []string {
	ids := slices.Sorted(maps.Keys(devices))
	slices.SortStableFunc(ids, func(a, b string) int { return devices[b].At.Compare(devices[a].At) })
	return ids
}
