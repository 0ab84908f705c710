package model_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// A cool-down that became shorter, by configuration or with fewer tweets, holds at once for
// users who have used up their renames under the longer one.
func TestShorterCoolDown(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)
	long := model.CoolDown{Rename: 24 * time.Hour, Username: 30 * 24 * time.Hour}
	short := model.CoolDown{Rename: time.Hour, Username: 2 * time.Hour}
	usedUp := func(c model.CoolDown, tweets int64) (r model.Renames) {
		for i := range model.RenameBurst {
			var err error
			if r, err = r.Take(c, now, now, tweets, i < model.UsernameBurst); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	tests := []struct {
		name     string
		was      model.Renames
		is       model.CoolDown
		username bool
		wait     time.Duration // until the next change; 0 for none
	}{
		{"the same", usedUp(long, 0), long, false, 24 * time.Hour},
		{"shorter", usedUp(long, 0), short, false, time.Hour},
		{"off", usedUp(long, 0), model.CoolDown{}, true, 0},
		{"fewer tweets", usedUp(short, 10*model.RenameTweets), short, false, time.Hour},
		{"longer", usedUp(short, 0), long, false, 0},
		{"a shorter one of usernames", model.Renames{UsernameFullAt: usedUp(long, 0).UsernameFullAt}, short, true,
			2 * time.Hour},
	}
	for _, test := range tests {
		_, err := test.was.Take(test.is, now, now, 0, test.username)
		soon, refused := errors.AsType[*model.TooSoon](err)
		if refused != (test.wait > 0) || refused && soon.Wait != test.wait {
			t.Errorf("%s: %v, want a wait of %v", test.name, err, test.wait)
			continue
		}
		if !refused {
			continue
		}
		// When the wait is over, one change is possible, and only one.
		r, err := test.was.Take(test.is, now, now.Add(soon.Wait), 0, test.username)
		if err != nil {
			t.Errorf("%s: after the wait: %v", test.name, err)
			continue
		}
		if _, err := r.Take(test.is, now.Add(soon.Wait), now.Add(soon.Wait), 0, test.username); err == nil {
			t.Errorf("%s: two changes after one wait", test.name)
		}
	}
}
