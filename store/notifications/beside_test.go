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

// A reply that mentions whom it answers is told once: as a reply, or as a mention to users who
// want mentions and no replies.
func TestMentionBesideReply(t *testing.T) {
	t.Parallel()
	for what, of := range map[string]struct {
		off  []model.NoticeKind
		slot string // empty if nothing is told
	}{
		"everything": {nil, "reply"}, "no replies": {[]model.NoticeKind{model.NoticeReply}, "mention"},
		"no mentions": {[]model.NoticeKind{model.NoticeMention}, "reply"}, "neither": {[]model.NoticeKind{model.NoticeReply, model.NoticeMention}, ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.Users(t, "ann", "bob")
			ctx := t.Context()
			_, err := e.Raw.Doc("usernames/ann").Set(ctx, model.Username{UID: "ann"})
			testenv.Must(t, err)
			if of.off != nil {
				_, err := e.Raw.Doc("noticeSettings/ann").Set(ctx, model.NoticeChoice{Off: of.off})
				testenv.Must(t, err)
			}
			root := e.Draft(t, "ann", model.Draft{Content: "a spark", AllowReplies: true})
			reply := e.Draft(t, "bob", model.Draft{Content: "@ann nice", ReplyTo: &root.ID})
			answer := model.NewNotice("r", model.NoticeReply, "ann", model.NoticePayload{UserID: "bob", TweetID: reply.ID, ReplyTo: root.ID, RootID: root.ID}, reply.CreatedAt)
			if told := reply.Mentioned(nil); len(told) != 1 || told[0] != "ann" {
				t.Fatalf("the reply mentions %v", told)
			}
			mention := model.MentionNotice(reply, "ann")
			reads, writes := int64(1), int64(0)
			if of.slot == "mention" {
				reads, writes = 6, 3
			}
			testenv.Must(t, storetest.Costs(t, "Notify", reads, writes, 0, func(ctx context.Context) error { return e.Notices.Notify(ctx, mention) }))
			for range 2 {
				testenv.Must(t, e.Notices.Notify(ctx, mention))
				testenv.Must(t, e.Notices.Notify(ctx, answer))
			}
			partition, _ := model.NoticePartition(mention.ID)
			testenv.Must(t, e.Notices.DrainAll(ctx, partition))
			page, err := e.Notices.Notifications(ctx, "ann", nil, model.Cursor{}, 20)
			testenv.Must(t, err)
			if want := map[bool]int{true: 1}[of.slot != ""]; len(page.Items) != want {
				t.Fatalf("ann is told %+v, want %d notifications", page.Items, want)
			}
			for _, n := range page.Items {
				if slot := n.Slot[:len(of.slot)]; slot != of.slot || n.CountTweets != 1 {
					t.Errorf("ann is told %+v, want a %s", n, of.slot)
				}
			}
			found, err := e.Audit.User(ctx, "ann", verify.Options{})
			testenv.Must(t, err)
			for _, d := range found {
				if d.Kind == model.Notifications || d.Kind == model.NoticeLogs {
					t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
				}
			}
		})
	}
}
