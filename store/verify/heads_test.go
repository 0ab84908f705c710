package verify_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A head with more than its limit is found, and a repair makes it end where it should.
func TestLongHead(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann")
	var all []*model.Tweet
	for range model.HeadItems + 2 {
		e.Clock.Add(time.Minute)
		all = append(all, e.Publish(t, "ann", "a spark"))
	}
	if got := differences(t, e, "ann", model.Heads); len(got) > 0 {
		t.Fatalf("before, the head differs: %v", got)
	}
	w := &writer{t, ctx, e.Raw}
	for name, plant := range map[string]func() []found{
		"a head from too long ago": func() []found {
			w.set("heads/ann", firestore.FieldPath{"since"}, all[1].ID.Time())
			w.merge("heads/ann", "tweets", string(all[1].ID), all[1].Preview())
			return []found{{"heads/ann", "tweets." + string(all[1].ID), "card", nil, true}}
		},
		"a head of everything": func() []found {
			w.set("heads/ann", firestore.FieldPath{"whole"}, true)
			w.merge("heads/ann", "tweets", string(all[0].ID), all[0].Preview())
			w.merge("heads/ann", "tweets", string(all[1].ID), all[1].Preview())
			return []found{{"heads/ann", "whole", "true", "false", true},
				{"heads/ann", "tweets." + string(all[1].ID), "card", nil, true},
				{"heads/ann", "tweets." + string(all[0].ID), "card", nil, true}}
		},
	} {
		want := plant()
		ds, err := e.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
		testenv.Must(t, err)
		var got []found
		for _, d := range ds {
			if d.Kind == model.Heads {
				got = append(got, bare([]verify.Difference{d})...)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if left := differences(t, e, "ann", model.Heads); len(left) > 0 {
			t.Errorf("%s, after a repair: %v", name, left)
		}
	}
}
