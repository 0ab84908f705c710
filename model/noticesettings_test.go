package model_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

func TestNotificationChoice(t *testing.T) {
	t.Parallel()
	var is model.NotificationChoice
	notificationEvent := func(kind model.NotificationKind, root model.TweetID) *model.NotificationEvent {
		return &model.NotificationEvent{Type: kind, Payload: model.NotificationEventPayload{RootID: root}}
	}
	for _, kind := range model.NotificationKinds {
		if !is.Wants(notificationEvent(kind, "")) || !is.Wants(notificationEvent(kind, "root")) {
			t.Errorf("whoever chose nothing is not told of a %s", kind)
		}
	}
	if !is.Switch(map[model.NotificationKind]bool{model.NotificationLike: false, model.NotificationReply: true,
		model.NotificationFollow: false}) {
		t.Error("switching off changes nothing")
	}
	if is.Switch(map[model.NotificationKind]bool{model.NotificationLike: false}) || is.Switch(nil) {
		t.Error("switching off again changes something")
	}
	if !slices.Equal(is.Off, []model.NotificationKind{model.NotificationFollow, model.NotificationLike}) {
		t.Errorf("off are %q", is.Off)
	}
	is.Switch(map[model.NotificationKind]bool{model.NotificationFollow: true})
	for i := range model.MaxMuted {
		changed, err := is.Mute(model.TweetID(fmt.Sprintf("root%03d", i)), at.Add(time.Duration(i)*time.Second))
		if err != nil || !changed {
			t.Fatal(changed, err)
		}
	}
	if changed, err := is.Mute("root007", at); changed || err != nil {
		t.Errorf("muting again: %v, %v", changed, err)
	}
	if _, err := is.Mute("more", at); errs.KindOf(err) != errs.Conflict || errs.CodeOf(err) != "too_many_mutes" {
		t.Errorf("more than may be: %v", err)
	}
	if roots := is.MutedRoots(); len(roots) != model.MaxMuted || roots[0] != "root499" || roots[499] != "root000" {
		t.Errorf("muted are %q", roots)
	}
	for n, want := range map[*model.NotificationEvent]bool{
		notificationEvent(model.NotificationLike, ""): false, notificationEvent(model.NotificationFollow, ""): true,
		notificationEvent(model.NotificationReply, "root007"): false, notificationEvent(model.NotificationMention,
			"root007"): false, notificationEvent(model.NotificationReply, "root"): true,
	} {
		if is.Wants(n) != want {
			t.Errorf("wants %s in %q: %v", n.Type, n.Payload.RootID, !want)
		}
	}
}
