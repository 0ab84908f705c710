package counters_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
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
	for _, collection := range []string{model.Tags, model.TagUsages} {
		there, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: collection, ID: "ann_unused"})
		testenv.Must(t, err)
		if there || e.Doc(t, collection+"/ann_unused") != nil {
			t.Errorf("a roll-up without shards makes a document in %s", collection)
		}
	}
}

// A tag usage may be hot before it has a document, as a tag may be. The document has all that
// a list shows, although the shards hold a part of it.
func TestRollUpOfNewTagUsage(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	key := model.TagUsageKey("a_nn", "go_lang")
	for _, shard := range []string{"3", "127"} {
		_, err := e.Raw.Doc("tagUses/"+key+"/shards/"+shard).
			Set(t.Context(), map[string]any{"tweetCount": 2, "content": "Go_Lang"})
		testenv.Must(t, err)
	}
	for range 2 {
		there, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.TagUsages, ID: key})
		testenv.Must(t, err)
		want := map[string]any{"userId": "a_nn", "tag": "go_lang", "content": "Go_Lang", "tweetCount": int64(4),
			"rolled": map[string]any{"tweetCount": int64(4)}}
		if diff := cmp.Diff(want, e.Doc(t, "tagUses/"+key)); diff != "" || !there {
			t.Errorf("there %v (-want +got):\n%s", there, diff)
		}
	}
}

// Events of a new tag that come at once, delivered in any order to functions that roll up
// at once, are all counted, and the tag has its content as typed.
func TestNewTagsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	const tags, events = 20, 6
	rollUp := func(tag string) error {
		_, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tags, ID: tag})
		_, failed := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.TagUsages,
			ID: model.TagUsageKey("ann", tag)})
		return errors.Join(err, failed)
	}
	for _, err := range testenv.AtOnce(tags*events, func(i int) error {
		tag := fmt.Sprint("tag", i%tags)
		idempotencyRecord := counters.IdempotencyRecord{EventID: fmt.Sprint(i), Function: "CountTags"}
		err := e.Counters.CountTags(t.Context(), idempotencyRecord, "ann", map[string]int64{tag: 1},
			map[string]string{tag: "T" + tag[1:]})
		if err == nil {
			err = rollUp(tag)
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	for i := range tags {
		tag := fmt.Sprint("tag", i)
		testenv.Must(t, rollUp(tag))
		for _, path := range []string{"tags/" + tag, "tagUses/" + model.TagUsageKey("ann", tag)} {
			if got, want := e.Doc(t, path), fmt.Sprint("T", tag[1:], events); fmt.Sprint(got["content"],
				got["tweetCount"]) != want {
				t.Errorf("%s = %v, want %s", path, got, want)
			}
		}
	}
}
