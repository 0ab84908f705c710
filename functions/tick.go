package functions

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/store/notifications"
	"github.com/hibana-sns/hibana/store/tweets"
)

// Tick is the path of the work that is due by the clock and not because of an event. Cloud Scheduler calls it every
// minute, see deploy/schedule.sh. hibana dev calls it every few seconds. Calls may come at any time, and two calls may
// run at once.
const Tick = "Tick"

const (
	// tickTime is the time after which a tick starts no more work. A call that takes longer than a minute would overlap
	// the next call.
	tickTime = 40 * time.Second

	// tickTimeout is the time limit of a tick, including the end of its last step. Cloud Run ends the request after 60 s.
	tickTimeout = 55 * time.Second
)

// tick does the work that is due. It answers 204, or 500 if some work failed. Failed work is still due at the next
// tick.
func (s *Service) tick(w http.ResponseWriter, r *http.Request) {
	if err := s.runTick(r.Context()); err != nil {
		http.Error(w, "failed, call again", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// runTick does the work that is due, and writes a log line if there was any.
func (s *Service) runTick(ctx context.Context) (err error) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, tickTimeout)
	defer cancel()
	m := meter.New()
	ctx, span := s.Telemetry.Begin(gcplog.WithTrace(ctx, s.Store.Project(), nil), nil, trace.SpanKindServer)
	ctx = meter.With(ctx, m)
	over := func() bool { return time.Since(start) > tickTime }
	// Receivers of webhooks that are slow leave time for agents.
	slow := func() bool { return time.Since(start) > tickTime/2 }
	var published tweets.Published
	var ended, suggested, acts, delivered, federated int
	err = errors.Join( // a failure of one does not stop the other
		safely.Do(func() (err error) { published, err = s.Store.Drafts.PublishDue(ctx, over); return err }),
		safely.Do(func() (err error) {
			var hears notifications.PollEnded
			if s.Out != nil {
				hears = s.Out.PollEnded
			}
			ended, err = s.Store.NotificationEvents.NotifyPolls(ctx, over, hears)
			return err
		}),
		safely.Do(func() error { return s.Store.Totals.CountDue(ctx, over) }),
		safely.Do(func() error { return s.Store.Trends.Publish(ctx) }),
		safely.Do(func() (err error) { suggested, err = s.Store.Suggestions.ComputeDue(ctx, over); return err }),
		safely.Do(func() (err error) { delivered, err = s.Store.Moderation.DeliverDue(ctx, slow); return err }),
		safely.Do(func() (err error) {
			if s.Out != nil {
				federated, err = s.Out.SendDue(ctx, slow)
			}
			return err
		}),
		safely.Do(func() (err error) { acts, err = s.Store.Agents.RunDue(ctx, over); return err }),
	)
	attrs := []slog.Attr{
		slog.Int("published", published.Published), slog.Int("refused", published.Refused), slog.Int("polls_ended", ended),
		slog.Int("suggestions", suggested), slog.Int("agent_acts", acts), slog.Int("webhook_deliveries", delivered),
		slog.Int("activities", federated),
		slog.Int64("duration_ms", time.Since(start).Milliseconds()), slog.Any("", m.Snapshot()),
	}
	level, outcome := slog.LevelDebug, "handled"
	switch {
	case err != nil:
		outcome = "failed"
		level, attrs = slog.LevelWarn, append(attrs, slog.Any("error", err))
	case published != tweets.Published{} || ended > 0 || acts > 0 || delivered > 0 || federated > 0:
		level = slog.LevelInfo
	}
	s.Log.LogAttrs(ctx, level, "tick", attrs...)
	s.Telemetry.Handled(ctx, span, Tick, outcome, time.Time{}, m.Snapshot())
	return err
}
