package moderation_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

type buffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// Each act of each kind is one line of the log, with the id of its entry, who acted, and whom it concerns by ids. An
// act that fails is no line, and no line has a reason or a text.
func TestActLines(t *testing.T) {
	t.Parallel()
	lines := &buffer{}
	losses := storetest.LoseAnswers(1, 1)
	e := storetest.Open(t, store.Options{Log: gcplog.New(lines, slog.LevelInfo)})
	lossy := e.Again(t, store.Options{Log: gcplog.New(lines, slog.LevelInfo), Meter: meter.Options{Below: losses.Lose}}).
		Moderation
	e.CreateUsers(t, "ann", "bob")
	tweet, gone := e.Tweet(t, "ann", "x").ID, e.Tweet(t, "ann", "y").ID
	by := moderation.Actor{UID: "mo", Role: model.RoleModerator, Reason: "zorilla"}
	s, ctx := e.Moderation, t.Context()
	testenv.Must(t, s.Report(ctx, "bob", moderation.NewReport{UserID: "ann", Reason: "spam"}))
	reports, err := s.Reports(ctx, model.Cursor{}, 1)
	testenv.Must(t, err)
	accountStatus := func(on *moderation.Store, act model.Act) {
		_, err := on.SetAccountStatus(ctx, by, "ann", act)
		testenv.Must(t, err)
	}
	accountStatus(s, model.ActFreeze)
	accountStatus(lossy, model.ActUnfreeze)
	accountStatus(lossy, model.ActSuspend)
	if _, err := s.SetAccountStatus(ctx, by, "ann", model.ActFreeze); err == nil { // no act
		t.Error("a suspended user was frozen")
	}
	accountStatus(s, model.ActUnsuspend)
	testenv.Must(t, s.Flag(ctx, by, tweet, true, nil))
	testenv.Must(t, s.Flag(ctx, by, tweet, true, nil)) // no act
	testenv.Must(t, lossy.Flag(ctx, by, tweet, false, nil))
	testenv.Must(t, s.EditProfile(ctx, by, "ann", model.UserPatch{Introduction: new("zorilla")}))
	_, err = s.Note(ctx, by, "ann", "zorilla")
	testenv.Must(t, err)
	_, err = s.Resolve(ctx, by, reports.Items[0].ID, model.DecisionActed)
	testenv.Must(t, err)
	testenv.Must(t, s.DeleteTweet(ctx, by, gone, false))
	_, err = lossy.Announce(ctx, by, "a", model.Announcement{Title: "zorilla", StartsAt: e.Clock.Now().UTC()})
	testenv.Must(t, err)
	for range 2 { // one act
		testenv.Must(t, s.RemoveAnnouncement(ctx, by, "a"))
	}
	_, err = lossy.ChangeInstance(ctx, by, model.InstancePatch{Name: new("zorilla")})
	testenv.Must(t, err)
	invitation, err := lossy.Invite(ctx, by, "zorilla", 1, e.Clock.Now().Add(time.Hour))
	testenv.Must(t, err)
	for range 2 { // one act
		testenv.Must(t, s.Uninvite(ctx, by, invitation.Code))
	}
	upload := model.NewMediaID()
	_, err = e.Raw.Doc("media/"+string(upload)).Create(ctx, model.Media{OwnerID: "ann", Alt: "zorilla"})
	testenv.Must(t, err)
	testenv.Must(t, s.DeleteMedia(ctx, by, upload))
	testenv.Must(t, s.DeleteMedia(ctx, by, upload)) // no act
	for _, a := range []model.Action{
		{Act: model.ActRepair, UserID: "ann"}, {Act: model.ActGrant, UserID: "ann"}, {Act: model.ActRevoke, UserID: "ann"},
		{Act: model.ActAddProduct, ProductID: "p"}, {Act: model.ActChangeProduct, ProductID: "p"},
		{Act: model.ActRestock, ProductID: "p"},
		{Act: model.ActShip, UserID: "bob", OrderID: "o"}, {Act: model.ActCancel, UserID: "bob", OrderID: "o"},
		{Act: model.ActFindAccount, UserID: "bob"}, {Act: model.ActResetPassword, UserID: "bob"},
		{Act: model.ActCreateUser, UserID: "bob"}, {Act: model.ActPostFor, UserID: "bob"},
		{Act: model.ActEditTweet, UserID: "bob"}, {Act: model.ActActFor, UserID: "bob"},
		{Act: model.ActBlockSignUps}, {Act: model.ActUnblockSignUps},
		{Act: model.ActSetDomain}, {Act: model.ActRemoveDomain}, {Act: model.ActImportDomains},
		{Act: model.ActAddWebhook}, {Act: model.ActChangeWebhook}, {Act: model.ActRemoveWebhook},
		{Act: model.ActPingWebhook}, {Act: model.ActApproveSignUp, UserID: "bob"},
		{Act: model.ActRefuseSignUp, UserID: "bob"},
		{Act: model.ActPutAIModel}, {Act: model.ActRemoveAIModel}, {Act: model.ActPutAgent, UserID: "bob"},
		{Act: model.ActStopAgent, UserID: "bob"}, {Act: model.ActStartAgent, UserID: "bob"},
		{Act: model.ActAnswerAppeal, UserID: "bob"},
		{Act: model.ActReviewTrend},
	} {
		testenv.Must(t, s.Log(ctx, by, a))
	}
	if losses.Count() != 6 {
		t.Errorf("%d answers were lost, want 6", losses.Count())
	}
	// None of these is an act.
	if s.DeleteTweet(ctx, by, gone, false) == nil ||
		s.EditProfile(ctx, by, "nobody", model.UserPatch{Avatar: new("")}) == nil {
		t.Error("acts on nobody succeeded")
	}
	if s.EditProfile(ctx, by, "ann", model.UserPatch{Username: new("bob_u")}) == nil { // a commit that fails
		t.Error("a username was taken twice")
	}
	if _, err := s.Resolve(ctx, by, "x_user_y", model.DecisionActed); err == nil {
		t.Error("an unknown report was resolved")
	}

	type line struct{ Message, Action, Act, By, Role, OfUser, OfTweet, OfProduct, OfOrder string }
	entries, err := s.Actions(ctx, moderation.ActionFilter{}, model.Cursor{}, 100)
	testenv.Must(t, err)
	want, kinds := map[string]line{}, map[string]bool{}
	for _, a := range entries.Items {
		want[a.ID] = line{moderation.ActLine, a.ID, string(a.Act), "mo", string(model.RoleModerator), string(a.UserID),
			string(a.TweetID), string(a.ProductID), string(a.OrderID)}
		kinds[string(a.Act)] = true
	}
	got := map[string]line{}
	for text := range strings.Lines(lines.String()) {
		var l struct {
			line
			OfUser    string `json:"of_user"`
			OfTweet   string `json:"of_tweet"`
			OfProduct string `json:"of_product"`
			OfOrder   string `json:"of_order"`
		}
		testenv.Must(t, json.Unmarshal([]byte(text), &l))
		if l.Message != moderation.ActLine {
			continue
		}
		if _, twice := got[l.Action]; twice {
			t.Errorf("two lines of %s", l.Action)
		}
		l.line.OfUser, l.line.OfTweet, l.line.OfProduct, l.line.OfOrder = l.OfUser, l.OfTweet, l.OfProduct, l.OfOrder
		got[l.Action] = l.line
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines of the log (-entries +lines):\n%s", diff)
	}
	if strings.Contains(lines.String(), "zorilla") {
		t.Error("the log has a reason or a text")
	}
	source, err := os.ReadFile(filepath.Join(testenv.Root(), "model", "moderation.go"))
	testenv.Must(t, err)
	all := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\tAct\w+ +Act += "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		all[m[1]] = true
	}
	delete(all, string(model.ActForward)) // of whoever reports, see api.TestForwardReport
	if diff := cmp.Diff(slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(kinds))); diff != "" {
		t.Errorf("kinds of acts (-there are +this test does):\n%s", diff)
	}
}
