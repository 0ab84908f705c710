// Package pushtest gives a test a browser and its push service: a server on this machine that
// takes web push messages, checks who sends them, and decrypts them as the browser would.
package pushtest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/push/vapid"
	"github.com/hibana-sns/hibana/model"
)

// Service is a push service. Its browsers are paths.
type Service struct {
	t          *testing.T
	server     *httptest.Server
	PrivateKey string // the VAPID key of the sender
	public     string

	mu       sync.Mutex
	browsers map[string]*Browser
	answers  []int // statuses of the next answers
	calls    int
}

// Browser has a subscription at the service.
type Browser struct {
	Device model.Device
	key    *ecdh.PrivateKey
	secret []byte

	mu       sync.Mutex
	received []Received
}

// Received is a message that a browser got.
type Received struct {
	Message model.DeviceMessage
	App     model.AppMessage // of a device that is an app; then Message is empty
	Topic   string
	TTL     int
	Bytes   int // encrypted
}

// Contact is the contact of the sender.
const Contact = "mailto:operators@example.com"

// Run starts a service for the time of a test.
func Run(t *testing.T) *Service {
	t.Helper()
	s := &Service{t: t, browsers: map[string]*Browser{}}
	var err error
	if s.PrivateKey, s.public, err = vapid.Generate(); err != nil {
		t.Fatal(err)
	}
	s.server = httptest.NewTLSServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.server.Close)
	return s
}

// TLS trusts the service.
func (s *Service) TLS() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(s.server.Certificate())
	return &tls.Config{RootCAs: pool}
}

// Browser makes a browser with a subscription.
func (s *Service) Browser() *Browser {
	s.t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	b := &Browser{key: key, secret: make([]byte, 16)}
	rand.Read(b.secret)
	path := "/push/" + rand.Text()
	encode := base64.RawURLEncoding.EncodeToString
	b.Device = model.Device{Endpoint: s.server.URL + path, P256dh: encode(key.PublicKey().Bytes()), Auth: encode(b.secret),
		At: time.Now().UTC().Truncate(time.Microsecond)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[path] = b
	return b
}

// Answer sets the statuses of the next answers. A redirect leads to the service.
func (s *Service) Answer(statuses ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = statuses
}

// Calls is how often the service was asked.
func (s *Service) Calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// Received are the messages that the browser got.
func (b *Browser) Received() []Received {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Received(nil), b.received...)
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.calls++
	b, status := s.browsers[r.URL.Path], http.StatusCreated
	if len(s.answers) > 0 {
		status, s.answers = s.answers[0], s.answers[1:]
	}
	s.mu.Unlock()
	if b == nil {
		s.t.Errorf("the push service is asked for %s %s", r.Method, r.URL)
		http.NotFound(w, r)
		return
	}
	if status >= 300 {
		w.Header().Set("Location", s.server.URL+"/elsewhere")
		w.WriteHeader(status)
		io.Copy(w, strings.NewReader(strings.Repeat("x", 1<<20))) // nobody reads all of it
		return
	}
	got, err := s.read(r, b)
	if err != nil {
		s.t.Errorf("the push service got a message that it cannot take: %v", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	b.received = append(b.received, *got)
	b.mu.Unlock()
	w.WriteHeader(status)
}

// read checks a request against RFC 8030 and RFC 8292, and decrypts its body.
func (s *Service) read(r *http.Request, b *Browser) (*Received, error) {
	encoding, authorization := r.Header.Get("Content-Encoding"), r.Header.Get("Authorization")
	legacy := b.Device.App != nil && b.Device.App.Legacy
	if r.Method != http.MethodPost || !legacy && encoding != "aes128gcm" || legacy && encoding != "aesgcm" {
		return nil, fmt.Errorf("it is %s, encoded as %q", r.Method, encoding)
	}
	if legacy { // the key stands elsewhere
		_, key, _ := strings.Cut(r.Header.Get("Crypto-Key"), "p256ecdsa=")
		authorization = "vapid t=" + strings.TrimPrefix(authorization, "WebPush ") + ", k=" + key
	}
	if err := s.authorized(authorization); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 5_000))
	if err != nil {
		return nil, fmt.Errorf("its body: %w", err)
	}
	if len(body) > 4096 {
		return nil, fmt.Errorf("it has %d bytes; a push service takes 4096", len(body))
	}
	ttl, err := strconv.Atoi(r.Header.Get("TTL"))
	if err != nil {
		return nil, err
	}
	got := &Received{Topic: r.Header.Get("Topic"), TTL: ttl, Bytes: len(body)}
	if len(got.Topic) > 32 ||
		strings.Trim(got.Topic, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return nil, fmt.Errorf("the topic is %q; it has 32 characters of base64url at most", got.Topic)
	}
	decrypt := b.decrypt
	if legacy {
		decrypt = func(body []byte) ([]byte, error) { return b.decryptLegacy(r.Header, body) }
	}
	text, err := decrypt(body)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if b.Device.App != nil {
		return got, d.Decode(&got.App)
	}
	return got, d.Decode(&got.Message)
}

