// Package vapid checks the keys that identify a server to push services (RFC 8292). A key is unpadded base64url: the
// private key 32 bytes, and the public key a point of P-256, 65 bytes.
package vapid

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"errors"
)

// Public returns the public key of a private key.
func Public(private string) (string, error) {
	raw, err := base64.RawURLEncoding.DecodeString(private)
	if err != nil {
		return "", errors.New("it is not unpadded base64url") // the error omits the key
	}
	key, err := ecdh.P256().NewPrivateKey(raw)
	if err != nil {
		return "", errors.New("it is no private key of the curve P-256, 32 bytes")
	}
	return base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), nil
}

// Check returns an error if a text is not a public key.
func Check(public string) error {
	raw, err := base64.RawURLEncoding.DecodeString(public)
	if err != nil {
		return errors.New("it is not unpadded base64url")
	}
	if _, err := ecdh.P256().NewPublicKey(raw); err != nil {
		return errors.New("it is no point of the curve P-256, uncompressed, 65 bytes")
	}
	return nil
}

// Generate generates a pair of keys.
func Generate() (private, public string, err error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return "", "", err
	}
	return base64.RawURLEncoding.EncodeToString(key.Bytes()),
		base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), nil
}
