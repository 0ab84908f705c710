package model_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

func TestNoticeChoice(t *testing.T) {
	t.Parallel()
	var is model.NoticeChoice
	notice := func(kind model.NoticeKind, root model.TweetID) *model.Notice {
		return &model.Notice{Type: kind, Payload: model.NoticePayload{RootID: root}}
	}
	for _, kind := range model.NoticeKinds {
		if !is.Wants(notice(kind, "")) || !is.Wants(notice(kind, "root")) {
			t.Errorf("whoever chose nothing is not told of a %s", kind)
		}
	}
	if !is.Switch(map[model.NoticeKind]bool{model.NoticeLike: false, model.NoticeReply: true, model.NoticeFollow: false}) {
		t.Error("switching off changes nothing")
	}
	if is.Switch(map[model.NoticeKind]bool{model.NoticeLike: false}) || is.Switch(nil) {
		t.Error("switching off again changes something")
	}
	if !slices.Equal(is.Off, []model.NoticeKind{model.NoticeFollow, model.NoticeLike}) {
		t.Errorf("off are %q", is.Off)
	}
	is.Switch(map[model.NoticeKind]bool{model.NoticeFollow: true})
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
	for n, want := range map[*model.Notice]bool{
		notice(model.NoticeLike, ""): false, notice(model.NoticeFollow, ""): true,
		notice(model.NoticeReply, "root007"): false, notice(model.NoticeMention, "root007"): false, notice(model.NoticeReply, "root"): true,
	} {
		if is.Wants(n) != want {
			t.Errorf("wants %s in %q: %v", n.Type, n.Payload.RootID, !want)
		}
	}
}
