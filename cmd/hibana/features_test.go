package main

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/functions"
)

var update = flag.Bool("update", false, "write the totals of docs/reports/features.md, and the packages of tests "+
	"that moved")

// sourceRows are how many rows each source document has.
var sourceRows = map[string]int{"S0": 59, "S1": 73, "S2": 160, "S3": 53, "S4": 60}

// states are those of a row. A row in the first two is held by tests.
var states = []string{"done", "partly", "open", "does not apply"}

// named returns what a pattern's groups, joined by a space, match in the Go files of a folder.
func named(t *testing.T, dir, suffix, pattern string) map[string]bool {
	t.Helper()
	found, re := map[string]bool{}, regexp.MustCompile(pattern)
	eachFile(t, dir, suffix, func(_, text string) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			found[strings.Join(m[1:], " ")] = true
		}
	})
	return found
}

// eachFile calls f with the path below the repository and the text of each file whose name has the suffix.
func eachFile(t *testing.T, dir, suffix string, f func(name, text string)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, suffix) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, name)
		f(filepath.ToSlash(below), string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// testNames are the names of the repository's tests, wherever they are.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for name := range packageTests(t) {
		names[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	return names
}

// packageTests are the tests of the repository as docs/reports/features.md names them, such as
// store/graph.TestFollow.
func packageTests(t *testing.T) map[string]bool {
	t.Helper()
	found, re := map[string]bool{}, regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	eachFile(t, ".", "_test.go", func(name, text string) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			found[path.Dir(name)+"."+m[1]] = true
		}
	})
	return found
}

// A feature is a line of docs/reports/features.md.
type feature struct {
	rows                      []string
	what, state, where, tests string
}

// parseFeatures reads the lines of the tables whose first cell has rows of a source.
func parseFeatures(text string) []feature {
	var all []feature
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) != 7 || !regexp.MustCompile(`^ S\d+-`).MatchString(cells[1]) {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		all = append(all, feature{strings.Split(cells[1], ", "), cells[2], cells[3], cells[4], cells[5]})
	}
	return all
}

