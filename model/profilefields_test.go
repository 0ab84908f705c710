package model_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

func TestProfileFieldLinks(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"https://example.com": true, "https://example.com/a?b#c": true, "https://例え.jp/é": true,
		"http://example.com": false, "javascript:alert(1)": false, "https://": false, "https://a:b@example.com": false,
		"see https://example.com": false, "https://example.com and": false, `https://example.com/"`: false, "": false,
		"HTTPS://example.com": true,
	} {
		if got := (model.ProfileField{Value: value}).Link() != ""; got != want {
			t.Errorf("%q is a link: %t, want %t", value, got, want)
		}
	}
}

func TestCleanProfileFields(t *testing.T) {
	t.Parallel()
	f := func(name, value string) []model.ProfileField { return []model.ProfileField{{Name: name, Value: value}} }
	got, err := model.CleanProfileFields(f(" Caf\u0065\u0301 ", strings.Repeat("é", model.MaxFieldValue)+" "))
	if err != nil || got[0].Name != "Café" || got[0].Value != strings.Repeat("é", model.MaxFieldValue) {
		t.Errorf("clean = %q, %v", got, err)
	}
	for _, bad := range [][]model.ProfileField{f("", "a"), f("a", ""), f(strings.Repeat("a", 101), "a"),
		f("a", strings.Repeat("a", 256)), f("a\nb", "a"), f("a", "a\u202e"), f("\u3164", "a"), f("\xff", "a"),
		make([]model.ProfileField, 5)} {
		if _, err := model.CleanProfileFields(bad); errs.KindOf(err) != errs.Invalid {
			t.Errorf("fields %q: %v, want an error", bad, err)
		}
	}
}

// A proof is of one value and one name, and it is renewed once a day; a page without proof is asked again earlier.
func TestFieldProofs(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	one, two := model.ProfileField{Name: "a", Value: "https://a.example"}, model.ProfileField{Value: "https://b.example"}
	d := model.UserDetail{Fields: []model.ProfileField{one, one, {Name: "text", Value: "text"}, two},
		Proofs: []model.FieldProof{
			{Link: one.Value, Username: "ann", VerifiedAt: now, CheckedAt: now},
			{Link: two.Value, Username: "ann", CheckedAt: now},
		}}
	if !d.VerifiedAt(one, "ann").Equal(now) || !d.VerifiedAt(one, "bob").IsZero() || !d.VerifiedAt(two, "ann").IsZero() ||
		!d.VerifiedAt(d.Fields[2], "ann").IsZero() {
		t.Error("a proof counts for another name or value, or does not count")
	}
	for _, tt := range []struct {
		name  string
		after time.Duration
		want  string
	}{
		{"ann", 0, ""}, {"ann", model.FieldRetry, two.Value}, {"ann", model.FieldTrust, one.Value + " " + two.Value},
		{"bob", 0, one.Value + " " + two.Value},
	} {
		if got := strings.Join(d.DueLinks(tt.name, now.Add(tt.after)), " "); got != tt.want {
			t.Errorf("due for %s after %v: %q, want %q", tt.name, tt.after, got, tt.want)
		}
	}
}
