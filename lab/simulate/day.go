package simulate

import (
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
)

// The day of a user, as lab/cost/day.go plays it. A reply is on home pages like a post.
const (
	pagesADay   = 10 // home pages
	tweetsADay  = 10 // tweets that the user opens
	viewsADay   = 19 // other requests that read: threads, profiles, notifications, searches
	postsADay   = 3  // two posts and a reply
	sharesADay  = 1
	likesADay   = 10
	repliesADay = 1
	editsADay   = 0.2

	// itemsADay is how many items a user adds to the home pages of followers.
	itemsADay = postsADay + sharesADay
	// changesADay is how often a user changes a tweet that others may have in memory.
	changesADay = likesADay + repliesADay + sharesADay + editsADay
	// writingADay is how many requests of a user write.
	writingADay = postsADay + sharesADay + likesADay + editsADay
)

// writesADay is how many documents a user's day writes in all, with its functions, by docs/contribute/costs.md.
const writesADay = 170

const (
	secondsADay = 24 * 3600
	// peak is how much more happens in the busiest hour than on average.
	peak = 4
	// perInstance is how many requests, or events, an instance with 1 vCPU takes a second.
	perInstance = 250
	// page is how many tweets a home page shows.
	page = 20
)

// eventsADay is how many events of the deployed triggers a user's day causes. Each of its tweets, likes, shares and
// edits creates a document. Counts update tweets and profiles, and no function listens to that.
func eventsADay() float64 {
	type trigger struct {
		document string
		event    functions.EventType
	}
	times := map[trigger]float64{
		{model.Tweets + "/{id}", functions.Created}:                                 postsADay,
		{model.Tweets + "/{id}", functions.Updated}:                                 changesADay,
		{model.Tweets + "/{tweet}/" + model.Revisions + "/{id}", functions.Created}: editsADay,
		{model.Likes + "/{id}", functions.Written}:                                  likesADay,
		{model.Shares + "/{id}", functions.Written}:                                 sharesADay,
		{model.Users + "/{id}", functions.Updated}:                                  postsADay,
	}
	n := 0.0
	for _, f := range functions.Table {
		for _, on := range f.On {
			n += times[trigger{f.Document, on}]
		}
	}
	return n
}

// triggers is how many triggers a deployment has: one for each function and event type.
func triggers() (n int) {
	for _, f := range functions.Table {
		n += len(f.On)
	}
	return n
}
