package db

import (
	"context"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/internal/errs"
)

// The Firestore client sends a commit once more if the answer is lost. Another act may have undone the commit
// meanwhile. Then a create or a delete without a version would do it again, against the user's wish. So a user's
// request is committed in a transaction, also if it reads nothing: the database accepts one commit of a transaction,
// and refuses the second.

type onceKey struct{}

// CommitOnce commits a batch that the database accepts once, however often the client sends it. If the client sent it
// again, and the answer does not say whether the first was accepted, CommitOnce calls done. done returns whether the
// documents are as the batch would leave them. If not, the error is errs.Unavailable: the commit never happened, or
// another act undid it, and only the caller can decide whether to repeat it. Without done the error is errs.Unavailable
// at once. After a call of done the results have no times.
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

// TransactOnce is [DB.Transact] for a user's request. f does not run again after its own commit, and done returns
// whether the commit succeeded, see [DB.CommitOnce].
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

// Gone returns a done for [DB.CommitOnce] that reports whether all documents are missing.
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

// Made returns a done for [DB.CommitOnce] that reports whether a document exists.
//
// Cost: 1 read.
func (d *DB) Made(ref *firestore.DocumentRef) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) { return d.Get(ctx, ref, nil) }
}

// BeginOnce is an interceptor that begins the transactions of [DB.CommitOnce]. It writes the transaction into the
// request, which the client keeps when it sends the request again. The options of the call are those of the commit, and
// hold for both.
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
