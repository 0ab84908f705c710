package timelines

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// A process looks for newer tweets of a followed tag after a tenth of the time that its newest tweet was old, but not
	// before tagListEvery TTLs of a cache, so 30 s, and at the latest after tagListSlowest, so 10 minutes.
	tagListEvery   = 15
	tagListSlowest = 300
	// tagListWhole is after how many TTLs, so after an hour, a process reads all tweets of the list again. So long may
	// pass before an edit that adds a tag brings an older tweet, and before another tweet takes the place of a deleted
	// one.
	tagListWhole = 1_800
	// tagListLate is how much later than a tweet of the same tag a tweet with an older time may be committed.
	tagListLate = 10 * time.Second
	// tagListLook is the time limit of a look. A look goes on after its request has ended, because it is for all readers.
	tagListLook = 5 * time.Second

	tagListOf        = 2 * model.FollowedTagTweetsOf // tweets of an author in a list
	tagListsTogether = 10                            // queries that a page runs at the same time
)

// tagLists has the newest public tweets of followed tags, in the memory of the process. All readers share a list. So a
// reader without followed tags costs nothing, and a tag costs the process the same however many readers follow it.
type tagLists struct {
	db     *db.DB
	access *access.Store
	ttl    time.Duration
	log    *slog.Logger
	lists  readcache.Values[string, *tagList]
	bill   *meter.Meter // of looks for newer tweets, which no reader pays

	mu      sync.Mutex
	looking map[string]bool // tags for whose newer tweets somebody looks
}

// tagList has the newest public tweets of a tag, at most [model.FollowedTagReads] and none older than
// [model.FollowedTagWindow].
type tagList struct {
	posts  []tagPost // newest first, by all authors
	picked []tagPost // those that home timelines have
	looked time.Time // when a process looked for newer ones
	whole  time.Time // when all were read
}

// tagPost is a tweet of a tag.
type tagPost struct {
	id     model.TweetID
	author model.UserID
}

// newTagLists returns the lists of a process, which take at most so many bytes.
func newTagLists(d *db.DB, a *access.Store, ttl time.Duration, bytes int, log *slog.Logger) *tagLists {
	l := &tagLists{db: d, access: a, ttl: ttl, log: log, bill: meter.New(), looking: map[string]bool{}}
	lists := readcache.New(d.Now, model.FollowedTagWindow, bytes, readcache.Size, l.load)
	lists.Name = "tags of home"
	l.lists = lists
	return l
}

// Get returns the lists of some tags. A list that the process does not know, and cannot read, is absent. If the process
// cannot look for newer tweets, it shows those that it knows. A look goes on for up to 5 s after the caller's time is
// over.
//
// Cost: 1 read a tweet for a tag that the process does not know, at least 1 and at most [model.FollowedTagReads], and
// 1 read for each author whose profile is not cached. A look for newer tweets costs the process 1 read a tweet, at
// least 1; it is not of the reader's bill.
func (l *tagLists) Get(ctx context.Context, tags []string) map[string]*tagList {
	if len(tags) == 0 {
		return nil
	}
	found, err := l.lists.All(ctx, tags)
	if err != nil { // the caller's time is over
		return nil
	}
	due := l.claim(found)
	if len(due) == 0 {
		return found
	}
	defer l.release(due)
	look, cancel := context.WithTimeout(context.WithoutCancel(meter.With(ctx, l.bill)), tagListLook)
	defer cancel()
	for tag, list := range l.read(look, due, found) {
		found[tag] = list
		l.lists.Put(tag, list)
	}
	return found
}

// claim returns the tags for whose newer tweets the caller has to look now. Then release has to follow.
func (l *tagLists) claim(found map[string]*tagList) (due []string) {
	now := l.db.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for tag, list := range found {
		if !l.looking[tag] && readcache.Elapsed(list.looked, now) > l.every(list) {
			l.looking[tag] = true
			due = append(due, tag)
		}
	}
	return due
}

// release ends looks.
func (l *tagLists) release(tags []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, tag := range tags {
		delete(l.looking, tag)
	}
}

// every is after which time since the last look a process looks for newer tweets of a list.
func (l *tagLists) every(list *tagList) time.Duration {
	if len(list.posts) == 0 {
		return tagListSlowest * l.ttl
	}
	return min(max(list.looked.Sub(list.posts[0].id.Time())/10, tagListEvery*l.ttl), tagListSlowest*l.ttl)
}

// load reads lists that the process does not know.
func (l *tagLists) load(ctx context.Context, tags []string) (map[string]*tagList, error) {
	return l.read(ctx, tags, nil), nil
}

// Now returns the lists of some tags as they are now.
//
// Cost: that of [tagLists.Get] for tags that the process does not know.
func (l *tagLists) Now(ctx context.Context, tags []string) (map[string]*tagList, error) {
	found := make(map[string]*tagList, len(tags))
	for _, tag := range tags {
		list, err := l.one(ctx, tag, nil, l.access.Users) // which are seconds old
		if err != nil {
			return nil, err
		}
		found[tag] = list
	}
	return found, nil
}

