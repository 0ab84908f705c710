package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strings"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"
	"google.golang.org/api/iterator"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Counted is a document that triggers keep counts in, with the shards of its counts.
type Counted[T any] struct {
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

// UserState is everything about one user, facts and derived documents, as it stood at
// one moment.
type UserState struct {
	ID   model.UserID
	User *Counted[model.User] // nil without a profile

	Names     map[string]model.UserID // usernames that the user has or should have, to whose they are
	Tweets    map[model.TweetID]*Counted[model.Tweet]
	Replies   []*model.Tweet // to the user's tweets, by anybody
	Liked     []model.Like   // the likes of the user's tweets, also of those that are gone
	Shared    []model.Like   // likewise
	Likes     []model.Like   // by the user
	Followers []model.Relationship
	Following []model.Relationship
	Events    []model.Event // that the user is notified of

	Months        map[model.Month]*MonthState
	Recent        map[model.TweetID]model.Card
	Pages         FollowerPages
	Reactions     map[string]map[model.TweetID]model.Reaction // by document id
	Notifications map[string]*CardState                       // by document id
}

// MonthState is a month of an author's tweets as readers see it, and the documents
// that hold each card: the month's own, which prevails, and overflow pages.
type MonthState struct {
	Cards map[model.TweetID]model.Card
	In    map[model.TweetID][]string // document ids
}

// FollowerPages is where an author's followers stand.
type FollowerPages struct {
	Hashed int                                   // how many hashed pages count; 0 if it is the first page
	Pages  map[string]map[model.UserID]time.Time // those that count, by document id
	Asleep []model.UserID                        // who are marked so, though their home timeline is kept up
}

// CardState is a notification card with the users whom it counts.
type CardState struct {
	model.Notification
	Actors map[model.UserID]bool
}

// moment is a time in the history of the database. What is read at one moment fits
// together, and nothing is locked for it.
type moment struct {
	s  *Store
	at time.Time
}

// moment is now, by the database's clock: 1 read.
func (s *Store) moment(ctx context.Context) (moment, error) {
	snap, err := s.doc(model.Usernames, "me").Get(ctx)
	if err != nil && !missing(err) {
		return moment{}, err
	}
	return moment{s, snap.ReadTime}, nil
}

func (m moment) get(ctx context.Context, ref *firestore.DocumentRef) (*firestore.DocumentSnapshot, error) {
	snap, err := ref.WithReadOptions(firestore.ReadTime(m.at)).Get(ctx)
	if missing(err) {
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
func counted[T any](ctx context.Context, m moment, snap *firestore.DocumentSnapshot) (*Counted[T], error) {
	c := &Counted[T]{Path: path(snap.Ref), Pending: map[string]int64{}, Updated: snap.UpdateTime}
	if err := snap.DataTo(&c.Doc); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	var p struct {
		Rolled map[string]any `firestore:"rolled"`
	}
	if err := snap.DataTo(&p); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	newest, sums := snap.UpdateTime, map[string]any{}
	it := snap.Ref.Collection(model.Shards).Query
	err := each(ctx, m, it, func(shard *firestore.DocumentSnapshot, data *map[string]any) error {
		add(sums, *data)
		if shard.UpdateTime.After(newest) {
			newest = shard.UpdateTime
		}
		return nil
	})
	for _, change := range moved(nil, sums, p.Rolled) {
		c.Pending[strings.Join(change.field, ".")] = change.by
	}
	c.Version = snap.UpdateTime.UTC().Format(time.RFC3339Nano) + " " + newest.UTC().Format(time.RFC3339Nano)
	return c, err
}

// path is where a document is, below the database.
func path(ref *firestore.DocumentRef) string {
	_, p, _ := strings.Cut(ref.Path, "/documents/")
	return p
}

// UserState reads everything about one user, at one moment: a read for each of the
// user's facts and derived documents. It is an operator's reading, not a page's.
func (s *Store) UserState(ctx context.Context, uid model.UserID) (_ *UserState, err error) {
	defer errs.Wrap(&err, "store.UserState(%q)", uid)
	m, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	u := &UserState{
		ID: uid, Names: map[string]model.UserID{}, Tweets: map[model.TweetID]*Counted[model.Tweet]{},
		Months: map[model.Month]*MonthState{}, Pages: FollowerPages{Pages: map[string]map[model.UserID]time.Time{}},
		Reactions: map[string]map[model.TweetID]model.Reaction{}, Notifications: map[string]*CardState{},
	}
	where := func(collection, field string) firestore.Query {
		return s.fs.Collection(collection).Where(field, "==", uid)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return m.profile(ctx, u) })
	g.Go(func() error {
		return each(ctx, m, where(model.Tweets, "authorId"), func(snap *firestore.DocumentSnapshot, t *model.Tweet) error {
			c, err := counted[model.Tweet](ctx, m, snap)
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
		return each(ctx, m, s.buckets(model.Reactions, uid), func(snap *firestore.DocumentSnapshot, month *model.ReactionMonth) error {
			u.Reactions[snap.Ref.ID] = month.Tweets
			return nil
		})
	})
	g.Go(func() error {
		snap, err := m.get(ctx, s.userRecent(uid))
		var r model.UserRecent
		if _, err := decode(snap, err)(&r); err != nil {
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
func (m moment) profile(ctx context.Context, u *UserState) error {
	snap, err := m.get(ctx, m.s.doc(model.Users, string(u.ID)))
	if err != nil {
		return err
	}
	if snap.Exists() {
		if u.User, err = counted[model.User](ctx, m, snap); err != nil {
			return err
		}
		u.User.Doc.ID = u.ID
		snap, err := m.get(ctx, m.s.doc(model.Usernames, u.User.Doc.Username))
		var name model.Username
		if held, err := decode(snap, err)(&name); err != nil {
			return err
		} else if held {
			u.Names[u.User.Doc.Username] = name.UID
		}
	}
	q := m.s.fs.Collection(model.Usernames).Where("uid", "==", u.ID)
	return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, name *model.Username) error {
		u.Names[snap.Ref.ID] = name.UID
		return nil
	})
}

// months reads all months of an author.
func (m moment) months(ctx context.Context, author model.UserID, to map[model.Month]*MonthState) error {
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
	err := each(ctx, m, m.s.buckets(model.TweetMonths, author), func(snap *firestore.DocumentSnapshot, month *model.TweetMonth) error {
		if strings.Count(snap.Ref.ID, "_") > 1 {
			pages[snap.Ref.ID] = month.Tweets
			return nil
		}
		roots = append(roots, *month)
		to[month.Month] = &MonthState{map[model.TweetID]model.Card{}, map[model.TweetID][]string{}}
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

func (m moment) followerPages(ctx context.Context, u *UserState) error {
	var asleep []model.UserID
	put := func(id string, page *model.FollowerList) {
		u.Pages.Pages[id] = page.Followers
		for f := range page.Asleep {
			asleep = append(asleep, f)
		}
	}
	snap, err := m.get(ctx, m.s.followerPage(u.ID))
	var first model.FollowerList
	if _, err := decode(snap, err)(&first); err != nil {
		return err
	}
	if u.Pages.Hashed = first.Pages; first.Pages == 0 {
		put(snap.Ref.ID, &first) // what may stand on hashed pages does not count yet
	} else {
		err := each(ctx, m, m.s.buckets(model.FollowerPages, u.ID), func(snap *firestore.DocumentSnapshot, page *model.FollowerList) error {
			put(snap.Ref.ID, page)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, f := range asleep {
		home, err := m.get(ctx, m.s.home(f))
		if err != nil {
			return err
		}
		if home.Exists() {
			u.Pages.Asleep = append(u.Pages.Asleep, f)
		}
	}
	return nil
}

func (m moment) notifications(ctx context.Context, u *UserState) error {
	cards := m.s.doc(model.Users, string(u.ID)).Collection(model.Notifications).Query
	return each(ctx, m, cards, func(snap *firestore.DocumentSnapshot, n *model.Notification) error {
		card := &CardState{Notification: *n, Actors: map[model.UserID]bool{}}
		card.ID = snap.Ref.ID
		u.Notifications[card.ID] = card
		return each(ctx, m, snap.Ref.Collection(model.Actors).Query, func(actor *firestore.DocumentSnapshot, _ *struct{}) error {
			card.Actors[model.UserID(actor.Ref.ID)] = true
			return nil
		})
	})
}

// events reads what a user is notified of, in no order.
func (m moment) events(ctx context.Context, uid model.UserID, to *[]model.Event) error {
	q := m.s.events(partitionOf(uid)).Where("userId", "==", uid)
	return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, e *model.Event) error {
		e.ID = snap.Ref.ID
		*to = append(*to, *e)
		return nil
	})
}

// buckets finds the documents of a user in a collection of buckets, by their names.
func (s *Store) buckets(collection string, uid model.UserID) firestore.Query {
	prefix := model.MonthKey(uid, "")
	return s.fs.Collection(collection).OrderBy(firestore.DocumentID, firestore.Asc).
		StartAt(prefix).EndBefore(prefix[:len(prefix)-1] + "`") // what comes after the underscore
}

// partitionOf is the part of the event log that holds a user's events.
func partitionOf(uid model.UserID) string {
	e := model.NewEvent("", model.EventFollow, uid, model.EventPayload{}, time.UnixMilli(0))
	partition, _ := model.EventPartition(e.ID)
	return partition
}

// TweetState is one tweet with its author, and how often it is liked, shared and
// replied to, as it stood at one moment.
type TweetState struct {
	ID      model.TweetID
	Tweet   *Counted[model.Tweet] // nil if it is gone
	Author  *model.User           // nil without a profile
	Liked   []model.Like
	Shared  []model.Like
	Replies []*model.Tweet
	Months  map[model.Month]*MonthState // of the author, with no card but this one
}

// TweetState reads one tweet with all that its counts come from: a read for each.
func (s *Store) TweetState(ctx context.Context, id model.TweetID) (_ *TweetState, err error) {
	defer errs.Wrap(&err, "store.TweetState(%q)", id)
	m, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	t := &TweetState{ID: id, Months: map[model.Month]*MonthState{}}
	if err := list(ctx, m, s.fs.Collection(model.Likes).Where("tweetId", "==", id), &t.Liked); err != nil {
		return nil, err
	}
	snap, err := m.get(ctx, s.tweet(id))
	if err != nil || !snap.Exists() {
		return t, err
	}
	if t.Tweet, err = counted[model.Tweet](ctx, m, snap); err != nil {
		return nil, err
	}
	t.Tweet.Doc.ID = id
	author := t.Tweet.Doc.AuthorID
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		return list(ctx, m, s.fs.Collection(model.Shares).Where("tweetId", "==", id), &t.Shared)
	})
	g.Go(func() error {
		return each(ctx, m, s.fs.Collection(model.Tweets).Where("replyTo", "==", id), func(_ *firestore.DocumentSnapshot, r *model.Tweet) error {
			t.Replies = append(t.Replies, r)
			return nil
		})
	})
	g.Go(func() error {
		var u model.User
		snap, err := m.get(ctx, s.doc(model.Users, string(author)))
		if held, err := decode(snap, err)(&u); err != nil || !held {
			return err
		}
		t.Author = &u
		return nil
	})
	g.Go(func() error {
		err := m.months(ctx, author, t.Months)
		for _, month := range t.Months {
			maps.DeleteFunc(month.Cards, func(other model.TweetID, _ model.Card) bool { return other != id })
		}
		return err
	})
	return t, g.Wait()
}

// TagState is a tag and how many tweets have it, as it stood at one moment.
type TagState struct {
	Name   string
	Tag    *Counted[model.Tag] // nil if there is no document
	Tweets int64
}

// TagState reads a tag and counts its tweets: a read each.
func (s *Store) TagState(ctx context.Context, name string) (_ *TagState, err error) {
	defer errs.Wrap(&err, "store.TagState(%q)", name)
	m, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	t := &TagState{Name: name}
	snap, err := m.get(ctx, s.tag(name))
	if err != nil {
		return nil, err
	}
	if snap.Exists() {
		if t.Tag, err = counted[model.Tag](ctx, m, snap); err != nil {
			return nil, err
		}
	}
	q := s.fs.Collection(model.Tweets).OrderByPath(firestore.FieldPath{"tags", name}, firestore.Desc).Select()
	return t, each(ctx, m, q, func(*firestore.DocumentSnapshot, *struct{}) error {
		t.Tweets++
		return nil
	})
}

// AuthorWindow is what an author wrote within the window of home timelines.
type AuthorWindow struct {
	Tweets  map[model.TweetID]bool      // those that exist, to whether they are violative
	Deleted map[model.TweetID]time.Time // those that were deleted, to when
}

// AuthorWindow reads it: a read for each tweet of the window, and of each that the
// author ever deleted.
func (s *Store) AuthorWindow(ctx context.Context, author model.UserID) (_ *AuthorWindow, err error) {
	defer errs.Wrap(&err, "store.AuthorWindow(%q)", author)
	m, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	w := &AuthorWindow{Tweets: map[model.TweetID]bool{}, Deleted: map[model.TweetID]time.Time{}}
	oldest, _ := s.window()
	first := model.NewTweetIDs(func() time.Time { return oldest }).Next(author)
	q := s.fs.Collection(model.Tweets).Where("authorId", "==", author).Select("isViolative").
		OrderBy(firestore.DocumentID, firestore.Asc).StartAt(string(first[:len(first)-5]))
	err = each(ctx, m, q, func(snap *firestore.DocumentSnapshot, t *model.Tweet) error {
		w.Tweets[model.TweetID(snap.Ref.ID)] = t.IsViolative
		return nil
	})
	if err != nil {
		return nil, err
	}
	q = s.fs.Collection(model.Tombstones).Where("authorId", "==", author)
	return w, each(ctx, m, q, func(snap *firestore.DocumentSnapshot, t *model.Tombstone) error {
		w.Deleted[model.TweetID(snap.Ref.ID)] = t.DeletedAt
		return nil
	})
}

// ShownEntry is a tweet in a home timeline.
type ShownEntry struct {
	ID       model.TweetID
	Document string       // of timelines, the month where it is shown
	AuthorID model.UserID // as the entry has it; empty if it is taken from the author's own month
}

// Shown is all that a user's home timeline shows, as [Store.Home] does, but nobody notes
// that somebody looked. It includes tweets that Home leaves out because they are gone or
// violative. kept is false for somebody who was away for long: they are answered from
// the facts until their timeline is rebuilt.
func (s *Store) Shown(ctx context.Context, uid model.UserID) (entries []ShownEntry, kept bool, err error) {
	defer errs.Wrap(&err, "store.Shown(%q)", uid)
	if kept, err = s.get(ctx, s.home(uid), nil); err != nil || !kept {
		return nil, false, err
	}
	oldest, months := s.window()
	for _, m := range months {
		timeline, _, err := s.homeMonth(ctx, uid, m)
		if err != nil {
			return nil, false, err
		}
		f, err := s.feed(ctx, timeline, uid, m, "", oldest)
		if err != nil {
			return nil, false, err
		}
		for {
			id, ok, err := f.next(ctx)
			if err != nil {
				return nil, false, err
			}
			if !ok {
				break
			}
			entries = append(entries, ShownEntry{id, model.MonthKey(uid, m), f.pushed.items[id].AuthorID})
		}
	}
	return entries, true, nil
}

// TweetsNow reads tweets, not through the cache: a read each. Those that are gone are
// absent.
func (s *Store) TweetsNow(ctx context.Context, ids []model.TweetID) (_ map[model.TweetID]*model.Tweet, err error) {
	defer errs.Wrap(&err, "store.TweetsNow(%d)", len(ids))
	return s.readTweets(ctx, ids)
}

// AllFollowing lists whom a user follows: a read each.
func (s *Store) AllFollowing(ctx context.Context, uid model.UserID) (rels []model.Relationship, err error) {
	defer errs.Wrap(&err, "store.AllFollowing(%q)", uid)
	m, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	return rels, list(ctx, m, s.fs.Collection(model.Relationships).Where("followerId", "==", uid), &rels)
}

// Zone decides on which day an event is.
func (s *Store) Zone() *time.Location { return s.zone }

// Now is the time by the store's clock.
func (s *Store) Now() time.Time { return s.now() }

// Owners lists, in no order and some of them several times, the users of whom there
// are profiles, names or derived documents: a read for each document.
func (s *Store) Owners(ctx context.Context) iter.Seq2[model.UserID, error] {
	plain := func(id string, _ *model.Username) model.UserID { return model.UserID(id) }
	keyed := func(id string, _ *model.Username) model.UserID {
		k, _, _ := strings.Cut(id, "_")
		return model.UserID(keyUnescaper.Replace(k))
	}
	return func(yield func(model.UserID, error) bool) {
		for _, c := range []struct {
			collection string
			owner      func(id string, n *model.Username) model.UserID
		}{
			{model.Users, plain}, {model.UserRecents, plain},
			{model.TweetMonths, keyed}, {model.FollowerPages, keyed}, {model.Reactions, keyed}, {model.Timelines, keyed},
			{model.Usernames, func(_ string, n *model.Username) model.UserID { return n.UID }},
		} {
			for snap, err := range s.documents(ctx, s.fs.Collection(c.collection).Select("uid")) {
				var n model.Username
				if err == nil {
					err = snap.DataTo(&n)
				}
				if err != nil {
					yield("", err)
					return
				}
				if !yield(c.owner(snap.Ref.ID, &n), nil) {
					return
				}
			}
		}
	}
}

// keyUnescaper turns the user id of a composite key back.
var keyUnescaper = strings.NewReplacer("%25", "%", "%5F", "_", "%2F", "/")

// TagNames lists the tags that have a document: a read each.
func (s *Store) TagNames(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for snap, err := range s.documents(ctx, s.fs.Collection(model.Tags).Select()) {
			name := ""
			if err == nil {
				name = snap.Ref.ID
			}
			if !yield(name, err) || err != nil {
				return
			}
		}
	}
}

// HasStrayShards tells whether a document is gone but still has shards: 2 reads.
func (s *Store) HasStrayShards(ctx context.Context, collection, id string) (_ bool, err error) {
	defer errs.Wrap(&err, "store.HasStrayShards(%q, %q)", collection, id)
	parent := s.doc(collection, id)
	if held, err := s.get(ctx, parent, nil); err != nil || held {
		return false, err
	}
	snaps, err := parent.Collection(model.Shards).Limit(1).Documents(ctx).GetAll()
	return len(snaps) > 0, err
}

// StrayShards lists the documents that are gone but still have shards, as collection
// and id: a read for each shard, and one for each document that has some.
func (s *Store) StrayShards(ctx context.Context) iter.Seq2[[2]string, error] {
	return func(yield func([2]string, error) bool) {
		var last string
		for snap, err := range s.documents(ctx, s.fs.CollectionGroup(model.Shards).Select()) {
			if err != nil {
				yield([2]string{}, err)
				return
			}
			parent := snap.Ref.Parent.Parent
			if parent == nil || parent.Path == last { // the shards of one document come together
				continue
			}
			last = parent.Path
			held, err := s.get(ctx, parent, nil)
			if err != nil {
				yield([2]string{}, err)
				return
			}
			if !held && !yield([2]string{parent.Parent.ID, parent.ID}, nil) {
				return
			}
		}
	}
}

// documents runs a query and gives one document after the other.
func (s *Store) documents(ctx context.Context, q firestore.Query) iter.Seq2[*firestore.DocumentSnapshot, error] {
	return func(yield func(*firestore.DocumentSnapshot, error) bool) {
		it := q.Documents(ctx)
		defer it.Stop()
		for {
			snap, err := it.Next()
			if errors.Is(err, iterator.Done) || !yield(snap, err) || err != nil {
				return
			}
		}
	}
}
