package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A process that gets SIGTERM in the middle of many requests answers each that its handler has begun.
// Any other request it answers whole, or does not touch: the client sends it again, to the process that
// takes its place, and each tweet is there once. The process that stops is no longer ready.
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	account := testenv.SignUp(t, "")
	serve := func() (*exec.Cmd, string) {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), testenv.RunMain+"=1", "GOOGLE_CLOUD_PROJECT="+emulators.DefaultProject,
			"FIRESTORE_EMULATOR_HOST="+testenv.FirestoreHost(t),
			"FIREBASE_AUTH_EMULATOR_HOST="+testenv.AuthHost(t), "LIMITS=off")
		url, err := stacktest.Serve(process, nil)
		testenv.Must(t, err)
		t.Cleanup(func() { process.Process.Kill() }) // fails if it has ended
		return process, url
	}
	var to atomic.Pointer[string] // where the API is
	send := func(path, key, body string) (*http.Response, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, *to.Load()+path, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+account.IDToken)
		req.Header.Set("Content-Type", "application/json")
		if key != "" {
			req.Header.Set("Idempotency-Key", key)
		}
		return http.DefaultClient.Do(req)
	}
	process, first := serve()
	to.Store(&first)
	for { // until the database is warm
		resp, err := send("/v1/users", "", fmt.Sprintf(`{"username":"s%.15s"}`, fmt.Sprintf("%x", account.UID)))
		testenv.Must(t, err)
		resp.Body.Close()
		if s := resp.StatusCode; s == http.StatusCreated || s == http.StatusConflict { // an earlier answer may be lost
			break
		} else if s != http.StatusServiceUnavailable {
			t.Fatalf("sign-up: status %d", s)
		}
	}

	// Clients post until the end, and each tweet until it is answered.
	const clients = 4
	var posting sync.WaitGroup
	var quit atomic.Bool
	replaced := make(chan struct{}) // closed when another process has taken the place of the first
	var mu sync.Mutex
	ids, again := map[string]string{}, 0 // by key
	for c := range clients {
		posting.Go(func() {
			for n, done := 0, true; !done || !quit.Load(); {
				key := fmt.Sprintf("spark-%d-%d", c, n)
				resp, err := send("/v1/tweets", key, fmt.Sprintf(`{"content":"spark %d of %d"}`, n, c))
				id := ""
				if err == nil {
					id, err = posted(resp)
				}
				mu.Lock()
				failed, answered := errors.AsType[*answerError](err)
				switch done = err == nil; {
				case done:
					ids[key] = id
					n++
				case answered && failed.status != http.StatusServiceUnavailable: // after which clients try again
					t.Errorf("%s: %v", key, err)
				default:
					again++
				}
				mu.Unlock()
				if !done {
					select {
					case <-replaced:
					case <-t.Context().Done():
						return
					}
				}
			}
		})
	}
	defer func() {
		quit.Store(true)
		if t.Failed() {
			return // clients may wait for an API that never came
		}
		posting.Wait()
	}()

	// Some requests are in their handlers when the end comes: each got "100 Continue", and waits to send
	// its body.
	const many = 10
	var waiting sync.WaitGroup
	waiting.Add(many)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		waiting.Wait()
		process.Process.Signal(syscall.SIGTERM) // the next line waits for its effect
		for {                                   // until it takes no more
			resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get(first + "/ready")
			if err != nil {
				break
			}
			resp.Body.Close()
		}
	}()
	for i, err := range testenv.AtOnce(many, func(i int) (err error) {
		body := fmt.Sprintf(`{"content":"late spark %d"}`, i)
		conn, err := net.Dial("tcp", strings.TrimPrefix(first, "http://"))
		if err != nil {
			waiting.Done()
			return err
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/tweets HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nAuthorization: Bearer "+
			"%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", account.IDToken, len(body))
		answers := bufio.NewReader(conn)
		line, err := answers.ReadString('\n')
		answers.ReadString('\n')
		waiting.Done()
		if err != nil || line != "HTTP/1.1 100 Continue\r\n" {
			return fmt.Errorf("answered %q, %w", line, err)
		}
		<-stopped
		fmt.Fprint(conn, body)
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			return err
		}
		id, err := posted(resp)
		mu.Lock()
		defer mu.Unlock()
		ids[fmt.Sprint("late ", i)] = id
		return err
	}) {
		if err != nil {
			t.Errorf("request %d, in flight at the end: %v", i, err)
		}
	}
	if err := process.Wait(); err != nil {
		t.Errorf("the service ended with %v", err)
	}

	// Another takes its place, and clients try again.
	next, second := serve()
	to.Store(&second)
	close(replaced)
	quit.Store(true)
	posting.Wait()
	if again < clients { // each posted until the first process was gone
		t.Errorf("%d requests were sent again by %d clients", again, clients)
	}
	client := testenv.Client(t, emulators.DefaultProject)
	docs, err := client.Collection(model.Tweets).Where("authorId", "==", account.UID).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	there := map[string]bool{}
	for _, doc := range docs {
		there[doc.Ref.ID] = true
	}
	for key, id := range ids {
		if !there[id] {
			t.Errorf("%s was answered with the tweet %q, which is not there", key, id)
		}
	}
	if len(docs) != len(ids) {
		t.Errorf("%d tweets are there for %d requests", len(docs), len(ids))
	}
	testenv.Must(t, next.Process.Signal(syscall.SIGTERM))
	testenv.Must(t, next.Wait())
}

// answerError is an answer that is no success.
type answerError struct {
	status int
	err    error
}

func (e *answerError) Error() string { return fmt.Sprintf("status %d, %v", e.status, e.err) }

// posted returns the id of the tweet that an answer has.
func posted(resp *http.Response) (id string, err error) {
	defer resp.Body.Close()
	var tweet struct{ ID string }
	if err := json.NewDecoder(resp.Body).Decode(&tweet); err != nil || resp.StatusCode != http.StatusCreated {
		return "", &answerError{resp.StatusCode, err}
	}
	return tweet.ID, nil
}
