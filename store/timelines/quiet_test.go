package timelines_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

// A home page leaves out whom its reader mutes, by the graph and by the source documents, and a tweet that a filter
// hides. Another sharer, or the tweet's own position, takes the place of a muted sharer. None of it costs a read with a
// whole graph, and what is muted is no news.
func TestHomeQuiet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ids := fourShares(t, e) // of ann's tweets, newest first, by sharer3 to sharer0
	mute := func(uid model.UserID, part model.MutePart, d time.Duration) {
		t.Helper()
		testenv.Must(t, e.Graph.Mute(t.Context(), model.MutedUser{UserID: "dan", MutedID: uid, Part: part}, d))
	}
	all := []line{{ids[0], "sharer3", 1}, {ids[1], "sharer2", 1}, {ids[2], "sharer1", 1}, {ids[3], "sharer0", 1}}
	wantLines(t, "nobody is muted", e, "dan", all...)
	mute("sharer2", model.MuteShares, time.Hour)
	mute("sharer1", model.MuteAll, time.Hour)
	mute("sharer0", model.MuteReplies, time.Hour)
	want := []line{all[0], all[3]}
	wantLines(t, "muted", e, "dan", want...)
	_, err := e.Graph.PutFilter(t.Context(), "dan", "f", model.Filter{Title: "f", Action: model.FilterHide,
		Contexts: []model.FilterContext{model.FilterThread}, Keywords: []model.FilterKeyword{{Keyword: "spark"}}})
	testenv.Must(t, err)
	wantLines(t, "a filter of another context", e, "dan", want...)

	// The author of the tweets is muted, whoever shares them, and a reply of a muted replier is left out.
	mute("ann", model.MuteAll, time.Hour)
	wantLines(t, "the author is muted", e, "dan")
	testenv.Must(t, e.Graph.Unmute(t.Context(), "dan", "ann"))

	partial := func() {
		t.Helper()
		snap, err := e.Raw.Doc("viewers/dan").Get(t.Context())
		testenv.Must(t, err)
		var is model.ViewerGraph
		testenv.Must(t, snap.DataTo(&is))
		follows := map[string]any{}
		for uid, since := range is.Follows {
			follows[string(uid)] = since
		}
		_, err = e.Raw.Doc("viewers/dan").Set(t.Context(), map[string]any{"limited": true, "copies": true,
			"follows": follows})
		testenv.Must(t, err)
	}
	partial()
	wantLines(t, "muted, without the graph", e, "dan", want...)
	mute("ann", model.MuteAll, time.Hour)
	partial()
	wantLines(t, "the author is muted, without the graph", e, "dan")
	testenv.Must(t, e.Graph.Unmute(t.Context(), "dan", "ann"))
	testenv.Must(t, e.Viewers.Restore(t.Context(), "dan"))
	e.Clock.Add(time.Hour)
	wantLines(t, "ended", e, "dan", all...)

	items, _, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 10)
	testenv.Must(t, err)
	newest := items[0].Position
	mute("sharer0", model.MuteAll, 0)
	_, _, _, err = e.Timelines.Home(t.Context(), "dan", "", "", 10) // the process knows the graph
	testenv.Must(t, err)
	e.Clock.Add(time.Second)
	deliver(t, e, "sharer0", 1)
	e.Clock.Add(10 * time.Second)
	news := func(ctx context.Context) error {
		items, _, _, err := e.Timelines.Home(ctx, "dan", newest, timelines.Cursor(""), 10)
		if len(items) > 0 {
			t.Errorf("a muted author is news: %v", items)
		}
		return err
	}
	testenv.Must(t, news(t.Context())) // hears of the changed head
	testenv.Must(t, storetest.Costs(t, "a poll after a muted author's tweet", 0, 0, 0, news))

	// A filter hides what comes next: a poll looks at it once.
	_, err = e.Graph.PutFilter(t.Context(), "dan", "f", model.Filter{Title: "f", Action: model.FilterHide,
		Contexts: []model.FilterContext{model.FilterHome}, Keywords: []model.FilterKeyword{{Keyword: "finale"}}})
	testenv.Must(t, err)
	hidden := e.Tweet(t, "sharer3", "the finale")
	testenv.Must(t, e.Timelines.Deliver(t.Context(), hidden))
	e.Clock.Add(10 * time.Second)
	testenv.Must(t, news(t.Context()))
	items, _, after, err := e.Timelines.Home(t.Context(), "dan", newest, "", 10)
	testenv.Must(t, err)
	if len(items) > 0 || after != hidden.ID.Position() {
		t.Errorf("behind a hidden tweet newest is %q, want %q, with %v", after, hidden.ID.Position(), items)
	}
	newest = after
	testenv.Must(t, storetest.Costs(t, "a poll after a tweet that a filter hides", 0, 0, 0, news))
}

// A process from before there were mutes and filters writes a reader's graph anew, whole or partial. The next page
// hides what it hid before.
func TestHomeQuietFormer(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ids := fourShares(t, e)
	testenv.Must(t, e.Graph.Mute(t.Context(), model.MutedUser{UserID: "dan", MutedID: "sharer3", Part: model.MuteAll}, 0))
	hidden := e.Tweet(t, "sharer2", "the finale")
	testenv.Must(t, e.Timelines.Deliver(t.Context(), hidden))
	e.Clock.Add(10 * time.Second)
	_, err := e.Graph.PutFilter(t.Context(), "dan", "f", model.Filter{Title: "f", Action: model.FilterHide,
		Contexts: []model.FilterContext{model.FilterHome}, Keywords: []model.FilterKeyword{{Keyword: "finale"}}})
	testenv.Must(t, err)
	want := []line{{ids[1], "sharer2", 1}, {ids[2], "sharer1", 1}, {ids[3], "sharer0", 1}}
	wantLines(t, "before", e, "dan", want...)
	follows := e.Doc(t, "viewers/dan")["follows"]
	for _, former := range []string{"whole", "partial"} {
		_, err := e.Raw.Doc("viewers/dan").Set(t.Context(), map[string]any{"whole": former == "whole",
			"partial": former == "partial", "follows": follows, "mutes": map[string]any{}, "size": 4})
		testenv.Must(t, err)
		wantLines(t, former, e, "dan", want...)
		if doc := e.Doc(t, "viewers/dan"); doc["complete"] != true || doc["whole"] != true || doc["filters"] == nil {
			t.Errorf("%s: the next page left %v", former, doc)
		}
	}
}
