package moderation

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// knownBlocks are the domains and networks that a process has read, under one key. Nothing in them changes.
type knownBlocks = readcache.Values[string, *model.SignUpBlocks]

// newKnownBlocks returns the cache, which has a bill of its own: sign-ups of many users share a read.
func newKnownBlocks(s *Store) knownBlocks {
	bill := meter.New()
	c := readcache.New(s.db.Now, InstanceEvery, 1<<20, func(*model.SignUpBlocks) int { return 0 },
		func(ctx context.Context, _ []string) (map[string]*model.SignUpBlocks, error) {
			is, err := s.SignUpBlocks(meter.With(ctx, bill))
			return map[string]*model.SignUpBlocks{"": is}, err
		})
	c.Name = "sign-up blocks"
	return c
}

// BlocksOf returns what becomes of a sign-up, see [model.SignUpBlocks.Of]. A change shows at once in the process that
// made it, and within InstanceEvery in the others.
//
// Cost: nothing for the caller. For the process: 1 read, at most once in InstanceEvery.
func (s *Store) BlocksOf(ctx context.Context, email, address string) (_ model.Severity, about string, err error) {
	defer errs.Wrap(&err, "moderation.BlocksOf")
	all, _, err := s.blocks.One(ctx, "")
	if err != nil {
		return "", "", err
	}
	of, about := all.Of(email, address, s.db.Now())
	return of, about, nil
}

// SignUpBlocks returns the domains and networks from which nobody signs up.
//
// Cost: 1 read.
func (s *Store) SignUpBlocks(ctx context.Context) (_ *model.SignUpBlocks, err error) {
	defer errs.Wrap(&err, "moderation.SignUpBlocks")
	is := &model.SignUpBlocks{}
	_, err = s.db.Get(ctx, s.db.SignUpBlocks(), is)
	return is, err
}

// BlockDomain adds or replaces a domain, see [model.BlockedDomain], with an entry in the audit log. Those that have
// expired leave the list. More than [model.MaxSignUpBlocks] are errs.Conflict (too_many_blocks).
//
// Cost: 1 read and 2 writes.
func (s *Store) BlockDomain(ctx context.Context, by Actor, domain string, b model.SignUpBlock) (err error) {
	defer errs.Wrap(&err, "moderation.BlockDomain(%q)", domain)
	return s.changeBlocks(ctx, by, model.ActBlockSignUps, domain, func(is *model.SignUpBlocks) (bool, error) {
		return true, put(&is.Domains, is, domain, b)
	}, b)
}

// BlockNetwork is [Store.BlockDomain] for a network, see [model.BlockedNetwork].
func (s *Store) BlockNetwork(ctx context.Context, by Actor, network string, b model.SignUpBlock) (err error) {
	defer errs.Wrap(&err, "moderation.BlockNetwork(%q)", network)
	return s.changeBlocks(ctx, by, model.ActBlockSignUps, network, func(is *model.SignUpBlocks) (bool, error) {
		return true, put(&is.Networks, is, network, b)
	}, b)
}

// UnblockSignUps removes a domain or a network, with an entry in the audit log. Without it nothing changes.
//
// Cost: 1 read, and 2 writes if it is there.
func (s *Store) UnblockSignUps(ctx context.Context, by Actor, name string) (err error) {
	defer errs.Wrap(&err, "moderation.UnblockSignUps(%q)", name)
	return s.changeBlocks(ctx, by, model.ActUnblockSignUps, name, func(is *model.SignUpBlocks) (bool, error) {
		_, domain := is.Domains[name]
		_, network := is.Networks[name]
		delete(is.Domains, name)
		delete(is.Networks, name)
		return domain || network, nil
	}, model.SignUpBlock{})
}

// put adds an entry to one of the two lists.
func put(to *map[string]model.SignUpBlock, all *model.SignUpBlocks, name string, b model.SignUpBlock) error {
	if *to == nil {
		*to = map[string]model.SignUpBlock{}
	}
	(*to)[name] = b
	if len(all.Domains)+len(all.Networks) > model.MaxSignUpBlocks {
		return errs.New(errs.Conflict, "too_many_blocks", "there are %d domains and networks, which is the limit; remove one",
			model.MaxSignUpBlocks)
	}
	return nil
}

// changeBlocks changes the list in a transaction, which writes the entry of the audit log too. to returns whether
// something changed.
func (s *Store) changeBlocks(ctx context.Context, by Actor, act model.Act, name string,
	to func(*model.SignUpBlocks) (bool, error), after model.SignUpBlock) error {
	var entry *model.Action
	err := s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is := &model.SignUpBlocks{}
		entry = nil
		if _, err := db.GetIn(tx, s.db.SignUpBlocks(), is); err != nil {
			return err
		}
		now := s.db.Time()
		for _, list := range []map[string]model.SignUpBlock{is.Domains, is.Networks} {
			for old, b := range list {
				if !b.ExpireAt.IsZero() && !now.Before(b.ExpireAt) {
					delete(list, old)
				}
			}
		}
		if changed, err := to(is); err != nil || !changed {
			return err
		}
		entry = s.entry(by, act, "")
		entry.After = map[string]string{"of": name, "severity": string(after.Severity), "comment": after.Comment}
		shorten(entry)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		return tx.Set(s.db.SignUpBlocks(), is)
	}, s.logged(&entry))
	s.blocks.Forget("")
	s.done(ctx, entry, err)
	return err
}
