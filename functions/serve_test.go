package functions_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/callers"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// event is an event as Eventarc sends it.
type event struct {
	id       string
	kind     functions.EventType
	project  string
	document string
	body     []byte            // firestoredata.DocumentEventData
	at       time.Time         // now if zero
	headers  map[string]string // in place of those that follow from the rest; "" for none
}

// changed is an event of a document in a project; either version may be nil.
func changed(project string, kind functions.EventType, document string, before,
	after map[string]*firestoredata.Value) event {
	for _, f := range functions.Table { // a trigger of Written says no other type
		if collection, _, _ := strings.Cut(f.Document, "/"); strings.HasPrefix(document, collection+"/") &&
			slices.Contains(f.On, functions.Written) {
			kind = functions.Written
		}
	}
	data := &firestoredata.DocumentEventData{}
	name := "projects/" + project + "/databases/(default)/documents/" + document
	if before != nil {
		data.OldValue = &firestoredata.Document{Name: name, Fields: before}
	}
	if after != nil {
		data.Value = &firestoredata.Document{Name: name, Fields: after}
	}
	body, err := proto.Marshal(data)
	if err != nil {
		panic(err)
	}
	return event{id: "event-of-" + string(kind) + "-" + document, kind: kind, project: project, document: document,
		body: body}
}

func text(s string) *firestoredata.Value {
	return &firestoredata.Value{ValueType: &firestoredata.Value_StringValue{StringValue: s}}
}

func number(n int64) *firestoredata.Value {
	return &firestoredata.Value{ValueType: &firestoredata.Value_IntegerValue{IntegerValue: n}}
}

func moment(t time.Time) *firestoredata.Value {
	return &firestoredata.Value{ValueType: &firestoredata.Value_TimestampValue{TimestampValue: timestamppb.New(t)}}
}

// post delivers the event to a URL and returns the status of the answer.
func (e event) post(t testing.TB, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(e.body))
	if err != nil {
		t.Fatal(err)
	}
	headers := map[string]string{
		"Content-Type": "application/protobuf", "ce-specversion": "1.0", "ce-id": e.id, "ce-type": string(e.kind),
		"ce-source": "//firestore.googleapis.com/projects/" + e.project + "/databases/(default)", "ce-subject": "documents/" +
			e.document,
		"ce-project": e.project, "ce-database": "(default)", "ce-document": e.document,
		"ce-time": cmp.Or(e.at, time.Now()).Format(time.RFC3339Nano),
	}
	maps.Copy(headers, e.headers)
	for name, value := range headers {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode
}

// server serves the functions on a database of their own.
type server struct {
	project string
	db      *store.Store
	url     string

	mu      sync.Mutex
	log     bytes.Buffer
	uploads []functions.Upload // that MediaUploaded had
	left    time.Duration      // until the deadline of the last one
	failing int                // how many uploads fail before one does not
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{project: testenv.Project(t)}
	var err error
	s.db, err = store.Open(t.Context(), s.project, "", store.Options{Emulator: testenv.FirestoreHost(t),
		Meter: strict.Meter(t, meter.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.db.Close() })
	h := httptest.NewServer((&functions.Service{Store: s.db, Log: slog.New(slog.NewJSONHandler(s, nil)),
		UploadsBucket: "gs://" + s.project + "-uploads", Uploaded: s.upload}).Handler())
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

// upload takes an upload.
func (s *server) upload(ctx context.Context, u functions.Upload) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	deadline, _ := ctx.Deadline()
	s.left = time.Until(deadline)
	if s.failing > 0 {
		s.failing--
		return errors.New("the file cannot be read now")
	}
	s.uploads = append(s.uploads, u)
	return nil
}

// Write takes a line of the log.
func (s *server) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(line)
}

