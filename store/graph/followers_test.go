package graph_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// followed is a user with followers, and a list of them.
type followed struct {
	*storetest.Env
	t *testing.T
}

// newFollowed makes ann, who is followed by user_0, user_1 and so on. Some follow at the same time.
func newFollowed(t *testing.T, listed, followers int) followed {
	t.Helper()
	f := followed{storetest.Open(t, store.Options{ListedFollowers: listed, WriteEvery: time.Millisecond}), t}
	f.CreateUsers(t, "ann")
	for n := range followers {
		f.begin(n)
		if n%3 != 0 {
			f.Clock.Add(time.Second)
		}
	}
	return f
}

func follower(n int) model.UserID { return model.UserID(fmt.Sprint("user_", n)) }

// begin lets a follower follow ann. The function hears of it.
func (f followed) begin(n int) {
	f.t.Helper()
	if snap, _ := f.Raw.Doc("users/" + string(follower(n))).Get(f.t.Context()); !snap.Exists() {
		f.CreateUsers(f.t, follower(n))
	}
	testenv.Must(f.t, f.Graph.Follow(f.t.Context(), follower(n), "ann"))
	f.hear(n, true)
}

// end ends a relationship. The function hears of it.
func (f followed) end(n int) {
	f.t.Helper()
	testenv.Must(f.t, f.Graph.Unfollow(f.t.Context(), follower(n), "ann"))
	f.hear(n, false)
}

func (f followed) hear(n int, began bool) {
	f.t.Helper()
	testenv.Must(f.t, f.FollowerLists.Reconcile(f.t.Context(), "ann", follower(n), began))
}

// list reads the document.
func (f followed) list() (l model.FollowerList) {
	f.t.Helper()
	snap, err := f.Raw.Doc("followerLists/ann").Get(f.t.Context())
	testenv.Must(f.t, err)
	testenv.Must(f.t, snap.DataTo(&l))
	return l
}

// has checks who is in the document, newest first, and whether it is whole.
func (f followed) has(what string, whole bool, want ...int) {
	f.t.Helper()
	l := f.list()
	uids := make([]model.UserID, len(want))
	for i, n := range want {
		uids[i] = follower(n)
	}
	var got []model.UserID
	for _, r := range l.Relationships("ann") {
		got = append(got, r.FollowerID)
	}
	if !slices.Equal(got, uids) || l.Whole != whole {
		f.t.Errorf("%s: the list has %v, whole %v, want %v, %v", what, got, l.Whole, uids, whole)
	}
}

// slowly returns a process that does something before its nth write of the list.
func (f followed) slowly(nth int, do func()) *store.Store {
	n := 0
	return f.Again(f.t, store.Options{ListedFollowers: 4, Meter: meter.Options{Below: storetest.Before(
		func(path string, _ *pb.Write) bool {
			if path == "followerLists/ann" {
				n++
			}
			return n == nth
		}, do)}})
}

// Pages of followers are the same from the list and from the relationships, whatever their size, and beyond the list,
// too. A page in the list reads one document.
func TestFollowers(t *testing.T) {
	t.Parallel()
	const followers = 11
	for _, listed := range []int{1, 4, 10, 11, 200} {
		t.Run(fmt.Sprint(listed), func(t *testing.T) {
			t.Parallel()
			f := newFollowed(t, listed, followers)
			f.end(3)
			for _, limit := range []int{1, 2, 3, 5, 10, 20} {
				list := f.list()
				var all [][]model.Relationship
				for _, byList := range []bool{true, false} {
					var got []model.Relationship
					for from, read := (model.Cursor{}), 0; ; {
						var m meter.Meter
						page, err := f.Graph.Followers(meter.With(t.Context(), &m), "ann", from, limit)
						testenv.Must(t, err)
						read += len(page.Items)
						if byList && (len(page.Items) == limit && read <= len(list.Followers) || list.Whole) && m.Reads() != 1 {
							t.Errorf("a page to %d of %d costs %d reads", read, len(list.Followers), m.Reads())
						}
						if m.Reads() > 1+max(1, int64(limit)) {
							t.Errorf("a page of %d costs %d reads", limit, m.Reads())
						}
						got = append(got, page.Items...)
						if from = page.Next; from.IsZero() || len(got) > followers {
							break
						}
					}
					all = append(all, got)
					// as a process leaves it that ends after it made the list
					_, err := f.Raw.Doc("followerLists/ann").Set(t.Context(), map[string]any{"whole": false})
					testenv.Must(t, err)
				}
				if diff := cmp.Diff(all[1], all[0]); diff != "" || len(all[0]) != followers-1 {
					t.Errorf("%d followers by pages of %d (-query +list):\n%s", len(all[0]), limit, diff)
				}
				f.hear(3, false) // fills the list up
			}
		})
	}
}

