package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/repository"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/storage"
	fediverse "github.com/hibana-sns/hibana/fediverse/wiring"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/httpserver"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/internal/version"
	"github.com/hibana-sns/hibana/internal/webhook"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

type devCmd struct {
	Seed          bool          `help:"Add the users of hibana seed."`
	Ports         partPorts     `embed:""`
	FirestorePort int           `default:"8080" help:"Port of the Firestore emulator."`
	StoragePort   int           `default:"9199" help:"Port of the Storage emulator."`
	AckDeadline   time.Duration `default:"10m" help:"Time after which an unacknowledged event is delivered again. Deployments have 10m; the default of Pub/Sub is 10s."`
	Project       string        `default:"demo-hibana" help:"Project id. Running emulators must have the same."`
	Web           bool          `negatable:"" default:"true" help:"Serve the web client, which reloads at each change."`
	WebPort       int           `default:"5173" help:"Port of the web client."`
	MetricsPort   int           `name:"metrics-port" default:"9464" help:"Port of /metrics, which hibana top reads."`
	Agents        bool          `negatable:"" default:"true" help:"Let agents act for bots, from templates unless AI_PROVIDER says otherwise."`
	Federation    bool          `help:"Let servers of the fediverse on this machine read and follow the users, at the address of the API."`
	NoLimits      bool          `help:"Switch the limits of callers off, for a load test."`
	Quiet         bool          `short:"q" xor:"log" help:"Log warnings and errors only."`
	Verbose       bool          `short:"v" xor:"log" help:"Log debug lines and the output of the emulators."`
}

// Help returns the text of the command's --help.
func (*devCmd) Help() string {
	return `A port of 0 is any free port.
If ` + firestoreEnv + ` and ` + authEnv + ` are
set, the command uses these emulators and starts none but that of Storage.`
}

// Run runs all parts until it is stopped or a part fails.
func (c *devCmd) Run(ctx context.Context) error {
	ai := func(env, otherwise string) string {
		if !c.Agents {
			return ""
		}
		return cmp.Or(os.Getenv(env), otherwise)
	}
	// The rest of the configuration comes from flags and the emulators.
	uploads, media := "gs://"+c.Project+"-uploads", "gs://"+c.Project+"-media"
	cfg, err := config.ReadAPI(map[string]string{
		"UPLOADS_BUCKET": uploads, "MEDIA_BUCKET": media,
		"MEDIA_BYTES_A_DAY":    cmp.Or(os.Getenv("MEDIA_BYTES_A_DAY"), "200000000"),
		"SINGLE_USER":          os.Getenv("SINGLE_USER"),
		"MASTODON_STREAMING":   cmp.Or(os.Getenv("MASTODON_STREAMING"), "on"),
		"GOOGLE_CLOUD_PROJECT": c.Project, "LIMITS": os.Getenv("LIMITS"), "MAX_REQUESTS": os.Getenv("MAX_REQUESTS"),
		"EXPORT_BUCKET": os.Getenv("EXPORT_BUCKET"),
		"AI_PROVIDER":   ai("AI_PROVIDER", "local"), "AI_ENDPOINT": ai("AI_ENDPOINT", ""), "AI_API_KEY": ai("AI_API_KEY", ""),
		"GIST_MODEL": ai("GIST_MODEL", botModel), "GIST_TOKENS": cmp.Or(ai("GIST_TOKENS", "1"), "0"),
	})
	if err != nil {
		return err
	}
	d := &dev{devCmd: c, config: cfg}
	switch {
	case c.Quiet:
		d.level.Set(slog.LevelWarn)
	case c.Verbose:
		d.level.Set(slog.LevelDebug)
		d.output = os.Stderr
	}
	d.log = gcplog.NewText(os.Stderr, &d.level)

	running, fail := context.WithCancelCause(ctx)
	d.fail = fail
	err = d.run(running)
	if err != nil && running.Err() != nil {
		err = context.Cause(running) // the error that stopped run
	}
	asked := ctx.Err() != nil
	stopErr := d.stop(context.WithoutCancel(ctx))
	if asked {
		if stopErr == nil {
			fmt.Println("Stopped.")
		}
		return stopErr
	}
	return cmp.Or(err, stopErr)
}

