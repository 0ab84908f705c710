package bounds

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestSearch writes the largest documents by which searches find tweets: one with the
// longest text, and one with the most terms. The database takes them, and finds them.
func TestLargestSearch(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ann := model.UserID(strings.Repeat("a", 128))
	_, err := e.Users.CreateUser(t.Context(), ann, model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	var tags []string
	for i := range model.MaxTags {
		tags = append(tags, strings.Repeat("𝒙", model.MaxTagLength-2)+strconv.Itoa(10+i))
	}
	var short, long strings.Builder
	for n := range 10 * model.MaxSearchTerms {
		short.WriteString(string(rune(0x20000+n)) + " ") // a rare character of Chinese, of 4 bytes
	}
	for n := range 250 {
		// letters of 4 bytes
		long.WriteString(strings.Repeat(string(rune(0x10400+n%40)), model.MaxTermLength-3) + strconv.Itoa(100+n) + " ")
	}
	for _, content := range []string{wide(model.MaxContent), short.String(), long.String(),
		strings.Repeat("火 ", model.MaxContent/2)} {
		tweet := e.Draft(t, ann, model.Draft{Content: content, Summary: wide(model.MaxSummary), Tags: tags})
		testenv.Must(t, e.Search.Index(t.Context(), tweet.ID))
	}
	if got := e.IDs(t, model.SearchDocs); len(got) != 4 {
		t.Errorf("documents %v, want 4", got)
	}
	checkAll(t, e, 4)
}
