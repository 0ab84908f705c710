package meter

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// Prices follow https://firebase.google.com/docs/firestore/pricing. The meter does not count the index entries that a
// query with ranges on several fields skips, nor the index entries behind a sum or an average, because no answer
// reports them. The emulator differs from the cloud: it reports an offset only if results follow the offset, and sends
// all documents of a listener again at each change.

// unary prices a call with one answer.
func (o *Options) unary(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn,
	invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	m := from(ctx)
	if req, ok := req.(*pb.PartitionQueryRequest); ok {
		o.check(ctx, req.GetStructuredQuery())
	}
	if req, ok := req.(*pb.CommitRequest); ok && o.ServerNow != nil {
		stamp(req, sync.OnceValue(o.ServerNow))
	}
	err := invoke(ctx, method, req, reply, conn, opts...)
	if err != nil {
		if _, ok := req.(*pb.GetDocumentRequest); ok && status.Code(err) == codes.NotFound {
			m.add(Counts{Reads: 1})
		}
		return err
	}
	switch req := req.(type) {
	case *pb.CommitRequest:
		for _, w := range req.Writes {
			o.written(m, w)
		}
		o.told(reply.(*pb.CommitResponse).CommitTime)
		if o.OnCommit != nil {
			o.OnCommit(ctx, req, reply.(*pb.CommitResponse))
		}
	case *pb.BatchWriteRequest:
		for i, s := range reply.(*pb.BatchWriteResponse).Status {
			if codes.Code(s.Code) == codes.OK {
				o.written(m, req.Writes[i])
			}
		}
	case *pb.ListDocumentsRequest:
		m.add(Counts{Reads: max(1, int64(len(reply.(*pb.ListDocumentsResponse).Documents)))})
	case *pb.GetDocumentRequest, *pb.ListCollectionIdsRequest, *pb.PartitionQueryRequest:
		m.add(Counts{Reads: 1})
	}
	return nil
}

// stamp replaces the server timestamps of a commit by one time.
func stamp(req *pb.CommitRequest, now func() time.Time) {
	for _, w := range req.Writes {
		doc := w.GetUpdate()
		w.UpdateTransforms = slices.DeleteFunc(w.UpdateTransforms, func(t *pb.DocumentTransform_FieldTransform) bool {
			if doc == nil || t.GetSetToServerValue() != pb.DocumentTransform_FieldTransform_REQUEST_TIME {
				return false
			}
			if doc.Fields == nil {
				doc.Fields = map[string]*pb.Value{}
			}
			doc.Fields[t.FieldPath] = &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: timestamppb.New(now())}}
			if w.UpdateMask != nil {
				w.UpdateMask.FieldPaths = append(w.UpdateMask.FieldPaths, t.FieldPath)
			}
			return true
		})
	}
}

// told passes on the database time of an answer, if the answer has one.
func (o *Options) told(at *timestamppb.Timestamp) {
	if o.OnTime != nil && at != nil {
		o.OnTime(at.AsTime())
	}
}

// written bills one write that took effect. Increments and other transforms belong to the write of their document and
// cost nothing more.
func (o *Options) written(m *Meter, w *pb.Write) {
	name, deleted := w.GetUpdate().GetName(), false
	switch op := w.Operation.(type) {
	case *pb.Write_Delete:
		name, deleted = op.Delete, true
		m.add(Counts{Deletes: 1})
	case *pb.Write_Transform:
		name = op.Transform.Document
		m.add(Counts{Writes: 1})
	default:
		m.add(Counts{Writes: 1})
	}
	if o.OnWrite != nil {
		_, path, _ := strings.Cut(name, "/documents/")
		o.OnWrite(path, deleted)
	}
}

// check reports a query that no index serves.
func (o *Options) check(ctx context.Context, q *pb.StructuredQuery, aggregated ...string) {
	if o.Indexes == nil || o.OnUnindexed == nil || q == nil {
		return
	}
	if problem := o.Indexes.problem(q, aggregated...); problem != "" {
		o.OnUnindexed(ctx, problem)
	}
}

