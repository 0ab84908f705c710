package mastodon

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// connection is a client that hears what is new.
type connection struct {
	context.Context
	*Streaming
	api     *API
	live    *server.Live
	request *http.Request
	end     context.CancelCauseFunc
	out     chan message
	woken   chan struct{} // has one if something is pending
	known   lru.Cache[string, struct{}]

	// Turns alone use these.
	cursor  cursor                      // of what was delivered
	resumes func(context.Context) error // delivers what came since the client's last event; nil if it begins now

	mu      sync.Mutex
	streams map[streamName]*listening
	pending pending
}

// listening is a stream of a connection.
type listening struct {
	since   time.Time
	members map[model.UserID]bool // of a list
	asked   time.Time             // when the members were read; zero if never
}

// pending is what the next turn is about.
type pending struct {
	notices, filters, check bool

	sought map[streamName]sought // of home and of lists
	posts  []model.HeardPost
	edits  []change
	gone   []change

	unshared    []string // ids of shares that were taken back
	announced   map[model.AnnouncementID]time.Time
	unannounced []model.AnnouncementID
}

// change is a post that was edited or deleted.
type change struct {
	model.HeardPost
	author   model.UserID
	followed bool
	hidden   bool
	heard    time.Time // of an edit
}

// message is an event of a stream.
type message struct {
	stream  streamName
	event   string
	payload string
	id      string // of the event, after which a client may go on; empty for none
	problem error  // an answer to a message of the client, in place of an event
}

// transport brings messages to a client.
type transport interface {
	send(ctx context.Context, m message) error
	beat(ctx context.Context) error
	close(why error)
}

// The reasons for the end of a connection.
var (
	errSlow  = errors.New("the client is too slow")
	errLong  = errors.New("the connection has lasted long enough")
	errStops = errors.New("the process stops")
)

// serveLive serves a connection until it ends.
func (a *API) serveLive(l *server.Live, w http.ResponseWriter, r *http.Request, stream string) error {
	if stream == anyStream && !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		return errs.New(errs.NotFound, "not_found", "this address is for WebSockets")
	}
	leave, err := a.Streaming.enter(l.Caller().UID, l.Address())
	if err != nil {
		return err
	}
	defer leave()
	n := &connection{Streaming: a.Streaming, api: a, live: l, request: r, out: make(chan message, a.Streaming.Queue),
		woken: make(chan struct{}, 1), known: lru.New[string, struct{}](knownItems), streams: map[streamName]*listening{}}
	n.Context, n.end = context.WithCancelCause(r.Context())
	defer n.end(nil)
	query := r.URL.Query()
	name := stream
	if stream == anyStream {
		name = query.Get("stream")
	}
	if query.Get("only_media") == "true" && strings.HasPrefix(name, "public") {
		name += ":media"
	}
	if name != "" {
		s, err := streamOf(l.Caller(), name, query.Get("tag"), query.Get("list"))
		if err != nil {
			return err
		}
		n.streams[s] = &listening{since: time.Now()}
	}
	hearing, err := a.Streaming.Join(n, l.Caller().UID, n.hear)
	if err != nil {
		return err
	}
	defer hearing.Leave()
	ready, cancel := context.WithTimeout(n, a.Streaming.patience)
	defer cancel()
	if err := hearing.Ready(ready); err != nil {
		return &errs.Error{Kind: errs.Unavailable, Code: "unavailable",
			Msg: "what is new cannot be heard at the moment; try again", Err: err}
	}
	n.cursor = cursorAt(time.Now())
	last, resumes := parseCursor(r.Header.Get("Last-Event-ID"))
	for s := range n.streams {
		if resumes = resumes && stream != anyStream; !resumes && s.name != "list" {
			continue
		}
		err := l.Turn(n, false, func(ctx context.Context) error {
			if err := n.deliver(ctx, &pending{}); err != nil || !resumes || n.streams[s] == nil {
				return err
			}
			n.cursor = last
			n.once(s, last.post)
			n.resumes = func(ctx context.Context) error { return n.resume(ctx, s, last) }
			return n.resumes(ctx)
		})
		if err == nil && n.streams[s] == nil {
			err = errs.New(errs.NotFound, "list_not_found", "there is no such list")
		}
		if err != nil {
			return err
		}
	}
	if stream == anyStream {
		return n.webSocket(w)
	}
	return n.events(w)
}

