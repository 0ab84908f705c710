package db

import (
	"context"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/internal/errs"
)

// The Firestore client sends a commit once more by itself if the answer is lost. Meanwhile another
// act may have taken back what the commit did: then a create or a delete without a version would do
// it again, which nobody asked for. So what people ask for is committed in a transaction, also if it
// reads nothing: the database takes one commit of a transaction, and refuses the second.

type onceKey struct{}

// CommitOnce commits a batch that the database takes once, however often the client sends it. If the
// client sent it again, and the database does not tell whether it took the first, done is asked
// whether everything is as the batch would leave it. If it is not, the error is errs.Unavailable: the
// commit never happened, or somebody took back what it did, and nobody but the caller can tell
// whether it is still wanted. Without done the error is errs.Unavailable at once. The results have no
// times if done was asked.
//
// Cost: one call more than a commit, which is not billed. After an answer that was lost what done costs.
func (d *DB) CommitOnce(ctx context.Context, b *Batch, done func(context.Context) (bool,
	error)) ([]*firestore.WriteResult, error) {
	results, err := b.Commit(context.WithValue(ctx, onceKey{}, true))
	if closed(err) {
		return nil, reconcile(ctx, err, done)
	}
	return results, err
}

// CreateOnce is [DB.CommitOnce] for the creation of one document.
func (d *DB) CreateOnce(ctx context.Context, ref *firestore.DocumentRef, data any) error {
	b := d.Batch()
	b.Create(ref, data)
	_, err := d.CommitOnce(ctx, b, d.Made(ref))
	return err
}

// DeleteOnce is [DB.CommitOnce] for the deletion of documents, which need not be there.
func (d *DB) DeleteOnce(ctx context.Context, refs ...*firestore.DocumentRef) error {
	b := d.Batch()
	for _, ref := range refs {
		b.Delete(ref)
	}
	_, err := d.CommitOnce(ctx, b, d.Gone(refs...))
	return err
}

// TransactOnce is [DB.Transact] for what people ask for: f does not run again after its own commit, and
// done tells what became of it, see [DB.CommitOnce].
func (d *DB) TransactOnce(ctx context.Context, f func(context.Context, *firestore.Transaction) error,
	done func(context.Context) (bool, error)) error {
	for n := 1; ; n++ {
		ran := false
		err := d.Client.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
			ran = false
			err := f(ctx, tx)
			ran = err == nil
			return err
		})
		switch {
		case !closed(err):
			return err
		case ran:
			return reconcile(ctx, err, done)
		case n == transactAttempts:
			return err
		}
	}
}

func reconcile(ctx context.Context, failure error, done func(context.Context) (bool, error)) error {
	if done != nil {
		if is, err := done(ctx); is || err != nil {
			return err
		}
	}
	return &errs.Error{Kind: errs.Unavailable, Msg: "the database did not say whether it did this; look, and send it " +
		"once more if it did not", Err: failure}
}

// Gone returns what tells whether none of some documents is there, for [DB.CommitOnce].
//
// Cost: 1 read for each.
func (d *DB) Gone(refs ...*firestore.DocumentRef) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		snaps, err := d.Client.GetAll(ctx, refs)
		for _, snap := range snaps {
			if snap.Exists() {
				return false, err
			}
		}
		return err == nil, err
	}
}

// Made returns what tells whether a document is there, for [DB.CommitOnce].
//
// Cost: 1 read.
func (d *DB) Made(ref *firestore.DocumentRef) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) { return d.Get(ctx, ref, nil) }
}

// BeginOnce is an interceptor that begins the transactions of [DB.CommitOnce]. It writes the
// transaction into the request, which the client keeps when it sends the request again. The options
// of a call are those of a commit, and hold for both.
func BeginOnce(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
	opts ...grpc.CallOption) error {
	if commit, ok := req.(*pb.CommitRequest); ok && len(commit.Transaction) == 0 && ctx.Value(onceKey{}) != nil {
		var begun pb.BeginTransactionResponse
		if err := invoke(ctx, pb.Firestore_BeginTransaction_FullMethodName,
			&pb.BeginTransactionRequest{Database: commit.Database}, &begun, conn, opts...); err != nil {
			return err
		}
		commit.Transaction = begun.Transaction
	}
	return invoke(ctx, method, req, reply, conn, opts...)
}
