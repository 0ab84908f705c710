package messages_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// A message has all of the description of a picture, since no other page shows the rest.
func TestLongDescription(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "1", "bob")
	picture, alt := model.NewMediaID(), strings.Repeat("é", model.MaxAlt)
	_, err := e.Raw.Doc("media/"+string(picture)).Create(t.Context(), model.Media{OwnerID: "ann", Kind: model.MediaTweet,
		State: model.MediaReady, Type: model.MediaImage, Width: 1, Height: 1, Alt: alt})
	testenv.Must(t, err)
	_, err = e.Messages.Send(t.Context(), "ann", id, model.NewMessage{Media: []model.MediaID{picture}}, model.Request{})
	testenv.Must(t, err)
	page, err := e.Messages.Messages(t.Context(), "bob", id, "")
	testenv.Must(t, err)
	shown := page.Messages[0].Media[0]
	want(t, "the description", shown.Alt, alt)
	want(t, "whether it is cut", shown.AltCut, false)
}

// A moderator deletes the picture of a message that a member has reported, and no other picture of a message.
func TestReportedPicture(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "1", "bob")
	pictures, sent := []model.MediaID{model.NewMediaID(), model.NewMediaID()}, []model.MessageID{}
	for _, picture := range pictures {
		_, err := e.Raw.Doc("media/"+string(picture)).Create(t.Context(), model.Media{OwnerID: "ann", Kind: model.MediaTweet,
			State: model.MediaReady, Type: model.MediaImage, Width: 1, Height: 1})
		testenv.Must(t, err)
		_, err = e.Messages.Send(t.Context(), "ann", id, model.NewMessage{Media: []model.MediaID{picture}}, model.Request{})
		testenv.Must(t, err)
		var m model.Media
		snap, err := e.Raw.Doc("media/" + string(picture)).Get(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&m))
		sent = append(sent, m.MessageID)
	}
	testenv.Must(t, e.Moderation.Report(t.Context(), "bob", moderation.NewReport{ConversationID: id, MessageID: sent[0],
		Reason: "spam"}))
	mo := moderation.Actor{UID: "mo", Role: model.RoleModerator, Reason: "spam"}
	testenv.Must(t, storetest.Costs(t, "a deletion", 4, 1, 1, func(ctx context.Context) error {
		return e.Moderation.DeleteMedia(ctx, mo, pictures[0])
	}))
	storetest.WantErr(t, e.Moderation.DeleteMedia(t.Context(), mo, pictures[1]), errs.Conflict, "media_in_use")
	want(t, "the pictures", e.IDs(t, model.MediaRecords), []string{string(pictures[1])})
	acts, err := e.Moderation.Actions(t.Context(), moderation.ActionFilter{UserID: "ann"}, model.Cursor{}, 10)
	testenv.Must(t, err)
	want(t, "the number of acts", len(acts.Items), 1)
}
