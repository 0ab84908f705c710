package ops_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var day = time.Date(2026, time.November, 15, 0, 0, 0, 0, time.UTC)

// Each process writes its own numbers, and reads those of the others.
func TestShare(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	one, two := e.Store.Budgets, e.Again(t, store.Options{}).Budgets
	share := func(what string, s interface {
		Share(context.Context, string, time.Time, map[string]int64) (map[string]int64, error)
	}, day time.Time, used, want map[string]int64) {
		t.Helper()
		var got map[string]int64
		testenv.Must(t, storetest.Costs(t, what, 1, 1, 0, func(ctx context.Context) (err error) {
			got, err = s.Share(ctx, "ann_/", day, used)
			return err
		}))
		if !maps.Equal(got, want) {
			t.Errorf("%s: the others used %v, want %v", what, got, want)
		}
	}
	share("the first", one, day, map[string]int64{"reads": 100, "posts": 3}, map[string]int64{})
	share("the second", two, day, map[string]int64{"reads": 30}, map[string]int64{"reads": 100, "posts": 3})
	share("the first again", one, day, map[string]int64{"reads": 150, "posts": 3}, map[string]int64{"reads": 30})
	share("repeated", one, day, map[string]int64{"reads": 150, "posts": 3}, map[string]int64{"reads": 30})
	share("what the first wrote last", two, day, map[string]int64{"reads": 30}, map[string]int64{"reads": 150, "posts": 3})
	share("the next day", two, day.AddDate(0, 0, 1), map[string]int64{"reads": 30}, map[string]int64{})
	doc := e.Doc(t, "budgets/ann%5F%2F_2026-11-15")
	if at, _ := doc["expireAt"].(time.Time); !at.Equal(day.Add(48 * time.Hour)) {
		t.Errorf("the budget is %v, want it to expire on the 17th", doc)
	}
}

// After too many processes a document grows no more, and is still read.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	uid := strings.Repeat("u", 128)
	used := map[string]map[string]int64{}
	all, err := limits.Parse("")
	testenv.Must(t, err)
	for i := range model.BudgetProcesses {
		used[fmt.Sprintf("process%03d", i)] = map[string]int64{}
		for _, l := range all {
			used[fmt.Sprintf("process%03d", i)][l.What] = 1
		}
	}
	path := model.Budgets + "/" + model.BudgetKey(model.UserID(uid), day)
	_, err = e.Raw.Doc(path).Set(t.Context(), model.Budget{Used: used, ExpireAt: day})
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "one process too many", 1, 0, 0, func(ctx context.Context) error {
		others, err := e.Budgets.Share(ctx, uid, day, map[string]int64{"reads": 5})
		testenv.Must(t, err)
		if others["reads"] != model.BudgetProcesses {
			t.Errorf("the others used %v", others)
		}
		return nil
	}))

	// The last one that has a place goes on writing what it counts.
	delete(used, "process000")
	_, err = e.Raw.Doc(path).Set(t.Context(), model.Budget{Used: used, ExpireAt: day})
	testenv.Must(t, err)
	for _, reads := range []int64{6, 7} {
		testenv.Must(t, storetest.Costs(t, "the last process", 1, 1, 0, func(ctx context.Context) error {
			_, err := e.Budgets.Share(ctx, uid, day, map[string]int64{"reads": reads})
			return err
		}))
		others, err := e.Again(t, store.Options{}).Budgets.Share(t.Context(), uid, day, map[string]int64{"reads": 1})
		testenv.Must(t, err)
		if want := model.BudgetProcesses - 1 + reads; others["reads"] != want {
			t.Errorf("all used %d, want %d", others["reads"], want)
		}
	}
}

// patient lets no question to a ledger take too long for a request, as one may on a slow machine.
type patient struct{ limits.Ledger }

func (p patient) Share(ctx context.Context, account string, day time.Time, used map[string]int64) (map[string]int64,
	error) {
	return p.Ledger.Share(context.WithoutCancel(ctx), account, day, used)
}

// Two processes over one database: an account that goes to both may use little more than
// its budget, and an ordinary day writes nothing.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	all, err := limits.Parse("reads=off,reads=2000/day,requests=off,parallel=off,posts=100/day")
	testenv.Must(t, err)
	processes := []*limits.Limiter{
		limits.New(limits.Options{Limits: all, Ledger: patient{e.Budgets}, Now: e.Clock.Now}),
		limits.New(limits.Options{Limits: all, Ledger: patient{e.Again(t, store.Options{}).Budgets}, Now: e.Clock.Now}),
	}
	request := func(process int, who, action string, reads int64) bool {
		hold, refused := processes[process].Admit(t.Context(), limits.Account, who, action)
		if refused != nil {
			return false
		}
		hold.Charge(reads, 0)
		hold.Done(false)
		return true
	}
	for i := range 18 { // an ordinary day: less than a tenth in each process
		request(i%2, "ben", "", 20)
	}
	if ids := e.IDs(t, model.Budgets); len(ids) != 0 {
		t.Errorf("an ordinary day wrote %v", ids)
	}
	var reads, posts int64
	for i := range 400 {
		if request(i%2, "ann", "posts", 20) {
			reads, posts = reads+20, posts+1
		}
		e.Clock.Add(3 * time.Second)
	}
	// 100 posts, a hundredth more for each process, and what was under way.
	if posts < 100 || posts > 104 || reads != posts*20 {
		t.Errorf("both processes admitted %d posts and %d reads, want 100 posts", posts, reads)
	}
	for i := range 400 {
		if request(i%2, "ann", "", 20) {
			reads += 20
		}
		e.Clock.Add(3 * time.Second)
	}
	// In 2 s a process may use more before it looks again.
	if bound := int64(2000 + 2*(2000/100+20)); reads < 2000 || reads > bound {
		t.Errorf("both processes admitted %d reads, want 2,000 to %d", reads, bound)
	}
	if ids := e.IDs(t, model.Budgets); len(ids) != 1 {
		t.Errorf("there are budgets of %v", ids)
	}
	// A process that begins anew learns of it all once a tenth is used again.
	fresh := limits.New(limits.Options{Limits: all, Ledger: patient{e.Again(t, store.Options{}).Budgets},
		Now: e.Clock.Now})
	again := 0
	for range 100 {
		hold, refused := fresh.Admit(t.Context(), limits.Account, "ann", "")
		if refused == nil {
			again++
			hold.Charge(20, 0)
			hold.Done(false)
		}
	}
	if again != 10 {
		t.Errorf("a third process admitted %d requests of 20 reads, want those of a tenth", again)
	}
}

// Without its ledger a process goes on alone.
func TestLedgerDown(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	gone := e.Again(t, store.Options{})
	testenv.Must(t, gone.Close())
	all, err := limits.Parse("posts=10/day")
	testenv.Must(t, err)
	l := limits.New(limits.Options{Limits: all, Ledger: gone.Budgets, Now: e.Clock.Now})
	admitted := 0
	for range 20 {
		if hold, refused := l.Admit(t.Context(), limits.Account, "ann", "posts"); refused == nil {
			admitted++
			hold.Done(false)
		}
	}
	if admitted != 10 {
		t.Errorf("admitted %d posts, want 10", admitted)
	}
}
