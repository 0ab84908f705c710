package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/internal/safely"
)

// volumeCursor is how far a volume has come: a file of some bytes.
type volumeCursor struct {
	Volume int    `json:"volume"`
	Seed   uint64 `json:"seed"`
	Epoch  string `json:"epoch"` // a day
	Phase  string `json:"phase"`
	Done   int    `json:"done"` // acts of the phase, from its first on
}

// readCursor reads the cursor of an earlier run; a missing file is a new run.
func readCursor(file string, is volumeCursor) (volumeCursor, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return is, nil
	}
	var was volumeCursor
	if err == nil {
		err = json.Unmarshal(text, &was)
	}
	if err != nil {
		return was, fmt.Errorf("%s: %w", file, err)
	}
	if was.Volume != is.Volume || was.Seed != is.Seed {
		return was, fmt.Errorf("%s is of --volume=%d --seed=%d; go on with these, or name another file", file, was.Volume,
			was.Seed)
	}
	return was, nil
}

// save writes the cursor so that a process that ends leaves the former or the new one.
func (c volumeCursor) save(file string) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = next.Write(append(text, '\n'))
	if err = errors.Join(err, next.Close()); err == nil {
		err = os.Rename(next.Name(), file)
	}
	if err != nil {
		_ = os.Remove(next.Name())
	}
	return err
}

// saveEvery is how often the cursor is saved and a line of progress is written at most.
const (
	saveEvery = time.Second
	sayEvery  = 5 * time.Second
	inFlight  = 16 // requests
)

// volumeRun does the acts of a volume.
type volumeRun struct {
	a     *administrator
	file  string // of the cursor; empty for none
	begun time.Time

	mu    sync.Mutex
	at    volumeCursor
	ahead map[int]bool // acts after at.Done that are done
	acts  int          // of this run
	saved time.Time
	said  time.Time
}

// seedVolume makes a volume through the API. Acts after the cursor may be done by an earlier run; they are done again,
// which changes nothing.
func seedVolume(ctx context.Context, a *administrator, at volumeCursor, file string) error {
	epoch, err := time.Parse(volumeEpoch, at.Epoch)
	if err != nil {
		return fmt.Errorf("--epoch: %w", err)
	}
	if epoch.After(time.Now()) {
		return fmt.Errorf("--epoch=%s is in the future, and no tweet is", at.Epoch)
	}
	if err := a.check(ctx); err != nil {
		return err
	}
	run := &volumeRun{a: a, file: file, begun: time.Now(), at: at}
	phases, reached := volume(at.Volume, at.Seed, epoch), at.Phase == ""
	fmt.Printf("Volume %d of seed %d; its tweets are from before %s.\n", at.Volume, at.Seed, at.Epoch)
	for _, p := range phases {
		if reached = reached || p.name == at.Phase; !reached {
			continue
		}
		if p.name != at.Phase {
			run.at.Phase, run.at.Done = p.name, 0
		}
		if err := run.phase(ctx, p); err != nil {
			if file != "" {
				err = fmt.Errorf("%w\nGo on with the same command: %s says how far it came", err, file)
			}
			return err
		}
	}
	seconds := time.Since(run.begun).Seconds()
	fmt.Printf("Acts of this run: %d; time: %.1f s; %.1f acts/s.\n", run.acts, seconds, float64(run.acts)/seconds)
	return nil
}

// phase does the acts of a phase from the cursor on, several at once.
func (r *volumeRun) phase(ctx context.Context, p volumePhase) error {
	r.ahead = map[int]bool{}
	g, ctx := safely.WithContext(ctx)
	g.SetLimit(inFlight)
	for i := r.at.Done; i < len(p.acts) && ctx.Err() == nil; i++ {
		g.Go(func() error {
			do := p.acts[i]
			body := maps.Clone(do.body)
			body["reason"] = importReason
			if err := r.a.write(ctx, do.method, do.path, body); err != nil {
				return fmt.Errorf("%s, act %d: %w", p.name, i+1, err)
			}
			return r.done(i, len(p.acts))
		})
	}
	err := g.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		fmt.Printf("%-12s %d of %d\n", p.name, r.at.Done, len(p.acts))
	}
	if r.file != "" {
		err = errors.Join(err, r.at.save(r.file))
	}
	return err
}

// done notes an act that is done.
func (r *volumeRun) done(i, of int) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.acts++
	for r.ahead[i] = true; r.ahead[r.at.Done]; r.at.Done++ {
		delete(r.ahead, r.at.Done)
	}
	now := time.Now()
	if now.Sub(r.said) > sayEvery {
		r.said = now
		fmt.Printf("%-12s %d of %d, %.0f acts/s\n", r.at.Phase, r.at.Done, of, float64(r.acts)/now.Sub(r.begun).Seconds())
	}
	if r.file != "" && now.Sub(r.saved) > saveEvery {
		r.saved = now
		err = r.at.save(r.file)
	}
	return err
}
