// This file finds the tags and tweets that more accounts use lately than usual.
//
// Each hour has a document with the accounts that used a tag or a tweet: [model.Trending]. It has a few parts if
// several processes write it. A usage has the time of its last change, so events count right in any order and however
// often they come. A lost event is a usage that is not counted, and that would expire three hours later.

package discovery

import (
	"context"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// TrendsReader lists trends. Its methods may be called concurrently. Their errors are those of
// package errs.
type TrendsReader struct {
	db     *db.DB
	access *access.Store
	every  time.Duration
	late   readcache.Values[string, *lately]
}

// trendsListEvery is for how many writes of an hour a process shows what it has read.
const trendsListEvery = 30

// NewTrendsReader returns the trends of a database. every is about the time between two writes of an hour.
func NewTrendsReader(d *db.DB, a *access.Store, every time.Duration) *TrendsReader {
	r := &TrendsReader{db: d, access: a, every: every}
	late := readcache.New(d.Now, trendsListEvery*every, 1<<20, func(*lately) int { return 0 }, r.read)
	late.Name = "trends"
	r.late = late
	return r
}

// lately is the content of the last hours.
type lately struct {
	hours     []*model.Trending // oldest first
	usual     model.TrendUsual
	passed    float64               // part of the current hour
	suspended map[model.UserID]bool // accounts whose usages do not count
	at        time.Time

	mu     sync.Mutex
	ranked map[string]ranking // by language
}

// ranking lists the tags and tweets that are used more than usual in a language, the most above the usual first.
type ranking struct{ tags, tweets []model.Trend }

// mostRanked is for how many languages a process caches a ranking.
const mostRanked = 50

// TrendList is what is used more than usual.
type TrendList struct {
	Tags   []model.Trend
	Tweets []TrendTweet
	At     time.Time // the time of the read
}

// TrendTweet is a tweet in a list.
type TrendTweet struct {
	model.Trend
	access.Seen
}

// Trends lists the tags and the tweets that more accounts use than usual, in a language or, if that is empty, in any.
// Only tweets that everybody sees are in the list, for every viewer.
//
// Callers share a result for up to half a minute. Only the first of them pays for it.
//
// Cost: 1 read for each part of the last hours, most often 3, and at most 48.
func (r *TrendsReader) Trends(ctx context.Context, v model.Viewer, language string) (_ *TrendList, err error) {
	defer errs.Wrap(&err, "discovery.Trends(%q)", language)
	l, _, err := r.late.One(ctx, "")
	if err != nil {
		return nil, err
	}
	rising := l.rising(language)
	list, candidates := &TrendList{Tags: rising.tags, At: l.at}, rising.tweets
	ids := make([]model.TweetID, len(candidates))
	for i, t := range candidates {
		ids[i] = model.TweetID(t.Name)
	}
	seen, err := r.access.Batch(ctx, ids, v)
	if err != nil {
		return nil, err
	}
	for i, s := range seen {
		if s.Tweet.Searchable() && !l.suspended[s.Tweet.AuthorID] && len(list.Tweets) < model.TrendListed {
			list.Tweets = append(list.Tweets, TrendTweet{candidates[i], s})
		}
	}
	return list, nil
}

// Tags is [TrendsReader.Trends] without tweets, and the same for every viewer.
//
// Cost: what the first caller in half a minute pays for [TrendsReader.Trends], without tweets; nothing for others.
func (r *TrendsReader) Tags(ctx context.Context, _ model.Viewer, language string) (_ *TrendList, err error) {
	defer errs.Wrap(&err, "discovery.Tags(%q)", language)
	l, _, err := r.late.One(ctx, "")
	if err != nil {
		return nil, err
	}
	return &TrendList{Tags: l.rising(language).tags, At: l.at}, nil
}

// rising ranks tags and tweets, once for all callers of a language. A language in which nothing rises is not cached:
// there are very many.
func (l *lately) rising(language string) ranking {
	l.mu.Lock()
	known, ok := l.ranked[language]
	l.mu.Unlock()
	if ok {
		return known
	}
	var ofTags, ofTweets []map[string]model.TrendSubject
	for _, h := range l.hours {
		ofTags, ofTweets = append(ofTags, h.Tags), append(ofTweets, h.Tweets)
	}
	is := ranking{
		tags: firstOf(model.Rising(ofTags, l.passed, l.usual.Tags, language), model.TrendListed),
		// some tweets may be gone, or hidden
		tweets: firstOf(model.Rising(ofTweets, l.passed, l.usual.Tweets, language), 2*model.TrendListed),
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ranked) < mostRanked && len(is.tags)+len(is.tweets) > 0 {
		l.ranked[language] = is
	}
	return is
}

// firstOf returns a copy of the first n trends, without the rest of the ranking.
func firstOf(all []model.Trend, n int) []model.Trend { return slices.Clone(all[:min(len(all), n)]) }

// read reads the last hours for the cache.
func (r *TrendsReader) read(ctx context.Context, keys []string) (map[string]*lately, error) {
	now := r.db.Now()
	current := model.HourOf(now)
	first := current.Add(1 - model.TrendHours)
	l := &lately{passed: now.Sub(current.Time).Hours(), at: r.db.Time(), suspended: map[model.UserID]bool{},
		ranked: map[string]ranking{}}
	g, side := safely.WithContext(ctx)
	g.Go(func() (err error) {
		_, err = r.db.Get(side, r.usual(), &l.usual)
		return err
	})
	var hours map[model.Hour]*model.Trending
	g.Go(func() (err error) {
		hours, err = r.hours(side, first, current)
		return err
	})
	without := map[uint32]bool{}
	g.Go(func() error {
		snaps, err := r.db.Client.Collection(model.AccountStatuses).Where(fields.ChangedAt, ">", first.Time).
			OrderBy(fields.ChangedAt, firestore.Desc).Limit(mostSuspended).Documents(side).GetAll()
		for _, snap := range snaps {
			var s model.AccountStatus
			if err := snap.DataTo(&s); err != nil {
				return err
			}
			if uid := model.UserID(snap.Ref.ID); s.State != model.AccountStatusFree {
				l.suspended[uid], without[model.TrendHash(string(uid))] = true, true
			}
		}
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for h := first; !h.After(current.Time); h = h.Add(1) {
		t := hours[h]
		if t == nil {
			t = &model.Trending{}
		}
		t.Without(without)
		l.hours = append(l.hours, t)
	}
	return map[string]*lately{keys[0]: l}, nil
}

// mostSuspended is how many lately suspended accounts are left out: the last ones. An account that was suspended before
// the last hours has done nothing in them.
const mostSuspended = 20

// hours reads all parts of some hours.
//
// Cost: 1 read for each part, at least 1.
func (r *TrendsReader) hours(ctx context.Context, first, last model.Hour) (map[model.Hour]*model.Trending, error) {
	snaps, err := r.db.Client.Collection(model.Trends).OrderBy(firestore.DocumentID, firestore.Asc).
		StartAt(model.TrendKey(first, 0)).EndBefore(model.TrendKey(last.Add(1), 0)).Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	hours := map[model.Hour]*model.Trending{}
	for _, snap := range snaps {
		var part model.Trending
		h, ok := model.TrendKeyHour(snap.Ref.ID)
		if err := snap.DataTo(&part); err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if hours[h] == nil {
			hours[h] = &model.Trending{}
		}
		hours[h].Merge(&part)
	}
	return hours, nil
}

// usual names the document with the usual usage.
func (r *TrendsReader) usual() *firestore.DocumentRef {
	return r.db.Doc(model.Trends, model.TrendUsualKey)
}
