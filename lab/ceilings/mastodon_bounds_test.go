package ceilings

// mostWhole is what a page of 40 whole posts may be billed: a native list has their snippets, and no authors. Each may
// have a long text, a poll, and a quoted post with an author and a long text of its own.
// mostEssays is what the replies to a post may be billed that are all long, and have no poll and no quote.
// mostSought is what a page that follows on min_id may be billed: 300 reads of the search, one native page more, and
// what makes the posts whole.
const mostWhole, mostEssays, mostSought = 380, 230, 520

// What min_id costs in the past depends on when the posts were made: testdata/worst.txt has the most of several runs.

// mastodonBounds are the methods of the client API of Mastodon that may be billed more reads, or writes and deletes,
// than maxReads and maxWrites.
var mastodonBounds = map[string]promise{
	// Replies for about 265 reads, their authors, 20 polls and 40 quoted posts.
	"GET /api/v1/statuses/:id/context": {560, 0},

	"GET /api/v1/bookmarks":               {mostWhole, 0},
	"GET /api/v1/favourites":              {mostWhole, 0},
	"GET /api/v1/statuses":                {mostWhole, 0},
	"GET /api/v1/statuses/:id/quotes":     {mostWhole, 0},
	"GET /api/v1/timelines/direct":        {mostWhole, 0},
	"GET /api/v1/conversations":           {mostWhole, 0},
	"POST /api/v1/conversations/:id/read": {mostWhole, 0},
	"GET /api/v1/timelines/public":        {mostSought, 0},
	"GET /api/v1/timelines/tag/:hashtag":  {mostSought, 0},
	"GET /api/v1/timelines/list/:list_id": {mostSought, 0},
	"GET /api/v1/trends/statuses":         {mostWhole, 0},
	"GET /api/v1/accounts/:id/statuses":   {mostSought, 0},
	"GET /api/v1/notifications":           {mostWhole, 0},
	"GET /api/v2/notifications":           {mostWhole, 0},
	"GET /api/v1/timelines/home":          {mostTagged, 1}, // cold heads, see mostDeep and mostTagged

	// People and posts, of a reader whose graph is not whole.
	"GET /api/v1/search":          {300, 0},
	"GET /api/v2/search":          {300, 0},
	"GET /api/v1/accounts/search": {300, 0},
	// Native pages that the caller hides, up to goOnReads, and one more.
	"GET /api/v1/mutes":                      {230, 0},
	"GET /api/v1/statuses/:id/favourited_by": {200, 0},
	"GET /api/v1/statuses/:id/reblogged_by":  {200, 0},
	"GET /api/v1/accounts/relationships":     {360, 0}, // 100 people, in several native requests
	// Each of 10 senders has 15 notifications, of which each is written.
	"POST /api/v1/notifications/requests/accept":  {200, 200},
	"POST /api/v1/notifications/requests/dismiss": {maxReads, 40},
	// Each of 30 members is a native request.
	"POST /api/v1/lists/:id/accounts":   {maxReads + 10, 60},
	"DELETE /api/v1/lists/:id/accounts": {maxReads, 60},
}

// boundOf is what a request to a method may be billed.
func boundOf(in input) promise {
	if in.most > 0 {
		return promise{in.most, maxWrites}
	}
	if bound, ok := mastodonBounds[in.route]; ok {
		return bound
	}
	return promise{maxReads, maxWrites}
}
