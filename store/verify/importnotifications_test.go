package verify_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// Another process writes the list of a user between each read and commit of an import. The import ends, and a repair
// makes the notifications right: those that got an event after the upgrade, and those that got none.
func TestImportNotificationsBusy(t *testing.T) {
	const changed, same = "changed", "same"
	for _, which := range []string{changed, same} {
		t.Run(which, func(t *testing.T) {
			t.Parallel()
			const list = "users/ann/notificationLists/newest"
			e := storetest.Open(t, store.Options{})
			ctx, cancel := context.WithCancel(t.Context())
			e.CreateUsers(t, "ann", "bob", "cat")
			like := func(by model.UserID, id model.TweetID) {
				testenv.Must(t, e.Reactions.Like(ctx, by, id))
				e.CoolDown()
				snap, err := e.Raw.Doc("likes/" + model.ReactionKey(by, id)).Get(ctx)
				testenv.Must(t, err)
				var l model.Like
				testenv.Must(t, snap.DataTo(&l))
				testenv.Must(t, e.NotificationEvents.Notify(ctx, model.FactNotificationEvent(model.NotificationLike, "ann",
					model.NotificationEventPayload{UserID: by, TweetID: id}, l.CreatedAt)))
			}
			before, after := e.Tweet(t, "ann", "a spark").ID, e.Tweet(t, "ann", "another spark").ID
			like("bob", before)
			storetest.Former(t, e.Raw)
			users := int64(1)
			if which == changed {
				like("cat", before)
				users = 2
			} else {
				like("cat", after)
			}

			writes := 0
			busy := func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
				opts ...grpc.CallOption) error {
				commit, _ := req.(*pb.CommitRequest)
				for _, w := range commit.GetWrites() {
					if strings.HasSuffix(w.GetUpdate().GetName(), list) {
						if writes++; writes > 100 {
							cancel() // the import does not end by itself
							break
						}
						_, err := e.Raw.Doc(list).Update(t.Context(), []firestore.Update{{Path: "expireAt",
							Value: e.Clock.Now().Add(model.NotificationWindow + time.Duration(writes)*time.Second)}})
						testenv.Must(t, err)
					}
				}
				return invoke(ctx, method, req, reply, conn, opts...)
			}
			err := e.Again(t, store.Options{Meter: meter.Options{Below: busy}}).Audit.ImportNotifications(ctx, "ann")
			switch left := e.IDs(t, "users/ann/notifications"); {
			case ctx.Err() != nil:
				t.Fatal("the import does not end")
			case writes == 0:
				t.Fatal("no process wrote the list meanwhile")
			case which == changed:
				if err != nil || len(left) != 0 {
					t.Errorf("the import of a notification that got an event leaves %v, %v, want none", left, err)
				}
			default:
				storetest.WantErr(t, err, errs.Conflict, "notifications_busy")
				if len(left) != 1 {
					t.Errorf("the import of a notification that got no event leaves %v, want its document", left)
				}
			}

			_, err = e.Audit.User(t.Context(), "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
			testenv.Must(t, err)
			kinds := []string{model.Notifications, model.NotificationLists, model.NotificationLogs}
			if got := differences(t, e, "ann", kinds...); len(got) > 0 {
				t.Errorf("after the repair verify finds %v", got)
			}
			page, _, err := e.NotificationEvents.Notifications(t.Context(), "ann", nil, model.Cursor{}, 20)
			testenv.Must(t, err)
			found := false
			for _, n := range page.Items {
				if strings.HasSuffix(n.GroupKey, string(before)) {
					found = n.CountUsers == users && !n.IsRead
				}
			}
			if !found {
				t.Errorf("after the repair the notifications are %+v, want %d users on the first", page.Items, users)
			}
		})
	}
}
