package api_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// trusting takes a token for the uid that it names. A real token costs a signature check.
type trusting struct{}

func (trusting) Verify(_ context.Context, token string) (model.Caller, error) {
	return model.Caller{UID: model.UserID(token)}, nil
}

func (v trusting) VerifyNow(ctx context.Context, token string) (model.Caller, error) {
	return v.Verify(ctx, token)
}

// BenchmarkHomePage measures the CPU that a home page of 20 costs the API's process: a full
// month of entries is decoded, and the tweets are cached. The collector runs as README.md
// deploys it. docs/adr/0034-cpu-of-a-home-page.md says where the time goes.
func BenchmarkHomePage(b *testing.B) {
	page := homePage(b, nil)
	begun, n := cpu(b), 0
	for b.Loop() {
		page()
		n++
	}
	b.ReportMetric(milliseconds(cpu(b)-begun)/float64(n), "cpu-ms/op")
}

// BenchmarkTelemetry measures what telemetry adds to a home page: metrics, a text of Prometheus,
// and a trace of each twentieth page that goes to a collector which nobody answers for. Pages
// without and with telemetry take turns, a few at a time, so that a machine with other work
// slows both. It reports medians: of each, and of the differences, as a part of the first.
func BenchmarkTelemetry(b *testing.B) {
	on, err := telemetry.Start(b.Context(), telemetry.Options{Service: "api", OTLP: "127.0.0.1:1", Metrics: "127.0.0.1:0",
		Log: slog.New(slog.DiscardHandler)})
	testenv.Must(b, err)
	defer on.Stop(b.Context())
	const inTurn = 4
	pages := []func(){homePage(b, nil), homePage(b, on)}
	var took [2][]float64
	var more []float64
	for b.Loop() {
		var each [2]float64
		for i, page := range pages {
			begun := cpu(b)
			for range inTurn {
				page()
			}
			each[i] = milliseconds(cpu(b)-begun) / inTurn
			took[i] = append(took[i], each[i])
		}
		more = append(more, each[1]-each[0])
	}
	median := func(all []float64) float64 {
		slices.Sort(all)
		return all[len(all)/2]
	}
	off := median(took[0])
	b.ReportMetric(off, "cpu-ms-off")
	b.ReportMetric(median(took[1]), "cpu-ms-on")
	b.ReportMetric(100*median(more)/off, "percent")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// homePage returns what asks for a home page of 20, of an API of its own.
func homePage(b *testing.B, on *telemetry.Telemetry) func() {
	b.Helper()
	percent := debug.SetGCPercent(400)
	b.Cleanup(func() { debug.SetGCPercent(percent) })
	e := storetest.Open(b, store.Options{Now: time.Now, CacheTTL: time.Hour, Meter: meter.Options{Stats: on.Firestore()}})
	e.CreateUsers(b, "ann", "bob")
	testenv.Must(b, e.Graph.Follow(b.Context(), "bob", "ann"))
	for range model.HeadItems {
		tweet := e.Tweet(b, "ann", "a spark that is about as long as most of them are, with a #tag")
		testenv.Must(b, e.Timelines.Deliver(b.Context(), tweet))
	}
	handler := api.New(api.Options{
		Stores: wiring.API(e.Store),
		Options: server.Options{
			Verifier: trusting{}, Log: gcplog.New(newLines(), slog.LevelWarn),
			PageTokenKey: []byte("a key of thirty-two bytes or more"),
			Telemetry:    on,
		},
	})
	req := httptest.NewRequest(http.MethodGet, "/v1/timeline?pageSize=20", nil)
	req.Header.Set("Authorization", "Bearer bob")
	page := func() {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req.Clone(b.Context()))
		if w.Code != http.StatusOK || w.Body.Len() < 5_000 {
			b.Fatalf("answered %d: %s", w.Code, w.Body)
		}
	}
	page()
	return page
}

// cpu is the time of a processor that this process took so far.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	testenv.Must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
