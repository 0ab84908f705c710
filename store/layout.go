package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
	"github.com/hibana-sns/hibana/store/ops"
)

// slowPage is how many users a step reads at a time whose documents it builds: one user may take a second.
const slowPage = 40

// layoutMigrations are the steps from the layout of version 0.1.0 to the present one, those of the way back, and the
// deletions that end the way back. Each step may be repeated, and runs beside the functions and the API of the present
// version; the steps back run beside those of version 0.1.0.
func layoutMigrations(s *Store, graphs *viewers.Store) []ops.Migration {
	d := s.db
	uid := func(ref *firestore.DocumentRef) model.UserID { return model.UserID(ref.ID) }
	below := func(collection string) func(context.Context, *firestore.DocumentSnapshot) (bool, error) {
		return func(ctx context.Context, user *firestore.DocumentSnapshot) (bool, error) {
			some, err := user.Ref.Collection(collection).Select().Limit(1).Documents(ctx).GetAll()
			return len(some) > 0, err
		}
	}
	count := func(q firestore.Query) func(context.Context) (int64, error) {
		return func(ctx context.Context) (int64, error) { return db.Count(ctx, q) }
	}
	former, present := votes(model.FormerVoteCounter, model.VoteCounter), votes(model.VoteCounter, model.FormerVoteCounter)
	// Version 0.1.0 writes these documents and reads them. So they go first, and only those from before the step.
	newest := ops.Delete("back-newest-tweets", model.FormerRecents, ops.Back, nil)
	newest.Once, newest.Older = true, true
	all := []ops.Migration{
		{Name: "viewers", Collection: model.Viewers, Group: ops.Forward, Page: slowPage, Reads: 30, Writes: 1,
			About: "builds the graphs anew that an earlier rollout left", Once: true, Older: true,
			Do: func(ctx context.Context, ref *firestore.DocumentRef) error {
				return graphs.Restore(ctx, uid(ref))
			}},
		{Name: "poll-votes", Collection: model.Polls, Group: ops.Forward, Writes: 1,
			About:  "adds the votes of polls to the map votes",
			Fields: former.fields, Lacks: former.lacks, Update: former.update},
		{Name: "share-marks", Collection: model.ShareMonths, Group: ops.Forward, Page: slowPage, Writes: 1,
			About: "marks the months of authors who shared in them",
			Lacking: func(ctx context.Context, snaps []*firestore.DocumentSnapshot) ([]*firestore.DocumentSnapshot, error) {
				snaps = slices.DeleteFunc(slices.Clone(snaps), func(snap *firestore.DocumentSnapshot) bool {
					return strings.Count(snap.Ref.ID, "_") != 1 // an overflow document
				})
				return lacking(ctx, d, snaps, model.TweetMonths, func(m *model.TweetMonth) bool { return m.Shares })
			},
			Do: func(ctx context.Context, ref *firestore.DocumentRef) error {
				_, month, _ := strings.Cut(ref.ID, "_")
				return s.Previews.MarkShares(ctx, model.KeyUser(ref.ID), model.Month(month))
			}},
		{Name: "heads", Collection: model.Users, Group: ops.Forward, Page: slowPage, Reads: 5, Writes: 1,
			About: "builds the newest posts and shares of each user",
			Lacking: func(ctx context.Context, snaps []*firestore.DocumentSnapshot) ([]*firestore.DocumentSnapshot, error) {
				return lacking(ctx, d, snaps, model.Heads, func(h *model.Head) bool { return !h.WrittenAt().IsZero() })
			},
			Do: func(ctx context.Context, ref *firestore.DocumentRef) error {
				return s.Timelines.RebuildHead(ctx, uid(ref))
			}},
		{Name: "notifications", Collection: model.Users, Group: ops.Forward, Page: slowPage, Reads: 1, Deletes: 1,
			About: "moves the notifications of each user into a list",
			Count: count(d.Client.CollectionGroup(model.Notifications).Query), Lacking: where(below(model.Notifications)),
			Do: func(ctx context.Context, ref *firestore.DocumentRef) error {
				return s.Audit.ImportNotifications(ctx, uid(ref))
			}},
		{Name: "search-parts", Collection: model.SearchDocs, Page: slowPage, Reads: 3, Writes: 1,
			About: "adds parts of words and titles to what searches find tweets by", Once: true, Older: true,
			Do: func(ctx context.Context, ref *firestore.DocumentRef) error {
				if _, id, ok := model.SearchPosition(ref.ID); ok { // no document of ours has another key
					return s.Search.Index(ctx, id)
				}
				return nil
			}},

		newest,
		{Name: "back-poll-votes", Collection: model.Polls, Group: ops.Back,
			About:  "adds the votes of polls to the fields votes1 to votes4",
			Fields: present.fields, Lacks: present.lacks, Update: present.update},
		{Name: "back-notifications", Collection: model.Users, Group: ops.Back, Page: slowPage,
			About:   "moves the notifications of each user into documents",
			Lacking: where(below(model.NotificationLists)),
			Do: func(ctx context.Context, ref *firestore.DocumentRef) error {
				return s.Audit.ExportNotifications(ctx, uid(ref))
			}},
		ops.Delete("back-heads", model.Heads, ops.Back, nil),
		ops.Delete("back-viewers", model.Viewers, ops.Back, nil),
		ops.Delete("back-followers", model.FollowerLists, ops.Back, nil),
	}
	for _, name := range model.FormerCollections {
		all = append(all, ops.Delete("former-"+name, name, ops.Former, nil))
	}
	totals := ops.Delete("former-totals", model.Totals, ops.Former, func(snap *firestore.DocumentSnapshot) bool {
		return snap.Ref.ID != model.TotalsDocument
	})
	remove := totals.Do
	totals.Do = func(ctx context.Context, ref *firestore.DocumentRef) error {
		shards, err := ref.Collection(model.Shards).DocumentRefs(ctx).GetAll()
		if err != nil {
			return err
		}
		for _, shard := range shards {
			if err := remove(ctx, shard); err != nil {
				return err
			}
		}
		return remove(ctx, ref)
	}
	return append(all, totals)
}

