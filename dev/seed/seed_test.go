package seed

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/seed/draw"
)

// The files are whole: each person has an avatar, a header and a text, and tweets, and each picture is drawn and
// described.
func TestLoad(t *testing.T) {
	t.Parallel()
	people, tweets, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	wrote, depth := map[int]int{}, make([]int, len(tweets))
	for i, tw := range tweets {
		wrote[tw.Author]++
		if tw.ReplyTo >= i || tw.QuoteOf >= i || strings.TrimSpace(tw.Text) == "" {
			t.Errorf("tweet %d is %+v", i, tw)
		}
		if tw.ReplyTo >= 0 {
			depth[i] = depth[tw.ReplyTo] + 1
			if parent := tweets[tw.ReplyTo]; (parent.Age == 0) != (tw.Age == 0) || tw.Age > parent.Age {
				t.Errorf("tweet %d is %v old, and what it answers %v", i, tw.Age, parent.Age)
			}
		}
		for _, p := range tw.Pictures {
			if p.Alt == "" || len(draw.Scene(p.Scene)) == 0 {
				t.Errorf("a picture of tweet %d is not described: %+v", i, p)
			}
		}
	}
	for i, p := range people {
		if wrote[i] < 3 || p.Introduction == "" || p.Language == "" || len(draw.Header(p.Header)) == 0 {
			t.Errorf("%s wrote %d tweets, and is %+v", p.Username, wrote[i], p)
		}
	}
	deepest := 0
	for _, d := range depth {
		deepest = max(deepest, d)
	}
	if len(people) != 20 || deepest < 4 {
		t.Errorf("there are %d people, and threads of %d levels", len(people), deepest)
	}
	t.Logf("%d tweets", len(tweets))
}
