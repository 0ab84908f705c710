// Package config reads the configuration of a service from the environment once at startup. One error names every
// problem.
package config

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // a container may lack time zones

	"github.com/caarlos0/env/v11"

	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/internal/opensearch"
	"github.com/hibana-sns/hibana/internal/push/vapid"
	"github.com/hibana-sns/hibana/internal/sealed"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
)

// Service is the configuration of every service.
type Service struct {
	Port     uint16 `env:"PORT" envDefault:"8000"`
	Project  string `env:"GOOGLE_CLOUD_PROJECT"`
	Database string `env:"FIRESTORE_DATABASE"` // empty for "(default)"

	// Name is the name of the Cloud Run service. Cloud Run sets it; elsewhere it is
	// empty.
	Name string `env:"K_SERVICE"`

	// The emulators, as host:port; empty for the cloud. The client libraries read
	// these variables too.
	FirestoreEmulator string `env:"FIRESTORE_EMULATOR_HOST"`
	AuthEmulator      string `env:"FIREBASE_AUTH_EMULATOR_HOST"`
	StorageEmulator   string `env:"STORAGE_EMULATOR_HOST"`

	// The sizes at which documents are split, and the times for which work is collected. All services of a project need
	// the same values. 0 selects the default. Package model and store.Options explain the values.
	SharesPerBucket   int           `env:"SHARES_PER_BUCKET"`
	PreviewsPerBucket int           `env:"CARDS_PER_BUCKET"`
	NotificationDays  int           `env:"NOTIFICATION_DAYS"` // days for which notifications are kept
	MaxFollows        int           `env:"MAX_FOLLOWS"`       // users whom one user may follow
	MaxFollowers      int           `env:"MAX_FOLLOWERS"`     // followers whom one user may have
	EditLimit         int           `env:"EDIT_LIMIT"`        // edits of one tweet
	OpenOrders        int           `env:"OPEN_ORDERS"`       // orders of one user that are not yet shipped
	EditWithin        time.Duration `env:"EDIT_WITHIN"`       // age of the oldest tweet that may be edited; any age if 0
	CacheBytes        int           `env:"CACHE_BYTES"`
	SuggestionReads   int           `env:"SUGGESTION_READS"` // reads a day for suggestions of people
	WriteEvery        time.Duration `env:"WRITE_EVERY"`
	FlushAfter        time.Duration `env:"DRAIN_AFTER"`
	// from this age on the event of a work document counts as lost
	StaleAfter time.Duration `env:"STALE_AFTER"`
	TimeZone   string        `env:"TIME_ZONE" envDefault:"Asia/Tokyo"` // decides the day of a notification
	// whether changes are listed in digests: off, heard or written; off if empty
	ChangeDigests model.DigestMode `env:"CHANGE_DIGESTS"`
	// ExportBucket is the location of users' exports: gs:// and the name of a bucket, or the path of a local directory. If
	// it is empty, exports are off.
	ExportBucket string `env:"EXPORT_BUCKET"`

	// The buckets of pictures and videos, as gs:// and a name: clients upload files to UploadsBucket, and MediaBucket has
	// what is made of them. If both are empty, media are off.
	UploadsBucket string `env:"UPLOADS_BUCKET"`
	MediaBucket   string `env:"MEDIA_BUCKET"`

	// LinkCards fetches the pages that public posts link to. AllowLoopbackLinks also fetches those of the machine itself:
	// for tests and development.
	LinkCards          bool `env:"LINK_CARDS" envDefault:"true"`
	AllowLoopbackLinks bool `env:"ALLOW_LOOPBACK_LINKS"`
	// PublicURL begins the addresses of the public pages of profiles and tweets, such as https://hibana.example, and of
	// their feeds and sitemap. If it is empty, there are none. Requests to other sites name it.
	PublicURL string `env:"PUBLIC_URL"`
	// Federation is on, off or allow: whether servers of the fediverse read, follow and write to the users, and allow lets
	// in only the domains that administrators listed. HandleDomain is the domain of handles, if it is not the host of
	// PublicURL.
	Federation   string `env:"FEDERATION" envDefault:"off"`
	HandleDomain string `env:"HANDLE_DOMAIN"`
	// ActorKey and KMSKey encrypt the keys of users: a secret, and the name of a key of Cloud KMS. One is needed.
	ActorKey Secret `env:"ACTOR_KEY"`
	KMSKey   string `env:"KMS_KEY"`
	// SingleUser is the username of the only user whom the installation has; empty if everybody may sign up.
	SingleUser string `env:"SINGLE_USER"`

	// MediaKey signs the addresses of media that are not public. It may be missing as PageTokenKey may. MediaURL begins
	// the
	// addresses of media, such as https://hibana.example; the API serves them below /media. If it is empty, addresses have
	// no host. Functions need both if they send posts to other servers.
	MediaKey Secret `env:"MEDIA_KEY"`
	MediaURL string `env:"MEDIA_URL"`

	// The search engine for tweets, as http://host:port or https://host:port. Without SearchURL the database searches. The
	// default index is hibana-PROJECT, or hibana-PROJECT_DATABASE.
	SearchURL   string `env:"SEARCH_URL"`
	SearchIndex string `env:"SEARCH_INDEX"`
	SearchLogin Secret `env:"SEARCH_LOGIN"` // username:password; none if empty

	// The channels by which devices get notifications: web push if there are VAPID keys, and Firebase Cloud Messaging if
	// FCM is true. Functions need the private key, and an email or https address for the operators of push services. The
	// API gives the public key to clients.
	VAPIDPrivateKey Secret `env:"VAPID_PRIVATE_KEY"`
	VAPIDPublicKey  string `env:"VAPID_PUBLIC_KEY"`
	VAPIDContact    string `env:"VAPID_CONTACT"`
	FCM             bool   `env:"FCM"`

	// Who decides what agents do: AIProvider is local, openai or vertex, and empty for nobody. AIEndpoint is the address
	// of the service, and AIKey its key.
	AIProvider string `env:"AI_PROVIDER"`
	AIEndpoint string `env:"AI_ENDPOINT"`
	AIKey      Secret `env:"AI_API_KEY"`

	// Callers are the comma-separated email addresses of the service accounts that may call the functions. CallerAudience
	// is the required audience of their ID tokens; if it is empty, the host of the request.
	Callers        string `env:"CALLERS"`
	CallerAudience string `env:"CALLER_AUDIENCE"`

	// The destinations of traces and metrics; none if both are zero. OTLP is an OpenTelemetry collector: http://host:port,
	// https://host:port, or host:port without TLS. MetricsPort is a separate port, where GET /metrics answers in the text
	// format of Prometheus.
	OTLP        string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	MetricsPort uint16 `env:"METRICS_PORT"`
}

