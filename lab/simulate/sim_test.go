package simulate

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// simulated plays a small network.
func simulated(t *testing.T, s Setup) map[string]LayoutCost {
	t.Helper()
	m, err := Simulate(t.Context(), s)
	testenv.Must(t, err)
	all := map[string]LayoutCost{}
	for _, l := range m.Layouts {
		all[l.Layout] = l
	}
	return all
}

func TestSimulate(t *testing.T) {
	t.Parallel()
	s := Setup{Users: 1_000, Followed: 12, Instances: 2, Seed: 1, Today: true}
	all := simulated(t, s)
	if diff := cmp.Diff(all, simulated(t, s)); diff != "" {
		t.Errorf("the same seed gives another result:\n%s", diff)
	}
	push, pull, carried := all[PushDigests], all[Pull], all[PullCarried]
	// 4 items of 12 authors, 3 writes for each 75 of these, and 2 for the visit
	if got, want := push.Reader.Writes, 48*(1+3.0/75)+2; !near(got, want, 0.05) {
		t.Errorf("push: a reader's day has %.2f writes, want about %.2f", got, want)
	}
	if got := pull.Author; !near(got.Reads, 4, 0.01) || !near(got.Writes, 8, 0.01) {
		t.Errorf("pull: an author's day is %+v, want 4 reads and 8 writes", got)
	}
	if pull.Reader.Writes != 0 || pull.Page.Again != 1 || push.Page.Again != 3 || push.Page.Cold != 3+page {
		t.Errorf("push %+v, pull %+v", push, pull)
	}
	if cold := pull.Page.Cold; cold < 2+page || cold > 2+2*page {
		t.Errorf("pull: a cold page has %.1f reads, want 20 tweets, up to 20 heads, and 2", cold)
	}
	if carried.Page.Mean >= pull.Page.Mean || pull.Page.Mean >= push.Page.Mean ||
		push.Page.Mean >= all[PushToday].Page.Mean {
		t.Errorf("reads of a page: %.1f %.1f %.1f %.1f, want more in this order", carried.Page.Mean, pull.Page.Mean,
			push.Page.Mean, all[PushToday].Page.Mean)
	}
	if kept := all[PullKept]; kept.Reader.Writes < 5 || kept.Reader.Writes > pagesADay {
		t.Errorf("a kept page is written %.1f times a day, want nearly as often as it is looked at", kept.Reader.Writes)
	}

	s.Affinity = true
	if stays := simulated(t, s); stays[PullCarried].Page.Mean >= carried.Page.Mean {
		t.Errorf("with affinity a page has %.2f reads, want less than %.2f", stays[PullCarried].Page.Mean, carried.Page.Mean)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Simulate(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("Simulate with a canceled context: %v", err)
	}
}

// Fewer heads in memory than readers need cost more reads, and never more than the page has authors.
func TestFewHeads(t *testing.T) {
	t.Parallel()
	all := simulated(t, Setup{Users: 3_000, Followed: 12, Instances: 1, Seed: 1})
	few, many := all[PullSmall].Page, all[Pull].Page
	if few.Heads < 2*many.Heads || few.Heads > page {
		t.Errorf("%.2f reads of heads if 1,000 fit, and %.2f if all fit", few.Heads, many.Heads)
	}
	if all[PushToday].Layout != "" {
		t.Error("today's layout is simulated, although it was left out")
	}
}
