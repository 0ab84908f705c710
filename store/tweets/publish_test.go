package tweets_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/tweets"
)

func never() bool { return false }

// due posts the due drafts, and checks the outcome.
func due(t *testing.T, s *store.Store, want tweets.Published) {
	t.Helper()
	if got, err := s.Drafts.PublishDue(t.Context(), never); err != nil || got != want {
		t.Errorf("PublishDue = %+v, %v, want %+v", got, err, want)
	}
}

// posted returns the contents of all tweets.
func posted(t *testing.T, e *storetest.Env) []string {
	t.Helper()
	all := []string{}
	for _, id := range e.IDs(t, model.Tweets) {
		full, err := e.Tweets.Tweet(t.Context(), model.TweetID(id), model.Viewer{Role: model.Administrator})
		testenv.Must(t, err)
		all = append(all, full.Content)
	}
	slices.Sort(all)
	return all
}

// A scheduled draft becomes its tweet at its time, and not before. Drafts without a time wait.
func TestPublishDue(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob")
	parent := e.Tweet(t, "bob", "parent").ID
	testenv.Must(t, storetest.Costs(t, "a look for nothing", 1, 0, 0, func(ctx context.Context) error {
		_, err := e.Drafts.PublishDue(ctx, never)
		return err
	}))
	save(t, e, "ann", saying("waits"))
	reply := saying("replies #go @bob_u")
	reply.ReplyTo, reply.DenyQuotes, reply.Summary = &parent, true, "s"
	save(t, e, "ann", in(e, reply, time.Minute))
	save(t, e, "ann", in(e, saying("later"), time.Hour))
	e.Clock.Add(time.Minute - time.Second)
	due(t, e.Store, tweets.Published{})
	e.Clock.Add(time.Second)
	due(t, e.Store, tweets.Published{Published: 1})
	due(t, e.Store, tweets.Published{})
	if got := posted(t, e); !slices.Equal(got, []string{"parent", "replies #go @bob_u"}) {
		t.Errorf("tweets = %q", got)
	}
	for _, id := range e.IDs(t, model.Tweets) {
		if full, err := e.Tweets.Tweet(t.Context(), model.TweetID(id), model.Viewer{}); err != nil || id != string(parent) &&
			(*full.ReplyTo != parent || !full.DenyQuotes || full.Summary != "s" || full.AuthorID != "ann" ||
				len(full.Mentions) != 1 || !full.CreatedAt.Equal(e.Clock.Now())) {
			t.Errorf("tweet = %+v, %v", full, err)
		}
	}
	e.Clock.Add(time.Hour)
	testenv.Must(t, storetest.Costs(t, "a scheduled tweet, by a user whose profile is not cached", 4, 2, 1,
		func(ctx context.Context) error {
			_, err := e.Drafts.PublishDue(ctx, never)
			return err
		}))
	if got := contents(t, e, "ann", 10); !slices.Equal(got, []string{"waits"}) {
		t.Errorf("drafts = %q, want one that waits", got)
	}
	var posted model.TweetID
	testenv.Must(t, storetest.Costs(t, "Publish", 1, 2, 1, func(ctx context.Context) error {
		page, err := e.Drafts.Of(t.Context(), "ann", model.Cursor{}, 1)
		testenv.Must(t, err)
		full, err := e.Drafts.Publish(ctx, "ann", page.Items[0].ID)
		if err == nil {
			posted = full.ID
		}
		return err
	}))
	if e.Doc(t, "tweets/"+string(posted)) == nil || len(e.IDs(t, model.Drafts)) > 0 {
		t.Errorf("posted %q, drafts %v", posted, e.IDs(t, model.Drafts))
	}
}

