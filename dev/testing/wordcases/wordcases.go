// Package wordcases reads the shared test cases of Go and the web client for words, hashtags, mentions, addresses and
// Markdown: internal/words/testdata/cases.json.
package wordcases

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// Cases are all cases.
type Cases struct {
	Texts []struct {
		Text  string
		Tags  []string // in their normal form, each once
		Names []string
		Links []string // as they stand in the text
	}
	Tags [][2]*string // as typed, and the normal form; none for what cannot be a tag
	Same [][2]string  // texts that are one when folded
	Cuts []struct {
		Text, Want string
		Limit      int
	}
	HTML []struct{ Text, HTML string } // without attributes
}

// Read reads the cases.
func Read(t testing.TB) (all Cases) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testenv.Root(), "internal", "words", "testdata", "cases.json"))
	testenv.Must(t, err)
	testenv.Must(t, json.Unmarshal(data, &all))
	if len(all.Texts) < 50 || len(all.Tags) < 20 || len(all.Same) < 10 || len(all.Cuts) < 10 || len(all.HTML) < 30 {
		t.Fatalf("there are %d texts, %d tags, %d same, %d cuts and %d of HTML", len(all.Texts), len(all.Tags), len(all.Same),
			len(all.Cuts), len(all.HTML))
	}
	return all
}
