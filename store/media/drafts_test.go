package media_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Media of drafts and scheduled tweets stay until they are posted.
func TestDrafts(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	data := picture(t)
	coming, u := e.announce(t, "ann", model.MediaTweet, "", len(data))
	at := e.Clock.Now().Add(300 * 24 * time.Hour)
	save := func(reads, writes int64, d model.SavedDraft) *model.SavedDraft {
		t.Helper()
		var saved *model.SavedDraft
		testenv.Must(t, storetest.Costs(t, "saving", reads, writes, 0, func(ctx context.Context) (err error) {
			saved, err = e.Drafts.Save(ctx, "ann", d, model.Request{})
			return err
		}))
		return saved
	}
	testenv.Must(t, e.Tweets.MayWrite(ctx, "ann"))
	save(2, 2, model.SavedDraft{Draft: model.Draft{Media: []model.MediaID{coming}}, PublishAt: &at})
	send(t, u, data)
	testenv.Must(t, e.uploaded(ctx, e.Store, string(coming)))
	waiting := e.ready(t, "ann", model.MediaTweet, "")
	draft := save(1, 1, model.SavedDraft{Draft: model.Draft{Content: "no picture yet"}})
	_, err := e.Drafts.Change(ctx, "ann", draft.ID, model.SavedDraft{Draft: model.Draft{
		Media: []model.MediaID{waiting}}}, nil)
	testenv.Must(t, err)
	_, err = e.Drafts.Save(ctx, "bob", model.SavedDraft{Draft: model.Draft{Media: []model.MediaID{waiting}}},
		model.Request{})
	storetest.WantErr(t, err, errs.NotFound, "media_not_found")

	e.Clock.Add(model.DraftMediaWindow - time.Hour)
	posted, err := e.Drafts.Publish(ctx, "ann", draft.ID)
	testenv.Must(t, err)
	if len(posted.Media) != 1 || posted.Media[0].ID != waiting {
		t.Errorf("the tweet of the draft has %+v", posted.Media)
	}
	e.Clock.Add(at.Sub(e.Clock.Now()) + time.Minute)
	done, err := e.Drafts.PublishDue(ctx, func() bool { return false })
	testenv.Must(t, err)
	if done.Published != 1 || e.record(t, coming)["tweetId"] == nil {
		t.Errorf("posted %+v, and the record is %v", done, e.record(t, coming))
	}
	// A picture that has not come: the scheduled tweet waits for it, but not for ever.
	late, u := e.announce(t, "ann", model.MediaTweet, "", len(data))
	never, _ := e.announce(t, "ann", model.MediaTweet, "", len(data))
	at = e.Clock.Now().Add(time.Minute)
	save(2, 2, model.SavedDraft{Draft: model.Draft{Media: []model.MediaID{late}}, PublishAt: &at})
	lost := save(2, 2, model.SavedDraft{Draft: model.Draft{Media: []model.MediaID{never}}, PublishAt: &at})
	e.Clock.Add(time.Hour)
	due := func(published, refused int) {
		t.Helper()
		done, err := e.Drafts.PublishDue(ctx, func() bool { return false })
		if err != nil || done.Published != published || done.Refused != refused {
			t.Errorf("posted %+v, %v; want %d, and %d refused", done, err, published, refused)
		}
	}
	due(0, 0)
	send(t, u, data)
	testenv.Must(t, e.uploaded(ctx, e.Store, string(late)))
	due(1, 0)
	e.Clock.Add(time.Second)
	due(0, 1)
	if is, err := e.Drafts.Draft(ctx, "ann", lost.ID); err != nil || is.Failure == nil ||
		is.Failure.Code != "media_processing" {
		t.Errorf("the draft is %+v, %v", is, err)
	}
	// A picture that another tweet took: the scheduled tweet stays as a draft with the reason.
	id := e.ready(t, "ann", model.MediaTweet, "")
	at = e.Clock.Now().Add(time.Hour)
	refused := save(2, 2, model.SavedDraft{Draft: model.Draft{Media: []model.MediaID{id}}, PublishAt: &at})
	_, err = e.post(ctx, e.Store, "ann", "", id)
	testenv.Must(t, err)
	e.Clock.Add(2 * time.Hour)
	done, err = e.Drafts.PublishDue(ctx, func() bool { return false })
	testenv.Must(t, err)
	is, err := e.Drafts.Draft(ctx, "ann", refused.ID)
	if err != nil || done.Refused != 1 || is.Failure == nil || is.Failure.Code != "media_in_use" {
		t.Errorf("posted %+v, and the draft is %+v, %v", done, is, err)
	}
	if e.record(t, id)["expireAt"] != nil {
		t.Error("the picture of a tweet expires")
	}
}

