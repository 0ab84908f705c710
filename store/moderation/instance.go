package moderation

import (
	"context"
	"strconv"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// InstanceEvery is for how long a process keeps the instance that it has read. A change shows after that in every
// process, and at once in the process that made it.
const InstanceEvery = time.Minute

// knownInstance is the instance that a process has read, under one key. Nothing in it changes.
type knownInstance = readcache.Values[string, *model.Instance]

// newKnownInstance returns the cache, which has a bill of its own: each write asks for the instance, and its read is
// not the caller's.
func newKnownInstance(s *Store) knownInstance {
	bill := meter.New()
	c := readcache.New(s.db.Now, InstanceEvery, 1<<20, func(*model.Instance) int { return 0 },
		func(ctx context.Context, _ []string) (map[string]*model.Instance, error) {
			is := &model.Instance{}
			_, err := s.db.Get(meter.With(ctx, bill), s.db.Instance(), is)
			return map[string]*model.Instance{"": is}, err
		})
	c.Name = "instance"
	return c
}

// Instance returns what the installation says of itself. It is at most InstanceEvery old. The caller changes nothing in
// it.
//
// Cost: nothing for the caller. For the process: 1 read, at most once in InstanceEvery.
func (s *Store) Instance(ctx context.Context) (_ *model.Instance, err error) {
	defer errs.Wrap(&err, "moderation.Instance")
	is, _, err := s.instance.One(ctx, "")
	return is, err
}

// ChangeInstance changes what the installation says of itself, with an entry in the audit log, and returns it as it is
// kept. Two changes at the same time both count: fields that a patch does not have stay. A field of another form is
// errs.Invalid.
//
// Cost: 1 read, and 2 writes if something changes.
func (s *Store) ChangeInstance(ctx context.Context, by Actor, p model.InstancePatch) (is *model.Instance, err error) {
	defer errs.Wrap(&err, "moderation.ChangeInstance")
	if p, err = p.Clean(); err != nil {
		return nil, err
	}
	now := s.db.Time()
	var entry *model.Action
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is, entry = &model.Instance{}, nil
		if _, err := db.GetIn(tx, s.db.Instance(), is); err != nil {
			return err
		}
		before := instanceTold(is)
		if !is.Apply(p, now) {
			return nil
		}
		entry = s.entry(by, model.ActChangeInstance, "")
		entry.Before, entry.After = before, instanceTold(is)
		for field, text := range entry.After {
			if entry.Before[field] == text {
				delete(entry.Before, field)
				delete(entry.After, field)
			}
		}
		shorten(entry)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		return tx.Set(s.db.Instance(), is)
	}, func(ctx context.Context) (bool, error) {
		if entry == nil {
			return true, nil
		}
		return s.db.Made(s.db.Doc(model.AdminActions, entry.ID))(ctx)
	})
	s.instance.Forget("")
	s.done(ctx, entry, err)
	return is, err
}

// instanceTold is what the audit log says of the instance. It has 6 texts, and an entry has
// room for 7.
func instanceTold(is *model.Instance) map[string]string {
	terms := is.Terms.Text
	if is.Terms.Version > 0 {
		terms = strconv.FormatInt(is.Terms.Version, 10) + ": " + terms
	}
	yes := map[bool]string{false: "no", true: "yes"}
	return map[string]string{
		"name": is.Name, "description": is.Description, "rules": strings.Join(is.Rules, "\n"),
		"contact":   strings.TrimSpace(is.ContactEmail + " " + string(is.ContactUser)),
		"languages": strings.Join(is.Languages, " "), "terms": terms, "termsNeeded": yes[is.TermsNeeded],
		"invitationNeeded": yes[is.InvitationNeeded] + ", approval: " + yes[is.ApprovalNeeded],
	}
}
