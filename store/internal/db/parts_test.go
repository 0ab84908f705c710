package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/store/internal/db"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// A commit that is refused for its size is cut until the database takes it, one that can never be
// written fails no other, and another failure ends all.
func TestParts(t *testing.T) {
	t.Parallel()
	var sizes []int
	unavailable := 0 // the number of the commit that fails
	opts, err := meter.ClientOptions(testenv.FirestoreHost(t),
		meter.Options{Below: func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn,
			invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			commit, ok := req.(*pb.CommitRequest)
			if !ok {
				return invoke(ctx, method, req, reply, conn, opts...)
			}
			sizes = append(sizes, len(commit.Writes))
			switch never := slices.ContainsFunc(commit.Writes,
				func(w *pb.Write) bool { return strings.HasSuffix(w.GetUpdate().GetName(), "/never") }); {
			case len(sizes) == unavailable:
				return status.Error(codes.PermissionDenied, "no")
			case never:
				return status.Error(codes.InvalidArgument, "the document is wrong")
			case len(commit.Writes) > 3:
				return status.Error(codes.InvalidArgument, "Transaction too big. Decrease transaction size.")
			}
			return invoke(ctx, method, req, reply, conn, opts...)
		}})
	testenv.Must(t, err)
	client, err := firestore.NewClient(t.Context(), testenv.Project(t), opts...)
	testenv.Must(t, err)
	t.Cleanup(func() { client.Close() })
	d := &db.DB{Client: client}
	name := func(n int) string { return fmt.Sprintf("%03d", n) }
	tests := []struct {
		what        string
		n, most     int
		never       int // which is refused by itself; 0 is none
		unavailable int
		alone       error // what Alone answers; nil without
		done        int
		sizes       []int
		code        codes.Code
	}{
		{"few", 2, 0, 0, 0, nil, 2, []int{2}, codes.OK},
		{"none", 0, 0, 0, 0, nil, 0, nil, codes.OK},
		{"too many for one", 7, 0, 0, 0, nil, 7, []int{7, 4, 2, 2, 3}, codes.OK},
		{"parts", 7, 3, 0, 0, nil, 7, []int{3, 3, 1}, codes.OK},
		{"one is wrong", 7, 3, 2, 0, nil, 6, []int{3, 2, 1, 1, 1, 3, 1}, codes.InvalidArgument},
		{"one is tried otherwise", 3, 3, 2, 0, errors.ErrUnsupported, 1, []int{3, 2, 1, 1}, codes.Unknown},
		{"a failure", 7, 2, 0, 2, nil, 2, []int{2, 2}, codes.PermissionDenied},
	}
	for _, test := range tests {
		all := make([]string, test.n)
		for i := range all {
			if all[i] = name(i + 1); i+1 == test.never {
				all[i] = "never"
			}
		}
		sizes, unavailable = nil, test.unavailable
		parts := db.Parts[string]{Most: test.most, Add: func(b *db.Batch, id string) error {
			b.Set(client.Doc("somewhere/"+id), map[string]any{"test": test.what})
			return nil
		}}
		if test.alone != nil {
			parts.Alone = func(id string, refused error) error {
				if id != "never" || status.Code(refused) != codes.InvalidArgument {
					t.Errorf("%s: %q alone: %v", test.what, id, refused)
				}
				return test.alone
			}
		}
		done, err := parts.Commit(t.Context(), d, all)
		if done != test.done || status.Code(err) != test.code || !slices.Equal(sizes, test.sizes) {
			t.Errorf("%s: %d done in commits of %v: %v; want %d in %v and %v", test.what, done, sizes, err, test.done,
				test.sizes, test.code)
		}
	}
}

func TestTooBig(t *testing.T) {
	t.Parallel()
	tests := []struct {
		code codes.Code
		text string
		want bool
	}{
		{codes.InvalidArgument, "Transaction too big. Decrease transaction size.", true},
		{codes.InvalidArgument, "Request payload size exceeds the limit: 11534336 bytes.", true},
		{codes.ResourceExhausted, "trying to send message larger than max (11000000 vs. 10485760)", true},
		{codes.ResourceExhausted, "Quota exceeded.", false},
		{codes.InvalidArgument, "Transaction is invalid or closed.", false},
		{codes.Aborted, "Transaction too big", false},
	}
	for _, test := range tests {
		if got := db.TooBig(fmt.Errorf("store: %w", status.Error(test.code, test.text))); got != test.want {
			t.Errorf("TooBig(%v %q) = %t, want %t", test.code, test.text, got, test.want)
		}
	}
	if db.TooBig(nil) || db.TooBig(errors.New("too big")) {
		t.Error("no error of the database is too big")
	}
	for bytes, want := range map[int]int{0: 200, 1 << 10: 200, 1 << 20: 8, 20 << 20: 1} {
		if got := db.Together(bytes); got != want {
			t.Errorf("Together(%d) = %d, want %d", bytes, got, want)
		}
	}
}
