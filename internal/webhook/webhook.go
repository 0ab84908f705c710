// Package webhook sends events to addresses of administrators, in the form of the Standard Webhooks
// (https://www.standardwebhooks.com): a JSON body with type, timestamp and data, and a signature over its id, its time
// and its body.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
)

const (
	// Timeout limits a request with its answer.
	Timeout = 10 * time.Second
	// answerLimit limits how many bytes of an answer are read, which nobody looks at.
	answerLimit = 64 << 10
)

// Sender sends deliveries. Its methods may be called concurrently.
type Sender struct{ client *http.Client }

// New returns a sender. It reaches the public internet alone, unless the options allow loopback addresses.
func New(o outbound.Options) *Sender {
	o.HTTPSOnly, o.Timeout, o.Redirects = !o.AllowLoopback, Timeout, 0
	return &Sender{outbound.Client(o)}
}

// body is the JSON of a delivery.
type body struct {
	Type      model.WebhookEvent `json:"type"`
	Timestamp time.Time          `json:"timestamp"`
	Data      map[string]string  `json:"data"`
}

// Send sends a delivery to a webhook, and returns the HTTP status of the answer; 0 without one. An answer of 200 to 299
// is a success, and everything else an error, whose text is for administrators. now is the time of the signature.
func (s *Sender) Send(ctx context.Context, to *model.Webhook, d *model.WebhookDelivery, now time.Time) (int, error) {
	data := d.Data
	if data == nil {
		data = map[string]string{}
	}
	text, err := json.Marshal(body{d.Event, d.At, data})
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.URL, bytes.NewReader(text))
	if err != nil {
		return 0, errors.New("the address cannot be asked")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("webhook-id", d.ID)
	r.Header.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
	var signatures []string
	for _, secret := range to.Secrets(now) {
		is, err := Sign(secret, d.ID, now, text)
		if err != nil {
			return 0, err
		}
		signatures = append(signatures, is)
	}
	r.Header.Set("webhook-signature", strings.Join(signatures, " "))
	answer, err := s.client.Do(r)
	if err != nil {
		return 0, explain(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return answer.StatusCode, fmt.Errorf("the answer was %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	_, _ = io.CopyN(io.Discard, answer.Body, answerLimit) // so that the connection can be used again
	return answer.StatusCode, nil
}

// explain says in a sentence why there was no answer. The errors of the client have the address, which administrators
// see beside it, and of a private network more than they should say.
func explain(err error) error {
	var name *net.DNSError
	var timeout net.Error
	switch {
	case errors.Is(err, outbound.ErrForbidden):
		return errors.New("the host is not on the public internet")
	case errors.As(err, &name):
		return errors.New("the name of the host is not known")
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("no answer within %s", Timeout)
	}
	return errors.New("no connection, or no TLS with a certificate that is trusted")
}

// Sign returns the signature of a body: v1 and the HMAC-SHA256 of the id, the time in Unix seconds, and the body, with
// the key of a secret as [model.NewWebhookSecret] makes it.
func Sign(secret, id string, at time.Time, body []byte) (string, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return "", errors.New("webhook: the secret is not base64")
	}
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}
