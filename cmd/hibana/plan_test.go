package main

import (
	"fmt"
	"strings"
	"testing"
)

// The seed is the same each time and of the promised size.
func TestPlan(t *testing.T) {
	t.Parallel()
	a, b := newPlan(), newPlan()
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Error("two plans differ")
	}
	if len(people) != 20 || len(a.follows) != 100 || len(a.tweets) != 200 || len(a.likes) != 400 {
		t.Errorf("the plan has %d people, %d follows, %d tweets, %d likes", len(people), len(a.follows), len(a.tweets),
			len(a.likes))
	}
	if n := a.replies(); n < 40 || n > 120 {
		t.Errorf("%d of 200 tweets are replies", n)
	}
	for i, tw := range a.tweets {
		if strings.ContainsAny(tw.content, "{}|") || tw.replyTo >= i {
			t.Errorf("tweet %d is %+v", i, tw)
		}
	}
}
