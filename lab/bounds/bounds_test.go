package bounds

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/push/vapid"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// TestTable looks that every collection has a bound below Firestore's, and a test that
// exists.
func TestTable(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	testenv.Must(t, filepath.WalkDir(testenv.Root(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
			tests[string(m[1])] = true
		}
		return err
	}))
	for _, c := range model.Registry {
		if b := c.Bound; b.Bytes > 1<<20 || b.Entries > 40_000 {
			t.Errorf("%s: %d bytes and %d index entries, where Firestore ends at 1 MiB and 40,000", c.Name, b.Bytes, b.Entries)
		}
		if !tests[c.Bound.Test] {
			t.Errorf("%s: there is no test %q", c.Name, c.Bound.Test)
		}
	}
}

// wide is a text of n characters that takes as many bytes as n characters may.
func wide(n int) string { return strings.Repeat("𝕏", n) }

// largestMedia makes the largest records that a post can take.
func largestMedia(t *testing.T, e *storetest.Env, uid model.UserID) (ids []model.MediaID) {
	t.Helper()
	size := model.MediaSize{Width: 8192, Height: 8192, Bytes: model.MaxVideoBytes, ContentType: "image/jpeg"}
	for range model.MaxMedia {
		id := model.NewMediaID()
		ids = append(ids, id)
		_, err := e.Raw.Doc("media/"+string(id)).Create(t.Context(), model.Media{OwnerID: uid, Kind: model.MediaTweet,
			State: model.MediaReady, DeclaredType: "image/jpeg", DeclaredBytes: model.MaxImageBytes, Alt: wide(model.MaxAlt),
			Failure: "media_type_unsupported", Type: model.MediaImage, Width: 8192, Height: 8192, DurationMs: 180_000,
			Animated: true, Blurhash: strings.Repeat("h", 28), SHA256: strings.Repeat("0", 64),
			Sizes:     map[string]model.MediaSize{model.SizeSmall: size, model.SizeLarge: size, model.SizeOriginal: size},
			CreatedAt: e.Clock.Now(),
			ExpireAt:  e.Clock.Now().Add(model.MediaWindow)})
		testenv.Must(t, err)
	}
	return ids
}

// embedded is the largest media of a tweet.
func embedded() (all []model.TweetMedia) {
	for range model.MaxMedia {
		all = append(all, model.TweetMedia{ID: model.NewMediaID(), Type: model.MediaImage, Width: 8192, Height: 8192,
			Blurhash: strings.Repeat("h", 28), Alt: wide(model.MaxEmbeddedAlt), DurationMs: 180_000, Animated: true})
	}
	return all
}

// described is the media of a message, which has all of their descriptions.
func described() []model.TweetMedia {
	all := embedded()
	for i := range all {
		all[i].Alt = wide(model.MaxAlt)
	}
	return all
}

