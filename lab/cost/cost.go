// Package cost measures the bill of a day of Hibana's users. It plays a described day against the real API, functions
// and emulator. The meters report the bill of each operation and its triggers. The package compares it with the bill of
// a baseline layout for the same day.
//
// Time is the store's injected clock. The clock stands still while an operation and its triggers run, and moves in
// between. So the operations of a day lie as far apart as the operations of so many users do. On a real clock the day
// would be over in minutes. Then the cache, the sharding of hot counters and all other timed behavior would treat a few
// users as a crowd.
package cost

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Options of a run.
type Options struct {
	Project   string
	Emulator  string      // host:port of the Firestore emulator
	Functions *Instrument // the instrument that made the options of the functions' store and their log
	// Idle returns when every trigger of earlier writes has run.
	Idle func(context.Context) error
	// Tick calls the clock of the functions, as Cloud Scheduler does each minute. A nil Tick has no clock.
	Tick func(context.Context) error
	Log  *slog.Logger // receives the errors of the API

	CacheTTL time.Duration // how old a tweet in the API's cache may be; above 0

	// Count shows the progress towards a total while do runs. do calls done after each item. A nil Count shows nothing.
	Count func(name string, total int, do func(done func()) error) error
}

// system is the API of a run, and the triggers behind the API.
type system struct {
	Options
	url    string
	client *http.Client
	server *http.Server
	store  *store.Store
	files  chan Bill // of requests for files
}

// open serves the API at a port of its own. The API has a store of its own, as in the
// cloud.
func open(ctx context.Context, o Options) (*system, error) {
	if o.Count == nil {
		o.Count = func(_ string, _ int, do func(func()) error) error { return do(func() {}) }
	}
	so := o.Functions.Store()
	so.Emulator, so.CacheTTL = o.Emulator, o.CacheTTL
	so.WriteEvery = 0 // as deployed: the API shows lists for a multiple of it
	db, err := store.Open(ctx, o.Project, "", so)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	handler := api.New(api.Options{
		Stores: wiring.API(db), Accounts: everybody{},
		Options: server.Options{Verifier: tokenIsUID{}, Log: slog.New(fileBills{o.Log.Handler()}),
			PageTokenKey: []byte(rand.Text())},
	})
	s := &system{
		Options: o, store: db, url: "http://" + l.Addr().String(), files: make(chan Bill, 1),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: width}, Timeout: time.Minute},
	}
	s.server = &http.Server{Handler: s.tellFiles(handler), ReadHeaderTimeout: 10 * time.Second}
	go s.server.Serve(l)
	return s, nil
}

func (s *system) close() error {
	s.client.CloseIdleConnections()
	return errors.Join(s.server.Close(), s.store.Close())
}

// tokenIsUID treats a token as the uid of its sender. The sign-up of thousands of users is not measured, and only this
// package uses this API.
type tokenIsUID struct{}

func (tokenIsUID) Verify(_ context.Context, token string) (model.Caller, error) {
	uid, err := model.ParseUserID(token)
	if err != nil {
		return model.Caller{}, errs.New(errs.Unauthenticated, "invalid_token", "a token is a uid here")
	}
	return model.Caller{UID: uid}, nil
}

func (v tokenIsUID) VerifyNow(ctx context.Context, token string) (model.Caller, error) {
	return v.Verify(ctx, token)
}
