package functions_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// dead lists the dead letters of a server, whole, the latest first.
func (s *server) dead(t *testing.T) []*model.DeadLetter {
	t.Helper()
	page, err := s.db.DeadLetters.List(t.Context(), model.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	var all []*model.DeadLetter
	for _, listed := range page.Items {
		whole, err := s.db.DeadLetters.Get(t.Context(), listed.ID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, whole)
	}
	return all
}

// An event that a function cannot read is kept as it came, once however often it comes.
func TestPoisonIsKept(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	garbage := s.like("aa0000000000000001")
	garbage.id, garbage.body = "a/b_c", []byte("no protobuf")
	wrong := changed(s.project, functions.Created, "likes/bob_aa0000000000000001", nil, map[string]*firestoredata.Value{
		"userId": {ValueType: &firestoredata.Value_IntegerValue{IntegerValue: 7}},
	})
	happened := time.Date(2026, time.June, 15, 12, 0, 0, 0, time.UTC)
	garbage.at, wrong.at = happened, happened
	before := time.Now().Add(-time.Minute)
	for _, e := range []event{garbage, wrong, wrong} {
		if got := e.post(t, s.url+"/LikeChanged"); got != http.StatusNoContent {
			t.Errorf("answered %d, want %d", got, http.StatusNoContent)
		}
	}

	want := func(e event, function, cause string) *model.DeadLetter {
		return &model.DeadLetter{
			ID: model.IdempotencyRecordKey(e.id, function), EventID: e.id, Function: function, Type: string(functions.Written),
			Subject: "documents/" + e.document, Source: "//firestore.googleapis.com/projects/" + s.project +
				"/databases/(default)",
			Time: happened, Data: e.body, Cause: cause,
		}
	}
	got := s.dead(t)
	diff := cmp.Diff([]*model.DeadLetter{want(wrong, "LikeChanged", "userId"),
		want(garbage, "LikeChanged", "proto")}, got,
		cmpopts.IgnoreFields(model.DeadLetter{}, "DiedAt", "ExpireAt", "Version"),
		cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Cause" },
			cmp.Comparer(func(a, b string) bool { return strings.Contains(b, a) || strings.Contains(a, b) })))
	if diff != "" {
		t.Fatalf("dead letters (-want +got):\n%s", diff)
	}
	for _, e := range got {
		if e.DiedAt.Before(before) || e.DiedAt.After(time.Now().Add(time.Minute)) ||
			!e.ExpireAt.Equal(e.DiedAt.Add(31*24*time.Hour)) {
			t.Errorf("%s died at %v and expires at %v", e.ID, e.DiedAt, e.ExpireAt)
		}
	}
}

// Too much data is not kept, but that there was an event is.
func TestLargePoison(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for id, size := range map[string]int{"fits": model.MaxDeadLetterData, "large": model.MaxDeadLetterData + 1,
		"largest": functions.MaxEventBytes} {
		e := s.like("aa0000000000000001")
		e.id, e.body = id, []byte(strings.Repeat("x", size))
		if got := e.post(t, s.url+"/LikeChanged"); got != http.StatusNoContent {
			t.Errorf("%s: answered %d, want %d", id, got, http.StatusNoContent)
		}
		dead, err := s.db.DeadLetters.Get(t.Context(), model.IdempotencyRecordKey(id, "LikeChanged"))
		if err != nil {
			t.Fatal(err)
		}
		if fits := id == "fits"; dead.Truncated == fits || (len(dead.Data) == size) != fits || len(dead.Data) > 0 != fits {
			t.Errorf("%s: of %d bytes %d are kept, truncated %v", id, size, len(dead.Data), dead.Truncated)
		}
		err = functions.Replay(t.Context(), s.db, functions.Address{URL: s.url}, dead.ID, false)
		if got, want := errs.CodeOf(err), map[bool]string{true: "buried_again",
			false: "data_not_kept"}[id == "fits"]; got != want {
			t.Errorf("%s: replay says %s, want %s", id, got, want)
		}
	}
}

