package verify

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
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

// timeline is the unit of a home timeline. It compares what home pages merge with the reader's follows and with the
// tweets and shares of the followed users. Of the tweets from before a follow, the timeline shows the newest twenty. Of
// the shares it shows those since the follow, also of users whose shares the reader mutes: pages hide them. Shares that
// a page reads before it shows them are harmless. It also compares the tweets of followed tags, see
// [snapshot.Reader.Tagged]. The members of exclusive lists have nothing on it.
//
// The unit reads the timeline first. So a tweet that is written meanwhile is at most missing, and a later snapshot
// finds it.
func (v *verifier) timeline(uid model.UserID) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		if v.doubts.readers[uid] {
			return nil, nil
		}
		entries, err := v.timelines.Shown(ctx, uid)
		if err != nil {
			return nil, err
		}
		following, err := v.read.Following(ctx, uid)
		if err != nil {
			return nil, err
		}
		oldest := v.db.Now().Add(-model.TimelineWindow)
		must, may := map[model.Position]model.UserID{}, map[model.Position]bool{}
		excluded, err := v.read.Excluded(ctx, uid)
		if err != nil {
			return nil, err
		}
		for author, since := range v.viewers.Newest(following) {
			if excluded[author] {
				continue
			}
			w, err := v.window(ctx, author)
			if err != nil {
				return nil, err
			}
			w.Expect(author, since, oldest, must, may)
		}
		if err := v.read.Tagged(ctx, uid, excluded, must, may); err != nil {
			return nil, err
		}
		shown, others := map[model.Position][]model.UserID{}, []model.TweetID{}
		for _, e := range entries {
			if e.Position.IsShare() && !may[e.Position] && !e.Settled {
				continue // the page reads the share
			}
			if delete(must, e.Position); !may[e.Position] {
				others = append(others, e.Position.Tweet())
			}
			shown[e.Position] = append(shown[e.Position], e.AuthorID)
		}
		slices.Sort(others)
		there, err := v.access.TweetsNow(ctx, slices.Compact(others))
		if err != nil {
			return nil, err
		}
		differ := func(position model.Position, authors []model.UserID, have, want any) {
			for _, author := range authors {
				if v.doubts.authors[author] {
					return
				}
			}
			add(&ds, model.Heads, at(model.Heads, string(authors[0])), "home."+string(position), have, want,
				&fix{"home of " + string(uid) + ", " + string(position), func(ctx context.Context) error {
					return v.restoreHome(ctx, uid, authors, position)
				}})
		}
		for _, position := range model.Newest(must, 0) {
			differ(position, []model.UserID{must[position]}, nil, 1)
		}
		for _, position := range model.Newest(shown, 0) {
			authors := shown[position]
			switch t := there[position.Tweet()]; {
			case may[position] && len(authors) > 1:
				differ(position, authors, len(authors), 1)
			case !may[position] && t != nil && t.AudiencePartition() != model.NoAudiencePartition:
				differ(position, authors, len(authors), nil) // Home leaves out tweets that are gone
			}
		}
		if len(ds) > 0 { // a user without a profile, whose account goes, has no home timeline
			if found, err := v.HasUser(ctx, uid); err != nil || !found {
				return nil, err
			}
		}
		return ds, nil
	}}
}

// doubts are the users whose documents differ from the sources of truth, as the snapshot of users found out. The home
// timelines that read these documents are not compared: each follower's would differ again.
type doubts struct {
	readers map[model.UserID]bool // their own graph differs
	authors map[model.UserID]bool // their head or a month differs
}

// doubtsOf are the doubts that follow from differences.
func doubtsOf(ds []Difference) doubts {
	d := doubts{map[model.UserID]bool{}, map[model.UserID]bool{}}
	for i := range ds {
		_, id, _ := strings.Cut(ds[i].Document, "/")
		switch ds[i].Kind {
		case model.Viewers:
			d.readers[model.UserID(id)] = true
		case model.Heads:
			d.authors[model.UserID(id)] = true
		case model.TweetMonths, model.FollowerMonths, model.ShareMonths:
			d.authors[model.KeyUser(id)] = true
		}
	}
	return d
}

// home is the first snapshot of home timelines, after that of their readers. Of a tweet or share that several timelines
// lack, or have too many, it lists one difference.
func (v *verifier) home(ctx context.Context, readers []model.UserID, of []Difference) ([]Difference, error) {
	v.doubts = doubtsOf(of)
	units := make([]*unit, len(readers))
	for i, uid := range readers {
		units[i] = v.timeline(uid)
	}
	ds, err := v.snapshot(ctx, units)
	seen := map[string]bool{}
	return slices.DeleteFunc(ds, func(d Difference) bool {
		was := seen[d.key()]
		seen[d.key()] = true
		return was
	}), err
}

// windows caches the windows of authors for the first snapshot, which needs each author once for each follower.
type windows lru.Cache[model.UserID, *snapshot.Window]

// windowsMost is how many windows a first snapshot keeps.
const windowsMost = 10_000

func newWindows() windows { return lru.New[model.UserID, *snapshot.Window](windowsMost) }

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

// restoreHome makes what a reader's home timeline has of a position agree with the sources of truth: the reader's
// graph, and the months and heads of some authors.
//
// Cost: the costs of [viewers.Store.Restore]; for each author of restorePreview twice, or of restoreShare and 1 write,
// and of [timelines.Writer.RebuildHead].
func (a *Auditor) restoreHome(ctx context.Context, reader model.UserID, authors []model.UserID,
	position model.Position) (err error) {
	defer errs.Wrap(&err, "verify.restoreHome(%q, %q)", reader, position)
	if err := a.viewers.Restore(ctx, reader); err != nil {
		return err
	}
	for _, author := range authors {
		month := model.MonthKey(author, position.Month())
		if position.IsShare() {
			err = errors.Join(a.restoreShare(ctx, author, position, month),
				a.previews.MarkShares(ctx, author, position.Month()))
		} else {
			id, in := position.Tweet(), []string{month}
			err = errors.Join(a.restorePreview(ctx, author, id, model.OpenAudiencePartition, in),
				a.restorePreview(ctx, author, id, model.FollowersAudiencePartition, in))
		}
		if err := errors.Join(err, a.timelines.RebuildHead(ctx, author)); err != nil {
			return err
		}
	}
	return nil
}
