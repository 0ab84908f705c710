package discovery_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// viewerOf is a user who may write.
func viewerOf(uid model.UserID) model.Viewer { return model.Viewer{ID: uid, Role: model.Member} }

func follow(t *testing.T, e *storetest.Env, follower model.UserID, followed ...model.UserID) {
	t.Helper()
	for _, f := range followed {
		_, err := e.Graph.FollowOrAsk(t.Context(), follower, f)
		testenv.Must(t, err)
	}
}

// suggested returns the suggestions of a user, each with its reasons.
func suggested(t *testing.T, s *store.Store, uid model.UserID) []string {
	t.Helper()
	all, err := s.Suggestions.For(t.Context(), viewerOf(uid), "", model.MaxSuggested)
	testenv.Must(t, err)
	got := []string{}
	for _, is := range all {
		line := string(is.ID)
		for _, by := range is.FollowedBy {
			line += " " + string(by.ID)
		}
		if is.Others > 0 {
			line += fmt.Sprint(" +", is.Others)
		}
		for _, tag := range is.Tags {
			line += " #" + tag
		}
		got = append(got, line+strings.TrimSuffix(" "+is.Language, " "))
	}
	return got
}

func wantSuggested(t *testing.T, s *store.Store, uid model.UserID, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), suggested(t, s, uid)); diff != "" {
		t.Errorf("suggestions for %s (-want +got):\n%s", uid, diff)
	}
}

func compute(t *testing.T, e *storetest.Env, want int) {
	t.Helper()
	n, err := e.Suggestions.Compute(t.Context(), never)
	testenv.Must(t, err)
	if n != want {
		t.Errorf("%d computations, want %d", n, want)
	}
}

// The people whom followed people follow are suggested to a user who asked, with the reasons, after a computation.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal", "new")
	follow(t, e, "ann", "bob", "cat", "dan", "eve")
	follow(t, e, "bob", "fay", "gil", "ann")
	follow(t, e, "cat", "fay")
	follow(t, e, "dan", "fay", "bob")
	follow(t, e, "eve", "fay")
	compute(t, e, 0) // nobody asked
	s := e.Again(t, store.Options{})
	testenv.Must(t, storetest.Costs(t, "the first question", 4, 1, 0, func(ctx context.Context) error {
		_, err := s.Suggestions.For(ctx, viewerOf("ann"), "", 10)
		return err
	}))
	compute(t, e, 1)
	compute(t, e, 0)
	// two followed people who are named may differ, so the number of names is what counts
	all, err := e.Suggestions.For(t.Context(), viewerOf("ann"), "", 10)
	testenv.Must(t, err)
	if len(all) != 2 || all[0].ID != "fay" || len(all[0].FollowedBy) != 3 || all[0].Others != 1 {
		t.Errorf("suggestions = %+v, want fay first, followed by 3 and 1 other", all)
	}
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "a question with cached profiles", 3, 0, 0, func(ctx context.Context) error {
		all, err := e.Suggestions.For(ctx, viewerOf("ann"), "", 2)
		if len(all) != 2 {
			t.Errorf("%d suggestions, want 2", len(all))
		}
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "a dismissal", 2, 1, 0, func(ctx context.Context) error {
		return e.Suggestions.Dismiss(ctx, "ann", "fay")
	}))
	testenv.Must(t, storetest.Costs(t, "a dismissal again", 1, 0, 0, func(ctx context.Context) error {
		return e.Suggestions.Dismiss(ctx, "ann", "fay")
	}))
	wantSuggested(t, e.Store, "ann", "gil bob")
	e.Clock.Add(25 * time.Hour)
	compute(t, e, 1)
	wantSuggested(t, e.Store, "ann", "gil bob")
	// A reason whom the user follows no more is none.
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "ann", "bob"))
	wantSuggested(t, e.Store, "ann", "gil")
	// A person of the same language.
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "gil", model.UserPatch{Language: new("pt-BR")}))
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Language: new("pt")}))
	wantSuggested(t, e.Again(t, store.Options{}), "ann", "gil pt")
}

