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
