package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/shop"
)

// The answer to an act is lost. Before the client sends the commit again, others take back what the act
// did. The commit that comes again changes nothing, and the caller hears that the database did not say
// what became of the first. If nothing happens meanwhile, the caller hears of no loss.
func TestCommittedOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "root")
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "cat", model.UserPatch{Locked: new(true)}))
	e.CoolDown()
	id := e.Draft(t, "ann", model.Draft{Content: "which?", AllowLikes: true,
		Poll: &model.NewPoll{Options: []string{"a", "b"}, Minutes: 60}}).ID
	p, err := e.Shop.Add(t.Context(), "root", model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300,
		Currency: "JPY"}}, 10, model.Request{})
	testenv.Must(t, err)
	key, bob := model.ReactionKey("bob", id), model.Viewer{ID: "bob", Role: model.Member}
	type act func(context.Context, *store.Store) error
	like := func(ctx context.Context, s *store.Store) error { return s.Reactions.Like(ctx, "bob", id) }
	share := func(ctx context.Context, s *store.Store) error { return s.Shares.Share(ctx, "bob", id) }
	bookmark := func(ctx context.Context, s *store.Store) error { return s.Bookmarks.Bookmark(ctx, bob, id) }
	unmark := func(kind model.ReactionKind) act {
		return func(ctx context.Context, s *store.Store) error { return s.Reactions.Remove(ctx, kind, "bob", id) }
	}
	flag := func(is bool) act {
		return func(ctx context.Context, s *store.Store) error {
			return s.Moderation.Flag(ctx, moderation.Actor{UID: "root", Role: model.RoleAdministrator, Reason: "why"}, id, is,
				nil)
		}
	}
	introduce := func(text string) act {
		return func(ctx context.Context, s *store.Store) error {
			e.CoolDown() // two patches have two times
			return s.Users.UpdateUser(ctx, "ann", model.UserPatch{Introduction: &text})
		}
	}
	likes := func(on bool) act {
		return func(ctx context.Context, s *store.Store) error {
			_, err := s.Settings.Switch(ctx, "bob", map[model.NotificationKind]bool{model.NotificationLike: on})
			return err
		}
	}
	follow := func(whom model.UserID) act {
		return func(ctx context.Context, s *store.Store) error { return s.Graph.Follow(ctx, "bob", whom) }
	}
	unfollow := func(whom model.UserID) act {
		return func(ctx context.Context, s *store.Store) error { return s.Graph.Unfollow(ctx, "bob", whom) }
	}
	accept := func(ctx context.Context, s *store.Store) error { return s.Requests.Accept(ctx, "cat", "bob") }
	refuse := func(ctx context.Context, s *store.Store) error { return s.Requests.Refuse(ctx, "cat", "bob") }
	block := func(ctx context.Context, s *store.Store) error { return s.Graph.Block(ctx, "ann", "root") }
	unblock := func(ctx context.Context, s *store.Store) error { return s.Graph.Unblock(ctx, "ann", "root") }
	hide := func(ctx context.Context, s *store.Store) error { return s.Shares.Hide(ctx, "bob", "ann") }
	unhide := func(ctx context.Context, s *store.Store) error { return s.Shares.Unhide(ctx, "bob", "ann") }
	mute := func(ctx context.Context, s *store.Store) error { return s.Settings.Mute(ctx, bob, id) }
	unmute := func(ctx context.Context, s *store.Store) error { return s.Settings.Unmute(ctx, bob, id) }
	pin := func(ctx context.Context, s *store.Store) error { return s.Pins.Pin(ctx, "ann", id) }
	unpin := func(ctx context.Context, s *store.Store) error { return s.Pins.Unpin(ctx, "ann", id) }
	register := func(ctx context.Context, s *store.Store) error {
		return s.Devices.Put(ctx, "bob", "phone", model.Device{FCMToken: "token"})
	}
	muteUser := func(ctx context.Context, s *store.Store) error {
		return s.Graph.Mute(ctx, model.MutedUser{UserID: "bob", MutedID: "ann", Part: model.MuteAll}, 0)
	}
	unmuteUser := func(ctx context.Context, s *store.Store) error { return s.Graph.Unmute(ctx, "bob", "ann") }
	putFilter := func(ctx context.Context, s *store.Store) error {
		_, err := s.Graph.PutFilter(ctx, "bob", "f", model.Filter{Title: "f", Action: model.FilterHide,
			Contexts: model.FilterContexts, Keywords: []model.FilterKeyword{{Keyword: "finale"}}})
		return err
	}
	removeFilter := func(ctx context.Context, s *store.Store) error { return s.Graph.RemoveFilter(ctx, "bob", "f") }
	unregister := func(ctx context.Context, s *store.Store) error { return s.Devices.Remove(ctx, "bob", "phone", "") }
	draft := func(ctx context.Context, s *store.Store) error {
		_, err := s.Drafts.Save(ctx, "ann", model.SavedDraft{Draft: model.Draft{Content: "later"}}, model.Request{Key: "k"})
		return err
	}
	discard := func(ctx context.Context, s *store.Store) error {
		return s.Drafts.Delete(ctx, "ann", model.NewDraftID("ann", "k"))
	}
	put := func(ctx context.Context, s *store.Store) error {
		return s.Shop.Put(ctx, shop.Customer{ID: "guest", Guest: true}, p.ID, 2)
	}
	merge := func(ctx context.Context, s *store.Store) error {
		return s.Shop.Merge(ctx, shop.Customer{ID: "ann"}, "guest")
	}
	vote := func(ctx context.Context, s *store.Store) error {
		_, err := s.Polls.Vote(ctx, "bob", id, 1)
		return err
	}
	request := "followRequests/" + model.FollowRequestKey("bob", "cat")
	tests := []struct {
		name      string
		act       act
		meanwhile []act
		paths     []string // of the documents that the acts make and take
	}{ // each begins with what the one before left
		{"like", like, []act{unmark(model.ReactionLike)}, []string{"likes/" + key}},
		{"unlike", unmark(model.ReactionLike), []act{like}, []string{"likes/" + key}},
		{"share", share, []act{unmark(model.ReactionShare)}, []string{"shares/" + key}},
		{"unshare", unmark(model.ReactionShare), []act{share}, []string{"shares/" + key}},
		{"bookmark", bookmark, []act{unmark(model.ReactionBookmark)}, []string{"bookmarks/" + key}},
		{"unbookmark", unmark(model.ReactionBookmark), []act{bookmark}, []string{"bookmarks/" + key}},
		{"vote", vote, []act{unmark(model.ReactionVote)}, []string{"votes/" + key}},
		{"follow", follow("ann"), []act{unfollow("ann")}, []string{"relationships/bob_ann", "viewers/bob"}},
		{"unfollow", unfollow("ann"), []act{follow("ann")}, []string{"relationships/bob_ann", "viewers/bob"}},
		{"ask", follow("cat"), []act{unfollow("cat")}, []string{request}},
		{"withdraw", unfollow("cat"), []act{follow("cat")}, []string{request}},
		{"ask again", follow("cat"), []act{unfollow("cat")}, []string{request}},
		{"refuse", refuse, []act{follow("cat")}, []string{request}},
		{"ask once more", follow("cat"), []act{unfollow("cat")}, []string{request}},
		{"accept", accept, []act{unfollow("cat"), follow("cat")}, []string{request, "relationships/bob_cat"}},
		{"block", block, []act{unblock}, []string{"blocks/ann_root", "viewers/ann"}},
		{"unblock", unblock, []act{block}, []string{"blocks/ann_root", "viewers/ann"}},
		{"flag", flag(true), []act{flag(false)}, []string{"tweets/" + string(id)}},
		{"unflag", flag(false), []act{flag(true)}, []string{"tweets/" + string(id)}},
		{"hide shares", hide, []act{unhide}, []string{"hiddenSharers/bob_ann", "viewers/bob"}},
		{"show shares", unhide, []act{hide}, []string{"hiddenSharers/bob_ann", "viewers/bob"}},
		{"mute a user", muteUser, []act{unmuteUser}, []string{"mutedUsers/bob_ann", "viewers/bob"}},
		{"unmute a user", unmuteUser, []act{muteUser}, []string{"mutedUsers/bob_ann", "viewers/bob"}},
		{"put a filter", putFilter, []act{removeFilter}, []string{"filters/bob", "viewers/bob"}},
		{"remove a filter", removeFilter, []act{putFilter}, []string{"filters/bob", "viewers/bob"}},
		{"mute", mute, []act{unmute}, []string{"noticeSettings/bob"}},
		{"unmute", unmute, []act{mute}, []string{"noticeSettings/bob"}},
		{"switch off", likes(false), []act{likes(true)}, []string{"noticeSettings/bob"}},
		{"pin", pin, []act{unpin}, []string{"pins/ann"}},
		{"unpin", unpin, []act{pin}, []string{"pins/ann"}},
		{"register a device", register, []act{unregister}, []string{"devices/bob"}},
		{"remove a device", unregister, []act{register}, []string{"devices/bob"}},
		{"introduce", introduce("one"), []act{introduce("two")}, []string{"userDetails/ann"}},
		{"draft", draft, []act{discard}, []string{"drafts/" + model.DraftKey("ann", model.NewDraftID("ann", "k"))}},
		{"put into a new cart", put, []act{merge}, []string{"carts/guest"}},
	}
	e.CoolDown()
	for _, test := range tests {
		docs := func() (all []map[string]any) {
			for _, path := range test.paths {
				all = append(all, e.Doc(t, path))
			}
			return all
		}
		before := docs()
		var want []map[string]any
		losses := storetest.LoseFirst(func() {
			e.CoolDown()
			if cmp.Equal(before, docs()) {
				t.Errorf("%s: the act changed nothing: %v", test.name, before)
			}
			for _, a := range test.meanwhile {
				if err := a(t.Context(), e.Store); err != nil {
					t.Errorf("%s: meanwhile: %v", test.name, err)
				}
			}
			want = docs()
		})
		s := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
		err := test.act(t.Context(), s)
		if losses.SentAgain() != 1 {
			t.Errorf("%s: %d commits were sent again, want 1", test.name, losses.SentAgain())
		}
		if errs.KindOf(err) != errs.Unavailable {
			t.Errorf("%s: %v, want that nobody knows", test.name, err)
		}
		if diff := cmp.Diff(want, docs()); diff != "" {
			t.Errorf("%s: the commit that came again changed something (-want +got):\n%s", test.name, diff)
		}
		for _, a := range test.meanwhile { // as the next one expects it
			if err := a(t.Context(), e.Store); err != nil {
				t.Errorf("%s: afterwards: %v", test.name, err)
			}
		}
		if err := test.act(t.Context(),
			e.Again(t, store.Options{Meter: meter.Options{Below: storetest.LoseFirst(func() {}).Lose}})); err != nil {
			t.Errorf("%s, with nothing meanwhile: %v", test.name, err)
		}
	}
}
