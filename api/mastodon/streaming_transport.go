package mastodon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
)

// eventStream is a connection with server-sent events.
type eventStream struct {
	w        http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration
}

// events serves a connection with server-sent events.
func (n *connection) events(w http.ResponseWriter) error {
	t := &eventStream{w, http.NewResponseController(w), n.patience}
	if err := errors.Join(t.control.SetReadDeadline(time.Time{}), t.control.SetWriteDeadline(time.Time{})); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	if err := t.write(":)\n"); err != nil {
		return nil // the client is gone
	}
	n.run(t)
	return nil
}

func (t *eventStream) write(text string) error {
	if err := t.control.SetWriteDeadline(time.Now().Add(t.patience)); err != nil {
		return err
	}
	if _, err := t.w.Write([]byte(text)); err != nil {
		return err
	}
	return t.control.Flush()
}

func (t *eventStream) send(_ context.Context, m message) error {
	payload := m.payload
	if payload == "" {
		payload = "undefined" // as Mastodon, for an event without a payload
	}
	var id string
	if m.id != "" {
		id = "\nid: " + m.id
	}
	return t.write("event: " + m.event + id + "\ndata: " + payload + "\n\n")
}

func (t *eventStream) close(error) {}

func (t *eventStream) beat(context.Context) error { return t.write(":thump\n") }

// socket is a connection with a WebSocket.
type socket struct {
	*websocket.Conn
	patience time.Duration
}

// webSocket serves a connection with a WebSocket.
func (n *connection) webSocket(w http.ResponseWriter) error {
	control := http.NewResponseController(w)
	if err := errors.Join(control.SetReadDeadline(time.Time{}), control.SetWriteDeadline(time.Time{})); err != nil {
		return err
	}
	options := &websocket.AcceptOptions{InsecureSkipVerify: true} // pages of every origin: no request has cookies
	if first, _, _ := strings.Cut(n.request.Header.Get("Sec-WebSocket-Protocol"), ","); first != "" {
		options.Subprotocols = []string{strings.TrimSpace(first)}
	}
	conn, err := websocket.Accept(w, n.request, options)
	if err != nil {
		return nil // it has answered
	}
	conn.SetReadLimit(maxSent)
	t := &socket{conn, n.patience}
	n.run(t, func() error { return n.read(t) })
	return nil
}

// close says why, and ends the reading.
func (t *socket) close(why error) {
	if !errors.Is(why, errSlow) {
		code, reason := closing(why)
		t.Close(code, reason) // with a client that is gone it fails
	}
	t.CloseNow()
}

// closing is how a WebSocket ends.
func closing(why error) (websocket.StatusCode, string) {
	switch {
	case errors.Is(why, errStops):
		return websocket.StatusGoingAway, "the server stops; come again"
	case errors.Is(why, errLong):
		return websocket.StatusServiceRestart, "come again"
	case errors.Is(why, errSlow):
		return websocket.StatusPolicyViolation, errSlow.Error()
	case server.StatusOf(why) == http.StatusUnauthorized || server.StatusOf(why) == http.StatusForbidden:
		return websocket.StatusPolicyViolation, "the access token is good no more"
	}
	return websocket.StatusInternalError, ""
}

func (t *socket) send(ctx context.Context, m message) error {
	ctx, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	type told struct {
		Stream  []string `json:"stream"`
		Event   string   `json:"event"`
		Payload string   `json:"payload,omitempty"`
	}
	var out any = told{m.stream.texts(), m.event, m.payload}
	if m.problem != nil {
		out = struct {
			Error  string `json:"error"`
			Status int    `json:"status"`
		}{errs.PublicText(m.problem), server.StatusOf(m.problem)}
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(out); err != nil {
		return err
	}
	return t.Write(ctx, websocket.MessageText, bytes.TrimSpace(b.Bytes()))
}

func (t *socket) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	return t.Ping(ctx)
}

// read hears what the client wants, until the connection ends.
func (n *connection) read(t *socket) error {
	for {
		_, sent, err := t.Read(context.WithoutCancel(n)) // the end of n would end it without a reason
		if err != nil {
			return err
		}
		var wish struct{ Type, Stream, Tag, List string }
		if err := json.Unmarshal(sent, &wish); err != nil {
			n.emit(message{problem: invalid("a message is an object of JSON with type and stream")})
			continue
		}
		s, err := streamOf(n.live.Caller(), wish.Stream, wish.Tag, wish.List)
		switch {
		case err != nil:
		case wish.Type == "subscribe":
			err = n.subscribe(s)
		case wish.Type == "unsubscribe":
			n.unsubscribe(s)
		default:
			err = invalid("type is subscribe or unsubscribe")
		}
		if err != nil {
			n.emit(message{problem: fmt.Errorf("%w", err)})
		}
	}
}
