package moderation_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

var judge = moderation.Actor{UID: "judge", Role: model.RoleModerator, Reason: "rude"}

type judged struct {
	*storetest.Env
	t *testing.T
}

func openJudged(t *testing.T) judged {
	t.Helper()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	return judged{e, t}
}

// last returns the id of the newest decision about a user.
func (e judged) last(uid model.UserID) string {
	e.t.Helper()
	page, err := e.Moderation.Decisions(e.t.Context(), uid, model.Cursor{}, 20)
	testenv.Must(e.t, err)
	if len(page.Items) == 0 {
		e.t.Fatalf("no decision about %s", uid)
	}
	return page.Items[0].ID
}

func (e judged) appeal(uid model.UserID, id, text string) error {
	_, err := e.Moderation.Appeal(e.t.Context(), uid, id, text)
	return err
}

func (e judged) answer(id string, state model.AppealState) error {
	_, _, err := e.Moderation.AnswerAppeal(e.t.Context(), judge, id, state, "we looked again")
	return err
}

func (e judged) frozen(uid model.UserID) bool {
	e.t.Helper()
	is, err := e.Moderation.AccountStatus(e.t.Context(), uid)
	testenv.Must(e.t, err)
	return is.State == model.AccountStatusFrozen
}

// A user appeals once against a decision, within its time. An answer that reverses the decision undoes it.
func TestAppeals(t *testing.T) {
	t.Parallel()
	e := openJudged(t)
	ctx := t.Context()
	tweet := e.Tweet(t, "ann", "rude words")
	testenv.Must(t, e.Moderation.Flag(ctx, judge, tweet.ID, true, nil))
	flag := e.last("ann")
	storetest.WantErr(t, e.appeal("bob", flag, "let ann speak"), errs.NotFound, "decision_not_found")
	storetest.WantErr(t, e.appeal("ann", "nothing", "x"), errs.NotFound, "decision_not_found")
	storetest.WantErr(t, e.appeal("ann", "a/b", "x"), errs.NotFound, "decision_not_found")
	storetest.WantErr(t, e.appeal("ann", flag, " \u200b"), errs.Invalid, "text_required")
	storetest.WantErr(t, e.appeal("ann", flag, strings.Repeat("x", model.MaxAppealText+1)), errs.Invalid, "too_long")
	testenv.Must(t, storetest.Costs(t, "Appeal", 2, 1, 0, func(ctx context.Context) error {
		_, err := e.Moderation.Appeal(ctx, "ann", flag, "it was a quote")
		return err
	}))
	testenv.Must(t, e.appeal("ann", flag, "it was a quote")) // the answer was lost
	storetest.WantErr(t, e.appeal("ann", flag, "and another thing"), errs.Exists, "appeal_exists")

	_, err := e.Moderation.SetAccountStatus(ctx, judge, "ann", model.ActFreeze)
	testenv.Must(t, err)
	e.Clock.Add(time.Minute)
	freeze := e.last("ann")
	testenv.Must(t, e.appeal("ann", freeze, "it was a joke"))
	var open []string
	page, err := e.Moderation.Appeals(ctx, model.Cursor{}, 10)
	testenv.Must(t, err)
	for _, is := range page.Items {
		open = append(open, is.ID)
	}
	if len(open) != 2 || open[0] != flag || page.Items[0].Reason != "rude" {
		t.Errorf("the open appeals are %v, want %s and %s", open, flag, freeze)
	}
	storetest.WantErr(t, e.answer("nothing", model.AppealUpheld), errs.NotFound, "appeal_not_found")
	testenv.Must(t, storetest.Costs(t, "reverse a flag", 3, 4, 0, func(ctx context.Context) error {
		_, _, err := e.Moderation.AnswerAppeal(ctx, judge, flag, model.AppealReversed, "we looked again")
		return err
	}))
	if e.Doc(t, "tweets/"+string(tweet.ID))["isViolative"] != false {
		t.Error("the tweet is flagged after the reversal")
	}
	testenv.Must(t, e.answer(freeze, model.AppealUpheld))
	if !e.frozen("ann") {
		t.Error("an upheld freeze is gone")
	}
	storetest.WantErr(t, e.answer(freeze, model.AppealReversed), errs.Conflict, "appeal_answered")
	decisions, err := e.Moderation.Decisions(ctx, "ann", model.Cursor{}, 20)
	testenv.Must(t, err)
	if len(decisions.Items) != 2 || decisions.Items[0].Appeal.State != model.AppealUpheld ||
		decisions.Items[0].Appeal.Answer != "we looked again" || decisions.Items[1].Appeal.State != model.AppealReversed {
		t.Errorf("ann sees %+v", decisions.Items)
	}
	if page, err = e.Moderation.Appeals(ctx, model.Cursor{}, 10); err != nil || len(page.Items) != 0 {
		t.Errorf("%d appeals are open (%v), want none", len(page.Items), err)
	}
}

