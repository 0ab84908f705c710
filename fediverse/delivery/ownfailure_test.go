package delivery_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/sealed"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A failure of this installation, as of the key that opens keys, counts against no other server: what waits goes out
// when it is over.
func TestOwnFailure(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	in.Answer(http.StatusServiceUnavailable)
	testenv.Must(t, e.Send(t.Context(), "ann", act("ann", "retried"), []string{in.URL + "/i"}))
	e.step()
	options := far.Options(t, own)
	box, err := sealed.New(t.Context(), sealed.Options{Secret: []byte(strings.Repeat("x", 32))})
	testenv.Must(t, err)
	options.Box = box
	broken := out(e.Again(t, store.Options{Federation: options, Now: e.Clock.Now}))
	for i := range model.CircuitFailures {
		id := fmt.Sprint(i)
		testenv.Must(t, e.Send(t.Context(), "ann", act("ann", id), []string{in.URL + "/i"}))
		snap, err := e.Raw.Collection(model.Outgoings).Doc(model.OutgoingID(own + "/" + id)).Get(t.Context())
		testenv.Must(t, err)
		o := &model.Outgoing{ID: snap.Ref.ID}
		testenv.Must(t, snap.DataTo(o))
		o.WrittenAt = snap.UpdateTime
		if err := broken.SendNext(t.Context(), o); err == nil {
			t.Error("a step succeeded without a key")
		}
	}
	e.Clock.Add(2 * time.Minute)
	if _, err := broken.SendDue(t.Context(), func() bool { return false }); err == nil {
		t.Error("an attempt succeeded without a key")
	}
	host := e.Doc(t, "apCircuits/"+model.HostOf(in.URL))
	if left := e.deliveries(); host["failures"] != int64(1) || len(left) != 1 || left[0].Attempts != 1 {
		t.Errorf("the server is %v, and deliveries are %+v", host, left)
	}
	in.Answer(0)
	e.step()
	e.Clock.Add(5 * time.Minute)
	if n := e.tick(); n != 1 || len(in.Take()) != model.CircuitFailures+1 {
		t.Errorf("%d of 1 arrived at last", n)
	}
}
