package bounds

import (
	"strings"
	"testing"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// TestLargestModeration writes the largest documents that moderators and reporters can make.
func TestLargestModeration(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	uid := model.UserID(strings.Repeat("a", 128))
	by := moderation.Actor{UID: uid, Role: model.RoleAdministrator, Reason: wide(model.MaxReason)}
	fields := map[string]string{}
	for _, name := range []string{"username", "nickname", "introduction", "avatar", "aiModel", "aiPersonality",
		"blockStrangers"} {
		fields[name] = wide(model.MaxContent)
	}
	testenv.Must(t, e.Moderation.Log(t.Context(), by, model.Action{
		Act: model.ActEdit, UserID: uid, TweetID: "0000000000000000aa", ProductID: model.NewProductID(uid, "x"),
		OrderID: model.NewOrderID(uid, "x"), Revision: new(1), After: fields,
	}))
	_, err := e.Users.CreateUser(t.Context(), uid, model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	reported := model.UserID(strings.Repeat("%", 128)) // three times as long in a key
	_, err = e.Users.CreateUser(t.Context(), reported, model.NewUser{Username: "bob"})
	testenv.Must(t, err)
	testenv.Must(t, e.Moderation.Report(t.Context(), uid, moderation.NewReport{UserID: reported, Reason: "impersonation",
		Text: wide(model.MaxReportText)}))
	_, err = e.Raw.Doc("reports/"+model.ReportKey(uid, reported, "")).Update(t.Context(),
		[]firestore.Update{{Path: "message",
			Value: (&model.Message{Text: wide(model.MaxMessage), Media: described()}).Report(model.PairID(uid, reported),
				"202611-0000-000000001")}})
	testenv.Must(t, err)
	_, err = e.Moderation.Resolve(t.Context(), by, model.ReportKey(uid, reported, ""), model.DecisionDismissed)
	testenv.Must(t, err)
	_, err = e.Moderation.SetAccountStatus(t.Context(), by, uid, model.ActSuspend)
	testenv.Must(t, err)
	_, err = e.Moderation.Note(t.Context(), by, uid, wide(model.MaxNote))
	testenv.Must(t, err)
	testenv.Must(t, e.Moderation.DeleteTweet(t.Context(), by, e.Tweet(t, reported, "x").ID, false))
	decisions, err := e.Moderation.Decisions(t.Context(), reported, model.Cursor{}, 10)
	testenv.Must(t, err)
	_, err = e.Moderation.Appeal(t.Context(), reported, decisions.Items[0].ID, wide(model.MaxAppealText))
	testenv.Must(t, err)
	_, _, err = e.Moderation.AnswerAppeal(t.Context(), by, decisions.Items[0].ID, model.AppealUpheld,
		wide(model.MaxAppealText))
	testenv.Must(t, err)
	checkAll(t, e, 9)
}
