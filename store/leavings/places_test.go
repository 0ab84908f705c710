package leavings

import (
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// stays says of each collection without a place why a leaving leaves it alone.
var stays = map[string]string{
	model.TweetDetails:    "a text goes with its tweet",
	model.Polls:           "the counts of a poll go with its tweet",
	model.Tags:            "a tag is everybody's; its count follows the tweets",
	model.Totals:          "everybody's; they follow the facts",
	model.Trends:          "an hour has hashes of accounts, which the deletions of their facts take out; it expires within 13 hours",
	model.NoticeLogs:      "there is no document, but the notices below it",
	model.Actors:          "those on the user's notifications go with them; the user on those of others expires after 31 days",
	model.FanOuts:         "the delivery of a tweet ends by itself, or expires after 7 days",
	model.RollUps:         "the roll-up of a document that is gone ends by itself, or expires after 7 days",
	model.TakenRollUps:    "the record of a roll-up ends with the roll-up, or expires after 7 days",
	model.Spills:          "the spill of a bucket that is gone ends by itself, or expires after 7 days",
	model.CleanUps:        "the removal of likes of a deleted tweet ends by itself; a pass removes them too",
	model.Drains:          "a partition of the event log is many users'",
	model.Sweeps:          "a day is everybody's",
	model.Migrations:      "a migration is everybody's; the id where one is names a document until its next step",
	model.Standings:       "a frozen or suspended uid would be free again by leaving",
	model.AdminActions:    "the audit log is append-only: it is about what moderators did",
	model.Jobs:            "a job is everybody's; the uid where a verification paused goes with its next part",
	model.Leavings:        "the record of the leaving, for 30 days",
	model.Products:        "everybody's",
	model.StockRuns:       "work for a product, which is everybody's",
	model.DeadLetters:     "an operator looks at it, and it expires after 31 days",
	model.ProcessedEvents: "the record of an effect expires after a day",
}

// TestEveryCollection demands that somebody has decided for each collection what becomes of it
// when its user leaves.
func TestEveryCollection(t *testing.T) {
	t.Parallel()
	names := testenv.Collections(t)
	for _, name := range names {
		has := slices.ContainsFunc(places, func(p place) bool { return p.collection == name })
		if has == (stays[name] != "") {
			t.Errorf("%s: has a place %v, and stays because %q; want one of the two", name, has, stays[name])
		}
	}
	for _, p := range places {
		if !slices.Contains(names, p.collection) || ways(p) != 1 {
			t.Errorf("the place %s (%s) has no collection, or not one way to find documents", p.collection, p.what)
		}
	}
}

// TestBytes compares what places say of the size of their documents with the table of bounds.
func TestBytes(t *testing.T) {
	t.Parallel()
	const entry = 150 // bytes of an index entry
	bounds := testenv.Bounds(t)
	for _, p := range places {
		if p.files || p.docs != nil && p.remove == nil { // one document
			continue
		}
		b, found := bounds[p.collection]
		if want := b.Bytes + b.Entries*entry; !found || p.together()*want > 10<<20 {
			t.Errorf("%s (%s): a commit removes %d of up to %d bytes", p.collection, p.what, p.together(), want)
		}
	}
}

// ways counts how a place finds what is there.
func ways(p place) (n int) {
	for _, way := range []bool{p.find != nil, p.docs != nil, p.files} {
		if way {
			n++
		}
	}
	return n
}
