// Package drill loses a database and restores it. It creates users and tweets with all their projections, exports the
// database of an emulator, ends the emulator, and imports the export into a new one. Then it verifies and repairs, as
// docs/operate/runbook.md describes for the cloud.
package drill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// Options of a recovery drill.
type Options struct {
	Users int // each follows three others, posts 5 times and likes 3 tweets; at least 4
	Log   *slog.Logger
	Step  func(name string, do func() error) error // shows how long a step takes; do itself if nil
}

// Report is the result of a recovery drill.
type Report struct {
	Documents int           `json:"documents"`
	Export    time.Duration `json:"export"`
	Import    time.Duration `json:"import"`
	Verify    time.Duration `json:"verify"`
	Drift     int           `json:"drift"` // differences because of events that were lost with the database
	Left      int           `json:"left"`  // differences after the repair; the drill fails unless it is 0
}

// Print prints the report for people.
func (r *Report) Print(w io.Writer) error {
	each := func(d time.Duration) string {
		return fmt.Sprintf("%8.2f s, %6.2f s per 10,000 documents", d.Seconds(), d.Seconds()*10_000/float64(r.Documents))
	}
	_, err := fmt.Fprintf(w, "documents %8d, each as before\nexport  %s\nimport  %s\nverify  %s\ndrift     %8d "+
		"documents, because their events were lost with the database; %d after the repair\n",
		r.Documents, each(r.Export), each(r.Import), each(r.Verify), r.Drift, r.Left)
	return err
}

// project is the project of every recovery drill. Its emulators belong to the drill only.
const project = "demo-drill"

// Run runs the recovery drill. It fails if a document of the export is missing or different in the new database, if the
// new database has an additional document, or if verification finds a difference after the repair.
func Run(ctx context.Context, o Options) (_ *Report, err error) {
	if o.Users < 4 {
		return nil, fmt.Errorf("%d users are too few for a drill; it needs 4", o.Users)
	}
	if o.Step == nil {
		o.Step = func(_ string, do func() error) error { return do() }
	}
	dir, err := os.MkdirTemp("", "hibana-drill-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r := &Report{}
	before, err := r.makeAndLose(ctx, o, dir)
	if err != nil {
		return nil, err
	}
	return r, r.restore(ctx, o, dir, before)
}

// makeAndLose creates a database, exports it into a directory, and ends its emulator. It returns the digests of the
// exported documents.
func (r *Report) makeAndLose(ctx context.Context, o Options, dir string) (before digests, err error) {
	p, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.end(ctx)) }()
	err = o.Step("people and tweets", func() error {
		if err := p.fill(ctx, o.Users, 0); err != nil {
			return err
		}
		if err := p.idle(ctx); err != nil {
			return err
		}
		return p.clean(ctx)
	})
	if err != nil {
		return nil, err
	}
	// The last moment before the disaster: source documents exist whose events will never be handled.
	if err := p.stack.Runner.Stop(ctx); err != nil {
		return nil, err
	}
	if err := p.fill(ctx, 4, 1); err != nil {
		return nil, err
	}
	err = o.Step("export", func() error {
		begun := time.Now()
		err := export(ctx, p.address(), dir)
		r.Export = time.Since(begun)
		return err
	})
	if err != nil {
		return nil, err
	}
	before, err = digest(ctx, p.address())
	r.Documents = len(before)
	return before, err
}

