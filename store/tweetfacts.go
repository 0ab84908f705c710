package store

import (
	"context"
	"errors"
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
