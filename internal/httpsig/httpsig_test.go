package httpsig

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	now   = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	pairs = sync.OnceValue(func() (all []crypto.Signer) {
		r, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		_, e, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			panic(err)
		}
		return []crypto.Signer{r, e}
	})
)

const keyID = "https://far.example/users/ann#main-key"

// message returns a request for this server, with a body or without.
func message(body string) *Message {
	m := &Message{Method: "GET", Scheme: "https", Authority: "here.example", Target: "/users/bob?page=1&x=%20y",
		Header: http.Header{}, Body: []byte(body)}
	m.Header.Set("Accept", "application/activity+json")
	if body != "" {
		m.Method = "POST"
	}
	return m
}

// signed is message with its signature.
func signed(t *testing.T, private crypto.Signer, f Form, body string) *Message {
	t.Helper()
	m := message(body)
	if err := Sign(m, Key{ID: keyID, Private: private}, f, now); err != nil {
		t.Fatal(err)
	}
	return m
}

func verify(m *Message, private crypto.Signer, at time.Time) error {
	s, err := Parse(m, at)
	if err != nil {
		return err
	}
	return s.Verify(private.Public())
}

// What is signed is verified, in both forms, with both kinds of keys, with a body and without.
func TestSign(t *testing.T) {
	t.Parallel()
	for _, private := range pairs() {
		for _, f := range []Form{Draft, RFC9421} {
			for _, body := range []string{"", `{"type":"Follow"}`} {
				m := signed(t, private, f, body)
				s, err := Parse(m, now.Add(time.Minute))
				if err != nil || s.KeyID != keyID {
					t.Fatalf("Parse of form %d with the body %q: %v", f, body, err)
				}
				if err := s.Verify(private.Public()); err != nil {
					t.Errorf("Verify of form %d with %T: %v", f, private, err)
				}
			}
		}
	}
}

// Whoever changes any part of a signed request is found out.
func TestTampered(t *testing.T) {
	t.Parallel()
	changes := map[string]func(*Message){
		"method":    func(m *Message) { m.Method = "PUT" },
		"authority": func(m *Message) { m.Authority = "other.example" },
		"path":      func(m *Message) { m.Target = "/users/eve?page=1&x=%20y" },
		"query":     func(m *Message) { m.Target = "/users/bob?page=2&x=%20y" },
		"no query":  func(m *Message) { m.Target = "/users/bob" },
		"escape":    func(m *Message) { m.Target = "/users/bob?page=1&x=+y" },
		"body":      func(m *Message) { m.Body = append(bytes.Clone(m.Body), ' ') },
		"key id": func(m *Message) {
			for _, name := range []string{"Signature", "Signature-Input"} {
				if m.Header.Get(name) != "" {
					m.Header.Set(name, strings.Replace(m.Header.Get(name), "#main-key", "#other", 1))
				}
			}
		},
		"date":   func(m *Message) { m.Header.Set("Date", now.Add(time.Second).Format(http.TimeFormat)) },
		"digest": func(m *Message) { m.Header.Set("Digest", "SHA-256=AAAA") },
		"created": func(m *Message) {
			m.Header.Set("Signature-Input", strings.Replace(m.Header.Get("Signature-Input"), "created=1", "created=2", 1))
		},
		"content-digest": func(m *Message) { m.Header.Set("Content-Digest", "sha-256=:AAAA:") },
		"no digest": func(m *Message) {
			m.Header.Del("Digest")
			m.Header.Del("Content-Digest")
		},
		"body and digest": func(m *Message) {
			other := message("{}")
			other.Header = http.Header{}
			_ = Sign(other, Key{ID: keyID, Private: pairs()[0]}, Draft, now)
			_ = Sign(other, Key{ID: keyID, Private: pairs()[0]}, RFC9421, now)
			m.Body = other.Body
			m.Header.Set("Digest", other.Header.Get("Digest"))
			m.Header.Set("Content-Digest", other.Header.Get("Content-Digest"))
		},
	}
	only := map[string]Form{"date": Draft, "digest": Draft, "created": RFC9421, "content-digest": RFC9421}
	for name, change := range changes {
		for _, f := range []Form{Draft, RFC9421} {
			if is, ok := only[name]; ok && is != f || name == "key id" && f == Draft {
				continue // the draft does not sign the key's name: its caller finds another key by it
			}
			for _, private := range pairs() {
				m := signed(t, private, f, `{"type":"Follow"}`)
				change(m)
				if err := verify(m, private, now); err == nil {
					t.Errorf("another %s passes in form %d with %T", name, f, private)
				}
			}
		}
	}
}

// A signature is good for an hour, and for clocks that are five minutes fast.
func TestTimes(t *testing.T) {
	t.Parallel()
	private := pairs()[1]
	for _, f := range []Form{Draft, RFC9421} {
		for at, want := range map[time.Duration]error{MaxAge: nil, MaxAge + time.Second: ErrTime, -MaxAhead: nil,
			-MaxAhead - time.Second: ErrTime} {
			if err := verify(signed(t, private, f, ""), private, now.Add(at)); !errors.Is(err, want) {
				t.Errorf("a signature of form %d after %s: %v, want %v", f, at, err, want)
			}
		}
	}
}