// run sends what is new until the connection ends. others run beside it, and end when t is closed.
func (n *connection) run(t transport, others ...func() error) {
	var running safely.Group
	for _, f := range append(others, n.work) {
		running.Go(func() error {
			n.end(safely.Do(f))
			return nil
		})
	}
	n.end(n.write(t))
	t.close(context.Cause(n))
	_ = running.Wait() // each has told its error
}

// write brings messages to the client until the connection ends.
func (n *connection) write(t transport) error {
	beat := time.NewTicker(n.BeatEvery)
	defer beat.Stop()
	longest := time.NewTimer(n.Longest - rand.N(n.Longest/20)) // so that not all come again at once
	defer longest.Stop()
	for {
		var err error
		select {
		case <-n.Done():
			return context.Cause(n)
		case <-n.live.Ends():
			return errStops
		case <-longest.C:
			return errLong
		case m := <-n.out:
			err = t.send(n, m)
		case <-beat.C:
			err = t.beat(n)
		}
		if err != nil {
			return err
		}
	}
}

// emit queues a message. A client that leaves too many of them waiting is slow, and loses the connection.
func (n *connection) emit(m message) {
	select {
	case n.out <- m:
	default:
		n.end(errSlow)
	}
}

// subscribe adds a stream.
func (n *connection) subscribe(s streamName) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.streams[s] != nil {
		return nil
	}
	if len(n.streams) >= n.MostStreams {
		return errs.New(errs.Exhausted, "limit_reached", "a connection may have %d streams", n.MostStreams)
	}
	n.streams[s] = &listening{since: time.Now()}
	if s.name == "list" {
		n.wake(func(p *pending) { p.check = true })
	}
	return nil
}

// unsubscribe removes a stream.
func (n *connection) unsubscribe(s streamName) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.streams, s)
}

// wake changes what is pending. The caller holds the mutex.
func (n *connection) wake(f func(*pending)) {
	f(&n.pending)
	select {
	case n.woken <- struct{}{}:
	default:
	}
}

// hear notes what may concern the connection.
func (n *connection) hear(what model.Heard) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := n.pending
	for s, is := range n.streams {
		switch s.kind() {
		case "user":
			p.notices = p.notices || what.Notices
			if s.name == "user" {
				p.filters = p.filters || what.Filters
				if what.Followed && (len(what.Posts) > 0 || what.Others) {
					p.seek(s, what)
				}
			}
		case "direct":
			p.notices = p.notices || what.Notices
		case "list":
			if is.members[what.Author] && (len(what.Posts) > 0 || what.Others) {
				p.seek(s, what)
			}
		}
	}
	for _, post := range what.Posts {
		if n.wantsPost(post) {
			p.posts = append(p.posts, post)
		}
	}
	for _, post := range what.Edits {
		if e := (change{post, what.Author, what.Followed, false, time.Now()}); n.wantsChange(e) {
			p.edits = append(p.edits, e)
		}
	}
	gone := change{HeardPost: model.HeardPost{ID: what.Gone, Public: !what.Hidden}, author: what.Author,
		followed: what.Followed, hidden: what.Hidden}
	if what.Gone != "" && n.wantsChange(gone) {
		p.gone = append(p.gone, gone)
	}
	if s := (streamName{name: "user"}); n.streams[s] != nil {
		for _, share := range what.Unshared {
			if id := shareID(share.Time(), share.Tweet()); what.Followed || n.has(s, id) {
				p.unshared = append(p.unshared, id)
			}
		}
		p.announce(what)
	}
	p.posts, p.edits, p.gone, p.unshared = newestOf(p.posts), newestOf(p.edits), newestOf(p.gone), newestOf(p.unshared)
	if p.notices || p.filters || len(p.sought)+len(p.posts)+len(p.edits)+len(p.gone)+
		len(p.unshared)+len(what.Announced)+len(what.Unannounced) > 0 {
		n.wake(func(to *pending) { *to = p })
	}
}