// read continues the known lists of some tags, and reads all of others. After an error a known list stays, and is due
// again as after a look.
func (l *tagLists) read(ctx context.Context, tags []string, known map[string]*tagList) map[string]*tagList {
	lists := make([]*tagList, len(tags))
	var g safely.Group
	g.SetLimit(tagListsTogether)
	for i, tag := range tags {
		g.Go(func() (err error) {
			last := known[tag]
			if lists[i], err = l.one(ctx, tag, last, l.access.Listed); err == nil {
				return nil
			}
			if lists[i] = nil; last != nil {
				again := *last
				again.looked = l.db.Now()
				lists[i] = &again
			}
			l.log.WarnContext(ctx, "the tweets of a followed tag could not be read", "tag", tag, "error", err)
			return nil
		})
	}
	if err := g.Wait(); err != nil { // a panic
		l.log.ErrorContext(ctx, "the tweets of followed tags could not be read", "error", err)
	}
	found := make(map[string]*tagList, len(tags))
	for i, tag := range tags {
		if lists[i] != nil {
			found[tag] = lists[i]
		}
	}
	return found
}

// one reads one list. last is an earlier list, or nil. profiles reads the authors.
func (l *tagLists) one(ctx context.Context, tag string, last *tagList, profiles func(context.Context,
	[]model.UserID) (map[model.UserID]*model.User, error)) (*tagList, error) {
	now := l.db.Now()
	oldest := now.Add(-model.FollowedTagWindow)
	is := &tagList{whole: now, looked: now}
	from := oldest
	if last != nil && readcache.Elapsed(last.whole, now) < tagListWhole*l.ttl {
		is.whole = last.whole
		if is.posts = slices.Clone(last.posts); len(is.posts) > 0 {
			from = is.posts[0].id.Time().Add(-tagListLate)
		}
	}
	path := firestore.FieldPath{fields.Tags, tag}
	q := l.db.Client.Collection(model.Tweets).WherePath(path, ">=", from).OrderByPath(path, firestore.Desc)
	for left := model.FollowedTagReads; ; {
		most := min(left, model.FollowedTagTweets)
		snaps, err := q.Limit(most).Documents(ctx).GetAll()
		if err != nil {
			return nil, err
		}
		for _, snap := range snaps {
			t, err := l.access.KeepTweet(snap)
			if err != nil {
				return nil, err
			}
			if !t.IsViolative {
				is.posts = append(is.posts, tagPost{t.ID, t.AuthorID})
			}
		}
		is.order(oldest)
		full, err := is.pick(ctx, profiles)
		if left -= most; err != nil || full || len(snaps) < most || left == 0 {
			return is, err
		}
		q = q.StartAfter(snaps[most-1]) // one author has written the newest
	}
}

// order sorts the tweets, each once, without those older than a time.
func (is *tagList) order(oldest time.Time) {
	slices.SortFunc(is.posts, func(a, b tagPost) int {
		return cmp.Or(b.id.Position().Compare(a.id.Position()), cmp.Compare(a.author, b.author))
	})
	by := map[model.UserID]int{}
	is.posts = slices.DeleteFunc(slices.Compact(is.posts), func(p tagPost) bool {
		by[p.author]++ // one author who writes many pushes out no others that the process knows
		return p.id.Time().Before(oldest) || by[p.author] > tagListOf
	})
	is.posts = is.posts[:min(len(is.posts), model.FollowedTagReads)]
}

// pick picks the tweets that home timelines have, and returns whether there are as many as there may be.
func (is *tagList) pick(ctx context.Context, profiles func(context.Context,
	[]model.UserID) (map[model.UserID]*model.User, error)) (full bool, err error) {
	var authors []model.UserID
	for _, p := range is.posts {
		authors = append(authors, p.author)
	}
	slices.Sort(authors)
	users, err := profiles(ctx, slices.Compact(authors))
	if err != nil {
		return false, err
	}
	var pick model.TagPick
	is.picked = nil
	for _, p := range is.posts {
		if u := users[p.author]; u != nil && !u.Locked && pick.Take(p.author) {
			is.picked = append(is.picked, p)
		}
	}
	return pick.Full(), nil
}

// tagStreams returns a stream for each list, with the tweets below a position that some reader may see. hides says
// whose tweets the reader does not see.
func tagStreams(lists map[string]*tagList, before model.Position, oldest time.Time,
	hides func(model.UserID) bool) (all []*stream) {
	for _, list := range lists {
		s := &stream{tagged: map[model.Position]model.UserID{}, before: before, oldest: oldest}
		for _, p := range list.picked {
			if !hides(p.author) {
				s.left = append(s.left, p.id.Position())
				s.tagged[p.id.Position()] = p.author
			}
		}
		all = append(all, s)
	}
	return all
}