// TestDocsFeatures holds docs/reports/features.md to the code: each row of each source has one line, the
// table of totals counts them, a row that is done or partly done has tests, each test is in the
// package that the line names, and each route and function is there.
func TestDocsFeatures(t *testing.T) {
	t.Parallel()
	text := readDoc(t, "docs/reports/features.md")
	tests := packageTests(t)
	if *update {
		text = updateFeatures(text, tests)
		if err := os.WriteFile(filepath.Join(root, "docs/reports/features.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	routes := map[string]bool{}
	for r := range named(t, "api", ".go", `http\.Method(\w+),\s*(?:Path:\s*)?"(/[^"]+)"`) {
		method, address, _ := strings.Cut(r, " ")
		routes[strings.ToUpper(method)+" "+address] = true
	}
	for address := range named(t, "api", ".go", `people\("(/[^"]+)"`) {
		routes["GET "+address] = true
	}
	table := map[string]bool{}
	for _, f := range functions.Table {
		table[f.Name] = true
	}
	for _, problem := range featureProblems(text, tests, routes, table) {
		t.Error(problem)
	}
}

// updateFeatures returns the text with the totals of its lines, and with the packages in which the
// tests are now. A test that is in no package, or in several others, stays as it is.
func updateFeatures(text string, tests map[string]bool) string {
	text = regexp.MustCompile("`[\\w/]+\\.(?:Test|Fuzz|Benchmark)\\w+`").
		ReplaceAllStringFunc(text, func(given string) string {
			name := strings.Trim(given, "`")
			if tests[name] {
				return given
			}
			var there []string
			for test := range tests {
				if path.Ext(test) == path.Ext(name) {
					there = append(there, test)
				}
			}
			if same := slices.DeleteFunc(slices.Clone(there),
				func(test string) bool { return path.Base(test) != path.Base(name) }); len(same) == 1 {
				there = same
			}
			if len(there) != 1 {
				return given
			}
			return "`" + there[0] + "`"
		})
	totals, all := totalsOf(parseFeatures(text)), map[string]int{}
	for _, source := range slices.Sorted(maps.Keys(sourceRows)) {
		text = regexp.MustCompile(`(?m)^\| `+source+` \| .*$`).
			ReplaceAllLiteralString(text, totalsLine(source, sourceRows[source], totals[source]))
		for state, n := range totals[source] {
			all[state] += n
		}
	}
	return regexp.MustCompile(`(?m)^\| all \| .*$`).ReplaceAllLiteralString(text, totalsLine("all", 405, all))
}

// totalsOf counts the rows of each source by state.
func totalsOf(features []feature) map[string]map[string]int {
	totals := map[string]map[string]int{}
	for _, f := range features {
		for _, row := range f.rows {
			source, _, _ := strings.Cut(row, "-")
			if totals[source] == nil {
				totals[source] = map[string]int{}
			}
			totals[source][f.state]++
		}
	}
	return totals
}

func featureProblems(text string, tests, routes, table map[string]bool) []string {
	var problems []string
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	features := parseFeatures(text)
	lines, totals := map[string]int{}, totalsOf(features)
	for _, f := range features {
		for _, row := range f.rows {
			lines[row]++
		}
		given := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(f.tests, -1)
		held := f.state == "done" || f.state == "partly"
		switch {
		case !slices.Contains(states, f.state):
			problem("%s: %q is no state, but one of %v is", f.rows[0], f.state, states)
		case held && len(given) == 0:
			problem("%s is %s and has no test", f.rows[0], f.state)
		case !held && len(given) > 0:
			problem("%s: %s, and yet there are tests", f.rows[0], f.state)
		case f.state != "done" && len(f.where) < 10 && !strings.HasPrefix(f.where, "as S"):
			problem("%s: %s, and the line does not say why", f.rows[0], f.state)
		}
		for _, m := range regexp.MustCompile("`((?:GET|POST|PUT|PATCH|DELETE) /[^`]*)`").FindAllStringSubmatch(f.where, -1) {
			if !routes[m[1]] {
				problem("%s: the API has no route %s", f.rows[0], m[1])
			}
		}
		for _, m := range regexp.MustCompile(`\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b`).FindAllString(f.where, -1) {
			if !table[m] && m != "ActivityPub" {
				problem("%s: there is no function %s", f.rows[0], m)
			}
		}
		for _, m := range given {
			if !tests[m[1]] {
				problem("%s: there is no test %s", f.rows[0], m[1])
			}
		}
	}
	all := map[string]int{}
	for _, source := range slices.Sorted(maps.Keys(sourceRows)) {
		for n := 1; n <= sourceRows[source]; n++ {
			row := source + "-" + strconv.Itoa(n)
			if lines[row] != 1 {
				problem("docs/reports/features.md has %d lines for %s, want 1", lines[row], row)
			}
			delete(lines, row)
		}
		for state, n := range totals[source] {
			all[state] += n
		}
		if line := totalsLine(source, sourceRows[source], totals[source]); !strings.Contains(text, line) {
			problem("docs/reports/features.md lacks the line %q", line)
		}
	}
	for row := range lines {
		problem("no source has a row %s", row)
	}
	if line := totalsLine("all", 405, all); !strings.Contains(text, line) {
		problem("docs/reports/features.md lacks the line %q", line)
	}
	return problems
}

func totalsLine(source string, rows int, n map[string]int) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d |", source, rows, n["done"], n["partly"], n["open"],
		n["does not apply"])
}

// TestDocsFeaturesNotices plants mistakes in docs/reports/features.md, one at a time.
func TestDocsFeaturesNotices(t *testing.T) {
	t.Parallel()
	text := readDoc(t, "docs/reports/features.md")
	tests := packageTests(t)
	delete(tests, "store/graph.TestFollow")
	everything := func(what string) map[string]bool { // no route and no function is missing
		all := map[string]bool{}
		for _, m := range regexp.MustCompile(what).FindAllStringSubmatch(text, -1) {
			all[m[1]] = true
		}
		return all
	}
	routes, table := everything("`((?:GET|POST|PUT|PATCH|DELETE) /[^`]*)`"),
		everything(`\b([A-Z][a-z]+(?:[A-Z][a-z]+)+)\b`)
	const row, is = "| S0-23 | columns of any meaning | ", "does not apply |"
	for _, test := range []struct{ old, new, want string }{
		{"", "", "there is no test store/graph.TestFollow"},
		{"| S0-3 |", "| S0-2 |", "0 lines for S0-3"},
		{"| S0-3 |", "| S0-2 |", "2 lines for S0-2"},
		{"| S0-3 |", "| S0-60 |", "no source has a row S0-60"},
		{"`model.TestReservedUsernames`", "`api.TestReservedUsernames`", "there is no test api.TestReservedUsernames"},
		{"`model.TestParseTweetID`, `api.TestActor`, `api.TestFediversePosts`", "", "S0-19 is done and has no test"},
		{row + is, row + "done |", "S0-23 is done and has no test"},
		{row + is, row + "later |", `"later" is no state`},
		{row + is, row + "open |", "lacks the line"},
		{"Firestore has named fields, so there is no column of any meaning to reproduce", "-", "does not say why"},
		{"`GET /v1/users/me` is", "`GET /v1/users/I` is", "no route GET /v1/users/I"},
	} {
		planted := strings.Replace(text, test.old, test.new, 1)
		got := strings.Join(featureProblems(planted, tests, routes, table), "\n")
		if !strings.Contains(got, test.want) {
			t.Errorf("%q in the place of %q: got %q, want %q", test.new, test.old, got, test.want)
		}
	}
}

// TestUpdateFeatures moves a test and a row, and writes the page anew.
func TestUpdateFeatures(t *testing.T) {
	t.Parallel()
	text := readDoc(t, "docs/reports/features.md")
	moved := strings.ReplaceAll(text, "`model.TestReservedUsernames`", "`store/elsewhere.TestReservedUsernames`")
	moved = strings.Replace(moved, "| S4 | 60 |", "| S4 | 60 | 0 |", 1)
	if moved == text {
		t.Fatal("the page has no such test and totals")
	}
	if got := updateFeatures(moved, packageTests(t)); got != text {
		t.Errorf("the page is not as it was: %s", cmp.Diff(text, got))
	}
}
