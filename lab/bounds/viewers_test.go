package bounds

import (
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestViewer writes the largest document of a reader's graph, and one follow more. The document then keeps
// the newest follows only.
func TestLargestViewer(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ann, bob := model.UserID(fmt.Sprintf("a%0127d", 0)), model.UserID(fmt.Sprintf("b%0127d", 0))
	for i, uid := range []model.UserID{ann, bob} {
		_, err := e.Users.CreateUser(t.Context(), uid, model.NewUser{Username: fmt.Sprint("user", i)})
		testenv.Must(t, err)
	}
	follows := map[string]any{}
	for n := range model.MaxViewerEntries {
		follows[fmt.Sprintf("%0128d", n)] = e.Clock.Now()
	}
	choice := model.NotificationChoice{Off: model.NotificationKinds, Muted: map[string]time.Time{}}
	for n := range model.MaxMuted {
		choice.Muted[fmt.Sprintf("%018x", n)] = e.Clock.Now()
	}
	_, err := e.Raw.Doc("viewers/"+string(ann)).Set(t.Context(), map[string]any{"follows": follows, "whole": true,
		"size": model.MaxViewerEntries, "choice": choice, "blockStrangers": true})
	testenv.Must(t, err)
	checkAll(t, e, 3)
	testenv.Must(t, e.Graph.Follow(t.Context(), ann, bob))
	checkAll(t, e, 3)
	if doc := e.Doc(t, "viewers/"+string(ann)); doc["partial"] != true || doc["choice"] == nil ||
		doc["blockStrangers"] != true || len(doc["follows"].(map[string]any)) != model.MaxViewerEntries {
		t.Errorf("the document has partial %v and %d follows", doc["partial"], len(doc["follows"].(map[string]any)))
	}
}