// Who has no list has a query, and no event of an end makes a list.
func TestFollowersWithoutList(t *testing.T) {
	t.Parallel()
	f := newFollowed(t, 4, 2)
	_, err := f.Raw.Doc("followerLists/ann").Delete(t.Context())
	testenv.Must(t, err)
	f.end(0)
	if lists := f.IDs(t, model.FollowerLists); len(lists) > 0 {
		t.Errorf("there are lists of %v", lists)
	}
	testenv.Must(t, storetest.Costs(t, "Followers", 1+1, 0, 0, func(ctx context.Context) error {
		page, err := f.Graph.Followers(ctx, "ann", model.Cursor{}, 20)
		if len(page.Items) != 1 || page.Items[0].FollowerID != follower(1) {
			t.Errorf("the followers are %v", page.Items)
		}
		return err
	}))
	page, err := f.Graph.Followers(t.Context(), "nobody", model.Cursor{}, 20)
	if err != nil || len(page.Items) > 0 {
		t.Errorf("Followers(nobody) = %v, %v", page, err)
	}
}

// A list has the newest followers. Ends of relationships make it shorter, until it is filled up.
func TestFollowerList(t *testing.T) {
	t.Parallel()
	f := newFollowed(t, 4, 0)
	f.CreateUsers(t, follower(0))
	costs := func(what string, n int, began bool, reads, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			return f.FollowerLists.Reconcile(ctx, "ann", follower(n), began)
		}))
	}
	testenv.Must(t, f.Graph.Follow(t.Context(), follower(0), "ann"))
	costs("the first follower", 0, true, 2+1, 2)
	f.has("the first follower", true, 0)
	costs("the event once more", 0, true, 2, 0)
	for n := 1; n < 7; n++ {
		f.Clock.Add(time.Second)
		f.begin(n)
	}
	f.has("seven followers", false, 6, 5, 4, 3)
	costs("of an older follower", 1, true, 2, 1) // see TestLateFollower
	f.end(4)
	f.end(1)
	f.has("without two", false, 6, 5, 3)
	f.hear(0, true)
	f.has("without those between", false, 6, 5, 3)
	costs("an end once more", 4, false, 2, 1)
	f.end(6)
	f.has("without three", false, 5, 3)
	testenv.Must(t, f.Graph.Unfollow(t.Context(), follower(3), "ann"))
	costs("an end that leaves a short list", 3, false, 2+3, 1)
	f.has("filled up", true, 5, 2, 0)
	f.Clock.Add(time.Second)
	f.end(2)
	f.begin(2) // again, and later
	f.has("follows again", true, 2, 5, 0)
	testenv.Must(t, f.Graph.Block(t.Context(), "ann", follower(5)))
	f.hear(5, false)
	f.has("blocked", true, 2, 0)
}

// A process that has read a relationship which then ends does not put it into the list, although the list has changed
// in nothing else.
func TestUnfollowDuringFollow(t *testing.T) {
	t.Parallel()
	f := newFollowed(t, 4, 2)
	f.CreateUsers(t, follower(2))
	testenv.Must(t, f.Graph.Follow(t.Context(), follower(2), "ann"))
	slow := f.slowly(1, func() { f.end(2) })
	testenv.Must(t, slow.FollowerLists.Reconcile(t.Context(), "ann", follower(2), true))
	f.has("the end came first", true, 1, 0)
}

// A follower leaves, and follows again at the same time by the clocks of the processes. The event of the end is slow.
func TestFollowsAgainAtTheSameTime(t *testing.T) {
	t.Parallel()
	f := newFollowed(t, 4, 1)
	testenv.Must(t, f.Graph.Unfollow(t.Context(), follower(0), "ann"))
	slow := f.slowly(1, func() { f.begin(0) })
	testenv.Must(t, slow.FollowerLists.Reconcile(t.Context(), "ann", follower(0), false))
	f.has("follows again", true, 0)
}

