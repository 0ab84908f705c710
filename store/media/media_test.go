package media_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/media"
	"github.com/hibana-sns/hibana/store/moderation"
)

// A picture goes from its announcement to a post, and leaves with it. Each step costs what its comment says.
func TestLife(t *testing.T) {
	t.Parallel()
	e := open(t)
	data := picture(t)
	testenv.Must(t, e.Tweets.MayWrite(t.Context(), "ann"))
	var id model.MediaID
	testenv.Must(t, storetest.Costs(t, "announcing", 0, 1, 0, func(ctx context.Context) error {
		m, u, err := e.Media.Create(ctx, "ann", model.NewMedia{Kind: model.MediaTweet, ContentType: "image/png",
			Bytes: int64(len(data)), Alt: strings.Repeat("a", 400)})
		testenv.Must(t, err)
		id = m.ID
		if status := send(t, u, append(data, 0)); status == http.StatusOK {
			t.Error("a larger file than announced is taken")
		}
		if status := send(t, u, data); status != http.StatusOK {
			t.Errorf("the upload answered %d", status)
		}
		if status := send(t, u, data); status == http.StatusOK {
			t.Error("a second upload replaces the first")
		}
		return err
	}))
	_, err := e.post(t.Context(), e.Store, "ann", "", id)
	storetest.WantErr(t, err, errs.Conflict, "media_processing")
	e.wantFiles(t, "uploaded", id, 0, 1)
	for _, what := range []string{"the event", "the event again"} {
		reads, writes := int64(2), int64(1)
		if what != "the event" {
			reads, writes = 1, 0
		}
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			return e.uploaded(ctx, e.Store, string(id))
		}))
		e.wantFiles(t, what, id, 2, 0)
	}
	testenv.Must(t, storetest.Costs(t, "asking", 1, 0, 0, func(ctx context.Context) error {
		m, err := e.Media.Get(ctx, model.Viewer{ID: "ann", Role: model.Member}, id)
		if err == nil && (m.State != model.MediaReady || m.Width != 60 || m.Height != 40 || m.Blurhash == "" ||
			m.SHA256 == "" || len(m.Sizes) != 2 || m.Type != model.MediaImage) {
			t.Errorf("the record is %+v", m)
		}
		return err
	}))
	_, err = e.Media.Get(t.Context(), model.Viewer{ID: "bob", Role: model.Member}, id)
	storetest.WantErr(t, err, errs.NotFound, "media_not_found")
	e.CoolDown()
	var tweet *model.Tweet
	testenv.Must(t, storetest.Costs(t, "posting", 2, 3, 0, func(ctx context.Context) error {
		tweet, err = e.post(ctx, e.Store, "ann", "", id)
		return err
	}))
	if m := tweet.Media; len(m) != 1 || m[0].ID != id || len(m[0].Alt) != model.MaxEmbeddedAlt || !tweet.HasMedia {
		t.Errorf("the tweet has %+v", m)
	}
	full, err := e.Tweets.Tweet(t.Context(), tweet.ID, model.Viewer{})
	testenv.Must(t, err)
	if alt := full.Detail().AltOf(full.Media[0]); len(alt) != 400 || full.Content != "" {
		t.Errorf("the description has %d characters", len(alt))
	}
	if doc := e.record(t, id); doc["expireAt"] != nil || doc["tweetId"] != string(tweet.ID) {
		t.Errorf("the record is %v", doc)
	}
	_, err = e.Media.SetAlt(t.Context(), "ann", id, "late")
	storetest.WantErr(t, err, errs.Conflict, "media_in_use")
	storetest.WantErr(t, e.Media.Delete(t.Context(), "ann", id), errs.Conflict, "media_in_use")
	testenv.Must(t, storetest.Costs(t, "deleting the tweet", 1, 1, 3, func(ctx context.Context) error {
		return e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID)
	}))
	if e.record(t, id) != nil {
		t.Error("the record stays when its tweet is deleted")
	}
	for range 2 {
		testenv.Must(t, storetest.Costs(t, "removing the files", 1, 0, 0, func(ctx context.Context) error {
			return e.Media.Remove(ctx, id)
		}))
		e.wantFiles(t, "removed", id, 0, 0)
	}
}

