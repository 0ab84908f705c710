package sealed

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/api/option"
)

const kmsKey = "projects/p/locations/l/keyRings/r/cryptoKeys/k"

var secret = []byte(strings.Repeat("s", 32))

// kms answers as Cloud KMS does. damage changes an answer.
func kms(t *testing.T, damage func(map[string]any)) []option.ClientOption {
	t.Helper()
	block, err := aes.NewCipher(secret)
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Plaintext, Ciphertext, AdditionalAuthenticatedData []byte }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		text := func(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
		number := func(b []byte) string { n, _ := json.Marshal(sum(b)); return string(n) }
		answer := map[string]any{}
		nonce := make([]byte, gcm.NonceSize()) // one secret is sealed in each test
		switch r.URL.Path {
		case "/v1/" + kmsKey + ":encrypt":
			data := gcm.Seal(nil, nonce, in.Plaintext, in.AdditionalAuthenticatedData)
			answer = map[string]any{"ciphertext": text(data), "ciphertextCrc32c": number(data),
				"verifiedPlaintextCrc32c": true}
		case "/v1/" + kmsKey + ":decrypt":
			plain, err := gcm.Open(nil, nonce, in.Ciphertext, in.AdditionalAuthenticatedData)
			if err != nil {
				http.Error(w, "{}", http.StatusBadRequest)
				return
			}
			answer = map[string]any{"plaintext": text(plain), "plaintextCrc32c": number(plain)}
		default:
			t.Errorf("KMS is asked for %s", r.URL.Path)
		}
		if damage != nil {
			damage(answer)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(s.Close)
	return []option.ClientOption{option.WithEndpoint(s.URL), option.WithoutAuthentication()}
}

func box(t *testing.T, o Options) *Box {
	t.Helper()
	b, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A secret is opened by the key that sealed it, at the place for which it was sealed, and not after any change.
func TestSeal(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{"local": {Secret: secret},
		"KMS": {KMS: kmsKey, Client: kms(t, nil)}} {
		b := box(t, o)
		data, by, err := b.Seal(t.Context(), []byte("a private key"), "users/ann")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if bytes.Contains(data, []byte("private")) {
			t.Errorf("%s: the secret is readable", name)
		}
		plain, err := b.Open(t.Context(), data, by, "users/ann")
		if err != nil || string(plain) != "a private key" {
			t.Errorf("%s: Open = %q, %v", name, plain, err)
		}
		if _, err := b.Open(t.Context(), data, by, "users/bob"); err == nil {
			t.Errorf("%s: a secret opens at another place", name)
		}
		if _, err := b.Open(t.Context(), data, "other", "users/ann"); err == nil {
			t.Errorf("%s: a secret opens by an unknown key", name)
		}
		for i := range data {
			changed := bytes.Clone(data)
			changed[i] ^= 1
			if i%7 == 0 || name == "local" {
				if _, err := b.Open(t.Context(), changed, by, "users/ann"); err == nil {
					t.Errorf("%s: a secret opens with another byte %d", name, i)
				}
			}
		}
	}
}

// A deployment that changes to KMS opens what it sealed before; one that loses its secret does not.
func TestChange(t *testing.T) {
	t.Parallel()
	before := box(t, Options{Secret: secret})
	data, by, err := before.Seal(t.Context(), []byte("x"), "a")
	if err != nil || by != Local {
		t.Fatalf("Seal by %q: %v", by, err)
	}
	both := box(t, Options{Secret: secret, KMS: kmsKey, Client: kms(t, nil)})
	if plain, err := both.Open(t.Context(), data, by, "a"); err != nil || string(plain) != "x" {
		t.Errorf("Open = %q, %v", plain, err)
	}
	if _, by, err := both.Seal(t.Context(), []byte("y"), "a"); err != nil || by != kmsKey {
		t.Errorf("Seal by %q: %v", by, err)
	}
	if _, err := box(t, Options{Secret: []byte(strings.Repeat("t", 32))}).Open(t.Context(), data, by, "a"); err == nil {
		t.Error("another secret opens it")
	}
	if _, err := New(t.Context(), Options{}); err == nil {
		t.Error("a box needs no key")
	}
}

// An answer of KMS that was damaged on its way is an error, and no lost secret.
func TestDamaged(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(map[string]any){
		"ciphertext":   func(a map[string]any) { a["ciphertextCrc32c"] = "1" },
		"not verified": func(a map[string]any) { delete(a, "verifiedPlaintextCrc32c") },
	} {
		if _, _, err := box(t, Options{KMS: kmsKey, Client: kms(t, damage)}).Seal(t.Context(), []byte("x"), "a"); err == nil {
			t.Errorf("%s: Seal succeeds", name)
		}
	}
	data, by, err := box(t, Options{KMS: kmsKey, Client: kms(t, nil)}).Seal(t.Context(), []byte("x"), "a")
	if err != nil {
		t.Fatal(err)
	}
	wrong := kms(t, func(a map[string]any) { a["plaintextCrc32c"] = "1" })
	if _, err := box(t, Options{KMS: kmsKey, Client: wrong}).Open(t.Context(), data, by, "a"); err == nil {
		t.Error("Open of a damaged key succeeds")
	}
}

func TestValidKMS(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{kmsKey: true, "": false, kmsKey + "/cryptoKeyVersions/1": false,
		"projects//locations/l/keyRings/r/cryptoKeys/k": false} {
		if got := ValidKMS(name) == nil; got != want {
			t.Errorf("ValidKMS(%q) = %v, want %v", name, got, want)
		}
	}
}
