package federation

import (
	"cmp"
	"context"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// serversEvery is for how long a process uses the list of servers that fail. It learns at once what it sees itself.
	serversEvery = 5 * time.Minute
	// maxFailing is how many of them it knows, those that were left alone longest first.
	maxFailing = 1_000
)

// Outcome is what became of an attempt to send an activity to an inbox.
type Outcome struct {
	Inbox  string
	Asked  bool  // false if there was no time: then the next step asks
	Status int   // HTTP status of the answer; 0 without one
	Err    error // nil if the inbox took the activity
	Gone   bool  // the inbox is not there any more, or takes no such activity: no attempt will be better
}

// dropGone takes the inboxes that answered 410, gone for good, out of the audience that an activity is for.
func (s *Store) dropGone(ctx context.Context, o *model.Outgoing, outcomes ...Outcome) error {
	var gone []string
	for _, is := range outcomes {
		if is.Err != nil && is.Status == http.StatusGone {
			gone = append(gone, is.Inbox)
		}
	}
	if len(gone) == 0 || o.Of == "" {
		return nil
	}
	return s.dropInboxes(ctx, o.Of, gone)
}

// Send sends an activity to inboxes, and returns an outcome for each, in their order. An error is a failure of this
// installation: it counts against no server, and the step or the attempt is made again.
type Send func(ctx context.Context, o *model.Outgoing, inboxes []string) ([]Outcome, error)

// Enqueue leaves an activity for other servers. One that is there already stays as it is. Without inboxes and followers
// there is nothing to do. An activity that is too large is errs.Invalid.
//
// Cost: 1 write.
func (s *Store) Enqueue(ctx context.Context, o model.Outgoing) (err error) {
	defer errs.Wrap(&err, "federation.Enqueue(%q, %s)", o.By, o.What)
	if len(o.Body) > model.MaxOutgoingBody || len(o.Inboxes) > model.MaxOutgoingInboxes {
		return errs.New(errs.Invalid, "too_large", "an activity of %d bytes for %d inboxes is too large", len(o.Body),
			len(o.Inboxes))
	}
	if len(o.Inboxes) == 0 && o.Of == "" {
		return nil
	}
	o.CreatedAt = s.db.Time()
	o.ExpireAt = o.CreatedAt.Add(model.OutgoingWindow)
	_, err = s.outgoing(o.ID).Create(ctx, o)
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}

func (s *Store) outgoing(id string) *firestore.DocumentRef { return s.db.Doc(model.Outgoings, id) }

// SealedKey returns the key of a user as it is kept, so that what a deleted account signs can outlive it.
//
// Cost: that of Key.
func (s *Store) SealedKey(ctx context.Context, uid model.UserID) (_ *model.ActorKey, err error) {
	defer errs.Wrap(&err, "federation.SealedKey(%q)", uid)
	k, _, err := s.keys.One(ctx, uid)
	return k, err
}

// KeyOf returns the key that signs an activity.
//
// Cost: that of Key, unless the activity has its own.
func (s *Store) KeyOf(ctx context.Context, o *model.Outgoing) (_ model.SigningKey, err error) {
	if o.Key == nil {
		return s.SigningKey(ctx, o.By)
	}
	defer errs.Wrap(&err, "federation.KeyOf(%q)", o.By)
	place := placeOf(o.By, o.Key.ID)
	if private, ok := s.private.Get(place); ok {
		return model.SigningKey{ID: o.Key.ID, Private: private}, nil
	}
	data, err := s.o.Box.Open(ctx, o.Key.Sealed, o.Key.SealedBy, place)
	if err != nil {
		return model.SigningKey{}, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(data)
	if err != nil {
		return model.SigningKey{}, err
	}
	private, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return model.SigningKey{}, fmt.Errorf("the key of %q is a %T", o.By, parsed)
	}
	s.private.Add(place, private)
	return model.SigningKey{ID: o.Key.ID, Private: private}, nil
}

// gone reports whether an activity must not go out any more: its post is gone, has fewer readers than it had, or is
// hidden by moderators; or what it tells of is over, or holds again.
//
// Cost: 1 read for an activity that tells of a post, and 1 for each other document that it tells of.
func (s *Store) gone(ctx context.Context, o *model.Outgoing) (bool, error) {
	var l db.Lookup
	t := &db.Found[model.Tweet]{}
	if o.Tweet != "" {
		t = db.Find[model.Tweet](&l, s.db.Tweet(o.Tweet))
	}
	type act struct {
		CreatedAt time.Time `firestore:"createdAt"`
	}
	acts := make([]*db.Found[act], len(o.Tells))
	for i, path := range o.Tells {
		acts[i] = db.Find[act](&l, s.db.Client.Doc(path))
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return false, err
	}
	if o.Tweet != "" && (!t.Found || t.Doc.IsViolative || o.Audience.Wider(cmp.Or(t.Doc.Visibility, model.Public))) {
		return true, nil
	}
	holds := slices.ContainsFunc(acts, func(is *db.Found[act]) bool {
		return is.Found && (o.Since.IsZero() || is.Doc.CreatedAt.Equal(o.Since))
	})
	return len(acts) > 0 && holds == o.Since.IsZero(), nil
}