// decryptLegacy reads a body as the draft of 2016 says.
func (b *Browser) decryptLegacy(h http.Header, body []byte) ([]byte, error) {
	part := func(header, name string) []byte {
		_, rest, _ := strings.Cut(h.Get(header), name+"=")
		value, _, _ := strings.Cut(rest, ";")
		raw, _ := base64.RawURLEncoding.DecodeString(value)
		return raw
	}
	salt, point := part("Encryption", "salt"), part("Crypto-Key", "dh")
	sender, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return nil, err
	}
	shared, err := b.key.ECDH(sender)
	if err != nil {
		return nil, err
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		key, err2 := hkdf.Key(sha256.New, secret, salt, info, n)
		err = errors.Join(err, err2)
		return key
	}
	ikm := derive(shared, b.secret, "Content-Encoding: auth\x00", 32)
	own := b.key.PublicKey().Bytes()
	context := "P-256\x00\x00A" + string(own) + "\x00A" + string(point) // A is 65, the length of a key
	key, nonce := derive(ikm, salt, "Content-Encoding: aesgcm\x00"+context, 16),
		derive(ikm, salt, "Content-Encoding: nonce\x00"+context, 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, nonce, body, nil)
	if err != nil {
		return nil, err
	}
	padding := int(binary.BigEndian.Uint16(plain))
	if len(plain) < 2+padding {
		return nil, errors.New("the padding is longer than the text")
	}
	return plain[2+padding:], nil
}

// authorized checks the signed token and the key in the header Authorization.
func (s *Service) authorized(header string) error {
	rest, ok := strings.CutPrefix(header, "vapid t=")
	token, key, ok2 := strings.Cut(rest, ", k=")
	if parts := strings.Split(token, "."); !ok || !ok2 || key != s.public || len(parts) != 3 {
		return errors.New("no VAPID token in Authorization, or another key")
	}
	signed, signature, _ := strings.Cut(token, ".")
	payload, signature, _ := strings.Cut(signature, ".")
	decode := func(text string) []byte {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			s.t.Errorf("VAPID: %q is no base64url", text)
		}
		return raw
	}
	point, sig := decode(key), decode(signature)
	if len(point) != 65 || len(sig) != 64 {
		return errors.New("VAPID: the key or the signature has another length")
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(signed + "." + payload))
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:])) {
		return errors.New("VAPID: the signature is not that of the key")
	}
	var head struct{ Alg, Typ string }
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := errors.Join(json.Unmarshal(decode(signed), &head), json.Unmarshal(decode(payload), &claims)); err != nil {
		return err
	}
	left := time.Until(time.Unix(claims.Exp, 0))
	if head.Alg != "ES256" || claims.Aud != s.server.URL || claims.Sub != Contact || left <= 0 || left > 24*time.Hour {
		return fmt.Errorf("VAPID: the token has %+v and %+v", head, claims)
	}
	return nil
}

// decrypt reads a body as RFC 8188 and RFC 8291 say.
func (b *Browser) decrypt(body []byte) ([]byte, error) {
	if len(body) < 86 || body[20] != 65 {
		return nil, errors.New("the body has no header")
	}
	salt, size, point, text := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:86], body[86:]
	if int(size) < len(text) {
		return nil, fmt.Errorf("the record has %d bytes, and says %d", len(text), size)
	}
	sender, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return nil, err
	}
	shared, err := b.key.ECDH(sender)
	if err != nil {
		return nil, err
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		key, err2 := hkdf.Key(sha256.New, secret, salt, info, n)
		err = errors.Join(err, err2)
		return key
	}
	ikm := derive(shared, b.secret, "WebPush: info\x00"+string(b.key.PublicKey().Bytes())+string(point), 32)
	key, nonce := derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16),
		derive(ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, nonce, text, nil)
	if err != nil {
		return nil, err
	}
	plain = bytes.TrimRight(plain, "\x00")
	if len(plain) == 0 || plain[len(plain)-1] != 2 {
		return nil, errors.New("the last record does not end as one")
	}
	return plain[:len(plain)-1], nil
}