// Telemetry returns the destinations of a service's traces and metrics.
func (c Service) Telemetry(service string, log *slog.Logger) telemetry.Options {
	o := telemetry.Options{Service: service, Project: c.Project, OTLP: c.OTLP, Log: log}
	if c.MetricsPort != 0 {
		host := ""
		if c.AuthEmulator != "" {
			host = "127.0.0.1"
		}
		o.Metrics = net.JoinHostPort(host, strconv.Itoa(int(c.MetricsPort)))
	}
	return o
}

// SearchEngine returns the options of the search engine for tweets. The default name of the index contains project and
// database, because a rebuild removes every document from the index that its database does not have.
func (c Service) SearchEngine() opensearch.Options {
	username, password, _ := strings.Cut(string(c.SearchLogin), ":")
	index := c.SearchIndex
	if index == "" {
		index = "hibana-" + c.Project
		if c.Database != "" && c.Database != "(default)" {
			index += "_" + c.Database
		}
	}
	return opensearch.Options{URL: c.SearchURL, Index: index, Username: username, Password: password}
}

// ExportLinks returns the prefix of links to files in a local directory.
func (c Service) ExportLinks() string { return fmt.Sprintf("http://127.0.0.1:%d", c.Port) }

// API is the configuration of the API.
type API struct {
	Service
	// PageTokenKey encrypts page tokens. Outside Cloud Run the key may be missing. Then the key is random, and page tokens
	// stay valid until the process ends.
	PageTokenKey Secret `env:"PAGE_TOKEN_KEY"`
	// GistTokens is how many tokens the gists of a day may take; 0 for no gists. GistModel is the label of the model that
	// writes them.
	GistTokens int64  `env:"GIST_TOKENS"`
	GistModel  string `env:"GIST_MODEL"`

	// Streaming lets clients of the Mastodon API hear what is new by connections, which last for minutes: on or off.
	Streaming string `env:"MASTODON_STREAMING" envDefault:"off"`

	// SignedFetch demands a signature of each server of the fediverse that reads.
	SignedFetch bool `env:"SIGNED_FETCH"`
	// MediaBytesADay is how many bytes of files one user may upload in a day.
	MediaBytesADay int64  `env:"MEDIA_BYTES_A_DAY" envDefault:"200000000"`
	CORSOrigins    string `env:"CORS_ORIGINS"`                 // origins of web pages, separated by commas
	Limits         string `env:"LIMITS"`                       // changes to the default limits of callers, or off
	TrustedHops    int    `env:"TRUSTED_HOPS" envDefault:"-1"` // proxies that write X-Forwarded-For; see Hops
	// running at the same time, and as many waiting; 200 if 0
	MaxRequests  int    `env:"MAX_REQUESTS"`
	ServerTiming string `env:"SERVER_TIMING" envDefault:"all"` // callers who see the cost of a request: all or admins
	// handling of requests without a good App Check token: off, monitor or enforce
	AppCheck string `env:"APP_CHECK" envDefault:"off"`
	// The time that a user waits between renames, and between changes of the username; 0 is no time. A user with more than
	// model.RenameTweets tweets waits longer between renames.
	RenameEvery   time.Duration `env:"RENAME_EVERY" envDefault:"1h"`
	UsernameEvery time.Duration `env:"USERNAME_EVERY" envDefault:"168h"`
	// RequireVerifiedEmail refuses posts of callers whose ID token does not have email_verified.
	RequireVerifiedEmail bool `env:"REQUIRE_VERIFIED_EMAIL"`
	// WebDir is the directory of a built web client (web/dist) that the API serves; none if empty. WebProject is the
	// answer of Firebase Hosting at /__/firebase/init.json: the JSON of the project's web app, with projectId and apiKey.
	WebDir     string `env:"WEB_DIR"`
	WebProject string `env:"WEB_PROJECT"`
}