// A draft becomes one tweet, or stays one draft. That holds for any number of concurrent processes, lost answers, and
// changes by the author meanwhile.
func TestPublishOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	losses := storetest.LoseAnswers(1, 0.5)
	var processes []*store.Store
	for range 4 {
		processes = append(processes, e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}}))
	}
	var want, ids []string
	for i := range 30 {
		content := fmt.Sprintf("spark %02d", i)
		want, ids = append(want, content), append(ids, save(t, e, "ann", in(e, saying(content), time.Minute)).ID)
	}
	e.Clock.Add(time.Minute)
	for _, err := range testenv.AtOnce(len(processes)+1, func(i int) error {
		if i < len(processes) {
			_, err := processes[i].Drafts.PublishDue(t.Context(), never)
			return err
		}
		for _, id := range ids[:10] { // its author posts the draft at the same moment
			if _, err := e.Drafts.Publish(t.Context(), "ann", id); err != nil && errs.CodeOf(err) != "draft_not_found" {
				return err
			}
		}
		return nil
	}) {
		testenv.Must(t, err)
	}
	if got := posted(t, e); !slices.Equal(got, want) || losses.Count() == 0 || len(e.IDs(t, model.Drafts)) > 0 {
		t.Errorf("tweets = %q, want %q; drafts %v; %d answers lost", got, want, e.IDs(t, model.Drafts), losses.Count())
	}

	// The author posts a draft with a picture while another request is about to.
	pictured := save(t, e, "ann", model.SavedDraft{Draft: model.Draft{
		Media: []model.MediaID{ready(t, e, "ann", model.MediaImage)}}}).ID
	once := false
	late := e.Again(t, store.Options{Now: e.Clock.Now, Meter: meter.Options{Below: storetest.Before(
		storetest.WritesTo("drafts/ann_"+pictured), func() {
			if !once {
				once = true
				_, err := e.Drafts.Publish(t.Context(), "ann", pictured)
				testenv.Must(t, err)
			}
		})}})
	_, err := late.Drafts.Publish(t.Context(), "ann", pictured)
	storetest.WantErr(t, err, errs.NotFound, "draft_not_found")

	// The author changes the draft between the read and the commit.
	d := save(t, e, "ann", in(e, saying("first"), time.Minute))
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("drafts/ann_"+d.ID),
		func() {
			_, err := e.Drafts.Change(t.Context(), "ann", d.ID, saying("second"), nil)
			testenv.Must(t, err)
		})}})
	e.Clock.Add(time.Minute)
	due(t, slow, tweets.Published{})
	if got := contents(t, e, "ann", 10); !slices.Equal(got, []string{"second"}) || len(e.IDs(t, model.Tweets)) != 31 {
		t.Errorf("drafts = %q, with %d tweets", got, len(e.IDs(t, model.Tweets)))
	}
	testenv.Must(t, e.Drafts.Delete(t.Context(), "ann", d.ID))
	_, err = e.Drafts.Publish(t.Context(), "ann", d.ID)
	storetest.WantErr(t, err, errs.NotFound, "draft_not_found")
}

