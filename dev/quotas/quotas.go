// Package quotas refuses writes that Firestore refuses for their size and the emulator accepts, see
// https://firebase.google.com/docs/firestore/quotas:
//
//   - a commit of more than 10 MiB. The request counts, with the index entries of what it writes, and
//     so does each document that it deletes, with its index entries.
//   - a document with more than 40,000 index entries.
//   - more than 500 field transforms of a document in one commit.
//
// The emulator itself refuses documents of more than 1 MiB.
package quotas

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/dev/repository"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/store"
)

// Firestore's limits.
const (
	MaxCommit     = 10 << 20
	MaxEntries    = 40_000
	MaxTransforms = 500
)

// Small requests are not checked.
const (
	// fewDeletes is the number of deletions of a commit that counts as small: a document has 1 MiB at most.
	fewDeletes = 8
	// smallRequest is the size of a request whose documents can have neither 40,000 entries nor 10 MiB of them.
	smallRequest = 200_000
	// smallWrite is the size of a merge that does not count towards the growth of its document.
	smallWrite = 256
)

// Quotas are the limits of one database of an emulator.
type Quotas struct {
	indexes  *meter.IndexSet
	emulator string

	mu    sync.Mutex
	grown map[string]int // by how many bytes merges may have grown a document since its entries were counted
}

// Enforce applies the limits to every store of this process on an emulator, by the index definitions of the repository.
// Outside of the repository the definitions are unknown, and there are no limits.
func Enforce() {
	indexes := sync.OnceValues(func() (*meter.IndexSet, error) {
		path, err := repository.File("firestore.indexes.json")
		if err != nil {
			return nil, nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return meter.ParseIndexes(data)
	})
	store.Emulated = func(o *store.Options) error {
		known, err := indexes()
		if known != nil {
			o.Meter.Below = New(o.Emulator, known).Below(o.Meter.Below)
		}
		return err
	}
}

// New returns the limits of a database in an emulator at host:port.
func New(emulator string, indexes *meter.IndexSet) *Quotas {
	return &Quotas{indexes: indexes, emulator: emulator, grown: map[string]int{}}
}

// Below refuses commits above a limit, and passes others to next, which may be nil. It is the Below of a meter.
func (q *Quotas) Below(next grpc.UnaryClientInterceptor) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption) error {
		if commit, ok := req.(*pb.CommitRequest); ok {
			if err := q.check(ctx, commit); err != nil {
				return err
			}
		}
		if next != nil {
			return next(ctx, method, req, reply, conn, invoke, opts...)
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}
}

// check returns the error of a commit that Firestore refuses.
func (q *Quotas) check(ctx context.Context, commit *pb.CommitRequest) error {
	size := proto.Size(commit)
	small := size < smallRequest
	var deleted []string
	for _, w := range commit.GetWrites() {
		if n := len(w.GetUpdateTransforms()) + len(w.GetTransform().GetFieldTransforms()); n > MaxTransforms {
			return refused("%d transforms of one document in a commit; the most are %d", n, MaxTransforms)
		}
		if name := w.GetDelete(); name != "" {
			deleted = append(deleted, name)
		}
		doc := w.GetUpdate()
		if doc == nil {
			continue
		}
		entries := 0
		if !small {
			stored := q.indexes.Stored(doc)
			size += stored.EntryBytes
			entries = stored.Entries
		}
		if w.GetUpdateMask() != nil {
			var err error
			if entries, err = q.merged(ctx, commit.GetDatabase(), w, entries); err != nil {
				return err
			}
		}
		if entries > MaxEntries {
			return refused("too many index entries for entity: %s has %d", path(doc.GetName()), entries)
		}
	}
	if len(deleted) > fewDeletes {
		docs, err := q.read(ctx, commit.GetDatabase(), deleted)
		if err != nil {
			return err
		}
		for _, doc := range docs {
			stored := q.indexes.Stored(doc)
			size += stored.Bytes + stored.EntryBytes
		}
	}
	if size > MaxCommit {
		return refused("Transaction too big. Decrease transaction size. (%d writes, %d bytes)", len(commit.GetWrites()), size)
	}
	return nil
}

// merged returns the possible number of index entries of a document after a merge. It reads the document only when it
// may have grown enough since the last read.
func (q *Quotas) merged(ctx context.Context, database string, w *pb.Write, entries int) (int, error) {
	n := proto.Size(w)
	if n < smallWrite {
		return entries, nil
	}
	name := w.GetUpdate().GetName()
	q.mu.Lock()
	q.grown[name] += n
	look := q.grown[name] > smallRequest
	q.mu.Unlock()
	if !look {
		return entries, nil
	}
	entries = q.indexes.Stored(w.GetUpdate()).Entries
	docs, err := q.read(ctx, database, []string{name})
	if err != nil {
		return 0, err
	}
	for _, doc := range docs {
		entries += q.indexes.Stored(doc).Entries
	}
	q.mu.Lock()
	q.grown[name] = smallRequest * entries / MaxEntries
	q.mu.Unlock()
	return entries, nil
}

func refused(format string, args ...any) error {
	return status.Error(codes.InvalidArgument, fmt.Sprintf(format, args...))
}

// connections are the connections to emulators. A process has one or few of them, and they are not metered.
var connections sync.Map

// read reads the current documents. It leaves out missing ones.
func (q *Quotas) read(ctx context.Context, database string, names []string) (docs []*pb.Document, err error) {
	conn, ok := connections.Load(q.emulator)
	if !ok {
		made, err := grpc.NewClient(q.emulator, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)))
		if err != nil {
			return nil, err
		}
		var other bool
		if conn, other = connections.LoadOrStore(q.emulator, made); other {
			made.Close()
		}
	}
	ctx = metadata.NewOutgoingContext(ctx, metadata.Pairs("authorization", "Bearer owner", "google-cloud-resource-prefix",
		database))
	stream, err := pb.NewFirestoreClient(conn.(*grpc.ClientConn)).
		BatchGetDocuments(ctx, &pb.BatchGetDocumentsRequest{Database: database, Documents: names})
	if err != nil {
		return nil, err
	}
	for {
		answer, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return nil, err
		}
		if doc := answer.GetFound(); doc != nil {
			docs = append(docs, doc)
		}
	}
}

// path is the path of a document in its database.
func path(name string) string {
	_, path, _ := strings.Cut(name, "/documents/")
	return path
}
