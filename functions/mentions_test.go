package functions_test

import (
	"net/http"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// The notification of one user takes no more. All others whom the tweet mentions are told, once,
// and the event comes again until that user is told too.
func TestMentionOfMany(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	raw := testenv.Client(t, s.project)
	now := time.Now().UTC().Truncate(time.Microsecond)
	tweet := &model.Tweet{ID: model.NewTweetIDs(time.Now).Next("ann"), AuthorID: "ann", CreatedAt: now,
		Mentions: map[string]time.Time{}}
	mentions := map[string]*firestoredata.Value{}
	users := []model.UserID{"a", "b", "c"} // told in this order
	for _, uid := range users {
		tweet.Mentions[string(uid)] = now
		mentions[string(uid)] = moment(now)
	}
	full := raw.Collection(model.Users).Doc("a").Collection(model.NotificationLists).Doc(model.NewestList)
	_, err := full.Set(t.Context(), map[string]any{"expireAt": now.Add(model.NotificationWindow)})
	testenv.Must(t, err)
	storetest.Fill(t, full)
	e := changed(s.project, functions.Created, model.Tweets+"/"+string(tweet.ID), nil, map[string]*firestoredata.Value{
		"authorId": text("ann"), "createdAt": moment(now),
		"mentions": {ValueType: &firestoredata.Value_MapValue{MapValue: &firestoredata.MapValue{Fields: mentions}}},
	})
	check := func(what string, status int, told ...bool) {
		t.Helper()
		if got := e.post(t, s.url+"/TweetChanged"); got != status {
			t.Errorf("%s: answered %d, want %d", what, got, status)
		}
		for i, uid := range users {
			_, err := s.db.NotificationEvents.NotificationEvent(t.Context(), model.MentionNotificationEvent(tweet, uid).ID)
			if err != nil && errs.KindOf(err) != errs.NotFound {
				t.Fatal(err)
			}
			if got := err == nil; got != told[i] {
				t.Errorf("%s: the log has a notice of %s: %v, want %v", what, uid, got, told[i])
			}
			if i == 0 {
				continue
			}
			page, _, err := s.db.NotificationEvents.Notifications(t.Context(), uid, nil, model.Cursor{}, 10)
			testenv.Must(t, err)
			if len(page.Items) != 1 || page.Items[0].CountTweets != 1 {
				t.Errorf("%s: %s has the notifications %+v, want one of one tweet", what, uid, page.Items)
			}
		}
	}
	check("a notification is full", http.StatusInternalServerError, false, true, true)
	_, err = full.Update(t.Context(), []firestore.Update{{Path: "ballast", Value: firestore.Delete}})
	testenv.Must(t, err)
	check("there is room again", http.StatusNoContent, true, true, true)
}