// A reason does not name whom the user mutes since the computation, with a whole graph or without.
func TestSuggestionReasonMuted(t *testing.T) {
	t.Parallel()
	for _, entries := range []int{5000, 1} {
		t.Run(fmt.Sprint(entries), func(t *testing.T) {
			t.Parallel()
			o := store.Options{MaxViewerEntries: entries}
			e := storetest.Open(t, o)
			e.CreateUsers(t, "ann", "bob", "cat", "dan")
			_, err := e.Raw.Doc("suggestions/ann").Set(t.Context(), model.Suggestions{WantedAt: e.Clock.Now(),
				ComputedAt: e.Clock.Now(), Followed: 2, Checked: true, People: []model.Candidate{{ID: "dan", Followers: 2,
					FollowedBy: []model.UserID{"bob", "cat"}}}})
			testenv.Must(t, err)
			_, err = e.Raw.Doc("viewers/ann").Set(t.Context(), map[string]any{"complete": entries > 1, "partial": entries == 1,
				"follows": map[string]any{"bob": e.Clock.Now(), "cat": e.Clock.Now()}})
			testenv.Must(t, err)
			if got := suggested(t, e.Store, "ann"); !slices.Equal(got, []string{"dan bob cat"}) {
				t.Fatalf("suggestions = %q, want dan for two reasons", got)
			}
			testenv.Must(t, e.Graph.Mute(t.Context(), model.MutedUser{UserID: "ann", MutedID: "bob", Part: model.MuteAll}, 0))
			wantSuggested(t, e.Again(t, o), "ann", "dan cat")
		})
	}
}

// Who has not asked for a week is computed no more, and who asks again is.
func TestSuggestionsWanted(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	follow(t, e, "ann", "bob")
	follow(t, e, "bob", "cat")
	suggested(t, e.Store, "ann")
	days := 0
	for range 12 {
		n, err := e.Suggestions.Compute(t.Context(), never)
		testenv.Must(t, err)
		days += n
		e.Clock.Add(24 * time.Hour)
	}
	if days != 8 {
		t.Errorf("%d computations after one question, want 8: at once, and on each of 7 days", days)
	}
	suggested(t, e.Store, "ann")
	compute(t, e, 1)
	// One of the first follows has the next computation at once, and only one.
	e.CreateUsers(t, "dan", "eve")
	follow(t, e, "dan", "eve")
	follow(t, e, "ann", "dan")
	suggested(t, e.Store, "ann")
	testenv.Must(t, storetest.Costs(t, "a question while due", 3, 0, 0, func(ctx context.Context) error {
		_, err := e.Suggestions.For(ctx, viewerOf("ann"), "", 2)
		return err
	}))
	compute(t, e, 1)
	compute(t, e, 0)
	if got := suggested(t, e.Store, "ann"); !slices.Contains(got, "eve dan") {
		t.Errorf("suggestions after the second follow = %q, want eve among them", got)
	}
}

// The computations of a day stop at the budget, and go on the next day where they stopped.
func TestSuggestionBudget(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{SuggestionReads: model.SuggestMostReads + 5})
	users := []model.UserID{"ann", "bob", "cat", "dan"}
	e.CreateUsers(t, users...)
	for i, uid := range users {
		follow(t, e, uid, users[(i+1)%4])
		suggested(t, e.Store, uid)
		e.Clock.Add(time.Second)
	}
	m := meter.New()
	n, err := e.Suggestions.Compute(meter.With(t.Context(), m), never)
	testenv.Must(t, err)
	if n < 1 || n > 3 || m.Reads() > model.SuggestMostReads+5+5 {
		t.Fatalf("%d computations with %d reads, want some, and no more reads than the day has", n, m.Reads())
	}
	testenv.Must(t, storetest.Costs(t, "a look when the day is used up", 0, 0, 0, func(ctx context.Context) error {
		_, err := e.Suggestions.Compute(ctx, never)
		return err
	}))
	other := e.Again(t, store.Options{SuggestionReads: model.SuggestMostReads + 5})
	again, err := other.Suggestions.Compute(t.Context(), never)
	testenv.Must(t, err)
	if again != 0 {
		t.Errorf("%d more computations of another process on the same day, want none", again)
	}
	e.Clock.Add(24 * time.Hour)
	for _, uid := range users[n:] {
		if e.Doc(t, "suggestions/"+string(uid))["computedAt"] != nil {
			t.Errorf("%s was computed, want the longest due first", uid)
		}
	}
	next, err := e.Suggestions.Compute(t.Context(), never)
	testenv.Must(t, err)
	if next == 0 || e.Doc(t, "suggestions/"+string(users[n]))["computedAt"] == nil {
		t.Errorf("%d computations on the next day, want first the user who waits", next)
	}
}

