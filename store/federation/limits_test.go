package federation_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/federation"
)

// What nobody signed for takes nothing of what a process knows of hosts that send: neither many addresses that knock,
// nor many hosts whose keys they name.
func TestKnocksOfMany(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	taken := 0
	send := func() {
		for range federation.ActivitiesAtOnce + 100 {
			if e.Federation.MayReceive("evil.example", 1) == nil {
				taken++
			}
		}
	}
	send()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 1_000 {
		_ = e.Federation.MayKnock(fmt.Sprint("2001:db8:", i, "::"))
		_, _ = e.Federation.Fetch(gone, fmt.Sprintf("https://h%d.example/key", i))
	}
	send()
	if taken != federation.ActivitiesAtOnce {
		t.Errorf("%d activities were taken at once", taken)
	}
}