// SendNext does the next step of an activity: it sends it to at most [model.OutgoingStep] inboxes, and leaves a
// delivery
// for each that did not take it. Hosts that failed too often wait without being asked. A step that dies is done again:
// then inboxes get the activity twice, with the same id.
//
// Cost: 1 read, 1 for a post, 1 or more for the audience, and 1 write; 2 writes for each inbox that did not take it,
// and
// 1 read if its host has failed before. Inboxes that are gone for good cost 1 read and 1 write together. The servers
// that fail cost 1 read each in 5 minutes, at least 1.
func (s *Store) SendNext(ctx context.Context, o *model.Outgoing, send Send) (err error) {
	defer errs.Wrap(&err, "federation.SendNext(%q)", o.ID)
	if o.Done {
		return nil
	}
	step, current, err := s.db.Begin(ctx, s.outgoing(o.ID), o.WrittenAt)
	if err != nil || !current {
		return err
	}
	over, err := s.gone(ctx, o)
	if err != nil {
		return err
	}
	if over {
		return s.end(ctx, step, o, nil)
	}
	inboxes := o.Inboxes[min(o.Asked, len(o.Inboxes)):]
	inboxes = inboxes[:min(len(inboxes), model.OutgoingStep)]
	named, last := len(inboxes) > 0, true
	var spots []spot
	if !named && o.Of != "" {
		if spots, last, err = s.inboxes(ctx, o.Of, place{o.Part, o.After}, model.OutgoingStep); err != nil {
			return err
		}
		for _, is := range spots {
			inboxes = append(inboxes, is.inbox)
		}
	}
	outcomes, err := s.try(ctx, o, inboxes, !named, send)
	if err != nil {
		return err
	}
	if err := s.dropGone(ctx, o, outcomes...); err != nil {
		return err
	}
	asked := 0
	for asked < len(outcomes) && outcomes[asked].Asked {
		asked++
	}
	if named {
		o.Asked += asked
		last = o.Of == "" && o.Asked >= len(o.Inboxes)
	} else if asked > 0 {
		o.Part, o.After = spots[asked-1].at.part, spots[asked-1].at.key
		last = last && asked == len(spots)
	}
	failures, err := s.failures(ctx, o, outcomes[:asked]) // those after them are asked again
	if err != nil {
		return err
	}
	if last {
		return s.end(ctx, step, o, failures)
	}
	o.Waits = o.Waits || failures != nil
	return step.Save(ctx, map[string]any{fields.Asked: o.Asked, fields.Part: o.Part, fields.After: o.After,
		fields.Waits: o.Waits, fields.ExpireAt: o.CreatedAt.Add(model.OutgoingWindow)}, failures)
}

// end ends the work. The body stays while deliveries wait.
func (s *Store) end(ctx context.Context, step *db.Step, o *model.Outgoing, failures func(*db.Batch)) error {
	if failures == nil && !o.Waits {
		return step.End(ctx, nil)
	}
	return step.Save(ctx, map[string]any{fields.Done: true, fields.Waits: true, fields.Inboxes: firestore.Delete,
		fields.ExpireAt: o.CreatedAt.Add(model.OutgoingWindow)}, failures)
}

// try sends an activity to those inboxes whose hosts are asked now. skipNamed leaves out those that the activity names:
// they have it.
func (s *Store) try(ctx context.Context, o *model.Outgoing, inboxes []string, skipNamed bool, send Send) ([]Outcome,
	error) {
	failing, err := s.failing(ctx)
	if err != nil {
		return nil, err
	}
	now := s.db.Time()
	all := make([]Outcome, len(inboxes))
	var ask []string
	var at []int
	for i, inbox := range inboxes {
		all[i] = Outcome{Inbox: inbox, Asked: true}
		switch {
		case skipNamed && slices.Contains(o.Inboxes, inbox):
		case failing.of(model.HostOf(inbox)).Open(now):
			all[i].Err = errWaits
		default:
			ask, at = append(ask, inbox), append(at, i)
		}
	}
	if len(ask) > 0 {
		outcomes, err := send(ctx, o, ask)
		if err != nil {
			return nil, err
		}
		for i, is := range outcomes {
			all[at[i]] = is
		}
	}
	return all, nil
}

