package moderation_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// A change of the instance shows at once in its process, and elsewhere after a minute. No reader pays for it. The audit
// log has the changed fields, once for each change.
func TestInstance(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	other := e.Again(t, store.Options{}).Moderation
	shows := func(s *moderation.Store, name string, terms int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Instance", 0, 0, 0, func(ctx context.Context) error {
			is, err := s.Instance(ctx)
			if err == nil && (is.Name != name || is.Demands() != terms) {
				t.Errorf("the instance is %+v, want the name %q and terms %d", is, name, terms)
			}
			return err
		}))
	}
	change := func(p model.InstancePatch, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "ChangeInstance", 1, writes, 0, func(ctx context.Context) error {
			_, err := e.Moderation.ChangeInstance(ctx, admin, p)
			return err
		}))
	}
	shows(e.Moderation, "", 0)
	shows(other, "", 0)
	change(model.InstancePatch{Name: new("Sparks"), Terms: new("Be kind.")}, 2)
	change(model.InstancePatch{Name: new("Sparks")}, 0)
	change(model.InstancePatch{TermsNeeded: new(true)}, 2)
	shows(e.Moderation, "Sparks", 1)
	shows(other, "", 0)
	e.Clock.Add(moderation.InstanceEvery + time.Millisecond)
	shows(other, "Sparks", 1)
	long := strings.Repeat("x", model.MaxBefore)
	change(model.InstancePatch{Terms: new(long + "a")}, 2)
	change(model.InstancePatch{Terms: new(long + "b"), SameTerms: true}, 2)
	shows(e.Moderation, "Sparks", 2)
	_, err := e.Moderation.ChangeInstance(t.Context(), admin, model.InstancePatch{})
	storetest.WantErr(t, err, errs.Invalid, "empty_patch")

	acts, err := e.Moderation.Actions(t.Context(), moderation.ActionFilter{By: admin.UID}, model.Cursor{}, 10)
	testenv.Must(t, err)
	got := map[string]int{}
	for _, a := range acts.Items {
		one := string(a.Act)
		for _, field := range []string{"name", "terms", "termsNeeded", "rules"} {
			if text, changed := a.After[field]; changed {
				one += fmt.Sprintf(" %s %.3s>%.3s", field, a.Before[field], text)
			}
		}
		got[one]++
	}
	want := map[string]int{"change_instance name >Spa terms >1: ": 1, "change_instance termsNeeded no>yes": 1,
		"change_instance terms 1: >2: ": 1, "change_instance terms 2: >2: ": 1}
	if !maps.Equal(got, want) {
		t.Errorf("the acts are %v, want %v", got, want)
	}
}

// Two administrators change the instance at once, and answers are lost: each field has its change, each text of the
// terms its own version, and each change one entry.
func TestInstanceAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	lossy, _ := e.Lossy(t, 0.3)
	stores := []*store.Store{e.Store, lossy}
	const each = 6
	var all sync.WaitGroup
	for n, s := range stores {
		all.Go(func() {
			for i := range each {
				p := model.InstancePatch{Terms: new(fmt.Sprint("terms ", n, i))}
				if n == 0 {
					p.Name = new(fmt.Sprint("name ", i))
				} else {
					p.Description = new(fmt.Sprint("description ", i))
				}
				if err := testenv.Patiently(func() error {
					_, err := s.Moderation.ChangeInstance(t.Context(), admin, p)
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	is, err := e.Again(t, store.Options{}).Moderation.Instance(t.Context())
	testenv.Must(t, err)
	entries := len(e.IDs(t, model.AdminActions))
	if is.Name != "name 5" || is.Description != "description 5" || is.Terms.Version < 2*each ||
		int64(entries) != is.Terms.Version {
		t.Errorf("%d changes leave %d entries and the instance %+v", 2*each, entries, is)
	}
}

// TestLargestInstance writes the largest instance that an administrator can, and its largest entry of the audit log.
func TestLargestInstance(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	wide := func(n int) *string { return new(strings.Repeat("𝕏", n)) }
	rules, languages := []string{}, []string{}
	for range model.MaxInstanceRules {
		rules = append(rules, *wide(model.MaxInstanceRule))
	}
	for n := range model.MaxInstanceLanguages {
		languages = append(languages, fmt.Sprintf("ja-x-%s-%02d", strings.Repeat("a", 8), n))
	}
	is, err := e.Moderation.ChangeInstance(t.Context(), admin, model.InstancePatch{Name: wide(model.MaxInstanceName),
		Description: wide(model.MaxInstanceDescription), Rules: &rules, Terms: wide(model.MaxTerms),
		ContactEmail: new(strings.Repeat("a", 250) + "@b.c"), ContactUser: new(model.UserID(strings.Repeat("u", 128))),
		Languages: &languages, TermsNeeded: new(true)})
	testenv.Must(t, err)
	size := 500 + len(is.Name) + len(is.Description) + len(is.Terms.Text) + len(is.ContactEmail) + len(is.ContactUser) +
		len(strings.Join(is.Rules, " ")) + len(strings.Join(is.Languages, " "))
	if most := model.Row(model.Instances).Bound.Bytes; size > most || size < most/2 {
		t.Errorf("%d bytes, want at most %d", size, most)
	}
	size = 500
	for _, id := range e.IDs(t, model.AdminActions) {
		for field, text := range e.Doc(t, model.AdminActions+"/"+id)["after"].(map[string]any) {
			size += 2 * (len(field) + len(text.(string))) // before may be as large
		}
	}
	if most := model.Row(model.AdminActions).Bound.Bytes; size+4*model.MaxReason > most {
		t.Errorf("an entry has %d bytes, want at most %d", size+4*model.MaxReason, most)
	}
}
