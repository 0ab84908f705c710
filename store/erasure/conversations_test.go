package erasure_test

import (
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// exported are the conversations in an export of zoe.
func exported(t *testing.T, e *storetest.Env) []map[string]any {
	t.Helper()
	_, err := e.Exports.Ask(t.Context(), zoe)
	testenv.Must(t, err)
	exportsSteps(t, e, e.Store, zoe, nil)
	w, err := e.Exports.Current(t.Context(), zoe)
	testenv.Must(t, err)
	items, _ := download(t, e.Store, w)
	return items["conversations"]
}

// An export has what others wrote and chose in a conversation in which the user is, and of one that the user has left
// what the user wrote and chose.
func TestExportOfLeft(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{ExportBucket: t.TempDir()})
	e.CreateUsers(t, zoe, "ann", "bob")
	begun, err := e.Messages.Begin(t.Context(), zoe, model.NewConversation{Others: []model.UserID{"ann", "bob"},
		NewMessage: model.NewMessage{Text: "of zoe"}}, model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, e.Messages.Accept(t.Context(), "ann", begun.ID))
	testenv.Must(t, e.Messages.React(t.Context(), zoe, begun.ID, begun.Last.ID, "🔥"))
	testenv.Must(t, e.Messages.React(t.Context(), "ann", begun.ID, begun.Last.ID, "👍"))
	want := func(what, reactions string) {
		t.Helper()
		all := exported(t, e)
		if len(all) != 1 {
			t.Fatalf("%s the export has %v", what, all)
		}
		m := all[0]["messages"].([]any)[0].(map[string]any)
		if got := fmt.Sprint(m["text"], m["reactions"]); got != "of zoe"+reactions {
			t.Errorf("%s the export has %s, want the reactions %s", what, got, reactions)
		}
	}
	want("before the leave", "map[ann:👍 zo_e:🔥]")
	testenv.Must(t, e.Messages.Leave(t.Context(), zoe, begun.ID))
	e.Clock.Add(25 * time.Hour)
	want("after the leave", "map[zo_e:🔥]")
}

// A conversation of many parts is being removed during an export: it has nothing any more, and the export goes on.
func TestExportOfRemoved(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{ExportBucket: t.TempDir()})
	e.CreateUsers(t, zoe, "ann")
	begun, err := e.Messages.Begin(t.Context(), zoe, model.NewConversation{Others: []model.UserID{"ann"},
		NewMessage: model.NewMessage{Text: "x"}}, model.Request{})
	testenv.Must(t, err)
	_, err = e.Raw.Doc("conversations/"+string(begun.ID)).Update(t.Context(),
		[]firestore.Update{{Path: "part", Value: ""}})
	testenv.Must(t, err)
	if all := exported(t, e); len(all) > 0 {
		t.Errorf("the export has %v", all)
	}
}
