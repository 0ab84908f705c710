// This file finds the tags and tweets that more accounts use lately than usual. The clock publishes them each minute,
// and readers read one document.
//
// Each hour has a document with the accounts that used a tag or a tweet: [model.Trending]. It has a few parts if
// several processes write it. A usage has the time of its last change, so events count right in any order and however
// often they come. A lost event is a usage that is not counted, and that would expire three hours later.

package discovery

import (
	"cmp"
	"context"
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
	now    readcache.Values[string, *model.TrendsNow]
}

const (
	// trendsListEvery is for how many writes of a document a process shows the trends that it has read.
	trendsListEvery = 60

	// trendsOutdated is the age from which a process does not show published trends: the clock does not run.
	trendsOutdated = 3 * time.Minute
)

// NewTrendsReader returns the trends of a database. every is about the time between two writes of a document.
func NewTrendsReader(d *db.DB, a *access.Store, every time.Duration) *TrendsReader {
	r := &TrendsReader{db: d, access: a, every: every}
	now := readcache.New(d.Now, trendsListEvery*every, 1<<21, readcache.Size, r.read)
	now.Name = "trends"
	r.now = now
	return r
}

// TrendList is what is used more than usual.
type TrendList struct {
	Tags   []model.Trend
	Tweets []TrendTweet
	At     time.Time // when the usages were counted
}

// TrendTweet is a tweet in a list.
type TrendTweet struct {
	model.Trend
	access.Seen
}

// Trends lists the tags and the tweets that more accounts use than usual, in a language or, if that is empty, in any.
// Only tweets that everybody sees are in the list, for every viewer. A language in which 50 others are used more has no
// list.
//
// Callers share a result for up to a minute. Only the first of them pays for it.
//
// Cost: 1 read, and the cost of [access.Store.FreshTweets] and [access.Store.ViewerState]. Where the clock does not
// run, also the cost of rank.
func (r *TrendsReader) Trends(ctx context.Context, v model.Viewer, language string) (_ *TrendList, err error) {
	defer errs.Wrap(&err, "discovery.Trends(%q)", language)
	now, _, err := r.now.One(ctx, "")
	if err != nil {
		return nil, err
	}
	key := cmp.Or(language, model.AnyLanguage)
	list, candidates := &TrendList{Tags: now.Tags[key], At: now.At}, now.Tweets[key]
	ids := make([]model.TweetID, len(candidates))
	for i, t := range candidates {
		ids[i] = model.TweetID(t.Name)
	}
	tweets, err := r.access.FreshTweets(ctx, ids)
	if err != nil {
		return nil, err
	}
	var shown []model.TweetID
	for i, id := range ids {
		if t := tweets[id]; t.Searchable() && !now.Hides(t.AuthorID) && len(shown) < model.TrendListed {
			shown = append(shown, id)
			list.Tweets = append(list.Tweets, TrendTweet{candidates[i], access.Seen{ID: id, Tweet: t}})
		}
	}
	states, err := r.access.ViewerState(ctx, v.Account(), shown)
	for i := range list.Tweets {
		list.Tweets[i].ViewerState = states[shown[i]]
	}
	return list, err
}

// Tags is [TrendsReader.Trends] without tweets, and the same for every viewer.
//
// Cost: 1 read for the first caller in a minute, or the cost of rank where the clock does not run; nothing for others.
func (r *TrendsReader) Tags(ctx context.Context, _ model.Viewer, language string) (_ *TrendList, err error) {
	defer errs.Wrap(&err, "discovery.Tags(%q)", language)
	now, _, err := r.now.One(ctx, "")
	if err != nil {
		return nil, err
	}
	return &TrendList{Tags: now.Tags[cmp.Or(language, model.AnyLanguage)], At: now.At}, nil
}

// read reads the trends for the cache: the published ones, or where these are old, its own.
func (r *TrendsReader) read(ctx context.Context, keys []string) (map[string]*model.TrendsNow, error) {
	list := &model.TrendsNow{}
	_, err := r.db.Get(ctx, r.db.Doc(model.Trends, model.TrendsNowKey), list)
	if err == nil && r.db.Now().Sub(list.At).Abs() > trendsOutdated {
		list, err = r.rank(ctx)
	}
	return map[string]*model.TrendsNow{keys[0]: list}, err
}

// rank ranks what was used in the last hours.
//
// Cost: 1 read for the usual usage, 1 for each part of the last hours, at least 1 and at most 48, and 1 for each
// account that was suspended meanwhile, at least 1 and at most 20.
func (r *TrendsReader) rank(ctx context.Context) (*model.TrendsNow, error) {
	list := &model.TrendsNow{At: r.db.Time()}
	current := model.HourOf(list.At)
	first := current.Add(1 - model.TrendHours)
	g, side := safely.WithContext(ctx)
	var usual model.TrendUsual
	g.Go(func() (err error) {
		_, err = r.db.Get(side, r.usual(), &usual)
		return err
	})
	var hours map[model.Hour]*model.Trending
	g.Go(func() (err error) {
		hours, err = r.hours(side, first, current)
		return err
	})
	g.Go(func() error {
		snaps, err := r.db.Client.Collection(model.AccountStatuses).Where(fields.State, "in", model.Withheld).
			Where(fields.ChangedAt, ">", first.Time).OrderBy(fields.ChangedAt, firestore.Desc).Limit(mostSuspended).
			Select().Documents(side).GetAll()
		for _, snap := range snaps {
			list.Hide(model.UserID(snap.Ref.ID))
		}
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var last []*model.Trending
	for h := first; !h.After(current.Time); h = h.Add(1) {
		t := hours[h]
		if t == nil {
			t = &model.Trending{}
		}
		last = append(last, t)
	}
	list.Rank(last, list.At.Sub(current.Time).Hours(), &usual)
	return list, nil
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
