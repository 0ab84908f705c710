// Package opensearch speaks the part of OpenSearch's HTTP API that a search by keywords needs:
// create an index, write documents in bulk, and list the documents that have all of some terms
// in one order. It speaks to any server with that API: a cluster of one's own, or a hosted one.
//
// The documents have external versions. A write of an older version than the index has, or
// than it has deleted within [remembers], changes nothing, and is no error. So writes may come
// late, twice and in any order, and each may be sent again.
package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Options say where an index is.
type Options struct {
	URL      string // http://host:port or https://host:port, and a path if a proxy wants one
	Index    string // name of the index; it is made if it is not there
	Username string // none if empty
	Password string
	Timeout  time.Duration // of one attempt; 5 s if 0
}

const (
	// pause is how long a request waits before its second and last attempt.
	pause = 200 * time.Millisecond
	// largestAnswer is how many bytes of an answer are read. An answer with more is an error.
	largestAnswer = 8 << 20
	// largestWrite is how many bytes a request with more than one document has at most. A server
	// takes 100 MiB unless told otherwise (http.max_content_length).
	largestWrite = 4 << 20
)

// Client is an index. Its methods may be called concurrently. Their errors are errs.Unavailable
// if another attempt later may help, and else errs.Internal; no error has the password, and none
// has more of an answer than its kind of error.
type Client struct {
	base     *url.URL // of the index
	username string
	password string
	http     *http.Client

	mu   sync.Mutex
	made bool // the index is there, as this process knows
}

// index is the form of a name, stricter than the server's.
var index = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,99}$`)

// New returns the client of an index. It connects to nothing.
func New(o Options) (*Client, error) {
	if err := Valid(o.URL, o.Index); err != nil {
		return nil, err
	}
	base, err := url.Parse(strings.TrimSuffix(o.URL, "/"))
	if err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Second
	}
	return &Client{base: base.JoinPath(o.Index), username: o.Username, password: o.Password, http: &http.Client{
		Timeout: o.Timeout,
		// the password is for this server
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext, TLSHandshakeTimeout: 2 * time.Second,
			MaxIdleConns: 100, MaxIdleConnsPerHost: 100, MaxConnsPerHost: 100, IdleConnTimeout: time.Minute,
			ForceAttemptHTTP2: true,
		},
	}}, nil
}

// Valid tells what is wrong with the address and the name of an index. No error has the address,
// which may have a misplaced secret.
func Valid(address, name string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "":
		return errors.New("the address of the search engine is not http://host:port or https://host:port")
	case u.User != nil:
		return errors.New("the address of the search engine has a user; that and the password are set apart")
	case !index.MatchString(name):
		return errors.New("the name of a search index has 1 to 100 small letters, digits, - and _, a letter first")
	}
	return nil
}

// failure is an answer that is none: its status and, if it has one, the type of its error.
type failure struct {
	status int
	kind   string // as version_conflict_engine_exception; from the server, cut
}

func (f *failure) Error() string {
	return strings.TrimSpace(fmt.Sprintf("status %d %s", f.status, f.kind))
}

// again reports whether the same request may be answered later. 429 is said by a server with full queues
// (https://docs.opensearch.org/latest/tuning-your-cluster/availability-and-recovery/).
func again(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusBadGateway ||
		status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// call sends a request, and once more if it got no answer or one that asks for it; so the request
// must be one that may be repeated. It decodes the answer.
func (c *Client) call(ctx context.Context, method, path, query, contentType string, body []byte, to any) (err error) {
	for attempt := range 2 {
		if attempt > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
		var text []byte
		if text, err = c.send(ctx, method, path, query, contentType, body); err == nil {
			if err := json.Unmarshal(text, to); err != nil { // says where, and not what
				return fmt.Errorf("%s of the search index: the answer is not as documented: %w", path, err)
			}
			return nil
		}
		if f, ok := errors.AsType[*failure](err); ok && !again(f.status) {
			return fmt.Errorf("%s of the search index: %w", path, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return &errs.Error{Kind: errs.Unavailable, Msg: "The search does not answer now.", Op: path + " of the search index",
		Err: err}
}

// send sends a request once.
func (c *Client) send(ctx context.Context, method, path, query, contentType string, body []byte) ([]byte, error) {
	to := *c.base
	if path != "" {
		to = *c.base.JoinPath(path)
	}
	to.RawQuery = query
	req, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Accept", "application/json")
	if c.username != "" {
		req.SetBasicAuth(c.username, c.password)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, largestAnswer+1))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		var answer struct{ Error json.RawMessage }
		f := &failure{status: resp.StatusCode}
		if json.Unmarshal(text, &answer) == nil {
			f.kind = kindOf(answer.Error)
		}
		return nil, f
	}
	if len(text) > largestAnswer {
		return nil, &failure{status: resp.StatusCode, kind: fmt.Sprintf("with more than %d bytes", largestAnswer)}
	}
	return text, nil
}

// kindOf is the type of an error in an answer: {"type": "…", "reason": "…"}. The reason may have
// what people wrote, and is not for the log.
func kindOf(text json.RawMessage) string {
	var e struct{ Type string }
	_ = json.Unmarshal(text, &e) // a proxy says what it likes
	if len(e.Type) > 80 {
		e.Type = e.Type[:80]
	}
	return e.Type
}
