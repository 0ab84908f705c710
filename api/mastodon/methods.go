package mastodon

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hibana-sns/hibana/api/server"
)

// Method is a method of the documentation of Mastodon.
type Method struct {
	Verb, Path string   // the path in the form of Gin, such as /api/v1/statuses/:id
	Scopes     []string // what a token must allow, one of them; empty for a method that asks for none
	Public     bool     // also for callers without a token
	Staff      bool     // for moderators and administrators
	Marks      []string // of the route, see package server
	Most       int64    // limit of the body in bytes, maxBody if 0; see [server.Foreign] with Stream
	Stream     int64    // limit of a body that the method reads as it comes, in bytes; 0 for another body

	// Off says why the method is not here: a request is answered as by a Mastodon that does not have it.
	Off string
	// Note says what differs from Mastodon; empty for nothing.
	Note string

	// Live says that a request lives for minutes, see [Streaming].
	Live bool

	handle func(*call) (any, error)
	// that a request hears, if it is Live; anyStream if its parameters say
	hears string
	fails func(http.ResponseWriter, server.Problem) // writes a failure; fail if nil
}

// maxBody is the limit of a body in bytes: a post of 65,535 characters, each in two escapes.
const maxBody = 1 << 20

// Name is the name of a method: its verb and path.
func (m Method) Name() string { return m.Verb + " " + m.Path }

func (m Method) who() []map[string][]string {
	switch {
	case m.Public:
		return server.Anybody
	case m.Staff:
		return server.Moderators
	}
	return server.SignedIn
}

func (m Method) most() int64 {
	if m.Verb == http.MethodGet {
		return 0
	}
	if m.Most != 0 || m.Stream > 0 {
		return m.Most
	}
	return maxBody
}

// Methods returns the table of all methods, by path.
func Methods() []Method {
	all := slices.Concat(accountMethods(), statusMethods(), timelineMethods(), mediaMethods(), pollMethods(),
		scheduledMethods(), conversationMethods(), notificationMethods(), pushMethods(), markerMethods(), filterMethods(),
		listMethods(), relationshipMethods(), tagMethods(), suggestionMethods(), searchMethods(), trendMethods(),
		announcementMethods(), reportMethods(), instanceMethods(), adminMethods(), streamingMethods(), oauthMethods(),
		markedMethods())
	all = append(all, byPut(all)...)
	slices.SortStableFunc(all, func(a, b Method) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// putToo are paths whose PATCH clients send as PUT, too, as masto.js does: a Mastodon takes both.
var putToo = []string{"/api/v1/profile", "/api/v1/notifications/policy", "/api/v2/notifications/policy"}

// byPut makes rows for the paths of putToo.
func byPut(all []Method) (rows []Method) {
	for _, m := range all {
		if m.Verb == http.MethodPatch && slices.Contains(putToo, m.Path) {
			m.Verb, m.Note = http.MethodPut, "as PATCH: the verb that masto.js sends"
			rows = append(rows, m)
		}
	}
	return rows
}

// get, post and so on make rows of the table.
func get(path, scope string, handle func(*call) (any, error)) Method {
	return method(http.MethodGet, path, scope, handle)
}

func put(path, scope string, handle func(*call) (any, error)) Method {
	return method(http.MethodPut, path, scope, handle)
}

func patch(path, scope string, handle func(*call) (any, error)) Method {
	return method(http.MethodPatch, path, scope, handle)
}

func remove(path, scope string, handle func(*call) (any, error)) Method {
	return method(http.MethodDelete, path, scope, handle)
}

func post(path, scope string, handle func(*call) (any, error)) Method {
	return method(http.MethodPost, path, scope, handle)
}

// method makes a row. scope has the scopes of which a token must allow one, separated by spaces.
func method(verb, path, scope string, handle func(*call) (any, error)) Method {
	return Method{Verb: verb, Path: path, Scopes: strings.Fields(scope), handle: handle}
}

// public makes a method one for callers without a token, too.
func (m Method) public() Method {
	m.Public = true
	return m
}

// stream makes a method one that reads its body, of at most so many bytes, as it comes.
func (m Method) stream(most int64) Method {
	m.Stream = most
	return m
}

// off makes a method one that is not here.
func (m Method) off(why string) Method {
	m.Off = why
	return m
}

// staff makes a method one for moderators and administrators.
func (m Method) staff() Method {
	m.Staff = true
	return m
}

// note says what differs from Mastodon.
func (m Method) note(text string) Method {
	m.Note = text
	return m
}

// Works reports whether a method is here.
func (m Method) Works() bool { return (m.handle != nil || m.Live) && m.Off == "" }

// Answers reports whether the method has a route: one that is off may answer as a Mastodon without that feature.
func (m Method) Answers() bool { return m.handle != nil || m.Live }
