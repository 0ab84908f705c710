package bounds

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestTrends writes the largest hour, and the largest usual: all tags and tweets that
// there is room for, with the longest names and full samples.
func TestLargestTrends(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	h := model.HourOf(e.Clock.Now())
	var hour model.Trending
	var usual model.TrendUsual
	long := func(n int) string { return strings.Repeat("𝒙", model.MaxTagLength-4) + fmt.Sprint(1000+n) }
	tweet := func(n int) model.TweetID { return model.TweetID(fmt.Sprintf("%018x", n)) }
	for account := range model.TrendSample {
		var uses []model.TrendUse
		for n := range 3 * model.TrendSubjects {
			u := model.TrendUse{Account: model.UserID(fmt.Sprint(account, "/", n)), Fact: fmt.Sprint(account), Language: "und",
				On: true, At: h.Time}
			u.Tag, u.Label = long(n), strings.ToUpper(long(n))
			uses = append(uses, u)
			u.Tag, u.Label, u.Tweet = "", "", tweet(n)
			uses = append(uses, u)
		}
		hour.Note(h, uses)
	}
	if len(hour.Tags) != model.TrendSubjects || len(hour.Tweets) != model.TrendSubjects {
		t.Errorf("an hour has %d tags and %d tweets", len(hour.Tags), len(hour.Tweets))
	}
	for n := range 3 * model.TrendUsuals / model.TrendSubjects {
		part := model.Trending{Tags: map[string]model.TrendSubject{}, Tweets: map[string]model.TrendSubject{}}
		i := n * model.TrendSubjects
		for _, s := range hour.Tags {
			part.Tags[long(i)], part.Tweets[string(tweet(i))] = s, s
			i++
		}
		usual.Fold(h, &part)
	}
	if len(usual.Tags) != model.TrendUsuals || len(usual.Tweets) != model.TrendUsuals {
		t.Errorf("the usual is of %d tags and %d tweets", len(usual.Tags), len(usual.Tweets))
	}
	for n := range model.MaxTrendDecisions {
		_, err := usual.Review.DecideTag(long(n), model.TrendRefused)
		testenv.Must(t, err)
		usual.Review.DecideTweet(tweet(n), model.TrendRefused)
	}
	now := model.TrendsNow{At: h.Time}
	spoken := model.Trending{Tags: map[string]model.TrendSubject{}, Tweets: map[string]model.TrendSubject{}}
	for n := range 2 * 10 * 26 { // two accounts of each language that begins with a to j
		var uses []model.TrendUse
		for i := range 2 * model.TrendListed {
			u := model.TrendUse{Account: model.UserID(fmt.Sprint(n)), Fact: fmt.Sprint(n), On: true, At: h.Time,
				Language: string([]byte{byte('a' + n/26%10), byte('a' + n%26)})}
			u.Tag, u.Label = long(i), strings.ToUpper(long(i))
			uses = append(uses, u)
			u.Tag, u.Label, u.Tweet = "", "", tweet(i)
			uses = append(uses, u)
		}
		one := model.Trending{}
		one.Note(h, uses)
		spoken.Merge(&one)
	}
	for n := range 20 {
		now.Hide(model.UserID(fmt.Sprint(n)))
	}
	now.Rank([]*model.Trending{&spoken}, 1, &model.TrendUsual{})
	waiting := model.TrendsNow{}
	waiting.Rank([]*model.Trending{&hour}, 1, &model.TrendUsual{Review: model.TrendReview{Needed: true}})
	now.WaitingTags, now.WaitingTweets = waiting.WaitingTags, waiting.WaitingTweets
	if len(now.WaitingTags) != 50 || len(now.WaitingTweets) != 50 {
		t.Errorf("%d tags and %d tweets wait", len(now.WaitingTags), len(now.WaitingTweets))
	}
	for language, tags := range now.Tags {
		if len(tags) != model.TrendListed || len(now.Tweets[language]) != 2*model.TrendListed {
			t.Errorf("%d tags and %d tweets in %s", len(tags), len(now.Tweets[language]), language)
		}
	}
	if len(now.Tags) != model.TrendLanguages+1 {
		t.Errorf("the lists are of %d languages", len(now.Tags))
	}
	for key, doc := range map[string]any{model.TrendKey(h, 0): hour, model.TrendUsualKey: usual,
		model.TrendsNowKey: now} {
		_, err := e.Raw.Collection(model.Trends).Doc(key).Set(t.Context(), doc)
		testenv.Must(t, err)
	}
	checkAll(t, e, 1)
}
