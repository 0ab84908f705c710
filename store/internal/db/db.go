// Package db holds what the packages of store share of the Firestore client: references to documents, reads, pages, the
// changedAt of a tweet, and the errors of commits. Package db has no other rule about any document.
package db

import (
	"cmp"
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
)

// DB is a database and two clocks. All packages of one store share one DB.
type DB struct {
	Client *firestore.Client
	Now    func() time.Time // the clock of the process
	Server *Server          // the clock of the database

	// NotificationWindow is how long notifications are kept, see [model.NotificationWindow].
	NotificationWindow time.Duration

	work    work
	updates updates
	queries chan struct{}                      // of All
	gone    lru.Cache[model.UserID, time.Time] // when the process last saw that a user has no profile
}

// New returns a database. The event of a work document that is older than staleAfter counts
// as lost, and a step of long work lasts for stepTime; 0 stands for [StaleAfter] and
// [StepTime].
func New(client *firestore.Client, now func() time.Time, server *Server, staleAfter, stepTime time.Duration) *DB {
	return &DB{Client: client, Now: now, Server: server, work: newWork(cmp.Or(staleAfter, StaleAfter),
		cmp.Or(stepTime, StepTime)), updates: newUpdates(), queries: make(chan struct{}, queriesAtOnce),
		NotificationWindow: model.NotificationWindow,
		gone:               lru.New[model.UserID, time.Time](goneRemembered)}
}

// Time returns the clock's time with the precision of a Firestore timestamp.
func (d *DB) Time() time.Time { return d.Now().UTC().Truncate(time.Microsecond) }

// HomeWindow returns the time of the oldest tweet that a home timeline shows now, and the months since then, newest
// first.
func (d *DB) HomeWindow() (oldest time.Time, months []model.Month) {
	now := d.Now()
	oldest = now.Add(-model.TimelineWindow)
	return oldest, model.MonthsBetween(oldest, now)
}

// Batch collects writes that one commit makes in one round trip. The client marks
// WriteBatch as deprecated in favor of transactions. But a transaction costs a second
// round trip, and a BulkWriter is not atomic.
//
// The order of the writes matters only in the emulator: for a moment a reader may see the first ones and not the
// others. So a write that sends readers to another document, or that ends work, comes last.
//
//lint:ignore SA1019 for these reasons
type Batch = firestore.WriteBatch

// Batch begins a batch.
func (d *DB) Batch() *Batch {
	//lint:ignore SA1019 see the type
	return d.Client.Batch()
}

// Take deletes a work document if it is still the one that was written at a time. Take returns whether it deleted the
// document. With the zero time Take deletes any document, and returns true even if there is none.
//
// Cost: 1 delete if Take returns true.
func (d *DB) Take(ctx context.Context, work *firestore.DocumentRef, written time.Time) (bool, error) {
	var same []firestore.Precondition
	if !written.IsZero() {
		same = append(same, firestore.LastUpdateTime(written))
	}
	_, err := work.Delete(ctx, same...)
	if NotFound(err) || Outdated(err) {
		return false, nil
	}
	return err == nil, err
}

// transactAttempts is how often Transact begins a transaction.
const transactAttempts = 5

// Transact runs f in a transaction. If the answer to the commit is lost, the client sends the commit once more. The
// database refuses it, because the transaction is closed. Then Transact runs f in a new transaction. So f must be right
// after its own commit, too.
func (d *DB) Transact(ctx context.Context, f func(context.Context, *firestore.Transaction) error,
	opts ...firestore.TransactionOption) error {
	for n := 1; ; n++ {
		err := d.Client.RunTransaction(ctx, f, opts...)
		if n == transactAttempts || !closed(err) {
			return err
		}
	}
}

// Pause waits for a duration, or returns the context's error when the context ends first. An event that waits for long
// gives its slot to others, see [gate.Pause].
func Pause(ctx context.Context, d time.Duration) error { return gate.Pause(ctx, d) }
