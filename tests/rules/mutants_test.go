package rules

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// -mutants is how many mutants of firestore.rules TestMutants plants; all of them if it is 0.
var mutantsToTry = flag.Int("mutants", 12, "how many mutants of firestore.rules to plant; 0 for all")

// -mutant chooses mutants by their names.
var mutantsNamed = flag.String("mutant", "", "plant the mutants of firestore.rules whose names match this regular "+
	"expression")

// mutant is firestore.rules with one condition changed, or one part of a condition.
type mutant struct {
	name  string // stays as long as the block of the rules does: it has no number of a line
	line  int
	rules string
}

// mutants makes the mutants of the rules, by the emulator's own parse: each condition, and each
// part of one that was seen to be true or false, is negated, is always true, or is always false.
// In a conjunction, a part that is always true is as good as dropped, and in a disjunction one
// that is always false.
func (e *emulator) mutants(t *testing.T) (all []mutant) {
	t.Helper()
	type place struct{ from, to int }
	var places []place
	var walk func(x *expression)
	walk = func(x *expression) {
		if slices.ContainsFunc(x.Values, func(v value) bool { return v.Value.Bool != nil }) {
			from, to := x.Source.CurrentOffset, x.Source.EndOffset+1
			if strings.HasPrefix(e.rules[to:], "()") {
				to += len("()") // the end of a call or a list is told without what closes it
			}
			for _, pair := range []string{"[]", "()"} {
				for strings.Count(e.rules[from:to], pair[:1]) > strings.Count(e.rules[from:to], pair[1:]) {
					to++
				}
			}
			places = append(places, place{from, to})
		}
		for i := range x.Children {
			walk(&x.Children[i])
		}
	}
	report := e.coverage(t)
	for i := range report {
		walk(&report[i])
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	names := map[string]int{}
	for _, p := range slices.Compact(places) {
		text := e.rules[p.from:p.to]
		if text == "false" {
			continue // an argument, which is a mutant of nothing that is decided
		}
		for _, instead := range []string{"!(" + text + ")", "true", "false"} {
			if instead == text {
				continue
			}
			by := instead
			if strings.HasPrefix(by, "!") {
				by = "not"
			}
			name := fmt.Sprintf("%s: %s: %s", e.block(p.from), by, strings.Join(strings.Fields(text), " "))
			if names[name]++; names[name] > 1 {
				name += fmt.Sprintf(" (%d)", names[name])
			}
			all = append(all, mutant{name, 1 + strings.Count(e.rules[:p.from], "\n"), e.rules[:p.from] + instead +
				e.rules[p.to:]})
		}
	}
	return all
}

// block names what a place of the rules is in: a function, or the operations of a match.
func (e *emulator) block(at int) string {
	in, allow := "", ""
	for line := range strings.Lines(e.rules[:at]) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "function "):
			in, _, _ = strings.Cut(strings.TrimPrefix(line, "function "), "(")
			allow = ""
		case strings.HasPrefix(line, "match "):
			in, allow = strings.TrimSuffix(strings.TrimPrefix(line, "match "), " {"), ""
		case strings.HasPrefix(line, "allow "):
			allow, _, _ = strings.Cut(line, ":")
			allow = " " + strings.TrimPrefix(allow, "allow ")
		}
	}
	return in + allow
}

// survivors reads testdata/survivors.txt: the mutants that nobody can tell from the rules, by
// name, and why.
func survivors(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/survivors.txt")
	if err != nil {
		t.Fatal(err)
	}
	reasons, reason := map[string]string{}, ""
	for n, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.HasPrefix(line, "# "):
			reason = line[2:]
		case line == "":
			reason = ""
		case reason == "":
			t.Fatalf("survivors.txt:%d: no reason stands above %q", n+1, line)
		default:
			reasons[line] = reason
		}
	}
	return reasons
}

// check is something that the rules must hold to.
type check struct {
	name  string
	wrong func(over func() bool) string // empty if they do, or if over says that nobody wants to know any more
}

