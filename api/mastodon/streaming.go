package mastodon

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Streaming is how connections hear what is new. A connection hears that something happened, and asks the native API
// for it in a turn, which is a request of its own: see [server.Live]. So it delivers what the caller may see at that
// moment, and costs what that request costs.
//
// There is one turn a Pace at most, also for a connection with many streams.
type Streaming struct {
	// Join begins to call hear with what may concern a user, or a visitor, see package store/listen.
	Join func(ctx context.Context, uid model.UserID, hear func(model.Heard)) (Hearing, error)

	Most           int           // connections of a process, 150 if 0
	MostOfUser     int           // of a user in it, 10 if 0
	MostOfAddress  int           // of an address in it, 40 if 0
	MostStreams    int           // streams of a connection, 10 if 0
	Queue          int           // messages that wait for a slow client, 200 if 0
	Pace           time.Duration // between two turns of a connection, 1 s if 0
	CheckEvery     time.Duration // between two checks of the token, 1 min if 0
	BeatEvery      time.Duration // between two heartbeats, 15 s if 0
	Longest        time.Duration // of a connection, 55 min if 0: Cloud Run ends requests after 60
	patience       time.Duration // for one message to a slow client
	mu             sync.Mutex
	all            int
	users, remotes map[string]int
}

// Hearing ends what Join began.
type Hearing interface {
	// Ready waits until everything is heard.
	Ready(ctx context.Context) error
	Leave()
}

const (
	maxSent = 4 << 10 // of a message of a client, in bytes
	// knownItems is how many items a connection remembers to have delivered.
	knownItems = 1_000
	// window is how much later than a newer post an older one may be heard of.
	window = 90 * time.Second
	// mostHeard is the number of posts, edits and deletions of one turn. Of more, the newest are delivered.
	mostHeard = model.MaxBatch
	// membersFor is how long a connection uses the members of a list.
	membersFor = 5 * time.Minute
	// mostFailures is how many turns may fail one after another.
	mostFailures = 10
)

// prepared returns the options with what is not set.
func (s *Streaming) prepared() *Streaming {
	s.Most, s.MostOfUser, s.MostOfAddress = cmp.Or(s.Most, 150), cmp.Or(s.MostOfUser, 10), cmp.Or(s.MostOfAddress, 40)
	s.MostStreams, s.Queue = cmp.Or(s.MostStreams, 10), cmp.Or(s.Queue, 200)
	s.Pace, s.CheckEvery = cmp.Or(s.Pace, time.Second), cmp.Or(s.CheckEvery, time.Minute)
	s.BeatEvery, s.Longest = cmp.Or(s.BeatEvery, 15*time.Second), cmp.Or(s.Longest, 55*time.Minute)
	s.patience = 10 * time.Second
	s.users, s.remotes = map[string]int{}, map[string]int{}
	return s
}

// enter takes a place for a connection, or returns why there is none. leave gives it back.
func (s *Streaming) enter(uid model.UserID, address string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.all >= s.Most:
		return nil, errs.New(errs.Unavailable, "saturated", "there are too many connections at the moment")
	case uid != "" && s.users[string(uid)] >= s.MostOfUser:
		return nil, errs.New(errs.Exhausted, "limit_reached", "an account may have %d connections at once", s.MostOfUser)
	case s.remotes[address] >= s.MostOfAddress:
		return nil, errs.New(errs.Exhausted, "limit_reached", "an address may have %d connections at once", s.MostOfAddress)
	}
	add := func(n int) {
		s.all += n
		for counts, key := range map[*map[string]int]string{&s.users: string(uid), &s.remotes: address} {
			if (*counts)[key] += n; (*counts)[key] == 0 {
				delete(*counts, key)
			}
		}
	}
	add(1)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		add(-1)
	}, nil
}

const streamingPath = "/api/v1/streaming"