// stream prices a call with many answers.
func (o *Options) stream(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
	open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	s, err := open(ctx, desc, conn, method, opts...)
	if err != nil {
		return nil, err
	}
	return &meteredStream{ClientStream: s, ctx: ctx, options: o, meter: from(ctx)}, nil
}

// meteredStream bills each answer when the answer arrives. A stream that the caller gives
// up half way is billed for the answers until then.
type meteredStream struct {
	grpc.ClientStream
	ctx     context.Context
	options *Options
	meter   *Meter

	query  bool     // the call costs at least one read
	billed bool     // at least one read was billed
	counts []string // aliases of the counts of an aggregation
}

// SendMsg inspects the request. A Listen sends and receives at once, so for a Listen SendMsg sets no state that RecvMsg
// uses.
func (s *meteredStream) SendMsg(msg any) error {
	switch req := msg.(type) {
	case *pb.RunQueryRequest:
		s.query = true
		s.options.check(s.ctx, req.GetStructuredQuery())
	case *pb.ExecutePipelineRequest:
		s.query = true
	case *pb.RunAggregationQueryRequest:
		s.query = true
		var fields []string
		for _, a := range req.GetStructuredAggregationQuery().GetAggregations() {
			switch op := a.Operator.(type) {
			case *pb.StructuredAggregationQuery_Aggregation_Count_:
				s.counts = append(s.counts, a.Alias)
			case *pb.StructuredAggregationQuery_Aggregation_Sum_:
				fields = append(fields, op.Sum.Field.GetFieldPath())
			case *pb.StructuredAggregationQuery_Aggregation_Avg_:
				fields = append(fields, op.Avg.Field.GetFieldPath())
			}
		}
		s.options.check(s.ctx, req.GetStructuredAggregationQuery().GetStructuredQuery(), fields...)
	case *pb.ListenRequest:
		s.options.check(s.ctx, req.GetAddTarget().GetQuery().GetStructuredQuery())
	}
	return s.ClientStream.SendMsg(msg)
}

// RecvMsg bills the answer.
func (s *meteredStream) RecvMsg(msg any) error {
	err := s.ClientStream.RecvMsg(msg)
	var reads int64
	switch {
	case err == nil:
		reads = s.price(msg)
		if reply, ok := msg.(interface{ GetReadTime() *timestamppb.Timestamp }); ok {
			s.options.told(reply.GetReadTime())
		}
	case errors.Is(err, io.EOF) && s.query && !s.billed:
		reads = 1 // an empty result is billed as one read
	}
	if reads > 0 {
		s.billed = true
		s.meter.add(Counts{Reads: reads})
	}
	return err
}

// price returns the billed reads of one answer.
func (s *meteredStream) price(msg any) int64 {
	switch reply := msg.(type) {
	case *pb.BatchGetDocumentsResponse:
		if reply.Result != nil { // found or missing; nil if the answer only has the transaction
			return 1
		}
	case *pb.RunQueryResponse:
		reads := int64(reply.SkippedResults) // Firestore reads the skipped documents
		if reply.Document != nil {
			reads++
		}
		return reads
	case *pb.ExecutePipelineResponse:
		return int64(len(reply.Results))
	case *pb.RunAggregationQueryResponse:
		if reply.Result != nil {
			return s.entries(reply.Result)
		}
	case *pb.ListenResponse:
		switch change := reply.ResponseType.(type) {
		case *pb.ListenResponse_DocumentChange, *pb.ListenResponse_DocumentRemove:
			return 1 // a changed document that leaves the result counts too; a deleted document does not
		case *pb.ListenResponse_TargetChange:
			if change.TargetChange.TargetChangeType == pb.TargetChange_CURRENT && !s.billed {
				return 1
			}
		}
	}
	return 0
}

// entries returns the price of an aggregation: one read for up to 1,000 index entries. The answer does not report the
// number of entries, but a count equals it. Without a count among the aggregations the price counts as one read.
func (s *meteredStream) entries(result *pb.AggregationResult) int64 {
	var n int64
	for _, alias := range s.counts {
		n = max(n, result.AggregateFields[alias].GetIntegerValue())
	}
	return max(1, (n+999)/1000)
}
