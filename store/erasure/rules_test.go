package erasure

import (
	"testing"
)

// TestRules demands that every place has one way to find documents, and that every special
// place is one.
func TestRules(t *testing.T) {
	t.Parallel()
	left := map[at]bool{}
	for where := range specials {
		left[where] = true
	}
	for _, p := range rules {
		delete(left, at{p.Name, p.By})
		ways := 0
		for _, way := range []bool{p.find != nil, p.docs != nil, p.files} {
			if way {
				ways++
			}
		}
		if ways != 1 {
			t.Errorf("%s (%s): %d ways to find documents, want 1", p.Name, p.Owner.What, ways)
		}
	}
	for where := range left {
		t.Errorf("the special place %v is none of a pass", where)
	}
}
