package users_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var coolDown = model.CoolDown{Rename: time.Hour, Username: 7 * 24 * time.Hour}

// wantTooSoon checks that a limit refuses a rename, and that the rename is possible after about wait.
func wantTooSoon(t *testing.T, err error, limit string, wait time.Duration) {
	t.Helper()
	storetest.WantErr(t, err, errs.Exhausted, "limit_reached")
	soon, ok := errors.AsType[*model.TooSoon](err)
	if !ok {
		t.Fatalf("%v has no time", err)
	}
	// The database's clock goes on between two requests.
	if soon.Limit != limit || soon.Wait > wait || soon.Wait < wait-10*time.Minute {
		t.Errorf("refused by %s for %v, want %s and %v", soon.Limit, soon.Wait, limit, wait)
	}
}

// A user may make some renames at once, and then one after each hour. A change without effect is no rename, and a
// refused request changes nothing at all.
func TestCoolDown(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	change := func(p model.UserPatch) error {
		e.Clock.Add(time.Second)
		return e.Users.UpdateOwn(t.Context(), "ann", p, coolDown)
	}
	later := func(d time.Duration) { // makes the renames as old as d
		snap, err := e.Raw.Doc("users/ann").Get(t.Context())
		testenv.Must(t, err)
		was := snap.Data()["renames"].(map[string]any)
		var up []firestore.Update
		for field, at := range was {
			up = append(up, firestore.Update{Path: "renames." + field, Value: at.(time.Time).Add(-d)})
		}
		_, err = snap.Ref.Update(t.Context(), up)
		testenv.Must(t, err)
	}
	testenv.Must(t, change(model.UserPatch{Nickname: new("A")}))
	testenv.Must(t, change(model.UserPatch{Avatar: new("https://example.com/a.png")}))
	for range 5 {
		testenv.Must(t, change(model.UserPatch{Username: new("ann_u"), Nickname: new("A"),
			Avatar: new("https://example.com/a.png"), Introduction: new("hi")}))
	}
	testenv.Must(t, change(model.UserPatch{Nickname: new("B"), Avatar: new("")})) // one request is one rename
	err := storetest.Costs(t, "a rename too soon", 1, 0, 0, func(ctx context.Context) error {
		return e.Users.UpdateOwn(ctx, "ann", model.UserPatch{Nickname: new("C"), Introduction: new("half")}, coolDown)
	})
	wantTooSoon(t, err, "renames", time.Hour)
	shorter := e.Users.UpdateOwn(t.Context(), "ann", model.UserPatch{Nickname: new("C")},
		model.CoolDown{Rename: time.Minute})
	wantTooSoon(t, shorter, "renames", time.Minute) // because the cool-down became shorter
	if got, err := e.Users.FullUser(t.Context(), "ann"); err != nil || got.Nickname != "B" || got.Introduction != "hi" {
		t.Errorf("after a refused change: %+v, %v", got, err)
	}
	testenv.Must(t, change(model.UserPatch{Introduction: new("free")}))
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("by a moderator")}))

	later(time.Hour)
	testenv.Must(t, change(model.UserPatch{Nickname: new("D")}))
	wantTooSoon(t, change(model.UserPatch{Avatar: new("https://example.com/d.png")}), "renames", time.Hour)

	// An author with more tweets waits longer.
	_, err = e.Raw.Doc("users/ann").
		Update(t.Context(), []firestore.Update{{Path: "tweetCount", Value: 3*model.RenameTweets + 1}})
	testenv.Must(t, err)
	later(30 * 24 * time.Hour)
	for i := range model.RenameBurst {
		testenv.Must(t, change(model.UserPatch{Nickname: new(fmt.Sprint("E", i))}))
	}
	wantTooSoon(t, change(model.UserPatch{Nickname: new("F")}), "renames", 4*time.Hour)

	later(30 * 24 * time.Hour)
	testenv.Must(t, change(model.UserPatch{Username: new("anne")}))
	testenv.Must(t, change(model.UserPatch{Username: new("ann_u")})) // a mistake can be taken back
	err = storetest.Costs(t, "a username too soon", 1, 0, 0, func(ctx context.Context) error {
		return e.Users.UpdateOwn(ctx, "ann", model.UserPatch{Username: new("annie")}, coolDown)
	})
	wantTooSoon(t, err, "usernames", 7*24*time.Hour)
	testenv.Must(t, change(model.UserPatch{Nickname: new("G")}))
	later(7 * 24 * time.Hour)
	testenv.Must(t, change(model.UserPatch{Username: new("annie")}))
	e.WantUsernames(t)
}

// Of many concurrent renames, in two processes and with lost answers, as many succeed as the cool-down allows.
func TestCoolDownAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	other, losses := e.Lossy(t, 0.5)
	failures := testenv.AtOnce(12, func(i int) error {
		s := e.Store
		if i%2 == 0 {
			s = other
		}
		for {
			err := s.Users.UpdateOwn(t.Context(), "ann", model.UserPatch{Nickname: new(fmt.Sprint("name ", i))}, coolDown)
			if errs.CodeOf(err) != "concurrent_rename" {
				return err
			}
		}
	})
	succeeded := map[string]bool{}
	for i, err := range failures {
		if err == nil {
			succeeded[fmt.Sprint("name ", i)] = true
			continue
		}
		wantTooSoon(t, err, "renames", time.Hour)
	}
	// A rename with a lost answer may find the next rename in its place. The last rename finds no other: so it succeeds,
	// however many answers are lost.
	if len(succeeded) > model.RenameBurst || len(succeeded) < model.RenameBurst-losses.Count() {
		t.Errorf("%d renames at once succeeded, want %d; %d answers were lost", len(succeeded), model.RenameBurst,
			losses.Count())
	}
	if u, err := e.Users.FullUser(t.Context(), "ann"); err != nil || !succeeded[u.Nickname] {
		t.Errorf("the name is %q after the renames %v succeeded, %v", u.Nickname, succeeded, err)
	}
	// All allowed renames were made: the next one waits for an hour, as after three.
	wantTooSoon(t, e.Users.UpdateOwn(t.Context(), "ann", model.UserPatch{Nickname: new("one more")}, coolDown), "renames",
		time.Hour)
}
