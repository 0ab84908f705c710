package rules

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// The rules decide by the key whose a month is. They escape a uid as package model does, so
// that nobody reads the months of a user whose uid begins with one's own and an underscore.
func TestMonthsByKey(t *testing.T) {
	t.Parallel()
	e := start(t)
	// Without uids that hold a percent sign: the emulator decodes %25 in a path twice.
	uids := []model.UserID{"ann", "ann_2", "ann_2026-11", "a/b", "a_b/c_d", "_", "__a"}
	for _, uid := range uids {
		e.tokens[string(uid)] = testenv.Token("demo", map[string]any{"sub": string(uid)})
	}
	for _, uid := range uids {
		for _, collection := range []string{model.Timelines, model.Reactions} {
			for _, key := range []string{model.MonthKey(uid, "2026-11"), model.BucketPageKey(model.MonthKey(uid, "2026-11"), 3)} {
				for _, caller := range uids {
					want := http.StatusForbidden
					if caller == uid {
						want = http.StatusNotFound
					}
					if status, body := e.call(t, string(caller), http.MethodGet, e.documents+"/"+collection+"/"+url.PathEscape(key), nil); status != want {
						t.Errorf("%q gets %s/%s: status %d, want %d: %.200s", caller, collection, key, status, want, body)
					}
				}
			}
		}
	}
}
