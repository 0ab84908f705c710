package ceilings

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/store"
)

// What the worst body of a route may take: the memory of a process that has so many at once, and
// the CPU of one, which is measured with a few.
const (
	atOnce    = 30
	few       = 2
	maxMemory = 300 << 20
	maxCPU    = 50 * time.Millisecond

	// memoryLimit is half of what Terraform gives an instance. The collector lets garbage lie up to its limit, so what a
	// process has with the whole limit says little about what the bodies need.
	memoryLimit = "200MiB"
)

// beAPI makes the test binary be an API, whose memory and CPU are its own. Its value is the project.
const beAPI = "HIBANA_TEST_WORST_API"

// usage is what a process has used so far.
type usage struct {
	CPU    time.Duration
	Memory int64  // the most at a time, in bytes
	All    uint64 // bytes that were ever taken
}

// serve is the process that is measured. It says its address, and at /usage what it has used.
func serve(project string) {
	db, err := store.Open(context.Background(), project, "", store.Options{Emulator: os.Getenv("FIRESTORE_EMULATOR_HOST"),
		Patience: time.Minute})
	if err != nil {
		panic(err)
	}
	verifier, err := idtoken.New(context.Background(), emulators.DefaultProject)
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", api.New(api.Options{Stores: wiring.API(db), Options: server.Options{
		Verifier: verifier, Log: slog.New(slog.DiscardHandler),
		PageTokenKey: []byte("thirty-two bytes for page tokens"), Timeout: time.Minute,
	}}))
	mux.HandleFunc("/usage", func(w http.ResponseWriter, _ *http.Request) {
		var r syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &r)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		json.NewEncoder(w).Encode(usage{time.Duration(r.Utime.Nano() + r.Stime.Nano()), r.Maxrss << 10, m.TotalAlloc})
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	http.Serve(l, mux)
}

// body is a bad request of a route, or one as large as a good one can be.
type body struct {
	what, text string
	good       bool // a route may take it
}

// bodiesOf makes the bodies of an operation that do the most harm for their size, from its schema.
func bodiesOf(bytes, values int, text, list string) []body {
	fill := func(begin, part, end string) string {
		return begin + strings.Repeat(part, max(1, (bytes-len(begin)-len(end))/len(part))) + end
	}
	numbered := func(n int, rest string) string {
		var b strings.Builder
		for i := 0; i < n && b.Len()+len(rest)+12 < bytes-2; i++ {
			fmt.Fprintf(&b, `"%x%s":0,`, i, rest)
		}
		return "{" + strings.TrimSuffix(b.String(), ",") + "}"
	}
	long := max(1, bytes/values*3/2)
	return []body{
		{what: "empty objects", text: fill(`{"`+list+`":[`, `{},`, `{}]}`)},
		{what: "unknown fields", text: numbered(bytes, "")},
		{what: "unknown fields with long names", text: numbered(values/2-1, strings.Repeat("n", long))},
		{what: "unknown fields in each other", text: strings.Repeat(`{"a":`, bytes/7) + "0" + strings.Repeat("}", bytes/7)},
		{what: "deep", text: fill("", "[", "")[:bytes/2] + fill("", "]", "")[:bytes/2]},
		{what: "deep, and not too many", text: strings.Repeat("[", values-1) + strings.Repeat("]", values-1)},
		{what: "one name", text: fill(`{"`, "n", `":0}`)},
		{what: "one text", text: fill(`{"`+text+`":"`, "x", `"}`)},
		{what: "text that is decomposed", text: fill(`{"`+text+`":"`, "\u0061\u0323\u0302", `"}`)},
		{what: "text of marks out of order", text: fill(`{"`+text+`":"`, "\u0301\u0323", `"}`)},
		{what: "text of escapes", text: fill(`{"`+text+`":"`, `\u0061\u0302\u0323`, `"}`)},
		{what: "text of surrogates", text: fill(`{"`+text+`":"`, `\ud83d\ude00`, `"}`)},
		{what: "characters in NFD that are just not too many", text: `{"` + text + `":"` +
			strings.Repeat("\u0061\u0323\u0302", min(bytes-20, 215_000)/5) + `"}`, good: true},
		{what: "quotes", text: fill(`{"`+text+`":"`, `\"`, `"}`)},
		{what: "no UTF-8", text: fill(`{"`+text+`":"`, "é", "\xff\"}")},
		{what: "one number", text: fill(`{"`+text+`":`, "9", `}`)},
		{what: "numbers", text: fill("[", "1e0,", "1]")},
		{what: "spaces", text: fill("{", " ", "}")},
		{what: "commas", text: fill("[", ",", "]")},
		{what: "no end", text: fill(`{"`+text+`":"`, "x", "")},
		{what: "too large", text: strings.Repeat("x", bytes+1)},
	}
}

