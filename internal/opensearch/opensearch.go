// Package opensearch implements the part of OpenSearch's HTTP API that a keyword search needs: create an index, write
// documents in bulk, and list in one order the documents that have all of some terms. It works with any server with
// that API, self-hosted or managed.
//
// The documents have external versions. A write of a version that is older than the indexed one, or older than one
// deleted within [remembers], changes nothing and is not an error. Writes may therefore come late, twice and in any
// order, and each may be repeated.
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

// Options locate an index.
type Options struct {
	URL      string // http://host:port or https://host:port, and a path if a proxy needs one
	Index    string // name of the index; a missing index is created
	Username string // none if empty
	Password string
	Timeout  time.Duration // of one attempt; 5 s if 0
}

const (
	// pause is the time before the second and last attempt of a request.
	pause = 200 * time.Millisecond
	// largestAnswer is the limit of an answer in bytes. A larger answer is an error.
	largestAnswer = 8 << 20
	// largestWrite is the limit of a request with several documents in bytes. A server accepts 100 MiB by default
	// (http.max_content_length).
	largestWrite = 4 << 20
)

// Client is an index. Its methods may be called concurrently. Their errors are errs.Unavailable if a later attempt may
// succeed, and else errs.Internal. No error contains the password, or more of an answer than its type of error.
type Client struct {
	base     *url.URL // of the index
	username string
	password string
	http     *http.Client

	mu   sync.Mutex
	made bool // this process knows that the index exists
}

// index matches a name, and is stricter than the server.
var index = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,99}$`)

// New returns the client of an index. It opens no connection.
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
		// the password is for this server only
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext, TLSHandshakeTimeout: 2 * time.Second,
			MaxIdleConns: 100, MaxIdleConnsPerHost: 100, MaxConnsPerHost: 100, IdleConnTimeout: time.Minute,
			ForceAttemptHTTP2: true,
		},
	}}, nil
}

// Valid returns an error for an invalid address or name of an index. The error never contains the address, which may
// hold a misplaced secret.
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

// failure is an error answer: its status and, if it has one, the type of its error.
type failure struct {
	status int
	kind   string // such as version_conflict_engine_exception; from the server, truncated
}

func (f *failure) Error() string {
	return strings.TrimSpace(fmt.Sprintf("status %d %s", f.status, f.kind))
}

// again reports whether the same request may succeed later. A server with full queues answers 429
// (https://docs.opensearch.org/latest/tuning-your-cluster/availability-and-recovery/).
func again(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusBadGateway ||
		status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// call sends a request and decodes the answer. It repeats the request once if there was no answer or a temporary
// failure, so the request must be idempotent.
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
			if err := json.Unmarshal(text, to); err != nil { // the error has the location, and not the value
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

// kindOf returns the type of an error in an answer: {"type": "…", "reason": "…"}. The reason may contain users' texts
// and must not be logged.
func kindOf(text json.RawMessage) string {
	var e struct{ Type string }
	_ = json.Unmarshal(text, &e) // a proxy may answer anything
	if len(e.Type) > 80 {
		e.Type = e.Type[:80]
	}
	return e.Type
}
