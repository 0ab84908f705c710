package model_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// A refused tag is never a trend. If review is needed, a tag is one after it was allowed, and waits before.
func TestTrendReview(t *testing.T) {
	t.Parallel()
	var spoken model.Trending
	for account := range 3 {
		for _, tag := range []string{"good", "bad", "new"} {
			spoken.Note(hour, []model.TrendUse{use(tag, account, 1, time.Minute, true)})
		}
	}
	tests := []struct {
		needed         bool
		decided        map[string]bool
		shown, waiting []string
	}{
		{false, nil, []string{"bad", "good", "new"}, nil},
		{false, map[string]bool{"bad": false}, []string{"good", "new"}, nil},
		{true, nil, nil, []string{"bad", "good", "new"}},
		{true, map[string]bool{"bad": false, "good": true}, []string{"good"}, []string{"new"}},
	}
	for _, test := range tests {
		now := model.TrendsNow{}
		now.Rank([]*model.Trending{&spoken}, 1, &model.TrendUsual{
			Review: model.TrendReview{Needed: test.needed, Tags: test.decided}})
		for _, key := range []string{model.AnyLanguage, "ja"} {
			if got := trendNames(now.Tags[key]); !slices.Equal(got, test.shown) {
				t.Errorf("review %v of %v shows %v in %s, want %v", test.needed, test.decided, got, key, test.shown)
			}
		}
		if got := trendNames(now.WaitingTags); !slices.Equal(got, test.waiting) {
			t.Errorf("review %v of %v has %v wait, want %v", test.needed, test.decided, got, test.waiting)
		}
	}
}

// An administrator sees a decision at once, before the next ranking.
func TestStillTrends(t *testing.T) {
	t.Parallel()
	ranked := []model.Trend{{Name: "good"}, {Name: "bad"}, {Name: "new"}}
	decided := map[string]bool{"good": true, "bad": false}
	if got := trendNames(model.StillTrends(ranked, decided, true)); !slices.Equal(got, []string{"new"}) {
		t.Errorf("%v wait still", got)
	}
	if got := trendNames(model.StillTrends(ranked, decided, false)); !slices.Equal(got, []string{"good", "new"}) {
		t.Errorf("%v are shown still", got)
	}
}

func trendNames(trends []model.Trend) (names []string) {
	for _, t := range trends {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return names
}

// There is room for so many decisions. One about a tag stays, and the oldest tweet makes room.
func TestTrendDecisions(t *testing.T) {
	t.Parallel()
	var r model.TrendReview
	var ids []model.TweetID
	for n := range model.MaxTrendDecisions {
		_, err := r.DecideTag(fmt.Sprint("tag", n), model.TrendRefused)
		testenv.Must(t, err)
		ids = append(ids, model.OldestAt(hour.Add(n).Time))
		r.DecideTweet(ids[n], model.TrendAllowed)
	}
	if _, err := r.DecideTag("more", model.TrendRefused); errs.CodeOf(err) != "trend_review_full" {
		t.Errorf("one decision too many is %v", err)
	}
	if was, err := r.DecideTag("tag0", model.TrendAllowed); err != nil || was != model.TrendRefused || !r.Tags["tag0"] {
		t.Errorf("another decision about tag0, which was %s: %v", was, err)
	}
	_, err := r.DecideTag("tag1", model.TrendUndecided)
	testenv.Must(t, err)
	_, err = r.DecideTag("more", model.TrendRefused)
	testenv.Must(t, err)
	r.DecideTweet(model.OldestAt(hour.Add(1000).Time), model.TrendRefused)
	if _, known := r.Tweets[string(ids[0])]; known || len(r.Tweets) != model.MaxTrendDecisions {
		t.Errorf("%d tweets, the oldest is among them: %v", len(r.Tweets), known)
	}
}
