package server

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding"
	"encoding/base64"
	"encoding/json"

	"github.com/tink-crypto/tink-go/v2/daead/subtle"

	"github.com/hibana-sns/hibana/internal/errs"
)

// PageTokens seals positions in lists. A client can only return a token that the same list gave out. A token is
// base64url(AES-SIV of the JSON of the position, or of its own binary form). The token is encrypted, because the
// position may belong to a tweet that the list hides from this caller. AES-SIV (RFC 5297) is deterministic, so that one
// position has one token and a page has one ETag.
type PageTokens struct {
	siv *subtle.AESSIV
}

// newPageTokens derives the encryption key from a key of any length.
func newPageTokens(key []byte) PageTokens {
	derived, err := hkdf.Key(sha256.New, key, nil, "page tokens", subtle.AESSIVKeySize)
	if err != nil {
		panic(err) // SHA-256 gives up to 8,160 bytes
	}
	siv, err := subtle.NewAESSIV(derived)
	if err != nil {
		panic(err) // the key has the bytes that AES-SIV needs
	}
	return PageTokens{siv}
}

// maxPageToken is larger than every token in bytes. A token of a home timeline has 5.4 KB at most. CDNs accept
// addresses of up to 8 KB.
const maxPageToken = 6_000

var tokenEncoding = base64.RawURLEncoding.Strict()

// Seal returns the token for a position in the named list.
func (p PageTokens) Seal(list string, place any) string {
	payload, err := payloadOf(place)
	if err != nil {
		panic(err) // positions are strings, numbers and times
	}
	sealed, err := p.siv.EncryptDeterministically(payload, []byte(list))
	if err != nil {
		panic(err) // only for more than 2 GB
	}
	return tokenEncoding.EncodeToString(sealed)
}

// Open reads a token that Seal returned for the same list. The empty token leaves place unchanged. Any other token is
// errs.Invalid.
func (p PageTokens) Open(list, token string, place any) error {
	if token == "" {
		return nil
	}
	invalid := errs.New(errs.Invalid, "invalid_page_token", "pageToken is not the nextPageToken of a page of this list")
	if len(token) > maxPageToken {
		return invalid
	}
	sealed, err := tokenEncoding.DecodeString(token)
	if err != nil {
		return invalid
	}
	payload, err := p.siv.DecryptDeterministically(sealed, []byte(list))
	if err != nil || readPayload(payload, place) != nil {
		return invalid
	}
	return nil
}

// payloadOf encodes a position for a token.
func payloadOf(place any) ([]byte, error) {
	if p, ok := place.(encoding.BinaryMarshaler); ok {
		return p.MarshalBinary()
	}
	return json.Marshal(place)
}

// readPayload decodes the result of payloadOf.
func readPayload(payload []byte, place any) error {
	if p, ok := place.(encoding.BinaryUnmarshaler); ok {
		return p.UnmarshalBinary(payload)
	}
	return json.Unmarshal(payload, place)
}
