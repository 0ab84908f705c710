package api

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding"
	"encoding/base64"
	"encoding/json"

	"github.com/hibana-sns/hibana/internal/errs"
)

// pageTokens seals places in lists. A client can only hand back a token that the same
// list gave out. A token is base64url(nonce, encrypted JSON of the place, or a place's own binary form). It is encrypted,
// because the place may be that of a tweet that the list leaves out for this caller. The nonce
// is a MAC of list and place, so that one place has one token, and a page one ETag.
type pageTokens struct {
	aead cipher.AEAD
	key  []byte // of the MAC
}

// newPageTokens makes tokens with a key of any length.
func newPageTokens(key []byte) pageTokens {
	derived := func(use string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte("page tokens: " + use))
		return h.Sum(nil)
	}
	block, err := aes.NewCipher(derived("encryption"))
	if err != nil {
		panic(err) // the key has 32 bytes
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // AES has the blocks that GCM needs
	}
	return pageTokens{aead, derived("nonce")}
}

// maxPageToken is a number of bytes that no token of ours reaches. One of a home timeline has 5.4 KB at most, see
// [timelines.Cursor]. CDNs take addresses of up to 8 KB.
const maxPageToken = 6_000

var tokenEncoding = base64.RawURLEncoding.Strict()

// seal makes the token for a place in the named list.
func (p pageTokens) seal(list string, place any) string {
	payload, err := payloadOf(place)
	if err != nil {
		panic(err) // places are strings, numbers and times
	}
	h := hmac.New(sha256.New, p.key)
	h.Write([]byte(list + "\x00")) // no list name holds a NUL
	h.Write(payload)
	nonce := h.Sum(nil)[:p.aead.NonceSize()]
	return tokenEncoding.EncodeToString(p.aead.Seal(nonce, nonce, payload, []byte(list)))
}

// open reads a token that seal made for the same list. The empty token leaves place
// unchanged. Any other token is errs.Invalid.
func (p pageTokens) open(list, token string, place any) error {
	if token == "" {
		return nil
	}
	invalid := errs.New(errs.Invalid, "invalid_page_token", "pageToken is not the nextPageToken of a page of this list")
	if len(token) > maxPageToken {
		return invalid
	}
	raw, err := tokenEncoding.DecodeString(token)
	if err != nil || len(raw) < p.aead.NonceSize() {
		return invalid
	}
	nonce, sealed := raw[:p.aead.NonceSize()], raw[p.aead.NonceSize():]
	payload, err := p.aead.Open(nil, nonce, sealed, []byte(list))
	if err != nil || readPayload(payload, place) != nil {
		return invalid
	}
	return nil
}

// payloadOf is what a token says of a place.
func payloadOf(place any) ([]byte, error) {
	if p, ok := place.(encoding.BinaryMarshaler); ok {
		return p.MarshalBinary()
	}
	return json.Marshal(place)
}

// readPayload is the way back from payloadOf.
func readPayload(payload []byte, place any) error {
	if p, ok := place.(encoding.BinaryUnmarshaler); ok {
		return p.UnmarshalBinary(payload)
	}
	return json.Unmarshal(payload, place)
}
