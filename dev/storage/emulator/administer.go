package emulator

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"

	"github.com/hibana-sns/hibana/dev/storage"
)

var signBlob = regexp.MustCompile(`^/v1/projects/-/serviceAccounts/[^/]+:signBlob$`)

var watched = regexp.MustCompile(`^/emulator/v1/buckets/([^/]+)/events$`)

// administer serves the administrator.
func (e *Emulator) administer(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimSuffix(r.URL.Path, "/")
	switch found := watched.FindStringSubmatch(path); {
	case r.Method == http.MethodPost && signBlob.MatchString(path):
		e.sign(w, r)
	case found != nil:
		e.watch(w, r, found[1])
	case r.Method == http.MethodPost && path == "/storage/v1/b":
		e.create(w, r)
	case strings.HasPrefix(path, "/upload/"):
		e.insert(w, r)
	default:
		e.forward(w, r)
	}
}

// sign signs as IAM does, for whatever account.
func (e *Emulator) sign(w http.ResponseWriter, r *http.Request) {
	var request struct{ Payload []byte }
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sum := sha256.Sum256(request.Payload)
	signature, err := rsa.SignPKCS1v15(rand.Reader, e.key(), crypto.SHA256, sum[:])
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"keyId": "emulator", "signedBlob": signature})
}

// create makes a bucket, and remembers its CORS configuration.
func (e *Emulator) create(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var data struct {
		Name string
		CORS []storage.CORS
	}
	if err == nil {
		err = json.Unmarshal(body, &data)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer := httptest.NewRecorder()
	e.forward(answer, r)
	if answer.Code == http.StatusOK {
		e.change(data.Name, func(b *bucket) { b.cors = data.CORS })
	}
	replay(w, answer)
}

// insert writes an object by the JSON API, and sends its event. Chunks of the client's own upload sessions pass too.
func (e *Emulator) insert(w http.ResponseWriter, r *http.Request) {
	answer := httptest.NewRecorder()
	e.forward(answer, r)
	h := answer.Header()
	if answer.Code == http.StatusOK && h.Get("Location") == "" && h.Get("X-Http-Status-Code-Override") == "" {
		e.finalized(answer.Body.Bytes())
	}
	replay(w, answer)
}

// replay answers what was recorded.
func replay(w http.ResponseWriter, answer *httptest.ResponseRecorder) {
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}