// Hops returns the number of trusted proxies in front of the service. The default is 1 on Cloud Run for its front end,
// and 0 elsewhere. TRUSTED_HOPS overrides it.
func (c API) Hops() int {
	switch {
	case c.TrustedHops >= 0:
		return c.TrustedHops
	case c.Name != "":
		return 1
	}
	return 0
}

// Origins returns the origins whose web pages may use the API from a browser.
func (c API) Origins() []string { return list(c.CORSOrigins) }

// origin is the form of an origin, where a port may be *.
var origin = regexp.MustCompile(`^https?://[A-Za-z0-9.-]+(:(\d+|\*))?$`)

// minKey is the number of bytes that a signing key needs: the size of the hash.
const minKey = 32

// Secret is a value that logs and prints never show.
type Secret string

// String returns a placeholder.
func (Secret) String() string { return "[secret]" }

// GoString returns a placeholder.
func (Secret) GoString() string { return "[secret]" }

// MarshalText returns a placeholder, for loggers.
func (Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

// ReadService reads the configuration of a service other than the API from environment
// variables, such as env.ToMap(os.Environ()).
func ReadService(environment map[string]string) (Service, error) {
	var c Service
	err := read(&c, environment)
	return c, join(append(c.problems(), err)...)
}

// ReadFunctions reads the configuration of the functions' service. It requires named callers, unless the database is an
// emulator.
func ReadFunctions(environment map[string]string) (Service, error) {
	c, err := ReadService(environment)
	err = join(err, c.CheckFederation())
	if len(c.CallerAccounts()) == 0 && (c.Name != "" || c.FirestoreEmulator == "") {
		err = join(err, errors.New("CALLERS is not set; name the service account of Eventarc and Cloud Scheduler, "+
			"such as hibana-triggers@my-project.iam.gserviceaccount.com"))
	}
	return c, err
}

// CallerAccounts returns the service accounts that may call the functions; none allows every caller.
func (c Service) CallerAccounts() []string { return list(c.Callers) }

// list splits a text at commas.
func list(text string) (parts []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// ReadAPI reads the configuration of the API from environment variables.
func ReadAPI(environment map[string]string) (API, error) {
	var c API
	problems := []error{read(&c, environment)}
	problems = append(problems, c.problems()...)
	for _, o := range c.Origins() {
		if o != "*" && !origin.MatchString(o) {
			problems = append(problems, fmt.Errorf("CORS_ORIGINS has %q; an origin is https://example.com, or "+
				"http://localhost:* for any port, or * for every origin", o))
		}
	}
	if _, err := limits.Parse(c.Limits); err != nil {
		problems = append(problems, fmt.Errorf("LIMITS: %w", err))
	}
	if c.MaxRequests < 0 || c.TrustedHops < -1 {
		problems = append(problems, errors.New("MAX_REQUESTS or TRUSTED_HOPS is negative"))
	}
	if !slices.Contains([]string{"off", "monitor", "enforce"}, c.AppCheck) {
		problems = append(problems, errors.New("APP_CHECK is none of off, monitor and enforce"))
	}
	if c.RenameEvery < 0 || c.UsernameEvery < 0 {
		problems = append(problems, errors.New("RENAME_EVERY or USERNAME_EVERY is negative"))
	}
	if c.ServerTiming != "all" && c.ServerTiming != "admins" {
		problems = append(problems, errors.New("SERVER_TIMING is neither all nor admins"))
	}
	if c.Streaming != "on" && c.Streaming != "off" {
		problems = append(problems, errors.New("MASTODON_STREAMING is neither on nor off"))
	}
	if c.WebDir != "" {
		var app struct{ ProjectID, APIKey string }
		if err := json.Unmarshal([]byte(c.WebProject), &app); err != nil || app.ProjectID == "" || app.APIKey == "" {
			problems = append(problems, errors.New("WEB_PROJECT is not the JSON of a web app with projectId and apiKey, "+
				"which WEB_DIR needs"))
		}
		if info, err := os.Stat(filepath.Join(c.WebDir, "index.html")); err != nil || info.IsDir() {
			problems = append(problems, fmt.Errorf("WEB_DIR is %q, where no index.html is; build the web client with npm run "+
				"build in web", c.WebDir))
		}
	}
	problems = append(problems, c.federationProblems()...)
	if c.SignedFetch && !c.Federates() {
		problems = append(problems, errors.New("SIGNED_FETCH is set, and FEDERATION is not on"))
	}
	if c.GistTokens < 0 || c.GistTokens > 0 && (c.AIProvider == "" || c.GistModel == "") {
		problems = append(problems, errors.New("GIST_TOKENS is below 0, or AI_PROVIDER or GIST_MODEL is not set with it"))
	}
	if c.MediaBytesADay <= 0 {
		problems = append(problems, errors.New("MEDIA_BYTES_A_DAY is not positive"))
	}
	if c.MediaURL != "" && !origin.MatchString(c.MediaURL) {
		problems = append(problems, fmt.Errorf("MEDIA_URL is %q; it is as https://example.com, without a path", c.MediaURL))
	}
	problems = append(problems, c.key("PAGE_TOKEN_KEY", &c.PageTokenKey, true),
		c.key("MEDIA_KEY", &c.MediaKey, c.MediaBucket != ""))
	return c, join(problems...)
}

// domain is the form of a domain, with the port of a laptop.
var domain = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?$`)

// Federates reports whether servers of the fediverse read and write here.
func (c Service) Federates() bool { return c.Federation == "on" || c.AllowList() }

// AllowList reports whether only the domains do that administrators listed.
func (c Service) AllowList() bool { return c.Federation == "allow" }

// CheckFederation returns an error for a service that would federate, and whose configuration is not right for that.
// Jobs read the same variables, and have no key.
func (c Service) CheckFederation() error { return join(c.federationProblems()...) }

// federationProblems returns the invalid values for the fediverse. The texts contain no key.
func (c Service) federationProblems() (problems []error) {
	add := func(text string) { problems = append(problems, errors.New(text)) }
	switch {
	case c.Federation != "off" && !c.Federates():
		add("FEDERATION is none of off, on and allow")
	case !c.Federates() && c.HandleDomain != "":
		add("HANDLE_DOMAIN is set, and FEDERATION is not on")
	case !c.Federates():
	case c.PublicURL == "":
		add("FEDERATION is on, and PUBLIC_URL is not set, which the addresses of users begin with")
	case c.Name != "" && !strings.HasPrefix(c.PublicURL, "https://"):
		add("FEDERATION is on, and PUBLIC_URL is not https, which other servers demand")
	case c.ActorKey == "" && c.KMSKey == "" && c.FirestoreEmulator == "":
		add("FEDERATION is on, and neither ACTOR_KEY nor KMS_KEY is set, one of which encrypts the keys of users")
	}
	if c.HandleDomain != "" && !domain.MatchString(c.HandleDomain) {
		add(fmt.Sprintf("HANDLE_DOMAIN is %q; it is as example.com, in lower case", c.HandleDomain))
	}
	if c.ActorKey != "" && len(c.ActorKey) < minKey {
		add(fmt.Sprintf("ACTOR_KEY has %d bytes; it needs at least %d", len(c.ActorKey), minKey))
	}
	if c.KMSKey != "" {
		if err := sealed.ValidKMS(c.KMSKey); err != nil {
			add("KMS_KEY: " + err.Error())
		}
	}
	if c.SingleUser != "" {
		if err := model.ValidateUsername(c.SingleUser); err != nil {
			add("SINGLE_USER: " + err.Error())
		}
	}
	return problems
}

// key makes a random key where none is set outside Cloud Run. needed is whether Cloud Run needs the key.
func (c *API) key(name string, key *Secret, needed bool) error {
	switch {
	case *key == "" && c.Name == "":
		*key = Secret(rand.Text() + rand.Text())
	case *key == "" && needed:
		return fmt.Errorf("%s is not set; on Cloud Run it needs a secret of at least %d bytes, the same for all instances",
			name, minKey)
	case *key != "" && len(*key) < minKey:
		return fmt.Errorf("%s has %d bytes; it needs at least %d", name, len(*key), minKey)
	}
	return nil
}

func read(c any, environment map[string]string) error {
	err := env.ParseWithOptions(c, env.Options{Environment: environment})
	all, ok := errors.AsType[env.AggregateError](err)
	if !ok {
		return err
	}
	var problems []error
	for _, err := range all.Errors {
		if wrong, ok := errors.AsType[env.ParseError](err); ok {
			// The message omits the value, which may be a misplaced secret.
			field, _ := reflect.TypeOf(c).Elem().FieldByName(wrong.Name)
			name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
			err = fmt.Errorf("%s is not %s", name, kinds[wrong.Type.String()])
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// kinds describes the valid values of each type.
var kinds = map[string]string{
	"uint16":        "a number from 0 to 65535",
	"int":           "a number",
	"int64":         "a number",
	"bool":          "true or false",
	"time.Duration": "a duration such as 500ms",
}

// problems returns the invalid values among those that parse.
func (c Service) problems() (problems []error) {
	problems = c.federationProblems()
	add := func(text string) { problems = append(problems, errors.New(text)) }
	if c.Project == "" {
		add("GOOGLE_CLOUD_PROJECT is not set; name the Google Cloud project, demo-hibana on a laptop")
	}
	for name, n := range map[string]int{
		"SHARES_PER_BUCKET": c.SharesPerBucket,
		"CARDS_PER_BUCKET":  c.PreviewsPerBucket, "CACHE_BYTES": c.CacheBytes, "MAX_FOLLOWS": c.MaxFollows,
		"MAX_FOLLOWERS": c.MaxFollowers,
		"WRITE_EVERY":   int(c.WriteEvery), "DRAIN_AFTER": int(c.FlushAfter),
		"STALE_AFTER": int(c.StaleAfter), "EDIT_LIMIT": c.EditLimit, "OPEN_ORDERS": c.OpenOrders,
		"EDIT_WITHIN": int(c.EditWithin), "SUGGESTION_READS": c.SuggestionReads,
	} {
		if n < 0 {
			add(name + " is negative")
		}
	}
	if c.MetricsPort != 0 && c.MetricsPort == c.Port {
		add(fmt.Sprintf("METRICS_PORT is %d, which is PORT: the metrics are not for everybody, and need a port of their own",
			c.Port))
	}
	if c.ExportBucket != "" {
		if err := objects.Valid(c.ExportBucket); err != nil {
			add("EXPORT_BUCKET: " + err.Error())
		} else if c.Name != "" && objects.IsFolder(c.ExportBucket) {
			add("EXPORT_BUCKET is a folder on Cloud Run, where each instance has its own; make a bucket, and set gs:// and " +
				"its name")
		}
	}
	problems = append(problems, c.mediaProblems()...)
	problems = append(problems, c.vapidProblems()...)
	problems = append(problems, c.aiProblems()...)
	problems = append(problems, c.searchProblems()...)
	if !slices.Contains([]model.DigestMode{"", model.DigestsOff, model.DigestsHeard, model.DigestsWritten},
		c.ChangeDigests) {
		add("CHANGE_DIGESTS is off, heard or written")
	}
	if c.EditLimit > model.MaxRevisions {
		add(fmt.Sprintf("EDIT_LIMIT is %d; a tweet may be edited %d times at most", c.EditLimit, model.MaxRevisions))
	}
	if c.OpenOrders > model.MostOpenOrders {
		add(fmt.Sprintf("OPEN_ORDERS is %d; a user may have %d open orders at most", c.OpenOrders, model.MostOpenOrders))
	}
	if n := c.NotificationDays; n != 0 && (n < model.MinNotificationDays || n > model.MaxNotificationDays) {
		add(fmt.Sprintf("NOTIFICATION_DAYS is not between %d and %d", model.MinNotificationDays, model.MaxNotificationDays))
	}
	if _, err := time.LoadLocation(c.TimeZone); err != nil {
		add("TIME_ZONE is not a time zone: " + err.Error())
	}
	if c.PublicURL != "" && (!origin.MatchString(c.PublicURL) || strings.Contains(c.PublicURL, "*")) {
		add(fmt.Sprintf("PUBLIC_URL is %q; it is as https://example.com, without a path", c.PublicURL))
	}
	if c.Name != "" && c.AllowLoopbackLinks {
		add("ALLOW_LOOPBACK_LINKS is set on Cloud Run, where posts would reach the instance itself")
	}
	if c.Name != "" && c.FirestoreEmulator != "" {
		add("FIRESTORE_EMULATOR_HOST is set on Cloud Run, where everything would be lost")
	}
	if c.Name != "" && c.AuthEmulator != "" {
		add("FIREBASE_AUTH_EMULATOR_HOST is set on Cloud Run, where it would let anyone in")
	}
	if c.Name != "" && c.StorageEmulator != "" {
		add("STORAGE_EMULATOR_HOST is set on Cloud Run, where every file would be lost")
	}
	if c.AuthEmulator != "" && c.FirestoreEmulator == "" {
		add("FIREBASE_AUTH_EMULATOR_HOST is set without FIRESTORE_EMULATOR_HOST, which would let anyone into a real database")
	}
	return problems
}

// mediaProblems returns the invalid buckets of media.
func (c Service) mediaProblems() (problems []error) {
	if (c.UploadsBucket == "") != (c.MediaBucket == "") {
		problems = append(problems, errors.New("of UPLOADS_BUCKET and MEDIA_BUCKET one is set; set both, or neither to "+
			"switch media off"))
	}
	if c.UploadsBucket != "" && c.UploadsBucket == c.MediaBucket {
		problems = append(problems, errors.New("UPLOADS_BUCKET and MEDIA_BUCKET are the same; each file that is made would "+
			"count as an upload"))
	}
	for name, place := range map[string]string{"UPLOADS_BUCKET": c.UploadsBucket, "MEDIA_BUCKET": c.MediaBucket} {
		if place == "" {
			continue
		}
		if err := objects.Valid(place); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		} else if objects.IsFolder(place) {
			problems = append(problems, fmt.Errorf("%s is a folder, to which nobody can upload; set gs:// and the name of a "+
				"bucket", name))
		}
	}
	return problems
}

// searchProblems returns the invalid values for the search engine. The texts contain no values.
func (c Service) searchProblems() (problems []error) {
	if c.SearchURL == "" {
		if c.SearchIndex != "" || c.SearchLogin != "" {
			problems = append(problems, errors.New("SEARCH_INDEX or SEARCH_LOGIN is set without SEARCH_URL"))
		}
		return problems
	}
	o := c.SearchEngine()
	if err := opensearch.Valid(o.URL, o.Index); err != nil {
		problems = append(problems, fmt.Errorf("SEARCH_URL or SEARCH_INDEX: %w", err))
	}
	if c.SearchLogin != "" && (o.Username == "" || o.Password == "") {
		problems = append(problems, errors.New("SEARCH_LOGIN is not username:password"))
	}
	if c.Name != "" && c.SearchLogin != "" && strings.HasPrefix(c.SearchURL, "http:") {
		problems = append(problems, errors.New("SEARCH_URL is http: and SEARCH_LOGIN would go over the network for all to "+
			"read; use https"))
	}
	return problems
}

// aiProblems returns the invalid values for agents. The texts contain no key.
func (c Service) aiProblems() (problems []error) {
	remote := c.AIProvider == "openai" || c.AIProvider == "vertex"
	if !remote && c.AIProvider != "" && c.AIProvider != "local" {
		problems = append(problems, errors.New("AI_PROVIDER is none of local, openai and vertex"))
	}
	if remote && !strings.HasPrefix(c.AIEndpoint, "https://") && !strings.HasPrefix(c.AIEndpoint, "http://") {
		problems = append(problems, errors.New("AI_ENDPOINT is not an address such as https://ai.example.com/v1"))
	}
	if !remote && (c.AIEndpoint != "" || c.AIKey != "") {
		problems = append(problems, errors.New("AI_ENDPOINT or AI_API_KEY is set, and AI_PROVIDER is neither openai nor "+
			"vertex"))
	}
	if c.Name != "" && c.AIKey != "" && strings.HasPrefix(c.AIEndpoint, "http:") {
		problems = append(problems, errors.New("AI_ENDPOINT is http: and AI_API_KEY would go over the network for all to "+
			"read; use https"))
	}
	return problems
}

// vapidProblems returns the invalid keys of web push. The texts contain no keys.
func (c Service) vapidProblems() (problems []error) {
	if c.VAPIDPublicKey != "" {
		if err := vapid.Check(c.VAPIDPublicKey); err != nil {
			problems = append(problems, fmt.Errorf("VAPID_PUBLIC_KEY: %w", err))
		}
	}
	if c.VAPIDPrivateKey == "" {
		return problems
	}
	public, err := vapid.Public(string(c.VAPIDPrivateKey))
	switch {
	case err != nil:
		problems = append(problems, fmt.Errorf("VAPID_PRIVATE_KEY: %w", err))
	case c.VAPIDPublicKey != "" && c.VAPIDPublicKey != public:
		problems = append(problems, errors.New("VAPID_PUBLIC_KEY is not the public key of VAPID_PRIVATE_KEY"))
	}
	contact := strings.TrimPrefix(c.VAPIDContact, "mailto:")
	if !strings.HasPrefix(contact, "https://") && !strings.Contains(contact, "@") {
		problems = append(problems, errors.New("VAPID_CONTACT is neither an e-mail address nor an https address; "+
			"operators of push services need one"))
	}
	return problems
}

func join(problems ...error) error {
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("configuration:\n%w", err)
	}
	return nil
}
