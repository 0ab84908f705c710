package storetest

import (
	"context"
	"strings"
	"sync/atomic"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
)

// Before returns an interceptor that calls do before the first commit with a write that match accepts. do runs between
// the reads and the writes of a call, as another process may. In a transaction, do must not write a document that the
// transaction has read: it would wait for the transaction.
//
// The field Below of a meter's options takes the interceptor.
func Before(match func(path string, w *pb.Write) bool, do func()) grpc.UnaryClientInterceptor {
	var done atomic.Bool
	return func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption) error {
		commit, _ := req.(*pb.CommitRequest)
		for _, w := range commit.GetWrites() {
			name := w.GetUpdate().GetName() + w.GetDelete() + w.GetTransform().GetDocument()
			_, path, _ := strings.Cut(name, "/documents/")
			if match(path, w) && done.CompareAndSwap(false, true) {
				do()
			}
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}
}

// WritesTo matches every write of a document, for [Before].
func WritesTo(path string) func(string, *pb.Write) bool {
	return func(written string, _ *pb.Write) bool { return written == path }
}
