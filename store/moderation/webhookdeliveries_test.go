package moderation_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/internal/webhook"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A delivery arrives once, and its webhook tells so. A tick without webhooks, and one without deliveries, costs little.
func TestDeliver(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	costs := func(what string, reads, writes int64, want int) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			n, err := e.Moderation.DeliverDue(ctx, never)
			if n != want {
				t.Errorf("%s: %d deliveries arrived, want %d", what, n, want)
			}
			return err
		}))
	}
	costs("a tick without webhooks", 0, 0, 0)
	is := e.add(model.WebhookUserCreated)
	costs("a tick without deliveries", 2, 0, 0)
	e.CreateUsers(t, "ann")
	e.Clock.Add(time.Second)
	e.CreateUsers(t, "bob")
	costs("a tick with 2 deliveries", 4, 5, 2)
	costs("a tick after them", 2, 0, 0)
	if got := len(e.take()); got != 2 {
		t.Errorf("%d requests were made, want 2", got)
	}
	now := e.hook(is.ID)
	if now.Status != 204 || now.Failure != "" || !now.TriedAt.Equal(e.Clock.Now()) {
		t.Errorf("the webhook is %+v", now)
	}
	for _, d := range e.IDs(t, model.WebhookDeliveries) {
		if doc := e.Doc(t, "webhookDeliveries/"+d); doc["dueAt"] != nil || doc["status"] != int64(204) ||
			doc["expireAt"] == nil {
			t.Errorf("a delivery that arrived is %v", doc)
		}
	}
}

// A delivery that fails is tried again, later each time, with the same id. After its success it rests.
func TestDeliverAgain(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	is := e.add(model.WebhookUserCreated)
	e.CreateUsers(t, "ann")
	e.fails[is.ID] = true
	if e.tick() != 0 || len(e.take()) != 1 || e.tick() != 0 || len(e.take()) != 0 {
		t.Error("a delivery that failed is tried again at once")
	}
	if now := e.hook(is.ID); now.Status != 500 || !strings.Contains(now.Failure, "500") || now.FailingSince.IsZero() {
		t.Errorf("the webhook is %+v", now)
	}
	first := e.waiting()[0]
	if first.Attempts != 1 || first.DueAt.Sub(e.Clock.Now()) != time.Minute || !strings.Contains(first.Failure, "500") {
		t.Errorf("the delivery is %+v", first)
	}
	e.Clock.Add(time.Minute)
	if e.tick() != 0 || !slices.Equal(e.take(), []string{first.ID}) {
		t.Error("a delivery is not tried again after a minute")
	}
	e.fails[is.ID] = false
	e.Clock.Add(5 * time.Minute)
	if e.tick() != 1 || !slices.Equal(e.take(), []string{first.ID}) {
		t.Error("a delivery does not arrive at its third attempt")
	}
	if now := e.hook(is.ID); now.Failure != "" || !now.FailingSince.IsZero() {
		t.Errorf("after a success the webhook is %+v", now)
	}
	e.Clock.Add(24 * time.Hour)
	if e.tick(); len(e.take()) != 0 {
		t.Error("a delivery that arrived is sent again")
	}
}

// After 3 days of failures a delivery is given up and its webhook is switched off. Switched on, it begins anew.
func TestWebhookGivenUp(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	is := e.add(model.WebhookUserCreated)
	e.CreateUsers(t, "ann")
	e.fails[is.ID] = true
	attempts := 0
	for range 200 {
		e.tick()
		attempts += len(e.take())
		e.Clock.Add(30 * time.Minute)
	}
	now := e.hook(is.ID)
	if now.Enabled || now.GaveUpAt.Sub(now.FailingSince) < model.WebhookPatience || now.Failure == "" {
		t.Errorf("after 4 days of failures the webhook is %+v", now)
	}
	if attempts < 8 || attempts > 9 {
		t.Errorf("there were %d attempts, want 8 or 9", attempts)
	}
	e.CreateUsers(t, "bob") // of whom it is not told
	e.fails[is.ID] = false
	on := true
	_, err := e.Moderation.ChangeWebhook(t.Context(), boss, is.ID, model.WebhookPatch{Enabled: &on})
	testenv.Must(t, err)
	e.tick()
	e.take()
	e.CreateUsers(t, "eve")
	if e.tick() != 1 || len(e.take()) != 1 {
		t.Error("a webhook that was switched on again is told nothing")
	}
}

