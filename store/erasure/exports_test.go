package erasure_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

func TestMain(m *testing.M) { testenv.Main(m) }

const zoe model.UserID = "zo_e"

// work reads the work document as its event would tell it.
func work(t *testing.T, e *storetest.Env, uid model.UserID) (w model.ExportWork, there bool) {
	t.Helper()
	snaps, err := e.Raw.GetAll(t.Context(), []*firestore.DocumentRef{e.Raw.Doc("exports/" + string(uid))})
	testenv.Must(t, err)
	if !snaps[0].Exists() {
		return w, false
	}
	testenv.Must(t, snaps[0].DataTo(&w))
	w.WrittenAt = snaps[0].UpdateTime
	return w, true
}

// exportsSteps does the steps of an export, as its events would, until it waits or is gone. before
// is called before each step.
func exportsSteps(t *testing.T, e *storetest.Env, s *store.Store, uid model.UserID,
	before func(n int, w model.ExportWork)) (n int) {
	t.Helper()
	for ; n < 10_000; n++ {
		w, there := work(t, e, uid)
		if !there {
			return n
		}
		if before != nil {
			before(n, w)
		}
		testenv.Must(t, s.Exports.Export(t.Context(), w))
		if again, there := work(t, e, uid); there && again.WrittenAt.Equal(w.WrittenAt) {
			return n
		}
	}
	t.Fatal("the export does not end")
	return n
}

// download follows the links of an export, and returns the items of each section.
func download(t *testing.T, s *store.Store, w *model.ExportWork) (items map[string][]map[string]any, archives int) {
	t.Helper()
	server := httptest.NewServer(s.Objects)
	defer server.Close()
	all, err := s.Exports.Archives(t.Context(), w)
	testenv.Must(t, err)
	items = map[string][]map[string]any{}
	for _, a := range all {
		_, query, _ := strings.Cut(a.URL, "?")
		resp, err := http.Get(server.URL + objects.Path + "?" + query)
		testenv.Must(t, err)
		data, err := io.ReadAll(resp.Body)
		testenv.Must(t, err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || int64(len(data)) != a.Bytes ||
			!strings.Contains(resp.Header.Get("Content-Disposition"), "hibana-") {
			t.Fatalf("an archive of %d bytes: %s, %d bytes, %v", a.Bytes, resp.Status, len(data), resp.Header)
		}
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		testenv.Must(t, err)
		for _, f := range z.File {
			text := exportsMust(io.ReadAll(exportsMust(f.Open())))
			section, single, _ := strings.Cut(strings.TrimSuffix(f.Name, ".json"), "-")
			var some []map[string]any
			if single == "" {
				some = make([]map[string]any, 1)
				err = json.Unmarshal(text, &some[0])
			} else {
				err = json.Unmarshal(text, &some)
			}
			if err != nil {
				t.Fatalf("%s: %v in %s", f.Name, err, text)
			}
			items[section] = append(items[section], some...)
		}
	}
	return items, len(all)
}

func exportsMust[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// values collects a field of items, in order.
func values(items []map[string]any, field string) (all []string) {
	for _, item := range items {
		all = append(all, fmt.Sprint(item[field]))
	}
	slices.Sort(all)
	return all
}

func files(t *testing.T, dir string) (n int) {
	t.Helper()
	testenv.Must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".attrs") {
			n++
		}
		return err
	}))
	return n
}

