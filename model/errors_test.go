package model_test

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/internal/errs"
)

// wantInvalid checks that err refuses what a client sent under code, and that
// the client can read each of texts in it.
func wantInvalid(t *testing.T, err error, code string, texts ...string) {
	t.Helper()
	if err == nil || errs.KindOf(err) != errs.Invalid || errs.CodeOf(err) != code {
		t.Errorf("error = %v, want an Invalid one with the code %s", err, code)
		return
	}
	for _, text := range texts {
		if !strings.Contains(errs.PublicText(err), text) {
			t.Errorf("public text = %q, want %q in it", errs.PublicText(err), text)
		}
	}
}
