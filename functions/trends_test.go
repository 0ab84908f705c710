package functions_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A tweet is flagged and deleted, and the event of the deletion comes first. Its tags are no trend any more.
func TestFlaggedAndDeletedTweetIsNoTrend(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	ids := model.NewTweetIDs(time.Now)
	tweet := func(author string) (path string, fields map[string]*firestoredata.Value) {
		now := moment(time.Now())
		return model.Tweets + "/" + string(ids.Next(model.UserID(author))), map[string]*firestoredata.Value{
			"authorId": text(author), "createdAt": now, "visibility": text("public"), "language": text("en"),
			"tags": {ValueType: &firestoredata.Value_MapValue{MapValue: &firestoredata.MapValue{
				Fields: map[string]*firestoredata.Value{"spark": now}}}},
		}
	}
	send := func(kind functions.EventType, path string, before, after map[string]*firestoredata.Value) {
		t.Helper()
		if got := changed(s.project, kind, path, before, after).post(t, s.url+"/TweetChanged"); got != http.StatusNoContent {
			t.Fatalf("answered %d", got)
		}
	}
	trends := func() (tags int) {
		t.Helper()
		testenv.Must(t, s.db.Trends.Flush(t.Context()))
		db, err := store.Open(t.Context(), s.project, "", store.Options{Emulator: testenv.FirestoreHost(t)})
		testenv.Must(t, err)
		defer db.Close() // another process, which has nothing in its cache
		all, err := db.Trends.Trends(t.Context(), model.Viewer{}, "")
		testenv.Must(t, err)
		return len(all.Tags)
	}
	for _, author := range []string{"ann", "bob"} {
		path, fields := tweet(author)
		send(functions.Created, path, nil, fields)
		if author == "ann" {
			continue
		}
		if got := trends(); got != 1 {
			t.Fatalf("%d tags are trends, want that of ann and bob", got)
		}
		fields["isViolative"] = &firestoredata.Value{ValueType: &firestoredata.Value_BooleanValue{BooleanValue: true}}
		time.Sleep(10 * time.Millisecond) // the event is later than the creation, by its own clock
		send(functions.Deleted, path, fields, nil)
	}
	if got := trends(); got != 0 {
		t.Errorf("%d tags are trends, and one account uses the tag", got)
	}
}
