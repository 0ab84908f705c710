package storetest

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// TearRead returns an interceptor that reads the documents of one batch at two moments, as the emulator may do beside a
// commit: first the documents of a collection, then the others. Between them it runs meanwhile, which must not read
// through the same store. It tears the first batch with documents of the collection and others.
func TearRead(first string, meanwhile func()) grpc.StreamClientInterceptor {
	var done atomic.Bool
	return func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer,
		opts ...grpc.CallOption) (grpc.ClientStream, error) {
		again := func() (grpc.ClientStream, error) { return open(ctx, desc, conn, method, opts...) }
		s, err := again()
		if err != nil || method != pb.Firestore_BatchGetDocuments_FullMethodName {
			return s, err
		}
		return &tornRead{ClientStream: s, open: again, first: "/documents/" + first + "/", done: &done, meanwhile: meanwhile},
			nil
	}
}

// tornRead is the stream of one batch.
type tornRead struct {
	grpc.ClientStream
	open      func() (grpc.ClientStream, error)
	first     string
	done      *atomic.Bool
	meanwhile func()
	rest      *pb.BatchGetDocumentsRequest // what is read afterwards, or nil
}

func (s *tornRead) SendMsg(m any) error {
	req, ok := m.(*pb.BatchGetDocumentsRequest)
	if !ok {
		return s.ClientStream.SendMsg(m)
	}
	now, rest := proto.CloneOf(req), proto.CloneOf(req)
	now.Documents, rest.Documents = nil, nil
	for _, name := range req.Documents {
		if strings.Contains(name, s.first) {
			now.Documents = append(now.Documents, name)
		} else {
			rest.Documents = append(rest.Documents, name)
		}
	}
	if len(now.Documents) == 0 || len(rest.Documents) == 0 || s.done.Swap(true) {
		return s.ClientStream.SendMsg(m)
	}
	s.rest = rest
	return s.ClientStream.SendMsg(now)
}

func (s *tornRead) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	if s.rest == nil || !errors.Is(err, io.EOF) {
		return err
	}
	s.meanwhile()
	next, err := s.open()
	if err != nil {
		return err
	}
	if err := next.SendMsg(s.rest); err != nil {
		return err
	}
	if err := next.CloseSend(); err != nil {
		return err
	}
	s.ClientStream, s.rest = next, nil
	return s.ClientStream.RecvMsg(m)
}
