package main

import "testing"

func TestSetup(t *testing.T) {
	t.Parallel()
	p := hibana(t, nil, "setup")
	p.ends(0)
	wantText(t, p.out.String(), "are installed")
}
