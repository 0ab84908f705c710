package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/limits"
)

// Media types have no case, and parameters make no difference.
func TestMediaTypes(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	for _, media := range []string{"Application/Json", "APPLICATION/JSON; Charset=UTF-8", "application/json;charset=utf-8",
		"application/json; profile=a+b", "application/merge-patch+json", " application/json "} {
		e.do(t, "POST", "/v1/tweets", ann.token, `{"content":"x"}`, "Content-Type", media).want(t, http.StatusCreated, nil)
	}
	for _, media := range []string{"text/json", "json", "application/jsonp", "application/xml", "; charset=utf-8"} {
		p := e.do(t, "POST", "/v1/tweets", ann.token, `{"content":"x"}`, "Content-Type", media).
			problem(t, http.StatusUnsupportedMediaType, "unsupported_media_type")
		if !strings.Contains(p.Detail, "application/json") {
			t.Errorf("%s: %s", media, p.Detail)
		}
	}
	for _, coding := range []string{"gzip", "GZIP", "br", "identity, gzip"} {
		r := e.do(t, "POST", "/v1/tweets", ann.token, "\x1f\x8b\x08", "Content-Encoding", coding)
		p := r.problem(t, http.StatusUnsupportedMediaType, "unsupported_media_type")
		if !strings.Contains(p.Detail, "Content-Encoding") || r.header.Get("Accept-Encoding") != "identity" {
			t.Errorf("%s: %s, %v", coding, p.Detail, r.header)
		}
	}
	e.do(t, "POST", "/v1/tweets", ann.token, `{"content":"x"}`, "Content-Encoding", "identity").
		want(t, http.StatusCreated, nil)
}

// A whole number is an integer, however it is written, as JSON Schema has it.
func TestWholeNumbers(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	tweet := "/v1/tweets/" +
		string(e.post(t, ann, map[string]any{"content": "?", "poll": map[string]any{"options": []string{"1.0", "2.0"},
			"minutes": 5}}).ID)
	for _, option := range []string{"1.5", "1e99", "1.", ".1e1", "01.0", "1.0.0", "1e", "--1", "0x1p1", "1_0.0", "1e400",
		"1" + strings.Repeat("0", 3000), `"1"`, "9007199254740993.0"} {
		p := e.do(t, "PUT", tweet+"/vote", bob.token, `{"option":`+option+`}`).
			problem(t, http.StatusBadRequest, "invalid_request")
		if strings.Contains(p.Detail, "Go ") || len(p.Detail) > 400 {
			t.Errorf("option %.40s: %s", option, p.Detail)
		}
	}
	for _, option := range []string{"1.0", "1e0", "10e-1", "0.1E+1", " 1.00 "} {
		e.do(t, "PUT", tweet+"/vote", bob.token, `{"option":`+option+`}`).want(t, http.StatusOK, nil)
	}
	var read api.Tweet
	e.do(t, "GET", tweet, "", nil).want(t, http.StatusOK, &read)
	if read.Poll.Options[0].Text != "1.0" {
		t.Errorf("an option is %q, want the text as it was sent", read.Poll.Options[0].Text)
	}
}

// Bodies that do not come keep no place from others, and are given up.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.Limits.Gate = limits.NewGate(3, time.Minute) })
	ann := e.join(t, "ann")
	var slow []net.Conn
	for _, length := range []string{"Content-Length: 100000", "Content-Length: 20", "Transfer-Encoding: chunked"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(e.url, "http://"))
		testenv.Must(t, err)
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "POST /v1/tweets HTTP/1.1\r\nHost: x\r\n%s\r\nAuthorization: Bearer %s\r\n\r\n", length, ann.token)
		if strings.HasPrefix(length, "Content") {
			io.WriteString(conn, `{"content":"`)
		}
		slow = append(slow, conn)
	}
	for range 3 { // while none of them is complete
		e.do(t, "GET", "/v1/tags", "", nil).want(t, http.StatusOK, nil)
		e.post(t, ann, map[string]any{"content": "x"})
	}
	for _, conn := range slow {
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		testenv.Must(t, err)
		body, err := io.ReadAll(resp.Body)
		testenv.Must(t, err)
		reply{resp.StatusCode, resp.Header, body}.problem(t, http.StatusRequestTimeout, "timeout")
	}
	for range 3 { // every place is given back once
		e.do(t, "GET", "/v1/tags", "", nil).want(t, http.StatusOK, nil)
	}
}