// A webhook that fails holds up neither itself for long nor another one: a tick asks it once.
func TestDeliverBesideFailure(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	bad, good := e.add(model.WebhookUserCreated), e.add(model.WebhookUserCreated)
	e.fails[bad.ID] = true
	e.CreateUsers(t, "ann", "bob", "eve")
	if got := e.tick(); got != 3 {
		t.Errorf("%d deliveries arrived, want the 3 of the other webhook", got)
	}
	asked := 0
	for _, one := range e.got {
		if one.to == bad.ID {
			asked++
		} else if one.to != good.ID {
			t.Errorf("a delivery goes to %s", one.to)
		}
	}
	if asked != 1 {
		t.Errorf("a webhook that failed is asked %d times in a tick", asked)
	}
}

// A tick that is over begins no other request, and one tick takes at most so many deliveries.
func TestDeliverBounds(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	is := e.add(model.WebhookUserCreated)
	b := e.Raw.BulkWriter(t.Context())
	for range 25 {
		d := model.NewWebhookDelivery(is.ID, model.WebhookPing, nil, e.Clock.Now())
		_, err := b.Set(e.Raw.Doc("webhookDeliveries/"+d.ID), d)
		testenv.Must(t, err)
	}
	b.End()
	n, err := e.Moderation.DeliverDue(t.Context(), func() bool { return true })
	if n != 0 || err != nil || len(e.take()) != 0 {
		t.Errorf("a tick that is over delivers %d (%v)", n, err)
	}
	if first, second := e.tick(), e.tick(); first != 20 || second != 5 {
		t.Errorf("ticks deliver %d and %d, want 20 and 5", first, second)
	}
}

// Two ticks at once deliver an event once, also while its receiver hangs.
func TestDeliverAtOnce(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	e.add(model.WebhookUserCreated)
	e.CreateUsers(t, "ann")
	other := e.Again(t, store.Options{SendWebhook: e.send})
	e.during = func() { // the receiver hangs, and the next tick comes
		e.Clock.Add(time.Minute)
		if n, err := other.Moderation.DeliverDue(t.Context(), never); n != 0 || err != nil {
			t.Errorf("another tick delivers %d (%v)", n, err)
		}
	}
	if got := e.tick(); got != 1 || len(e.take()) != 1 {
		t.Errorf("%d deliveries arrived, want 1", got)
	}

	// Both have read the delivery when they claim it.
	e.CreateUsers(t, "bob")
	id := e.waiting()[0].ID
	racing := e.Again(t, store.Options{SendWebhook: e.send, Meter: meter.Options{
		Below: storetest.Before(storetest.WritesTo("webhookDeliveries/"+id), func() { e.tick() })}})
	n, err := racing.Moderation.DeliverDue(t.Context(), never)
	if n != 0 || err != nil || len(e.take()) != 1 {
		t.Errorf("the loser of a race delivers %d (%v)", n, err)
	}
}

// A process that ends between the request and its result leaves the delivery to the next after the lease.
func TestDeliverLease(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	e.add(model.WebhookUserCreated)
	e.CreateUsers(t, "ann")
	e.during = func() { panic("the process ends") }
	if _, err := e.Moderation.DeliverDue(t.Context(), never); err == nil {
		t.Error("a panic is no error")
	}
	first := e.take()
	e.Clock.Add(time.Minute)
	if e.tick() != 0 {
		t.Error("a delivery is sent within the lease of another process")
	}
	e.Clock.Add(time.Minute)
	if e.tick() != 1 || !slices.Equal(e.take(), first) {
		t.Error("after the lease the delivery does not arrive with the same id")
	}
}

// A process that comes back after its lease does not undo what the next one noted.
func TestDeliverLate(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	is := e.add(model.WebhookUserCreated)
	e.CreateUsers(t, "ann")
	other := &receivers{}
	late := e.Again(t, store.Options{SendWebhook: other.send})
	e.fails[is.ID] = true
	e.during = func() {
		e.Clock.Add(3 * time.Minute)
		if n, err := late.Moderation.DeliverDue(t.Context(), never); n != 1 || err != nil {
			t.Errorf("after the lease another tick delivers %d (%v)", n, err)
		}
	}
	e.tick()
	e.Clock.Add(time.Hour)
	if e.tick(); len(e.take()) != 1 || len(other.take()) != 1 {
		t.Error("a delivery that arrived by another process is sent again")
	}
}

