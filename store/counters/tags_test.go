package counters_test

import (
	"fmt"
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
)

// A tag may be hot before it has a document: the first event is about to make the
// document, the others count into shards meanwhile. A roll-up that comes in between must
// not throw these counts away.
func TestRollUpOfNewTag(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	for _, shard := range []string{"0", "5"} {
		_, err := e.Raw.Doc("tags/go/shards/"+shard).Set(t.Context(), map[string]any{"tweetCount": 2, "content": "Go"})
		testenv.Must(t, err)
	}
	work := model.RollUpWork{Collection: model.Tags, ID: "go"}
	for range 2 {
		there, err := e.Counters.RollUpNow(t.Context(), work)
		testenv.Must(t, err)
		if tag := e.Doc(t, "tags/go"); !there || fmt.Sprint(tag["content"], tag["tweetCount"]) != "Go4" {
			t.Fatalf("the tag is there: %v, %v, want Go with 4 tweets", there, tag)
		}
	}
	there, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tags, ID: "unused"})
	testenv.Must(t, err)
	if there || e.Doc(t, "tags/unused") != nil {
		t.Error("a roll-up without shards makes a tag")
	}
}

// Events of a new tag that come at once, delivered in any order to functions that roll up
// at once, are all counted, and the tag has its content as typed.
func TestNewTagsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	const tags, events = 20, 6
	for _, err := range testenv.AtOnce(tags*events, func(i int) error {
		tag := fmt.Sprint("tag", i%tags)
		effect := counters.Effect{EventID: fmt.Sprint(i), Function: "CountTags"}
		err := e.Counters.CountTags(t.Context(), effect, map[string]int64{tag: 1}, map[string]string{tag: "T" + tag[1:]})
		if err == nil {
			_, err = e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tags, ID: tag})
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	for i := range tags {
		tag := fmt.Sprint("tag", i)
		_, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tags, ID: tag})
		testenv.Must(t, err)
		if got, want := e.Doc(t, "tags/"+tag), fmt.Sprint("T", tag[1:], events); fmt.Sprint(got["content"], got["tweetCount"]) != want {
			t.Errorf("%s = %v, want %s", tag, got, want)
		}
	}
}
