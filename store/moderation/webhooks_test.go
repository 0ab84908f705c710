package moderation_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// request is one that a receiver got.
type request struct {
	to model.WebhookID
	id string
}

// receivers stand for the receivers of all webhooks of a test.
type receivers struct {
	mu     sync.Mutex
	got    []request // in order
	fails  map[model.WebhookID]bool
	during func() // at the next request
}

func (r *receivers) send(_ context.Context, to *model.Webhook, d *model.WebhookDelivery, _ time.Time) (int, error) {
	r.mu.Lock()
	r.got = append(r.got, request{to.ID, d.ID})
	fails, during := r.fails[to.ID], r.during
	r.during = nil
	r.mu.Unlock()
	if during != nil {
		during()
	}
	if fails {
		return http.StatusInternalServerError, errors.New("the answer was 500 Internal Server Error")
	}
	return http.StatusNoContent, nil
}

// take returns the ids of what was sent since the last call.
func (r *receivers) take() (ids []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.got {
		ids = append(ids, one.id)
	}
	r.got = nil
	return ids
}

type hooked struct {
	*storetest.Env
	*receivers
	t *testing.T
}

func openHooked(t *testing.T) hooked {
	t.Helper()
	r := &receivers{fails: map[model.WebhookID]bool{}}
	return hooked{storetest.Open(t, store.Options{SendWebhook: r.send}), r, t}
}

// add adds a webhook that wants events.
func (e hooked) add(events ...model.WebhookEvent) *model.Webhook {
	e.t.Helper()
	address := "https://hooks.example/a"
	is, err := e.Moderation.AddWebhook(e.t.Context(), boss, model.WebhookPatch{URL: &address, Events: &events})
	testenv.Must(e.t, err)
	return is
}

// tick delivers what is due, and returns how many arrived.
func (e hooked) tick() int {
	e.t.Helper()
	n, err := e.Moderation.DeliverDue(e.t.Context(), never)
	testenv.Must(e.t, err)
	return n
}

// hook returns a webhook as it is now.
func (e hooked) hook(id model.WebhookID) *model.Webhook {
	e.t.Helper()
	all, err := e.Moderation.Webhooks(e.t.Context())
	testenv.Must(e.t, err)
	for _, is := range all {
		if is.ID == id {
			return is
		}
	}
	e.t.Fatalf("there is no webhook %s", id)
	return nil
}

// waiting returns what waits for delivery, by the time at which it is due.
func (e hooked) waiting() (all []model.WebhookDelivery) {
	e.t.Helper()
	snaps, err := e.Raw.Collection(model.WebhookDeliveries).OrderBy("dueAt", firestore.Asc).Documents(e.t.Context()).
		GetAll()
	testenv.Must(e.t, err)
	for _, snap := range snaps {
		d := model.WebhookDelivery{}
		testenv.Must(e.t, snap.DataTo(&d))
		d.ID = snap.Ref.ID
		all = append(all, d)
	}
	return all
}

var boss = moderation.Actor{UID: "boss", Role: model.RoleAdministrator}

func never() bool { return false }

