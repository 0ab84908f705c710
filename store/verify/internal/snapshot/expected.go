package snapshot

import (
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Expect adds the positions of an author's tweets and shares that a follower sees to may, and those that the follower
// must see to must: at the end of the window, a tweet or share may be missing. The follower follows the author since a
// time.
func (w *Window) Expect(author model.UserID, since, oldest time.Time, must map[model.Position]model.UserID,
	may map[model.Position]bool) {
	expect := func(position model.Position) {
		if may[position] = true; position.Time().After(oldest.Add(slack)) {
			must[position] = author
		}
	}
	for _, position := range w.Shares {
		if !position.Time().Before(since) {
			expect(position)
		}
	}
	before := map[model.TweetID]bool{} // tweets from before the follow
	for id := range w.Tweets {
		if id.Time().Before(since) {
			before[id] = true
		} else {
			expect(id.Position())
		}
	}
	for _, id := range model.Newest(before, model.RecentTweets) {
		expect(id.Position())
	}
}
