package drill

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// A database that is lost comes back, document by document, and verify repairs the drift of its lost events.
func TestDrill(t *testing.T) {
	testenv.Slow(t, "a database that it loses and restores")
	t.Parallel()
	r, err := Run(t.Context(), Options{Users: 6, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	// 10 people with 50 tweets, 30 follows and 30 likes, and what is derived of the first 6.
	if r.Documents < 10*2+50*2+30+30 || r.Drift == 0 || r.Left != 0 {
		t.Errorf("Run() = %+v", r)
	}
	var text bytes.Buffer
	if err := r.Print(&text); err != nil || !strings.Contains(text.String(), "per 10,000 documents") {
		t.Errorf("printed %q, %v", &text, err)
	}
	if _, err := Run(t.Context(), Options{Users: 3}); err == nil {
		t.Error("3 users are enough")
	}
}

// The drill covers every collection below documents.
func TestBelow(t *testing.T) {
	t.Parallel()
	constants, err := os.ReadFile("../../model/collections.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	err = filepath.WalkDir("../../store", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?:\)|[rR]ef|parent)\.Collection\(model\.(\w+)\)`).
			FindAllStringSubmatch(string(text), -1) {
			for _, name := range regexp.MustCompile(`\b`+m[1]+`\s+= "(\w+)"`).FindAllStringSubmatch(string(constants), -1) {
				found[name[1]] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range found {
		if !slices.Contains(below, name) {
			t.Errorf("below has no %s", name)
		}
	}
	if len(found) < 3 {
		t.Errorf("found only %v, so this test reads nothing any more", found)
	}
}

// A document that is missing, another or too much after the import is noticed.
func TestDigests(t *testing.T) {
	t.Parallel()
	a, b := [32]byte{1}, [32]byte{2}
	before := digests{"users/ann": a, "users/ben": b}
	for _, test := range []struct {
		after digests
		want  string
	}{
		{digests{"users/ann": a, "users/ben": b}, ""},
		{digests{"users/ann": a}, "users/ben was not restored"},
		{digests{"users/ann": a, "users/ben": a}, "users/ben is not as it was"},
		{digests{"users/ann": a, "users/ben": b, "users/cid": a}, "users/cid is there, and was not"},
	} {
		got := ""
		if err := before.same(test.after); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("same(%v) = %q, want %q", test.after, got, test.want)
		}
	}
}
