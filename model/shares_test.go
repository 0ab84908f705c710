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
	again := &Share{UserID: "bob", TweetID: tweet, ShareID: ids.Next("bob")}
	rel := &Relationship{FollowerID: "cat", FollowedID: "bob", CreatedAt: now}
	late := &Relationship{CreatedAt: now.Add(time.Second)}
	for name, test := range map[string]struct {
		rel     *Relationship
		fact    *Share
		hidden  bool
		blocked bool
		want    bool
	}{
		"followed":                  {rel, fact, false, false, true},
		"not followed":              {nil, fact, false, false, false},
		"followed since":            {late, fact, false, false, false},
		"shares are hidden":         {rel, fact, true, false, false},
		"taken back":                {rel, nil, false, false, false},
		"taken back, shared again":  {rel, again, false, false, false},
		"blocked":                   {rel, fact, false, true, false},
		"from before shares travel": {rel, &Share{TweetID: tweet}, false, false, false},
	} {
		if got := ShowsShare(fact.Position(), test.rel, test.fact, test.hidden, test.blocked); got != test.want {
			t.Errorf("%s: ShowsShare = %v, want %v", name, got, test.want)
		}
	}
	if got := (Share{TweetID: tweet}).Position(); got != "" {
		t.Errorf("the position of a share without an id = %q", got)
	}
}
