package inbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// Who moved moves again after a week at the earliest: followers are not sent to and fro.
func TestMoveAgain(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	other := f.Actor("other", map[string]any{"alsoKnownAs": []any{bob}})
	uid := model.RemoteUserID(bob)
	_, err := e.of.Person(t.Context(), bob)
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", uid))
	testenv.Must(t, e.Requests.Accept(t.Context(), uid, "ann"))
	moves := func(n int) bool {
		t.Helper()
		e.gets(t, say("Move", bob, fmt.Sprint(f.URL, "/move/", n), bob, map[string]any{"target": other}))
		work := e.Raw.Doc(model.RemoteMoves + "/" + string(uid))
		asked := e.Doc(t, model.RemoteMoves+"/"+string(uid)) != nil
		_, err := work.Delete(t.Context())
		testenv.Must(t, err)
		return asked
	}
	if !moves(1) {
		t.Error("the first move is refused")
	}
	e.Clock.Add(model.MoveWindow - time.Hour)
	if moves(2) {
		t.Error("the second move is within a week")
	}
	e.Clock.Add(2 * time.Hour)
	if !moves(3) {
		t.Error("a move after a week is refused")
	}
}
