package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestDeadLetters(t *testing.T) {
	t.Parallel()
	firestore, project := testenv.FirestoreHost(t), testenv.Project(t)
	db, err := store.Open(t.Context(), project, "", store.Options{Emulator: firestore})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	run := func(want int, args ...string) string {
		t.Helper()
		p := hibana(t, []string{firestoreEnv + "=" + firestore, "GOOGLE_CLOUD_PROJECT=" + project},
			append([]string{"deadletters"}, args...)...)
		p.ends(want)
		return p.out.String() + p.errout.String()
	}
	wantText(t, run(0), "no dead letters")
	if got := run(0, "list", "--json"); strings.TrimSpace(got) != "[]" {
		t.Errorf("--json of nothing = %s", got)
	}

	// Two events die: one is garbage, the other has a wrong type in it.
	if _, err := db.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann", Nickname: "Ann"}); err != nil {
		t.Fatal(err)
	}
	tweet, err := db.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "x", AllowLikes: true}, model.Request{})
	if err != nil {
		t.Fatal(err)
	}
	path := "likes/bob_" + string(tweet.ID)
	like := func(user *firestoredata.Value) []byte {
		body, err := proto.Marshal(&firestoredata.DocumentEventData{Value: &firestoredata.Document{
			Name: "projects/" + project + "/databases/(default)/documents/" + path,
			Fields: map[string]*firestoredata.Value{
				"userId": user, "tweetId": {ValueType: &firestoredata.Value_StringValue{StringValue: string(tweet.ID)}},
				"authorId":  {ValueType: &firestoredata.Value_StringValue{StringValue: "ann"}},
				"createdAt": {ValueType: &firestoredata.Value_TimestampValue{TimestampValue: timestamppb.Now()}},
			},
		}})
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	wrong := like(&firestoredata.Value{ValueType: &firestoredata.Value_IntegerValue{IntegerValue: 7}})
	right := like(&firestoredata.Value{ValueType: &firestoredata.Value_StringValue{StringValue: "bob"}})
	served := httptest.NewServer(functions.Handler(db, slog.New(slog.DiscardHandler)))
	defer served.Close()
	for id, body := range map[string][]byte{"garbage": []byte("no protobuf"), "wrong": wrong} {
		postEvent(t, project, served.URL+"/LikeChanged", id, path, time.Now(), body)
	}
	wantText(t, run(0), "DIED", "garbage_LikeChanged", "wrong_LikeChanged", path, "written", ": userId:")
	var listed []letter
	if err := json.Unmarshal([]byte(run(0, "--json")), &listed); err != nil || len(listed) != 2 {
		t.Fatalf("--json lists %+v, %v", listed, err)
	}
	var shown letter
	if err := json.Unmarshal([]byte(run(0, "show", "wrong_LikeChanged")), &shown); err != nil {
		t.Fatal(err)
	}
	if shown.EventID != "wrong" || shown.Function != "LikeChanged" || shown.Subject != "documents/"+path ||
		shown.DiedAt.IsZero() || !strings.Contains(string(shown.Change), `"integerValue"`) {
		t.Errorf("shown: %+v, change %s", shown, shown.Change)
	}
	if err := json.Unmarshal([]byte(run(0, "show", "garbage_LikeChanged")), &shown); err != nil ||
		string(shown.Data) != "no protobuf" {
		t.Errorf("shown: %q, %v", shown.Data, err)
	}
	wantText(t, run(1, "show", "never_LikeChanged"), "there is no dead letter")

	// They die again, also elsewhere.
	wantText(t, run(1, "replay", "--all"), "garbage_LikeChanged: this event died again",
		"wrong_LikeChanged: this event died again", "0 handled, 2 not")
	wantText(t, run(1, "replay", "wrong_LikeChanged", "--functions-url", served.URL+"/"), "died again")
	wantText(t, run(1, "replay", "wrong_LikeChanged", "--functions-url", served.URL+"/nowhere"), "404")
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer a.b.c" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		functions.Handler(db, slog.New(slog.DiscardHandler)).ServeHTTP(w, r)
	}))
	defer private.Close()
	wantText(t, run(1, "replay", "wrong_LikeChanged", "--functions-url", private.URL), "403")
	wantText(t, run(1, "replay", "wrong_LikeChanged", "--functions-url", private.URL, "--token", "a.b.c"), "died again")
	wantText(t, run(1, "replay", "wrong_LikeChanged", "--functions-url", "http://functions.example.com", "--token",
		"a.b.c"),
		"https")
	wantText(t, run(1, "replay"), "--all")
	wantText(t, run(1, "replay", "--all", "wrong_LikeChanged"), "--all")

	// One is mended, as a new version of the function would understand it.
	dead, err := db.DeadLetters.Get(t.Context(), "wrong_LikeChanged")
	if err != nil {
		t.Fatal(err)
	}
	dead.Data = right
	if err := db.DeadLetters.Bury(t.Context(), *dead); err != nil {
		t.Fatal(err)
	}
	wantText(t, run(1, "replay", "--all"), "wrong_LikeChanged: handled", "garbage_LikeChanged: this event died again",
		"1 handled, 1 not")
	wantText(t, run(1, "replay", "wrong_LikeChanged"), "there is no dead letter")
	if got, err := db.Tweets.Tweet(t.Context(), tweet.ID, model.Viewer{}); err != nil || got.LikeCount != 1 {
		t.Errorf("the tweet has %d likes (%v), want 1", got.LikeCount, err)
	}
	if got := run(0); strings.Contains(got, "wrong_LikeChanged") {
		t.Errorf("the letter that was handled is still there:\n%s", got)
	}

	// One is too old for a replay that is not forced.
	postEvent(t, project, served.URL+"/LikeChanged", "old", path, time.Now().Add(-50*time.Hour), right[:1])
	wantText(t, run(1, "replay", "--all"), "old_LikeChanged: this event is 2 days old",
		"garbage_LikeChanged: this event died again")
	wantText(t, run(1, "replay", "--force", "old_LikeChanged"), "old_LikeChanged: this event died again")

	event := model.NewNotificationEvent("1", model.NotificationLike, "ann", model.NotificationEventPayload{UserID: "bob",
		TweetID: tweet.ID}, time.Now().UTC().Truncate(time.Microsecond))
	if err := db.NotificationEvents.Notify(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	var found map[string]any
	if err := json.Unmarshal([]byte(run(0, "lookup", event.ID)), &found); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"id": event.ID, "type": "like", "userId": "ann", "by": "bob", "tweetId": string(tweet.ID), "pending": false,
		"at": event.At.Format(time.RFC3339Nano), "expireAt": event.ExpireAt.Format(time.RFC3339Nano),
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("lookup (-want +got):\n%s", diff)
	}
	wantText(t, run(1, "lookup", "x"), "29")
	wantText(t, run(1, "lookup", strings.Repeat("0", 29)), "there is no event")
}

// postEvent delivers an event about a document that was created.
func postEvent(t *testing.T, project, url, id, path string, at time.Time, body []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/protobuf", "ce-specversion": "1.0", "ce-id": id, "ce-type": string(functions.Written),
		"ce-source":  "//firestore.googleapis.com/projects/" + project + "/databases/(default)",
		"ce-subject": "documents/" + path, "ce-time": at.Format(time.RFC3339),
	} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		t.Fatalf("the function answered %s", resp.Status)
	}
}
