package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"
	"google.golang.org/api/iterator"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// countedDoc is a document that triggers keep counts in, with the shards of its counts.
type countedDoc[T any] struct {
	Path string
	Doc  T

	// Pending is what stands in the shards and was not moved into the document yet, by
	// field, such as "likeCount" or "tagsUsed.go". Fields without any are absent.
	Pending map[string]int64

	// Version changes with every write to the document and its shards.
	Version string

	// Updated is when the document itself was written last.
	Updated time.Time
}

// userState is everything about one user, facts and derived documents, as it stood at
// one moment.
type userState struct {
	ID   model.UserID
	User *countedDoc[model.User] // nil without a profile

	Names     map[string]model.UserID // usernames that the user has or should have, to whose they are
	Tweets    map[model.TweetID]*countedDoc[model.Tweet]
	Replies   []*model.Tweet // to the user's tweets, by anybody
	Liked     []model.Like   // the likes of the user's tweets, also of those that are gone
	Shared    []model.Like   // likewise
	Likes     []model.Like   // by the user
	Followers []model.Relationship
	Following []model.Relationship
	Events    []model.Notice // that the user is notified of

	Months        map[model.Month]*monthState
	Recent        map[model.TweetID]model.Card
	Pages         pagesState
	Reactions     map[string]map[model.TweetID]model.Reaction // by document id
	Notifications map[string]*notificationState               // by document id
}

// monthState is a month of an author's tweets as readers see it, and the documents
// that hold each card: the month's own, which prevails, and overflow pages.
type monthState struct {
	Cards map[model.TweetID]model.Card
	In    map[model.TweetID][]string // document ids
}

// FollowerPages is where an author's followers stand.
type pagesState struct {
	Hashed int                                   // how many hashed pages count; 0 if it is the first page
	Pages  map[string]map[model.UserID]time.Time // those that count, by document id
	Asleep []model.UserID                        // who are marked so, though their home timeline is kept up
}

// CardState is a notification card with the users whom it counts.
type notificationState struct {
	model.Notification
	Actors map[model.UserID]bool
}

// moment is a time in the history of the database. What is read at one moment fits
// together, and nothing is locked for it.
type moment struct {
	a  *Auditor
	at time.Time
}

// moment is now, by the database's clock: 1 read.
func (a *Auditor) moment(ctx context.Context) (moment, error) {
	snap, err := a.db.Doc(model.Usernames, "me").Get(ctx)
	if err != nil && !db.NotFound(err) {
		return moment{}, err
	}
	return moment{a, snap.ReadTime}, nil
}

func (m moment) get(ctx context.Context, ref *firestore.DocumentRef) (*firestore.DocumentSnapshot, error) {
	snap, err := ref.WithReadOptions(firestore.ReadTime(m.at)).Get(ctx)
	if db.NotFound(err) {
		err = nil
	}
	return snap, err
}

// each decodes what a query finds, one document at a time.
func each[T any](ctx context.Context, m moment, q firestore.Query, do func(snap *firestore.DocumentSnapshot, v *T) error) error {
	it := q.WithReadOptions(firestore.ReadTime(m.at)).Documents(ctx)
	defer it.Stop()
	for {
		snap, err := it.Next()
		if errors.Is(err, iterator.Done) {
			return nil
		}
		if err != nil {
			return err
		}
		v := new(T)
		if err := snap.DataTo(v); err != nil {
			return fmt.Errorf("%s: %w", snap.Ref.Path, err)
		}
		if err := do(snap, v); err != nil {
			return err
		}
	}
}

// list decodes all that a query finds.
func list[T any](ctx context.Context, m moment, q firestore.Query, to *[]T) error {
	return each(ctx, m, q, func(_ *firestore.DocumentSnapshot, v *T) error {
		*to = append(*to, *v)
		return nil
	})
}