// errWaits is the failure of a delivery to a host that is left alone.
var errWaits = errors.New("the server failed too often, and is left alone for a while")

// failures returns what writes the deliveries that outcomes leave; nil if there are none. It notes which servers fail,
// and which do no more.
func (s *Store) failures(ctx context.Context, o *model.Outgoing, outcomes []Outcome) (func(*db.Batch), error) {
	failing, err := s.failing(ctx)
	if err != nil {
		return nil, err
	}
	now := s.db.Time()
	servers := map[string]*model.RemoteCircuit{} // that changed; nil for one that does not fail any more
	var left []*model.RemoteDelivery
	for _, is := range outcomes {
		host := model.HostOf(is.Inbox)
		known := failing.of(host)
		switch {
		case is.Err == nil || is.Gone && is.Status != 0:
			if known != nil {
				servers[host] = nil
			}
			continue
		case is.Gone:
			continue
		}
		if _, noted := servers[host]; !noted && !errors.Is(is.Err, errWaits) {
			next := failing.orNew(host).Failed(now)
			servers[host] = &next
		}
		domain := registeredDomain(host)
		if known != nil || failing.any(domain) {
			kept, err := db.Count(ctx, s.db.Client.Collection(model.RemoteDeliveries).Where(fields.Domain, "==", domain))
			if err != nil {
				return nil, err
			}
			if kept >= model.MaxRemoteDeliveries {
				s.o.Log.WarnContext(ctx, "a delivery is given up: its domain has too many", "host", host, "outgoing", o.ID)
				continue
			}
		}
		d := &model.RemoteDelivery{ID: model.RemoteDeliveryKey(o.ID, is.Inbox), OutgoingID: o.ID, Inbox: is.Inbox,
			Host: host, Domain: domain, Status: is.Status, Failure: model.Snippet(is.Err.Error(), model.MaxRemoteFailure),
			CreatedAt: now,
			ExpireAt:  now.Add(model.RemoteCircuitWindow)}
		if errors.Is(is.Err, errWaits) {
			d.DueAt = known.RetryAt
		} else {
			d.Attempts = 1
			d.DueAt, _ = model.NextRemoteAttempt(1, now)
		}
		left = append(left, d)
	}
	if err := s.noteServers(ctx, servers); err != nil {
		return nil, err
	}
	if len(left) == 0 {
		return nil, nil
	}
	return func(b *db.Batch) {
		for _, d := range left {
			b.Set(s.db.Doc(model.RemoteDeliveries, d.ID), d)
		}
	}, nil
}

// late is the error of a commit that another process may have overtaken.
func late(_ *firestore.WriteResult, err error) error {
	if db.Outdated(err) || db.NotFound(err) {
		return nil
	}
	return err
}

// Deliveries returns deliveries that wait or were given up, of a host or of all, at most limit.
//
// Cost: 1 read for each, at least 1.
func (s *Store) Deliveries(ctx context.Context, host string, limit int) (all []model.RemoteDelivery, err error) {
	defer errs.Wrap(&err, "federation.Deliveries(%q)", host)
	q := s.db.Client.Collection(model.RemoteDeliveries).Query
	if host != "" {
		q = q.Where(fields.Host, "==", host)
	}
	snaps, err := s.db.All(ctx, q.Limit(limit))
	if err != nil {
		return nil, err
	}
	for _, snap := range snaps {
		d := model.RemoteDelivery{ID: snap.Ref.ID}
		if err := snap.DataTo(&d); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// ActorChanged tells other servers of the present profile or key of a user, if the user has followers there.
//
// Cost: 1 read, and 1 write for a user who has.
func (s *Store) ActorChanged(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "federation.ActorChanged(%q)", uid)
	return s.presently(ctx, uid, "Update")
}

// ActorMoved tells the remote followers of a user to where the user moved.
//
// Cost: that of ActorChanged.
func (s *Store) ActorMoved(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "federation.ActorMoved(%q)", uid)
	return s.presently(ctx, uid, "Move")
}

// presently leaves an activity whose body is made at each step, of what is there then.
func (s *Store) presently(ctx context.Context, uid model.UserID, what string) error {
	has, err := s.HasAudience(ctx, uid)
	if err != nil || !has {
		return err
	}
	return s.Enqueue(ctx, model.Outgoing{ID: model.OutgoingID(fmt.Sprintf("%s %s %d", uid, what,
		s.db.Time().UnixMicro())), By: uid, What: what, Of: uid})
}