// logged returns the messages about a function, and forgets them.
func (s *server) logged(t *testing.T, function string) (messages []string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(s.log.String()) {
		var entry struct{ Msg, Function, Error string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry.Function == function {
			messages = append(messages, entry.Msg)
		}
		if (entry.Error == "") != (entry.Msg == "event handled") {
			t.Errorf("line without its cause: %s", line)
		}
	}
	s.log.Reset()
	return messages
}

// The process lives without its database, but is not ready.
func TestHealth(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	down := httptest.NewServer(nil)
	db, err := store.Open(t.Context(), "demo-down", "", store.Options{Emulator: strings.TrimPrefix(down.URL, "http://")})
	down.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	alone := httptest.NewServer(functions.Handler(db, slog.New(slog.DiscardHandler)))
	defer alone.Close()
	tests := []struct {
		url  string
		want int
	}{
		{s.url + "/health", http.StatusOK},
		{s.url + "/ready", http.StatusOK},
		{alone.URL + "/health", http.StatusOK},
		{alone.URL + "/ready", http.StatusServiceUnavailable},
		{s.url + "/healthz", http.StatusNotFound},
	}
	for _, test := range tests {
		var resp *http.Response
		var body []byte
		for range 10 { // a machine that is busy may take longer than the 2 s of a probe
			if resp, err = http.Get(test.url); err != nil {
				t.Fatal(err)
			}
			body, err = io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode == test.want {
				break
			}
		}
		if err != nil || resp.StatusCode != test.want || strings.Contains(string(body), "127.0.0.1") {
			t.Errorf("GET %s = %d %q, %v; want %d", test.url, resp.StatusCode, body, err, test.want)
		}
	}
}

// An event that fails the same way every time is acknowledged, or it would come back
// for a day, and logged as an error.
func TestPoison(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const tweetID = "0000000000000000aa"
	tweet := func(name string, v *firestoredata.Value) event {
		return changed(s.project, functions.Created, "tweets/"+tweetID, nil, map[string]*firestoredata.Value{
			"authorId": text("ann"), name: v})
	}
	garbage := changed(s.project, functions.Created, "tweets/"+tweetID, nil, nil)
	garbage.body = []byte("no protobuf")
	tests := map[string]event{
		"garbage":     garbage,
		"no document": changed(s.project, functions.Created, "tweets/"+tweetID, nil, nil),
		"number for text": tweet("authorId", &firestoredata.Value{ValueType: &firestoredata.Value_IntegerValue{
			IntegerValue: 1}}),
		"text for a time": tweet("createdAt", text("yesterday")),
		"text for a map":  tweet("tags", text("go")),
		"text in a map": tweet("tags", &firestoredata.Value{ValueType: &firestoredata.Value_MapValue{
			MapValue: &firestoredata.MapValue{Fields: map[string]*firestoredata.Value{"go": text("now")}}}}),
		"list for text":    tweet("authorId", &firestoredata.Value{ValueType: &firestoredata.Value_ArrayValue{}}),
		"value of no type": tweet("authorId", &firestoredata.Value{}),
		"number for a flag": tweet("allowLikes", &firestoredata.Value{ValueType: &firestoredata.Value_IntegerValue{
			IntegerValue: 1}}),
	}
	for name, e := range tests {
		if got := e.post(t, s.url+"/TweetChanged"); got != http.StatusNoContent {
			t.Errorf("%s: answered %d, want %d", name, got, http.StatusNoContent)
		}
		if got := s.logged(t, "TweetChanged"); len(got) != 1 || !strings.Contains(got[0], "poison") {
			t.Errorf("%s: logged %q", name, got)
		}
	}
}

// An event whose effect could not be written is to be delivered again, and then has it.
func TestFailureIsDeliveredAgain(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	tweet := newTweet(t, s.db)
	e := s.like(tweet)
	closed, err := store.Open(t.Context(), s.project, "", store.Options{Emulator: testenv.FirestoreHost(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	broken := httptest.NewServer(functions.Handler(closed, slog.New(slog.NewJSONHandler(s, nil))))
	defer broken.Close()
	if got := e.post(t, broken.URL+"/LikeChanged"); got != http.StatusInternalServerError {
		t.Errorf("without a database: answered %d, want %d", got, http.StatusInternalServerError)
	}
	if got := s.logged(t, "LikeChanged"); len(got) != 1 || got[0] != "event failed" {
		t.Errorf("without a database: logged %q", got)
	}
	if got := e.post(t, s.url+"/LikeChanged"); got != http.StatusNoContent {
		t.Errorf("delivered again: answered %d, want %d", got, http.StatusNoContent)
	}
	wantLikes(t, s.db, tweet, 1)
}

func TestDuplicatesCountOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	tweet := newTweet(t, s.db)
	var wg sync.WaitGroup
	like := s.like(tweet)
	for range 8 {
		wg.Go(func() {
			if got := like.post(t, s.url+"/LikeChanged"); got != http.StatusNoContent {
				t.Errorf("answered %d, want %d", got, http.StatusNoContent)
			}
		})
	}
	wg.Wait()
	wantLikes(t, s.db, tweet, 1)
	unlike := changed(s.project, functions.Deleted, model.Likes+"/bob_"+string(tweet), likeFields(tweet), nil)
	unlike.id = "another"
	for range 2 {
		unlike.post(t, s.url+"/LikeChanged")
	}
	wantLikes(t, s.db, tweet, 0)
}

func TestNotAnEvent(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	tweet := newTweet(t, s.db)
	large := s.like(tweet)
	large.body = append(large.body, make([]byte, functions.MaxEventBytes)...)
	unnamed, nowhere := s.like(tweet), s.like(tweet)
	unnamed.id = ""
	nowhere.headers = map[string]string{"ce-source": ""}
	for name, e := range map[string]event{"too large": large, "no id": unnamed, "no source": nowhere} {
		if got := e.post(t, s.url+"/LikeChanged"); got < 400 || got > 499 {
			t.Errorf("%s: answered %d, want 4xx", name, got)
		}
	}
	wantLikes(t, s.db, tweet, 0)
}

// like is the event of somebody's liking a tweet.
func (s *server) like(tweet model.TweetID) event {
	return changed(s.project, functions.Created, model.Likes+"/bob_"+string(tweet), nil, likeFields(tweet))
}

func likeFields(tweet model.TweetID) map[string]*firestoredata.Value {
	return map[string]*firestoredata.Value{
		"userId": text("bob"), "tweetId": text(string(tweet)), "authorId": text("ann"), "createdAt": moment(time.Now()),
	}
}

func newTweet(t *testing.T, db *store.Store) model.TweetID {
	t.Helper()
	if _, err := db.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann", Nickname: "Ann"}); err != nil {
		t.Fatal(err)
	}
	tweet, err := db.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "x", AllowLikes: true}, model.Request{})
	if err != nil {
		t.Fatal(err)
	}
	return tweet.ID
}

