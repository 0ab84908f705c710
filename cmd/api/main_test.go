package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/config"
)

func TestMain(m *testing.M) { testenv.Program(m, main) }

// A request that is being sent when the end comes is still answered, while new
// connections are refused.
func TestGracefulStop(t *testing.T) {
	t.Parallel()
	// Users are of the default project, in which no other test writes this document.
	account := testenv.SignUp(t, "")
	cfg := config.API{
		Service: config.Service{
			Project: emulators.DefaultProject, FirestoreEmulator: testenv.FirestoreHost(t), AuthEmulator: testenv.AuthHost(t),
		},
		PageTokenKey: "a key of thirty-two bytes or more",
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	logged, log := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, cfg, slog.New(slog.NewJSONHandler(log, nil))) }()
	lines := bufio.NewScanner(logged)
	next := func(message string) (line struct{ Msg, Address string }) {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the log ends before %q", message)
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Msg != message {
			t.Fatalf("logged %s, want %q", lines.Bytes(), message)
		}
		return line
	}
	_, port, err := net.SplitHostPort(next("listening").Address)
	if err != nil {
		t.Fatal(err)
	}
	address := net.JoinHostPort("127.0.0.1", port)
	for try := 0; ; try++ { // until the database is warm: the first read of an account status has five seconds
		answered := make(chan int, 1)
		go func() { // an answer ends when its line is logged
			req, _ := http.NewRequest(http.MethodGet, "http://"+address+"/v1/users/me", nil)
			req.Header.Set("Authorization", "Bearer "+account.IDToken)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				answered <- 0
				return
			}
			resp.Body.Close()
			answered <- resp.StatusCode
		}()
		next("request")
		if status := <-answered; status != http.StatusServiceUnavailable || try == 20 {
			break
		}
	}

	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := fmt.Sprintf(`{"username":"u%.15s"}`, fmt.Sprintf("%x", account.UID))
	fmt.Fprintf(conn, "POST /v1/users HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nAuthorization: Bearer "+
		"%s\r\nContent-Length: %d\r\n\r\n", account.IDToken, len(body))
	answers := bufio.NewReader(conn)
	// the handler waits for the body
	if line, err := answers.ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" {
		t.Fatalf("answered %q, %v", line, err)
	}
	answers.ReadString('\n')
	stop()
	next("stopping")
	for { // the listener closes just after that line
		refused, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		refused.Close()
	}
	fmt.Fprint(conn, body)
	next("request")
	resp, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		text, _ := io.ReadAll(resp.Body)
		t.Errorf("status = %d, want 201: %s", resp.StatusCode, text)
	}
	if err := <-ended; err != nil {
		t.Errorf("run() = %v", err)
	}
}
