package audit

import (
	"context"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/audit/internal/snapshot"
	"github.com/hibana-sns/hibana/store/timelines"
)

// TimelineAudit is what is wrong with a home timeline. Blocks play no part, because they
// hide nothing.
type TimelineAudit struct {
	Missing   []model.TweetID // tweets that should be shown and are not
	Extra     []model.TweetID // tweets that are shown and should not be
	Duplicate []model.TweetID // tweets that are shown more than once
}

// AuditTimeline verifies the home timeline of one user and sorts the differences.
//
// Cost: what [Auditor.Timeline] costs.
func (a *Auditor) AuditTimeline(ctx context.Context, uid model.UserID, o Options) (*TimelineAudit, error) {
	differences, err := a.Timeline(ctx, uid, o)
	if err != nil {
		return nil, err
	}
	found := &TimelineAudit{Missing: []model.TweetID{}, Extra: []model.TweetID{}, Duplicate: []model.TweetID{}}
	for _, d := range differences {
		id := model.TweetID(d.Field[len(entryField):])
		switch {
		case d.Have == nil:
			found.Missing = append(found.Missing, id)
		case d.Want == nil:
			found.Extra = append(found.Extra, id)
		default:
			found.Duplicate = append(found.Duplicate, id)
		}
	}
	return found, nil
}

// entryField is how the field of a difference in a home timeline begins; the tweet's id
// follows.
const entryField = "entries."

// slack is how close to the end of the window a tweet may be missing, because it may
// leave the window during the audit. slack is also how long before a follow a tweet may
// have been written, or deleted, without the follow seeing it.
const slack = time.Minute

// timeline is the unit of a home timeline. It compares what the timeline shows with the
// authors whom the reader follows and with what those authors wrote. Of the tweets from
// before a follow, the timeline shows the newest twenty that were there when the follow
// took effect. Some of these tweets may have been deleted since. Then the tweets that
// moved up may be shown or not.
//
// The unit reads the timeline first. So a tweet that is written meanwhile is missing at
// most, and a later snapshot finds it. The timeline of a reader who is asleep may lack
// tweets, because Wake adds them when the reader returns. But Wake removes nothing, so
// the timeline must not have a tweet too many.
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
		must, may := map[model.TweetID]model.UserID{}, map[model.TweetID]bool{}
		for _, rel := range following {
			w, err := v.window(ctx, rel.FollowedID)
			if err != nil {
				return nil, err
			}
			expected(rel, w, oldest, must, may)
		}
		shown := map[model.TweetID][]timelines.ShownEntry{}
		var unexpected []model.TweetID
		for _, e := range entries {
			if delete(must, e.ID); !may[e.ID] || len(shown[e.ID]) > 0 {
				unexpected = append(unexpected, e.ID)
			}
			shown[e.ID] = append(shown[e.ID], e)
		}
		if !kept {
			clear(must)
		}
		for _, id := range model.Newest(must, 0) {
			author := must[id]
			add(&ds, model.Timelines, at(model.Timelines, model.MonthKey(uid, id.Month())), entryField+string(id), nil, 1,
				&fix{"timeline of " + string(uid) + ", " + string(author), func(ctx context.Context) error {
					return v.timelines.Link(ctx, uid, author)
				}})
		}
		there, err := v.facts.TweetsNow(ctx, unexpected)
		if err != nil {
			return nil, err
		}
		for _, id := range model.Newest(there, 0) {
			t := there[id]
			if t.Shelf() == model.NoShelf {
				continue // Home leaves it out, as tweets that are gone
			}
			var want any
			if may[id] {
				want = 1
			}
			add(&ds, model.Timelines, at(model.Timelines, shown[id][0].Document), entryField+string(id), len(shown[id]), want,
				&fix{"entry of " + string(uid) + ", " + string(id), func(ctx context.Context) error {
					return v.restoreEntry(ctx, uid, t.AuthorID, id, shown[id])
				}})
		}
		return ds, nil
	}}
}

// expected adds what a follower must see of an author to must, and what the follower may
// see to may.
func expected(rel model.Relationship, w *snapshot.Window, oldest time.Time, must map[model.TweetID]model.UserID, may map[model.TweetID]bool) {
	need := func(id model.TweetID) {
		if !w.Tweets[id] && id.Time().After(oldest.Add(slack)) {
			must[id] = rel.FollowedID
		}
	}
	before := map[model.TweetID]bool{} // tweets that were there when the follow began
	existing := map[model.TweetID]bool{}
	for id := range w.Tweets {
		switch at := id.Time(); {
		case at.Before(oldest.Add(-slack)):
		case !at.Before(rel.CreatedAt):
			may[id] = true
			need(id)
		default:
			before[id], existing[id] = true, true
		}
	}
	for id, deleted := range w.Deleted {
		// A tweet that was deleted just before the follow may still have counted among
		// the newest twenty.
		if at := id.Time(); at.Before(rel.CreatedAt) && deleted.After(rel.CreatedAt.Add(-slack)) && !at.Before(oldest) {
			before[id] = true
		}
	}
	for _, id := range model.Newest(before, model.RecentTweets) {
		if existing[id] {
			need(id)
		}
	}
	// A tweet from just before the follow may not have reached its author's month when
	// the follow took effect. Then an older tweet was shown in its place, and the late
	// tweet came as well.
	// The same holds for a tweet that was hidden then.
	late := 0
	for id := range before {
		if id.Time().After(rel.CreatedAt.Add(-slack)) || w.Hidden[id] {
			late++
		}
	}
	for _, id := range model.Newest(existing, model.RecentTweets+late) {
		may[id] = true
	}
}

// windows remembers what some authors wrote, for the first snapshot of everything. That
// snapshot needs each author once for each follower.
type windows = lru.Cache[model.UserID, *snapshot.Window]

func newWindows() *windows {
	c, err := lru.New[model.UserID, *snapshot.Window](10_000)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return c
}

// window reads what an author wrote, or remembers it.
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