// Media of a draft do not stay for ever, however often it is saved or scheduled anew.
func TestDraftsEnd(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	save := func(id model.MediaID, at *time.Time) error {
		_, err := e.Drafts.Save(ctx, "ann", model.SavedDraft{Draft: model.Draft{Media: []model.MediaID{id}}, PublishAt: at},
			model.Request{})
		return err
	}
	id := e.ready(t, "ann", model.MediaTweet, "")
	uploaded := e.Clock.Now()
	testenv.Must(t, save(id, nil))
	for e.Clock.Now().Before(uploaded.Add(model.DraftMediaWindow - 20*24*time.Hour)) {
		e.Clock.Add(10 * 24 * time.Hour)
		testenv.Must(t, save(id, nil))
	}
	e.Clock.Add(uploaded.Add(model.DraftMediaWindow + time.Minute).Sub(e.Clock.Now()))
	storetest.WantErr(t, save(id, nil), errs.NotFound, "media_not_found")

	// A scheduled tweet keeps them until its time, which may move once more.
	id, uploaded = e.ready(t, "ann", model.MediaTweet, ""), e.Clock.Now()
	at := uploaded.Add(model.MaxSchedule)
	testenv.Must(t, save(id, &at))
	e.Clock.Add(model.MaxSchedule - time.Hour)
	at = at.Add(model.DraftMediaWindow - 2*model.MaxLate)
	testenv.Must(t, save(id, &at))
	e.Clock.Add(model.DraftMediaWindow - 4*model.MaxLate)
	at = at.Add(2 * model.MaxLate)
	storetest.WantErr(t, save(id, &at), errs.Invalid, "media_too_old")
	testenv.Must(t, save(id, nil))
	e.Clock.Add(uploaded.Add(model.MaxSchedule + model.DraftMediaWindow + time.Minute).Sub(e.Clock.Now()))
	storetest.WantErr(t, save(id, nil), errs.NotFound, "media_not_found")
}

// Media of a reply that waits for approval stay until the reply is approved. A refusal takes them from nothing else:
// neither from a draft nor from another reply that waits.
func TestHeldMedia(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	testenv.Must(t, e.Users.UpdateUser(ctx, "ann", model.UserPatch{HoldReplies: new(model.HoldStrangers)}))
	e.CoolDown()
	root := e.Tweet(t, "ann", "root")
	held := func(id model.MediaID) string {
		t.Helper()
		p, err := e.Tweets.CreateTweet(ctx, "bob", model.Draft{Content: "x", ReplyTo: &root.ID, Media: []model.MediaID{id}},
			model.Request{})
		testenv.Must(t, err)
		if doc := e.record(t, id); doc["tweetId"] != nil {
			t.Errorf("a held reply takes its media: %v", doc)
		}
		return p.Held.ID
	}
	approved, refused, kept := e.ready(t, "bob", model.MediaTweet, "alt"), e.ready(t, "bob", model.MediaTweet, ""),
		e.ready(t, "bob", model.MediaTweet, "")
	first, second, third := held(approved), held(refused), held(kept)
	twin := held(refused)
	until := e.record(t, refused)["expireAt"]
	_, err := e.Drafts.Save(ctx, "bob", model.SavedDraft{Draft: model.Draft{Media: []model.MediaID{kept}}},
		model.Request{})
	testenv.Must(t, err)
	later := e.record(t, kept)["expireAt"]
	e.Clock.Add(model.HeldReplyWindow - time.Minute)
	old := e.ready(t, "bob", model.MediaTweet, "")
	_, err = e.Raw.Doc("media/"+string(old)).Update(ctx, []firestore.Update{{Path: "createdAt",
		Value: e.Clock.Now().Add(-model.MaxSchedule - model.DraftMediaWindow + model.HeldReplyWindow)}})
	testenv.Must(t, err)
	_, err = e.Tweets.CreateTweet(ctx, "bob", model.Draft{Content: "x", ReplyTo: &root.ID, Media: []model.MediaID{old}},
		model.Request{})
	storetest.WantErr(t, err, errs.Invalid, "media_too_old")
	tweet, err := e.HeldReplies.Approve(ctx, "ann", first)
	testenv.Must(t, err)
	if len(tweet.Media) != 1 || tweet.Media[0].ID != approved || tweet.Media[0].Alt != "alt" {
		t.Errorf("the reply has %+v", tweet.Media)
	}
	for _, id := range []string{second, third} {
		testenv.Must(t, e.HeldReplies.Remove(ctx, "ann", id))
	}
	if got := e.record(t, refused)["expireAt"]; got != until {
		t.Errorf("the picture of a refused reply expires at %v, want %v", got, until)
	}
	_, err = e.HeldReplies.Approve(ctx, "ann", twin)
	testenv.Must(t, err)
	if got := e.record(t, kept)["expireAt"]; got != later {
		t.Errorf("the picture of a draft expires at %v, want %v", got, later)
	}
	coming, _ := e.announce(t, "bob", model.MediaTweet, "", 100)
	_, err = e.Tweets.CreateTweet(ctx, "bob", model.Draft{ReplyTo: &root.ID, Media: []model.MediaID{coming}},
		model.Request{})
	storetest.WantErr(t, err, errs.Conflict, "media_processing")
}
