package model

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

func TestBlockedNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"Example.COM": "example.com", "@example.com": "example.com",
		" mail.example.com ": "mail.example.com", "bücher.example": "xn--bcher-kva.example", "example.com.": "example.com"} {
		if got, err := BlockedDomain(in); got != want || err != nil {
			t.Errorf("BlockedDomain(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", "example", "a@example.com", "https://example.com", "a b.com", "."} {
		if got, err := BlockedDomain(in); errs.CodeOf(err) != "invalid_domain" {
			t.Errorf("BlockedDomain(%q) = %q, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{"192.0.2.7": "192.0.2.7/32", "192.0.2.7/24": "192.0.2.0/24",
		"2001:db8::1": "2001:db8::/64", "2001:db8::/32": "2001:db8::/32", "::ffff:192.0.2.1": "192.0.2.1/32"} {
		if got, err := BlockedNetwork(in); got != want || err != nil {
			t.Errorf("BlockedNetwork(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", "0.0.0.0/0", "10.0.0.0/7", "::/0", "fe80::1%eth0", "192.0.2.0/33", "x",
		"::ffff:1.2.3.0/120"} {
		if got, err := BlockedNetwork(in); errs.CodeOf(err) != "invalid_network" {
			t.Errorf("BlockedNetwork(%q) = %q, %v", in, got, err)
		}
	}
}

func TestSignUpBlocksOf(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	b := &SignUpBlocks{
		Domains: map[string]SignUpBlock{"bad.example": {Severity: SeverityRefusal},
			"odd.example": {Severity: SeverityApproval},
			"old.example": {Severity: SeverityRefusal, ExpireAt: now}, "xn--bcher-kva.example": {Severity: SeverityRefusal}},
		Networks: map[string]SignUpBlock{"192.0.2.0/24": {Severity: SeverityApproval},
			"192.0.2.9/32":  {Severity: SeverityRefusal},
			"2001:db8::/48": {Severity: SeverityRefusal}},
	}
	for _, tt := range []struct {
		email, address string
		want           Severity
	}{
		{"a@bad.example", "", SeverityRefusal}, {"a@MX.Bad.Example", "", SeverityRefusal}, {"a@notbad.example", "", ""},
		{"a@odd.example", "198.51.100.1", SeverityApproval}, {"a@old.example", "", ""}, {"", "", ""}, {"nonsense", "x", ""},
		{"a@good.example", "192.0.2.1", SeverityApproval}, {"a@good.example", "192.0.2.9", SeverityRefusal},
		{"a@odd.example", "192.0.2.9", SeverityRefusal}, {"", "2001:db8:0:1::/64", SeverityRefusal},
		{"", "2001:db9::/64", ""},
		{"", "::ffff:192.0.2.9", SeverityRefusal}, {"a@bücher.example", "", SeverityRefusal},
		{"a@xn--bcher-kva.example", "", SeverityRefusal}, {"a@MAIL.BÜCHER.Example", "", SeverityRefusal},
		{"a@bad。example", "", SeverityRefusal}, {"a@ｂad.example", "", SeverityRefusal},
		{"a@bad.example.", "", SeverityRefusal},
		{`"a@good.example"@bad.example`, "", SeverityRefusal}, {"a@bad.example@good.example", "", ""},
		{"bad.example", "", ""},
	} {
		if got, about := b.Of(tt.email, tt.address, now); got != tt.want || (got == "") != (about == "") {
			t.Errorf("Of(%q, %q) = %q, %q; want %q", tt.email, tt.address, got, about, tt.want)
		}
	}
	if err := SeverityRefusal.Refused("email"); errs.CodeOf(err) != "email_domain_blocked" {
		t.Error(err)
	}
	if err := SeverityApproval.Refused("email"); err != nil {
		t.Error(err)
	}
}

// The longest list is within its bound.
func TestLargestSignUpBlocks(t *testing.T) {
	t.Parallel()
	one := 253 + 4*MaxBlockComment + 128 + len("severity") + len("refusal") + len("comment") + len("by") + len("at") +
		len("expireAt") + 16 + 20
	if most := Row(SignUpBlockLists).Bound.Bytes; MaxSignUpBlocks*one > most {
		t.Errorf("%d blocks have %d bytes, and their bound is %d", MaxSignUpBlocks, MaxSignUpBlocks*one, most)
	}
}