// Lost answers of the database lead to a second request at most, with the same id, and no delivery is lost.
func TestDeliverLostAnswers(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	e.add(model.WebhookUserCreated)
	lossy, losses := e.Lossy(t, 0.5)
	for _, uid := range []model.UserID{"ann", "bob", "cid", "dan", "eve"} {
		_, err := lossy.Users.CreateUser(t.Context(), uid, model.NewUser{Username: string(uid) + "_u", Nickname: string(uid)})
		testenv.Must(t, err)
	}
	if got := len(e.waiting()); got != 5 {
		t.Errorf("%d deliveries of 5 users wait", got)
	}
	sender := e.Again(t, store.Options{SendWebhook: e.send,
		Meter: meter.Options{Below: storetest.LoseAnswers(2, 0.5).Lose}})
	for range 10 {
		_, err := sender.Moderation.DeliverDue(t.Context(), never)
		testenv.Must(t, err)
		e.Clock.Add(3 * time.Minute)
	}
	ids := e.take()
	slices.Sort(ids)
	if got := len(slices.Compact(ids)); got != 5 || len(e.waiting()) != 0 {
		t.Errorf("%d of 5 deliveries were sent, %d wait; %d answers were lost", got, len(e.waiting()), losses.Count())
	}
}

// A webhook that is removed or switched off between two deliveries gets no more by the next tick, and its removal
// stays: the results of a request bring no webhook back.
func TestWebhookRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	e := openHooked(t)
	is, stays := e.add(model.WebhookUserCreated), e.add(model.WebhookAppealCreated)
	e.CreateUsers(t, "ann")
	e.during = func() {
		testenv.Must(t, e.Again(t, store.Options{}).Moderation.RemoveWebhook(t.Context(), boss, is.ID))
	}
	e.fails[is.ID] = true
	e.tick()
	e.take()
	if all, err := e.Moderation.Webhooks(t.Context()); err != nil || len(all) != 1 || all[0].ID != stays.ID {
		t.Errorf("after the removal there are %v (%v)", all, err)
	}
	e.Clock.Add(time.Hour)
	if e.tick(); len(e.take()) != 0 {
		t.Error("a webhook that was removed is asked")
	}

	off := false
	other := e.add(model.WebhookUserCreated)
	e.CreateUsers(t, "bob")
	_, err := e.Again(t, store.Options{}).Moderation.ChangeWebhook(t.Context(), boss, other.ID,
		model.WebhookPatch{Enabled: &off})
	testenv.Must(t, err)
	if e.tick(); len(e.take()) != 0 {
		t.Error("a webhook that was switched off is asked")
	}
}

// A webhook whose name leads into a private network is never asked, and says why.
func TestWebhookPrivate(t *testing.T) {
	t.Parallel()
	sender := webhook.New(outbound.Options{})
	e := storetest.Open(t, store.Options{SendWebhook: sender.Send})
	address, events := "https://hooks.example/a", []model.WebhookEvent{model.WebhookUserCreated}
	is, err := e.Moderation.AddWebhook(t.Context(), boss, model.WebhookPatch{URL: &address, Events: &events})
	testenv.Must(t, err)
	_, err = e.Raw.Doc("webhooks/all").Update(t.Context(), // as a name server would answer
		[]firestore.Update{{Path: "hooks." + string(is.ID) + ".url", Value: "https://10.0.0.1/"}})
	testenv.Must(t, err)
	testenv.Must(t, e.Moderation.PingWebhook(t.Context(), boss, is.ID))
	n, err := e.Moderation.DeliverDue(t.Context(), never)
	all, failed := e.Moderation.Webhooks(t.Context())
	if err = errors.Join(err, failed); n != 0 || err != nil || all[0].Failure != "the host is not on the public internet" {
		t.Errorf("%d deliveries arrived (%v), and the webhook is %+v", n, err, all)
	}
}
