package wiring_test

import (
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/fediverse/wiring"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// A server that did not hear that a follow was accepted asks once more, and hears it once more.
func TestAcceptedAgain(t *testing.T) {
	t.Parallel()
	cfg := config.Service{PublicURL: "http://hibana.test", Federation: "on", AllowLoopbackLinks: true}
	e := storetest.Open(t, store.Options{Federation: far.Options(t, cfg.PublicURL)})
	e.CreateUsers(t, "ann")
	iri := "https://far.example/bob"
	bob, err := e.Users.PutRemote(t.Context(), model.RemotePerson{User: model.User{ID: model.RemoteUserID(iri),
		Username: "bob@far.example", Nickname: "bob", Remote: &model.RemoteUser{IRI: iri, URL: iri, Inbox: iri + "/inbox",
			FetchedAt: e.Clock.Now(), StaleAt: e.Clock.Now().Add(time.Hour)}}})
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Follow(t.Context(), bob.ID, "ann"))
	in := wiring.Inbox(cfg, e.Store, slog.New(slog.DiscardHandler))
	text := `{"type": "Follow", "actor": "https://far.example/bob", "id": "https://far.example/again",
		"object": "http://hibana.test/users/ann"}`
	o, err := inbox.Read([]byte(text))
	testenv.Must(t, err)
	testenv.Must(t, in.Receive(t.Context(), o, []byte(text), time.Now()))
	for _, id := range e.IDs(t, model.IncomingActivities) {
		is, err := e.Federation.Incoming(t.Context(), id)
		testenv.Must(t, err)
		testenv.Must(t, in.Handle(t.Context(), is))
	}
	ids := e.IDs(t, model.Outgoings)
	if len(ids) != 1 {
		t.Fatalf("%d activities go out, want 1", len(ids))
	}
	var body struct {
		Type   string
		Object struct{ ID string }
	}
	testenv.Must(t, json.Unmarshal(e.Doc(t, "outgoing/"+ids[0])["body"].([]byte), &body))
	if body.Type != "Accept" || body.Object.ID != "https://far.example/again" {
		t.Errorf("what goes out is %+v", body)
	}
}