// A poison event that cannot be kept is to be delivered again.
func TestPoisonThatCannotBeKept(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	closed, err := store.Open(t.Context(), s.project, "", store.Options{Emulator: testenv.FirestoreHost(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	broken := httptest.NewServer(functions.Handler(closed, slog.New(slog.NewJSONHandler(s, nil))))
	defer broken.Close()
	e := s.like("aa0000000000000001")
	e.body = []byte("no protobuf")
	if got := e.post(t, broken.URL+"/LikeChanged"); got != http.StatusInternalServerError {
		t.Errorf("answered %d, want %d", got, http.StatusInternalServerError)
	}
	if got := s.logged(t, "LikeChanged"); len(got) != 1 || got[0] != "event failed" {
		t.Errorf("logged %q", got)
	}
}

// A letter goes when its function has handled it, and only then.
func TestReplay(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	tweet := newTweet(t, s.db)
	good := s.like(tweet)
	bad := good
	bad.body = []byte("no protobuf")
	bad.post(t, s.url+"/LikeChanged")
	id := model.IdempotencyRecordKey(good.id, "LikeChanged")
	replay := func(url, wantCode string) {
		t.Helper()
		err := functions.Replay(t.Context(), s.db, functions.Address{URL: url}, id, false)
		if got := errs.CodeOf(err); (err == nil) != (wantCode == "") || err != nil && got != wantCode {
			t.Fatalf("Replay = %v, want %q", err, wantCode)
		}
		kept := wantCode == "buried_again" || wantCode == "unavailable"
		if letters := s.dead(t); (len(letters) == 1) != kept {
			t.Fatalf("after %q there are %d letters", wantCode, len(letters))
		}
	}
	first := s.dead(t)[0]
	replay(s.url, "buried_again") // neither event nor function has changed
	if diff := cmp.Diff(first, s.dead(t)[0], cmpopts.IgnoreFields(model.DeadLetter{}, "DiedAt", "ExpireAt",
		"Version")); diff != "" {
		t.Errorf("the letter that died again in a replay (-before +after):\n%s", diff)
	}
	replay(s.url+"/nowhere", "unavailable")
	down := httptest.NewServer(nil)
	down.Close()
	replay(down.URL, "unavailable")
	wantLikes(t, s.db, tweet, 0)

	// The event is mended, as if the function could read it now.
	letter := s.dead(t)[0]
	letter.Data = good.body
	if err := s.db.DeadLetters.Bury(t.Context(), *letter); err != nil {
		t.Fatal(err)
	}
	replay(s.url, "")
	wantLikes(t, s.db, tweet, 1)
	replay(s.url, "dead_letter_not_found")

	// It was the same event all along: another delivery of it counts no more.
	if got := good.post(t, s.url+"/LikeChanged"); got != http.StatusNoContent {
		t.Errorf("answered %d, want %d", got, http.StatusNoContent)
	}
	wantLikes(t, s.db, tweet, 1)
}

// Nobody can report whether an old event had its effect, so a replay of it must be forced.
func TestReplayOfAnOldEvent(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	tweet := newTweet(t, s.db)
	tests := []struct {
		age  time.Duration
		want string // in the refusal; "" for none
	}{
		{23 * time.Hour, ""},
		{25*time.Hour + time.Minute, "25 hours old"},
		{3*24*time.Hour + time.Minute, "3 days old"},
	}
	for i, test := range tests {
		bad := s.like(tweet)
		good := bad.body
		bad.id, bad.body, bad.at = "of-"+test.age.String(), []byte("no protobuf"), time.Now().Add(-test.age)
		bad.post(t, s.url+"/LikeChanged")
		letter := s.dead(t)[0]
		replay := func(force bool, wantCode string) error {
			t.Helper()
			err := functions.Replay(t.Context(), s.db, functions.Address{URL: s.url}, letter.ID, force)
			if got := errs.CodeOf(err); (err == nil) != (wantCode == "") || err != nil && got != wantCode {
				t.Errorf("%s: Replay = %v, want %q", test.age, err, wantCode)
			}
			return err
		}
		if test.want != "" {
			err := replay(false, "effect_forgotten")
			if text := errs.PublicText(err); !strings.Contains(text, test.want) || !strings.Contains(text, "24 hours") {
				t.Errorf("%s: the refusal says %q, want %q and the window", test.age, text, test.want)
			}
			if diff := cmp.Diff(letter, s.dead(t)[0]); diff != "" {
				t.Errorf("%s: a refused replay changed the letter (-before +after):\n%s", test.age, diff)
			}
		}
		// The letter that dies again is as old as before.
		replay(true, "buried_again")
		if test.want != "" {
			replay(false, "effect_forgotten")
		}
		letter.Data = good
		if err := s.db.DeadLetters.Bury(t.Context(), *letter); err != nil {
			t.Fatal(err)
		}
		replay(test.want != "", "")
		wantLikes(t, s.db, tweet, int64(i+1))
	}
}
