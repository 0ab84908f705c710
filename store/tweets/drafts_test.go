package tweets_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// saying returns a draft with a content.
func saying(content string) model.SavedDraft {
	return model.SavedDraft{Draft: model.Draft{Content: content, AllowLikes: true, AllowReplies: true}}
}

// in returns a draft that is due a while from now.
func in(e *storetest.Env, d model.SavedDraft, after time.Duration) model.SavedDraft {
	d.PublishAt = new(e.Clock.Now().Add(after))
	return d
}

// save saves a draft.
func save(t *testing.T, e *storetest.Env, uid model.UserID, d model.SavedDraft) *model.SavedDraft {
	t.Helper()
	saved, err := e.Drafts.Save(t.Context(), uid, d, model.Request{})
	testenv.Must(t, err)
	return saved
}

// contents returns the contents of all drafts of a user, n on a page.
func contents(t *testing.T, e *storetest.Env, uid model.UserID, n int) (all []string) {
	t.Helper()
	for from := (model.Cursor{}); ; {
		page, err := e.Drafts.Of(t.Context(), uid, from, n)
		testenv.Must(t, err)
		for _, d := range page.Items {
			all = append(all, d.Content)
		}
		if from = page.Next; from.IsZero() {
			return all
		}
	}
}

// A draft is read as it was saved, listed newest first, and only for its user.
func TestSave(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "b_b")
	parent := model.TweetID("0000000000000000aa")
	want := model.SavedDraft{Draft: model.Draft{
		Content: "a spark #go", Summary: "fire", Tags: []string{"x"}, ReplyTo: &parent, QuoteOf: "0000000000000000ab",
		AllowLikes: true, DenyQuotes: true, Visibility: model.Followers, Language: "en-GB",
	}}
	var saved *model.SavedDraft
	testenv.Must(t, storetest.Costs(t, "Save, by a user whom the process does not know", 2, 1, 0,
		func(ctx context.Context) (err error) {
			saved, err = e.Drafts.Save(ctx, "ann", in(e, want, time.Hour), model.Request{})
			return err
		}))
	got, err := e.Drafts.Draft(t.Context(), "ann", saved.ID)
	testenv.Must(t, err)
	if !got.Says(saved) || got.Revision != 0 || got.UserID != "ann" ||
		!got.PublishAt.Equal(e.Clock.Now().Add(time.Hour)) || got.Content != want.Content || *got.ReplyTo != parent {
		t.Errorf("draft = %+v, want %+v", got, saved)
	}
	for i := range 4 {
		e.Clock.Add(time.Second)
		save(t, e, "ann", saying(fmt.Sprint(i)))
	}
	save(t, e, "b_b", saying("ben's"))
	for _, n := range []int{1, 2, 100} {
		if got := contents(t, e, "ann", n); !slices.Equal(got, []string{"3", "2", "1", "0", "a spark #go"}) {
			t.Errorf("drafts, %d on a page = %q", n, got)
		}
	}
	testenv.Must(t, storetest.Costs(t, "a page of 2", 2, 0, 0, func(ctx context.Context) error {
		_, err := e.Drafts.Of(ctx, "ann", model.Cursor{}, 2)
		return err
	}))
	if got := contents(t, e, "b_b", 10); !slices.Equal(got, []string{"ben's"}) {
		t.Errorf("drafts of b_b = %q", got)
	}
	_, err = e.Drafts.Draft(t.Context(), "b_b", saved.ID)
	storetest.WantErr(t, err, errs.NotFound, "draft_not_found")
	for range 2 {
		testenv.Must(t, storetest.Costs(t, "Delete", 0, 0, 1, func(ctx context.Context) error {
			return e.Drafts.Delete(ctx, "ann", saved.ID)
		}))
	}
	if got := contents(t, e, "ann", 10); len(got) != 4 {
		t.Errorf("drafts = %q, want four", got)
	}
	if got := e.IDs(t, model.Tweets); len(got) > 0 {
		t.Errorf("tweets %v, want none", got)
	}
}

// A draft must have valid content and a time in the future, and there must be room among the drafts of its user.
func TestSaveRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tests := []struct {
		by   model.UserID
		d    model.SavedDraft
		kind errs.Kind
		code string
	}{
		{"ann", saying(""), errs.Invalid, "content_required"},
		{"ann", saying(strings.Repeat("x", model.MaxContent+1)), errs.Invalid, "too_long"},
		{"ann", model.SavedDraft{Draft: model.Draft{Content: "x", Visibility: "some"}}, errs.Invalid, "invalid_visibility"},
		{"ann", in(e, saying("x"), 0), errs.Invalid, "invalid_publish_at"},
		{"ann", in(e, saying("x"), model.MaxSchedule+time.Second), errs.Invalid, "invalid_publish_at"},
		{"nobody", saying("x"), errs.Forbidden, "profile_required"},
	}
	for _, test := range tests {
		_, err := e.Drafts.Save(t.Context(), test.by, test.d, model.Request{})
		storetest.WantErr(t, err, test.kind, test.code)
	}
	for i := range model.MaxDrafts {
		save(t, e, "ann", saying(fmt.Sprint(i)))
	}
	_, err := e.Drafts.Save(t.Context(), "ann", saying("x"), model.Request{})
	storetest.WantErr(t, err, errs.Conflict, "too_many_drafts")
	if got := len(e.IDs(t, model.Drafts)); got != model.MaxDrafts {
		t.Errorf("%d drafts, want %d", got, model.MaxDrafts)
	}
}