// Media that a user cannot have in a post are refused, and nothing is written.
func TestUnusable(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	used := e.ready(t, "ann", model.MediaTweet, "")
	_, err := e.post(ctx, e.Store, "ann", "", used)
	testenv.Must(t, err)
	avatar := e.ready(t, "ann", model.MediaAvatar, "")
	broken, u := e.announce(t, "ann", model.MediaTweet, "", 4)
	send(t, u, []byte("spam"))
	testenv.Must(t, e.uploaded(ctx, e.Store, string(broken)))
	e.wantFiles(t, "a file that is no picture", broken, 0, 0)
	old := e.ready(t, "ann", model.MediaTweet, "")
	fresh := func() model.MediaID { return e.ready(t, "ann", model.MediaTweet, "") }
	tests := []struct {
		what  string
		by    model.UserID
		media []model.MediaID
		kind  errs.Kind
		code  string
	}{
		{"another user's", "bob", []model.MediaID{fresh()}, errs.NotFound, "media_not_found"},
		{"unknown", "ann", []model.MediaID{model.NewMediaID()}, errs.NotFound, "media_not_found"},
		{"used", "ann", []model.MediaID{used}, errs.Conflict, "media_in_use"},
		{"an avatar", "ann", []model.MediaID{avatar}, errs.Invalid, "wrong_media_kind"},
		{"failed", "ann", []model.MediaID{broken}, errs.Invalid, "media_failed"},
		{"five", "ann", []model.MediaID{fresh(), fresh(), fresh(), fresh(), fresh()}, errs.Invalid, "too_many_media"},
		{"twice", "ann", slices.Repeat([]model.MediaID{fresh()}, 2), errs.Invalid, "too_many_media"},
		{"no id", "ann", []model.MediaID{"../x"}, errs.Invalid, "invalid_media_id"},
		{"none", "ann", nil, errs.Invalid, "content_required"},
	}
	before := len(e.IDs(t, model.Tweets))
	for _, tt := range tests {
		_, err := e.post(ctx, e.Store, tt.by, "", tt.media...)
		t.Log(tt.what)
		storetest.WantErr(t, err, tt.kind, tt.code)
	}
	e.Clock.Add(day)
	_, err = e.post(ctx, e.Store, "ann", "", old)
	storetest.WantErr(t, err, errs.NotFound, "media_not_found")
	if after := len(e.IDs(t, model.Tweets)); after != before {
		t.Errorf("%d tweets were written", after-before)
	}
	if doc := e.record(t, broken); doc["failure"] != "media_type_unsupported" {
		t.Errorf("the failed record is %v", doc)
	}
}

// Two tweets at once want one picture, on two processes: one gets it.
func TestTwoTweets(t *testing.T) {
	t.Parallel()
	e := open(t)
	other := e.Again(t, e.options)
	for range 5 {
		id := e.ready(t, "ann", model.MediaTweet, "")
		failures := testenv.AtOnce(2, func(i int) error {
			_, err := e.post(t.Context(), []*store.Store{e.Store, other}[i], "ann", "", id)
			return err
		})
		storetest.OnlyWinner(t, failures, errs.Conflict, "media_in_use")
	}
}

