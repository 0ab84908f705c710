package bucket

import (
	"context"
	"strings"
	"sync"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

type sizesKey struct{}

// Sizes holds the sizes of buckets from the answers to commits.
type Sizes struct {
	mu sync.Mutex
	of map[count]growth
}

// count is a field of a bucket that counts items, under the bucket's document id.
type count struct{ bucket, field string }

// growth is the size of a bucket after a commit, and the growth by that commit.
type growth struct{ size, by int64 }

// Watch returns a context whose commits [RecordSizes] records in the Sizes.
func Watch(ctx context.Context) (context.Context, *Sizes) {
	z := &Sizes{of: map[count]growth{}}
	return context.WithValue(ctx, sizesKey{}, z), z
}

// Of returns the size of a bucket, by the field that counts its items, or 0 if no commit returned it. A bucket of
// several kinds of items has a field for each, whose name ends in "Size".
func (z *Sizes) Of(bucket, field string) int64 {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.of[count{bucket, field}].size
}

// RecordSizes records the sizes of buckets from the answer to a commit. The meter calls RecordSizes for every commit.
func RecordSizes(ctx context.Context, req *pb.CommitRequest, resp *pb.CommitResponse) {
	z, ok := ctx.Value(sizesKey{}).(*Sizes)
	if !ok {
		return
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	for i, w := range req.Writes {
		for j, t := range w.UpdateTransforms {
			if (t.FieldPath == SizeField || strings.HasSuffix(t.FieldPath, "Size")) && i < len(resp.WriteResults) &&
				j < len(resp.WriteResults[i].TransformResults) {
				name := w.GetUpdate().GetName()
				z.of[count{name[strings.LastIndexByte(name, '/')+1:], t.FieldPath}] = growth{
					size: resp.WriteResults[i].TransformResults[j].GetIntegerValue(), by: t.GetIncrement().GetIntegerValue(),
				}
			}
		}
	}
}