// An administrator adds, changes, renews and removes webhooks. Each act has an entry of the audit log, without secrets.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	ctx := t.Context()
	address, events := "https://hooks.example/secret-path", []model.WebhookEvent{model.WebhookUserCreated}
	var is *model.Webhook
	testenv.Must(t, storetest.Costs(t, "AddWebhook", 1, 2, 0, func(ctx context.Context) (err error) {
		is, err = e.Moderation.AddWebhook(ctx, boss, model.WebhookPatch{URL: &address, Events: &events})
		return err
	}))
	if !is.Enabled || is.By != "boss" || !strings.HasPrefix(is.Secret, "whsec_") {
		t.Errorf("AddWebhook = %+v", is)
	}
	testenv.Must(t, storetest.Costs(t, "PingWebhook", 1, 2, 0, func(ctx context.Context) error {
		return e.Moderation.PingWebhook(ctx, boss, is.ID)
	}))
	off := false
	change := func(ctx context.Context) error {
		_, err := e.Moderation.ChangeWebhook(ctx, boss, is.ID, model.WebhookPatch{Enabled: &off})
		return err
	}
	testenv.Must(t, storetest.Costs(t, "ChangeWebhook", 1, 2, 0, change))
	testenv.Must(t, storetest.Costs(t, "ChangeWebhook again", 1, 0, 0, change))
	storetest.WantErr(t, e.Moderation.PingWebhook(ctx, boss, is.ID), errs.Conflict, "webhook_off")
	first := is.Secret
	testenv.Must(t, storetest.Costs(t, "RenewWebhookSecret", 1, 2, 0, func(ctx context.Context) (err error) {
		is, err = e.Moderation.RenewWebhookSecret(ctx, boss, is.ID)
		return err
	}))
	now := e.hook(is.ID)
	if is.Secret == first || !slices.Equal(now.Secrets(e.Clock.Now()), []string{is.Secret, first}) {
		t.Errorf("after the renewal %v sign", now.Secrets(e.Clock.Now()))
	}
	e.Clock.Add(model.WebhookSecretOverlap)
	if now := now.Secrets(e.Clock.Now()); len(now) != 1 {
		t.Errorf("a day after the renewal %v sign", now)
	}
	remove := func(ctx context.Context) error { return e.Moderation.RemoveWebhook(ctx, boss, is.ID) }
	testenv.Must(t, storetest.Costs(t, "RemoveWebhook", 1, 2, 0, remove))
	testenv.Must(t, storetest.Costs(t, "RemoveWebhook again", 1, 0, 0, remove))
	storetest.WantErr(t, change(ctx), errs.NotFound, "webhook_not_found")
	storetest.WantErr(t, e.Moderation.PingWebhook(ctx, boss, is.ID), errs.NotFound, "webhook_not_found")
	_, err := e.Moderation.RenewWebhookSecret(ctx, boss, is.ID)
	storetest.WantErr(t, err, errs.NotFound, "webhook_not_found")

	var acts []string
	for _, id := range e.IDs(t, model.AdminActions) {
		entry := e.Doc(t, "adminActions/"+id)
		acts = append(acts, fmt.Sprint(entry["act"]))
		if text := fmt.Sprint(entry); strings.Contains(text, "secret-path") || strings.Contains(text, "whsec_") ||
			!strings.Contains(text, "hooks.example") {
			t.Errorf("the audit log has %s", text)
		}
	}
	slices.Sort(acts)
	if want := []string{"add_webhook", "change_webhook", "change_webhook", "ping_webhook",
		"remove_webhook"}; !slices.Equal(acts, want) {
		t.Errorf("the audit log has %v, want %v", acts, want)
	}
}

// Administrators who add webhooks at once add no more than there may be, and lose none.
func TestMostWebhooks(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	for range model.MaxWebhooks - 1 {
		e.add(model.WebhookUserCreated)
	}
	address, events := "https://hooks.example/a", []model.WebhookEvent{model.WebhookUserCreated}
	stores := []*store.Store{e.Store, e.Again(t, store.Options{}), e.Again(t, store.Options{})}
	failures := testenv.AtOnce(len(stores), func(i int) error {
		_, err := stores[i].Moderation.AddWebhook(t.Context(), boss, model.WebhookPatch{URL: &address, Events: &events})
		return err
	})
	storetest.OnlyWinner(t, failures, errs.Conflict, "too_many_webhooks")
	all, err := e.Moderation.Webhooks(t.Context())
	if err != nil || len(all) != model.MaxWebhooks {
		t.Errorf("there are %d webhooks (%v), want %d", len(all), err, model.MaxWebhooks)
	}
}

