package functions_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// The figures that report whether Hibana keeps its promises are recorded, and are times that passed: how old a tweet is
// when the followers of its author have it, and how long a hot count waits. So are calls of
// Firestore that fail, and what is billed.
func TestPromisesAreMeasured(t *testing.T) {
	t.Parallel()
	on, err := telemetry.Start(t.Context(), telemetry.Options{Service: "functions", Metrics: "127.0.0.1:0",
		Log: slog.New(slog.DiscardHandler)})
	testenv.Must(t, err)
	defer on.Stop(t.Context())
	begun := time.Now()
	s := stacktest.Run(t, stack.Options{Telemetry: on, Store: store.Options{CacheTTL: time.Millisecond,
		WriteEvery: 20 * time.Millisecond}})
	// count returns how many times a histogram has, which must have passed in this test.
	count := func(name string) (n float64) {
		t.Helper()
		values := figures(t, on)
		n, sum := values[name+"_count"], values[name+"_sum"]
		if most := time.Since(begun).Seconds(); n > 0 && (sum <= 0 || sum/n > most) {
			t.Errorf("%s has %v values and the sum %v s in a test of %v s", name, n, sum, most)
		}
		return n
	}
	const freshness, lag = "hibana_fanout_freshness_seconds", "hibana_rollup_lag_seconds"
	const followers = 40 // so many likes at once that the count is busy, and has shards
	uid := func(i int) model.UserID { return model.UserID(fmt.Sprint("fan", i)) }
	for _, author := range []model.UserID{"ann", "bob"} {
		_, err := s.Store.Users.CreateUser(t.Context(), author, model.NewUser{Username: string(author), Nickname: "N"})
		testenv.Must(t, err)
	}
	for _, err := range testenv.AtOnce(followers, func(i int) error {
		if _, err := s.Store.Users.CreateUser(t.Context(), uid(i), model.NewUser{Username: string(uid(i)),
			Nickname: "N"}); err != nil {
			return err
		}
		return s.Store.Graph.Follow(t.Context(), uid(i), "bob")
	}) {
		testenv.Must(t, err)
	}
	testenv.Must(t, s.Store.Graph.Follow(t.Context(), "bob", "ann"))
	stacktest.Idle(t, s)
	if n := count(freshness); n != 0 {
		t.Errorf("%v tweets are fresh before there is one", n)
	}

	var tweet model.TweetID
	for _, author := range []model.UserID{"ann", "bob"} {
		before := count(freshness)
		posted, err := s.Store.Tweets.CreateTweet(t.Context(), author, model.Draft{Content: "a spark", AllowLikes: true},
			model.Request{})
		testenv.Must(t, err)
		tweet = posted.ID
		stacktest.Idle(t, s)
		if count(freshness) == before {
			t.Errorf("nobody measures when the followers of %s have a tweet", author)
		}
	}
	before := count(lag)
	for n := 0; count(lag) == before && n < 20; n++ { // until the machine is fast enough to make the count hot
		for _, err := range testenv.AtOnce(followers, func(i int) error {
			return s.Store.Reactions.Like(t.Context(), uid(i), tweet)
		}) {
			testenv.Must(t, err)
		}
		stacktest.Idle(t, s)
		for _, err := range testenv.AtOnce(followers, func(i int) error {
			return s.Store.Reactions.Unlike(t.Context(), uid(i), tweet)
		}) {
			testenv.Must(t, err)
		}
		stacktest.Idle(t, s)
	}
	if count(lag) == before {
		t.Error("nobody measures how long hot counts wait")
	}
	if _, err := s.Store.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann", Nickname: "N"}); err == nil {
		t.Error("ann is there twice")
	}
	values := figures(t, on)
	for _, name := range []string{"hibana_billed_reads_total", "hibana_billed_writes_total", "hibana_billed_deletes_total",
		"hibana_firestore_errors_total", "hibana_events_total", "hibana_event_age_seconds_count"} {
		if values[name] <= 0 {
			t.Errorf("%s is not recorded", name)
		}
	}
}

// figures returns the sum of each series of metrics by its name, over all attributes.
func figures(t *testing.T, on *telemetry.Telemetry) map[string]float64 {
	t.Helper()
	resp, err := http.Get("http://" + on.Address() + "/metrics")
	testenv.Must(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	testenv.Must(t, err)
	all := map[string]float64{}
	for line := range strings.Lines(string(body)) {
		series, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if i := strings.LastIndex(line, "} "); i >= 0 {
			series, value = line[:i], strings.TrimSpace(line[i+2:])
		}
		name, _, _ := strings.Cut(series, "{")
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			all[name] += n
		}
	}
	return all
}
