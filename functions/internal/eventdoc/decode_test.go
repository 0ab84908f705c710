package eventdoc_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions/internal/eventdoc"
	"github.com/hibana-sns/hibana/model"
)

const updated = "google.cloud.firestore.document.v1.updated"

// What the Firestore client writes arrives in events, and is decoded there as the
// client itself reads it: random documents of every type that functions decode, and
// of profiles for their many fields.
func TestDecodeWhatWasWritten(t *testing.T) {
	t.Parallel()
	project := testenv.Project(t)
	db := testenv.Client(t, project)
	changes := make(chan *firestoredata.DocumentEventData, 1000)
	functions := httptest.NewServer(http.StripPrefix("/"+project,
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			event, err := cloudevents.NewEventFromHTTPRequest(r)
			if err != nil {
				t.Error(err)
				return
			}
			var data firestoredata.DocumentEventData
			if err := proto.Unmarshal(event.Data(), &data); err != nil {
				t.Error(err)
				return
			}
			changes <- &data
		}))) // a runner of another test may still send to the port
	defer functions.Close()
	runner := eventarc.New(eventarc.Options{
		Project: project, FirestoreHost: testenv.FirestoreHost(t), FunctionsURL: functions.URL + "/" + project,
		Triggers: []eventarc.Trigger{{Name: "F", EventType: updated, Document: "things/{id}"}},
	})
	target := httptest.NewServer(runner)
	defer target.Close()
	relay := testenv.EventsAddr(t)
	if err := eventarc.Route(t.Context(), relay, project, target.URL); err != nil {
		t.Fatal(err)
	}
	defer eventarc.Unroute(t.Context(), relay, project)
	if err := runner.Register(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer runner.Unregister(t.Context())
	runner.Start(t.Context())
	defer runner.Stop(t.Context())

	w := &written{t: t, things: db.Collection("things"), changes: changes}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	w.rng = rand.New(rand.NewPCG(seed, 0))
	for range 10 {
		decodes[model.Tweet](w)
		decodes[model.User](w)
		decodes[model.Relationship](w)
		decodes[model.Like](w)
		decodes[model.Share](w)
		decodes[model.Outgoing](w)
		decodes[model.SweepWork](w)
		decodes[model.RollUpWork](w)
		decodes[model.FlushWork](w)
		decodes[model.DeletionWork](w)
		decodes[model.ExportWork](w)
	}
}

// written writes random documents and takes their events.
type written struct {
	t       *testing.T
	rng     *rand.Rand
	things  *firestore.CollectionRef
	changes <-chan *firestoredata.DocumentEventData
}

// decodes writes two versions of a document, which make one event.
func decodes[T any](w *written) {
	t := w.t
	t.Helper()
	ref := w.things.NewDoc()
	var versionsWritten, versionsRead [2]T
	for i := range versionsWritten {
		random(w.rng, reflect.ValueOf(&versionsWritten[i]).Elem())
		if _, err := ref.Set(t.Context(), versionsWritten[i]); err != nil {
			t.Fatalf("%+v: %v", versionsWritten[i], err)
		}
		snap, err := ref.Get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := snap.DataTo(&versionsRead[i]); err != nil {
			t.Fatal(err)
		}
		to := reflect.ValueOf(&versionsWritten[i]).Elem()
		for n := range to.NumField() { // the database sets these
			if strings.Contains(to.Type().Field(n).Tag.Get("firestore"), "serverTimestamp") {
				to.Field(n).Set(reflect.ValueOf(versionsRead[i]).Field(n))
			}
		}
	}
	var e *firestoredata.DocumentEventData
	select {
	case e = <-w.changes:
	case <-time.After(time.Minute):
		t.Fatal("no event within a minute")
	}
	for i, doc := range []*firestoredata.Document{e.OldValue, e.Value} {
		if !strings.HasSuffix(doc.GetName(), "/things/"+ref.ID) {
			t.Fatalf("event of %q, want the update of %s", doc.GetName(), ref.ID)
		}
		got, err := eventdoc.Decode[T](doc)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&versionsRead[i], got); diff != "" {
			t.Errorf("decoded and read (-read +decoded):\n%s", diff)
		}
		// Firestore has no bytes that are absent.
		none := cmp.FilterValues(func(a, b []byte) bool { return len(a)+len(b) == 0 }, cmp.Ignore())
		if diff := cmp.Diff(&versionsWritten[i], got, none); diff != "" {
			t.Errorf("decoded and written (-written +decoded):\n%s", diff)
		}
	}
}

// random fills a value with something that Firestore can hold. A field that is not
// stored stays empty.
func random(rng *rand.Rand, v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.UnixMicro(rng.Int64N(1 << 52)).UTC()))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if tag := v.Type().Field(i).Tag.Get("firestore"); tag != "-" && !strings.Contains(tag, "serverTimestamp") {
				random(rng, v.Field(i))
				if f := v.Field(i); strings.Contains(tag, "omitempty") && f.Kind() == reflect.Map && f.Len() == 0 {
					f.SetZero() // an empty map is not written, as nil is not
				}
			}
		}
	case reflect.Pointer:
		if rng.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			random(rng, v.Elem())
		}
	case reflect.Map:
		n := rng.IntN(4)
		if n == 3 {
			return // nil
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range n {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.SetString("k" + word(rng)) // not empty
			random(rng, elem)
			v.SetMapIndex(key, elem)
		}
	case reflect.Slice:
		n := rng.IntN(4)
		if n == 0 {
			return // nil
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			random(rng, v.Index(i))
		}
	case reflect.String:
		v.SetString(word(rng))
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(rng.Uint64()))
	case reflect.Uint8:
		v.SetUint(uint64(rng.IntN(256)))
	default:
		panic("no random " + v.Type().String())
	}
}

