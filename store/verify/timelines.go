package verify

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/timelines"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// TimelineAudit has the differences of a home timeline. Blocks play no part, because they hide nothing.
type TimelineAudit struct {
	Missing   []model.Position // of tweets and shares that should be there and are not
	Extra     []model.Position // of tweets that are shown and should not be
	Duplicate []model.Position // of tweets and shares that are there more than once
}

// AuditTimeline verifies the home timeline of one user and sorts the differences.
//
// Cost: what [Auditor.Timeline] costs.
func (a *Auditor) AuditTimeline(ctx context.Context, uid model.UserID, o Options) (*TimelineAudit, error) {
	differences, err := a.Timeline(ctx, uid, o)
	if err != nil {
		return nil, err
	}
	found := &TimelineAudit{Missing: []model.Position{}, Extra: []model.Position{}, Duplicate: []model.Position{}}
	for _, d := range differences {
		_, key, _ := strings.Cut(d.Field, ".")
		position := model.Position(key)
		switch {
		case d.Have == nil:
			found.Missing = append(found.Missing, position)
		case d.Want == nil:
			found.Extra = append(found.Extra, position)
		default:
			found.Duplicate = append(found.Duplicate, position)
		}
	}
	return found, nil
}

// entryField is the field of a difference in a home timeline: the map, and the position.
func entryField(position model.Position) string {
	if position.IsShare() {
		return model.SharesField + "." + string(position)
	}
	return "entries." + string(position)
}

// timeline is the unit of a home timeline. It compares the timeline with the reader's follows and the tweets of the
// followed authors. Of the tweets from before a follow, the timeline shows the newest twenty that existed when the
// follow took effect. Some of these tweets may have been deleted since. Then the tweets that moved up may be shown or
// not.
//
// The timeline has all shares by a followed user since the follow. A withdrawn share must not be in a month of the
// timeline itself, because home pages do not read it. Other share entries are harmless.
//
// The unit reads the timeline first. So a tweet that is written meanwhile is at most missing, and a later snapshot
// finds it. The timeline of a dormant reader may lack tweets, because the rebuild adds them when the reader returns.
// But the rebuild removes nothing, so the timeline must not have a tweet too many.
func (v *verifier) timeline(uid model.UserID) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		entries, kept, err := v.timelines.Shown(ctx, uid)
		if err != nil || !kept && len(entries) == 0 {
			return nil, err
		}
		following, err := v.read.Following(ctx, uid)
		if err != nil {
			return nil, err
		}
		oldest := v.db.Now().Add(-model.TimelineWindow)
		must, may := map[model.Position]model.UserID{}, map[model.Position]bool{}
		sharers, since := map[model.Position]model.UserID{}, map[model.UserID]time.Time{}
		for _, rel := range following {
			w, err := v.window(ctx, rel.FollowedID)
			if err != nil {
				return nil, err
			}
			w.Expect(rel, oldest, must, may)
			since[rel.FollowedID] = rel.CreatedAt
			for _, position := range w.Shares {
				sharers[position] = rel.FollowedID
			}
		}
		shown := map[model.Position][]timelines.ShownEntry{}
		var unexpected []model.Position
		var withdrawn []timelines.ShownEntry
		for _, e := range entries {
			if e.Position.IsShare() && (!may[e.Position] || e.AuthorID != "" && e.AuthorID != sharers[e.Position]) {
				from, follows := since[e.AuthorID]
				if e.Settled && follows && !may[e.Position] && !e.Position.Time().Before(from) &&
					e.Position.Time().After(oldest.Add(time.Minute)) { // the shares at the end were perhaps not read
					withdrawn = append(withdrawn, e)
				}
				continue // Home shows no other share that is gone
			}
			if delete(must, e.Position); !may[e.Position] || len(shown[e.Position]) > 0 {
				unexpected = append(unexpected, e.Position)
			}
			shown[e.Position] = append(shown[e.Position], e)
		}
		if !kept {
			clear(must)
		}
		for _, position := range model.Newest(must, 0) {
			author := must[position]
			add(&ds, model.Timelines, at(model.Timelines, model.MonthKey(uid, position.Month())), entryField(position), nil, 1,
				&fix{"timeline of " + string(uid) + ", " + string(author), func(ctx context.Context) error {
					return v.timelines.Link(ctx, uid, author)
				}})
		}
		var tweets []model.TweetID
		for _, position := range slices.Compact(unexpected) {
			if !position.IsShare() {
				tweets = append(tweets, position.Tweet())
				continue
			}
			there := shown[position]
			add(&ds, model.Timelines, at(model.Timelines, there[0].Document), entryField(position), len(there), 1,
				&fix{"entry of " + string(uid) + ", " + string(position), func(ctx context.Context) error {
					return v.restoreEntry(ctx, uid, sharers[position], position, there)
				}})
		}
		gone, err := v.withdrawn(ctx, uid, withdrawn)
		if err != nil {
			return nil, err
		}
		ds = append(ds, gone...)
		there, err := v.access.TweetsNow(ctx, tweets)
		if err != nil {
			return nil, err
		}
		for _, id := range model.Newest(there, 0) {
			t, position := there[id], id.Position()
			if t.AudiencePartition() == model.NoAudiencePartition {
				continue // Home leaves it out, as it does deleted tweets
			}
			var want any
			if may[position] {
				want = 1
			}
			add(&ds, model.Timelines, at(model.Timelines, shown[position][0].Document), entryField(position),
				len(shown[position]), want, &fix{"entry of " + string(uid) + ", " + string(id), func(ctx context.Context) error {
					return v.restoreEntry(ctx, uid, t.AuthorID, position, shown[position])
				}})
		}
		return ds, nil
	}}
}

// withdrawn lists shares in a home timeline that do not exist. Shares of a tweet that is gone are no differences: they
// stay, and no page shows the tweet.
//
// Cost: 1 read a tweet.
func (v *verifier) withdrawn(ctx context.Context, uid model.UserID, entries []timelines.ShownEntry) (ds []Difference,
	err error) {
	var ids []model.TweetID
	for _, e := range entries {
		ids = append(ids, e.Position.Tweet())
	}
	slices.Sort(ids)
	tweets, err := v.access.TweetsNow(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if tweets[e.Position.Tweet()] != nil {
			add(&ds, model.Timelines, at(model.Timelines, e.Document), entryField(e.Position), 1, nil,
				&fix{"entry of " + string(uid) + ", " + string(e.Position), func(ctx context.Context) error {
					return v.removeWithdrawn(ctx, e)
				}})
		}
	}
	return ds, nil
}

// windows caches the windows of authors for the first snapshot of all users. That snapshot needs each author once for
// each follower.
type windows lru.Cache[model.UserID, *snapshot.Window]

func newWindows() windows { return lru.New[model.UserID, *snapshot.Window](10_000) }

// window reads the window of an author, or returns the cached one.
func (v *verifier) window(ctx context.Context, author model.UserID) (*snapshot.Window, error) {
	if v.windows != nil {
		if w, ok := v.windows.Get(author); ok {
			return w, nil
		}
	}
	w, err := v.read.Window(ctx, author)
	if err == nil && v.windows != nil {
		v.windows.Add(author, w)
	}
	return w, err
}