// TestLargest writes the largest documents that requests can make, and lets the functions
// write what follows from them. No document is beyond its bound.
func TestLargest(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	uid := func(letter string) model.UserID { return model.UserID(strings.Repeat(letter, 128)) }
	ann, bob := uid("a"), uid("b")
	// Its snippet has many bytes, and so has the snippet with the structure.
	introduction := wide(225)
	for range 2 {
		introduction += "[" + wide(10) + "](https://example.com/" + strings.Repeat("a", 250) + ")"
	}
	introduction += wide(model.MaxIntroduction - utf8.RuneCountInString(introduction))
	_, err := e.Moderation.PutAIModel(ctx, moderation.Actor{UID: "root", Role: model.RoleAdministrator},
		wide(model.MaxAIModel), model.AIModel{})
	testenv.Must(t, err)
	for i, u := range []model.UserID{ann, bob, uid("c")} {
		made, err := e.Users.CreateUser(ctx, u, model.NewUser{
			Username: fmt.Sprint(strings.Repeat("u", model.MaxUsername-1), i), Nickname: wide(model.MaxNickname),
			Introduction: introduction,
			Avatar:       "https://" + strings.Repeat("a", model.MaxAvatar-len("https://")), AIModel: wide(model.MaxAIModel),
			AIPersonality: wide(model.MaxContent), Email: strings.Repeat("e", model.MaxEmail),
		})
		testenv.Must(t, err)
		if n := len(made.SnippetTree); n < model.MaxSnippetTree-100 {
			t.Errorf("the introduction has %d bytes with its structure, so the test proves little", n)
		}
	}
	testenv.Must(t, e.Users.UpdateUser(ctx, bob, model.UserPatch{Locked: new(true)}))
	testenv.Must(t, e.Graph.Follow(ctx, uid("c"), bob))
	testenv.Must(t, e.Graph.Follow(ctx, bob, ann))
	testenv.Must(t, e.Graph.Block(ctx, ann, uid("b")))
	testenv.Must(t, e.Graph.Unblock(ctx, ann, bob))
	testenv.Must(t, e.Shares.Hide(ctx, ann, bob))
	testenv.Must(t, e.Graph.Mute(ctx, model.MutedUser{UserID: ann, MutedID: bob, Part: model.MuteReplies,
		HideNotifications: true}, time.Hour))
	_, err = e.Graph.PutNote(ctx, ann, bob, wide(model.MaxPersonNote))
	testenv.Must(t, err)
	_, err = e.Users.MarkHome(ctx, ann, model.NewTweetIDs(e.Clock.Now).Next(ann), 0)
	testenv.Must(t, err)
	for i := range model.MaxDismissedPeople {
		testenv.Must(t, e.Users.DismissAnnouncement(ctx, ann, model.AnnouncementID(fmt.Sprintf("%040d", i))))
	}
	var tags []string
	for i := range model.MaxTags {
		tags = append(tags, strings.Repeat("𝒙", model.MaxTagLength-2)+fmt.Sprintf("%02d", i))
	}
	testenv.Must(t, e.Users.UpdateUser(ctx, ann, model.UserPatch{PinnedTags: new(tags[:model.MaxPinnedTags])}))
	for i := range model.MaxSignIns {
		testenv.Must(t, e.Users.AddSignIn(ctx, ann, model.SignIn{At: time.Unix(int64(i), 0), System: "ChromeOS",
			Program: "Firefox", Provider: strings.Repeat("p", model.MaxProvider)}))
	}
	testenv.Must(t, e.Moderation.EndSessions(ctx, ann))
	names := ""
	for i := range model.MaxMentions {
		name := fmt.Sprintf("%s_%02d@%s.example", strings.Repeat("m", model.MaxRemoteName-3), i,
			strings.TrimSuffix(strings.Repeat(strings.Repeat("h", 59)+".", 2), "."))
		_, err := e.Raw.Doc("usernames/"+name).Set(ctx, model.Username{UID: model.UserID(fmt.Sprintf("%0128d", i))})
		testenv.Must(t, err)
		names += "@" + name + " "
	}
	var options []string
	for i := range model.MaxPollOptions {
		options = append(options, wide(model.MaxPollOption-1)+fmt.Sprint(i))
	}
	poll := &model.NewPoll{Options: options, Minutes: 5}
	draft := model.Draft{Poll: poll, Content: names + wide(model.MaxContent-len(names)), Summary: wide(model.MaxSummary),
		Tags: tags, AllowLikes: true, AllowReplies: true, DenyQuotes: true, QuotePolicy: model.PolicyMentioned}
	draft.Media = largestMedia(t, e, ann)
	testenv.Must(t, e.Users.UpdateUser(ctx, ann, model.UserPatch{HoldReplies: new(model.HoldStrangers)}))
	tweet := e.Draft(t, ann, draft)
	draft.Media = nil
	draft.ReplyTo = &tweet.ID
	held, err := e.Tweets.CreateTweet(ctx, bob, draft, model.Request{Key: strings.Repeat("k", model.MaxIdempotencyKey),
		Hash: strings.Repeat("h", 64)})
	testenv.Must(t, err)
	reply, err := e.HeldReplies.Approve(ctx, ann, held.Held.ID)
	testenv.Must(t, err)
	draft.QuoteOf, draft.Visibility, draft.Media = e.Tweet(t, ann, "x").ID, model.Unlisted, largestMedia(t, e, bob)
	_, err = e.Tweets.CreateTweet(ctx, bob, draft, model.Request{Key: "largest"})
	testenv.Must(t, err)
	_, err = e.Edits.Edit(ctx, ann, tweet.ID, model.TweetPatch{AllowLikes: new(false)}, nil)
	testenv.Must(t, err)
	_, err = e.Edits.Edit(ctx, ann, tweet.ID, model.TweetPatch{AllowLikes: new(true)}, nil)
	testenv.Must(t, err)
	gone := e.Tweet(t, ann, "gone")
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, ann, false, gone.ID))
	testenv.Must(t, e.Reactions.Like(ctx, bob, tweet.ID))
	testenv.Must(t, e.Shares.Share(ctx, bob, tweet.ID))
	testenv.Must(t, e.Bookmarks.Bookmark(ctx, model.Viewer{ID: bob, Role: model.Member}, tweet.ID))
	_, err = e.Polls.Vote(ctx, bob, tweet.ID, model.MaxPollOptions)
	testenv.Must(t, err)
	muted := map[string]time.Time{}
	for i := range model.MaxMuted {
		muted[fmt.Sprintf("%018x", i)] = e.Clock.Now()
	}
	policy, accepted := strangers(e.Clock.Now())
	_, err = e.Raw.Doc("noticeSettings/"+string(ann)).
		Set(ctx, model.NotificationChoice{Off: model.NotificationKinds, Muted: muted, Policy: policy, Accepted: accepted})
	testenv.Must(t, err)
	_, err = e.Raw.Doc("notificationRequests/"+string(ann)).Set(ctx, largestRequests(ann, e.Clock.Now()))
	testenv.Must(t, err)
	saved, err := e.Drafts.Save(ctx, ann, model.SavedDraft{
		Draft: model.Draft{Content: wide(model.MaxContent), Summary: wide(model.MaxSummary), Tags: tags, ReplyTo: &tweet.ID,
			QuoteOf: tweet.ID, DenyQuotes: true, ReplyPolicy: model.PolicyMentioned, QuotePolicy: model.PolicyMentioned,
			Visibility: model.Followers, Poll: poll},
	}, model.Request{Key: strings.Repeat("k", model.MaxIdempotencyKey), Hash: strings.Repeat("h", 64)})
	testenv.Must(t, err)
	_, err = e.Raw.Doc("drafts/"+model.DraftKey(ann, saved.ID)).
		Update(ctx, []firestore.Update{{Path: "failure", Value: model.DraftFailure{Code: "too_late_to_publish",
			Detail: wide(200)}}})
	testenv.Must(t, err)
	list, err := e.Lists.Create(ctx, ann, model.ListPatch{Title: new(wide(model.MaxListTitle)),
		Description: new(wide(model.MaxListDescription)), Visibility: new(model.PublicList),
		RepliesPolicy: new(model.RepliesToFollowed), Exclusive: new(true)}, model.Request{Key: strings.Repeat("k",
		model.MaxIdempotencyKey), Hash: strings.Repeat("h", 64)})
	testenv.Must(t, err)
	members := make([]model.UserID, model.MaxListMembers)
	for i := range members {
		members[i] = model.UserID(fmt.Sprintf("%0128d", i))
	}
	_, err = e.Raw.Doc("lists/"+model.ListKey(ann, list.ID)).
		Update(ctx, []firestore.Update{{Path: "members", Value: members}})
	testenv.Must(t, err)
	_, key, err := vapid.Generate()
	testenv.Must(t, err)
	for i := range model.MaxDevices {
		name := fmt.Sprint(i)
		testenv.Must(t, e.Devices.Put(ctx, ann, strings.Repeat("d", 64-len(name))+name, model.Device{
			Endpoint: "https://push.example.com/" + strings.Repeat("e", model.MaxEndpoint-len("https://push.example.com/")-len(
				name)) + name, P256dh: key, Auth: strings.Repeat("A", 22),
		}))
	}
	for _, id := range e.CreateTweets(t, ann, model.MaxPins) {
		testenv.Must(t, e.Pins.Pin(ctx, ann, id))
	}
	quote, err := e.Tweets.CreateTweet(ctx, bob, model.Draft{Content: "x", QuoteOf: e.Tweet(t, ann, "x").ID},
		model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, e.Tweets.WithdrawQuote(ctx, ann, quote.QuoteOf, quote.ID))
	testenv.Must(t, e.Tweets.Fold(ctx, ann, reply.ID, true))
	for _, t1 := range []*model.Tweet{tweet, reply.Tweet} {
		testenv.Must(t, e.Timelines.Deliver(ctx, t1))
	}
	for i := range 3 * model.NotificationRecords {
		actor := model.UserID(fmt.Sprintf("%0128d", i))
		testenv.Must(t, e.NotificationEvents.Notify(ctx, model.NewNotificationEvent(fmt.Sprint("event", i),
			model.NotificationReply, ann,
			model.NotificationEventPayload{UserID: actor, TweetID: reply.ID, ReplyTo: tweet.ID}, e.Clock.Now())))
		e.CoolDown()
	}
	testenv.Must(t, e.DeadLetters.Bury(ctx, model.DeadLetter{
		EventID: strings.Repeat("e", 64), Function: "ContinueCleanUp", Type: strings.Repeat("t", 64),
		Subject: strings.Repeat("s", 1_000),
		Source:  strings.Repeat("s", 200), Data: make([]byte, model.MaxDeadLetterData), Cause: wide(10_000),
	}))
	left, err := e.Users.Leave(ctx, bob)
	testenv.Must(t, err)
	testenv.Must(t, e.AccountDeletions.Leave(ctx, *left))
	checkAll(t, e, 18)
}