// No body costs much on any route: the test measures memory and CPU of the process for the most expensive body of each
// route.
func TestCeilingBodies(t *testing.T) {
	testenv.Slow(t, "525 large bodies")
	e := newEnv(t)
	someone := e.account(t, "someone")
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), beAPI+"="+testenv.Project(t), "FIRESTORE_EMULATOR_HOST="+testenv.FirestoreHost(t),
		"FIREBASE_AUTH_EMULATOR_HOST="+testenv.AuthHost(t),
		"GOMAXPROCS=1", "GOGC=400", "GOMEMLIMIT="+memoryLimit) // as one instance has them, other than the limit
	child.Stderr = os.Stderr
	said, err := child.StdoutPipe()
	testenv.Must(t, err)
	testenv.Must(t, child.Start())
	t.Cleanup(func() { child.Process.Kill(); child.Wait() })
	address, err := bufio.NewReader(said).ReadString('\n')
	testenv.Must(t, err)
	url := "http://" + strings.TrimSpace(address)
	used := func() (u usage) {
		resp, err := http.Get(url + "/usage")
		testenv.Must(t, err)
		defer resp.Body.Close()
		testenv.Must(t, json.NewDecoder(resp.Body).Decode(&u))
		return u
	}
	send := func(method, path, text string) (status int) {
		req, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(text))
		testenv.Must(t, err)
		req.Header.Set("Authorization", "Bearer "+someone.IDToken)
		req.Header.Set("Idempotency-Key", "k")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body)
		return resp.StatusCode
	}
	_, text := e.do(t, "GET", "/openapi-3.0.json", "", "", http.StatusOK) // it names all fields of a schema
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody struct {
				Description string
				Content     map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Type      any
					MaxLength int
				}
			}
		}
	}
	testenv.Must(t, json.Unmarshal(text, &doc))
	type cost struct {
		what string
		cpu  time.Duration
		good int // 1 if the route also does what it is for
	}
	var costs []cost
	send("POST", "/v1/tweets", "{}") // connections and pools are there
	for path, operations := range doc.Paths {
		for method, op := range operations {
			content, ok := op.RequestBody.Content["application/json"]
			if !ok {
				continue
			}
			var bytes, values int
			if _, err := fmt.Sscanf(op.RequestBody.Description, "At most %d bytes, with %d names and values", &bytes,
				&values); err != nil {
				t.Errorf("%s does not say how much its body may have: %v", op.OperationID, err)
				continue
			}
			aText, aList, longest := "x", "x", -1
			for name, property := range doc.Components.Schemas[strings.TrimPrefix(content.Schema.Ref,
				"#/components/schemas/")].Properties {
				switch kind := fmt.Sprint(property.Type); {
				case strings.Contains(kind, "string"):
					if property.MaxLength > longest {
						aText, longest = name, property.MaxLength
					}
				case strings.Contains(kind, "array"):
					aList = name
				}
			}
			target := regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(path, "me")
			sent := func(b body) {
				if status := send(strings.ToUpper(method), target, b.text); status >= 500 &&
					status != http.StatusServiceUnavailable || status < 400 && !b.good {
					t.Errorf("%s: %s is answered %d", op.OperationID, b.what, status)
				}
			}
			var largest body
			var most uint64
			for _, b := range bodiesOf(bytes, values, aText, aList) {
				before := used()
				for range few {
					sent(b)
				}
				after := used()
				c := cost{op.OperationID + ": " + b.what, (after.CPU - before.CPU) / few, 0}
				if b.good {
					c.good = 1
				}
				costs = append(costs, c)
				if took := after.All - before.All; took > most {
					largest, most = b, took
				}
			}
			var all sync.WaitGroup
			for range atOnce {
				all.Go(func() { sent(largest) })
			}
			all.Wait()
			t.Logf("%4d MiB at most after %d x %s: %s (%.1f MiB each)", used().Memory>>20, atOnce, op.OperationID, largest.what,
				float64(most)/few/(1<<20))
		}
	}
	slices.SortFunc(costs, func(a, b cost) int { return int(b.cpu - a.cpu) })
	for _, c := range costs[:min(12, len(costs))] {
		t.Logf("%6.2f ms  %s", float64(c.cpu)/1e6, c.what)
	}
	for _, c := range costs {
		if most := maxCPU * time.Duration(1+2*c.good); c.cpu > most {
			t.Errorf("%s takes %v of CPU, want %v at most", c.what, c.cpu, most)
		}
	}
	if most := used().Memory; most > maxMemory {
		t.Errorf("the process had %d MiB, want %d at most", most>>20, maxMemory>>20)
	} else {
		t.Logf("%d bodies, and the process had %d MiB at most", len(costs), most>>20)
	}
}