// A tweet is about to take a picture, and at that moment the picture is deleted, described anew, or taken. The commit
// never leaves a tweet whose picture is gone.
func TestRaces(t *testing.T) {
	t.Parallel()
	e := open(t)
	tests := map[string]struct {
		meanwhile func(model.MediaID)
		code      string
	}{
		"the owner, or the policy, deletes it": {func(id model.MediaID) {
			_, err := e.Raw.Doc("media/" + string(id)).Delete(t.Context())
			testenv.Must(t, err)
		}, "media_not_found"},
		"the owner describes it": {func(id model.MediaID) {
			_, err := e.Media.SetAlt(t.Context(), "ann", id, "new")
			testenv.Must(t, err)
		}, ""},
		"another tweet takes it": {func(id model.MediaID) {
			_, err := e.post(t.Context(), e.Store, "ann", "", id)
			testenv.Must(t, err)
		}, "media_in_use"},
	}
	for what, tt := range tests {
		t.Run(what, func(t *testing.T) {
			id := e.ready(t, "ann", model.MediaTweet, "old")
			o := e.options
			o.Meter = meter.Options{Below: storetest.Before(func(path string, _ *pb.Write) bool {
				return path == "media/"+string(id)
			}, func() { tt.meanwhile(id) })}
			tweet, err := e.post(t.Context(), e.Again(t, o), "ann", "", id)
			if tt.code != "" {
				if errs.CodeOf(err) != tt.code {
					t.Errorf("error = %v, want %s", err, tt.code)
				}
				return
			}
			testenv.Must(t, err)
			if tweet.Media[0].Alt != "new" || e.record(t, id)["tweetId"] != string(tweet.ID) {
				t.Errorf("the tweet has %+v, and the record %v", tweet.Media, e.record(t, id))
			}
		})
	}
}

// The answers to all commits are lost: each act has its effect once.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	e := open(t)
	lossy := e.options
	losses := storetest.LoseAnswers(1, 1)
	lossy.Meter = meter.Options{Below: losses.Lose}
	s := e.Again(t, lossy)
	data := picture(t)
	m, u, err := s.Media.Create(t.Context(), "ann", model.NewMedia{Kind: model.MediaTweet, ContentType: "image/png",
		Bytes: int64(len(data))})
	testenv.Must(t, err)
	send(t, u, data)
	testenv.Must(t, e.uploaded(t.Context(), s, string(m.ID)))
	_, err = s.Media.SetAlt(t.Context(), "ann", m.ID, "words")
	testenv.Must(t, err)
	tweet, err := e.post(t.Context(), s, "ann", "", m.ID)
	testenv.Must(t, err)
	if len(tweet.Media) != 1 || len(e.IDs(t, model.Tweets)) != 1 {
		t.Errorf("the tweet has %+v", tweet.Media)
	}
	m2 := e.ready(t, "ann", model.MediaTweet, "")
	testenv.Must(t, s.Media.Delete(t.Context(), "ann", m2))
	if e.record(t, m2) != nil || losses.Count() < 5 {
		t.Errorf("%d answers were lost", losses.Count())
	}
}

// A record is deleted before, while and after its upload is processed, and the process is killed between the files and
// the record. In the end no file is left without a record, and no ready record without files.
func TestOrphans(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	remove := func(id model.MediaID) {
		t.Helper()
		testenv.Must(t, e.Media.Delete(ctx, "ann", id))
		testenv.Must(t, e.Media.Remove(ctx, id))
	}
	data := picture(t)
	sent := func() model.MediaID {
		t.Helper()
		id, u := e.announce(t, "ann", model.MediaTweet, "", len(data))
		send(t, u, data)
		return id
	}
	first := sent()
	remove(first)
	testenv.Must(t, e.uploaded(ctx, e.Store, string(first)))
	e.wantFiles(t, "deleted before", first, 0, 0)

	// The client begins the upload after the record is gone.
	late, u := e.announce(t, "ann", model.MediaTweet, "", len(data))
	remove(late)
	send(t, u, data)
	testenv.Must(t, e.uploaded(ctx, e.Store, string(late)))
	e.wantFiles(t, "uploaded after its deletion", late, 0, 0)

	while := sent()
	o := e.options
	o.Meter = meter.Options{Below: storetest.Before(storetest.WritesTo("media/"+string(while)), func() { remove(while) })}
	testenv.Must(t, e.uploaded(ctx, e.Again(t, o), string(while)))
	e.wantFiles(t, "deleted while it is processed", while, 0, 0)

	killed := sent()
	dying, kill := context.WithCancel(ctx)
	o.Meter = meter.Options{Below: storetest.Before(storetest.WritesTo("media/"+string(killed)), kill)}
	if err := e.uploaded(dying, e.Again(t, o), string(killed)); err == nil {
		t.Error("the killed process ends well")
	}
	e.wantFiles(t, "killed before the record", killed, 2, 1)
	testenv.Must(t, e.uploaded(ctx, e.Store, string(killed)))
	e.wantFiles(t, "and again", killed, 2, 0)
	if e.record(t, killed)["state"] != "ready" {
		t.Errorf("the record is %v", e.record(t, killed))
	}

	// Killed between, and then the record goes: the repeated event removes what the first one wrote.
	again := sent()
	dying, kill = context.WithCancel(ctx)
	o.Meter = meter.Options{Below: storetest.Before(storetest.WritesTo("media/"+string(again)), kill)}
	e.uploaded(dying, e.Again(t, o), string(again))
	testenv.Must(t, e.Media.Delete(ctx, "ann", again))
	testenv.Must(t, e.uploaded(ctx, e.Store, string(again)))
	e.wantFiles(t, "killed, deleted, and again", again, 0, 0)

	// A file that no client put there.
	testenv.Must(t, e.uploads.Put(ctx, "stray", data, objects.Attributes{ContentType: "image/png"}))
	testenv.Must(t, e.uploaded(ctx, e.Store, "stray"))
	if names, err := e.uploads.List(ctx, "", 10); err != nil || len(names) > 0 {
		t.Errorf("the uploads are %q, %v", names, err)
	}
	// A record that exists keeps its files: the event of a deletion that did not happen.
	testenv.Must(t, e.Media.Remove(ctx, killed))
	e.wantFiles(t, "of a record that is there", killed, 2, 0)
}