// announce notes what happened to announcements. The connection owns the map of what.
func (p *pending) announce(what model.Heard) {
	if p.announced == nil {
		p.announced = what.Announced
	} else {
		maps.Copy(p.announced, what.Announced)
	}
	for _, id := range what.Unannounced {
		delete(p.announced, id)
		p.unannounced = append(p.unannounced, id)
	}
}

// wantsChange reports whether a stream of the connection may have a post that was edited or deleted.
func (n *connection) wantsChange(post change) bool {
	for s, is := range n.streams {
		if n.mayHave(s, *is, post) {
			return true
		}
	}
	return false
}

// newestOf are the last of some items, as many as a turn may have.
func newestOf[T any](all []T) []T { return all[max(0, len(all)-mostHeard):] }

// wantsPost reports whether a new post may be on a public stream of the connection.
func (n *connection) wantsPost(post model.HeardPost) bool {
	return post.Public && slices.ContainsFunc(slices.Collect(maps.Keys(n.streams)), func(s streamName) bool {
		return s.kind() == "public" || s.kind() == "hashtag" && slices.Contains(post.Tags, s.of)
	})
}

// take returns what is pending.
func (n *connection) take() pending {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := n.pending
	n.pending = pending{}
	return p
}

// again makes pending again what a turn could not do.
func (n *connection) again(p pending) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.wake(func(now *pending) {
		now.notices, now.filters = now.notices || p.notices, now.filters || p.filters
		now.check = now.check || p.check
		for s, is := range p.sought {
			now.add(s, is)
		}
		now.posts = newestOf(append(p.posts, now.posts...))
		now.edits = newestOf(append(p.edits, now.edits...))
		now.gone = newestOf(append(p.gone, now.gone...))
		now.unshared = newestOf(append(p.unshared, now.unshared...))
		now.keep(p)
	})
}

// keep takes over the announcements of a turn that could not tell of them.
func (p *pending) keep(of pending) {
	newer, gone := p.announced, p.unannounced
	p.announced, p.unannounced = of.announced, of.unannounced
	p.announce(model.Heard{Announced: newer, Unannounced: gone})
}

// work does the turns of the connection until it ends.
func (n *connection) work() error {
	check := time.NewTicker(n.CheckEvery - rand.N(n.CheckEvery/10))
	defer check.Stop()
	due := time.NewTimer(time.Hour) // for what a turn left
	defer due.Stop()
	failures, began := 0, time.Now()
	for {
		var p pending
		select {
		case <-n.Done():
			return context.Cause(n)
		case <-check.C:
			p = n.take()
			p.check = true
			p.add(streamName{name: "user"}, sought{}) // a signal may be lost, and posts of followed tags come late
		case <-due.C:
			p = n.take()
		case <-n.woken:
			p = n.take()
		}
		pause := n.Pace
		err := n.live.Turn(n, p.check, func(ctx context.Context) error {
			if p.check && n.resumes != nil {
				if err := n.resumes(ctx); err != nil {
					return err
				}
				if time.Since(began) > resumed {
					n.resumes = nil
				}
			}
			return n.deliver(ctx, &p)
		})
		switch status := server.StatusOf(err); {
		case err == nil:
			failures = 0
			if n.later(p); !p.next().IsZero() {
				due.Reset(time.Until(p.next()))
			}
		case status == http.StatusUnauthorized || status == http.StatusForbidden:
			return err
		default:
			if failures++; failures >= mostFailures {
				return err
			}
			n.again(p)
			pause = max(pause, time.Duration(failures)*n.Pace, server.RetryAfter(err))
		}
		select {
		case <-time.After(pause):
		case <-n.Done():
		}
	}
}

// later keeps what a turn left for a later one: announcements that a list did not have yet, as a process may show what
// it read a minute ago, and posts, see [pending.next].
func (n *connection) later(p pending) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(p.announced) > 0 {
		n.pending.keep(pending{announced: p.announced})
	}
	for s, is := range p.sought {
		n.pending.add(s, is)
	}
	n.pending.edits = newestOf(append(p.edits, n.pending.edits...))
}

// text is a value as JSON.
func text(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}