// exportsLife makes a user who has done all that there is to do.
func exportsLife(t *testing.T, e *storetest.Env) (tweets []model.TweetID) {
	t.Helper()
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	_, err := e.Users.CreateUser(ctx, zoe, model.NewUser{Username: "zoe_u", Nickname: "Zoe", Email: "zoe@example.com",
		Introduction: "<b>sparks</b>"})
	testenv.Must(t, err)
	for i := range 25 {
		tweets = append(tweets, e.Tweet(t, zoe, fmt.Sprintf("%s number %d <&> #Spark", strings.Repeat("火", 1000), i)).ID)
	}
	gone := e.Tweet(t, zoe, "gone").ID
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, zoe, false, gone))
	anns := e.Draft(t, "ann", model.Draft{Content: "ann's", AllowLikes: true, AllowReplies: true,
		Poll: &model.NewPoll{Options: []string{"yes", "no"}, Minutes: 5}})
	tweets = append(tweets, e.Draft(t, zoe, model.Draft{Content: "a reply", ReplyTo: &anns.ID}).ID)
	for i := range 5 {
		_, err := e.Edits.Edit(ctx, zoe, tweets[24+i%2], model.TweetPatch{Summary: new(fmt.Sprint("edit ", i))}, nil)
		testenv.Must(t, err)
	}
	_, err = e.Edits.Edit(ctx, "ann", anns.ID, model.TweetPatch{Summary: new("another's")}, nil)
	testenv.Must(t, err)
	for _, pair := range [][2]model.UserID{{zoe, "ann"}, {"ann", zoe}, {"bob", zoe}} {
		testenv.Must(t, e.Graph.Follow(ctx, pair[0], pair[1]))
	}
	e.CreateUsers(t, "dan")
	for _, pair := range [][2]model.UserID{{zoe, "dan"}, {"dan", zoe}} {
		testenv.Must(t, e.Users.UpdateUser(ctx, pair[1], model.UserPatch{Locked: new(true)}))
		testenv.Must(t, e.Graph.Follow(ctx, pair[0], pair[1]))
	}
	testenv.Must(t, e.Reactions.Like(ctx, zoe, anns.ID))
	testenv.Must(t, e.Shares.Share(ctx, zoe, anns.ID))
	testenv.Must(t, e.Bookmarks.Bookmark(ctx, model.Viewer{ID: zoe, Role: model.Member}, anns.ID))
	_, err = e.Polls.Vote(ctx, zoe, anns.ID, 2)
	testenv.Must(t, err)
	testenv.Must(t, e.Reactions.Like(ctx, "ann", tweets[0]))
	testenv.Must(t, e.Pins.Pin(ctx, zoe, tweets[0]))
	testenv.Must(t, e.Devices.Put(ctx, zoe, "phone", model.Device{FCMToken: "a-secret-token-of-an-app"}))
	for _, content := range []string{"waits", "is scheduled"} {
		_, err := e.Drafts.Save(ctx, zoe, model.SavedDraft{Draft: model.Draft{Content: content},
			PublishAt: new(e.Clock.Now().Add(time.Hour))}, model.Request{})
		testenv.Must(t, err)
	}
	testenv.Must(t, e.Users.UpdateUser(ctx, "cat", model.UserPatch{HoldReplies: new(model.HoldStrangers)}))
	e.CreateUsers(t, "eve")
	for _, by := range []model.UserID{zoe, "eve"} {
		_, err = e.Tweets.CreateTweet(ctx, by, model.Draft{Content: "waits for cat", ReplyTo: new(e.Tweet(t, "cat", "x").ID)},
			model.Request{})
		testenv.Must(t, err)
	}
	testenv.Must(t, e.Graph.Block(ctx, zoe, "cat"))
	testenv.Must(t, e.Shares.Hide(ctx, zoe, "ann"))
	testenv.Must(t, e.Graph.Mute(ctx, model.MutedUser{UserID: zoe, MutedID: "bob", Part: model.MuteReplies}, time.Hour))
	testenv.Must(t, e.Graph.Mute(ctx, model.MutedUser{UserID: zoe, MutedID: "dan", Part: model.MuteShares}, 0))
	for _, pair := range [][2]model.UserID{{zoe, "bob"}, {"bob", zoe}} {
		_, err = e.Graph.PutNote(ctx, pair[0], pair[1], "note of "+string(pair[0]))
		testenv.Must(t, err)
	}
	_, err = e.Users.MarkHome(ctx, zoe, tweets[0], 0)
	testenv.Must(t, err)
	testenv.Must(t, e.Users.DismissAnnouncement(ctx, zoe, "maintenance"))
	_, err = e.Moderation.ChangeInstance(ctx, moderation.Actor{UID: "root"}, model.InstancePatch{Terms: new("Be kind.")})
	testenv.Must(t, err)
	_, err = e.Users.Consent(ctx, zoe, 1)
	testenv.Must(t, err)
	testenv.Must(t, e.Users.UpdateUser(ctx, zoe, model.UserPatch{PinnedTags: &[]string{"Spark"}}))
	_, err = e.Raw.Doc("tweets/"+string(tweets[0])).Update(ctx, []firestore.Update{{Path: "folded", Value: true},
		{Path: "withdrawnQuote", Value: "0000000000000000aa"}})
	testenv.Must(t, err)
	_, err = e.Graph.PutFilter(ctx, zoe, "series", model.Filter{Title: "Series", Action: model.FilterHide,
		Contexts: []model.FilterContext{model.FilterHome}, Keywords: []model.FilterKeyword{{Keyword: "finale"}}})
	testenv.Must(t, err)
	_, err = e.Settings.ChangePolicy(ctx, zoe, model.NotificationPolicyPatch{NotFollowed: new(model.SenderFilter)})
	testenv.Must(t, err)
	var filtered model.NotificationRequests
	for _, by := range []model.UserID{"bob", "eve"} {
		filtered.Add(model.FactNotificationEvent(model.NotificationFollow, zoe, model.NotificationEventPayload{UserID: by},
			e.Clock.Now()))
	}
	_, err = e.Raw.Doc("notificationRequests/"+string(zoe)).Set(ctx, filtered)
	testenv.Must(t, err)
	testenv.Must(t, e.Settings.AcceptRequest(ctx, zoe, "bob"))
	testenv.Must(t, e.Suggestions.Dismiss(ctx, zoe, "dan"))
	testenv.Must(t, e.Graph.Block(ctx, "cat", zoe))
	testenv.Must(t, e.Moderation.Report(ctx, zoe, moderation.NewReport{UserID: "cat", Reason: "spam", Text: "so much"}))
	testenv.Must(t, e.Moderation.Report(ctx, "bob", moderation.NewReport{UserID: zoe, Reason: "hate", Text: "secret"}))
	_, err = e.Raw.Doc("users/"+string(zoe)+"/notificationLists/newest").Set(ctx, model.NotificationList{
		Notifications: map[string]model.Notification{"follow_2026-11-15": {
			GroupKey: "follow", Term: "2026-11-15", CountUsers: 2, Records: []model.Record{{UserID: "ann", At: e.Clock.Now()}},
		}, "mention_2026-11-15": {GroupKey: "mention"}}, // an empty one
	})
	testenv.Must(t, err)
	return tweets
}

