package api

import (
	"context"
	"maps"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/notifications"
)

// Push lists the channels by which devices get notifications.
type Push struct {
	VAPIDPublicKey string // empty if there is no web push
	FCM            bool
}

// PushWays is the information that a client needs before it registers a device.
type PushWays struct {
	WebPush        bool   `json:"webPush" doc:"Whether browsers get notifications"`
	VAPIDPublicKey string `json:"vapidPublicKey,omitempty" doc:"The applicationServerKey of a web push subscription, 65 bytes as base64url"`
	FCM            bool   `json:"fcm" doc:"Whether apps get notifications by Firebase Cloud Messaging"`
}

// PushSubscription is a device of the caller, without its address and keys.
type PushSubscription struct {
	ID   string    `json:"id"`
	Kind string    `json:"kind" enum:"webPush,fcm"`
	At   time.Time `json:"at" doc:"When it was registered last"`
	App  *PushApp  `json:"app,omitempty" doc:"Present for an app for Mastodon alone"`
}

// PushApp is what a device says that is an app for Mastodon.
type PushApp struct {
	Alerts   []string `json:"alerts" nullable:"false" maxItems:"20" doc:"The types of notifications, by their names in Mastodon, of which the app is told" example:"[\"mention\"]"`
	Legacy   bool     `json:"legacy,omitempty" doc:"Whether the app reads the encoding aesgcm, and not aes128gcm"`
	Language string   `json:"language,omitempty" enum:"en,ja" doc:"Language of the messages; en if absent"`
	Endpoint string   `json:"endpoint,omitempty" readOnly:"true" doc:"Address at the push service of the app"`
}

func pushAppOf(d model.Device) *PushApp {
	if d.App == nil {
		return nil
	}
	return &PushApp{orEmpty(d.App.Alerts), d.App.Legacy, d.App.Language, d.Endpoint}
}

// pushBody is the result of a browser's PushSubscription.toJSON(), or a token.
type pushBody struct {
	Endpoint       string   `json:"endpoint,omitempty" maxLength:"1000" doc:"Address at the push service of the browser: https, and the name of a public host"`
	ExpirationTime *float64 `json:"expirationTime,omitempty" nullable:"true" doc:"Browsers say it; it makes no difference"`
	Keys           *struct {
		P256dh string `json:"p256dh" maxLength:"100" doc:"Public key of the browser, 65 bytes as base64url"`
		Auth   string `json:"auth" maxLength:"30" doc:"Secret of the browser, 16 bytes as base64url"`
	} `json:"keys,omitempty"`
	FCMToken string   `json:"fcmToken,omitempty" maxLength:"1000" doc:"Registration token of an app, instead of endpoint and keys"`
	App      *PushApp `json:"app,omitempty" doc:"Of an app for Mastodon, which gets messages in the form of Mastodon: access_token (empty), preferred_locale, notification_id, notification_type, icon, title, body"`
}

// DevicePath is the id of a device.
type DevicePath struct {
	ID string `path:"id" maxLength:"64" pattern:"^[A-Za-z0-9-]+$" doc:"Chosen by the client, one for each browser or app: letters, digits and hyphens" example:"5f3c1b1e-laptop"`
}

