package model

import (
	"slices"
	"testing"
	"time"
)

func TestSharePosition(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)
	ids := NewTweetIDs(func() time.Time { return now })
	tweet := ids.Next("ann")
	share, next := ids.Next("bob"), ids.Next("ann")
	position := SharePosition(share, tweet)
	if !position.IsShare() || tweet.IsShare() || position.Tweet() != tweet || tweet.Tweet() != tweet {
		t.Errorf("place %q, tweet %q: IsShare or Tweet is wrong", position, tweet)
	}
	if !position.Time().Equal(share.Time()) || position.Month() != "2026-11" {
		t.Errorf("place.Time() = %v, place.Month() = %s", position.Time(), position.Month())
	}
	all := map[TweetID]bool{next: true, position: true, tweet: true}
	if got := Newest(all, 0); !slices.Equal(got, []TweetID{next, position, tweet}) {
		t.Errorf("Newest = %v, want %v", got, []TweetID{next, position, tweet})
	}
	for s, ok := range map[string]bool{string(position): true, string(tweet): true, "": false, string(position[1:]): false,
		string(position) + "0": false, string(share) + "zz0000000000000000": false} {
		if got, err := ParsePosition(s); (err == nil) != ok || ok && string(got) != s {
			t.Errorf("ParsePlace(%q) = %q, %v", s, got, err)
		}
	}
	if got := (Like{TweetID: tweet}).Place(); got != "" {
		t.Errorf("the place of a share without an id = %q", got)
	}
}

func TestShowsShare(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)
	ids := NewTweetIDs(func() time.Time { return now })
	tweet := ids.Next("ann")
	fact := &Like{UserID: "bob", TweetID: tweet, ShareID: ids.Next("bob")}
	again := &Like{UserID: "bob", TweetID: tweet, ShareID: ids.Next("bob")}
	rel := &Relationship{FollowerID: "cat", FollowedID: "bob", CreatedAt: now}
	late := &Relationship{CreatedAt: now.Add(time.Second)}
	for name, test := range map[string]struct {
		rel     *Relationship
		fact    *Like
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
		"from before shares travel": {rel, &Like{TweetID: tweet}, false, false, false},
	} {
		if got := ShowsShare(fact.Place(), test.rel, test.fact, test.hidden, test.blocked); got != test.want {
			t.Errorf("%s: ShowsShare = %v, want %v", name, got, test.want)
		}
	}
}