// Two computations at once share the budget of a day, and what both spend counts.
func TestSuggestionBudgetAtOnce(t *testing.T) {
	t.Parallel()
	o := store.Options{SuggestionReads: model.SuggestMostReads + 5}
	e := storetest.Open(t, o)
	users := []model.UserID{"ann", "bob", "cat", "dan"}
	e.CreateUsers(t, users...)
	for i, uid := range users {
		follow(t, e, uid, users[(i+1)%4])
		suggested(t, e.Store, uid)
		e.Clock.Add(time.Second)
	}
	spent := func() int64 {
		n, _ := e.Doc(t, "jobs/suggestions")["reads"].(int64)
		return n
	}
	var others int64
	o.Meter.Below = storetest.Before(storetest.WritesTo("suggestions/ann"), func() {
		_, err := e.Suggestions.Compute(t.Context(), never)
		testenv.Must(t, err)
		others = spent()
	})
	n, err := e.Again(t, o).Suggestions.Compute(t.Context(), never)
	testenv.Must(t, err)
	if others < 6 {
		t.Fatalf("the other process spent %d reads, the test needs the day's", others)
	}
	if n != 1 {
		t.Errorf("%d computations beside another process that used up the day's reads, want the one that had begun", n)
	}
	if got := spent(); got <= others {
		t.Errorf("%d reads are counted, %d of the other process, want those of both", got, others)
	}
}

// The document of a user who has left is removed when it is due, also if it is there after the deletion. It stays if
// the user signs up again and asks meanwhile.
func TestSuggestionsOfNobody(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	for _, uid := range []string{"ann", "gone", "again"} {
		_, err := e.Raw.Doc("suggestions/"+uid).Set(t.Context(), map[string]any{"wantedAt": e.Clock.Now(),
			"dueAt": e.Clock.Now()})
		testenv.Must(t, err)
	}
	s := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("suggestions/again"),
		func() {
			e.CreateUsers(t, "again")
			_, err := e.Raw.Doc("suggestions/again").Set(t.Context(), map[string]any{
				"wantedAt": e.Clock.Now().Add(time.Second)}, firestore.MergeAll)
			testenv.Must(t, err)
		})}})
	n, err := s.Suggestions.Compute(t.Context(), never)
	testenv.Must(t, err)
	if n != 3 {
		t.Errorf("%d computations, want 3", n)
	}
	if diff := cmp.Diff([]string{"again", "ann"}, e.IDs(t, "suggestions")); diff != "" {
		t.Errorf("suggestions (-want +got):\n%s", diff)
	}
	if e.Doc(t, "suggestions/ann")["computedAt"] == nil {
		t.Error("the user who follows nobody has no computation")
	}
}

