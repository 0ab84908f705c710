package bounds

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestHead delivers more of the largest tweets and shares than a head has.
func TestLargestHead(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ann := model.UserID(strings.Repeat("a", 128))
	_, err := e.Users.CreateUser(t.Context(), ann, model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	var tags []string
	for i := range model.MaxTags {
		tags = append(tags, strings.Repeat("𝒙", model.MaxTagLength-1)+string(rune('a'+i)))
	}
	for range model.HeadItems + 5 {
		tweet := e.Draft(t, ann, model.Draft{Content: wide(model.MaxSnippet + 1), Summary: wide(model.MaxSummary),
			Tags: tags, Media: largestMedia(t, e, ann)})
		testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
		e.CoolDown()
	}
	if doc := e.Doc(t, "heads/"+string(ann)); len(doc["tweets"].(map[string]any)) != model.HeadItems {
		t.Errorf("the head has %d tweets, want %d", len(doc["tweets"].(map[string]any)), model.HeadItems)
	}
	checkAll(t, e, 4)
}
