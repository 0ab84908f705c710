package messages_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/messages"
	"github.com/hibana-sns/hibana/store/verify"
)

// index does what the function does with all parts.
func index(t *testing.T, e *storetest.Env) {
	t.Helper()
	for _, key := range e.IDs(t, model.ConversationMonths) {
		testenv.Must(t, e.Messages.Index(t.Context(), model.PartKey(key)))
	}
}

func search(t *testing.T, e *storetest.Env, uid model.UserID, typed string, in model.ConversationID) []string {
	t.Helper()
	page, err := e.Messages.Search(t.Context(), uid, typed, in, model.Cursor{})
	testenv.Must(t, err)
	found := []string{}
	for _, hit := range page.Items {
		found = append(found, hit.Text)
	}
	return found
}

// A search finds words in the conversations of a user alone, and nothing that the user does not see.
func TestSearch(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob", "cat")
	pair := begin(t, e, "ann", "red sparks", "bob")
	e.CoolDown()
	group := begin(t, e, "cat", "blue sparks", "ann", "bob")
	begin(t, e, "ann", "sparks for cat alone", "cat")
	hidden := send(t, e.Store, "bob", group, "hidden sparks")
	taken := send(t, e.Store, "bob", group, "wrong sparks")
	index(t, e)
	testenv.Must(t, e.Messages.TakeBack(t.Context(), "bob", group, taken))
	testenv.Must(t, e.Messages.Hide(t.Context(), "ann", group, hidden))
	want(t, "of bob", search(t, e, "bob", "sparks", ""), []string{"hidden sparks", "blue sparks", "red sparks"})
	want(t, "of ann", search(t, e, "ann", "sparks", group), []string{"blue sparks"})
	want(t, "two words", search(t, e, "bob", "sparks red", ""), []string{"red sparks"})
	want(t, "a phrase", search(t, e, "bob", `"red sparks" -blue`, pair), []string{"red sparks"})
	_, err := e.Messages.Search(t.Context(), "cat", "sparks", pair, model.Cursor{})
	storetest.WantErr(t, err, errs.NotFound, "conversation_not_found")
	testenv.Must(t, e.Messages.Leave(t.Context(), "bob", group))
	want(t, "after the leave", search(t, e, "bob", "sparks", ""), []string{"red sparks"})
	testenv.Must(t, storetest.Costs(t, "a search", 4, 0, 0, func(ctx context.Context) error {
		_, err := e.Messages.Search(ctx, "bob", "red", pair, model.Cursor{})
		return err
	}))
}

// A message is taken back while an older event of its part is handled, and a part goes then: the words of the older
// version do not stay.
func TestIndexAgain(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "a secret", "bob")
	part := model.NewPartKey(id, "2026-11", 0)
	message := model.NewMessageID(part, 1)
	others := e.Again(t, store.Options{})
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("messageTerms/"+
		string(part)), func() {
		testenv.Must(t, others.Messages.TakeBack(t.Context(), "ann", id, message))
		testenv.Must(t, others.Messages.Index(t.Context(), part))
	})}})
	testenv.Must(t, slow.Messages.Index(t.Context(), part))
	want(t, "the words", e.IDs(t, model.MessageTermLists), []string{})
	testenv.Must(t, storetest.Costs(t, "a part", 2, 0, 1, func(ctx context.Context) error {
		return e.Messages.Index(ctx, part)
	}))
}

// Devices of present members get a message, unless they muted the conversation or hide the author, or have not
// consented. A message that was taken back rings nowhere.
func TestPush(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var sent []string
	note := func(_ context.Context, uid model.UserID, _ model.Device, m model.DeviceMessage) (bool, error) {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, string(uid)+" "+m.Nickname+" "+m.ID)
		return false, nil
	}
	e := storetest.Open(t, store.Options{SendToDevice: note})
	friends(t, e, "ann", "bob", "muted", "mutes", "blocks", "left")
	e.CreateUsers(t, "asked")
	for _, uid := range []model.UserID{"ann", "bob", "muted", "mutes", "blocks", "left", "asked"} {
		testenv.Must(t, e.Devices.Put(t.Context(), uid, "phone", model.Device{FCMToken: "token-" + string(uid)}))
	}
	id := begin(t, e, "ann", "hello", "bob", "muted", "mutes", "blocks", "left", "asked")
	until := e.Clock.Now().Add(time.Hour)
	testenv.Must(t, e.Messages.Change(t.Context(), "muted", id, muting(until)))
	testenv.Must(t, e.Graph.Mute(t.Context(), model.MutedUser{UserID: "mutes", MutedID: "ann", Part: model.MuteAll}, 0))
	testenv.Must(t, e.Graph.Block(t.Context(), "blocks", "ann"))
	testenv.Must(t, e.Messages.Leave(t.Context(), "left", id))
	part := model.NewPartKey(id, "2026-11", 0)
	push := func(numbers ...string) []string {
		t.Helper()
		sent = []string{}
		testenv.Must(t, e.Messages.Push(t.Context(), part, numbers))
		return sent
	}
	ann := e.Doc(t, "users/ann")["nickname"].(string)
	want(t, "the pushes", push("1"), []string{"bob " + ann + " message_" + string(id)})
	testenv.Must(t, storetest.Costs(t, "a push", 2+3+3, 0, 0, func(ctx context.Context) error {
		return e.Messages.Push(ctx, part, []string{"1"})
	}))
	e.Clock.Add(2 * time.Hour)
	want(t, "pushes of an old message", push("1"), []string{})
	message := send(t, e.Store, "ann", id, "x")
	want(t, "the pushes after a mute", len(push(message.Key())), 2)
	testenv.Must(t, e.Messages.TakeBack(t.Context(), "ann", id, message))
	want(t, "the pushes of one that was taken back", push(message.Key()), []string{})
}