// A relationship ends while another process makes the first list.
func TestUnfollowDuringFirstList(t *testing.T) {
	t.Parallel()
	for nth := 1; nth <= 2; nth++ {
		t.Run(fmt.Sprint("before write ", nth), func(t *testing.T) {
			t.Parallel()
			f := newFollowed(t, 4, 2)
			_, err := f.Raw.Doc("followerLists/ann").Delete(t.Context())
			testenv.Must(t, err)
			slow := f.slowly(nth, func() { f.end(0) })
			testenv.Must(t, slow.FollowerLists.Reconcile(t.Context(), "ann", follower(1), true))
			f.has("one has left", true, 1)
		})
	}
}

// A relationship that is older than the list begins while another process fills the list up.
func TestLateFollower(t *testing.T) {
	t.Parallel()
	f := newFollowed(t, 4, 0)
	f.CreateUsers(t, follower(9))
	early := f.Clock.Now()
	for n := range 5 {
		f.Clock.Add(time.Second)
		f.begin(n)
	}
	f.end(4)
	f.end(3)
	testenv.Must(t, f.Graph.Unfollow(t.Context(), follower(2), "ann"))
	slow := f.slowly(1, func() {
		_, err := f.Raw.Collection(model.Relationships).Doc(model.RelationshipKey(follower(9), "ann")).Set(t.Context(),
			model.Relationship{FollowerID: follower(9), FollowedID: "ann", CreatedAt: early})
		testenv.Must(t, err)
		f.hear(9, true)
	})
	testenv.Must(t, slow.FollowerLists.Reconcile(t.Context(), "ann", follower(2), false))
	f.has("the late one too", true, 1, 0, 9)
}

// Processes that write a list at once ask for a rebuild. The rebuild sees all changes before it was asked for, and a
// change during the rebuild asks again.
func TestContendedFollowerList(t *testing.T) {
	t.Parallel()
	f := newFollowed(t, 4, 1)
	for n := 1; n < 6; n++ {
		f.CreateUsers(t, follower(n))
		f.Clock.Add(time.Second)
		testenv.Must(t, f.Graph.Follow(t.Context(), follower(n), "ann"))
	}
	var work model.RollUpWork
	asked := func() bool {
		snap, err := f.Raw.Doc("rollups/followerLists_ann").Get(t.Context())
		if !snap.Exists() {
			return false
		}
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&work))
		work.WrittenAt = snap.UpdateTime
		return true
	}
	slow := f.Again(t, store.Options{ListedFollowers: 4, WriteEvery: time.Millisecond, Meter: meter.Options{
		Below: func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
			opts ...grpc.CallOption) error {
			commit, _ := req.(*pb.CommitRequest)
			for _, w := range commit.GetWrites() {
				if w.GetUpdate() != nil && w.GetUpdate().GetName() == f.Raw.Doc("followerLists/ann").Path {
					f.hear(1, false) // another process writes the list
				}
			}
			return invoke(ctx, method, req, reply, conn, opts...)
		}}})
	// The first finds the list contended, and the others know. The second looks how old the work is.
	for i, costs := range [][2]int64{{4, 1}, {1, 0}, {0, 0}} {
		testenv.Must(t, storetest.Costs(t, "Reconcile", costs[0], costs[1], 0, func(ctx context.Context) error {
			return slow.FollowerLists.Reconcile(ctx, "ann", follower(2+i), true)
		}))
	}
	f.has("not rebuilt", true, 1, 0)
	if !asked() {
		t.Fatal("no rebuild was asked for")
	}
	rebuilding := f.slowly(1, func() {
		testenv.Must(t, slow.FollowerLists.Reconcile(t.Context(), "ann", follower(5), true))
		f.hear(5, true)
	})
	testenv.Must(t, rebuilding.FollowerLists.RebuildAsked(t.Context(), work))
	f.has("rebuilt", false, 5, 4, 3, 2)
	if !asked() {
		t.Error("a change during the rebuild does not ask again")
	}
	// The process ended when it had taken the work: its event comes again.
	_, err := f.Raw.Doc("followerLists/ann").Update(t.Context(), []firestore.Update{
		{FieldPath: firestore.FieldPath{"followers", "user_2"}, Value: firestore.Delete}})
	testenv.Must(t, err)
	_, err = f.Raw.Doc("rollups/followerLists_ann").Delete(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, f.FollowerLists.RebuildAsked(t.Context(), work))
	f.has("rebuilt by the second delivery", false, 5, 4, 3, 2)
}