// Signatures that cover too little, or that two readers could take for different ones, are refused before a key is
// asked for.
func TestMalformed(t *testing.T) {
	t.Parallel()
	const value = `signature="AAAA"`
	date := now.Format(http.TimeFormat)
	tests := []struct {
		name, body string
		header     [][2]string
		want       error
	}{
		{"none", "", nil, ErrUnsigned},
		{"no key", "", [][2]string{{"Date", date}, {"Signature", `headers="(request-target) host date",` + value}},
			ErrMalformed},
		{"no address", "", [][2]string{{"Date", date}, {"Signature",
			"keyId=\"https://far.example/\xff\",headers=\"(request-target) host date\"," + value}}, ErrMalformed},
		{"no list", "", [][2]string{{"Date", date}, {"Signature", `keyId="a",` + value}}, ErrMalformed},
		{"no target", "", [][2]string{{"Date", date}, {"Signature", `keyId="a",headers="host date",` + value}}, ErrMalformed},
		{"no host", "", [][2]string{{"Date", date}, {"Signature", `keyId="a",headers="(request-target) date",` + value}},
			ErrMalformed},
		{"no date", "", [][2]string{{"Date", date}, {"Signature", `keyId="a",headers="(request-target) host",` + value}},
			ErrMalformed},
		{"no digest", "x", [][2]string{{"Date", date},
			{"Signature", `keyId="a",headers="(request-target) host date",` + value}}, ErrMalformed},
		{"digest of nothing known", "x", [][2]string{{"Date", date}, {"Digest", "MD5=AAAA"},
			{"Signature", `keyId="a",headers="(request-target) host date digest",` + value}}, ErrMalformed},
		{"two digests", "x", [][2]string{{"Date", date}, {"Digest", "SHA-256=AAAA"}, {"Digest", "SHA-256=BBBB"},
			{"Signature", `keyId="a",headers="(request-target) host date digest",` + value}}, ErrMalformed},
		{"two dates", "", [][2]string{{"Date", date}, {"Date", date},
			{"Signature", `keyId="a",headers="(request-target) host date",` + value}}, ErrMalformed},
		{"two signatures", "", [][2]string{{"Date", date}, {"Signature", `keyId="a"`}, {"Signature", `keyId="b"`}},
			ErrMalformed},
		{"two keys", "", [][2]string{{"Date", date},
			{"Signature", `keyId="a",keyId="b",headers="(request-target) host date",` + value}}, ErrMalformed},
		{"a header twice", "", [][2]string{{"Date", date},
			{"Signature", `keyId="a",headers="(request-target) host date date",` + value}}, ErrMalformed},
		{"unknown algorithm", "", [][2]string{{"Date", date},
			{"Signature", `keyId="a",algorithm="hmac-sha256",headers="(request-target) host date",` + value}}, ErrMalformed},
		{"created with rsa", "", [][2]string{{"Signature",
			`keyId="a",algorithm="rsa-sha256",created=1772600767,headers="(request-target) host (created)",` + value}},
			ErrMalformed},
		{"created long ago", "", [][2]string{{"Signature",
			`keyId="a",algorithm="hs2019",created=1,headers="(request-target) host (created)",` + value}}, ErrTime},
		{"expired", "", [][2]string{{"Date", date},
			{"Signature", `keyId="a",expires=2,headers="(request-target) host date",` + value}}, ErrTime},
		{"a header that is not there", "", [][2]string{{"Date", date},
			{"Signature", `keyId="a",headers="(request-target) host date x-b",` + value}}, ErrMalformed},
		{"no base64", "", [][2]string{{"Date", date},
			{"Signature", `keyId="a",headers="(request-target) host date",signature="%"`}}, ErrMalformed},
		{"long", "", [][2]string{{"Date", date}, {"Signature", `keyId="` + strings.Repeat("a", 9000) + `"`}}, ErrMalformed},

		{"rfc: no value", "", [][2]string{{"Signature-Input", `a=("@method" "@target-uri");created=1772600767;keyid="a"`}},
			ErrMalformed},
		{"rfc: another label", "", [][2]string{{"Signature", "b=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri");created=1772600767;keyid="a"`}}, ErrMalformed},
		{"rfc: a label twice", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri");created=1772600767;keyid="a", a=();created=1;keyid="b"`}},
			ErrMalformed},
		{"rfc: no time", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri");keyid="a"`}}, ErrMalformed},
		{"rfc: a parameter twice", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri");created=1772600767;keyid="a";keyid="b"`}}, ErrMalformed},
		{"rfc: no method", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@target-uri");created=1772600767;keyid="a"`}}, ErrMalformed},
		{"rfc: no query", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@authority" "@path");created=1772600767;keyid="a"`}}, ErrMalformed},
		{"rfc: no host", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@request-target");created=1772600767;keyid="a"`}}, ErrMalformed},
		{"rfc: method of a related request", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method";req "@target-uri");created=1772600767;keyid="a"`}}, ErrMalformed},
		{"rfc: a field in another form", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri" "accept";bs);created=1772600767;keyid="a"`}}, ErrMalformed},
		{"rfc: no digest", "x", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri");created=1772600767;keyid="a"`}}, ErrMalformed},
		{"rfc: another algorithm", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri");created=1772600767;keyid="a";alg="hmac-sha256"`}}, ErrMalformed},
		{"rfc: the status", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri" "@status");created=1772600767;keyid="a"`}}, ErrMalformed},
		{"rfc: twice", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri" "@method");created=1772600767;keyid="a"`}}, ErrMalformed},
		{"rfc: old", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri");created=1;keyid="a"`}}, ErrTime},
		{"rfc: expired", "", [][2]string{{"Signature", "a=:AAAA:"},
			{"Signature-Input", `a=("@method" "@target-uri");created=1772600767;expires=1772600767;keyid="a"`}}, ErrTime},
	}
	for _, tt := range tests {
		m := message(tt.body)
		for _, h := range tt.header {
			m.Header.Add(h[0], h[1])
		}
		if _, err := Parse(m, now); !errors.Is(err, tt.want) {
			t.Errorf("%s: Parse = %v, want %v", tt.name, err, tt.want)
		}
	}
}

// The key decides the algorithm, within what the signature says: no name of an algorithm makes a key pass for another.
func TestConfusion(t *testing.T) {
	t.Parallel()
	r, e := pairs()[0], pairs()[1]
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Form{Draft, RFC9421} {
		for private, keys := range map[crypto.Signer]map[crypto.PublicKey]error{
			r: {other.Public(): ErrWrong, ec.Public(): ErrKey},
		} {
			s, err := Parse(signed(t, private, f, ""), now)
			if err != nil {
				t.Fatal(err)
			}
			for key, want := range keys {
				if err := s.Verify(key); !errors.Is(err, want) {
					t.Errorf("a signature of form %d by another %T: %v, want %v", f, key, err, want)
				}
			}
			if err := s.Verify(e.Public()); !errors.Is(err, ErrKey) {
				t.Errorf("a signature of RSA by a key of Ed25519: %v, want ErrKey", err)
			}
			if err := s.Verify(nil); !errors.Is(err, ErrKey) {
				t.Errorf("no key: %v, want ErrKey", err)
			}
		}
	}
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	if err := Sign(message(""), Key{ID: keyID, Private: weak}, Draft, now); !errors.Is(err, ErrKey) {
		t.Errorf("Sign by a key of 1,024 bits: %v, want ErrKey", err)
	}
	der, err := x509.MarshalPKIXPublicKey(ec.Public())
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(r)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"nothing": "", "text": "key",
		"elliptic": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})),
		"private":  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
		"damaged":  strings.Replace(rsaKey, "MIIB", "MIIC", 1), "long": rsaKey + strings.Repeat(" ", maxPEM)} {
		if _, err := ParseKey(text); !errors.Is(err, ErrKey) {
			t.Errorf("ParseKey of %s: %v, want ErrKey", name, err)
		}
	}
}

// Of makes of a request what its server sees.
func TestOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://Far.example/a%2Fb?c=d":    "far.example/a%2Fb?c=d",
		"https://far.example:443":          "far.example/",
		"http://127.0.0.1:8000/users/x%3F": "127.0.0.1:8000/users/x%3F",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if m := Of(r, nil); m.Authority+m.Target != want {
			t.Errorf("Of(%s) = %s, want %s", address, m.Authority+m.Target, want)
		}
	}
}

// No header makes Parse panic, or takes long.
func FuzzParse(f *testing.F) {
	f.Add(`keyId="a",algorithm="hs2019",headers="(request-target) host date",signature="AAAA"`, "", "SHA-256=AAAA", "x")
	f.Add("sig=:AAAA:", `sig=("@method" "@target-uri" "@query-param";name="a");created=1772600767;keyid="a\"b"`,
		"sha-256=:AAAA:", "")
	f.Add("a=?1, b=x;c", "a=(", ",", "body")
	f.Add("", "a=();b=?", "", "")
	f.Add("", "a=();b=?2", "", "")
	f.Add("keyId=\"https://far.example/\xff\",headers=\"(request-target) host date\",signature=\"AAAA\"", "", "", "")
	f.Fuzz(func(t *testing.T, signature, input, digest, body string) {
		m := message(body)
		for name, value := range map[string]string{"Signature": signature, "Signature-Input": input, "Digest": digest,
			"Content-Digest": digest} {
			if value != "" {
				m.Header.Set(name, value)
			}
		}
		m.Header.Set("Date", now.Format(http.TimeFormat))
		if s, err := Parse(m, now); err == nil {
			if s.Verify(pairs()[1].Public()) == nil {
				t.Errorf("a guess is a signature: %q", signature)
			}
		} else if !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrTime) && !errors.Is(err, ErrUnsigned) &&
			!errors.Is(err, ErrDigest) {
			t.Errorf("Parse = %v", err)
		}
	})
}
