package moderation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// One report for each reporter and target, at the cost of one write.
func TestReport(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "cat")
	tweet, gone, flagged := e.Tweet(t, "ann", "x").ID, e.Tweet(t, "ann", "gone").ID, e.Tweet(t, "ann", "flagged").ID
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, gone))
	testenv.Must(t, e.Moderation.Flag(t.Context(), mo, flagged, true, nil))
	s := e.Again(t, store.Options{CacheTTL: time.Hour}).Moderation
	report := func(n moderation.NewReport) func(context.Context) error {
		return func(ctx context.Context) error { return s.Report(ctx, "bob", n) }
	}
	ofTweet := moderation.NewReport{TweetID: tweet, Reason: "spam", Text: strings.Repeat("é", model.MaxReportText)}
	ofUser := moderation.NewReport{UserID: "ann", Reason: "hate"}
	testenv.Must(t, storetest.Costs(t, "a report of a tweet", 2, 1, 0, report(ofTweet)))
	testenv.Must(t, storetest.Costs(t, "a report of a user", 1, 1, 0, report(ofUser)))
	before := e.Doc(t, "reports/bob_tweet_"+string(tweet))
	ofTweet.Reason = "illegal"
	testenv.Must(t, storetest.Costs(t, "a second report", 0, 0, 0, report(ofTweet)))
	if diff := cmp.Diff(before, e.Doc(t, "reports/bob_tweet_"+string(tweet))); diff != "" || before["userId"] != "ann" ||
		before["open"] != true {
		t.Errorf("after a second report of %v (-before +after):\n%s", before, diff)
	}
	for _, test := range []struct {
		what string
		n    moderation.NewReport
		kind errs.Kind
		code string
	}{
		{"a deleted tweet", moderation.NewReport{TweetID: gone, Reason: "spam"}, errs.Gone, "tweet_deleted"},
		{"a hidden tweet", moderation.NewReport{TweetID: flagged, Reason: "spam"}, errs.NotFound, "tweet_not_found"},
		{"an unknown tweet", moderation.NewReport{TweetID: "0000000000000000aa", Reason: "spam"}, errs.NotFound,
			"tweet_not_found"},
		{"an unknown user", moderation.NewReport{UserID: "nobody", Reason: "spam"}, errs.NotFound, "user_not_found"},
		{"oneself", moderation.NewReport{UserID: "bob", Reason: "spam"}, errs.Invalid, "self_report"},
		{"no reason", moderation.NewReport{UserID: "ann"}, errs.Invalid, "invalid_reason"},
		{"a long text", moderation.NewReport{UserID: "ann", Reason: "spam", Text: strings.Repeat("é", model.MaxReportText+1)},
			errs.Invalid, "too_long"},
	} {
		t.Log(test.what)
		storetest.WantErr(t, report(test.n)(t.Context()), test.kind, test.code)
	}
	storetest.WantErr(t, s.Report(t.Context(), "stranger", ofUser), errs.Forbidden, "profile_required")
	if got := e.IDs(t, model.Reports); len(got) != 2 {
		t.Errorf("reports = %v, want two", got)
	}
	losses := storetest.LoseAnswers(1, 1)
	testenv.Must(t, e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}}).Moderation.Report(t.Context(),
		"cat", ofUser))
	if n, err := s.OpenReports(t.Context(), "ann", ""); err != nil || n != 3 || losses.Count() != 1 {
		t.Errorf("ann has %d open reports (%v), want 3 after %d lost answers", n, err, losses.Count())
	}
	if n, err := s.OpenReports(t.Context(), "ann", tweet); err != nil || n != 1 {
		t.Errorf("the tweet has %d open reports (%v), want 1", n, err)
	}
}

