package testenv

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Bound is a row of the table of bounds in docs/model/bounds.md.
type Bound struct {
	Bytes, Entries int    // of the largest document of the collection
	Test           string // which writes it
}

var boundRow = regexp.MustCompile("(?m)^\\| (`[A-Za-z]+`(?:, `[A-Za-z]+`)*) \\| ([0-9,]+) (B|KB) \\| ([0-9,]+) \\|[^|]*\\|([^|]*)\\|$")

// Bounds reads the table of bounds, by collection.
func Bounds(t testing.TB) map[string]Bound {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root(), "docs/model/bounds.md"))
	Must(t, err)
	bounds := map[string]Bound{}
	for _, m := range boundRow.FindAllStringSubmatch(string(text), -1) {
		number := func(s string) int {
			n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
			Must(t, err)
			return n
		}
		b := Bound{Bytes: number(m[2]), Entries: number(m[4]), Test: strings.Trim(m[5], " `")}
		if m[3] == "KB" {
			b.Bytes *= 1_000
		}
		for name := range strings.SplitSeq(m[1], ", ") { // a row may be of several collections
			bounds[strings.Trim(name, "`")] = b
		}
	}
	return bounds
}
