package cost

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// What users do by an app writes as much as what they do in the web client, and reads a bounded number more.
func TestApps(t *testing.T) {
	testenv.Slow(t, "a day of users who have an app")
	t.Parallel()
	const users = 5
	r, err := Run(t.Context(), Day{Users: users, Days: 1, Seed: 7, For: 1_000, Apps: true}, options(t))
	testenv.Must(t, err)
	if r.HomeReads != 0 {
		t.Errorf("a home page of an app has %f reads by the model of the web client's", r.HomeReads)
	}
	bills := map[string]Operation{}
	for _, op := range r.Operations {
		bills[op.Name] = op
	}
	// Writes of one in the API and in functions, and the range of its reads in the API. A token is 1 read a minute, and
	// each 5 minutes of its use may be 1 write more.
	for name, want := range map[string]struct{ api, least, most int64 }{
		homeView: {0, 4, 45}, tweetView: {0, 2, 6}, threadView: {0, 4, 30}, userView: {0, 3, 7}, userTweets: {0, 5, 45},
		notificationEventView: {0, 3, 40}, search: {0, 5, 40}, tieView: {0, 3, 8}, trendsView: {0, 1, 30},
		postTweet: {2, 3, 8}, replyTweet: {2, 4, 10}, likeTweet: {2, 4, 10}, shareTweet: {2, 5, 15},
		homeNews: {0, 1, 3}, notificationNews: {0, 1, 4}, startView: {0, 8, 16},
	} {
		op, n := bills[name], int64(bills[name].Times)
		if n == 0 || op.API.Reads < want.least*n || op.API.Reads > want.most*n {
			t.Errorf("%d of %q are billed %+v, want %d to %d reads each", n, name, op.API, want.least, want.most)
		}
		if got := op.API.Writes; got < want.api*n || got > want.api*n+n/5+1 {
			t.Errorf("%d of %q have %d writes in the API, want %d each", n, name, got, want.api)
		}
	}
	for _, name := range []string{risingTags, popularTags, totalsView} {
		if op := bills[name]; op.API != (Bill{}) {
			t.Errorf("%q, which no app has, is billed %+v", name, op.API)
		}
	}
	if got, want := r.HomeTweets, int64(20*(bills[homeView].Times+r.Again.Times)); got != want {
		t.Errorf("home pages show %d posts, want %d", got, want)
	}
}

func TestAppsAlone(t *testing.T) {
	t.Parallel()
	for _, day := range []Day{{Users: 10, Days: 1, Apps: true, Messages: true}, {Users: 10, Days: 1, Apps: true,
		Pictures: true}} {
		if _, err := Run(t.Context(), day, Options{Functions: &Instrument{Uploads: "gs://a", Media: "gs://b"}}); err == nil {
			t.Errorf("%+v begins", day)
		}
	}
}
