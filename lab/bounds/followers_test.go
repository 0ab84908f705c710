package bounds

import (
	"fmt"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestFollowerList lets a user have more followers with the longest ids than a list has.
func TestLargestFollowerList(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ann := model.UserID(fmt.Sprintf("a%0127d", 0))
	_, err := e.Users.CreateUser(t.Context(), ann, model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	bulk := e.Raw.BulkWriter(t.Context())
	var last model.UserID
	for n := range model.ListedFollowers + 5 {
		last = model.UserID(fmt.Sprintf("%0128d", n))
		_, err := bulk.Set(e.Raw.Collection(model.Relationships).Doc(model.RelationshipKey(last, ann)),
			model.Relationship{FollowerID: last, FollowedID: ann, CreatedAt: e.Clock.Now()})
		testenv.Must(t, err)
	}
	bulk.End()
	testenv.Must(t, e.FollowerLists.Reconcile(t.Context(), ann, last, true))
	if doc := e.Doc(t, "followerLists/"+string(ann)); len(doc["followers"].(map[string]any)) != model.ListedFollowers {
		t.Errorf("the list has %d followers, want %d", len(doc["followers"].(map[string]any)), model.ListedFollowers)
	}
	checkAll(t, e, 3)
}
