package model_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// What an administrator writes about the instance is kept in its clean form, or refused.
func TestInstancePatch(t *testing.T) {
	t.Parallel()
	rules := []string{" Be kind. ", "No spam."}
	clean, err := model.InstancePatch{Name: new(" Cafe\u0301 "), Rules: &rules, Languages: &[]string{"JA", "en", "ja"},
		ContactEmail: new("root@example.com")}.Clean()
	if err != nil {
		t.Fatal(err)
	}
	if *clean.Name != "Café" || !slices.Equal(*clean.Rules, []string{"Be kind.", "No spam."}) ||
		!slices.Equal(*clean.Languages, []string{"ja", "en"}) || rules[0] != " Be kind. " {
		t.Errorf("the patch became %+v, of the rules %q", clean, rules)
	}
	many := strings.Fields(strings.Repeat("x ", model.MaxInstanceRules+1))
	long := strings.Repeat("x", model.MaxTerms+1)
	for _, bad := range []struct {
		what, code string
		p          model.InstancePatch
	}{
		{"nothing", "empty_patch", model.InstancePatch{}},
		{"a name of spaces that show nothing", "invalid_instance", model.InstancePatch{Name: new("\u2800")}},
		{"a name that turns text", "invalid_instance", model.InstancePatch{Name: new("a\u202eb")}},
		{"a name that is too long", "too_long", model.InstancePatch{Name: new(strings.Repeat("x", 101))}},
		{"too many rules", "invalid_instance", model.InstancePatch{Rules: &many}},
		{"an empty rule", "invalid_instance", model.InstancePatch{Rules: &[]string{" "}}},
		{"no language", "invalid_language", model.InstancePatch{Languages: &[]string{"klingonesque!"}}},
		{"no address", "invalid_instance", model.InstancePatch{ContactEmail: new("root")}},
		{"an address with a header", "invalid_instance", model.InstancePatch{ContactEmail: new("a@b.c\r\nBcc: d@e.f")}},
		{"two addresses", "invalid_instance", model.InstancePatch{ContactEmail: new("a@b.c,d@e.f")}},
		{"a user that is none", "invalid_user_id", model.InstancePatch{ContactUser: new(model.UserID("a/b"))}},
		{"terms that are too long", "too_long", model.InstancePatch{Terms: &long}},
		{"the same terms as none", "invalid_instance", model.InstancePatch{SameTerms: true}},
	} {
		if _, err := bad.p.Clean(); errs.KindOf(err) != errs.Invalid || errs.CodeOf(err) != bad.code {
			t.Errorf("%s is %v, want %s", bad.what, err, bad.code)
		}
	}
}

// The version of the terms grows with each text that says something else, and never falls. Without a text nothing is
// demanded.
func TestTermsVersions(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	is := &model.Instance{}
	for n, step := range []struct {
		p       model.InstancePatch
		changed bool
		version int64
		demands int64
		days    int // after at, of the version
	}{
		{model.InstancePatch{TermsNeeded: new(true)}, true, 0, 0, 0},
		{model.InstancePatch{Terms: new("one"), SameTerms: true}, true, 1, 1, 1}, // the same as nothing is new
		{model.InstancePatch{Terms: new("one")}, false, 1, 1, 1},
		{model.InstancePatch{Terms: new("One."), SameTerms: true}, true, 1, 1, 1},
		{model.InstancePatch{Terms: new("two")}, true, 2, 2, 4},
		{model.InstancePatch{TermsNeeded: new(false)}, true, 2, 0, 4},
		{model.InstancePatch{Terms: new(""), TermsNeeded: new(true)}, true, 2, 0, 4},
		{model.InstancePatch{Terms: new("one")}, true, 3, 3, 7},
		{model.InstancePatch{Rules: &[]string{"x"}}, true, 3, 3, 7},
		{model.InstancePatch{Rules: &[]string{"x"}}, false, 3, 3, 7},
		{model.InstancePatch{Rules: &[]string{}}, true, 3, 3, 7},
	} {
		now := at.AddDate(0, 0, n)
		changed := is.Apply(step.p, now)
		if changed != step.changed || is.Terms.Version != step.version || is.Demands() != step.demands ||
			changed != is.UpdatedAt.Equal(now) || step.days > 0 && !is.Terms.At.Equal(at.AddDate(0, 0, step.days)) {
			t.Errorf("step %d changes the instance (%v) to %+v, want %+v", n, changed, is, step)
		}
	}
}