// An event is about one file. What lies under its name instead, because it was replaced meanwhile, has its own event.
func TestGenerations(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	data := picture(t)
	put := func(id model.MediaID, data []byte) int64 {
		t.Helper()
		testenv.Must(t, e.uploads.Put(ctx, string(id), data, objects.Attributes{ContentType: "image/png"}))
		is, err := e.uploads.Stat(ctx, string(id))
		testenv.Must(t, err)
		return is.Generation
	}
	state := func(what string, id model.MediaID, want model.MediaState, sizes, uploads int) {
		t.Helper()
		if got := e.record(t, id)["state"]; got != string(want) {
			t.Errorf("%s: the record is %v, want %s", what, got, want)
		}
		e.wantFiles(t, what, id, sizes, uploads)
	}
	id, _ := e.announce(t, "ann", model.MediaTweet, "", len(data))
	first := put(id, []byte("spam"))
	second := put(id, data)
	testenv.Must(t, e.Media.Uploaded(ctx, string(id), first))
	state("an event of a file that was replaced", id, model.MediaUploading, 0, 1)
	testenv.Must(t, e.Media.Uploaded(ctx, string(id), second))
	state("the event of the present file", id, model.MediaReady, 2, 0)
	third := put(id, []byte("spam"))
	for range 2 {
		testenv.Must(t, e.Media.Uploaded(ctx, string(id), second))
		state("a late event of a file that is done", id, model.MediaReady, 2, 1)
	}
	testenv.Must(t, e.Media.Uploaded(ctx, string(id), third))
	state("the event of a file that nobody needs", id, model.MediaReady, 2, 0)

	// Of an upload that is gone, whatever removed it, no event makes a failed record.
	lost, _ := e.announce(t, "ann", model.MediaTweet, "", len(data))
	gone := put(lost, data)
	testenv.Must(t, e.uploads.Remove(ctx, string(lost)))
	testenv.Must(t, e.Media.Uploaded(ctx, string(lost), gone))
	state("an event of a file that is gone", lost, model.MediaUploading, 0, 0)

	// It is removed between two reads.
	torn, _ := e.announce(t, "ann", model.MediaTweet, "", len(data))
	before := put(torn, data)
	o := e.options
	var after int64
	o.Meter = meter.Options{Below: storetest.Before(storetest.WritesTo("media/"+string(torn)), func() {
		after = put(torn, []byte("spam"))
	})}
	testenv.Must(t, e.Again(t, o).Media.Uploaded(ctx, string(torn), before))
	state("replaced while it is processed", torn, model.MediaReady, 2, 1)
	testenv.Must(t, e.Media.Uploaded(ctx, string(torn), after))
	state("and the event of what replaced it", torn, model.MediaReady, 2, 0)

	// More bytes than announced are not even read, in case the storage takes them.
	large, _ := e.announce(t, "ann", model.MediaTweet, "", len(data)-1)
	testenv.Must(t, e.Media.Uploaded(ctx, string(large), put(large, data)))
	state("a larger file than announced", large, model.MediaFailed, 0, 0)
	if got := e.record(t, large)["failure"]; got != "media_too_large" {
		t.Errorf("the failure of a larger file is %v", got)
	}
}

