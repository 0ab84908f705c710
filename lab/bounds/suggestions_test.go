package bounds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestSuggestions fills a document with candidates, their reasons, and dismissals.
func TestLargestSuggestions(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	long := func(n int) model.UserID { return model.UserID(fmt.Sprintf("%0128d", n)) }
	is := model.Suggestions{WantedAt: e.Clock.Now(), DueAt: e.Clock.Now(), ComputedAt: e.Clock.Now()}
	found := model.NewCandidates("ann", &model.ViewerGraph{}, nil, e.Clock.Now())
	for by := range 10 {
		theirs := map[model.UserID]time.Time{}
		for n := range 100 {
			theirs[long(1000+n)] = e.Clock.Now()
			for tag := range model.SuggestTagsRead {
				found.Tag(long(1000+n), strings.Repeat("火", model.MaxTagLength-1)+fmt.Sprint(tag))
			}
		}
		found.Follows(long(by), theirs)
	}
	is.People = found.Best(model.MaxCandidates)
	for n := range model.MaxDismissedPeople {
		is.Dismissed = append(is.Dismissed, long(5000+n))
	}
	_, err := e.Raw.Doc("suggestions/ann").Set(t.Context(), is)
	testenv.Must(t, err)
	testenv.Must(t, e.Suggestions.Dismiss(t.Context(), "ann", "last"))
	snap, err := e.Raw.Doc("suggestions/ann").Get(t.Context())
	testenv.Must(t, err)
	var now model.Suggestions
	testenv.Must(t, snap.DataTo(&now))
	if n := len(now.Dismissed); n != model.MaxDismissedPeople || now.Dismissed[n-1] != "last" ||
		now.Dismissed[0] != long(5001) {
		t.Errorf("%d dismissals, want the newest %d", n, model.MaxDismissedPeople)
	}
	if len(now.People) != model.MaxCandidates || len(now.People[0].FollowedBy) != model.MaxNamed ||
		len(now.People[0].Tags) != model.SuggestTagsRead {
		t.Errorf("%d people of whom the first has %d names and %d tags", len(now.People), len(now.People[0].FollowedBy),
			len(now.People[0].Tags))
	}
	checkAll(t, e, 3)
}