// A search of messages compares by the longest word, and says what it cannot compare.
func TestSearchFilters(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "a firework", "bob")
	index(t, e)
	for _, typed := range []string{"a from:ann", "a since:2026-01-01", "a until:2026-01-01", "#a", "a is:reply"} {
		_, err := e.Messages.Search(t.Context(), "bob", typed, id, model.Cursor{})
		storetest.WantErr(t, err, errs.Invalid, "invalid_query")
	}
	want(t, "pictures", search(t, e, "bob", "a has:media", id), []string{})
	for range 3 {
		_, err := e.Raw.Doc("messageTerms/"+string(model.NewPartKey(id, "2026-10", 1))).Set(t.Context(), model.MessageTerms{
			ConversationID: id, Terms: []string{"=a"}})
		testenv.Must(t, err)
	}
	testenv.Must(t, storetest.Costs(t, "a frequent word beside a rare one", 4, 0, 0, func(ctx context.Context) error {
		_, err := e.Messages.Search(ctx, "bob", "a firework", id, model.Cursor{})
		return err
	}))
}

// A search reads messages as they are shown, as plain text and not as Markdown, and finds pictures without a text.
func TestSearchPlain(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	plain := []string{"5*3*2 apples", "[menu](https://secret.example/path)", "![cat](https://x.example/a.png)"}
	id := begin(t, e, "ann", plain[0], "bob")
	send(t, e.Store, "ann", id, plain[1])
	send(t, e.Store, "ann", id, plain[2])
	picture := model.NewMediaID()
	_, err := e.Raw.Doc("media/"+string(picture)).Create(t.Context(), model.Media{OwnerID: "ann", Kind: model.MediaTweet,
		State: model.MediaReady, Type: model.MediaImage, Width: 1, Height: 1})
	testenv.Must(t, err)
	_, err = e.Messages.Send(t.Context(), "ann", id, model.NewMessage{Media: []model.MediaID{picture}}, model.Request{})
	testenv.Must(t, err)
	index(t, e)
	for typed, text := range map[string]string{"3 apples": plain[0], `"5*3*2"`: plain[0], "menu": plain[1],
		"secret.example path": plain[1], "cat a.png": plain[2], "has:media": ""} {
		want(t, typed, search(t, e, "bob", typed, id), []string{text})
	}
	want(t, "a number that nobody wrote", search(t, e, "bob", "532", id), []string{})
}

// A picture alone is in the index of its part, and goes from it with the picture.
func TestLonePicture(t *testing.T) {
	t.Parallel()
	picture := []model.TweetMedia{{ID: "m", Type: model.MediaImage}}
	p := &model.MessagePart{FirstSeq: 1, Messages: map[string]*model.Message{"1": {AuthorID: "ann", Media: picture}}}
	want(t, "with it", messages.TermsOf(p).Terms, []string{"has:media"})
	p.Messages["1"] = p.Messages["1"].Taken()
	if got := messages.TermsOf(p); got != nil {
		t.Errorf("the words after it was taken back are %v", got.Terms)
	}
}

// A part whose words stay while messages of it change otherwise is written once.
func TestIndexOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "x", "bob")
	part := model.NewPartKey(id, "2026-11", 0)
	busy := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("messageTerms/"+
		string(part)), func() {
		testenv.Must(t, e.Messages.React(t.Context(), "bob", id, model.NewMessageID(part, 1), "👍"))
	})}})
	testenv.Must(t, storetest.Costs(t, "a busy part", 2, 1, 0, func(ctx context.Context) error {
		return busy.Messages.Index(ctx, part)
	}))
}

// A mute until a time that the database does not store exactly can be repeated.
func TestMuteLost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "x", "bob")
	lossy, losses := e.Lossy(t, 1)
	until := time.Date(2026, 12, 1, 12, 0, 0, 123_456_789, time.FixedZone("JST", 9*3600))
	testenv.Must(t, lossy.Messages.Change(t.Context(), "bob", id, muting(until)))
	if losses.Count() == 0 {
		t.Error("no answer was lost")
	}
}

// A verification finds words that differ from the messages, and writes them anew.
func TestVerifyTerms(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "a word", "bob")
	index(t, e)
	key := string(model.NewPartKey(id, "2026-11", 0))
	differ := func(o verify.Options) []string {
		t.Helper()
		found, err := e.Audit.All(t.Context(), o)
		testenv.Must(t, err)
		paths := []string{}
		for _, d := range found {
			if d.Kind == model.MessageTermLists {
				paths = append(paths, d.Document)
			}
		}
		return paths
	}
	want(t, "differences", differ(verify.Options{}), []string{})
	stray := "messageTerms/" + string(model.PairID("x", "y")) + "_2026-01"
	_, err := e.Raw.Doc("messageTerms/"+key).Update(t.Context(),
		[]firestore.Update{{Path: "terms", Value: []string{"=other"}}})
	testenv.Must(t, err)
	_, err = e.Raw.Doc(stray).Set(t.Context(), model.MessageTerms{ConversationID: "x", Terms: []string{"=secret"}})
	testenv.Must(t, err)
	found := differ(verify.Options{Repair: true, Wait: func(context.Context) error { return nil }})
	want(t, "the number of differences", len(found), 2)
	want(t, "after the repair", differ(verify.Options{}), []string{})
	want(t, "the words", search(t, e, "bob", "word", id), []string{"a word"})
}
