package media_test

import (
	"context"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/media"
)

// signature reads the signature of an address.
func signature(t *testing.T, address string) media.Signature {
	t.Helper()
	at, err := url.Parse(address)
	testenv.Must(t, err)
	expires, _ := strconv.ParseInt(at.Query().Get("expires"), 10, 64)
	return media.Signature{Expires: expires, MAC: at.Query().Get("signature")}
}

// Who may load a file follows the audience of its tweet.
func TestServing(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	id := e.ready(t, "ann", model.MediaTweet, "")
	serve := func(what string, by media.Signature, want string) {
		t.Helper()
		f, err := e.Media.Serve(ctx, id, model.SizeSmall, by)
		got := "nothing"
		if err == nil {
			got = map[bool]string{true: "public", false: "signed"}[f.Public]
		} else {
			storetest.WantErr(t, err, errs.NotFound, "media_not_found")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	serve("not attached", media.Signature{}, "nothing")
	m, err := e.Media.Get(ctx, model.Viewer{ID: "ann", Role: model.Member}, id)
	testenv.Must(t, err)
	own := signature(t, e.Media.OwnAddresses(m)[model.SizeSmall])
	serve("its owner", own, "signed")
	e.Clock.Add(3*time.Second - 1)
	serve("still remembered", media.Signature{}, "nothing")
	e.Clock.Add(1)
	tweet, err := e.post(ctx, e.Store, "ann", model.Public, id)
	testenv.Must(t, err)
	serve("public", media.Signature{}, "public")
	if _, err := e.Media.Serve(ctx, id, "huge", media.Signature{}); errs.KindOf(err) != errs.NotFound {
		t.Errorf("a size that there is not: %v", err)
	}
	if a := e.Media.Addresses(tweet.Media[0], tweet.Visibility, false)[model.SizeSmall]; a != "http://media.test/media/"+
		string(id)+"/small" {
		t.Errorf("the public address is %s", a)
	}

	edit := func(to model.Audience) {
		t.Helper()
		_, err := e.Edits.Edit(ctx, "ann", tweet.ID, model.TweetPatch{Visibility: &to}, nil)
		testenv.Must(t, err)
	}
	signed := func(a model.Audience, flagged bool) media.Signature {
		t.Helper()
		return signature(t, e.Media.Addresses(tweet.Media[0], a, flagged)[model.SizeSmall])
	}
	edit(model.Followers)
	serve("narrowed, at once", media.Signature{}, "nothing")
	serve("by the address of before it was attached", own, "nothing")
	follower := signed(model.Followers, false)
	serve("a follower", follower, "signed")
	for _, forged := range []media.Signature{{Expires: follower.Expires + 1, MAC: follower.MAC},
		{Expires: follower.Expires}, {Expires: follower.Expires, MAC: follower.MAC + "A"},
		signed(model.Mentioned, false), signed(model.Followers, true)} {
		serve("forged", forged, "nothing")
	}
	other := e.ready(t, "ann", model.MediaTweet, "")
	_, err = e.post(ctx, e.Store, "ann", model.Followers, other)
	testenv.Must(t, err)
	if _, err := e.Media.Serve(ctx, other, model.SizeSmall, follower); errs.KindOf(err) != errs.NotFound {
		t.Errorf("the signature of one file opens another: %v", err)
	}
	e.Clock.Add(time.Hour - time.Second)
	serve("an hour later", follower, "signed")
	e.Clock.Add(time.Hour + time.Second)
	serve("expired", follower, "nothing")

	follower = signed(model.Followers, false)
	edit(model.Mentioned)
	serve("narrowed further", follower, "nothing")
	edit(model.Unlisted)
	serve("unlisted", media.Signature{}, "public")
	testenv.Must(t, e.Tweets.Flag(ctx, tweet.ID, true))
	serve("flagged", media.Signature{}, "nothing")
	serve("its author", signed(model.Unlisted, true), "signed")
	testenv.Must(t, e.Tweets.Flag(ctx, tweet.ID, false))
	serve("and not any more", media.Signature{}, "public")
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID))
	serve("deleted, at once", media.Signature{}, "nothing")

	third := e.ready(t, "ann", model.MediaTweet, "")
	if tweet, err = e.post(ctx, e.Store, "ann", "", third); err != nil {
		t.Fatal(err)
	}
	process := e.Again(t, e.options)
	costs := func(what string, reads int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, 0, 0, func(ctx context.Context) error {
			_, err := process.Media.Serve(ctx, third, model.SizeSmall, media.Signature{})
			return err
		}))
	}
	costs("a file", 2)
	costs("the same", 0)
	e.CoolDown()
	costs("a minute later", 1)
	// Another process learns of a deletion within the age of its cache.
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID))
	e.Clock.Add(3 * time.Second)
	_, err = process.Media.Serve(ctx, third, model.SizeSmall, media.Signature{})
	storetest.WantErr(t, err, errs.NotFound, "media_not_found")
}