// tickEvery is the interval of the tick, which posts scheduled tweets.
const tickEvery = 5 * time.Second

// dev has the parts of hibana dev.
type dev struct {
	*devCmd
	config config.API
	// actorKey encrypts the keys of users in the fediverse.
	actorKey config.Secret
	log      *slog.Logger
	level    slog.LevelVar
	output   io.Writer   // of the emulators; nil drops it
	fail     func(error) // stops all parts

	running         bool   // the emulators ran before
	firestore, auth string // their host:port
	api, storage    net.Listener
	events          net.Listener // nil if the emulators ran before
	web             string       // host:port of the web client; empty without
	rules           string
	exports         string // a directory
	measured        *telemetry.Telemetry
	federation      func(*store.Options) // one for the API and the functions, so that both know the keys
	stops           []func(context.Context) error
}

// run starts all parts, reports them, and returns when ctx ends.
func (d *dev) run(ctx context.Context) error {
	begun := time.Now()
	if err := d.check(ctx); err != nil {
		return err
	}
	p := newProgress(os.Stdout)
	s, err := d.start(ctx, p)
	p.wait()
	if err != nil {
		return err
	}
	if d.Seed {
		level := d.level.Level()
		d.level.Set(max(level, slog.LevelWarn)) // of a thousand requests
		if err := seed(ctx, &client{api: "http://" + d.api.Addr().String(), auth: "http://" + d.auth},
			s.Runner.WaitIdle); err != nil {
			return fmt.Errorf("seed: %w", err)
		}
		d.level.Set(level)
	}
	d.welcome(s, time.Since(begun))
	<-ctx.Done()
	return context.Cause(ctx)
}

