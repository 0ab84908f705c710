package profiles_test

import (
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A preview is removed while another process overflows its month. The preview is gone, whichever process commits first.
func TestReconcileDuringOverflow(t *testing.T) {
	t.Parallel()
	const limit, month = 4, "ann_2026-11"
	tests := []struct {
		name   string
		during string // the document whose writer waits for the other process
		slow   func(t *testing.T, s *store.Store, id model.TweetID) error
		fast   func(t *testing.T, s *store.Store, id model.TweetID) error
	}{
		{"a spill in the middle of the removal", "tweetMonths/" + month, reconcilePreview, overflow},
		{"a removal in the middle of the spill", "tweetMonths/" + month + "_1", overflow, reconcilePreview},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{PreviewsPerBucket: limit})
			e.CreateUsers(t, "ann")
			var want []model.TweetID
			for range limit + 2 {
				tweet := e.Tweet(t, "ann", "x")
				testenv.Must(t, e.Previews.Put(t.Context(), tweet))
				want = slices.Insert(want, 0, tweet.ID)
			}
			gone := want[len(want)-1] // old, so that the overflow moves its preview
			want = want[:len(want)-1]
			testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, gone))
			slow := e.Again(t, store.Options{PreviewsPerBucket: limit, Meter: meter.Options{
				Below: storetest.Before(storetest.WritesTo(test.during), func() {
					if err := test.fast(t, e.Store, gone); err != nil {
						t.Error(err)
					}
				}),
			}})
			testenv.Must(t, test.slow(t, slow, gone))
			if e.Doc(t, "tweetMonths/"+month+"_1") == nil {
				t.Error("the month was not spilt")
			}
			if got := model.Newest(months(t, e, "ann"), 0); !slices.Equal(got, want) {
				t.Errorf("tweets of the month = %v, want %v", got, want)
			}
		})
	}
}

func reconcilePreview(t *testing.T, s *store.Store, id model.TweetID) error {
	_, err := s.Previews.ReconcilePreview(t.Context(), "ann", id, model.OpenAudiencePartition)
	return err
}

func overflow(t *testing.T, s *store.Store, _ model.TweetID) error {
	return s.Previews.Overflow(t.Context(), model.OpenAudiencePartition, "ann_2026-11")
}
