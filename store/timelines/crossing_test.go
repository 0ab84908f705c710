package timelines_test

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A new follower and a new tweet cross each other: one side does everything while the other is about to write its mark.
// The follower gets the tweet.
func TestFollowCrossesTweet(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		mark string // of the slow side
		slow func(t *testing.T, s *store.Store, tweet *model.Tweet) error
		fast func(t *testing.T, s *store.Store, tweet *model.Tweet) error
	}{
		{"a follow during a fan-out", "tweetMonths/ann_2026-11", deliverTweet, linkBob},
		{"a fan-out during a follow", "followerPages/ann", linkBob, deliverTweet},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.CreateUsers(t, "ann", "bob")
			testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
			tweet := e.Tweet(t, "ann", "a spark")
			slow := e.Again(t, store.Options{Meter: meter.Options{
				Below: storetest.Before(storetest.WritesTo(test.mark), func() {
					if err := test.fast(t, e.Store, tweet); err != nil {
						t.Error(err)
					}
				}),
			}})
			testenv.Must(t, test.slow(t, slow, tweet))
			wantHome(t, test.name, e.Store, "bob", []model.TweetID{tweet.ID})
		})
	}
}

func deliverTweet(t *testing.T, s *store.Store, tweet *model.Tweet) error {
	return s.Timelines.FanOut(t.Context(), tweet)
}

func linkBob(t *testing.T, s *store.Store, _ *model.Tweet) error {
	return s.Timelines.Link(t.Context(), "bob", "ann")
}
