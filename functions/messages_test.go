package functions_test

import (
	"fmt"
	"testing"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A search finds a picture without a text as soon as its message is sent, and no more after it was taken back.
func TestPictureIsFound(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{})
	ctx, raw := t.Context(), testenv.Client(t, s.Project)
	for _, uid := range []model.UserID{"ann", "bob"} {
		_, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	testenv.Must(t, s.Store.Graph.Follow(ctx, "bob", "ann"))
	begun, err := s.Store.Messages.Begin(ctx, "ann", model.NewConversation{Others: []model.UserID{"bob"},
		NewMessage: model.NewMessage{Text: "hello"}}, model.Request{})
	testenv.Must(t, err)
	picture := model.NewMediaID()
	_, err = raw.Doc("media/"+string(picture)).Create(ctx, model.Media{OwnerID: "ann", Kind: model.MediaTweet,
		State: model.MediaReady, Type: model.MediaImage, Width: 1, Height: 1})
	testenv.Must(t, err)
	sent, err := s.Store.Messages.Send(ctx, "ann", begun.ID, model.NewMessage{Media: []model.MediaID{picture}},
		model.Request{})
	testenv.Must(t, err)
	want := func(what, terms string) {
		t.Helper()
		stacktest.Idle(t, s)
		snap, err := raw.Doc("messageTerms/" + string(begun.Part)).Get(ctx)
		testenv.Must(t, err)
		if got := fmt.Sprint(snap.Data()["terms"]); got != terms {
			t.Errorf("%s: the words are %s, want %s", what, got, terms)
		}
	}
	want("sent", "[=hello has:media]")
	testenv.Must(t, s.Store.Messages.TakeBack(ctx, "ann", begun.ID, sent.ID))
	want("taken back", "[=hello]")
}