// counted decodes a document that exists, and reads its shards.
func readCounted[T any](ctx context.Context, m moment, snap *firestore.DocumentSnapshot) (*countedDoc[T], error) {
	c := &countedDoc[T]{Path: db.Path(snap.Ref), Pending: map[string]int64{}, Updated: snap.UpdateTime}
	if err := snap.DataTo(&c.Doc); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	var p struct {
		Rolled map[string]any `firestore:"rolled"`
	}
	if err := snap.DataTo(&p); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	newest, sums := snap.UpdateTime, counters.Sums{}
	it := snap.Ref.Collection(model.Shards).Query
	err := each(ctx, m, it, func(shard *firestore.DocumentSnapshot, data *map[string]any) error {
		sums.Add(*data)
		if shard.UpdateTime.After(newest) {
			newest = shard.UpdateTime
		}
		return nil
	})
	c.Pending = sums.Pending(p.Rolled)
	c.Version = snap.UpdateTime.UTC().Format(time.RFC3339Nano) + " " + newest.UTC().Format(time.RFC3339Nano)
	return c, err
}

// userState reads everything about one user, at one moment: a read for each of the
// user's facts and derived documents. It is an operator's reading, not a page's.
func (a *Auditor) readUser(ctx context.Context, uid model.UserID) (_ *userState, err error) {
	defer errs.Wrap(&err, "audit.readUser(%q)", uid)
	m, err := a.moment(ctx)
	if err != nil {
		return nil, err
	}
	u := &userState{
		ID: uid, Names: map[string]model.UserID{}, Tweets: map[model.TweetID]*countedDoc[model.Tweet]{},
		Months: map[model.Month]*monthState{}, Pages: pagesState{Pages: map[string]map[model.UserID]time.Time{}},
		Reactions: map[string]map[model.TweetID]model.Reaction{}, Notifications: map[string]*notificationState{},
	}
	where := func(collection, field string) firestore.Query {
		return a.db.Client.Collection(collection).Where(field, "==", uid)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return m.profile(ctx, u) })
	g.Go(func() error {
		return each(ctx, m, where(model.Tweets, "authorId"), func(snap *firestore.DocumentSnapshot, _ *model.Tweet) error {
			c, err := readCounted[model.Tweet](ctx, m, snap)
			if err == nil {
				c.Doc.ID = model.TweetID(snap.Ref.ID)
				u.Tweets[c.Doc.ID] = c
			}
			return err
		})
	})
	g.Go(func() error {
		return each(ctx, m, where(model.Tweets, "replyToAuthorId"), func(snap *firestore.DocumentSnapshot, t *model.Tweet) error {
			t.ID = model.TweetID(snap.Ref.ID)
			u.Replies = append(u.Replies, t)
			return nil
		})
	})
	g.Go(func() error { return list(ctx, m, where(model.Likes, "authorId"), &u.Liked) })
	g.Go(func() error { return list(ctx, m, where(model.Shares, "authorId"), &u.Shared) })
	g.Go(func() error { return list(ctx, m, where(model.Likes, "userId"), &u.Likes) })
	g.Go(func() error { return list(ctx, m, where(model.Relationships, "followedId"), &u.Followers) })
	g.Go(func() error { return list(ctx, m, where(model.Relationships, "followerId"), &u.Following) })
	g.Go(func() error {
		return m.events(ctx, uid, &u.Events)
	})
	g.Go(func() error { return m.months(ctx, uid, u.Months) })
	g.Go(func() error {
		return each(ctx, m, a.buckets(model.Reactions, uid), func(snap *firestore.DocumentSnapshot, month *model.ReactionMonth) error {
			u.Reactions[snap.Ref.ID] = month.Tweets
			return nil
		})
	})
	g.Go(func() error {
		snap, err := m.get(ctx, a.db.UserRecent(uid))
		var r model.UserRecent
		if _, err := db.Decode(snap, err)(&r); err != nil {
			return err
		}
		u.Recent = r.Tweets
		return nil
	})
	g.Go(func() error { return m.followerPages(ctx, u) })
	g.Go(func() error { return m.notifications(ctx, u) })
	return u, g.Wait()
}

// profile reads a user's profile and the names that are, or should be, reserved for it.
func (m moment) profile(ctx context.Context, u *userState) error {
	snap, err := m.get(ctx, m.a.db.Doc(model.Users, string(u.ID)))
	if err != nil {
		return err
	}
	if snap.Exists() {
		if u.User, err = readCounted[model.User](ctx, m, snap); err != nil {
			return err
		}
		u.User.Doc.ID = u.ID
		snap, err := m.get(ctx, m.a.db.Doc(model.Usernames, u.User.Doc.Username))
		var name model.Username
		if found, err := db.Decode(snap, err)(&name); err != nil {
			return err
		} else if found {
			u.Names[u.User.Doc.Username] = name.UID
		}
	}
	q := m.a.db.Client.Collection(model.Usernames).Where("uid", "==", u.ID)
	return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, name *model.Username) error {
		u.Names[snap.Ref.ID] = name.UID
		return nil
	})
}