// check compares what was downloaded with what the user did.
func check(t *testing.T, items map[string][]map[string]any, tweets []model.TweetID) {
	t.Helper()
	ids := []string{}
	for _, id := range tweets {
		ids = append(ids, string(id))
	}
	slices.Sort(ids)
	if got := values(items["tweets"], "id"); !slices.Equal(got, ids) {
		t.Errorf("the tweets are %q, want %q", got, ids)
	}
	for _, want := range []struct{ section, field, value string }{
		{"profile", "email", "[zoe@example.com]"}, {"profile", "introduction", "[<b>sparks</b>]"},
		{"profile", "standing", "[free]"},
		{"following", "userId", "[ann]"}, {"followers", "userId", "[ann bob]"}, {"likes", "authorId", "[ann]"},
		{"shares", "authorId", "[ann]"},
		{"bookmarks", "authorId", "[ann]"},
		{"pins", "tweets", "[[map[pinnedAt:2026-11-15T12:00:00Z tweetId:" + string(tweets[0]) + "]]]"},
		{"devices", "phone", "[map[app:true at:2026-11-15T12:00:00Z]]"},
		{"votes", "option", "[2]"}, {"votes", "authorId", "[ann]"},
		{"drafts", "content", "[is scheduled waits]"}, {"drafts", "publishAt", "[2026-11-15T13:00:00Z 2026-11-15T13:00:00Z]"},
		{"heldReplies", "content", "[waits for cat]"}, {"heldReplies", "heldFor", "[cat]"},
		{"profile", "holdReplies", "[off]"}, {"profile", "discoverable", "[false]"}, {"suggestions", "dismissed", "[[dan]]"},
		{"revisions", "number", "[1 1 2 2 3]"}, {"revisions", "summary", "[  edit 0 edit 1 edit 2]"},
		{"followRequestsSent", "userId", "[dan]"}, {"followRequestsReceived", "userId", "[dan]"},
		{"profile", "locked", "[true]"},
		{"mutes", "userId", "[bob dan]"}, {"mutes", "part", "[replies shares]"},
		{"mutes", "until", "[2026-11-15T13:00:00Z <nil>]"},
		{"personNotes", "userId", "[bob]"}, {"personNotes", "text", "[note of zo_e]"},
		{"profile", "pinnedTags", "[[Spark]]"}, {"profile", "dismissedAnnouncements", "[[maintenance]]"},
		{"profile", "termsVersion", "[1]"}, {"profile", "termsAt", "[2026-11-15T12:00:00Z]"},
		{"profile", "home", "[map[lastReadId:" + string(tweets[0]) + " updatedAt:2026-11-15T12:00:00Z]]"},
		{"profile", "filters", "[[map[action:hide contexts:[home] createdAt:2026-11-15T12:00:00Z id:series " +
			"keywords:[map[keyword:finale wholeWord:false]] title:Series]]]"},
		{"blocks", "userId", "[cat]"}, {"hiddenSharers", "userId", "[ann]"}, {"reports", "userId", "[cat]"},
		{"profile", "notificationPolicy", "[map[notFollowed:filter]]"}, {"profile", "acceptedSenders", "[[bob]]"},
		{"notificationRequests", "bob", "[<nil>]"},
		{"notificationRequests", "eve", "[[map[at:2026-11-15T12:00:00Z type:follow]]]"},
		{"reports", "text", "[so much]"}, {"notifications", "about", "[follow]"},
		{"export", "userId", "[zo_e]"},
	} {
		if got := fmt.Sprint(values(items[want.section], want.field)); got != want.value {
			t.Errorf("%s of %s = %s, want %s", want.field, want.section, got, want.value)
		}
	}
	for _, field := range []string{"folded", "quoteWithdrawn"} {
		if got := values(items["tweets"], field); strings.Count(fmt.Sprint(got), "true") != 1 {
			t.Errorf("%s of the tweets is %q, want it of one", field, got)
		}
	}
	if len(items["deletedTweets"]) != 1 {
		t.Errorf("the deleted tweets are %v", items["deletedTweets"])
	}
	if text := fmt.Sprint(values(items["tweets"], "content")); !strings.Contains(text, "number 24 <&> #Spark") ||
		strings.Count(text, "火") != 25_000 {
		t.Errorf("the texts are not as they were typed: %.200s", text)
	}
	for section, n := range items["export"][0]["items"].(map[string]any) {
		if fmt.Sprint(n) != fmt.Sprint(len(items[section])) {
			t.Errorf("export.json tells of %v %s, and there are %d", n, section, len(items[section]))
		}
	}
}

