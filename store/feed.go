package store

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// feed gives the tweets of a month of a home timeline one by one, newest first: those
// that were pushed, merged with those of large authors, each once.
type feed struct {
	timeline *model.Timeline
	pushed   *reader[model.Entry]
	pulled   map[model.UserID]*reader[model.Card]
	before   model.TweetID
	oldest   time.Time
}

// feed reads the months of the large authors, which many readers share, through the
// cache: a read each.
func (s *Store) feed(ctx context.Context, t *model.Timeline, uid model.UserID, m model.Month, before model.TweetID, oldest time.Time) (*feed, error) {
	f := &feed{timeline: t, before: before, oldest: oldest, pulled: map[model.UserID]*reader[model.Card]{}}
	f.pushed = read(s, s.timelineBuckets, model.MonthKey(uid, m), t.Entries, t.Pages, before)
	var ids []string
	for author := range t.Pulled {
		if !t.Dropped[author].Equal(model.Never) {
			ids = append(ids, model.MonthKey(author, m))
		}
	}
	if len(ids) == 0 {
		return f, nil
	}
	months, err := s.months.all(ctx, ids)
	if err != nil {
		return nil, err
	}
	for id, month := range months {
		f.pulled[month.UserID] = read(s, s.monthBuckets, id, month.Tweets, month.Pages, before)
	}
	return f, nil
}

// next gives the next tweet that the reader of the timeline sees; ok is false at the
// end of the month.
func (f *feed) next(ctx context.Context) (id model.TweetID, ok bool, err error) {
	for {
		id, ok, err := f.pushed.peek(ctx, f.before)
		if err != nil {
			return "", false, err
		}
		var author model.UserID
		if ok {
			author = f.pushed.items[id].AuthorID
		}
		for a, r := range f.pulled {
			other, held, err := r.peek(ctx, f.before)
			if err != nil {
				return "", false, err
			}
			if held && (!ok || other.Compare(id) > 0) {
				id, author, ok = other, a, true
			}
		}
		if !ok || id.Time().Before(f.oldest) {
			return "", false, nil
		}
		f.skip(id)
		if f.timeline.Shows(id, author) {
			return id, true, nil
		}
	}
}

// skip passes over a tweet wherever it is next.
func (f *feed) skip(id model.TweetID) {
	if ids := f.pushed.ids; len(ids) > 0 && ids[0] == id {
		f.pushed.skip()
	}
	for _, r := range f.pulled {
		if len(r.ids) > 0 && r.ids[0] == id {
			r.skip()
		}
	}
}

// homeMonth reads a month of a home timeline and of its owner's reactions: 2 reads
// in one round trip.
func (s *Store) homeMonth(ctx context.Context, uid model.UserID, m model.Month) (*model.Timeline, *model.ReactionMonth, error) {
	snaps, err := s.fs.GetAll(ctx, []*firestore.DocumentRef{s.timeline(uid, m), s.reactionMonth(uid, m)})
	if err != nil {
		return nil, nil, err
	}
	timeline, reactions := &model.Timeline{}, &model.ReactionMonth{}
	if _, err := decode(snaps[0], nil)(timeline); err != nil {
		return nil, nil, err
	}
	if _, err := decode(snaps[1], nil)(reactions); err != nil {
		return nil, nil, err
	}
	return timeline, reactions, nil
}
