package model_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

func TestParseNotificationID(t *testing.T) {
	t.Parallel()
	const tweet = "aa0000000000000001"
	at := time.Date(2026, time.November, 20, 23, 0, 0, 0, time.UTC)
	for _, e := range []*model.NotificationEvent{
		model.NewNotificationEvent("1", model.NotificationFollow, "ann", model.NotificationEventPayload{UserID: "bob"}, at),
		model.NewNotificationEvent("6", model.NotificationFollowRequest, "ann", model.NotificationEventPayload{UserID: "bob"},
			at),
		model.NewNotificationEvent("2", model.NotificationLike, "ann", model.NotificationEventPayload{UserID: "bob",
			TweetID: tweet}, at),
		model.NewNotificationEvent("5", model.NotificationQuote, "ann", model.NotificationEventPayload{UserID: "bob",
			TweetID: "bb0000000000000002", QuoteOf: tweet}, at),
		model.NewNotificationEvent("4", model.NotificationShare, "ann", model.NotificationEventPayload{UserID: "bob",
			TweetID: tweet}, at),
		model.NewNotificationEvent("3", model.NotificationReply, "ann", model.NotificationEventPayload{UserID: "bob",
			TweetID: "bb0000000000000002", ReplyTo: tweet}, at),
	} {
		want := e.NotificationKey(time.UTC)
		if got, err := model.ParseNotificationID(want); err != nil || got != want {
			t.Errorf("ParseNotificationID(%q) = %q, %v", want, got, err)
		}
	}
	for _, s := range []string{
		"", "follow", "follow_", "follow_2026-11-2", "follow_2026-11-20/actors/bob", "../follow_2026-11-20", "_2026-11-20",
		"like:_2026-11-20", "like:" + tweet + "0_2026-11-20", "like:AA0000000000000001_2026-11-20", "follow_2026-11-20\n",
		"a/follow_2026-11-20",
	} {
		if got, err := model.ParseNotificationID(s); errs.CodeOf(err) != "invalid_notification_id" || got != "" {
			t.Errorf("ParseNotificationID(%q) = %q, %v", s, got, err)
		}
	}
}