// An export of two steps, and one of a hundred, have the same content, whatever steps run
// twice, late or beside themselves. What is over is removed.
func TestExport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := storetest.Open(t, store.Options{ExportBucket: dir})
	tweets := exportsLife(t, e)
	var begun *model.ExportWork
	testenv.Must(t, storetest.Costs(t, "asking for an export", 2, 1, 0, func(ctx context.Context) (err error) {
		begun, err = e.Exports.Ask(ctx, zoe)
		return err
	}))
	if again, err := e.Exports.Ask(t.Context(), zoe); err != nil || again.ID != begun.ID {
		t.Errorf("asking again = %+v, %v, want export %s", again, err, begun.ID)
	}
	// 2 for the step, 9 for the profile, 2 a tweet, and 1 for each other document and each empty section.
	w, _ := work(t, e, zoe)
	testenv.Must(t, storetest.Costs(t, "a step", 2+9+2*26+6+33, 1, 0, func(ctx context.Context) error {
		return e.Exports.Export(ctx, w)
	}))
	if n := exportsSteps(t, e, e.Store, zoe, nil); n != 2 {
		t.Errorf("the export took %d steps more, want 2: to join, and to end", n)
	}
	ready, err := e.Exports.Current(t.Context(), zoe)
	testenv.Must(t, err)
	items, n := download(t, e.Store, ready)
	check(t, items, tweets)
	if n != 1 || files(t, dir) != 1 {
		t.Errorf("%d archives and %d files, want 1", n, files(t, dir))
	}
	_, err = e.Exports.Ask(t.Context(), zoe)
	storetest.WantErr(t, err, errs.Exhausted, "export_limit")

	// The next day, in small steps.
	e.Clock.Add(25 * time.Hour)
	again, err := e.Exports.Ask(t.Context(), zoe)
	testenv.Must(t, err)
	small := store.Options{ExportBucket: dir, StepTime: time.Nanosecond, ExportPageSize: 3, ExportPartBytes: 10_000}
	s, other := e.Again(t, small), e.Again(t, small)
	var late model.ExportWork
	if n := exportsSteps(t, e, s, zoe, func(n int, w model.ExportWork) {
		if late.ID != "" {
			testenv.Must(t, other.Exports.Export(t.Context(), late)) // comes again
		}
		late = w
		w.WrittenAt = time.Time{} // an event of any time, and the step is done twice
		if n%3 == 1 {
			testenv.Must(t, other.Exports.Export(t.Context(), w))
		}
	}); n < 15 {
		t.Errorf("the export took %d steps", n)
	}
	if ready, err = e.Exports.Current(t.Context(), zoe); err != nil || ready.ID != again.ID || ready.ReadyAt.IsZero() {
		t.Fatalf("the export is %+v, %v", ready, err)
	}
	items, n = download(t, s, ready)
	check(t, items, tweets)
	if files(t, dir) != n {
		t.Errorf("%d archives and %d files", n, files(t, dir))
	}

	// A week later.
	e.Clock.Add(model.ExportWindow + time.Hour)
	_, err = e.Exports.Current(t.Context(), zoe)
	storetest.WantErr(t, err, errs.NotFound, "export_not_found")
	exportsSteps(t, e, s, zoe, nil)
	if _, there := work(t, e, zoe); there || files(t, dir) > 0 {
		t.Errorf("the expired export has its document: %v, and %d files", there, files(t, dir))
	}
}