// An address begins any number of sessions, and one file at a time comes of them. What comes after the first is removed
// and changes nothing.
func TestSessions(t *testing.T) {
	t.Parallel()
	e := open(t)
	data := picture(t)
	id, u := e.announce(t, "ann", model.MediaTweet, "", len(data))
	var sessions []string
	for range 3 {
		sessions = append(sessions, begin(t, u).Header.Get("Location"))
	}
	finish := func(what, session string, want, sizes, uploads int) {
		t.Helper()
		if got := request(t, "PUT", session, data, nil).StatusCode; got != want {
			t.Errorf("%s: the storage answers %d, want %d", what, got, want)
		}
		e.wantFiles(t, what, id, sizes, uploads)
	}
	finish("the first", sessions[0], http.StatusOK, 0, 1)
	finish("another beside it", sessions[1], http.StatusPreconditionFailed, 0, 1)
	testenv.Must(t, e.uploaded(t.Context(), e.Store, string(id)))
	before := e.record(t, id)
	finish("another after it", sessions[2], http.StatusOK, 2, 1)
	testenv.Must(t, storetest.Costs(t, "the event of a file that nobody needs", 1, 0, 0, func(ctx context.Context) error {
		return e.uploaded(ctx, e.Store, string(id))
	}))
	e.wantFiles(t, "in the end", id, 2, 0)
	if diff := cmp.Diff(before, e.record(t, id)); diff != "" {
		t.Errorf("the record changed (-before +after):\n%s", diff)
	}
}

// A moderator sees the upload of another user, and deletes what no tweet and no profile shows. The audit log says so.
func TestModerators(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	mo := moderation.Actor{UID: "mo", Role: model.RoleModerator, Reason: "spam"}
	former, present := e.ready(t, "ann", model.MediaAvatar, ""), e.ready(t, "ann", model.MediaAvatar, "")
	for _, id := range []model.MediaID{former, present} {
		testenv.Must(t, e.Users.UpdateOwn(ctx, "ann", model.UserPatch{AvatarMedia: &id}, model.CoolDown{}))
	}
	used, loose := e.ready(t, "ann", model.MediaTweet, ""), e.ready(t, "ann", model.MediaTweet, "a rose")
	_, err := e.post(ctx, e.Store, "ann", "", used)
	testenv.Must(t, err)
	for role, found := range map[model.Role]bool{model.Member: false, model.Moderator: true, model.Administrator: true} {
		if _, err := e.Media.Get(ctx, model.Viewer{ID: "mo", Role: role}, loose); (err == nil) != found {
			t.Errorf("the upload of another user, for %v: %v", role, err)
		}
	}
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.options
	lossy.Meter = meter.Options{Below: losses.Lose}
	s := e.Again(t, lossy)
	for _, id := range []model.MediaID{used, present} {
		storetest.WantErr(t, s.Moderation.DeleteMedia(ctx, mo, id), errs.Conflict, "media_in_use")
	}
	testenv.Must(t, storetest.Costs(t, "a deletion", 1, 1, 1, func(ctx context.Context) error {
		return e.Moderation.DeleteMedia(ctx, mo, former)
	}))
	testenv.Must(t, s.Moderation.DeleteMedia(ctx, mo, loose))
	testenv.Must(t, e.Moderation.DeleteMedia(ctx, mo, loose)) // it is gone, and that is no act
	if losses.Count() == 0 {
		t.Error("no answer was lost")
	}
	for _, id := range []model.MediaID{former, loose} {
		if e.record(t, id) != nil {
			t.Errorf("the record %s stays", id)
		}
	}
	acts, err := e.Moderation.Actions(ctx, moderation.ActionFilter{UserID: "ann"}, model.Cursor{}, 10)
	testenv.Must(t, err)
	if len(acts.Items) != 2 {
		t.Fatalf("the audit log has %+v", acts.Items)
	}
	alts := map[string]string{}
	for _, a := range acts.Items {
		if alts[a.Before["media"]] = a.Before["alt"]; a.Act != model.ActDeleteMedia || a.By != "mo" || a.Reason != "spam" {
			t.Errorf("the audit log has %+v", a)
		}
	}
	if diff := cmp.Diff(map[string]string{string(former): "", string(loose): "a rose"}, alts); diff != "" {
		t.Errorf("deleted media and their descriptions (-want +got):\n%s", diff)
	}
}

