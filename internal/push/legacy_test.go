package push

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/pushtest"
	"github.com/hibana-sns/hibana/model"
)

// An app for Mastodon gets its form of a message, in the encoding of the standard or in the one before it.
func TestApp(t *testing.T) {
	t.Parallel()
	s := pushtest.Run(t)
	to, m := sender(t, s, Options{Loopback: true}), message()
	for _, legacy := range []bool{false, true} {
		b := s.Browser()
		b.Device.App = &model.DeviceApp{Alerts: []string{"mention"}, Legacy: legacy}
		if gone, err := to.Send(t.Context(), "ann", b.Device, m); gone || err != nil {
			t.Fatal(gone, err)
		}
		want := model.AppMessage{Locale: "en", Type: "mention", Body: m.Excerpt, Title: m.Nickname + " mentions you",
			ID: model.AppNotificationID(m.At, 4, "aa0000000000000001", "2026-11-20")}
		if got := b.Received(); len(got) != 1 {
			t.Errorf("legacy %v: %d messages", legacy, len(got))
		} else if diff := cmp.Diff(want, got[0].App); diff != "" {
			t.Errorf("legacy %v (-want +got):\n%s", legacy, diff)
		}
	}
}