// A part that somebody removed makes the export begin anew.
func TestLostPart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := storetest.Open(t, store.Options{ExportBucket: dir})
	tweets := exportsLife(t, e)
	exportsMust(e.Exports.Ask(t.Context(), zoe))
	exportsSteps(t, e, e.Store, zoe, func(n int, w model.ExportWork) {
		if n == 1 {
			testenv.Must(t, os.RemoveAll(dir))
			testenv.Must(t, os.Mkdir(dir, 0o700))
		}
	})
	items, _ := download(t, e.Store, exportsMust(e.Exports.Current(t.Context(), zoe)))
	check(t, items, tweets)
}

// An export stops at any step when its user deletes the account. The account deletion removes what is
// there, and finds what a late step wrote.
func TestLeaver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := store.Options{ExportBucket: dir, StepTime: time.Nanosecond, ExportPageSize: 3, ExportPartBytes: 10_000,
		LeavePause: time.Nanosecond}
	e := storetest.Open(t, o)
	exportsLife(t, e)
	exportsMust(e.Exports.Ask(t.Context(), zoe))
	var left *model.DeletionWork
	exportsSteps(t, e, e.Store, zoe, func(n int, w model.ExportWork) {
		if n == 5 {
			if files(t, dir) == 0 {
				t.Error("nothing was written before the user left")
			}
			left = exportsMust(e.Users.Leave(t.Context(), zoe))
		}
	})
	if _, there := work(t, e, zoe); there || left == nil || files(t, dir) > 0 {
		t.Errorf("of the leaver's export there is the document: %v, and %d files", there, files(t, dir))
	}
	_, err := e.Exports.Ask(t.Context(), zoe)
	storetest.WantErr(t, err, errs.NotFound, "user_not_found")

	// A ready export, and a file that a late step writes once the document is gone.
	exportsMust(e.Exports.Ask(t.Context(), "ann"))
	exportsSteps(t, e, e.Store, "ann", nil)
	name := exportsMust(e.Exports.Files(t.Context(), "ann", 10))[0]
	folder, _, _ := strings.Cut(name, "/")
	exportsMust(e.Users.Leave(t.Context(), "ann"))
	leave := func() {
		t.Helper()
		var work model.DeletionWork
		testenv.Must(t, exportsMust(e.Raw.Doc("leavings/ann").Get(t.Context())).DataTo(&work))
		testenv.Must(t, e.AccountDeletions.Leave(t.Context(), work))
	}
	for n := 0; n < 10 && files(t, dir) > 0; n++ {
		leave()
	}
	if n := files(t, dir); n > 0 {
		t.Errorf("%d files are left when ten steps were done", n)
	}
	testenv.Must(t, e.Objects.Put(t.Context(), folder+"/late/part.zip", []byte("x"),
		objects.Attributes{ContentType: "application/zip"}))
	remains := exportsMust(e.AccountDeletions.Remains(t.Context(), "ann"))
	if !slices.ContainsFunc(remains, func(r [2]string) bool {
		return r[0] == model.Exports &&
			strings.Contains(r[1], "late")
	}) {
		t.Errorf("the remains are %q, without the late file", remains)
	}
	for n := 0; n < 300 && files(t, dir) > 0; n++ {
		leave()
	}
	if n := files(t, dir); n > 0 {
		t.Errorf("%d files are left of ann", n)
	}
}