// An edit keeps the media of a tweet, and changes their descriptions. The revision has the former ones.
func TestEdits(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	a, b := e.ready(t, "ann", model.MediaTweet, "first"), e.ready(t, "ann", model.MediaTweet, "")
	tweet, err := e.post(ctx, e.Store, "ann", "", a, b)
	testenv.Must(t, err)
	edit := func(p model.TweetPatch) (*model.Tweet, map[string]string) {
		t.Helper()
		full, err := e.Edits.Edit(ctx, "ann", tweet.ID, p, nil)
		testenv.Must(t, err)
		read, err := e.Tweets.Tweet(ctx, tweet.ID, model.Viewer{})
		testenv.Must(t, err)
		if len(read.Media) != 2 || read.Media[0].ID != a || read.Media[1].ID != b || !read.HasMedia ||
			full.Alts[string(a)] != read.Alts[string(a)] || !read.Preview().Equal(full.Preview()) {
			t.Errorf("the tweet has %+v and %v", read.Media, read.Alts)
		}
		return read.Tweet, read.Alts
	}
	edit(model.TweetPatch{Content: new("words")})
	_, alts := edit(model.TweetPatch{Content: new("")})
	if alts[string(a)] != "first" {
		t.Errorf("the descriptions are %v", alts)
	}
	long := strings.Repeat("é", model.MaxAlt)
	is, alts := edit(model.TweetPatch{Alts: map[model.MediaID]string{b: long}})
	if alts[string(a)] != "first" || alts[string(b)] != long || is.Media[1].Alt != long[:2*model.MaxEmbeddedAlt] ||
		is.Revision != 3 {
		t.Errorf("the descriptions are %v, and the tweet has revision %d", alts, is.Revision)
	}
	is, _ = edit(model.TweetPatch{Alts: map[model.MediaID]string{b: long}})
	if is.Revision != 3 {
		t.Error("the same description makes a revision")
	}
	is, alts = edit(model.TweetPatch{Alts: map[model.MediaID]string{a: "", b: ""}})
	if len(alts) > 0 || is.Media[0].Alt != "" {
		t.Errorf("the descriptions are %v", alts)
	}
	r, err := e.Edits.Revision(ctx, tweet.ID, 4)
	testenv.Must(t, err)
	if len(r.Media) != 2 || r.Media[0].Alt != "first" {
		t.Errorf("the revision has %+v", r.Media)
	}
	_, err = e.Edits.Edit(ctx, "ann", tweet.ID, model.TweetPatch{Alts: map[model.MediaID]string{
		model.NewMediaID(): "x"}}, nil)
	storetest.WantErr(t, err, errs.NotFound, "media_not_found")
	_, err = e.Edits.Edit(ctx, "ann", tweet.ID, model.TweetPatch{Alts: map[model.MediaID]string{a: long + "é"}}, nil)
	storetest.WantErr(t, err, errs.Invalid, "too_long")
}

// Without buckets there are no media, and everything else goes on.
func TestOff(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	_, _, err := e.Media.Create(t.Context(), "ann", model.NewMedia{Kind: model.MediaTweet,
		ContentType: "image/png", Bytes: 1})
	storetest.WantErr(t, err, errs.NotFound, "media_off")
	_, err = e.Media.Serve(t.Context(), model.NewMediaID(), model.SizeSmall, media.Signature{})
	storetest.WantErr(t, err, errs.NotFound, "media_off")
	testenv.Must(t, e.Media.Remove(t.Context(), model.NewMediaID()))
}
