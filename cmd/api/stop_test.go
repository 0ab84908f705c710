package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/local/emulators"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A service that is told to stop in the middle of many requests answers them: what was answered with
// success is there, nothing is there twice, and no request is turned away with an error.
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	account := testenv.SignUp(t, "")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testenv.Must(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	testenv.Must(t, l.Close())
	cfg := config.API{
		Service: config.Service{
			Port: uint16(port), Project: emulators.DefaultProject, FirestoreEmulator: testenv.FirestoreHost(t), AuthEmulator: testenv.AuthHost(t),
		},
		PageTokenKey: "a key of thirty-two bytes or more", Limits: "off",
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, cfg, slog.New(slog.DiscardHandler)) }()
	address := fmt.Sprintf("127.0.0.1:%d", port)
	send := func(path, body string) (*http.Response, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+path, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+account.IDToken)
		req.Header.Set("Content-Type", "application/json")
		return http.DefaultClient.Do(req)
	}
	for { // until it listens, and the database is warm
		resp, err := send("/v1/users", fmt.Sprintf(`{"username":"s%.15s"}`, fmt.Sprintf("%x", account.UID)))
		if err != nil {
			continue
		}
		resp.Body.Close()
		if s := resp.StatusCode; s == http.StatusCreated || s == http.StatusConflict { // an earlier answer may be lost
			break
		} else if s != http.StatusServiceUnavailable {
			t.Fatalf("sign-up: status %d", s)
		}
	}

	// Some requests are answered, and as many are in their handlers when the end comes: each was told
	// to go on, and waits to send its body.
	const many = 10
	answered := make([]string, 2*many)
	for i, err := range testenv.AtOnce(many, func(i int) error {
		resp, err := send("/v1/tweets", fmt.Sprintf(`{"content":"spark %d"}`, i))
		if err != nil {
			return err
		}
		answered[i], err = posted(resp)
		return err
	}) {
		if err != nil {
			t.Errorf("request %d: %v", i, err)
		}
	}
	var waiting, stopped sync.WaitGroup
	waiting.Add(many)
	stopped.Add(1)
	go func() {
		waiting.Wait()
		stop()
		for { // the listener closes just after
			conn, err := net.Dial("tcp", address)
			if err != nil {
				break
			}
			conn.Close()
		}
		stopped.Done()
	}()
	for i, err := range testenv.AtOnce(many, func(i int) (err error) {
		body := fmt.Sprintf(`{"content":"late spark %d"}`, i)
		conn, err := net.Dial("tcp", address)
		if err != nil {
			waiting.Done()
			return err
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/tweets HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", account.IDToken, len(body))
		answers := bufio.NewReader(conn)
		line, err := answers.ReadString('\n')
		answers.ReadString('\n')
		waiting.Done()
		if err != nil || line != "HTTP/1.1 100 Continue\r\n" {
			return fmt.Errorf("answered %q, %w", line, err)
		}
		stopped.Wait()
		fmt.Fprint(conn, body)
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			return err
		}
		answered[many+i], err = posted(resp)
		return err
	}) {
		if err != nil {
			t.Errorf("request %d, in flight at the end: %v", i, err)
		}
	}
	if err := <-ended; err != nil {
		t.Errorf("run() = %v", err)
	}
	client := testenv.Client(t, emulators.DefaultProject)
	docs, err := client.Collection(model.Tweets).Where("authorId", "==", account.UID).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	there := map[string]bool{}
	for _, doc := range docs {
		there[doc.Ref.ID] = true
	}
	for _, id := range answered {
		if !there[id] {
			t.Errorf("tweet %s was answered with success, and is not there", id)
		}
	}
	if len(docs) != len(answered) {
		t.Errorf("%d tweets are there for %d requests", len(docs), len(answered))
	}
}

// posted returns the id of the tweet that an answer has.
func posted(resp *http.Response) (id string, err error) {
	defer resp.Body.Close()
	var tweet struct{ ID string }
	if err := json.NewDecoder(resp.Body).Decode(&tweet); err != nil || resp.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("status %d, %w", resp.StatusCode, err)
	}
	return tweet.ID, nil
}