// The queue has open reports alone, oldest first, and a resolution is an act.
func TestReports(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	for _, uid := range []model.UserID{"cat", "bob", "dan"} {
		testenv.Must(t, e.Moderation.Report(t.Context(), uid, moderation.NewReport{UserID: "ann", Reason: "spam",
			Text: "look"}))
		testenv.NextMillisecond() // reports have the time of the database
	}
	queue := func() (ids []string) {
		t.Helper()
		for from := (model.Cursor{}); ; {
			page, err := e.Moderation.Reports(t.Context(), from, 2)
			testenv.Must(t, err)
			for _, r := range page.Items {
				ids = append(ids, r.ID)
			}
			if from = page.Next; from.IsZero() {
				return ids
			}
		}
	}
	if got := strings.Join(queue(), " "); got != "cat_user_ann bob_user_ann dan_user_ann" {
		t.Errorf("queue = %s", got)
	}
	resolve := func(id string, d model.Decision) func(context.Context) error {
		return func(ctx context.Context) error {
			r, err := e.Moderation.Resolve(ctx, mo, id, d)
			if err == nil && (r.Open || r.Resolution.Decision != d || r.Resolution.Note != mo.Reason || r.Text != "look") {
				t.Errorf("resolved %+v", r)
			}
			return err
		}
	}
	testenv.Must(t, storetest.Costs(t, "a resolution", 1, 2, 0, resolve("bob_user_ann", model.DecisionDismissed)))
	testenv.Must(t, resolve("bob_user_ann", model.DecisionActed)(t.Context()))
	storetest.WantErr(t, storetest.Costs(t, "nothing to resolve", 1, 0, 0, resolve("no_user_ann", model.DecisionActed)),
		errs.NotFound, "report_not_found")
	storetest.WantErr(t, resolve("a/b", model.DecisionActed)(t.Context()), errs.NotFound, "report_not_found")
	if got := strings.Join(queue(), " "); got != "cat_user_ann dan_user_ann" {
		t.Errorf("queue = %s", got)
	}
	testenv.Must(t, e.Moderation.Report(t.Context(), "bob", moderation.NewReport{UserID: "ann", Reason: "spam"}))
	if got := queue(); len(got) != 2 {
		t.Errorf("a resolved report came back: %v", got)
	}
	doc := e.Doc(t, "reports/bob_user_ann")
	if expiry, _ := doc["expireAt"].(time.Time); !expiry.Equal(e.Clock.Now().Add(model.ReportWindow)) {
		t.Errorf("the report expires at %v", doc["expireAt"])
	}
	want := []string{"mo resolve_report ann because  [] [decision:dismissed]",
		"mo resolve_report ann because  [decision:dismissed] [decision:acted]"}
	if got := acts(t, e.Moderation, moderation.ActionFilter{UserID: "ann"}); cmp.Diff(want, got) != "" {
		t.Errorf("audit log (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// Notes are listed newest first, and the audit log does not have their text.
func TestNotes(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	for i := range 3 {
		testenv.Must(t, storetest.Costs(t, "a note", 0, 2, 0, func(ctx context.Context) error {
			_, err := e.Moderation.Note(ctx, moderation.Actor{UID: "mo", Role: model.RoleModerator}, "ann",
				fmt.Sprint("note ", i))
			return err
		}))
		e.Clock.Add(time.Second)
	}
	for _, text := range []string{" \n", strings.Repeat("é", model.MaxNote+1)} {
		if _, err := e.Moderation.Note(t.Context(), mo, "ann", text); errs.KindOf(err) != errs.Invalid ||
			!strings.Contains(errs.PublicText(err), "2000") {
			t.Errorf("a note of %d bytes: %v", len(text), err)
		}
	}
	page, err := e.Moderation.Notes(t.Context(), "ann", model.Cursor{}, 2)
	testenv.Must(t, err)
	rest, err := e.Moderation.Notes(t.Context(), "ann", page.Next, 2)
	testenv.Must(t, err)
	var got []string
	for _, n := range append(page.Items, rest.Items...) {
		got = append(got, n.Text)
	}
	if diff := cmp.Diff([]string{"note 2", "note 1", "note 0"}, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if got := acts(t, e.Moderation, moderation.ActionFilter{By: "mo"}); len(got) != 3 || got[0] != "mo note ann   [] []" {
		t.Errorf("audit log = %q", got)
	}
}

// A flag and its entry are one commit, and changedAt makes caches and functions follow.
func TestFlag(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann")
	tweet, gone := e.Tweet(t, "ann", "x"), e.Tweet(t, "ann", "gone").ID
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, gone))
	e.Clock.Add(time.Minute)
	for _, test := range []struct {
		flagged bool
		writes  int64
	}{{true, 2}, {true, 0}, {false, 2}} {
		before := e.Doc(t, "tweets/"+string(tweet.ID))
		testenv.Must(t, storetest.Costs(t, fmt.Sprint("flag ", test.flagged), 1, test.writes, 0,
			func(ctx context.Context) error {
				return e.Moderation.Flag(ctx, mo, tweet.ID, test.flagged, nil)
			}))
		after := e.Doc(t, "tweets/"+string(tweet.ID))
		if after["isViolative"] != test.flagged || after["changedAt"].(time.Time).
			After(before["changedAt"].(time.Time)) != (test.writes > 0) {
			t.Errorf("flag %t leaves isViolative %v, changed at %v", test.flagged, after["isViolative"], after["changedAt"])
		}
		e.Clock.Add(time.Minute)
	}
	storetest.WantErr(t, e.Moderation.Flag(t.Context(), mo, "0000000000000000aa", true, nil), errs.NotFound,
		"tweet_not_found")
	storetest.WantErr(t, e.Moderation.Flag(t.Context(), mo, gone, true, nil), errs.Gone, "tweet_deleted")
	want := []string{
		"mo flag ann because " + string(tweet.ID) + " [] []",
		"mo unflag ann because " + string(tweet.ID) + " [] []",
	}
	if diff := cmp.Diff(want, acts(t, e.Moderation, moderation.ActionFilter{TweetID: tweet.ID})); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	if got := acts(t, e.Moderation, moderation.ActionFilter{}); len(got) != 2 {
		t.Errorf("what was not done is in the audit log: %q", got)
	}
}

// A moderator flags what was read: the audit log has its revision. A tweet that was edited
// since is not flagged if the moderator says what was read. An edit that comes between the
// flag's read and its commit shows, because the tweet has a higher revision than the entry.
func TestFlagOfEditedTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tweet := e.Tweet(t, "ann", "first")
	edit := func(content string) {
		t.Helper()
		if _, err := e.Edits.Edit(t.Context(), "ann", tweet.ID, model.TweetPatch{Content: &content}, nil); err != nil {
			t.Error(err)
		}
	}
	edit("second")
	storetest.WantErr(t, e.Moderation.Flag(t.Context(), mo, tweet.ID, true, []int{0}), errs.Outdated, "tweet_edited")
	if doc := e.Doc(t, "tweets/"+string(tweet.ID)); doc["isViolative"] != false || doc["moderatedAt"] != nil ||
		len(acts(t, e.Moderation, moderation.ActionFilter{})) > 0 {
		t.Errorf("a refused flag leaves %v", doc)
	}
	slow := e.Again(t, store.Options{Meter: meter.Options{
		Below: storetest.Before(storetest.WritesTo("tweets/"+string(tweet.ID)), func() { edit("third") }),
	}})
	testenv.Must(t, slow.Moderation.Flag(t.Context(), mo, tweet.ID, true, []int{0, 1}))
	testenv.Must(t, e.Moderation.Flag(t.Context(), mo, tweet.ID, true, []int{0})) // it is flagged already
	testenv.Must(t, e.Moderation.Flag(t.Context(), mo, tweet.ID, false, nil))
	page, err := e.Moderation.Actions(t.Context(), moderation.ActionFilter{TweetID: tweet.ID}, model.Cursor{}, 10)
	testenv.Must(t, err)
	judged := map[model.Act]int{}
	for _, a := range page.Items {
		if a.Revision == nil {
			t.Fatalf("the entry %+v has no revision", a)
		}
		judged[a.Act] = *a.Revision
	}
	if diff := cmp.Diff(map[model.Act]int{model.ActFlag: 1, model.ActUnflag: 2}, judged); diff != "" {
		t.Errorf("judged revisions (-want +got):\n%s", diff)
	}
}

// An administrator's deletion of another's tweet is an act, and of an own tweet is none.
func TestDeleteTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "root")
	theirs, own := e.Tweet(t, "ann", "x").ID, e.Tweet(t, "root", "y").ID
	root := moderation.Actor{UID: "root", Role: model.RoleAdministrator}
	for id, writes := range map[model.TweetID]int64{theirs: 2, own: 1} {
		testenv.Must(t, storetest.Costs(t, "a deletion", 1, writes, 2, func(ctx context.Context) error {
			return e.Moderation.DeleteTweet(ctx, root, id, false)
		}))
		storetest.WantGone(t, e.Moderation.DeleteTweet(t.Context(), root, id, false), id, map[model.TweetID]model.UserID{
			theirs: "ann", own: "root"}[id])
	}
	want := []string{"root delete_tweet ann  " + string(theirs) + " [] []"}
	if diff := cmp.Diff(want, acts(t, e.Moderation, moderation.ActionFilter{})); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}

