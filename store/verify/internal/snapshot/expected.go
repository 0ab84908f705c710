package snapshot

import (
	"time"

	"github.com/hibana-sns/hibana/model"
)

// slack is how close to the end of the window a tweet may be missing, because it may leave the window during the
// verification. slack is also how long before a follow a tweet may have been written, or deleted, without an effect on
// the backfill of the follow.
const slack = time.Minute

// Expect adds the positions of an author's tweets and shares that a follower must see to must, and those that the
// follower may see to may.
func (w *Window) Expect(rel model.Relationship, oldest time.Time, must map[model.Position]model.UserID,
	may map[model.Position]bool) {
	for _, position := range w.Shares {
		may[position] = true
		if at := position.Time(); !at.Before(rel.CreatedAt) && at.After(oldest.Add(slack)) {
			must[position] = rel.FollowedID
		}
	}
	need := func(id model.TweetID) {
		if !w.Tweets[id] && id.Time().After(oldest.Add(slack)) {
			must[id.Position()] = rel.FollowedID
		}
	}
	before := map[model.TweetID]bool{} // tweets that existed when the follow began
	existing := map[model.TweetID]bool{}
	for id := range w.Tweets {
		switch at := id.Time(); {
		case at.Before(oldest.Add(-slack)):
		case !at.Before(rel.CreatedAt):
			may[id.Position()] = true
			need(id)
		default:
			before[id], existing[id] = true, true
		}
	}
	for id, deleted := range w.Deleted {
		// A tweet that was deleted just before the follow may still have counted among the newest twenty.
		if at := id.Time(); at.Before(rel.CreatedAt) && deleted.After(rel.CreatedAt.Add(-slack)) && !at.Before(oldest) {
			before[id] = true
		}
	}
	for _, id := range model.Newest(before, model.RecentTweets) {
		if existing[id] {
			need(id)
		}
	}
	// A tweet from just before the follow may have been missing in its author's month when the follow took effect. Then
	// the backfill has an older tweet in its place, and fan-out brought the late tweet as well. The same holds for a tweet
	// that was hidden then.
	late := 0
	for id := range before {
		if id.Time().After(rel.CreatedAt.Add(-slack)) || w.Hidden[id] {
			late++
		}
	}
	for _, id := range model.Newest(existing, model.RecentTweets+late) {
		may[id.Position()] = true
	}
}