// A repeated request makes no second draft. That holds for ten concurrent requests with a key, and for a lost answer to
// the commit.
func TestSaveAgain(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ids := make([]string, 10)
	for _, err := range testenv.AtOnce(len(ids), func(i int) error {
		d, err := e.Drafts.Save(t.Context(), "ann", saying("x"), model.Request{Key: "k", Hash: "h"})
		if err == nil {
			ids[i] = d.ID
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	if len(e.IDs(t, model.Drafts)) != 1 || len(slices.Compact(ids)) != 1 {
		t.Errorf("one request made %q", ids)
	}
	_, err := e.Drafts.Save(t.Context(), "ann", saying("y"), model.Request{Key: "k", Hash: "i"})
	storetest.WantErr(t, err, errs.Conflict, "idempotency_key_reused")
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	made, err := lossy.Drafts.Save(t.Context(), "ann", saying("y"), model.Request{})
	testenv.Must(t, err)
	changed, err := lossy.Drafts.Change(t.Context(), "ann", made.ID, saying("z"), []int{0})
	testenv.Must(t, err)
	if got := contents(t, e, "ann", 10); losses.Count() != 2 || changed.Revision != 1 || len(got) != 2 ||
		!slices.Contains(got, "z") {
		t.Errorf("%d answers were lost; drafts = %q, at revision %d", losses.Count(), got, changed.Revision)
	}
}

// A change replaces the whole content of a draft, if the draft is still as its author has read it. Of ten concurrent
// changes of one version one succeeds.
func TestChange(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	d := save(t, e, "ann", in(e, model.SavedDraft{Draft: model.Draft{Content: "x", Summary: "s", Tags: []string{"go"},
		QuoteOf: "0000000000000000aa"}}, time.Hour))
	change := func(to model.SavedDraft, from ...int) (*model.SavedDraft, error) {
		return e.Drafts.Change(t.Context(), "ann", d.ID, to, from)
	}
	testenv.Must(t, storetest.Costs(t, "Change", 1, 1, 0, func(ctx context.Context) error {
		_, err := e.Drafts.Change(ctx, "ann", d.ID, saying("y"), []int{0})
		return err
	}))
	want := map[string]any{"userId": "ann", "content": "y", "allowLikes": true, "allowReplies": true, "revision": int64(1),
		"createdAt": d.CreatedAt, "updatedAt": e.Clock.Now().UTC()}
	if got := e.Doc(t, "drafts/ann_"+d.ID); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("draft = %v, want %v", got, want)
	}
	testenv.Must(t, storetest.Costs(t, "a change of nothing", 1, 0, 0, func(ctx context.Context) error {
		_, err := e.Drafts.Change(ctx, "ann", d.ID, saying("y"), []int{0})
		return err
	}))
	_, err := change(saying("z"), 0)
	storetest.WantErr(t, err, errs.Outdated, "draft_changed")
	_, err = change(in(e, saying("z"), -time.Second))
	storetest.WantErr(t, err, errs.Invalid, "invalid_publish_at")
	_, err = e.Drafts.Change(t.Context(), "ann", model.NewDraftID("ann", "other"), saying("z"), nil)
	storetest.WantErr(t, err, errs.NotFound, "draft_not_found")

	won := 0
	for _, err := range testenv.AtOnce(10, func(i int) error { _, err := change(saying(fmt.Sprint(i)), 1); return err }) {
		if err == nil {
			won++
		} else {
			storetest.WantErr(t, err, errs.Outdated, "draft_changed")
		}
	}
	if won != 1 {
		t.Errorf("%d changes of one version succeeded, want one", won)
	}
	scheduled, err := change(in(e, saying("later"), time.Minute))
	testenv.Must(t, err)
	if got := e.Doc(t, "drafts/ann_"+d.ID); got["dueShard"] == nil || scheduled.Revision != 3 {
		t.Errorf("a scheduled draft = %v", got)
	}
}

// The recipients whom a draft names change with the rest of it, and go with it.
func TestChangeRecipients(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	to := func(users ...model.UserID) model.SavedDraft {
		return model.SavedDraft{Draft: model.Draft{Content: "hi @bob_u", Visibility: model.Mentioned, Named: users}}
	}
	d := save(t, e, "ann", to("cat"))
	for _, users := range [][]model.UserID{{"bob"}, nil, {"cat"}, {"bob"}} {
		for range 2 { // the same change again changes nothing
			_, err := e.Drafts.Change(t.Context(), "ann", d.ID, to(users...), nil)
			testenv.Must(t, err)
		}
		is, err := e.Drafts.Draft(t.Context(), "ann", d.ID)
		testenv.Must(t, err)
		if d.Revision++; !slices.Equal(is.Named, users) || is.Revision != d.Revision {
			t.Errorf("the draft names %v, with revision %d; want %v, %d", is.Named, is.Revision, users, d.Revision)
		}
	}
	made, err := e.Drafts.Publish(t.Context(), "ann", d.ID)
	testenv.Must(t, err)
	if made.Tweet == nil || made.Visibility != model.Mentioned {
		t.Errorf("the tweet is %+v", made)
	}
}