// start starts all parts, each after the parts that it needs.
func (d *dev) start(ctx context.Context, p *progress) (s *stack.Stack, err error) {
	if d.exports = os.Getenv("EXPORT_BUCKET"); d.exports == "" {
		// The emulators lose their data at the end, and the directory is removed too.
		if d.exports, err = os.MkdirTemp("", "hibana-exports"); err != nil {
			return nil, err
		}
		d.stops = append(d.stops, func(context.Context) error { return os.RemoveAll(d.exports) })
	}
	if d.measured, err = telemetry.Start(ctx, telemetry.Options{
		Service: "dev", OTLP: os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), Metrics: localAddress(d.MetricsPort), Log: d.log,
	}); err != nil {
		return nil, fmt.Errorf("%w; --metrics-port changes the port", err)
	}
	d.stops = append(d.stops, d.measured.Stop)
	if err := d.serveStorage(ctx); err != nil {
		return nil, err
	}
	if d.running {
		fmt.Printf("Using the emulators that %s and %s name.\n", firestoreEnv, authEnv)
	} else {
		fo := emulators.FirestoreOptions{
			Port: d.FirestorePort, ProjectID: d.Project, RulesFile: d.rules, EventsHost: d.events.Addr().String(), Log: d.output,
		}
		ao := emulators.AuthOptions{Port: d.Ports.AuthPort, ProjectID: d.Project, Log: d.output}
		stop, err := startPair(ctx, p, fo, ao, d.fail)
		d.stops = append(d.stops, stop)
		if err != nil {
			return nil, err
		}
		d.firestore, d.auth = os.Getenv(firestoreEnv), os.Getenv(authEnv)
	}
	err = p.step("Functions and events", func(func(string)) error {
		indexes, err := d.indexes()
		if err != nil {
			return err
		}
		o := store.Options{Meter: indexes, DeleteAccount: accounts.New(d.Project).Delete, ExportBucket: d.exports,
			UploadsBucket: d.config.UploadsBucket, MediaBucket: d.config.MediaBucket, FetchLink: d.fetchLink()}
		agents, err := functions.Agents(ctx, d.config.Service)
		if err != nil {
			return err
		}
		agents(&o)
		d.federation, err = fediverse.Store(ctx, d.federated().Service)
		if err != nil {
			return err
		}
		d.federation(&o)
		o.SendWebhook = webhook.New(outbound.Options{AllowLoopback: true,
			UserAgent: outbound.UserAgent(version.Number, d.publicURL())}).Send
		started, err := stack.Start(ctx, stack.Options{
			Project: d.Project, Firestore: d.firestore, Events: d.events, Listen: d.running, AckDeadline: d.AckDeadline,
			TickEvery: tickEvery, Log: d.log, Telemetry: d.measured,
			Storage: d.storage.Addr().String(), Uploads: d.config.UploadsBucket,
			Store: o, Fediverse: d.federated().Service,
		})
		if err != nil {
			return err
		}
		s = started
		d.stops = append(d.stops, started.Stop)
		go func() {
			select {
			case err := <-started.Failed():
				d.fail(err)
			case <-ctx.Done():
			}
		}()
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := p.step("API", func(func(string)) error { return d.serve(ctx) }); err != nil {
		return nil, err
	}
	if d.Web {
		return s, p.step("Web client", func(say func(string)) error { return d.serveWeb(ctx, say) })
	}
	return s, nil
}

// serveStorage serves the emulator of Cloud Storage in this process, with the buckets of media. The web client may
// upload from its own port.
func (d *dev) serveStorage(ctx context.Context) error {
	stop, err := startStorage(d.storage, d.log)
	if err != nil {
		return err
	}
	d.stops = append(d.stops, stop)
	port := strconv.Itoa(d.WebPort)
	origins := []string{"http://127.0.0.1:" + port, "http://localhost:" + port}
	if d.WebPort == 0 {
		origins = []string{"*"} // the port is not known yet
	}
	host, name := d.storage.Addr().String(), func(bucket string) string { return strings.TrimPrefix(bucket, "gs://") }
	return errors.Join(storage.Create(ctx, host, name(d.config.UploadsBucket), origins...),
		storage.Create(ctx, host, name(d.config.MediaBucket)))
}

// serveWeb serves the web client.
func (d *dev) serveWeb(ctx context.Context, say func(string)) error {
	dir, err := repository.File("web")
	if err != nil {
		return err
	}
	web, err := emulators.StartWeb(ctx, emulators.WebOptions{
		Dir: dir, Port: d.WebPort, ProjectID: d.Project, API: d.api.Addr().String(), Firestore: d.firestore, Auth: d.auth,
		Log: d.output, Progress: say,
	})
	if err != nil {
		return fmt.Errorf("%w\nhibana dev --no-web runs without the web client", err)
	}
	d.web = web.Addr()
	d.stops = append(d.stops, web.Stop)
	go func() {
		<-web.Done()
		if err := web.Err(); err != nil {
			d.fail(err)
		}
	}()
	return nil
}

// indexes makes the store warn of a query that the cloud would refuse because an index is missing. The emulator accepts
// such a query.
func (d *dev) indexes() (meter.Options, error) {
	path, err := repository.File("firestore.indexes.json")
	if err != nil {
		return meter.Options{}, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return meter.Options{}, err
	}
	indexes, err := meter.ParseIndexes(data)
	if err != nil {
		return meter.Options{}, err
	}
	return meter.Options{Indexes: indexes, OnUnindexed: func(ctx context.Context, problem string) {
		d.log.WarnContext(ctx, "no index serves a query", "problem", problem)
	}}, nil
}

// fetchLink fetches the pages that posts link to, as LINK_CARDS and ALLOW_LOOPBACK_LINKS say.
func (d *dev) fetchLink() func(context.Context, string) (model.LinkPage, error) {
	var o store.Options
	functions.Links(d.config.Service)(&o)
	return o.FetchLink
}

// publicURL begins the addresses of the public pages: that of the web client, which passes them on, if its port is
// known.
func (d *dev) publicURL() string {
	switch {
	case d.config.PublicURL != "":
		return d.config.PublicURL
	case d.Federation: // the web client's server passes pages on, and no documents
	case d.Web && d.WebPort != 0:
		return "http://127.0.0.1:" + strconv.Itoa(d.WebPort)
	}
	return "http://" + d.api.Addr().String()
}

// federated is the configuration with that of --federation.
func (d *dev) federated() config.API {
	cfg := d.config
	if d.Federation {
		cfg.Federation, cfg.PublicURL, cfg.AllowLoopbackLinks = "on", d.publicURL(), true
		d.actorKey = cmp.Or(d.actorKey, cfg.ActorKey, config.Secret(rand.Text()+rand.Text()))
		cfg.ActorKey = d.actorKey
		cfg.MediaURL = cmp.Or(cfg.MediaURL, "http://"+d.api.Addr().String())
	}
	return cfg
}

// serve serves the API with a store of its own, as in the cloud. It shares no cache with the functions.
func (d *dev) serve(ctx context.Context) error {
	indexes, err := d.indexes()
	if err != nil {
		return err
	}
	indexes.Stats = d.measured.Firestore()
	o := store.Options{
		Emulator: d.firestore, Meter: indexes, ExportBucket: d.exports, ExportLinks: "http://" + d.api.Addr().String(),
		UploadsBucket: d.config.UploadsBucket, MediaBucket: d.config.MediaBucket, MediaURL: "http://" + d.api.Addr().String(),
		AccountStatus: 20 * time.Second, // a new emulator is slow at first
		Log:           d.log, LoopbackWebhooks: true,
	}
	gists, err := wiring.Gists(ctx, d.config)
	if err != nil {
		return err
	}
	gists(&o)
	cfg := d.federated()
	d.federation(&o)
	db, err := store.Open(ctx, d.Project, "", o)
	if err != nil {
		return err
	}
	verifier, err := idtoken.New(ctx, d.Project)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	auth := accounts.New(d.Project)
	of := api.Options{
		Stores: wiring.API(db), Accounts: auth, PublicURL: d.publicURL(), Federation: wiring.Fediverse(cfg, db, d.log),
		SingleUser: cfg.SingleUser,
		Options: server.Options{
			Verifier: verifier, Log: d.log, PageTokenKey: []byte(rand.Text() + rand.Text()), Telemetry: d.measured,
			CORSOrigins: []string{"http://localhost:*", "http://127.0.0.1:*"},
		},
	}
	if !d.NoLimits {
		wiring.Limit(&of, d.config, db) // from LIMITS and MAX_REQUESTS
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if of.Ends = ctx.Done(); d.config.Streaming == "on" {
		of.Streaming = &mastodon.Streaming{}
	}
	handler := api.New(of)
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := httpserver.Run(ctx, d.api, wiring.Handler(db, handler),
			gcplog.NewText(os.Stderr, slog.LevelWarn)); err != nil {
			d.fail(fmt.Errorf("API: %w", err))
		}
	}()
	d.stops = append(d.stops, func(context.Context) error {
		cancel()
		select {
		case <-served:
		case <-time.After(time.Second): // a browser may hold a connection for longer
		}
		return db.Close()
	})
	return nil
}

// stop stops the running parts, the latest one first.
func (d *dev) stop(ctx context.Context) error {
	var all []error
	for _, stop := range slices.Backward(d.stops) {
		all = append(all, stop(ctx))
	}
	return errors.Join(all...)
}

// welcome prints the addresses of all parts and the next steps.
func (d *dev) welcome(s *stack.Stack, ready time.Duration) {
	address := d.api.Addr().String()
	events := "by listeners, because the emulator has no event runner"
	if d.events != nil {
		events = "http://" + d.events.Addr().String()
	}
	web := "off"
	if d.web != "" {
		web = "http://" + d.web
	}
	fmt.Printf(`
Hibana is ready (%.1f s).

  Web        %s
  API        http://%s
  Docs       http://%[3]s/docs
  Firestore  http://%s
  Auth       http://%s
  Storage    http://%s
  Events     %s
  Functions  %s
  Metrics    http://%s/metrics
  Exports    %s
  Project    %s

Try it: paste this into another terminal.

%s
Ctrl-C stops everything.
`, ready.Seconds(), web, address, d.firestore, d.auth, d.storage.Addr(), events, s.FunctionsURL,
		d.measured.Address(), d.exports, d.Project, session(address, d.auth))
}

// check finds every obstacle before any part starts, and opens the ports of this process.
func (d *dev) check(ctx context.Context) error {
	var all problems
	add := func(err error) {
		if err != nil {
			all = append(all, err)
		}
	}
	d.firestore, d.auth = os.Getenv(firestoreEnv), os.Getenv(authEnv)
	d.running = d.firestore != "" && d.auth != ""
	switch {
	case d.running:
		for _, e := range []struct{ env, addr string }{{firestoreEnv, d.firestore}, {authEnv, d.auth}} {
			if err := answers(ctx, e.env, e.addr); err != nil {
				add(fmt.Errorf("%s is %s, and no emulator answers there (%w): start it, or unset the variable", e.env, e.addr, err))
			} else if e.env == authEnv {
				add(d.sameProject(ctx))
			}
		}
	case d.firestore != "":
		add(alone(firestoreEnv, authEnv))
	case d.auth != "":
		add(alone(authEnv, firestoreEnv))
	}
	var err error
	d.api, err = listen("API", "--api-port", d.Ports.APIPort)
	add(err)
	d.storage, err = listen("Storage emulator", "--storage-port", d.StoragePort)
	add(err)
	measured, err := listen("Metrics", "--metrics-port", d.MetricsPort)
	add(err)
	if err == nil {
		defer measured.Close()
	}
	if d.Web {
		l, err := listen("Web client", emulators.WebPortFlag, d.WebPort)
		add(err)
		if err == nil {
			defer l.Close()
		}
	}
	if !d.running {
		d.events, err = listen("Event runner", "--events-port", d.Ports.EventsPort)
		add(err)
		var tried []net.Listener // all at once, so that two parts with one port are a problem
		defer func() {
			for _, l := range tried {
				l.Close()
			}
		}()
		for _, e := range []struct {
			name, flag string
			port       int
		}{
			{"Firestore emulator", emulators.FirestorePortFlag, d.FirestorePort},
			{"Auth emulator", emulators.AuthPortFlag, d.Ports.AuthPort},
		} {
			l, err := listen(e.name, e.flag, e.port)
			add(err)
			if err == nil {
				tried = append(tried, l)
			}
		}
		d.rules, err = repository.File("firestore.rules")
		add(err)
		all = append(all, missing(ctx)...)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return all.orNil()
}

// sameProject returns an error if the Auth emulator signs tokens for another project, because the API would refuse
// them.
func (d *dev) sameProject(ctx context.Context) error {
	is, err := emulators.AuthProject(ctx, d.auth)
	if err == nil && is != d.Project {
		err = fmt.Errorf("it signs tokens for the project %q, but this project is %q: start it with --project=%[2]s "+
			"(firebase emulators:start in the repository does), or start hibana dev with --project=%[1]s", is, d.Project)
	}
	if err != nil {
		return fmt.Errorf("%s is %s: %w", authEnv, d.auth, err)
	}
	return nil
}

func alone(set, unset string) error {
	return fmt.Errorf("%s is set and %s is not: set both to use running emulators, or neither to start new ones", set,
		unset)
}
