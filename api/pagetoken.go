package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/hibana-sns/hibana/internal/errs"
)

// pageTokens seals places in lists. A client can only hand back a token that the same
// list gave out. A token is base64url(MAC, JSON of the place). Tokens are signed and not
// encrypted, because a place holds nothing that the list does not show.
type pageTokens struct{ key []byte }

// maxPageToken is a number of bytes that no token of ours reaches.
const maxPageToken = 1024

var tokenEncoding = base64.RawURLEncoding.Strict()

// seal makes the token for a place in the named list.
func (p pageTokens) seal(list string, place any) string {
	payload, err := json.Marshal(place)
	if err != nil {
		panic(err) // places are strings, numbers and times
	}
	return tokenEncoding.EncodeToString(append(p.mac(list, payload), payload...))
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
	if err != nil || len(raw) < sha256.Size {
		return invalid
	}
	mac, payload := raw[:sha256.Size], raw[sha256.Size:]
	if !hmac.Equal(mac, p.mac(list, payload)) || json.Unmarshal(payload, place) != nil {
		return invalid
	}
	return nil
}

// mac signs a place together with its list. Neither a list name nor JSON holds a NUL,
// so no other list and place have the same bytes.
func (p pageTokens) mac(list string, payload []byte) []byte {
	h := hmac.New(sha256.New, p.key)
	h.Write([]byte(list + "\x00"))
	h.Write(payload)
	return h.Sum(nil)
}