// TestMutants changes one condition of the rules at a time. Some line of access.txt
// must notice. Only those in survivors.txt may survive.
func TestMutants(t *testing.T) {
	testenv.Slow(t, "rules that are loaded once for each mutant")
	t.Parallel()
	e := start(t)
	lines := readAccess(t)
	e.seed(t, lines)
	var checks []check
	for _, l := range lines {
		checks = append(checks, check{l.text, func(over func() bool) string { return e.wrong(t, &l, people, over) }})
	}
	if _, wrong := firstWrong(checks); wrong != "" {
		t.Fatalf("without a mutant: %s", wrong)
	}
	all, excused := e.mutants(t), survivors(t)
	if len(all) < 100 {
		t.Fatalf("firestore.rules has %d mutants, the test needs more", len(all))
	}
	for name := range excused {
		if !slices.ContainsFunc(all, func(m mutant) bool { return m.name == name }) {
			t.Errorf("survivors.txt: there is no mutant %q", name)
		}
	}
	named, err := regexp.Compile(*mutantsNamed)
	if err != nil {
		t.Fatal(err)
	}
	some := slices.DeleteFunc(slices.Clone(all), func(m mutant) bool { return !named.MatchString(m.name) })
	if n := *mutantsToTry; n > 0 && *mutantsNamed == "" {
		some = slices.DeleteFunc(some, func(m mutant) bool { return excused[m.name] != "" })
		// Which they are follows from the rules: whoever changes these sees the test fail, and nobody
		// else. `make soak` plants all.
		hash := fnv.New64a()
		hash.Write([]byte(e.rules))
		seed := hash.Sum64()
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		some = some[:min(n, len(some))]
	}
	killed, survived, uncompiled := 0, 0, 0
	for _, m := range some {
		if status, body := e.tryLoad(t, m.rules); status == http.StatusBadRequest {
			t.Logf("%s: does not compile", m.name)
			uncompiled++
			continue
		} else if status != http.StatusOK {
			t.Fatalf("%s: status %d: %s", m.name, status, body)
		}
		by, wrong := firstWrong(checks)
		switch {
		case wrong != "" && excused[m.name] != "":
			t.Errorf("%s: is killed, and need not be excused: %s", m.name, wrong)
		case wrong != "":
			t.Logf("%s: killed by %.200s", m.name, wrong)
			killed++
		case excused[m.name] != "":
			t.Logf("%s: survives: %s", m.name, excused[m.name])
			survived++
		default:
			t.Errorf("firestore.rules:%d: no line of access.txt notices the mutant\n%s", m.line, m.name)
			survived++
		}
		if wrong != "" {
			// The next mutant is in the same block, and most likely the same notices it.
			c := checks[by]
			checks = slices.Insert(slices.Delete(checks, by, by+1), 0, c)
			e.clear(t) // it may have let something be written
			e.seed(t, lines)
		}
	}
	t.Logf("%d mutants of firestore.rules, %d planted: %d killed, %d survived, %d do not compile", len(all), len(some),
		killed, survived, uncompiled)
}

// firstWrong tells which of the checks the rules do not hold to, and how; empty if they hold to all.
func firstWrong(checks []check) (by int, wrong string) {
	var mu sync.Mutex
	over := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return wrong != ""
	}
	try := func(i int) {
		if w := checks[i].wrong(over); w != "" {
			mu.Lock()
			defer mu.Unlock()
			by, wrong = i, checks[i].name+": "+w
		}
	}
	try(0) // alone, as it most likely notices
	work := make(chan int)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for i := range work {
				try(i)
			}
		})
	}
	for i := 1; i < len(checks) && !over(); i++ {
		work <- i
	}
	close(work)
	workers.Wait()
	return by, wrong
}

// clear removes every document.
func (e *emulator) clear(t *testing.T) {
	t.Helper()
	if status, body := e.call(t, administrator, http.MethodDelete, e.admin+"/databases/(default)/documents",
		nil); status != http.StatusOK {
		t.Fatalf("clear: status %d: %s", status, body)
	}
}