// A profile takes an avatar and a wide picture, and gives them back.
func TestProfile(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	first, second := e.ready(t, "ann", model.MediaAvatar, ""), e.ready(t, "ann", model.MediaAvatar, "")
	header := e.ready(t, "ann", model.MediaHeader, "")
	public := func(id model.MediaID) bool {
		t.Helper()
		f, err := e.Media.Serve(ctx, id, model.SizeLarge, media.Signature{})
		return err == nil && f.Public
	}
	if public(first) {
		t.Error("an avatar is public before a profile has it")
	}
	e.Clock.Add(3 * time.Second) // so long the refusal is remembered
	own := func(p model.UserPatch) error { return e.Users.UpdateOwn(ctx, "ann", p, model.CoolDown{}) }
	storetest.WantErr(t, e.Users.UpdateOwn(ctx, "bob", model.UserPatch{AvatarMedia: &first}, model.CoolDown{}),
		errs.NotFound, "media_not_found")
	storetest.WantErr(t, own(model.UserPatch{AvatarMedia: &header}), errs.Invalid, "wrong_media_kind")
	storetest.WantErr(t, own(model.UserPatch{AvatarMedia: &first, Avatar: new("")}), errs.Invalid, "two_avatars")
	testenv.Must(t, storetest.Costs(t, "an avatar", 2, 3, 0, func(ctx context.Context) error {
		return e.Users.UpdateOwn(ctx, "ann", model.UserPatch{AvatarMedia: &first}, model.CoolDown{})
	}))
	testenv.Must(t, storetest.Costs(t, "a wide picture", 2, 2, 0, func(ctx context.Context) error {
		return e.Users.UpdateOwn(ctx, "ann", model.UserPatch{HeaderMedia: &header}, model.CoolDown{})
	}))
	u, err := e.Users.User(ctx, "ann")
	testenv.Must(t, err)
	if u.Avatar != "/media/"+string(first)+"/large" || u.AvatarMedia != first || u.Header == "" ||
		!public(first) || !public(header) || e.record(t, first)["expireAt"] != nil {
		t.Errorf("the profile is %+v", u)
	}
	// A client sends back what it has read.
	o := e.options
	o.MediaURL = "https://elsewhere.test"
	for n, s := range []*store.Store{e.Store, e.Again(t, o)} {
		address := s.Media.Address(u.Avatar)
		if want := []string{"http://media.test", "https://elsewhere.test"}[n] + u.Avatar; address != want {
			t.Errorf("the avatar is at %s, want %s", address, want)
		}
		testenv.Must(t, own(model.UserPatch{Avatar: &address, Nickname: new("Annie")}))
		if is, err := e.Users.User(ctx, "ann"); err != nil || is.Avatar != u.Avatar || e.record(t, first)["expireAt"] != nil {
			t.Errorf("the same avatar is taken off: %+v, %v", is, err)
		}
	}
	for _, other := range []string{"", "https://pictures.example/media/face.png", "https://pictures.example/a.png"} {
		if got := e.Media.Address(other); got != other {
			t.Errorf("a picture of another host is at %q, want %q", got, other)
		}
	}
	storetest.WantErr(t, own(model.UserPatch{Avatar: new("http://media.test/media/" + string(second) + "/large")}),
		errs.Invalid, "invalid_avatar")
	testenv.Must(t, storetest.Costs(t, "another avatar", 3, 4, 0, func(ctx context.Context) error {
		return e.Users.UpdateOwn(ctx, "ann", model.UserPatch{AvatarMedia: &second}, model.CoolDown{})
	}))
	if !public(first) || !public(second) {
		t.Error("the former avatar is gone while tweets still show it")
	}
	storetest.WantErr(t, own(model.UserPatch{AvatarMedia: &first}), errs.Conflict, "media_in_use")
	e.Clock.Add(day)
	if public(first) || !public(second) {
		t.Error("the former avatar stays, or the present one does not")
	}
	// A moderator takes the pictures off: they go at once.
	testenv.Must(t, e.Users.UpdateUser(ctx, "ann", model.UserPatch{Avatar: new(""), HeaderMedia: new(model.MediaID(""))}))
	for _, id := range []model.MediaID{second, header} {
		if e.record(t, id) != nil {
			t.Errorf("the record of %s stays", id)
		}
	}
	e.CoolDown()
	if u, err = e.Users.User(ctx, "ann"); err != nil || u.Avatar != "" || u.AvatarMedia != "" || u.Header != "" ||
		public(second) || public(header) {
		t.Errorf("the profile is %+v, %v", u, err)
	}
	third := e.ready(t, "ann", model.MediaAvatar, "")
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.options
	lossy.Meter = meter.Options{Below: losses.Lose}
	testenv.Must(t, e.Again(t, lossy).Users.UpdateOwn(ctx, "ann", model.UserPatch{AvatarMedia: &third}, model.CoolDown{}))
	if losses.Count() == 0 || !public(third) {
		t.Error("a lost answer loses the avatar")
	}
}
