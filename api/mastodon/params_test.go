package mastodon_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api/mastodon"
)

// A body of very many values is refused before they take memory: the largest body is that of a profile with pictures.
func TestManyValues(t *testing.T) {
	for _, body := range []string{`{"a":[` + strings.Repeat("1,", 8<<20) + `1]}`, `{"a":[` + strings.Repeat("{},", 1<<20) +
		`1]}`, `{` + strings.Repeat(`"a":1,`, 1<<20) + `"a":1}`} {
		var err error
		allocations := testing.AllocsPerRun(1, func() {
			r := httptest.NewRequest(http.MethodPatch, "/", strings.NewReader(body))
			_, err = mastodon.ReadParams(r)
		})
		if err == nil || !strings.Contains(err.Error(), "at most 1000 values") {
			t.Errorf("%.20s is refused by %v", body, err)
		}
		if allocations > 50_000 {
			t.Errorf("%.20s takes %.0f allocations", body, allocations)
		}
	}
	// one long value is fine
	r := httptest.NewRequest(http.MethodPatch, "/", strings.NewReader(`{"avatar":"`+strings.Repeat("x", 1<<20)+`"}`))
	if _, err := mastodon.ReadParams(r); err != nil {
		t.Error(err)
	}
}

// A number with a fraction is rounded down where a whole one is read: Elk sends what is left of a poll so.
func TestWholeNumbers(t *testing.T) {
	for text, want := range map[string]int{"7": 7, "-7": -7, "+7": 7, "86104.161": 86_104, "1e3": 1_000, "1.5E+1": 15,
		"12e-1": 1, ".5": 0, "5.": 5, "-0.5": -1, "9007199254740992": 1 << 53, "-1.5e9": -1_500_000_000} {
		if got, ok := mastodon.Whole(text); !ok || got != want {
			t.Errorf("%s is read as %d, %t; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "soon", "NaN", "Inf", "-inf", "infinity", "1e999", "-1e300", "1e19", "9.3e18",
		"99999999999999999999", "0x10", "0x1p4", "1_000", "1_0.5", " 1", "1 ", "1.2.3", "1e", "e5", ".", "-", "+-1", "1,5",
		strings.Repeat("9", 1_000), "1e" + strings.Repeat("9", 1_000), "0." + strings.Repeat("1", 1<<20)} {
		if got, ok := mastodon.Whole(text); ok {
			t.Errorf("%.20s is read as %d", text, got)
		}
	}
}
