package model

import (
	"slices"
	"testing"
	"time"
)

func TestPosition(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)
	ids := NewTweetIDs(func() time.Time { return now })
	tweet := ids.Next("ann")
	share, next := ids.Next("bob"), ids.Next("ann")
	position := SharePosition(share, tweet)
	if !position.IsShare() || tweet.Position().IsShare() || position.Tweet() != tweet ||
		tweet.Position().Tweet() != tweet {
		t.Errorf("position %q, tweet %q: IsShare or Tweet is wrong", position, tweet)
	}
	if !position.Time().Equal(share.Time()) || position.Month() != "2026-11" {
		t.Errorf("position.Time() = %v, position.Month() = %s", position.Time(), position.Month())
	}
	if position.Share() != share || tweet.Position().Share() != "" {
		t.Errorf("position %q, tweet %q: Share is wrong", position, tweet)
	}
	want := []Position{next.Position(), position, tweet.Position()}
	all := map[Position]bool{want[0]: true, want[1]: true, want[2]: true}
	if got := Newest(all, 0); !slices.Equal(got, want) {
		t.Errorf("Newest = %v, want %v", got, want)
	}
	for s, ok := range map[string]bool{string(position): true, string(tweet): true, "": false, string(position[1:]): false,
		string(position) + "0": false, string(share) + "zz0000000000000000": false} {
		if got, err := ParsePosition(s); (err == nil) != ok || ok && string(got) != s {
			t.Errorf("ParsePosition(%q) = %q, %v", s, got, err)
		}
	}
}
