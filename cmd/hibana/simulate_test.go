package main

import (
	"strings"
	"testing"
)

func TestSimulate(t *testing.T) {
	t.Parallel()
	p := hibana(t, nil, "simulate", "--users=1000", "--followed=3", "--json")
	p.ends(0)
	wantText(t, p.out.String(), `"simulated": [`, `"layout": "pull"`, `"limits": [`)
	if out := p.errout.String(); !strings.Contains(out, "1 k users, followed: 3, instances: 4, affinity") {
		t.Errorf("no progress: %q", out)
	}

	p = hibana(t, nil, "simulate", "--users=5")
	p.ends(1)
	wantText(t, p.errout.String(), "5 users; at least 1000")
}