// One computation has a bounded cost, however many users somebody follows and whatever they follow.
func TestSuggestionCost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	follows := map[string]any{}
	for n := range 60 {
		uid := fmt.Sprintf("friend%02d", n)
		follows[uid] = e.Clock.Now()
		theirs := map[string]any{}
		for k := range 100 {
			theirs[fmt.Sprintf("stranger%03d", (n*7+k)%300)] = e.Clock.Now()
		}
		_, err := e.Raw.Doc("viewers/"+uid).Set(t.Context(), map[string]any{"complete": true, "follows": theirs})
		testenv.Must(t, err)
	}
	_, err := e.Raw.Doc("viewers/ann").Set(t.Context(), map[string]any{"complete": true, "follows": follows})
	testenv.Must(t, err)
	for n := range 9 {
		tag := fmt.Sprint("tag", n)
		for _, uid := range []string{"ann", "u1", "u2", "u3", "u4", "u5"} {
			_, err := e.Raw.Doc("tagUses/"+uid+"_"+tag).Set(t.Context(), model.TagUsage{UserID: model.UserID(uid), Name: tag,
				Content: tag, TweetCount: 3})
			testenv.Must(t, err)
		}
	}
	for k := range 300 { // all were asked
		uid := model.UserID(fmt.Sprintf("stranger%03d", k))
		_, err := e.Raw.Doc("followRequests/"+model.FollowRequestKey("ann", uid)).Set(t.Context(),
			model.FollowRequest{FollowerID: "ann", FollowedID: uid})
		testenv.Must(t, err)
	}
	suggested(t, e.Store, "ann")
	m := meter.New()
	n, err := e.Suggestions.Compute(meter.With(t.Context(), m), never)
	testenv.Must(t, err)
	t.Logf("%d computation, %d reads", n, m.Reads())
	if spent, _ := e.Doc(t, "jobs/suggestions")["reads"].(int64); n != 1 || spent > model.SuggestMostReads {
		t.Errorf("%d computation that cost %d reads, want 1 with at most %d", n, spent, model.SuggestMostReads)
	} else if got := m.Reads() - 1 - 1; got > spent+1 { // the day's cost, and the query that finds nothing
		t.Errorf("billed reads = %d, counted %d", got, spent)
	}
}

// In a random graph nobody is suggested whom the user follows, asks, mutes or has a block with, nobody who is locked,
// suspended, gone or does not want it, nobody dismissed, and not the user. It holds after a computation, and after acts
// since.
func TestSuggestedMayBe(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{MaxViewerEntries: []int{5000, 5000, 6}[seed]}) // a small graph is partial
			r := rand.New(rand.NewPCG(seed, 31))
			var users []model.UserID
			for n := range 14 {
				users = append(users, model.UserID(fmt.Sprintf("user%02d", n)))
			}
			e.CreateUsers(t, users...)
			seen := 0
			act := func(n int) {
				for range n {
					a, b := users[r.IntN(len(users))], users[r.IntN(len(users))]
					if a == b {
						continue
					}
					ctx := t.Context()
					switch r.IntN(22) {
					case 0:
						if e.Graph.Block(ctx, a, b) == nil {
							testenv.Must(t, e.Viewers.Block(ctx, a, b))
						}
					case 1:
						_ = e.Graph.Mute(ctx, model.MutedUser{UserID: a, MutedID: b, Part: model.MuteAll}, 0)
					case 2:
						_ = e.Suggestions.Dismiss(ctx, a, b)
					case 3, 4:
						_ = e.Users.UpdateUser(ctx, a, model.UserPatch{Locked: new(r.IntN(2) == 0)})
					case 5:
						_ = e.Users.UpdateUser(ctx, a, model.UserPatch{NotSuggested: new(r.IntN(3) == 0), Discoverable: new(true)})
					case 6:
						_ = e.Graph.Unfollow(ctx, a, b)
					case 7:
						if r.IntN(4) == 0 {
							_, err := e.Raw.Doc("standings/"+string(a)).Set(ctx, model.AccountStatus{State: []model.AccountStatusState{
								model.AccountStatusFree, model.AccountStatusFrozen, model.AccountStatusSuspended}[r.IntN(3)]})
							testenv.Must(t, err)
						}
					case 8:
						if r.IntN(6) == 0 {
							_, _ = e.Users.Leave(ctx, a)
						}
					default:
						_, _ = e.Graph.FollowOrAsk(ctx, a, b)
					}
					e.Clock.Add(time.Second)
				}
			}
			check := func() {
				s := e.Again(t, store.Options{MaxViewerEntries: []int{5000, 5000, 6}[seed]}) // with empty caches
				for _, uid := range users {
					all, err := s.Suggestions.For(t.Context(), viewerOf(uid), "", model.MaxSuggested)
					testenv.Must(t, err)
					had := map[model.UserID]bool{}
					for _, is := range all {
						seen++
						for what, path := range map[string]string{
							"follows":       "relationships/" + model.RelationshipKey(uid, is.ID),
							"asks":          "followRequests/" + model.FollowRequestKey(uid, is.ID),
							"blocks":        "blocks/" + model.BlockKey(uid, is.ID),
							"is blocked by": "blocks/" + model.BlockKey(is.ID, uid),
							"mutes":         "mutedUsers/" + model.MutedUserKey(uid, is.ID),
						} {
							if e.Doc(t, path) != nil {
								t.Errorf("%s is suggested to %s, who %s the user", is.ID, uid, what)
							}
						}
						profile, state := e.Doc(t, "users/"+string(is.ID)), e.Doc(t, "standings/"+string(is.ID))["state"]
						dismissed, _ := e.Doc(t, "suggestions/"+string(uid))["dismissed"].([]any)
						if profile == nil || profile["locked"] == true || profile["notSuggested"] == true || is.ID == uid ||
							had[is.ID] || state != nil && state != "free" || slices.Contains(dismissed, any(string(is.ID))) {
							t.Errorf("%s is suggested to %s: %v, %v", is.ID, uid, profile, state)
						}
						had[is.ID] = true
						for _, by := range is.FollowedBy {
							if e.Doc(t, "relationships/"+model.RelationshipKey(uid, by.ID)) == nil {
								t.Errorf("%s is suggested to %s, followed by %s, whom the user does not follow", is.ID, uid, by.ID)
							}
						}
					}
				}
			}
			act(60)
			check()
			for range 3 {
				_, err := e.Suggestions.Compute(t.Context(), never)
				testenv.Must(t, err)
				check()
				act(25)
				check()
				e.Clock.Add(25 * time.Hour)
			}
			if seen < 50 {
				t.Errorf("%d suggestions in all, want many", seen)
			}
		})
	}
}

