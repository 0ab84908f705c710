package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// generatedBegin and generatedEnd enclose the generated part of a document. The rest is written by hand.
const generatedBegin, generatedEnd = "<!-- generated -->\n", "<!-- /generated -->\n"

// Generated checks that a document below docs has a text in its generated part. With update it writes the text, and
// creates a missing document with a title.
func Generated(t testing.TB, name, title, text string, update bool) {
	t.Helper()
	path := filepath.Join(Root(), "docs", name)
	old, err := os.ReadFile(path)
	if os.IsNotExist(err) && update {
		old, err = []byte("# "+title+"\n\n"+generatedBegin+generatedEnd), nil
	}
	Must(t, err)
	before, rest, found := strings.Cut(string(old), generatedBegin)
	_, after, closed := strings.Cut(rest, generatedEnd)
	if !found || !closed {
		t.Fatalf("docs/%s has no lines %q and %q", name, generatedBegin, generatedEnd)
	}
	switch now := before + generatedBegin + "\n" + text + "\n" + generatedEnd + after; {
	case now == string(old):
	case update:
		Must(t, os.WriteFile(path, []byte(now), 0o644))
	default:
		t.Errorf("docs/%s is not as the code says; write it with -update: go test -run %s -update in the package of the test",
			name, t.Name())
	}
}
