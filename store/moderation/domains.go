package moderation

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// SetDomain adds or replaces the rule for a domain of the fediverse, see [model.DomainName], with an entry in the audit
// log. A domain that is suspended has its users removed by the function PurgeDomain. More than [model.MaxDomains] are
// errs.Conflict (too_many_domains). Other failures are those of [model.DomainRule.Validate].
//
// Cost: 2 reads and 3 writes, 4 writes for a suspension.
func (s *Store) SetDomain(ctx context.Context, by Actor, domain string, rule model.DomainRule) (err error) {
	defer errs.Wrap(&err, "moderation.SetDomain(%q)", domain)
	if err := rule.Validate(); err != nil {
		return err
	}
	rule.By, rule.At = by.UID, s.db.Time()
	return s.changeDomain(ctx, by, model.ActSetDomain, domain, &rule)
}

// RemoveDomain removes the rule for a domain, with an entry in the audit log. Users who were removed come back as they
// are met again, and follows do not. Without a rule nothing changes.
//
// Cost: 2 reads, and 3 writes if there is a rule.
func (s *Store) RemoveDomain(ctx context.Context, by Actor, domain string) (err error) {
	defer errs.Wrap(&err, "moderation.RemoveDomain(%q)", domain)
	return s.changeDomain(ctx, by, model.ActRemoveDomain, domain, nil)
}

// changeDomain writes the rule for a domain, or removes it, in a transaction with the entry of the audit log.
func (s *Store) changeDomain(ctx context.Context, by Actor, act model.Act, domain string, to *model.DomainRule) error {
	var entry *model.Action
	err := s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		entry = nil
		head, page, err := s.domainPage(tx, domain)
		if err != nil {
			return err
		}
		before, there := page.Rules[domain]
		if to == nil && !there {
			return nil
		}
		entry = s.entry(by, act, "")
		if there {
			entry.Before = map[string]string{"severity": string(before.Severity)}
		}
		entry.After = map[string]string{"of": domain}
		if delete(page.Rules, domain); to != nil {
			page.Rules[domain] = *to
			entry.After["severity"], entry.After["comment"] = string(to.Severity), to.PrivateComment
		}
		shorten(entry)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		if to != nil && to.Suspended() {
			if err := tx.Set(s.db.Doc(model.Purges, domain), model.Purge{Realm: model.Realm(domain),
				ExpireAt: s.db.WorkExpiry()}); err != nil {
				return err
			}
		}
		return s.setDomainPage(tx, domain, head, page)
	}, s.logged(&entry))
	s.forgetDomains()
	s.done(ctx, entry, err)
	return err
}

// domainPage reads the page of a domain, and the head of the list.
func (s *Store) domainPage(tx *firestore.Transaction, domain string) (*model.DomainHead, *model.DomainPage, error) {
	head, page := &model.DomainHead{}, &model.DomainPage{}
	if _, err := db.GetIn(tx, s.db.Doc(model.Domains, model.DomainHeadKey), head); err != nil {
		return nil, nil, err
	}
	_, err := db.GetIn(tx, s.db.Doc(model.Domains, model.DomainPageOf(domain)), page)
	if page.Rules == nil {
		page.Rules = map[string]model.DomainRule{}
	}
	return head, page, err
}

// setDomainPage writes the page of a domain, and the head, which tells processes of it.
func (s *Store) setDomainPage(tx *firestore.Transaction, domain string, head *model.DomainHead,
	page *model.DomainPage) error {
	of := model.DomainPageOf(domain)
	if head.Counts == nil {
		head.Counts, head.Versions = map[string]int64{}, map[string]int64{}
	}
	grows := int64(len(page.Rules)) > head.Counts[of]
	head.Counts[of] = int64(len(page.Rules))
	head.Versions[of]++
	if grows && (head.Count() > model.MaxDomains || len(page.Rules) > model.MaxDomainsOfPage) {
		return errs.New(errs.Conflict, "too_many_domains", "the list has %d domains, which is the limit; remove some",
			model.MaxDomains)
	}
	if err := tx.Set(s.db.Doc(model.Domains, of), page); err != nil {
		return err
	}
	return tx.Set(s.db.Doc(model.Domains, model.DomainHeadKey), head)
}

// DomainImport is what became of the rows of a list.
type DomainImport struct{ Added, Stricter, Kept int }

// ImportDomains adds the rules of a list, with one entry in the audit log, which comes first. A domain that has a rule
// keeps the stricter of both. So an import may be repeated, for example because it broke off: it writes page by page.
// Users of suspended domains are removed as by SetDomain. More than [model.MaxDomainImport] are errs.Invalid, and more
// than [model.MaxDomains] with those there are errs.Conflict (too_many_domains).
//
// Cost: 2 writes, and for each page that the list touches, 32 at most, 2 reads and 2 writes.
func (s *Store) ImportDomains(ctx context.Context, by Actor, rules map[string]model.DomainRule) (is DomainImport,
	err error) {
	defer errs.Wrap(&err, "moderation.ImportDomains(%d)", len(rules))
	if len(rules) > model.MaxDomainImport {
		return is, errs.New(errs.Invalid, "too_many_rows", "a list has at most %d rows", model.MaxDomainImport)
	}
	pages := map[string][]string{}
	for _, domain := range slices.Sorted(maps.Keys(rules)) {
		if err := rules[domain].Validate(); err != nil {
			return is, err
		}
		of := model.DomainPageOf(domain)
		pages[of] = append(pages[of], domain)
	}
	if err := s.Log(ctx, by, model.Action{Act: model.ActImportDomains, After: map[string]string{
		"rows": strconv.Itoa(len(rules))}}); err != nil {
		return is, err
	}
	defer s.forgetDomains()
	suspends := false
	for _, of := range slices.Sorted(maps.Keys(pages)) {
		var n DomainImport
		var suspended bool
		if err := s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
			n, suspended = DomainImport{}, false
			head, page, err := s.domainPage(tx, pages[of][0])
			if err != nil {
				return err
			}
			for _, domain := range pages[of] {
				rule := rules[domain]
				rule.By, rule.At = by.UID, s.db.Time()
				before, there := page.Rules[domain]
				rule, changed := before.Stricter(rule)
				switch {
				case !there:
					n.Added++
				case changed:
					n.Stricter++
				default:
					n.Kept++
					continue
				}
				suspended = suspended || rule.Suspended()
				page.Rules[domain] = rule
			}
			if n.Added+n.Stricter == 0 {
				return nil
			}
			return s.setDomainPage(tx, pages[of][0], head, page)
		}); err != nil {
			return is, err
		}
		is.Added, is.Stricter, is.Kept = is.Added+n.Added, is.Stricter+n.Stricter, is.Kept+n.Kept
		suspends = suspends || suspended
	}
	if !suspends {
		return is, nil
	}
	_, err = s.db.Doc(model.Purges, "all").Set(ctx, model.Purge{ExpireAt: s.db.WorkExpiry()})
	return is, err
}