// A dismissal during a computation holds, and so does a question.
func TestDismissDuringComputation(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow(t, e, "ann", "bob")
	follow(t, e, "bob", "cat", "dan")
	suggested(t, e.Store, "ann")
	once := false
	o := store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("suggestions/ann"), func() {
		if !once {
			once = true
			testenv.Must(t, e.Suggestions.Dismiss(t.Context(), "ann", "cat"))
		}
	})}}
	_, err := e.Again(t, o).Suggestions.Compute(t.Context(), never)
	testenv.Must(t, err)
	if !once {
		t.Fatal("nothing was written")
	}
	people, _ := e.Doc(t, "suggestions/ann")["people"].([]any)
	for _, p := range people {
		if p.(map[string]any)["id"] == "cat" {
			t.Error("the document has the person who was dismissed during the computation")
		}
	}
	_, err = e.Suggestions.Compute(t.Context(), never)
	testenv.Must(t, err)
	wantSuggested(t, e.Store, "ann", "dan bob")
}

// A computation that fails does not stop the others, and is tried again later.
func TestSuggestionFails(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow(t, e, "ann", "bob")
	follow(t, e, "bob", "cat")
	follow(t, e, "dan", "bob")
	for _, uid := range []model.UserID{"ann", "dan"} {
		suggested(t, e.Store, uid)
		e.Clock.Add(time.Second)
	}
	_, err := e.Raw.Doc("suggestions/ann").Update(t.Context(), []firestore.Update{{Path: "dismissed", Value: "no list"}})
	testenv.Must(t, err)
	n, err := e.Suggestions.Compute(t.Context(), never)
	if n != 1 || err == nil {
		t.Errorf("Compute = %d, %v, want 1 and the failure", n, err)
	}
	wantSuggested(t, e.Store, "dan", "cat bob")
	n, err = e.Suggestions.Compute(t.Context(), never)
	if n != 0 || err != nil {
		t.Errorf("Compute at once = %d, %v, want nothing due", n, err)
	}
}

// failReads returns an interceptor with which no batch with a document can be read.
func failReads(path string) grpc.StreamClientInterceptor {
	return func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer,
		opts ...grpc.CallOption) (grpc.ClientStream, error) {
		s, err := open(ctx, desc, conn, method, opts...)
		return failingReads{s, "/documents/" + path}, err
	}
}

// failingReads is the stream of a read.
type failingReads struct {
	grpc.ClientStream
	name string
}

func (s failingReads) SendMsg(m any) error {
	if b, ok := m.(*pb.BatchGetDocumentsRequest); ok && slices.ContainsFunc(b.Documents, func(name string) bool {
		return strings.HasSuffix(name, s.name)
	}) {
		return status.Error(codes.PermissionDenied, "not now")
	}
	return s.ClientStream.SendMsg(m)
}
