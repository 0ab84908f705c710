package discovery_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

var keeper = moderation.Actor{UID: "keeper", Role: model.RoleAdministrator}

// What waits shows to nobody until an administrator allows it, and what is refused never does. The decisions stay when
// functions write the usual usage beside them.
func TestTrendReview(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	users := []model.UserID{"ann", "bob", "cat"}
	e.CreateUsers(t, users...)
	decide := func(tag string, d model.TrendDecision) {
		t.Helper()
		testenv.Must(t, e.Moderation.ReviewTag(ctx, keeper, tag, d))
	}
	decide("Rude", model.TrendRefused) // before any hour is folded
	a := trendsPost(t, e, "ann", model.Draft{Content: "one #Spark #rude"})
	trendsPost(t, e, "bob", model.Draft{Content: "two #spark #rude"})
	for _, by := range users[1:] {
		like(t, e, by, a, true)
	}
	wantList(t, e, "", "#Spark 2", "one #Spark #rude 2")

	testenv.Must(t, storetest.Costs(t, "NeedTrendReview", 1, 2, 0, func(ctx context.Context) error {
		return e.Moderation.NeedTrendReview(ctx, keeper, true)
	}))
	testenv.Must(t, storetest.Costs(t, "NeedTrendReview again", 1, 0, 0, func(ctx context.Context) error {
		return e.Moderation.NeedTrendReview(ctx, keeper, true)
	}))
	wantList(t, e, "")
	testenv.Must(t, e.Trends.Publish(ctx))
	r, now, err := e.Moderation.TrendReview(ctx)
	testenv.Must(t, err)
	if !r.Needed || len(now.WaitingTags) != 1 || now.WaitingTags[0].Label != "Spark" ||
		len(now.WaitingTweets) != 1 || now.WaitingTweets[0].Name != string(a.ID) {
		t.Errorf("administrators see %+v and %+v", r, now)
	}
	e.Clock.Add(4 * time.Minute) // the published trends are outdated
	testenv.Must(t, storetest.Costs(t, "ReviewTag", 1, 2, 0, func(ctx context.Context) error {
		return e.Moderation.ReviewTag(ctx, keeper, "#SPARK", model.TrendAllowed)
	}))
	wantList(t, e, "", "#Spark 2")
	testenv.Must(t, e.Moderation.ReviewTweet(ctx, keeper, a.ID, model.TrendAllowed))
	wantList(t, e, "", "#Spark 2", "one #Spark #rude 2")
	storetest.WantErr(t, e.Moderation.ReviewTag(ctx, keeper, "", model.TrendAllowed), errs.Invalid, "invalid_tag")

	// A function of another process folds hours into the document meanwhile, and the next day.
	e.Clock.Add(24 * time.Hour)
	for _, by := range users {
		trendsPost(t, e, by, model.Draft{Content: "#spark #rude #new"})
	}
	wantList(t, e, "", "#spark 3")
	if e.Doc(t, "trends/usual")["through"].(time.Time).IsZero() {
		t.Error("no hour is folded")
	}
	decide("spark", model.TrendUndecided)
	decide("rude", model.TrendUndecided)
	testenv.Must(t, e.Moderation.NeedTrendReview(ctx, keeper, false))
	if got := list(t, e, ""); len(got) != 3 || !slices.Contains(got, "#rude 3") {
		t.Errorf("without review and decisions the trends are %v", got)
	}
	if got := len(e.IDs(t, model.AdminActions)); got != 7 {
		t.Errorf("the audit log has %d entries, want one for each change", got)
	}
}

// Administrators who decide at once, and lost answers, lose no decision, and log each once.
func TestTrendReviewAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	lossy, _ := e.Lossy(t, 0.3)
	done := make(chan error, 4)
	for i := range cap(done) {
		go func() {
			done <- lossy.Moderation.ReviewTag(context.WithoutCancel(t.Context()), keeper, string(rune('a'+i)),
				model.TrendRefused)
		}()
	}
	for range cap(done) {
		testenv.Must(t, <-done)
	}
	r, _, err := e.Moderation.TrendReview(t.Context())
	testenv.Must(t, err)
	if got := len(e.IDs(t, model.AdminActions)); len(r.Tags) != cap(done) || got != cap(done) {
		t.Errorf("%d decisions and %d entries, want %d of each", len(r.Tags), got, cap(done))
	}
}
