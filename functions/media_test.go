package functions_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// file is the event of a new file, as Eventarc sends it for a bucket.
func file(bucket, name, generation, size string) event {
	body, err := json.Marshal(map[string]any{
		"kind": "storage#object", "id": bucket + "/" + name + "/" + generation, "name": name, "bucket": bucket,
		"generation": generation, "metageneration": "1", "contentType": "image/png",
		"timeCreated": "2026-11-15T12:00:00.123Z", "updated": "2026-11-15T12:00:00.123Z", "storageClass": "STANDARD",
		"timeStorageClassUpdated": "2026-11-15T12:00:00.123Z", "size": size, "md5Hash": "XrY7u+Ae7tCTyyK7j1rNww==",
		"mediaLink": "https://storage.googleapis.com/download", "crc32c": "yZRlqg==", "etag": "CL",
	})
	if err != nil {
		panic(err)
	}
	return event{id: "file-" + name + "-" + generation, kind: functions.Finalized, body: body, headers: map[string]string{
		"Content-Type": "application/json; charset=utf-8",
		"ce-source":    "//storage.googleapis.com/projects/_/buckets/" + bucket,
		"ce-subject":   "objects/" + name, "ce-bucket": bucket, "ce-project": "", "ce-database": "", "ce-document": "",
	}}
}

func TestMediaUploaded(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	bucket := s.project + "-uploads"
	good := file(bucket, "one/two", "1763208000123456", "12")
	s.failing = 1
	for _, want := range []int{http.StatusInternalServerError, http.StatusNoContent, http.StatusNoContent} {
		if got := good.post(t, s.url+"/MediaUploaded"); got != want {
			t.Errorf("answered %d, want %d", got, want)
		}
	}
	if s.left <= functions.Timeout || s.left > functions.FileTimeout {
		t.Errorf("a file has %v, want up to %v, more than a document", s.left, functions.FileTimeout)
	}
	bare := good
	bare.headers = map[string]string{}
	for name, value := range good.headers {
		bare.headers[name] = value
	}
	bare.headers["ce-bucket"] = "" // the source names it too
	if got := bare.post(t, s.url+"/MediaUploaded"); got != http.StatusNoContent {
		t.Errorf("without the attribute bucket: answered %d", got)
	}
	want := functions.Upload{Name: "one/two", Generation: 1763208000123456, Size: 12}
	if !slices.Equal(s.uploads, []functions.Upload{want, want, want}) {
		t.Errorf("uploads are %+v, want %+v three times", s.uploads, want)
	}
}

func TestMisfitsOfBuckets(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	bucket := s.project + "-uploads"
	good := file(bucket, "one", "7", "12")
	with := func(body event, headers ...string) event {
		e := file(bucket, "one", "7", "12")
		e.body = body.body
		for i := 0; i < len(headers); i += 2 {
			e.headers[headers[i]] = headers[i+1]
		}
		return e
	}
	for name, e := range map[string]event{
		"another bucket":                file(s.project+"-media", "one", "7", "12"),
		"another bucket in the source":  with(good, "ce-source", "//storage.googleapis.com/projects/_/buckets/"+s.project),
		"a project in the source":       with(good, "ce-source", "//storage.googleapis.com/projects/p/buckets/"+bucket),
		"another service":               with(good, "ce-source", "//firestore.googleapis.com/projects/_/buckets/"+bucket),
		"another bucket as attribute":   with(good, "ce-bucket", "media"),
		"the data of another bucket":    with(file(s.project+"-media", "one", "7", "12")),
		"the data of another file":      with(file(bucket, "two", "7", "12")),
		"another type":                  with(good, "ce-type", "google.cloud.storage.object.v1.deleted"),
		"the type of a document":        with(good, "ce-type", string(functions.Created)),
		"a subject of no file":          with(good, "ce-subject", "one"),
		"an empty name":                 with(file(bucket, "", "7", "12"), "ce-subject", "objects/"),
		"a document with the data":      with(good, "ce-subject", "documents/one"),
		"a source that is only a piece": with(good, "ce-source", "//storage.googleapis.com/projects/_/buckets/"),
	} {
		if got := e.post(t, s.url+"/MediaUploaded"); got != http.StatusBadRequest {
			t.Errorf("%s: answered %d, want %d", name, got, http.StatusBadRequest)
		}
		if got := s.logged(t, "MediaUploaded"); len(got) != 1 || got[0] != "event refused" {
			t.Errorf("%s: logged %q, want that it is refused", name, got)
		}
	}
	if got := good.post(t, s.url+"/LikeChanged"); got != http.StatusBadRequest {
		t.Errorf("a function of documents answered %d to a file", got)
	}
	if letters := s.dead(t); len(letters) > 0 || len(s.uploads) > 0 {
		t.Errorf("misfits left %d letters and %d uploads", len(letters), len(s.uploads))
	}
}

// An event that cannot be read becomes a dead letter, and its replay has the form of the event.
func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	bucket := s.project + "-uploads"
	good := file(bucket, "one", "7", "12")
	for name, bad := range map[string]event{
		"no JSON":           {body: []byte("spark")},
		"no generation":     {body: file(bucket, "one", "0", "12").body},
		"a size below zero": {body: file(bucket, "one", "7", "-1").body},
		"no number":         {body: file(bucket, "one", "seven", "12").body},
	} {
		bad.id, bad.kind, bad.headers = name, good.kind, good.headers
		if got := bad.post(t, s.url+"/MediaUploaded"); got != http.StatusNoContent {
			t.Errorf("%s: answered %d, want %d", name, got, http.StatusNoContent)
		}
	}
	letters := s.dead(t)
	if len(letters) != 4 || len(s.uploads) > 0 {
		t.Fatalf("%d letters and %d uploads, want 4 and none", len(letters), len(s.uploads))
	}
	letter := letters[0]
	err := functions.Replay(t.Context(), s.db, functions.Address{URL: s.url}, letter.ID, false)
	if errs.CodeOf(err) != "buried_again" {
		t.Errorf("the replay of a bad event = %v", err)
	}
	contentType := ""
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		contentType = r.Header.Get("Content-Type")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(stub.Close)
	if err := functions.Replay(t.Context(), s.db, functions.Address{URL: stub.URL}, letter.ID, false); err == nil ||
		contentType != "application/json" {
		t.Errorf("a replay sends %q, %v", contentType, err)
	}
	if letter, err = s.db.DeadLetters.Get(t.Context(), letter.ID); err != nil {
		t.Fatal(err)
	}
	letter.Data = good.body
	if err := s.db.DeadLetters.Bury(t.Context(), model.DeadLetter(*letter)); err != nil {
		t.Fatal(err)
	}
	if err := functions.Replay(t.Context(), s.db, functions.Address{URL: s.url}, letter.ID, false); err != nil {
		t.Errorf("the replay of a mended event = %v", err)
	}
	if len(s.uploads) != 1 {
		t.Errorf("after the replay there are uploads %+v", s.uploads)
	}
}
