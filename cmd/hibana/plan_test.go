package main

import (
	"fmt"
	"testing"
)

// The seed is the same each time and of the promised size.
func TestPlan(t *testing.T) {
	t.Parallel()
	a, b := newPlan(), newPlan()
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Error("two plans differ")
	}
	if len(people) != 20 || len(a.follows) != 120 || len(a.tweets) != 180 || len(a.likes) != 400 {
		t.Errorf("the plan has %d people, %d follows, %d tweets, %d likes", len(people), len(a.follows), len(a.tweets),
			len(a.likes))
	}
	if n := a.replies(); n < 60 || n > 130 {
		t.Errorf("%d of 180 tweets are replies", n)
	}
}