// A decision of long ago allows no appeal.
func TestLateAppeal(t *testing.T) {
	t.Parallel()
	e := openJudged(t)
	tweet := e.Tweet(t, "ann", "rude words")
	testenv.Must(t, e.Moderation.DeleteTweet(t.Context(), judge, tweet.ID, false))
	e.Clock.Set(time.Now().Add(model.AppealWindow + time.Minute))
	storetest.WantErr(t, e.appeal("ann", e.last("ann"), "x"), errs.Conflict, "too_late_to_appeal")
}

// Moderators who answer at once, and lost answers, undo a decision once, with one entry for each act.
func TestAnswerAtOnce(t *testing.T) {
	t.Parallel()
	e := openJudged(t)
	_, err := e.Moderation.SetAccountStatus(t.Context(), judge, "ann", model.ActFreeze)
	testenv.Must(t, err)
	id := e.last("ann")
	testenv.Must(t, e.appeal("ann", id, "it was a joke"))
	lossy, losses := e.Lossy(t, 0.5)
	done := make(chan error, 4)
	for i := range cap(done) {
		s := e.Store
		if i > 0 {
			s = lossy
		}
		go func() {
			_, _, err := s.Moderation.AnswerAppeal(context.WithoutCancel(t.Context()), judge, id, model.AppealReversed, "sorry")
			done <- err
		}()
	}
	for range cap(done) {
		testenv.Must(t, <-done)
	}
	if e.frozen("ann") {
		t.Error("ann is frozen after the reversal")
	}
	if got := len(e.IDs(t, model.AdminActions)); got != 3 {
		t.Errorf("there are %d entries after %d lost answers, want those of the freeze, its end and the answer", got,
			losses.Count())
	}
}

// What another decision did since stays done.
func TestReverseAfterAnotherDecision(t *testing.T) {
	t.Parallel()
	e := openJudged(t)
	ctx := t.Context()
	act := func(act model.Act) {
		t.Helper()
		_, err := e.Moderation.SetAccountStatus(ctx, judge, "ann", act)
		testenv.Must(t, err)
	}
	act(model.ActFreeze)
	freeze := e.last("ann")
	testenv.Must(t, e.appeal("ann", freeze, "it was a joke"))
	act(model.ActUnfreeze)
	act(model.ActFreeze)
	testenv.Must(t, e.answer(freeze, model.AppealReversed))
	if !e.frozen("ann") {
		t.Error("the reversal of an earlier freeze ended a later one")
	}

	tweet := e.Tweet(t, "bob", "rude words")
	testenv.Must(t, e.Moderation.Flag(ctx, judge, tweet.ID, true, nil))
	flag := e.last("bob")
	testenv.Must(t, e.appeal("bob", flag, "it was a quote"))
	testenv.Must(t, e.Moderation.Flag(ctx, judge, tweet.ID, false, nil))
	testenv.Must(t, e.Moderation.Flag(ctx, judge, tweet.ID, true, nil))
	testenv.Must(t, e.answer(flag, model.AppealReversed))
	if e.Doc(t, "tweets/"+string(tweet.ID))["isViolative"] != true {
		t.Error("the reversal of an earlier flag removed a later one")
	}

	gone := e.Tweet(t, "bob", "rude words")
	testenv.Must(t, e.Moderation.DeleteTweet(ctx, judge, gone.ID, false))
	deleted := e.last("bob")
	testenv.Must(t, e.appeal("bob", deleted, "it was mine"))
	testenv.Must(t, e.answer(deleted, model.AppealReversed))
}