// A draft that may not be posted any more stays with the reason. It does not stop other drafts from being posted.
func TestPublishRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cold", "out", "mo")
	gone, hidden, blocked := e.Tweet(t, "bob", "gone").ID, e.Tweet(t, "bob", "hidden").ID, e.Tweet(t, "bob", "x").ID
	quoting := func(id model.TweetID) model.SavedDraft {
		d := saying("quotes")
		d.QuoteOf = id
		return d
	}
	answers := saying("answers")
	answers.ReplyTo = &blocked
	why := map[string]string{ // by draft
		save(t, e, "ann", in(e, quoting(gone), time.Minute)).ID:        "tweet_deleted",
		save(t, e, "ann", in(e, quoting(hidden), time.Minute)).ID:      "tweet_not_found",
		save(t, e, "ann", in(e, answers, time.Minute)).ID:              "not_allowed",
		save(t, e, "cold", in(e, saying("frozen"), time.Minute)).ID:    "account_frozen",
		save(t, e, "out", in(e, saying("suspended"), time.Minute)).ID:  "account_suspended",
		save(t, e, "bob", in(e, saying("is there"), 2*time.Minute)).ID: "",
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "bob", false, gone))
	testenv.Must(t, e.Tweets.Flag(t.Context(), hidden, true))
	testenv.Must(t, e.Graph.Block(t.Context(), "bob", "ann"))
	for uid, act := range map[model.UserID]model.Act{"cold": model.ActFreeze, "out": model.ActSuspend} {
		_, err := e.Moderation.SetAccountStatus(t.Context(), moderation.Actor{UID: "mo", Role: model.RoleAdministrator,
			Reason: "r"}, uid, act)
		testenv.Must(t, err)
	}
	e.Clock.Add(2 * time.Minute)
	due(t, e.Store, tweets.Published{Published: 1, Refused: 5})
	due(t, e.Store, tweets.Published{})
	for _, key := range e.IDs(t, model.Drafts) {
		d, err := e.Drafts.Draft(t.Context(), model.KeyUser(key), model.DraftID(key))
		testenv.Must(t, err)
		if d.Failure == nil || d.Failure.Code != why[d.ID] || d.Failure.Detail == "" || d.PublishAt != nil ||
			d.DueShard != nil || d.Revision != 1 || !d.Failure.PublishAt.Equal(e.Clock.Now().Add(-time.Minute)) {
			t.Errorf("draft %q = %+v, with %+v, want %s", d.Content, d, d.Failure, why[d.ID])
		}
		delete(why, d.ID)
	}
	if len(why) != 1 {
		t.Errorf("drafts are lost, or were posted: %v", why)
	}

	// A change removes the reason, and the draft may be due again.
	page, err := e.Drafts.Of(t.Context(), "cold", model.Cursor{}, 1)
	testenv.Must(t, err)
	id := page.Items[0].ID
	_, err = e.Moderation.SetAccountStatus(t.Context(), moderation.Actor{UID: "mo", Role: model.RoleAdministrator,
		Reason: "r"}, "cold", model.ActUnfreeze)
	testenv.Must(t, err)
	again, err := e.Drafts.Change(t.Context(), "cold", id, in(e, saying("frozen"), time.Minute), nil)
	testenv.Must(t, err)
	if again.Failure != nil || e.Doc(t, "drafts/cold_"+id)["failure"] != nil {
		t.Errorf("a draft that was changed still tells %+v", again.Failure)
	}
	e.Clock.Add(model.MaxLate + 2*time.Minute) // no run for a day
	due(t, e.Store, tweets.Published{Refused: 1})
	if late, err := e.Drafts.Draft(t.Context(), "cold", id); err != nil || late.Failure == nil ||
		late.Failure.Code != "too_late_to_publish" {
		t.Errorf("a draft of the day before yesterday = %+v, %v", late, err)
	}
}

// New terms hold back what was scheduled before, unless its author has consented to them.
func TestPublishNeedsConsent(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	for _, uid := range []model.UserID{"ann", "bob"} {
		save(t, e, uid, in(e, saying("by "+string(uid)), time.Minute))
	}
	_, err := e.Moderation.ChangeInstance(t.Context(), moderation.Actor{UID: "root", Role: model.RoleAdministrator},
		model.InstancePatch{Terms: new("Be kind."), TermsNeeded: new(true)})
	testenv.Must(t, err)
	_, err = e.Users.Consent(t.Context(), "ann", 1)
	testenv.Must(t, err)
	e.Clock.Add(time.Minute)
	due(t, e.Store, tweets.Published{Published: 1, Refused: 1})
	if got := posted(t, e); !slices.Equal(got, []string{"by ann"}) {
		t.Errorf("tweets = %q", got)
	}
	page, err := e.Drafts.Of(t.Context(), "bob", model.Cursor{}, 1)
	testenv.Must(t, err)
	if len(page.Items) != 1 || page.Items[0].Failure == nil || page.Items[0].Failure.Code != "terms_required" {
		t.Errorf("the drafts without a consent are %+v", page.Items)
	}
}

// A run posts more drafts than one query finds, and ends when over returns true.
func TestPublishMany(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	const n = 130
	for i := range n {
		uid := model.UserID(fmt.Sprint("user_", i%3))
		if i < 3 {
			e.CreateUsers(t, uid)
		}
		save(t, e, uid, in(e, saying("spark"), time.Minute))
	}
	broken := e.Raw.Doc("drafts/ann_broken")
	_, err := broken.Set(t.Context(), map[string]any{"userId": 1, "dueShard": 3, "publishAt": e.Clock.Now()})
	testenv.Must(t, err)
	e.Clock.Add(time.Minute)
	if done, err := e.Drafts.PublishDue(t.Context(), func() bool { return true }); err == nil || done.Published != 99 {
		t.Errorf("a look that is over = %+v, %v, want 99 tweets and a draft that nobody can read", done, err)
	}
	if done, err := e.Drafts.PublishDue(t.Context(), never); err == nil || done.Published != n-99 {
		t.Errorf("the next look = %+v, %v", done, err)
	}
	if got := len(e.IDs(t, model.Tweets)); got != n {
		t.Errorf("%d tweets, want %d", got, n)
	}
}
