package users_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Sign-ins at once, and one whose answer is lost, are each on the list once.
func TestAddSignIn(t *testing.T) {
	t.Parallel()
	losses := storetest.LoseAnswers(1, 1)
	e := storetest.Open(t, store.Options{})
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	at := func(second int64) model.SignIn { return model.SignIn{At: time.Unix(second, 0), Provider: "password"} }
	testenv.Must(t, lossy.Users.AddSignIn(t.Context(), "ann", at(1)))
	if losses.Count() == 0 {
		t.Error("no answer was lost")
	}
	var all sync.WaitGroup
	for second := range int64(4) {
		all.Go(func() {
			if err := e.Users.AddSignIn(t.Context(), "ann", at(second)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	testenv.Must(t, storetest.Costs(t, "SignIns", 1, 0, 0, func(ctx context.Context) error {
		is, err := e.Users.SignIns(ctx, "ann")
		if len(is.SignIns) != 4 || is.SignIns[0].At.Unix() != 0 || is.SignIns[3].At.Unix() != 3 {
			t.Errorf("the sign-ins are %+v", is.SignIns)
		}
		return err
	}))
}