func word(rng *rand.Rand) string {
	alphabet := []string{"a", "Z", "0", "_", ".", "`", `\`, "/", " ", "\n", "é", "火", "🎆", "__"}
	var b strings.Builder
	for range rng.IntN(6) {
		b.WriteString(alphabet[rng.IntN(len(alphabet))])
	}
	return b.String()
}

func TestDecodeNothing(t *testing.T) {
	t.Parallel()
	if got, err := eventdoc.Decode[model.Tweet](nil); got != nil || err != nil {
		t.Errorf("Decode(nil) = %v, %v, want nil, nil", got, err)
	}
	got, err := eventdoc.Decode[model.Tweet](&firestoredata.Document{Fields: map[string]*firestoredata.Value{
		"unknown": {ValueType: &firestoredata.Value_DoubleValue{DoubleValue: 1}},
		"-":       {ValueType: &firestoredata.Value_StringValue{StringValue: "not the id"}},
		"replyTo": {ValueType: &firestoredata.Value_NullValue{}},
		"tags":    {ValueType: &firestoredata.Value_NullValue{}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&model.Tweet{}, got); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
}

// Every field is given a value of every type; what does not fit is an error that names
// the field.
func TestDecodeWrongTypes(t *testing.T) {
	t.Parallel()
	values := map[string]*firestoredata.Value{
		"null":      {ValueType: &firestoredata.Value_NullValue{NullValue: structpb.NullValue_NULL_VALUE}},
		"boolean":   {ValueType: &firestoredata.Value_BooleanValue{BooleanValue: true}},
		"integer":   {ValueType: &firestoredata.Value_IntegerValue{IntegerValue: 1}},
		"double":    {ValueType: &firestoredata.Value_DoubleValue{DoubleValue: 1}},
		"timestamp": {ValueType: &firestoredata.Value_TimestampValue{TimestampValue: timestamppb.New(time.Unix(1, 0))}},
		"string":    {ValueType: &firestoredata.Value_StringValue{StringValue: "s"}},
		"bytes":     {ValueType: &firestoredata.Value_BytesValue{BytesValue: []byte("b")}},
		"reference": {ValueType: &firestoredata.Value_ReferenceValue{ReferenceValue: "r"}},
		"array":     {ValueType: &firestoredata.Value_ArrayValue{ArrayValue: &firestoredata.ArrayValue{}}},
		"map": {ValueType: &firestoredata.Value_MapValue{MapValue: &firestoredata.MapValue{
			Fields: map[string]*firestoredata.Value{}}}},
		"nothing": {},
	}
	takes := func(field reflect.Type, value string) bool {
		if field.Kind() == reflect.Pointer {
			field = field.Elem()
		}
		if field == reflect.TypeFor[time.Time]() {
			return value == "timestamp"
		}
		switch field.Kind() {
		case reflect.String:
			return value == "string"
		case reflect.Bool:
			return value == "boolean"
		case reflect.Int, reflect.Int64:
			return value == "integer"
		case reflect.Map, reflect.Struct:
			return value == "map"
		case reflect.Slice:
			return value == "array"
		}
		panic("a tweet has a " + field.String())
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[model.Tweet]()) {
		name, _, _ := strings.Cut(field.Tag.Get("firestore"), ",")
		if name == "-" {
			continue
		}
		for kind, value := range values {
			doc := &firestoredata.Document{Name: "tweets/t", Fields: map[string]*firestoredata.Value{name: value}}
			_, err := eventdoc.Decode[model.Tweet](doc)
			if want := kind == "null" || takes(field.Type, kind); (err == nil) != want {
				t.Errorf("%s of %s: error = %v, want one: %v", kind, name, err, !want)
			}
			if err != nil && !strings.HasPrefix(err.Error(), "tweets/t: "+name+": ") {
				t.Errorf("%s of %s: error %q does not name the field", kind, name, err)
			}
		}
	}
}

// Whatever comes is decoded, or refused.
func FuzzDecode(f *testing.F) {
	tweet := &firestoredata.Document{Name: "tweets/t", Fields: map[string]*firestoredata.Value{
		"authorId":  {ValueType: &firestoredata.Value_StringValue{StringValue: "ann"}},
		"likeCount": {ValueType: &firestoredata.Value_IntegerValue{IntegerValue: 7}},
		"createdAt": {ValueType: &firestoredata.Value_TimestampValue{TimestampValue: timestamppb.New(time.Unix(1, 0))}},
		"tags": {ValueType: &firestoredata.Value_MapValue{MapValue: &firestoredata.MapValue{
			Fields: map[string]*firestoredata.Value{
				"go": {ValueType: &firestoredata.Value_TimestampValue{TimestampValue: timestamppb.New(time.Unix(1, 0))}},
			}}}},
	}}
	seed, err := proto.Marshal(tweet)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		var doc firestoredata.Document
		if proto.Unmarshal(data, &doc) != nil {
			return
		}
		got, err := eventdoc.Decode[model.Tweet](&doc)
		if (got == nil) != (err != nil) {
			t.Fatalf("Decode = %v, %v", got, err)
		}
		if err != nil {
			return
		}
		if got.ID != "" {
			t.Errorf("the id %q comes from a field", got.ID)
		}
		if author := doc.Fields["authorId"].GetStringValue(); string(got.AuthorID) != author {
			t.Errorf("authorId = %q, want %q", got.AuthorID, author)
		}
		if n := len(doc.Fields["tags"].GetMapValue().GetFields()); len(got.Tags) != n {
			t.Errorf("%d tags, want %d", len(got.Tags), n)
		}
	})
}