// months reads all months of an author.
func (m moment) months(ctx context.Context, author model.UserID, to map[model.Month]*monthState) error {
	put := func(month model.Month, document string, cards map[model.TweetID]model.Card) {
		for id, card := range cards {
			if _, ok := to[month].Cards[id]; !ok {
				to[month].Cards[id] = card
			}
			to[month].In[id] = append(to[month].In[id], document)
		}
	}
	var roots []model.TweetMonth
	pages := map[string]map[model.TweetID]model.Card{}
	err := each(ctx, m, m.a.buckets(model.TweetMonths, author), func(snap *firestore.DocumentSnapshot, month *model.TweetMonth) error {
		if strings.Count(snap.Ref.ID, "_") > 1 {
			pages[snap.Ref.ID] = month.Tweets
			return nil
		}
		roots = append(roots, *month)
		to[month.Month] = &monthState{map[model.TweetID]model.Card{}, map[model.TweetID][]string{}}
		put(month.Month, snap.Ref.ID, month.Tweets)
		return nil
	})
	for _, root := range roots {
		for n := range root.Pages {
			document := model.MonthKey(author, root.Month) + "_" + n
			put(root.Month, document, pages[document])
		}
	}
	return err
}

func (m moment) followerPages(ctx context.Context, u *userState) error {
	var asleep []model.UserID
	put := func(id string, page *model.FollowerList) {
		u.Pages.Pages[id] = page.Followers
		for f := range page.Asleep {
			asleep = append(asleep, f)
		}
	}
	snap, err := m.get(ctx, m.a.db.FollowerPage(u.ID))
	var first model.FollowerList
	if _, err := db.Decode(snap, err)(&first); err != nil {
		return err
	}
	if u.Pages.Hashed = first.Pages; first.Pages == 0 {
		put(snap.Ref.ID, &first) // what may stand on hashed pages does not count yet
	} else {
		err := each(ctx, m, m.a.buckets(model.FollowerPages, u.ID), func(snap *firestore.DocumentSnapshot, page *model.FollowerList) error {
			put(snap.Ref.ID, page)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, f := range asleep {
		home, err := m.get(ctx, m.a.db.Home(f))
		if err != nil {
			return err
		}
		if home.Exists() {
			u.Pages.Asleep = append(u.Pages.Asleep, f)
		}
	}
	return nil
}

func (m moment) notifications(ctx context.Context, u *userState) error {
	cards := m.a.db.Doc(model.Users, string(u.ID)).Collection(model.Notifications).Query
	return each(ctx, m, cards, func(snap *firestore.DocumentSnapshot, n *model.Notification) error {
		card := &notificationState{Notification: *n, Actors: map[model.UserID]bool{}}
		card.ID = snap.Ref.ID
		u.Notifications[card.ID] = card
		return each(ctx, m, snap.Ref.Collection(model.Actors).Query, func(actor *firestore.DocumentSnapshot, _ *struct{}) error {
			card.Actors[model.UserID(actor.Ref.ID)] = true
			return nil
		})
	})
}

// events reads what a user is notified of, in no order.
func (m moment) events(ctx context.Context, uid model.UserID, to *[]model.Notice) error {
	q := m.a.db.Notices(partitionOf(uid)).Where("userId", "==", uid)
	return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, e *model.Notice) error {
		e.ID = snap.Ref.ID
		*to = append(*to, *e)
		return nil
	})
}

// buckets finds the documents of a user in a collection of buckets, by their names.
func (a *Auditor) buckets(collection string, uid model.UserID) firestore.Query {
	prefix := model.MonthKey(uid, "")
	return a.db.Client.Collection(collection).OrderBy(firestore.DocumentID, firestore.Asc).
		StartAt(prefix).EndBefore(prefix[:len(prefix)-1] + "`") // what comes after the underscore
}

// partitionOf is the part of the event log that holds a user's events.
func partitionOf(uid model.UserID) string {
	e := model.NewNotice("", model.NoticeFollow, uid, model.NoticePayload{}, time.UnixMilli(0))
	partition, _ := model.NoticePartition(e.ID)
	return partition
}