// votesMove moves the votes of polls from the counters of one version to those of the other. Both are right at any
// moment as the sum, so votes that come meanwhile are counted once.
type votesMove struct {
	fields []string
	lacks  func(*firestore.DocumentSnapshot) bool
	update func(context.Context, *firestore.DocumentSnapshot) ([]firestore.Update, error)
}

func votes(from, to func(option int) string) votesMove {
	m := votesMove{}
	for option := 1; option <= model.MaxPollOptions; option++ {
		m.fields = append(m.fields, from(option))
	}
	m.lacks = func(snap *firestore.DocumentSnapshot) bool { return ops.Has(snap, m.fields...) }
	m.update = func(_ context.Context, snap *firestore.DocumentSnapshot) (updates []firestore.Update, err error) {
		for i, name := range m.fields {
			n, err := snap.DataAt(name)
			if err != nil {
				continue // the poll has no such option
			}
			by, ok := n.(int64)
			if !ok {
				return nil, fmt.Errorf("%s: %s is %v", db.Path(snap.Ref), name, n)
			}
			updates = append(updates, firestore.Update{Path: name, Value: firestore.Delete})
			if by != 0 {
				updates = append(updates, firestore.Update{Path: to(i + 1), Value: firestore.Increment(by)})
			}
		}
		return updates, nil
	}
	return m
}

// lacking returns the documents without a document of another collection that has the same id and is as it should be.
//
// Cost: 1 read a document.
func lacking[T any](ctx context.Context, d *db.DB, snaps []*firestore.DocumentSnapshot, collection string,
	right func(*T) bool) (some []*firestore.DocumentSnapshot, err error) {
	var l db.Lookup
	found := make([]*db.Found[T], len(snaps))
	for i, snap := range snaps {
		found[i] = db.Find[T](&l, d.Doc(collection, snap.Ref.ID))
	}
	if err := d.Read(ctx, &l); err != nil {
		return nil, err
	}
	for i, snap := range snaps {
		if !found[i].Found || !right(&found[i].Doc) {
			some = append(some, snap)
		}
	}
	return some, nil
}

// where returns a function that returns the documents of which is reports true.
func where(is func(context.Context, *firestore.DocumentSnapshot) (bool, error)) func(context.Context,
	[]*firestore.DocumentSnapshot) ([]*firestore.DocumentSnapshot, error) {
	return func(ctx context.Context, snaps []*firestore.DocumentSnapshot) (some []*firestore.DocumentSnapshot, err error) {
		yes := make([]bool, len(snaps))
		g, ctx := safely.WithContext(ctx)
		g.SetLimit(slowPage)
		for i, snap := range snaps {
			g.Go(func() (err error) {
				yes[i], err = is(ctx, snap)
				return err
			})
		}
		err = g.Wait()
		for i, snap := range snaps {
			if yes[i] {
				some = append(some, snap)
			}
		}
		return some, err
	}
}