func wantLikes(t *testing.T, db *store.Store, id model.TweetID, want int64) {
	t.Helper()
	// A counter that moves this fast stands in shards until it is rolled up.
	if _, err := db.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tweets,
		ID: string(id)}); err != nil {
		t.Fatal(err)
	}
	tweet, err := db.Tweets.Tweet(t.Context(), id, model.Viewer{})
	if err != nil {
		t.Fatal(err)
	}
	if tweet.LikeCount != want {
		t.Errorf("likeCount = %d, want %d", tweet.LikeCount, want)
	}
}

// A caller that is not known starts nothing: neither an event nor the clock is looked at. Probes
// are answered to everybody.
func TestUnknownCaller(t *testing.T) {
	t.Parallel()
	google := testenv.NewGoogle(t)
	const account = "hibana-triggers@p.iam.gserviceaccount.com"
	known, err := callers.New(t.Context(), []string{account}, "https://functions.example", google.Client())
	testenv.Must(t, err)
	s := newServer(t)
	server := httptest.NewServer((&functions.Service{Store: s.db, Log: slog.New(slog.DiscardHandler),
		Caller: known.Check}).Handler())
	t.Cleanup(server.Close)
	e := changed(s.project, functions.Created, "likes/ann_931a20443cfca43000", nil, map[string]*firestoredata.Value{
		"userId": text("ann"), "tweetId": text("931a20443cfca43000")})
	for name, test := range map[string]struct {
		authorization string
		want          int
	}{
		"nobody": {"", http.StatusUnauthorized},
		"another account": {"Bearer " + google.Token(t, "hibana-api@p.iam.gserviceaccount.com", "https://functions.example",
			nil), http.StatusUnauthorized},
		"the triggers": {"Bearer " + google.Token(t, account, "https://functions.example/LikeChanged", nil),
			http.StatusNoContent},
	} {
		e.headers = map[string]string{"Authorization": test.authorization}
		if status := e.post(t, server.URL+"/LikeChanged"); status != test.want {
			t.Errorf("%s sends an event: %d, want %d", name, status, test.want)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/"+functions.Tick, nil)
		testenv.Must(t, err)
		req.Header.Set("Authorization", test.authorization)
		answer, err := http.DefaultClient.Do(req)
		testenv.Must(t, err)
		answer.Body.Close()
		if answer.StatusCode != test.want {
			t.Errorf("%s calls the clock: %d, want %d", name, answer.StatusCode, test.want)
		}
	}
	for _, probe := range []string{"/health", "/ready"} {
		answer, err := http.Get(server.URL + probe)
		testenv.Must(t, err)
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s answers %d", probe, answer.StatusCode)
		}
	}
}
