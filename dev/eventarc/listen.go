package eventarc

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// RunListen takes the changes from Firestore listeners, one for each collection group in the trigger table. It serves
// an emulator that another program started. Existing documents create no events. When every listener has read them,
// RunListen calls ready unless ready is nil. It returns when a listener fails or ctx ends, with that error. The client
// is of the Runner's project and stays the caller's.
//
// A listener knows less than Eventarc. Changes of a document that follow each other closely may arrive as one. A
// document that is created and deleted at once may not arrive at all. A change while no listener runs creates no
// events. The old value comes from a copy in memory of all documents in these groups.
func (r *Runner) RunListen(ctx context.Context, client *firestore.Client, ready func()) error {
	groups := map[string][]*pattern{}
	for _, p := range r.patterns {
		parts := strings.Split(p.document, "/")
		if len(parts)%2 != 0 {
			return fmt.Errorf("eventarc: listen: %q is no pattern of a document", p.document)
		}
		id := parts[len(parts)-2]
		groups[id] = append(groups[id], p)
	}
	ls := &listeners{groups: slices.Collect(maps.Keys(groups)), ended: make(chan struct{})}
	defer close(ls.ended)
	r.probes.listeners.Store(ls)
	var first sync.WaitGroup
	first.Add(len(groups))
	g, ctx := errgroup.WithContext(ctx)
	for id, patterns := range groups {
		g.Go(func() error {
			l := &listener{runner: r, patterns: patterns, docs: map[string]*firestoredata.Document{}}
			if err := l.run(ctx, client.CollectionGroup(id), first.Done); err != nil {
				return fmt.Errorf("eventarc: listen to %s: %w", id, err)
			}
			return nil
		})
	}
	if ready != nil {
		go func() { // ends with the first snapshots; a listener that fails ends the wait too, see run
			first.Wait()
			if ctx.Err() == nil {
				ready()
			}
		}()
	}
	return g.Wait()
}

// listeners are those of a RunListen.
type listeners struct {
	groups []string      // the ids of their collection groups
	ended  chan struct{} // closed when they end
}

// listener turns the snapshots of one collection group into events.
type listener struct {
	runner   *Runner
	patterns []*pattern
	docs     map[string]*firestoredata.Document // by full name
}

// run emits the changes until the listener fails. It calls first once: after the first
// snapshot, or when the listener fails before.
func (l *listener) run(ctx context.Context, group *firestore.CollectionGroupRef, first func()) error {
	once := sync.OnceFunc(first)
	defer once()
	snapshots := group.Snapshots(ctx)
	defer snapshots.Stop()
	for initial := true; ; initial = false {
		snapshot, err := snapshots.Next()
		if err != nil {
			return err
		}
		var probes []int64
		for _, c := range snapshot.Changes {
			if n, ok := probeNumber(c); ok {
				probes = append(probes, n)
				continue
			}
			old := l.docs[c.Doc.Ref.Path]
			if c.Kind == firestore.DocumentRemoved {
				delete(l.docs, c.Doc.Ref.Path)
				l.emit(snapshot.ReadTime, old, nil)
				continue
			}
			doc, err := toDocument(c.Doc)
			if err != nil {
				return err
			}
			l.docs[doc.Name] = doc
			switch {
			case initial:
			case old != nil && !proto.Equal(old.CreateTime, doc.CreateTime): // deleted and created again in between
				l.emit(snapshot.ReadTime, old, nil)
				l.emit(snapshot.ReadTime, nil, doc)
			default:
				l.emit(snapshot.ReadTime, old, doc)
			}
		}
		for _, n := range probes { // after all changes: within a snapshot these are not in the order of the commits
			l.runner.probes.seen(n)
		}
		once()
	}
}

// probeNumber returns the number of the probe whose document a change concerns, unless the document was deleted. ok
// reports whether the document belongs to a probe.
func probeNumber(c firestore.DocumentChange) (n int64, ok bool) {
	probe := c.Doc.Ref.Parent.Parent
	if probe == nil || probe.Parent.ID != probeCollection {
		return 0, false
	}
	if c.Kind != firestore.DocumentRemoved {
		n, _ = c.Doc.Data()["n"].(int64)
	}
	return n, true
}

// emit queues a change for the patterns that the document fits.
func (l *listener) emit(at time.Time, old, doc *firestoredata.Document) {
	change := &firestoredata.DocumentEventData{Value: doc, OldValue: old, UpdateMask: &firestoredata.DocumentMask{}}
	body, err := proto.Marshal(change)
	if err != nil { // a name or string that is not UTF-8: Firestore has none
		panic(err)
	}
	for _, p := range l.patterns {
		if matches(p.document, documentPath(change)) {
			l.runner.take(p, at.UTC().Format(time.RFC3339Nano), change, body)
		}
	}
}

// matches reports whether a path fits a pattern. In a pattern {name} stands for any one
// segment.
func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, w := range want {
		if w != got[i] && !(strings.HasPrefix(w, "{") && strings.HasSuffix(w, "}")) {
			return false
		}
	}
	return true
}

// toDocument turns a snapshot into the form that events carry.
func toDocument(s *firestore.DocumentSnapshot) (*firestoredata.Document, error) {
	fields, err := toFields(s.Data())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Ref.Path, err)
	}
	return &firestoredata.Document{
		Name:       s.Ref.Path,
		Fields:     fields,
		CreateTime: timestamppb.New(s.CreateTime),
		UpdateTime: timestamppb.New(s.UpdateTime),
	}, nil
}
