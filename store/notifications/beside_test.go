package notifications_test

import (
	"context"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A mention of the author in a reply notifies once: as a reply, or as a mention to users who allow mentions and refuse
// replies.
func TestMentionBesideReply(t *testing.T) {
	t.Parallel()
	for what, of := range map[string]struct {
		off      []model.NotificationKind
		groupKey string // empty if there is no notification
	}{
		"everything": {nil, "reply"}, "no replies": {[]model.NotificationKind{model.NotificationReply}, "mention"},
		"no mentions": {[]model.NotificationKind{model.NotificationMention}, "reply"},
		"neither":     {[]model.NotificationKind{model.NotificationReply, model.NotificationMention}, ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.CreateUsers(t, "ann", "bob")
			ctx := t.Context()
			_, err := e.Raw.Doc("usernames/ann").Set(ctx, model.Username{UID: "ann"})
			testenv.Must(t, err)
			if of.off != nil {
				off := map[model.NotificationKind]bool{}
				for _, kind := range of.off {
					off[kind] = false
				}
				_, err := e.Settings.Switch(ctx, "ann", off)
				testenv.Must(t, err)
			}
			root := e.Draft(t, "ann", model.Draft{Content: "a spark", AllowReplies: true})
			reply := e.Draft(t, "bob", model.Draft{Content: "@ann nice", ReplyTo: &root.ID})
			answer := model.NewNotificationEvent("r", model.NotificationReply, "ann", model.NotificationEventPayload{
				UserID: "bob", TweetID: reply.ID, ReplyTo: root.ID, RootID: root.ID}, reply.CreatedAt)
			if told := reply.Mentioned(nil); len(told) != 1 || told[0] != "ann" {
				t.Fatalf("the reply mentions %v", told)
			}
			mention := model.MentionNotificationEvent(reply, "ann")
			reads, writes := int64(1), int64(0)
			if of.groupKey == "mention" {
				reads, writes = 4, 2
			}
			testenv.Must(t, storetest.Costs(t, "Notify", reads, writes, 0, func(ctx context.Context) error {
				return e.NotificationEvents.Notify(ctx, mention)
			}))
			for range 2 {
				testenv.Must(t, e.NotificationEvents.Notify(ctx, mention))
				testenv.Must(t, e.NotificationEvents.Notify(ctx, answer))
			}
			partition, _ := model.NotificationEventPartition(mention.ID)
			testenv.Must(t, e.NotificationEvents.FlushAll(ctx, partition))
			page, _, err := e.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 20)
			testenv.Must(t, err)
			if want := map[bool]int{true: 1}[of.groupKey != ""]; len(page.Items) != want {
				t.Fatalf("ann is told %+v, want %d notifications", page.Items, want)
			}
			for _, n := range page.Items {
				if groupKey := n.GroupKey[:len(of.groupKey)]; groupKey != of.groupKey || n.CountTweets != 1 {
					t.Errorf("ann is told %+v, want a %s", n, of.groupKey)
				}
			}
			found, err := e.Audit.User(ctx, "ann", verify.Options{})
			testenv.Must(t, err)
			for _, d := range found {
				if d.Kind == model.NotificationLists || d.Kind == model.NotificationLogs {
					t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
				}
			}
		})
	}
}
