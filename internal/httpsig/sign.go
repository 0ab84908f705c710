package httpsig

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Key is a private key with its name. Private is *rsa.PrivateKey or ed25519.PrivateKey.
type Key struct {
	ID      string // the address at which others find the public key
	Private crypto.Signer
}

// Form is how a request is signed.
type Form int

// All forms.
const (
	Draft   Form = iota // draft-cavage-http-signatures-12, which every server reads
	RFC9421             // with the digest of RFC 9530
)

// Sign adds to a message the headers of its signature: Date and Digest, or Content-Digest and Signature-Input, and
// Signature. They cover the method, the whole target, the host, the time and the digest of a body. ErrKey is for a key
// that others would refuse.
func Sign(m *Message, k Key, f Form, now time.Time) error {
	if err := CheckKey(k.Private.Public()); err != nil {
		return err
	}
	if f == Draft {
		return signDraft(m, k, now)
	}
	return signRFC(m, k, now)
}

func signDraft(m *Message, k Key, now time.Time) error {
	names := []string{requestTarget, "host", "date"}
	m.Header.Set("Date", now.UTC().Format(http.TimeFormat))
	if len(m.Body) > 0 {
		names = append(names, "digest")
		m.Header.Set("Digest", "SHA-256="+base64.StdEncoding.EncodeToString(sumOf("sha-256", m.Body)))
	}
	base, err := draftBase(m, nil, names)
	if err != nil {
		return err
	}
	name := "rsa-sha256"
	if _, ok := k.Private.(ed25519.PrivateKey); ok {
		name = "hs2019"
	}
	value, _, err := k.sign([]byte(base))
	m.Header.Set("Signature", fmt.Sprintf(`keyId="%s",algorithm="%s",headers="%s",signature="%s"`, k.ID, name,
		strings.Join(names, " "), base64.StdEncoding.EncodeToString(value)))
	return err
}

func signRFC(m *Message, k Key, now time.Time) error {
	covered := `"@method" "@target-uri"`
	if len(m.Body) > 0 {
		covered += ` "content-digest"`
		m.Header.Set("Content-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sumOf("sha-256", m.Body))+":")
	}
	_, a, err := k.sign(nil)
	if err != nil {
		return err
	}
	input := "sig1=(" + covered + ");created=" + strconv.FormatInt(now.Unix(), 10) + `;keyid="` + k.ID + `";alg="` +
		string(a) + `"`
	_, list, err := firstList(input)
	if err != nil {
		return err
	}
	base, err := rfcBase(m, list)
	if err != nil {
		return err
	}
	value, _, err := k.sign([]byte(base))
	m.Header.Set("Signature-Input", input)
	m.Header.Set("Signature", "sig1=:"+base64.StdEncoding.EncodeToString(value)+":")
	return err
}

func (k Key) sign(base []byte) ([]byte, algorithm, error) {
	switch private := k.Private.(type) {
	case *rsa.PrivateKey:
		sum := sha256.Sum256(base)
		value, err := rsa.SignPKCS1v15(rand.Reader, private, crypto.SHA256, sum[:])
		return value, rsaSHA256, err
	case ed25519.PrivateKey:
		return ed25519.Sign(private, base), edDSA, nil
	}
	return nil, "", fmt.Errorf("%w: a private key of this kind cannot sign", ErrKey)
}
