package db

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
)

func TestKnowsGone(t *testing.T) {
	t.Parallel()
	d := &DB{gone: lru.New[model.UserID, time.Time](goneRemembered)}
	knows := func(what string, uid model.UserID, want bool) {
		t.Helper()
		if got := d.KnowsGone(uid); got != want {
			t.Errorf("%s: KnowsGone(%q) = %v, want %v", what, uid, got, want)
		}
	}
	knows("at first", "ann", false)
	d.gone.Add("ann", time.Now())
	knows("seen", "ann", true)
	knows("another", "bob", false)
	d.SawThere("ann")
	knows("seen again", "ann", false)
	d.gone.Add("ann", time.Now().Add(-goneFor))
	knows("seen long ago", "ann", false)
}
