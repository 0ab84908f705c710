package storetest

import (
	"context"
	"strings"
	"sync/atomic"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
)

// AfterRead returns an interceptor that calls do once, when a document was read by its path or by a query and before
// the caller gets the answer. do runs between two reads of a call, as another process may.
//
// The field BelowReads of a meter's options takes the interceptor.
func AfterRead(path string, do func()) grpc.StreamClientInterceptor {
	var done atomic.Bool
	return func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer,
		opts ...grpc.CallOption) (grpc.ClientStream, error) {
		s, err := open(ctx, desc, conn, method, opts...)
		return &watchedReads{s, func(read string) {
			if read == path && done.CompareAndSwap(false, true) {
				do()
			}
		}}, err
	}
}

// watchedReads reports the documents of its answers.
type watchedReads struct {
	grpc.ClientStream
	read func(path string)
}

func (s *watchedReads) RecvMsg(msg any) error {
	err := s.ClientStream.RecvMsg(msg)
	if err != nil {
		return err
	}
	var name string
	switch got := msg.(type) {
	case *pb.BatchGetDocumentsResponse:
		name = got.GetFound().GetName() + got.GetMissing()
	case *pb.RunQueryResponse:
		name = got.GetDocument().GetName()
	}
	_, path, _ := strings.Cut(name, "/documents/")
	s.read(path)
	return nil
}
