package simulate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/lab/simulate"
	"github.com/hibana-sns/hibana/model"
)

func TestReport(t *testing.T) {
	t.Parallel()
	steps := 0
	r, err := simulate.Run(t.Context(), simulate.Options{
		Users: []int{1_000, 100_000_000}, Followed: []int{12}, Seed: 1,
		Step: func(_ string, do func() error) error { steps++; return do() },
	})
	testenv.Must(t, err)
	if steps != 3 || len(r.Simulated) != 3 || len(r.Comparisons) != 4 {
		t.Errorf("%d steps, %d simulations, %d comparisons; want 3 of the small network, and 2 comparisons of each", steps,
			len(r.Simulated), len(r.Comparisons))
	}
	var out strings.Builder
	testenv.Must(t, r.Print(&out))
	for _, want := range []string{
		"1 k    12        4          yes       pull, digests carry all", "100 M  12        20 %", "pull, ", "times",
		"100 M  50 M", "A post is on a page after", "count of all likes", "nothing", "260 times",
		"below 10 M users these need a change of code: ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report does not have %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "%!") {
		t.Errorf("a wrong format: %s", out.String())
	}
	_, err = json.Marshal(r)
	testenv.Must(t, err)
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		o    simulate.Options
		want string
	}{
		{simulate.Options{}, "no numbers of users"},
		{simulate.Options{Users: []int{999}, Followed: []int{12}}, "at least 1000"},
		{simulate.Options{Users: []int{20_000_000_000}, Followed: []int{12}}, "at most 10000000000"},
		{simulate.Options{Users: []int{1_000}, Followed: []int{0}}, "at least 1"},
		{simulate.Options{Users: []int{1_000}, Followed: []int{model.MaxFollows + 1}},
			fmt.Sprint("at most ", model.MaxFollows)},
	} {
		if _, err := simulate.Run(t.Context(), test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Run(%+v): %v, want %q", test.o, err, test.want)
		}
	}
}
