// Package emulator emulates Cloud Storage on a laptop and in tests. The objects are in the memory of fake-gcs-server, a
// module. Before it stands a gate that is as strict as the cloud:
//
//   - Buckets are private. The JSON API and reads need "Authorization: Bearer owner", which the emulators of Firestore
//     and Auth take too.
//   - A signed address works only with its method, its headers and until its time; see [Emulator.ServeHTTP].
//   - An upload session takes chunks of multiples of 256 KiB, says what has arrived, and keeps to the signed size.
//   - A browser of another origin than those of the bucket gets no CORS headers.
//
// The emulator signs addresses by the method signBlob of IAM, with a key that it makes at start. It sends an event for
// each finished object, in the form of Eventarc, to the runner that [storage.Watch] names.
//
// The gate knows no objects that are copied, composed or written in a batch: they cause no event.
package emulator

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"encoding/xml"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/hibana-sns/hibana/dev/storage"
)

// publicHost is the host for which fake-gcs-server takes paths of the form /bucket/object.
const publicHost = "storage.googleapis.com"

// Emulator is an [http.Handler]. Its methods may be called concurrently.
type Emulator struct {
	objects http.Handler
	key     func() *rsa.PrivateKey
	now     func() time.Time
	log     *slog.Logger

	mu       sync.Mutex
	buckets  map[string]*bucket
	sessions map[string]*session // by their secret ids
}

// bucket is what fake-gcs-server does not keep of a bucket.
type bucket struct {
	cors    []storage.CORS
	sending sync.Mutex // held while events are sent, in their order
	target  string     // where its events go; empty if nobody watches
	waiting []*event   // not taken by the target
}

// New returns an emulator without buckets. now may be nil; log must not be nil.
func New(now func() time.Time, log *slog.Logger) (*Emulator, error) {
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true})
	if err != nil {
		return nil, err
	}
	if now == nil {
		now = time.Now
	}
	return &Emulator{
		objects: server.HTTPHandler(), now: now, log: log, buckets: map[string]*bucket{}, sessions: map[string]*session{},
		key: sync.OnceValue(func() *rsa.PrivateKey {
			key, err := rsa.GenerateKey(rand.Reader, 2048)
			if err != nil {
				panic(err) // the system has no random numbers
			}
			return key
		}),
	}, nil
}

// ServeHTTP serves the administrator, signed addresses, upload sessions and preflights, and refuses all else:
//
//	401 AuthenticationRequired    the JSON API without the administrator's token
//	403 AccessDenied              an object without a signature
//	403 SignatureDoesNotMatch     another method, path, query or header than the signed ones
//	400 ExpiredToken              after the time
//	400 MalformedSecurityHeader   a signed header is missing, or one that begins with x-goog- is not signed
//	412 PreconditionFailed        an object is there, and x-goog-if-generation-match is 0
//	400 EntityTooLarge            more bytes than x-goog-content-length-range allows
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	api := isAPI(r.URL.Path)
	switch q := r.URL.Query(); {
	case r.Method == http.MethodOptions:
		e.preflight(w, r)
	case r.URL.Path == "/":
		_, _ = w.Write([]byte("Ok"))
	case r.Header.Get("Authorization") == storage.Owner:
		e.administer(w, r)
	case api || r.Header.Get("Authorization") != "":
		refuse(w, http.StatusUnauthorized, "AuthenticationRequired", "Only the administrator may call this.")
	case q.Has("upload_id"):
		e.allow(w, r)
		e.upload(w, r, q.Get("upload_id"))
	case q.Has("X-Goog-Signature"):
		e.allow(w, r)
		e.signed(w, r)
	default:
		e.allow(w, r)
		refuse(w, http.StatusForbidden, "AccessDenied", "Anonymous caller does not have access.")
	}
}

// isAPI reports whether a path is not that of an object.
func isAPI(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "storage", "upload", "download", "batch", "_internal", "v1", "emulator":
		return true
	}
	return false
}

// object splits the path of an object.
func object(u *url.URL) (bucket, name string) {
	bucket, name, _ = strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	return bucket, name
}

// bucket returns a bucket that was made with CORS or is watched; nil is any other.
func (e *Emulator) bucket(name string) *bucket {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.buckets[name]
}

// change returns the bucket of a name for a change, and makes it if it is missing.
func (e *Emulator) change(name string, do func(*bucket)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.buckets[name] == nil {
		e.buckets[name] = &bucket{}
	}
	do(e.buckets[name])
}

// forward lets fake-gcs-server answer a request, without its own CORS.
func (e *Emulator) forward(w http.ResponseWriter, r *http.Request) {
	r = r.Clone(r.Context())
	r.Header.Del("Origin")
	if !isAPI(r.URL.Path) {
		r.Host = publicHost
	}
	e.objects.ServeHTTP(w, r)
}

// refuse answers as the XML API does.
func refuse(w http.ResponseWriter, status int, code, message string) {
	var body bytes.Buffer
	body.WriteString(xml.Header)
	_ = xml.NewEncoder(&body).Encode(struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
		Message string
	}{Code: code, Message: message})
	w.Header().Set("Content-Type", "application/xml; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}
