package model

import (
	"testing"
	"time"
)

func TestShowsShare(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)
	ids := NewTweetIDs(func() time.Time { return now })
	tweet := ids.Next("ann")
	fact := &Share{UserID: "bob", TweetID: tweet, ShareID: ids.Next("bob")}
	for name, test := range map[string]struct {
		since                  time.Time
		there, hidden, blocked bool
		want                   bool
	}{
		"followed":          {now, true, false, false, true},
		"not followed":      {time.Time{}, true, false, false, false},
		"followed since":    {now.Add(time.Second), true, false, false, false},
		"shares are hidden": {now, true, true, false, false},
		"taken back":        {now, false, false, false, false},
		"blocked":           {now, true, false, true, false},
	} {
		if got := ShowsShare(fact.Position(), test.since, test.there, test.hidden, test.blocked); got != test.want {
			t.Errorf("%s: ShowsShare = %v, want %v", name, got, test.want)
		}
	}
	if got := (Share{TweetID: tweet}).Position(); got != "" {
		t.Errorf("the position of a share without an id = %q", got)
	}
}
