package push

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"github.com/hibana-sns/hibana/model"
)

// legacyPadded is the size of a message of the legacy encoding before encryption, in bytes.
const legacyPadded = recordSize - 16

// postLegacy sends a message in the encoding of web push before its standard (draft-ietf-webpush-encryption-04), which
// apps for Mastodon and their relays expect unless they say otherwise.
func (s *Sender) postLegacy(ctx context.Context, payload []byte, d model.Device, o *webpush.Options) (int, error) {
	body, salt, sender, err := encryptLegacy(payload, d)
	if err != nil {
		return 0, err
	}
	token, err := signed(d.Endpoint, o)
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.Endpoint, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	b64 := base64.RawURLEncoding.EncodeToString
	for name, value := range map[string]string{
		"Content-Type": "application/octet-stream", "Content-Encoding": "aesgcm", "Encryption": "salt=" + b64(salt),
		"Crypto-Key":    "dh=" + b64(sender) + ";p256ecdsa=" + o.VAPIDPublicKey,
		"Authorization": "WebPush " + token, "TTL": strconv.Itoa(o.TTL), "Topic": o.Topic, "Urgency": string(o.Urgency),
	} {
		r.Header.Set(name, value)
	}
	resp, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	io.CopyN(io.Discard, resp.Body, largestAnswer)
	return resp.StatusCode, nil
}

// encryptLegacy encrypts a message for a device, and returns the salt and the key of the sender with it.
func encryptLegacy(payload []byte, d model.Device) (body, salt, sender []byte, err error) {
	point, err := base64.RawURLEncoding.DecodeString(d.P256dh)
	if err != nil {
		return nil, nil, nil, errors.New("the key of the device is not base64url")
	}
	secret, err := base64.RawURLEncoding.DecodeString(d.Auth)
	if err != nil {
		return nil, nil, nil, errors.New("the secret of the device is not base64url")
	}
	to, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return nil, nil, nil, err
	}
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, nil, err
	}
	shared, err := own.ECDH(to)
	if err != nil {
		return nil, nil, nil, err
	}
	salt, sender = make([]byte, 16), own.PublicKey().Bytes()
	rand.Read(salt)
	seal, nonce, err := legacyKeys(shared, secret, salt, point, sender)
	if err != nil {
		return nil, nil, nil, err
	}
	padding := max(0, legacyPadded-2-len(payload))
	text := binary.BigEndian.AppendUint16(nil, uint16(padding)) //nolint:gosec // at most recordSize
	text = append(append(text, make([]byte, padding)...), payload...)
	return seal.Seal(nil, nonce, text, nil), salt, sender, nil
}

// legacyKeys derives the key and the nonce of a message.
func legacyKeys(shared, secret, salt, receiver, sender []byte) (cipher.AEAD, []byte, error) {
	derive := func(from, salt []byte, info string, n int) (key []byte, err error) {
		return hkdf.Key(sha256.New, from, salt, info, n)
	}
	from, err := derive(shared, secret, "Content-Encoding: auth\x00", 32)
	if err != nil {
		return nil, nil, err
	}
	sized := func(key []byte) string { return string([]byte{0, byte(len(key))}) + string(key) } //nolint:gosec // 65
	about := "P-256\x00" + sized(receiver) + sized(sender)
	key, err := derive(from, salt, "Content-Encoding: aesgcm\x00"+about, 16)
	if err != nil {
		return nil, nil, err
	}
	nonce, err := derive(from, salt, "Content-Encoding: nonce\x00"+about, 12)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}
	gcm, err := cipher.NewGCM(block)
	return gcm, nonce, err
}

// signed makes the token by which the server shows who it is.
func signed(endpoint string, o *webpush.Options) (string, error) {
	raw, err := base64.RawURLEncoding.DecodeString(o.VAPIDPrivateKey)
	if err != nil {
		return "", errors.New("the private key is not base64url")
	}
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
	if err != nil {
		return "", errors.New("the private key is no key of P-256")
	}
	at, err := url.Parse(endpoint)
	if err != nil {
		return "", errors.New("the endpoint is no address")
	}
	subject := o.Subscriber
	if !strings.HasPrefix(subject, "https:") {
		subject = "mailto:" + subject
	}
	claims, err := json.Marshal(map[string]any{"aud": at.Scheme + "://" + at.Host,
		"exp": time.Now().Add(12 * time.Hour).Unix(), "sub": subject})
	if err != nil {
		return "", err
	}
	b64 := base64.RawURLEncoding.EncodeToString
	text := b64([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + b64(claims)
	sum := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + b64(signature), nil
}
