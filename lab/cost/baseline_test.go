package cost

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

func TestBaseline(t *testing.T) {
	t.Parallel()
	page := slices.Repeat([]shownTweet{{LikeCount: 3}}, 20)
	hit := shownTweet{LikeCount: 1_001, ReplyCount: 1_000}
	var notificationEvents notificationEventList // a like by two, and a follow by a user who left
	err := json.Unmarshal([]byte(
		`{"items":[{"records":[{"user":{}},{"user":{}}],"excerpt":{"tweetId":"x"}},{"records":[{}]}]}`), &notificationEvents)
	testenv.Must(t, err)
	tests := []struct {
		name           string
		of             func(baseline) Bill
		want, counters Bill
	}{
		{"home page of 20", func(l baseline) Bill { return l.home(page) }, Bill{Reads: 120}, Bill{Reads: 80}},
		{"empty home page", func(l baseline) Bill { return l.home(nil) }, Bill{Reads: 1}, Bill{Reads: 1}},
		{"home page of one hit", func(l baseline) Bill { return l.home([]shownTweet{hit}) }, Bill{Reads: 7}, Bill{Reads: 4}},
		{"tweet", func(l baseline) Bill { return l.tweet(page[0]) }, Bill{Reads: 5}, Bill{Reads: 3}},
		{"profile", func(l baseline) Bill { return l.user(shownUser{FollowerCount: 2_500, TweetCount: 10}) }, Bill{Reads: 6},
			Bill{Reads: 1}},
		{"profile's tweets", func(l baseline) Bill { return l.userTweets(20) }, Bill{Reads: 20}, Bill{Reads: 20}},
		{"no tweets", func(l baseline) Bill { return l.userTweets(0) }, Bill{Reads: 1}, Bill{Reads: 1}},
		{"post to 12", func(l baseline) Bill { return l.post(12) }, Bill{Reads: 12, Writes: 13}, Bill{Reads: 12, Writes: 14}},
		{"post to nobody", func(l baseline) Bill { return l.post(0) }, Bill{Reads: 1, Writes: 1}, Bill{Reads: 1, Writes: 2}},
		{"thread of two", func(l baseline) Bill { return l.tweets([]shownTweet{hit, hit}) }, Bill{Reads: 12}, Bill{Reads: 6}},
		{"search without a hit", func(l baseline) Bill { return l.tweets(nil) }, Bill{Reads: 1}, Bill{Reads: 1}},
		{"notifications", func(l baseline) Bill { return l.notificationEvents(notificationEvents) }, Bill{Reads: 5},
			Bill{Reads: 5}},
		{"reply to 12", func(l baseline) Bill { return l.reply(12) }, Bill{Reads: 16, Writes: 14},
			Bill{Reads: 16, Writes: 16}},
		{"share to 12", func(l baseline) Bill { return l.share(12) }, Bill{Reads: 16, Writes: 14},
			Bill{Reads: 16, Writes: 15}},
		{"edit", baseline.edit, Bill{Reads: 1, Writes: 2}, Bill{Reads: 1, Writes: 2}},
		{"start with 2 products in the cart", func(l baseline) Bill { return l.start(shownUser{}, 2, 4) }, Bill{Reads: 31},
			Bill{Reads: 28}},
		{"follow", func(l baseline) Bill { return l.follow(30) }, Bill{Reads: 22, Writes: 22}, Bill{Reads: 22, Writes: 24}},
		{"order of 2", func(l baseline) Bill { return l.order(2) }, Bill{Reads: 7, Writes: 6}, Bill{Reads: 7, Writes: 6}},
		{"like", baseline.like, Bill{Reads: 4, Writes: 2}, Bill{Reads: 4, Writes: 3}},
	}
	for _, test := range tests {
		if got := test.of(baseline{}); got != test.want {
			t.Errorf("%s = %+v, want %+v", test.name, got, test.want)
		}
		if got := test.of(baseline{counters: true}); got != test.counters {
			t.Errorf("%s with counters = %+v, want %+v", test.name, got, test.counters)
		}
	}
}
