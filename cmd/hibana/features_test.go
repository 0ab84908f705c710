package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/functions"
)

// named returns what a pattern's groups, joined by a space, match in the Go files of a folder.
func named(t *testing.T, dir, suffix, pattern string) map[string]bool {
	t.Helper()
	found, re := map[string]bool{}, regexp.MustCompile(pattern)
	err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range re.FindAllStringSubmatch(string(text), -1) {
			found[strings.Join(m[1:], " ")] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func testNames(t *testing.T) map[string]bool {
	t.Helper()
	return named(t, ".", "_test.go", `(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
}

// docs/features.md has a line for every row of the sources that it lists, and the routes,
// functions and tests that it names are there. A line without a test says what is open, or
// why the row does not apply.
func TestDocsFeatures(t *testing.T) {
	t.Parallel()
	text := readDoc(t, "docs/features.md")
	tests := testNames(t)
	routes := map[string]bool{}
	for r := range named(t, "api", ".go", `http\.Method(\w+),\s*(?:Path:\s*)?"(/[^"]+)"`) {
		method, path, _ := strings.Cut(r, " ")
		routes[strings.ToUpper(method)+" "+path] = true
	}
	for path := range named(t, "api", ".go", `people\("(/[^"]+)"`) {
		routes["GET "+path] = true
	}
	table := map[string]bool{}
	for _, f := range functions.Table {
		table[f.Name] = true
	}
	rows := map[string]int{}
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !regexp.MustCompile(`^ S\d+-`).MatchString(cells[1]) {
			continue
		}
		for row := range strings.SplitSeq(strings.TrimSpace(cells[1]), ", ") {
			rows[row]++
		}
		for _, m := range regexp.MustCompile("`((?:GET|POST|PUT|PATCH|DELETE) /[^`]*)`").FindAllStringSubmatch(line, -1) {
			if !routes[m[1]] {
				t.Errorf("%s: the API has no route %s", cells[1], m[1])
			}
		}
		for _, m := range regexp.MustCompile(`\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b`).FindAllString(cells[3], -1) {
			if !table[m] && m != "IDs" {
				t.Errorf("%s: there is no function %s", cells[1], m)
			}
		}
		given := regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[4], -1)
		for _, m := range given {
			if !tests[m[1]] {
				t.Errorf("%s: there is no test %s", cells[1], m[1])
			}
		}
		if len(given) == 0 && !strings.Contains(cells[3], "**Open**") && !strings.Contains(cells[3], "does not apply") {
			t.Errorf("%s: no test", cells[1])
		}
	}
	for source, parts := range map[string][][2]int{"S0": {{4, 40}, {58, 59}}, "S1": {{57, 71}}, "S2": {{1, 160}}, "S3": {{1, 53}}, "S4": {{18, 23}, {45, 51}}} {
		for _, p := range parts {
			for n := p[0]; n <= p[1]; n++ {
				row := source + "-" + strconv.Itoa(n)
				if rows[row] != 1 {
					t.Errorf("docs/features.md has %d lines for %s, want 1", rows[row], row)
				}
			}
		}
	}
}
