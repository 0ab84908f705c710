package exports

import (
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// without says of each collection that no section names why an export leaves it out.
var without = map[string]string{
	model.Reactions:       "the likes again, for the pages of a month",
	model.Tags:            "everybody's",
	model.Products:        "everybody's",
	model.StockRuns:       "work, and everybody's",
	model.Polls:           "the counts of votes, which are others'",
	model.SearchDocs:      "the words of the tweets again",
	model.Totals:          "how much there is of everybody",
	model.Trends:          "who used which tag in the last hours, of everybody, by hashes",
	model.TagUses:         "follows from the tags of the tweets",
	model.TweetMonths:     "the tweets again, by month",
	model.FollowerMonths:  "the tweets for followers again, by month",
	model.ShareMonths:     "the shares again, by month",
	model.UserRecents:     "the newest tweets again",
	model.Timelines:       "follows from whom the user follows; the tweets are others'",
	model.FollowerPages:   "the followers again",
	model.FanOuts:         "work",
	model.RollUps:         "work",
	model.TakenRollUps:    "work",
	model.Spills:          "work",
	model.Wakes:           "work",
	model.Sweeps:          "work, and everybody's",
	model.Migrations:      "work, and everybody's",
	model.Sleeps:          "work",
	model.Sleepers:        "whom the user follows again",
	model.Spreads:         "work",
	model.CleanUps:        "work",
	model.Leavings:        "work, and its receipt is given out when it begins",
	model.Exports:         "the export itself",
	model.Drains:          "work, and everybody's",
	model.NoticeLogs:      "there is no document, but the notices below it",
	model.Notices:         "the notifications have them",
	model.Actors:          "the notifications count them",
	model.DeadLetters:     "an event that nobody could read",
	model.AdminActions:    "the audit log is about what moderators did",
	model.UserNotes:       "what moderators think is theirs",
	model.Idempotency:     "a hash of a request, for a day",
	model.Jobs:            "work of operators",
	model.Budgets:         "how much was used of the limits, for two days",
	model.ProcessedEvents: "the record of an effect, for a day",
	model.Shards:          "parts of the counts",
}

// TestEveryCollection demands that somebody has decided for each collection whether an export
// has it.
func TestEveryCollection(t *testing.T) {
	t.Parallel()
	names := testenv.Collections(t)
	for _, name := range names {
		has := slices.ContainsFunc(sections, func(s section) bool { return slices.Contains(s.collections, name) })
		if has == (without[name] != "") {
			t.Errorf("%s: is in an export %v, and left out because %q; want one of the two", name, has, without[name])
		}
	}
	for i, s := range sections {
		if s.name == "" || sectionOf(s.name) != i {
			t.Errorf("section %d is %q, and that is section %d", i, s.name, sectionOf(s.name))
		}
		for _, c := range s.collections {
			if !slices.Contains(names, c) {
				t.Errorf("%s has the collection %q, which is none", s.name, c)
			}
		}
	}
}
