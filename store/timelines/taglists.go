package timelines

import (
	"cmp"
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// tagListEvery is for how many TTLs of a cache, so for 30 s, a process shows the tweets of a followed tag without a
	// look for newer ones.
	tagListEvery = 15
	// tagListWhole is after how many TTLs, so after 10 minutes, a process reads all tweets of the list again. So long may
	// pass before an edit that adds a tag brings an older tweet, and before another tweet takes the place of a deleted one.
	tagListWhole = 300
	// tagListLate is how much later than a tweet of the same tag a tweet with an older time may be committed.
	tagListLate = 10 * time.Second

	tagListsMost     = 1_000 // tags whose tweets a process remembers
	tagListsTogether = 10    // queries that a page runs at the same time
)

// tagLists has the newest public tweets of followed tags, in the memory of the process. All readers share a list. So a
// reader without followed tags costs nothing, and a tag costs the process the same however many readers follow it.
type tagLists struct {
	db     *db.DB
	access *access.Store
	ttl    time.Duration
	fresh  readcache.Values[string, *tagList] // not older than tagListEvery
	last   lru.Cache[string, *tagList]        // older ones, which a query for newer tweets continues
}

// tagList has the newest public tweets of a tag, at most [model.FollowedTagTweets] and none older than
// [model.FollowedTagWindow].
type tagList struct {
	posts  []tagPost // newest first, by all authors
	locked map[model.UserID]bool
	whole  time.Time // when all were read
}

// tagPost is a tweet of a tag.
type tagPost struct {
	id     model.TweetID
	author model.UserID
}

// newTagLists returns the lists of a process, which take at most so many bytes.
func newTagLists(d *db.DB, a *access.Store, ttl time.Duration, bytes int) *tagLists {
	l := &tagLists{db: d, access: a, ttl: ttl, last: lru.New[string, *tagList](tagListsMost)}
	fresh := readcache.New(d.Now, tagListEvery*ttl, bytes, readcache.Size, func(ctx context.Context,
		tags []string) (map[string]*tagList, error) {
		return l.read(ctx, tags, false)
	})
	fresh.Name = "tags of home"
	l.fresh = fresh
	return l
}

// Get returns the lists of some tags, none older than tagListEvery.
//
// Cost: for the process 1 read of each tag in tagListEvery and 1 read a newer tweet, and in tagListWhole 1 read a
// tweet; 1 read for each author whose profile is not cached.
func (l *tagLists) Get(ctx context.Context, tags []string) (map[string]*tagList, error) {
	if len(tags) == 0 {
		return nil, nil
	}
	return l.fresh.All(ctx, tags)
}

// Now returns the lists of some tags as they are now.
//
// Cost: 1 read a tweet, at least 1 a tag, and 1 read for each author whose profile is not cached.
func (l *tagLists) Now(ctx context.Context, tags []string) (map[string]*tagList, error) {
	if len(tags) == 0 {
		return nil, nil
	}
	return l.read(ctx, tags, true)
}

// read reads lists: the newer tweets of a list that the process remembers, or all.
func (l *tagLists) read(ctx context.Context, tags []string, whole bool) (map[string]*tagList, error) {
	lists, profiles := make([]*tagList, len(tags)), l.access.Listed
	if whole {
		profiles = l.access.Users // which are seconds old
	}
	g, side := safely.WithContext(ctx)
	g.SetLimit(tagListsTogether)
	for i, tag := range tags {
		g.Go(func() (err error) {
			var last *tagList
			if !whole {
				last, _ = l.last.Get(tag)
			}
			lists[i], err = l.one(side, tag, last, profiles)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	found := make(map[string]*tagList, len(tags))
	for i, tag := range tags {
		if found[tag] = lists[i]; !whole {
			l.last.Add(tag, lists[i])
		}
	}
	return found, nil
}

// one reads one list. last is an earlier list, or nil. profiles reads the authors.
func (l *tagLists) one(ctx context.Context, tag string, last *tagList, profiles func(context.Context,
	[]model.UserID) (map[model.UserID]*model.User, error)) (*tagList, error) {
	now := l.db.Now()
	oldest := now.Add(-model.FollowedTagWindow)
	is := &tagList{whole: now}
	from := oldest
	if last != nil && readcache.Elapsed(last.whole, now) < tagListWhole*l.ttl {
		is.whole = last.whole
		if is.posts = slices.Clone(last.posts); len(is.posts) > 0 {
			from = is.posts[0].id.Time().Add(-tagListLate)
		}
	}
	path := firestore.FieldPath{fields.Tags, tag}
	snaps, err := l.db.Client.Collection(model.Tweets).WherePath(path, ">=", from).OrderByPath(path, firestore.Desc).
		Limit(model.FollowedTagTweets).Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	for _, snap := range snaps {
		t, err := l.access.KeepTweet(snap)
		if err != nil {
			return nil, err
		}
		is.posts = append(is.posts, tagPost{t.ID, t.AuthorID})
	}
	slices.SortFunc(is.posts, func(a, b tagPost) int {
		return cmp.Or(b.id.Position().Compare(a.id.Position()), cmp.Compare(a.author, b.author))
	})
	is.posts = slices.DeleteFunc(slices.Compact(is.posts), func(p tagPost) bool { return p.id.Time().Before(oldest) })
	is.posts = is.posts[:min(len(is.posts), model.FollowedTagTweets)]
	var authors []model.UserID
	for _, p := range is.posts {
		authors = append(authors, p.author)
	}
	slices.Sort(authors)
	users, err := profiles(ctx, slices.Compact(authors))
	if err != nil {
		return nil, err
	}
	is.locked = map[model.UserID]bool{}
	for _, author := range authors {
		if u := users[author]; u == nil || u.Locked {
			is.locked[author] = true
		}
	}
	return is, nil
}

// tagStreams returns a stream for each list, with the tweets below a position that some reader may see. hides says whose
// tweets the reader does not see.
func tagStreams(lists map[string]*tagList, before model.Position, oldest time.Time,
	hides func(model.UserID) bool) (all []*stream) {
	for _, list := range lists {
		s := &stream{tagged: map[model.Position]model.UserID{}, before: before, oldest: oldest}
		for _, p := range list.posts {
			if !list.locked[p.author] && !hides(p.author) {
				s.left = append(s.left, p.id.Position())
				s.tagged[p.id.Position()] = p.author
			}
		}
		all = append(all, s)
	}
	return all
}
