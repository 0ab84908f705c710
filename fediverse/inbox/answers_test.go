package inbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// An answer to a follow that its follower took back meanwhile answers no later one.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	_, err := e.of.Person(t.Context(), bob)
	testenv.Must(t, err)
	uid, n := model.RemoteUserID(bob), 0
	asks := func() string { // returns the address of the follow, as it is sent
		t.Helper()
		e.Clock.Add(time.Minute)
		testenv.Must(t, e.Graph.Follow(t.Context(), "ann", uid))
		at, _ := e.Doc(t, "followRequests/"+model.FollowRequestKey("ann", uid))["createdAt"].(time.Time)
		return fmt.Sprintf("%s/%d", site.Follow("ann", uid), at.UnixMicro())
	}
	answers := func(kind, follow string, follows, waits bool) {
		t.Helper()
		n++
		e.gets(t, say(kind, bob, fmt.Sprint(f.URL, "/", n), map[string]any{"type": "Follow", "id": follow,
			"actor": site.User("ann"), "object": bob}, nil))
		if got := e.follows(t, "ann", uid); got != follows {
			t.Errorf("after %d, %s, ann follows: %v, want %v", n, kind, got, follows)
		}
		if got := e.Doc(t, "followRequests/"+model.FollowRequestKey("ann", uid)) != nil; got != waits {
			t.Errorf("after %d, %s, a request waits: %v, want %v", n, kind, got, waits)
		}
	}
	first := asks()
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "ann", uid))
	second := asks()
	answers("Accept", first, false, true)
	answers("Reject", first, false, true)
	answers("Accept", second, true, false)
	answers("Accept", second, true, false)
	answers("Reject", first, true, false)
	answers("Reject", second, false, false)
	asks()
	answers("Accept", site.Follow("ann", uid), true, false) // its server keeps no address
	answers("Reject", "", false, false)
}