func streamingMethods() []Method {
	live := func(path, scope, stream string) Method {
		m := method(http.MethodGet, streamingPath+path, scope, nil).public()
		m.Live, m.hears = true, stream
		return m
	}
	const anywhere = "a connection ends after 55 minutes at the latest"
	return []Method{
		live("", "", anyStream).note(anywhere + "; WebSocket alone"),
		live("/user", "read read:statuses", "user").note(anywhere + "; posts of followed tags come up to a minute later"),
		live("/user/notification", "read read:notifications", "user:notification").note(anywhere),
		live("/public", "", "public").note(anywhere + "; a visitor may hear it"),
		live("/public/local", "", "public:local").note(anywhere + "; as /public"),
		live("/public/remote", "", "public:remote").note("posts of other servers of whom somebody here follows the author"),
		live("/hashtag", "", "hashtag").note(anywhere + "; one tag, without any, all and none"),
		live("/hashtag/local", "", "hashtag:local").note(anywhere + "; as /hashtag"),
		live("/list", "read read:lists", "list").note(anywhere + "; a new member is heard 5 minutes later at the latest"),
		live("/direct", "read read:statuses", "direct").note(anywhere),
		method(http.MethodGet, streamingPath+"/health", "", health).public(),
	}
}

// health says that there is streaming, in plain text.
func health(c *call) (any, error) {
	if c.api.Streaming == nil {
		return nil, errs.New(errs.NotFound, "not_found", "this server has no streaming")
	}
	return plainText("OK"), nil
}

// plainText is an answer that is no JSON.
type plainText string

// streamName is a stream, with its tag or list.
type streamName struct{ name, of string }

// anyStream stands for the streams that a client names by parameters and messages.
const anyStream = "*"

// wants are the scopes of the token of an app for streams, of which one is needed.
var wants = map[string]string{
	"user": "read:statuses", "user:notification": "read:notifications", "list": "read:lists", "direct": "read:statuses",
	"public": "", "public:local": "", "public:remote": "", "public:media": "", "public:local:media": "",
	"public:remote:media": "", "hashtag": "", "hashtag:local": "",
}

// streamOf returns the stream that a client names, if the caller may hear it.
func streamOf(by model.Caller, name, tag, list string) (streamName, error) {
	s := streamName{name: name}
	scope, known := wants[name]
	switch {
	case !known:
		return s, errs.New(errs.NotFound, "not_found", "there is no stream %.50q", name)
	case scope != "" && (by.UID == "" || by.Anonymous):
		return s, model.MayWrite(model.SignedOut)
	case scope != "" && !by.MayAs(scope):
		return s, errs.New(errs.Forbidden, "scope_required", "the access token does not have the scope %s", scope)
	case strings.HasPrefix(name, "hashtag"):
		key, err := model.NormalizeTag(strings.TrimPrefix(tag, "#"))
		if err != nil {
			return s, err
		}
		s.of = key
	case name == "list":
		if list == "" || len(list) > 100 {
			return s, invalid("list is the id of a list")
		}
		s.of = list
	}
	return s, nil
}

// kind is the name without its suffix, such as hashtag for hashtag:local.
func (s streamName) kind() string {
	name, _, _ := strings.Cut(s.name, ":")
	return name
}

// texts are a stream in the form of messages.
func (s streamName) texts() []string {
	if s.of == "" {
		return []string{s.name}
	}
	return []string{s.name, s.of}
}

// registerLive adds the route of a stream.
func (a *API) registerLive(s *server.Server, m Method) {
	if a.Streaming == nil {
		return
	}
	s.Foreign(server.Foreign{
		Method: m.Verb, Path: m.Path, Name: m.Name(), Who: m.who(), Marks: m.Marks, Scopes: m.Scopes, Fails: fail,
		Live: func(l *server.Live, w http.ResponseWriter, r *http.Request) error {
			return a.serveLive(l, w, r, m.hears)
		},
	})
}

// streamingURL begins the addresses of WebSockets; empty without streaming. It is where the service was reached, which
// is the service itself when Firebase Hosting sends the request: connections do not pass Hosting.
func (c *call) streamingURL() string {
	if c.api.Streaming == nil {
		return ""
	}
	return "ws" + strings.TrimPrefix(server.Origin(c), "http")
}

// streamingURLs are the addresses of version 1 of the instance.
func (c *call) streamingURLs() map[string]string {
	if url := c.streamingURL(); url != "" {
		return map[string]string{"streaming_api": url}
	}
	return map[string]string{}
}
