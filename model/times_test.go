package model_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// The years of a kept time are those of UTC.
func TestKeptTime(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"9999-12-31T23:59:59Z":              "9999-12-31T23:59:59Z",
		"9999-12-31T23:59:59-00:01":         "",
		"0001-01-01T00:00:00Z":              "0001-01-01T00:00:00Z",
		"0001-01-01T00:00:00+00:01":         "",
		"0000-01-01T00:00:00Z":              "",
		"2026-11-28T09:00:00.1234567+09:00": "2026-11-28T00:00:00.123456Z",
	} {
		at, err := time.Parse(time.RFC3339, in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := model.KeptTime("invalid_request", "endsAt", at)
		if want == "" && errs.KindOf(err) != errs.Invalid || want != "" && (err != nil ||
			got.Format(time.RFC3339Nano) != want) {
			t.Errorf("KeptTime(%s) = %v, %v, want %q", in, got, err, want)
		}
	}
}