// A profile is changed together with the entry, also if the answer to the commit is lost.
func TestEditProfile(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}}).Moderation
	testenv.Must(t, e.Moderation.EditProfile(t.Context(), mo, "ann", model.UserPatch{
		Nickname: new(""), Introduction: new(strings.Repeat("é", 1_000)), Avatar: new("https://example.com/a.png"),
		BlockStrangers: new(true), Locked: new(true),
	}))
	e.Clock.Add(time.Second)
	testenv.Must(t, lossy.EditProfile(t.Context(), mo, "ann", model.UserPatch{Introduction: new(""), Avatar: new("")}))
	e.Clock.Add(time.Second)
	testenv.Must(t, lossy.EditProfile(t.Context(), mo, "ann", model.UserPatch{Username: new("anna"), Nickname: new("")}))
	if losses.Count() != 2 {
		t.Errorf("%d answers were lost, want 2", losses.Count())
	}
	storetest.WantErr(t, e.Moderation.EditProfile(t.Context(), mo, "ann", model.UserPatch{Username: new("bob_u")}),
		errs.Exists, "username_taken")
	storetest.WantErr(t, e.Moderation.EditProfile(t.Context(), mo, "nobody", model.UserPatch{Avatar: new("")}),
		errs.NotFound, "user_not_found")
	u, err := e.Users.FullUser(t.Context(), "ann")
	testenv.Must(t, err)
	if u.Username != "anna" || u.Nickname != "anna" || u.Introduction != "" || u.Avatar != "" || !u.BlockStrangers ||
		!u.Locked {
		t.Errorf("the profile is %+v", u)
	}
	page, err := e.Moderation.Actions(t.Context(), moderation.ActionFilter{UserID: "ann"}, model.Cursor{}, 10)
	testenv.Must(t, err)
	if len(page.Items) != 3 {
		t.Fatalf("audit log = %+v, want three acts", page.Items)
	}
	want := []map[string]string{
		{"username": "anna", "nickname": "anna"},
		{"introduction": "", "avatar": ""},
		{"nickname": "ann_u", "introduction": strings.Repeat("é", model.MaxBefore), "avatar": "https://example.com/a.png",
			"blockStrangers": "true", "locked": "true"},
	}
	for i, a := range page.Items {
		if diff := cmp.Diff(want[i], a.After); diff != "" || len(a.Before) != len(a.After) || a.Act != model.ActEdit {
			t.Errorf("act %d was %v, and is (-want +got):\n%s", i, a.Before, diff)
		}
	}
}
