package model_test

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Addresses are compared in lower case, of ASCII alone.
func TestParseEmail(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ann@example.com": "ann@example.com", "Ann+X@Example.COM": "ann+x@example.com",
		"\u212Aim@example.com": "\u212Aim@example.com",
		"":                     "", "ann": "", "@example.com": "", "ann@": "", "a@b@c": "", "ann @example.com": "",
		"ann@example.com\n":     "",
		"ann\u3000@example.com": "", "a\x00@b": "",
	} {
		got, err := model.ParseEmail(text)
		if got != want || (errs.CodeOf(err) == "invalid_email") != (want == "") {
			t.Errorf("ParseEmail(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
}

// The limit counts characters, not bytes.
func TestValidateEmail(t *testing.T) {
	t.Parallel()
	for n, code := range map[int]string{0: "", 88: "", 89: "email_too_long"} {
		address := strings.Repeat("é", n) + "@example.com"
		_, unclean := model.NewUser{Username: "ann", Email: address}.Clean()
		for _, err := range []error{model.ValidateEmail(address), unclean} {
			if (err != nil) != (code != "") || err != nil && errs.CodeOf(err) != code {
				t.Errorf("%d characters: %v, want %q", n+12, err, code)
			}
		}
	}
	u, err := model.NewUser{Username: "ann", Email: "Ann@Example.com"}.Clean()
	if err != nil || u.Email != "ann@example.com" {
		t.Errorf("a new user has %q, %v, want lower case", u.Email, err)
	}
}