// The event of an export is lost. The day's sweep finds it, and a second wish finds it, too.
func TestLostEvent(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{ExportBucket: t.TempDir(), StaleAfter: time.Millisecond})
	e.CreateUsers(t, zoe)
	exportsMust(e.Exports.Ask(t.Context(), zoe))
	before, _ := work(t, e, zoe)
	time.Sleep(5 * time.Millisecond)
	exportsMust(e.Exports.Ask(t.Context(), zoe))
	asked, _ := work(t, e, zoe)
	_, err := e.Raw.Doc("sweeps/2026-11-15").Set(t.Context(), model.SweepWork{})
	testenv.Must(t, err)
	time.Sleep(20 * time.Millisecond)
	testenv.Must(t, e.Timelines.Sweep(t.Context(), model.SweepWork{ID: "2026-11-15"}))
	swept, _ := work(t, e, zoe)
	if !asked.WrittenAt.After(before.WrittenAt) || !swept.WrittenAt.After(asked.WrittenAt) {
		t.Errorf("the document was written at %v, %v and %v", before.WrittenAt, asked.WrittenAt, swept.WrittenAt)
	}
}

// Nobody exports without a bucket, and the account deletion of a user needs none.
func TestNoBucket(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{LeavePause: time.Nanosecond})
	e.CreateUsers(t, zoe)
	_, err := e.Exports.Ask(t.Context(), zoe)
	storetest.WantErr(t, err, errs.NotFound, "exports_off")
	_, err = e.Exports.Current(t.Context(), zoe)
	storetest.WantErr(t, err, errs.NotFound, "exports_off")
	testenv.Must(t, e.AccountDeletions.Leave(t.Context(), *exportsMust(e.Users.Leave(t.Context(), zoe))))
	if remains := exportsMust(e.AccountDeletions.Remains(t.Context(), zoe)); len(remains) > 0 {
		t.Errorf("the remains are %q", remains)
	}
}