// An author writes the largest tweets, faster than events of overflows come: none comes at
// all. Then the oldest tweets are reconciled, as after edits and flags, again and again. The
// month stays within its bound, and lists no more overflow documents than the bound says.
func TestLargestMonth(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ann := model.UserID(strings.Repeat("a", 128))
	_, err := e.Users.CreateUser(t.Context(), ann, model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	tags := map[string]time.Time{}
	for i := range model.MaxTags {
		tags[strings.Repeat("𝒙", model.MaxTagLength-1)+fmt.Sprint(i)] = e.Clock.Now()
	}
	ids := model.NewTweetIDs(e.Clock.Now)
	const rounds, each = 8, 60
	largest := func() *model.Tweet {
		return &model.Tweet{ID: ids.Next(ann), AuthorID: ann, Visibility: "public", Summary: wide(model.MaxSummary),
			Snippet: wide(model.MaxSnippet), SnippetTree: strings.Repeat("x", model.MaxSnippetTree), Tags: tags,
			HasMedia: true, Media: embedded()}
	}
	var old []*model.Tweet
	for range each {
		old = append(old, largest())
	}
	for round := range rounds {
		for _, err := range testenv.AtOnce(each, func(i int) error {
			t1 := largest()
			if round == 0 {
				t1 = old[i]
			}
			return e.Previews.Put(t.Context(), t1)
		}) {
			testenv.Must(t, err)
		}
		checkAll(t, e, 1)
	}
	for range rounds / 2 {
		for _, err := range testenv.AtOnce(each, func(int) error {
			t1 := largest()
			t1.Visibility = model.Followers
			return e.Previews.Put(t.Context(), t1)
		}) {
			testenv.Must(t, err)
		}
		checkAll(t, e, 1)
	}
	if months := e.IDs(t, model.FollowerMonths); len(months) < 2 {
		t.Error("the month for followers did not overflow")
	}
	overflowed := len(e.IDs(t, model.TweetMonths)) - 1
	if most := 3*rounds*each/model.PreviewsPerBucket + 1; overflowed < 2 || overflowed > most {
		t.Errorf("the month has %d overflow documents, want 2 to %d", overflowed, most)
	}
	for round := range 3 {
		for _, err := range testenv.AtOnce(each, func(i int) error {
			t1 := *old[i]
			t1.IsViolative = round == 1
			t1.Revision = round
			if _, err := e.Raw.Doc("tweets/"+string(t1.ID)).Set(t.Context(), t1); err != nil {
				return err
			}
			_, err := e.Previews.ReconcilePreview(t.Context(), ann, t1.ID, model.OpenAudiencePartition)
			return err
		}) {
			testenv.Must(t, err)
		}
		checkAll(t, e, 1)
		if now := len(e.IDs(t, model.TweetMonths)) - 1; now > overflowed {
			t.Errorf("the month has %d overflow documents after edits, and had %d before", now, overflowed)
		}
	}
}

// checkAll compares every document of a project, in so many collections at least, with the
// bound of its collection.
func checkAll(t *testing.T, e *storetest.Env, collections int) {
	t.Helper()
	exempt := readExemptions(t)
	largest := map[string]int{}
	var check func(ctx context.Context, of interface {
		Collections(context.Context) *firestore.CollectionIterator
	})
	check = func(ctx context.Context, of interface {
		Collections(context.Context) *firestore.CollectionIterator
	}) {
		all, err := of.Collections(ctx).GetAll()
		testenv.Must(t, err)
		for _, c := range all {
			refs, err := c.DocumentRefs(ctx).GetAll() // those without fields, too
			testenv.Must(t, err)
			for _, ref := range refs {
				check(ctx, ref)
				snap, err := ref.Get(ctx)
				if err != nil {
					continue
				}
				b, size, entries := model.Row(c.ID).Bound, sizeOf(snap), exempt.entries(snap)
				largest[c.ID] = max(largest[c.ID], size)
				if size > b.Bytes || entries > b.Entries {
					t.Errorf("%s…: %d bytes and %d index entries, want at most %d and %d", ref.Path[:min(len(ref.Path), 120)], size,
						entries, b.Bytes, b.Entries)
				}
			}
		}
	}
	check(t.Context(), e.Raw)
	for c, size := range largest {
		t.Logf("%s: %d bytes, of %d", c, size, model.Row(c).Bound.Bytes)
	}
	if len(largest) < collections {
		t.Errorf("documents of %d collections, so the test proves little", len(largest))
	}
}

// The largest export has as many parts and archives as there may be, and then it fails.
func TestLargestExport(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{ExportBucket: t.TempDir()})
	ann := model.UserID(strings.Repeat("a", 128))
	_, err := e.Users.CreateUser(t.Context(), ann, model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	_, err = e.Exports.Ask(t.Context(), ann)
	testenv.Must(t, err)
	ref := e.Raw.Doc("exports/" + string(ann))
	export := func(w *model.ExportWork) {
		t.Helper()
		result, err := ref.Set(t.Context(), w)
		testenv.Must(t, err)
		w.WrittenAt = result.UpdateTime
		testenv.Must(t, e.Exports.Export(t.Context(), *w))
	}
	work, err := e.Exports.Current(t.Context(), ann)
	testenv.Must(t, err)
	for n := range model.MaxExportParts - 1 {
		work.Parts = append(work.Parts, model.ExportFile{Name: fmt.Sprintf("part-%d-ABCDEFGH.zip", 100_000+n), Bytes: 1})
	}
	for n := range model.MaxExportArchives - 1 {
		work.Archives = append(work.Archives, model.ExportFile{Name: fmt.Sprintf("archive-%d-ABCDEFGH.zip", 1000+n),
			Bytes: 1 << 30})
	}
	export(work) // writes the last part
	checkAll(t, e, 3)
	full, err := e.Exports.Current(t.Context(), ann)
	testenv.Must(t, err)
	if len(full.Parts) != model.MaxExportParts {
		t.Fatalf("there are %d parts, want %d", len(full.Parts), model.MaxExportParts)
	}
	full.Archives = append(full.Archives, full.Archives[0])
	export(full)
	if failed, err := e.Exports.Current(t.Context(), ann); err != nil || failed.Failed == "" || len(failed.Archives) > 0 ||
		!failed.Ended() {
		t.Errorf("an export of too many archives is %+v, %v", failed, err)
	}
}
