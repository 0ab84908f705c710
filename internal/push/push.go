// Package push sends messages to devices by web push and by Firebase Cloud Messaging. A web push message (RFC 8030) has
// a payload that only the browser can read (RFC 8291), and a key that identifies the server to the push service (RFC
// 8292).
//
// The address of a web push subscription comes from a user and may be any address. Package push connects to addresses
// of the public internet only, whatever a name resolves to.
package push

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/messaging"
	webpush "github.com/SherClockHolmes/webpush-go"
	"google.golang.org/api/option"

	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/internal/push/vapid"
	"github.com/hibana-sns/hibana/model"
)

const (
	// attempt is the time limit of a push service, and pause the time before the second and last attempt.
	attempt = 3 * time.Second
	pause   = 500 * time.Millisecond
	// keep is the time for which a push service stores a message for a device that is offline.
	keep = 24 * time.Hour
	// recordSize is the size of every encrypted message in bytes, so that its length reveals nothing. The largest message
	// fits.
	recordSize = 2048
	// largestAnswer is the number of bytes of an answer that are read.
	largestAnswer = 4 << 10
)

// Options select the channels of messages. Without a channel nothing is sent.
type Options struct {
	// PrivateKey is the VAPID key of the server, and Contact an email or https address at which the operators of push
	// services reach the server's operators. Without a key there is no web push.
	PrivateKey, Contact string
	// FCM sends to apps, through the Firebase project.
	FCM     bool
	Project string

	// For tests with a local push service.
	Loopback   bool
	TLS        *tls.Config
	FCMOptions []option.ClientOption
}

// Sender sends messages. Its methods may be called concurrently.
type Sender struct {
	web    *webpush.Options
	client *http.Client
	fcm    func() (*messaging.Client, error)
}

// New returns a sender, or nil if the options select no channel. It connects to Firebase at the first message to an
// app.
func New(o Options) (*Sender, error) {
	if o.PrivateKey == "" && !o.FCM {
		return nil, nil
	}
	s := &Sender{}
	if o.PrivateKey != "" {
		public, err := vapid.Public(o.PrivateKey)
		if err != nil {
			return nil, fmt.Errorf("push.New: private key: %w", err)
		}
		s.client = client(o.Loopback, o.TLS)
		s.web = &webpush.Options{
			HTTPClient: s.client, RecordSize: recordSize, Subscriber: strings.TrimPrefix(o.Contact, "mailto:"),
			TTL:     int(keep.Seconds()),
			Urgency: webpush.UrgencyNormal, VAPIDPublicKey: public, VAPIDPrivateKey: o.PrivateKey,
		}
	}
	if o.FCM {
		s.fcm = sync.OnceValues(func() (*messaging.Client, error) {
			app, err := firebase.NewApp(context.Background(), &firebase.Config{ProjectID: o.Project}, o.FCMOptions...)
			if err != nil {
				return nil, err
			}
			return app.Messaging(context.Background())
		})
	}
	return s, nil
}

// Send sends a message to a device of a user. gone reports that the device will never accept a message again. Send
// tries a push service twice if it fails temporarily. An error names the host of the push service, and nothing of the
// device. Send skips a device whose channel is not configured.
func (s *Sender) Send(ctx context.Context, to model.UserID, d model.Device, m model.DeviceMessage) (gone bool,
	err error) {
	switch {
	case d.FCMToken != "" && s.fcm != nil:
		return s.app(ctx, to, d, m)
	case d.FCMToken == "" && s.web != nil:
		return s.browser(ctx, to, d, m)
	}
	return false, nil
}

// browser sends a message by web push.
func (s *Sender) browser(ctx context.Context, to model.UserID, d model.Device, m model.DeviceMessage) (gone bool,
	err error) {
	payload, err := payloadOf(d, m)
	if err != nil {
		return false, err
	}
	o := *s.web
	o.Topic = m.Topic(to)
	for again := range 2 {
		if again > 0 {
			select {
			case <-ctx.Done():
				return false, err
			case <-time.After(pause):
			}
		}
		var status int
		if status, err = s.post(ctx, payload, d, &o); err != nil {
			err = fmt.Errorf("push.Send: %w", hideAddress(err, d.Endpoint))
			if errors.Is(err, outbound.ErrForbidden) {
				return true, err // it never was a push service
			}
			continue
		}
		switch {
		case status < 300:
			return false, nil
		case status == http.StatusNotFound || status == http.StatusGone:
			return true, nil
		}
		err = fmt.Errorf("push.Send: %s answers %d", host(d.Endpoint), status)
		if status != http.StatusTooManyRequests && status < 500 {
			return false, err // it would fail the same way again
		}
	}
	return false, err
}

// payloadOf is a message in the form of a device.
func payloadOf(d model.Device, m model.DeviceMessage) ([]byte, error) {
	if d.App != nil {
		return json.Marshal(m.ForApp(*d.App))
	}
	return json.Marshal(m)
}

func (s *Sender) post(ctx context.Context, payload []byte, d model.Device, o *webpush.Options) (status int, err error) {
	if d.App != nil && d.App.Legacy {
		return s.postLegacy(ctx, payload, d, o)
	}
	to := &webpush.Subscription{Endpoint: d.Endpoint, Keys: webpush.Keys{Auth: d.Auth, P256dh: d.P256dh}}
	resp, err := webpush.SendNotificationWithContext(ctx, payload, to, o)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	io.CopyN(io.Discard, resp.Body, largestAnswer) // so that the connection can be reused
	return resp.StatusCode, nil
}

// app sends a message by Firebase Cloud Messaging. It has data only, and the app writes the text. It has no collapse
// key, because Firebase stores only four for a device. Firebase's client retries while ctx lasts.
func (s *Sender) app(ctx context.Context, to model.UserID, d model.Device, m model.DeviceMessage) (gone bool,
	err error) {
	client, err := s.fcm()
	if err != nil {
		return false, fmt.Errorf("push.Send: %w", err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		return false, err
	}
	ttl := keep
	_, err = client.Send(ctx, &messaging.Message{
		Token: d.FCMToken, Data: map[string]string{"notification": string(text)},
		Android: &messaging.AndroidConfig{Priority: "normal", TTL: &ttl},
		APNS: &messaging.APNSConfig{
			Headers: map[string]string{
				"apns-collapse-id": m.Topic(to), "apns-priority": "5", "apns-push-type": "background",
				"apns-expiration": fmt.Sprint(time.Now().Add(keep).Unix()),
			},
			Payload: &messaging.APNSPayload{Aps: &messaging.Aps{ContentAvailable: true}},
		},
	})
	if messaging.IsUnregistered(err) || messaging.IsSenderIDMismatch(err) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("push.Send: Firebase: %w", err)
	}
	return false, nil
}

// hideAddress removes the address from a connection error. The address is a secret: it reveals when its user gets a
// notification.
func hideAddress(err error, endpoint string) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		err = of.Err
	}
	return fmt.Errorf("%s: %w", host(endpoint), err)
}

// host returns the host of an address.
func host(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "a push service"
	}
	return u.Hostname()
}