// restore imports the export into a new emulator, compares, verifies and repairs.
func (r *Report) restore(ctx context.Context, o Options, dir string, before digests) (err error) {
	p, err := begin(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.end(ctx)) }()
	switch lost, err := digest(ctx, p.address()); {
	case err != nil:
		return err
	case len(lost) != 0:
		return fmt.Errorf("the database was not lost: there are %d documents", len(lost))
	}
	// No trigger sees the import, as none does in the cloud before the switch.
	if err := p.stack.Runner.Unregister(ctx); err != nil {
		return err
	}
	err = o.Step("import", func() error {
		begun := time.Now()
		err := load(ctx, p.address(), filepath.Join(dir, exportName, exportName+".overall_export_metadata"))
		r.Import = time.Since(begun)
		return err
	})
	if err != nil {
		return err
	}
	after, err := digest(ctx, p.address())
	if err != nil {
		return err
	}
	if err := before.same(after); err != nil {
		return err
	}
	if err := p.stack.Runner.Register(ctx); err != nil {
		return err
	}
	var found []verify.Difference
	err = o.Step("verify", func() (err error) {
		begun := time.Now()
		found, _, err = p.stack.Store.Audit.Part(ctx, "", 0, verify.Options{})
		r.Verify = time.Since(begun)
		r.Drift = len(found)
		return err
	})
	if err != nil {
		return err
	}
	if r.Drift == 0 {
		return errors.New("verify finds no drift, although events were lost with the database")
	}
	return o.Step("repair", func() error {
		if _, _, err := p.stack.Store.Audit.Part(ctx, "", 0, verify.Options{Against: found, Repair: true}); err != nil {
			return err
		}
		if err := p.idle(ctx); err != nil {
			return err
		}
		left, _, err := p.stack.Store.Audit.Part(ctx, "", 0, verify.Options{})
		if err != nil {
			return err
		}
		if r.Left = len(left); r.Left > 0 {
			return fmt.Errorf("%d of %d differences are left after the repair, the first is %+v", r.Left, r.Drift, left[0])
		}
		return nil
	})
}

// place is an emulator with functions.
type place struct {
	emulator *emulators.Process
	stack    *stack.Stack
}

func begin(ctx context.Context, o Options) (*place, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e, err := emulators.StartFirestore(ctx, emulators.FirestoreOptions{ProjectID: project, EventsHost: l.Addr().String(),
		MaxHeapMB: 4096})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s, err := stack.Start(ctx, stack.Options{
		Project: project, Firestore: e.Addr(), Events: l, Log: o.Log,
		Store: store.Options{WriteEvery: 20 * time.Millisecond, FlushAfter: 20 * time.Millisecond},
	})
	if err != nil {
		return nil, errors.Join(err, e.Stop(context.WithoutCancel(ctx)))
	}
	return &place{e, s}, nil
}

func (p *place) address() string { return p.emulator.Addr() }

// end ends both. The emulator keeps nothing.
func (p *place) end(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	return errors.Join(p.stack.Stop(ctx), p.emulator.Stop(ctx))
}

func (p *place) idle(ctx context.Context) error { return p.stack.Runner.WaitIdle(ctx) }

// clean returns an error if verification finds a difference.
func (p *place) clean(ctx context.Context) error {
	found, _, err := p.stack.Store.Audit.Part(ctx, "", 0, verify.Options{})
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("before anything is lost, %d documents differ, the first is %+v", len(found), found[0])
	}
	return err
}

// fill makes n people who follow each other, post and like. A round has people of its own.
func (p *place) fill(ctx context.Context, n, round int) error {
	db := p.stack.Store
	uid := func(i int) model.UserID { return model.UserID(fmt.Sprintf("user%dx%d", round, i%n)) }
	tweets := make([]model.TweetID, n)
	each := func(do func(ctx context.Context, i int) error) error {
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(8)
		for i := range n {
			g.Go(func() error { return do(ctx, i) })
		}
		return g.Wait()
	}
	return errors.Join(
		each(func(ctx context.Context, i int) error {
			_, err := db.Users.CreateUser(ctx, uid(i), model.NewUser{Username: string(uid(i)), Nickname: "a spark"})
			return err
		}),
		each(func(ctx context.Context, i int) error {
			for k := range 3 {
				if err := db.Graph.Follow(ctx, uid(i), uid(i+k+1)); err != nil {
					return err
				}
			}
			return nil
		}),
		each(func(ctx context.Context, i int) error {
			for k := range 5 {
				t, err := db.Tweets.CreateTweet(ctx, uid(i), model.Draft{Content: fmt.Sprintf("spark %d #drill", k),
					AllowLikes: true, AllowReplies: true}, model.Request{})
				if err != nil {
					return err
				}
				tweets[i] = t.ID
			}
			return nil
		}),
		each(func(ctx context.Context, i int) error {
			for k := range 3 {
				if err := db.Reactions.Like(ctx, uid(i), tweets[(i+k+1)%n]); err != nil {
					return err
				}
			}
			return nil
		}),
	)
}
