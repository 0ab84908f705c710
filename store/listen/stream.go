package listen

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	vkit "cloud.google.com/go/firestore/apiv1"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/internal/errs"
)

const (
	// streamFor is how long a stream lasts before it is made anew, so that the results of its queries do not grow.
	streamFor = 30 * time.Minute
	// overlap is how much a new stream hears again.
	overlap = 2 * time.Second
	// firstPause and longestPause are between a stream that failed and the next one.
	firstPause, longestPause = time.Second, time.Minute
)

// resourcePrefix is the header by which a request finds its database.
const resourcePrefix = "google-cloud-resource-prefix"

// document is a document that was heard.
type document struct {
	id      string
	fields  map[string]*pb.Value // nil for one that is not there
	updated time.Time
}

// target is what a stream listens to.
type target struct {
	of    func() (*pb.Target, error) // makes the target for a stream that begins
	heard func(*document)            // called with the mutex of the hub held
	ready chan struct{}              // closed when everything is heard from then on
	once  sync.Once
}

// targetID names a target.
type targetID struct {
	of *stream
	id int32
}

// stream is one call of Listen, made again when it ends.
type stream struct {
	hub    *Hub
	client *vkit.Client
	begins context.Context // of all streams of the hub's listeners
	shared []<-chan struct{}

	mu      sync.Mutex
	call    pb.Firestore_ListenClient // nil while there is none
	targets map[int32]*target
	last    int32     // id of a target
	asOf    time.Time // everything until then was heard
}

// size is the number of targets.
func (s *stream) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.targets)
}

// add listens to the results of a query.
func (s *stream) add(query func(since time.Time) firestore.Query, heard func(*document)) <-chan struct{} {
	_, ready := s.addTarget(func() (*pb.Target, error) {
		since := s.asOf.Add(-overlap)
		if s.asOf.IsZero() {
			since = s.hub.began.Add(-overlap)
		}
		text, err := query(since).Serialize()
		if err != nil {
			return nil, err
		}
		var r pb.RunQueryRequest
		if err := proto.Unmarshal(text, &r); err != nil {
			return nil, err
		}
		return &pb.Target{TargetType: &pb.Target_Query{Query: &pb.Target_QueryTarget{Parent: r.Parent,
			QueryType: &pb.Target_QueryTarget_StructuredQuery{StructuredQuery: r.GetStructuredQuery()}}}}, nil
	}, heard)
	return ready
}

// addDocument listens to a document.
func (s *stream) addDocument(path string, heard func(*document)) (int32, chan struct{}) {
	return s.addTarget(func() (*pb.Target, error) {
		return &pb.Target{TargetType: &pb.Target_Documents{Documents: &pb.Target_DocumentsTarget{
			Documents: []string{path}}}}, nil
	}, heard)
}

func (s *stream) addTarget(of func() (*pb.Target, error), heard func(*document)) (int32, chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &target{of: of, heard: heard, ready: make(chan struct{})}
	s.last++
	s.targets[s.last] = t
	if s.call != nil {
		_ = s.send(s.last, t) // a stream that failed is made again, with this target
	}
	return s.last, t.ready
}

// remove ends listening to a target.
func (s *stream) remove(id int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.targets, id)
	if s.call != nil {
		_ = s.call.Send(&pb.ListenRequest{Database: s.hub.database(),
			TargetChange: &pb.ListenRequest_RemoveTarget{RemoveTarget: id}})
	}
}

// send adds a target to the call. The caller holds the mutex.
func (s *stream) send(id int32, t *target) error {
	made, err := t.of()
	if err != nil {
		return err
	}
	made.TargetId = id
	return s.call.Send(&pb.ListenRequest{Database: s.hub.database(),
		TargetChange: &pb.ListenRequest_AddTarget{AddTarget: made}})
}

// run listens until ctx ends.
func (s *stream) run(ctx context.Context) {
	for pause := firstPause; ctx.Err() == nil; {
		began := time.Now()
		err := s.listen(ctx)
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			continue
		}
		if time.Since(began) > longestPause {
			pause = firstPause
		}
		s.hub.log.WarnContext(ctx, "a listener is made again", "error", err, "pause", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		pause = min(2*pause, longestPause)
	}
}

// listen makes the call and hears what it brings until it ends. It returns context.DeadlineExceeded when the stream has
// lasted long enough.
func (s *stream) listen(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, streamFor)
	defer cancel()
	defer func() {
		s.mu.Lock()
		s.call = nil
		s.mu.Unlock()
	}()
	if err := s.begin(ctx); err != nil {
		return errors.Join(err, ctx.Err())
	}
	for {
		r, err := s.call.Recv()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the stream ended")
			}
			return errors.Join(err, ctx.Err())
		}
		if err := s.take(r); err != nil {
			return err
		}
	}
}

// begin makes the call with all targets.
func (s *stream) begin(ctx context.Context) error {
	database := s.hub.database()
	call, err := s.client.Listen(metadata.AppendToOutgoingContext(ctx, resourcePrefix, database))
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.call = call
	for _, id := range slices.Sorted(maps.Keys(s.targets)) {
		if err := s.send(id, s.targets[id]); err != nil {
			return err
		}
	}
	return nil
}

// take hears an answer.
func (s *stream) take(r *pb.ListenResponse) error {
	switch r := r.ResponseType.(type) {
	case *pb.ListenResponse_DocumentChange:
		d := r.DocumentChange.Document
		s.hear(r.DocumentChange.TargetIds, &document{idOf(d.Name), d.Fields, d.UpdateTime.AsTime()})
	case *pb.ListenResponse_DocumentDelete:
		s.hear(r.DocumentDelete.RemovedTargetIds, &document{id: idOf(r.DocumentDelete.Document)})
	case *pb.ListenResponse_TargetChange:
		return s.targetChange(r.TargetChange)
	}
	return nil
}

func (s *stream) targetChange(c *pb.TargetChange) error {
	switch c.TargetChangeType {
	case pb.TargetChange_REMOVE:
		if c.Cause != nil && c.Cause.Code != 0 {
			return errs.New(errs.Internal, "", "a target was removed: %s", c.Cause.Message)
		}
	case pb.TargetChange_CURRENT:
		s.mu.Lock()
		defer s.mu.Unlock()
		for id, t := range s.targets {
			if len(c.TargetIds) == 0 || slices.Contains(c.TargetIds, id) {
				t.once.Do(func() { close(t.ready) })
			}
		}
	case pb.TargetChange_NO_CHANGE:
		if c.ReadTime != nil && len(c.TargetIds) == 0 {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.asOf = c.ReadTime.AsTime()
		}
	}
	return nil
}

// hear passes a document on to its targets.
func (s *stream) hear(ids []int32, d *document) {
	for _, id := range ids {
		s.mu.Lock()
		t := s.targets[id]
		s.mu.Unlock()
		if t == nil {
			continue
		}
		s.hub.mu.Lock()
		if s.begins.Err() == nil {
			t.heard(d)
		}
		s.hub.mu.Unlock()
	}
}
