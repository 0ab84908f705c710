package functions_test

import (
	"net/http"
	"testing"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
)

// An event that is not for the function or not from the database is refused, has no effect
// and is kept nowhere.
func TestMisfits(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	tweet := newTweet(t, s.db)
	fields := likeFields(tweet)
	id := "bob_" + string(tweet)
	of := func(project, document string) event {
		return changed(project, functions.Created, document, nil, fields)
	}
	with := func(headers ...string) event {
		e := of(s.project, "likes/"+id)
		e.headers = map[string]string{}
		for i := 0; i < len(headers); i += 2 {
			e.headers[headers[i]] = headers[i+1]
		}
		return e
	}
	filled := func(from event) event {
		e := with()
		e.body = from.body
		return e
	}
	const source = "//firestore.googleapis.com/projects/"
	tests := map[string]event{
		"another type":              with("ce-type", string(functions.Updated)),
		"a type of no function":     with("ce-type", "google.cloud.firestore.document.v1.moved"),
		"a type of another service": with("ce-type", "google.cloud.storage.object.v1.finalized"),

		"another collection":          of(s.project, "shares/"+id),
		"a deeper collection":         of(s.project, "likes/x/likes/"+id),
		"a deeper document":           of(s.project, "likes/"+id+"/likes/"+id),
		"below another collection":    of(s.project, "users/likes/"+id),
		"a collection":                of(s.project, "likes"),
		"an empty id":                 of(s.project, "likes/"),
		"a subject of no document":    with("ce-subject", "likes/"+id),
		"no subject":                  with("ce-subject", ""),
		"an attribute that disagrees": with("ce-document", "likes/x"),

		"another project":                  of("elsewhere", "likes/"+id),
		"another project in the source":    with("ce-source", source+"elsewhere/databases/(default)"),
		"another project in the attribute": with("ce-project", "elsewhere"),
		"another database": with("ce-source", source+s.project+"/databases/other", "ce-database",
			"other"),
		"another database in the source":    with("ce-source", source+s.project+"/databases/other", "ce-database", ""),
		"another database in the attribute": with("ce-database", "other"),
		"a source that goes on":             with("ce-source", source+s.project+"/databases/(default)/documents"),
		"a source of another service": with("ce-source", "//storage.googleapis.com/projects/"+s.project+
			"/databases/(default)"),
		"the value of another document":        filled(of(s.project, "likes/x")),
		"the value of another project":         filled(of("elsewhere", "likes/"+id)),
		"the value of a document without name": filled(event{body: nameless(t, fields)}),
		"the old value of another document":    filled(changed(s.project, functions.Deleted, "likes/x", fields, nil)),
	}
	for name, e := range tests {
		if got := e.post(t, s.url+"/LikeChanged"); got != http.StatusBadRequest {
			t.Errorf("%s: answered %d, want %d", name, got, http.StatusBadRequest)
		}
		if got := s.logged(t, "LikeChanged"); len(got) != 1 || got[0] != "event refused" {
			t.Errorf("%s: logged %q, want that it is refused", name, got)
		}
	}
	if got := with().post(t, s.url+"/FollowChanged"); got != http.StatusBadRequest {
		t.Errorf("another function answered %d, want %d", got, http.StatusBadRequest)
	}
	raw := testenv.Client(t, s.project)
	for _, collection := range []string{model.DeadLetters, model.ProcessedEvents, model.RollUps} {
		if snaps, err := raw.Collection(collection).Documents(t.Context()).GetAll(); err != nil || len(snaps) > 0 {
			t.Errorf("misfits left %d documents in %s (%v)", len(snaps), collection, err)
		}
	}
	wantLikes(t, s.db, tweet, 0)

	// Without the attributes that source and subject repeat, the event fits.
	if got := with("ce-project", "", "ce-database", "", "ce-document", "").
		post(t, s.url+"/LikeChanged"); got != http.StatusNoContent {
		t.Errorf("an event that fits was answered %d, want %d", got, http.StatusNoContent)
	}
	wantLikes(t, s.db, tweet, 1)
}

// nameless is the data of an event whose document has no name.
func nameless(t *testing.T, fields map[string]*firestoredata.Value) []byte {
	t.Helper()
	body, err := proto.Marshal(&firestoredata.DocumentEventData{Value: &firestoredata.Document{Fields: fields}})
	if err != nil {
		t.Fatal(err)
	}
	return body
}
