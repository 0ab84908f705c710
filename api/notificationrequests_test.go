package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// The requests come in pages, the newest first, without senders whom the caller blocks or mutes, and without those who
// are gone. Nobody sees the requests of another.
func TestNotificationRequests(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	var senders []person
	for n := range 6 {
		senders = append(senders, e.join(t, fmt.Sprint("sender_", n)))
	}
	begin := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	var filtered model.NotificationRequests
	add := func(by model.UserID, kind model.NotificationKind, tweet model.TweetID, after time.Duration) {
		filtered.Add(model.FactNotificationEvent(kind, ann.id, model.NotificationEventPayload{UserID: by, TweetID: tweet},
			begin.Add(after)))
	}
	for n, by := range senders {
		add(by.id, model.NotificationFollow, "", time.Duration(n)*time.Minute)
	}
	add(senders[0].id, model.NotificationLike, "00000000000000aa", 30*time.Minute)
	add("gone", model.NotificationFollow, "", time.Minute)
	_, err := e.admin.Doc("notificationRequests/"+string(ann.id)).Set(t.Context(), filtered)
	testenv.Must(t, err)
	e.do(t, "PUT", "/v1/users/"+string(senders[1].id)+"/mute", ann.token, map[string]any{}).
		want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", "/v1/users/"+string(senders[2].id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)

	path := "/v1/users/me/notificationRequests"
	var got []model.UserID
	var first api.NotificationRequest
	for token, pages := "", 0; pages == 0 || token != ""; pages++ {
		var page server.List[api.NotificationRequest]
		e.do(t, "GET", path+"?pageSize=2&pageToken="+token, ann.token, nil).want(t, http.StatusOK, &page)
		for _, r := range page.Items {
			got = append(got, r.User.ID)
		}
		if pages == 0 && len(page.Items) > 0 {
			first = page.Items[0]
		}
		if token = page.NextPageToken; pages > 5 || len(page.Items) > 2 {
			t.Fatalf("page %d has %d items", pages, len(page.Items))
		}
	}
	want := []model.UserID{senders[0].id, senders[5].id, senders[4].id, senders[3].id}
	if !slices.Equal(got, want) {
		t.Errorf("the requests are of %q, want %q", got, want)
	}
	if events := first.Events; len(events) != 2 || events[0].Type != model.NotificationLike ||
		events[0].TweetID != "00000000000000aa" || events[1].Type != model.NotificationFollow ||
		!first.LastAt.Equal(begin.Add(30*time.Minute)) || !events[1].At.Equal(begin) {
		t.Errorf("the first request is %+v", first)
	}
	var others server.List[api.NotificationRequest]
	e.do(t, "GET", path, bob.token, nil).want(t, http.StatusOK, &others)
	if len(others.Items) != 0 {
		t.Errorf("bob sees %+v", others.Items)
	}

	var policy api.NotificationPolicy
	for _, uid := range want[:2] {
		e.do(t, "POST", path+"/"+string(uid)+"/accept", ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	e.do(t, "POST", path+"/"+string(want[0])+"/accept", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", "/v1/users/me/settings/notificationPolicy", ann.token, nil).want(t, http.StatusOK, &policy)
	if !slices.Equal(policy.AcceptedSenders, []model.UserID{want[1], want[0]}) {
		t.Errorf("the accepted senders are %q", policy.AcceptedSenders)
	}
	e.do(t, "DELETE", path+"/"+string(want[0])+"/accept", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PATCH", "/v1/users/me/settings/notificationPolicy", ann.token,
		map[string]any{"newAccounts": "drop"}).want(t, http.StatusOK, &policy)
	if policy.NewAccounts != model.SenderDrop || policy.NotFollowed != model.SenderAccept ||
		!slices.Equal(policy.AcceptedSenders, want[1:2]) {
		t.Errorf("the policy is %+v", policy)
	}
}
