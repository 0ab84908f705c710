package db

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Firestore accepts a commit of at most 10 MiB. The request counts, and so does every document that the commit deletes,
// whole and with its index entries. A commit of 200 deletions may be too big.
const (
	// MaxTogether is how many documents one commit writes or deletes, however small they are.
	MaxTogether = 200

	// partBytes is the planned size of one commit: sizes are estimates.
	partBytes = 8 << 20
)

// Together is how many documents one commit may write or delete, if each has at most bytes bytes with its index
// entries. An entry has about 150 bytes.
func Together(bytes int) int { return min(MaxTogether, max(1, partBytes/max(1, bytes))) }

// TooBig reports whether the database refused a commit for its size. Only the message distinguishes this from other
// invalid commits.
func TooBig(err error) bool {
	s, ok := status.FromError(err)
	if !ok {
		return false
	}
	text := strings.ToLower(s.Message())
	switch s.Code() {
	// "Transaction too big. Decrease transaction size.", "Request payload size exceeds the limit: …"
	case codes.InvalidArgument:
		return strings.Contains(text, "too big") || strings.Contains(text, "payload size exceeds")
	case codes.ResourceExhausted: // of the connection, and not of a quota
		return strings.Contains(text, "larger than max")
	}
	return false
}

// refused reports whether the database refused a commit for its content: the commit is too big, or one of its documents
// is.
func refused(err error) bool { return status.Code(err) == codes.InvalidArgument || TooBig(err) }

// Parts are commits of many independent writes.
type Parts[T any] struct {
	// Most is how many items one commit has, see [Together]; MaxTogether if 0.
	Most int
	// Add adds the writes of one item. It is called again for each half of a commit that was refused. So Add must be
	// repeatable, and must not count.
	Add func(*Batch, T) error
	// Alone is called with an item that the database refuses by itself, and may write it otherwise. If nil, the refusal is
	// an error.
	Alone func(T, error) error
}

// Commit commits the writes of each item of all, in order, and returns how many items it wrote. If the database refuses
// a commit for its content, Commit commits each half by itself, down to single items. So no item fails because of the
// size of others, or because another item can never be written. Any other failure ends Commit.
func (p Parts[T]) Commit(ctx context.Context, d *DB, all []T) (done int, err error) {
	return p.inParts(ctx, d, all, cmp.Or(p.Most, MaxTogether))
}

func (p *Parts[T]) inParts(ctx context.Context, d *DB, all []T, most int) (done int, err error) {
	var failures []error
	for some := range slices.Chunk(all, most) {
		n, err := p.commit(ctx, d, some)
		if done += n; err != nil {
			failures = append(failures, err)
		}
		if err != nil && !refused(err) {
			break
		}
	}
	return done, errors.Join(failures...)
}

// commit commits some items, or each half of them.
func (p *Parts[T]) commit(ctx context.Context, d *DB, some []T) (int, error) {
	b := d.Batch()
	for _, one := range some {
		if err := p.Add(b, one); err != nil {
			return 0, err
		}
	}
	_, err := b.Commit(ctx)
	switch {
	case err == nil:
		return len(some), nil
	case !refused(err):
		return 0, err
	case len(some) > 1:
		return p.inParts(ctx, d, some, (len(some)+1)/2)
	case p.Alone != nil:
		if err = p.Alone(some[0], err); err != nil {
			return 0, err
		}
		return 1, nil
	}
	return 0, err
}
