package functions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
)

// errMisrouted marks an event that belongs to another function or another database. Either a trigger is configured
// wrongly, or the caller is not Eventarc. The function refuses the event and keeps no dead letter, because the function
// itself is correct.
var errMisrouted = errors.New("the event does not fit")

// check compares the attributes of an event with the function's row of the table and with the name of the database.
// Eventarc may omit the attributes project, database and document, because source and subject hold the same values.
func (f *Function) check(database string, e *cloudevents.Event) error {
	project, id, _ := strings.Cut(strings.TrimPrefix(database, "projects/"), "/databases/")
	path, ok := strings.CutPrefix(e.Subject(), "documents/")
	switch {
	case !slices.Contains(f.On, EventType(e.Type())):
		return fmt.Errorf("%w: %s is not on %q", errMisrouted, f.Name, e.Type())
	case !ok || !matches(f.Document, path):
		return fmt.Errorf("%w: subject %q is no document of %s, which takes %s", errMisrouted, e.Subject(), f.Name,
			f.Document)
	case e.Source() != "//firestore.googleapis.com/"+database:
		return fmt.Errorf("%w: source %q is not the database %s", errMisrouted, e.Source(), database)
	}
	for name, want := range map[string]string{"project": project, "database": id, "document": path} {
		if got, there := e.Extensions()[name]; there && got != want {
			return fmt.Errorf("%w: attribute %s is %q, want %q", errMisrouted, name, got, want)
		}
	}
	return nil
}

// checkNames compares the name of the document in an event's data with the event's source
// and subject.
func checkNames(e *cloudevents.Event, data *firestoredata.DocumentEventData) error {
	want := strings.TrimPrefix(e.Source(), "//firestore.googleapis.com/") + "/" + e.Subject()
	for _, doc := range []*firestoredata.Document{data.OldValue, data.Value} {
		if doc != nil && doc.Name != want {
			return fmt.Errorf("%w: it is of %q, and its data of %q", errMisrouted, want, doc.Name)
		}
	}
	return nil
}

// matches reports whether a pattern matches the whole path. In a pattern, {name} matches any one segment.
func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, got, func(want, got string) bool {
		wildcard := strings.HasPrefix(want, "{") && strings.HasSuffix(want, "}")
		return want == got || wildcard && got != ""
	})
}
