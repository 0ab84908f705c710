// Package appcheck checks App Check tokens with the Admin SDK. The SDK needs the public keys of App Check before it can
// check a token, and gets them over the network. This package fetches the keys in the background, so that a service
// starts and answers without them.
package appcheck

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/appcheck"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
)

const (
	// patience is the time that requests wait for the keys after the start of the process. Later requests do not wait.
	patience = 2 * time.Second

	// retryAfter is the shortest time between two attempts to get the keys.
	retryAfter = 10 * time.Second
)

// Checker checks App Check tokens of a project. Its methods may be called concurrently.
type Checker struct {
	ctx     context.Context // ends with the process and stops the refresh of the keys
	project string
	log     *slog.Logger
	retry   time.Duration
	first   chan struct{} // closed after the first attempt
	began   time.Time

	mu      sync.Mutex
	keys    *appcheck.Client // nil before the first success
	stop    func()           // stops the refresh of the keys
	triedAt time.Time        // when the last attempt began
	trying  bool
}

// New returns a checker for the apps of a project, and starts to fetch the keys. The SDK fetches them again every 6
// hours until ctx ends.
func New(ctx context.Context, project string, log *slog.Logger) *Checker {
	return start(ctx, project, log, retryAfter)
}

func start(ctx context.Context, project string, log *slog.Logger, retry time.Duration) *Checker {
	c := &Checker{ctx: ctx, project: project, log: log, retry: retry, first: make(chan struct{}), began: time.Now()}
	c.fetch(func() { close(c.first) })
	return c
}

// Check checks a token. A bad token is errs.Unauthenticated (invalid_app_check). Without the
// keys of App Check, Check fails with errs.Unavailable (app_check_unavailable). It waits for
// them only in the first 2 seconds of the process.
func (c *Checker) Check(ctx context.Context, token string) error {
	keys := c.current()
	if keys == nil {
		waiting, cancel := context.WithDeadline(ctx, c.began.Add(patience))
		defer cancel()
		select {
		case <-c.first:
		case <-waiting.Done():
		}
		if keys = c.current(); keys == nil {
			c.fetch(nil)
			return &errs.Error{Kind: errs.Unavailable, Code: "app_check_unavailable",
				Msg: "App Check cannot be reached at the moment; try again in a few seconds"}
		}
	}
	err := verify(keys, token)
	if err != nil && strings.Contains(err.Error(), unknownKey) {
		c.fetch(nil) // App Check has new keys, or the token is forged; the next request will know
	}
	if err != nil {
		return &errs.Error{Kind: errs.Unauthenticated, Code: "invalid_app_check",
			Msg: "the App Check token is not valid for this project, or has expired", Err: err}
	}
	return nil
}

// unknownKey is in the error of the SDK for a token that is signed with a key it does not have.
const unknownKey = "key ID was not found"

// verify checks a token. The SDK panics if a claim has an unexpected type.
func verify(keys *appcheck.Client, token string) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("claims of another type: %v", v)
		}
	}()
	_, err = keys.VerifyToken(token)
	return err
}

func (c *Checker) current() *appcheck.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.keys
}

// fetch fetches the keys in the background, unless an attempt began less than retryAfter ago. Old keys stay in use
// until new ones arrive.
func (c *Checker) fetch(then func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trying || !c.triedAt.IsZero() && time.Since(c.triedAt) < c.retry {
		return
	}
	c.trying, c.triedAt = true, time.Now()
	safely.Go(func() error {
		ctx, stop := context.WithCancel(c.ctx)
		var keys *appcheck.Client
		err := safely.Do(func() (err error) { keys, err = open(ctx, c.project); return err })
		c.mu.Lock()
		defer c.mu.Unlock()
		c.trying = false
		if err != nil {
			stop()
			c.log.LogAttrs(c.ctx, slog.LevelWarn, "the keys of App Check cannot be reached", slog.Any("error", err))
		} else {
			if c.stop != nil {
				c.stop()
			}
			c.keys, c.stop = keys, stop
		}
		if then != nil {
			then()
		}
		return nil
	}, nil)
}

// open fetches the keys, within a minute.
func open(ctx context.Context, project string) (*appcheck.Client, error) {
	app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: project})
	if err != nil {
		return nil, err
	}
	return app.AppCheck(ctx)
}