// devices adds the operations on the devices that get notifications.
func (s *service) devices() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/push", OperationID: "getPush", Tags: []string{"notifications"},
		Summary: "Show the ways by which devices get notifications",
	}, func(context.Context, *nothing) (*struct{ Body PushWays }, error) {
		return &struct{ Body PushWays }{PushWays{s.Push.VAPIDPublicKey != "", s.Push.VAPIDPublicKey, s.Push.FCM}}, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/pushSubscriptions", OperationID: "listPushSubscriptions",
		Tags:        []string{"notifications"},
		Summary:     "List the caller's devices that get notifications, the last registered first",
		Description: "There are 10 at most, and all are on one page. An app gets those of its own access token alone.",
	}, func(ctx context.Context, _ *nothing) (*server.ListOutput[PushSubscription], error) {
		by := server.Caller(ctx)
		all, err := s.Devices.Of(ctx, by.UID)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(all, func(_ string, d model.Device) bool { return by.Token != "" && d.Token != by.Token })
		ids := server.Rows[string]{Items: notifications.DeviceIDs(all)}
		return server.ListOf(ids, func(id string) (PushSubscription, bool) {
			kind := "webPush"
			if all[id].FCMToken != "" {
				kind = "fcm"
			}
			return PushSubscription{id, kind, all[id].At, pushAppOf(all[id])}, true
		}), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/users/me/pushSubscriptions/{id}", OperationID: "putPushSubscription",
		Tags:    []string{"notifications"},
		Summary: "Register a device that gets the caller's notifications",
		Description: "The body is what PushSubscription.toJSON() answers in a browser, or has the fcmToken of an app. A " +
			"device that is registered already is replaced, also under another id. " +
			"At most 10 devices; one more is 409 `too_many_devices`. A message is JSON: id and slot of the notification, " +
			"userId and nickname of who acted last, recipientId, tweetId, excerpt of a public tweet, countUsers, countTweets, " +
			"at; " +
			"an app has it in the data field `notification`. The device of an app of others goes with the access token by which " +
			"it was registered; a token has one device, and such an app replaces and removes no other: 403 `not_for_apps`. " +
			"Messages may come twice, and a browser shows the notification with the id as its tag. A device to which its " +
			"push service knows no way any more is removed.",
		// a device outlives the session that registers it, so that must not have ended
		Errors: []int{http.StatusConflict}, Metadata: map[string]any{server.VerifiedNow: true},
	}, func(ctx context.Context, in *struct {
		DevicePath
		Body pushBody
	}) (*nothing, error) {
		id, err := model.ParseDeviceID(in.ID)
		if err != nil {
			return nil, err
		}
		d := model.Device{Endpoint: in.Body.Endpoint, FCMToken: in.Body.FCMToken, Token: server.Caller(ctx).Token}
		if in.Body.Keys != nil {
			d.P256dh, d.Auth = in.Body.Keys.P256dh, in.Body.Keys.Auth
		}
		if app := in.Body.App; app != nil {
			d.App = &model.DeviceApp{Alerts: app.Alerts, Legacy: app.Legacy, Language: app.Language}
		}
		if d.FCMToken == "" && s.Push.VAPIDPublicKey == "" || d.FCMToken != "" && !s.Push.FCM {
			return nil, errs.New(errs.Invalid, "push_off", "this server does not send to such devices; GET /v1/push tells to "+
				"which")
		}
		return nil, s.Devices.Put(ctx, server.Caller(ctx).UID, id, d)
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/users/me/pushSubscriptions/{id}", OperationID: "changePushSubscription",
		Tags:    []string{"notifications"},
		Summary: "Change of what an app for Mastodon is told", DefaultStatus: http.StatusNoContent,
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *struct {
		DevicePath
		Body struct {
			Alerts []string `json:"alerts" nullable:"false" maxItems:"20" doc:"Types of notifications, by their names in Mastodon"`
		}
	}) (*nothing, error) {
		id, err := model.ParseDeviceID(in.ID)
		if err != nil {
			return nil, err
		}
		by := server.Caller(ctx)
		return nil, s.Devices.ChangeApp(ctx, by.UID, id, by.Token, in.Body.Alerts)
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/users/me/pushSubscriptions/{id}", OperationID: "removePushSubscription",
		Tags:    []string{"notifications"},
		Summary: "Remove a device", Description: "A client removes its device when its user signs out: otherwise the " +
			"device still gets notifications of that user.",
	}, func(ctx context.Context, in *DevicePath) (*nothing, error) {
		id, err := model.ParseDeviceID(in.ID)
		if err != nil {
			return nil, err
		}
		by := server.Caller(ctx)
		return nil, s.Devices.Remove(ctx, by.UID, id, by.Token)
	})
}