// Each event is written in the commit of its fact, for the webhooks that want it. Without them a fact costs what it
// cost before.
func TestWebhookEvents(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	ctx := t.Context()
	e.CreateUsers(t, "zoe", "xia")
	report := func(uid model.UserID) func(context.Context) error {
		return func(ctx context.Context) error {
			return e.Moderation.Report(ctx, "zoe", moderation.NewReport{UserID: uid, Reason: "spam"})
		}
	}
	some := e.add(model.WebhookAppealCreated)
	testenv.Must(t, storetest.Costs(t, "a report that no webhook wants", 2, 1, 0, report("xia")))
	if got := e.waiting(); len(got) != 0 {
		t.Fatalf("without a webhook that wants them, %v wait", got)
	}

	all := e.add(model.WebhookEvents...)
	e.CreateUsers(t, "ann")
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "a report that a webhook wants", 1, 2, 0, report("ann")))
	e.Clock.Add(time.Second)
	for range 2 { // at the second time ann is frozen already
		_, err := e.Moderation.SetAccountStatus(ctx, judge, "ann", model.ActFreeze)
		testenv.Must(t, err)
	}
	e.Clock.Add(time.Second)
	testenv.Must(t, report("ann")(ctx)) // the report is there already
	page, err := e.Moderation.Decisions(ctx, "ann", model.Cursor{}, 20)
	testenv.Must(t, err)
	freeze := page.Items[0].ID // a reversal of the one before would change nothing
	for range 2 {
		_, err = e.Moderation.Appeal(ctx, "ann", freeze, "it was a joke")
		testenv.Must(t, err)
	}
	e.Clock.Add(time.Second)
	_, _, err = e.Moderation.AnswerAppeal(ctx, judge, freeze, model.AppealReversed, "sorry")
	testenv.Must(t, err)
	e.Clock.Add(time.Second)
	for _, reason := range []string{"please", "please, please"} {
		_, err = e.Users.AskToJoin(ctx, "max", model.NewUser{Username: "max_u", Nickname: "Max"}, reason)
		testenv.Must(t, err)
	}

	var got, appeals []string
	for _, d := range e.waiting() {
		if d.HookID == some.ID {
			appeals = append(appeals, string(d.Event))
			continue
		}
		got = append(got, fmt.Sprint(d.Event, " ", d.Data))
		if d.HookID != all.ID || d.ExpireAt.Sub(d.At) != model.WebhookWindow {
			t.Errorf("a delivery is %+v", d)
		}
	}
	want := []string{"user.created map[userId:ann]", "report.created map[reportId:" + model.ReportKey("zoe", "ann", "") +
		" userId:ann]", "account.changed map[state:frozen userId:ann]", "appeal.created map[appealId:" + freeze +
		" userId:ann]", "account.changed map[state:free userId:ann]", "sign_up.waiting map[userId:max]"}
	if !slices.Equal(got, want) {
		t.Errorf("the webhook is told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !slices.Equal(appeals, []string{"appeal.created"}) {
		t.Errorf("a webhook of appeals is told %v", appeals)
	}
}

// A fact whose commit fails tells nothing.
func TestWebhookNoEvent(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	e.CreateUsers(t, "ann")
	e.add(model.WebhookEvents...)
	_, err := e.Users.CreateUser(t.Context(), "bob", model.NewUser{Username: "ann_u", Nickname: "Bob"})
	storetest.WantErr(t, err, errs.Exists, "username_taken")
	if got := e.waiting(); len(got) != 0 {
		t.Errorf("a user who has no profile is told: %v", got)
	}
}

// Nothing fails because the webhooks cannot be read: the process tells those that it has read before.
func TestWebhooksUnreadable(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	e.CreateUsers(t, "ann", "bob", "eve")
	e.add(model.WebhookReportCreated)
	var down sync.Map
	other := e.Again(t, store.Options{Meter: meter.Options{BelowReads: func(ctx context.Context, desc *grpc.StreamDesc,
		conn *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		s, err := open(ctx, desc, conn, method, opts...)
		return unreadable{s, &down}, err
	}}})
	report := func(by model.UserID) error {
		return other.Moderation.Report(t.Context(), by, moderation.NewReport{UserID: "ann", Reason: "spam"})
	}
	testenv.Must(t, report("bob"))
	down.Store("down", true)
	e.Clock.Add(time.Hour)
	testenv.Must(t, report("eve"))
	if _, err := other.Moderation.Webhooks(t.Context()); err == nil {
		t.Error("the webhooks could be read")
	}
	if got := len(e.waiting()); got != 2 {
		t.Errorf("%d reports are told, want 2", got)
	}
}

// unreadable refuses to read the webhooks while down has an entry.
type unreadable struct {
	grpc.ClientStream
	down *sync.Map
}

func (u unreadable) SendMsg(m any) error {
	get, _ := m.(*pb.BatchGetDocumentsRequest)
	if _, down := u.down.Load("down"); down && strings.HasSuffix(strings.Join(get.GetDocuments(), " "), "/webhooks/all") {
		return status.Error(codes.PermissionDenied, "no")
	}
	return u.ClientStream.SendMsg(m)
}
