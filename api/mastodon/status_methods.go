package mastodon

import "net/http"

func statusMethods() []Method {
	const read, write = "read read:statuses", "write write:statuses"
	return []Method{
		post("/api/v1/statuses", write, createStatus).
			note("text may have hashtags, mentions and links; content_type text/markdown is a further parameter. A poll has " +
				"one choice. sensitive without spoiler_text folds a post with media below \"" + sensitiveSummary + "\". A " +
				"reply that is for more people than what it answers is for as many. One that waits for approval answers " +
				"with a status that cannot be read yet"),
		get("/api/v1/statuses", read, manyStatuses).public(),
		get("/api/v1/statuses/:id", read, getStatus).public().
			note("card, and pinned of the caller's own posts, are here alone; muted is that of the answers of mute and unmute"),
		get("/api/v1/statuses/:id/card", read, statusCard).public().
			note("not in the documentation any more"),
		put("/api/v1/statuses/:id", write, editStatus).
			note("media, poll and language stay as they are; media may get other descriptions"),
		remove("/api/v1/statuses/:id", write, deleteStatus).
			note("without delete_media the media are kept for a day, for a new post of the caller. The id of a share of " +
				"the caller ends the share"),
		get("/api/v1/statuses/:id/source", read, statusSource).
			note("a post that is written in Markdown has its Markdown, and is edited as such"),
		get("/api/v1/statuses/:id/history", read, statusHistory).public().
			note("versions have the media and the poll of the post as it is now"),
		get("/api/v1/statuses/:id/context", read, statusContext).public().
			note("at most about 120 replies, less where they cost much; 60 for callers without an account. " +
				"The first 60 that are longer than 280 characters are whole"),
		post("/api/v1/statuses/:id/translate", read, func(c *call) (any, error) {
			_, err := c.postOf()
			return nil, orNone(err, c.path("id"))
		}).off("posts are not translated"),
		get("/api/v1/statuses/:id/reblogged_by", read, func(c *call) (any, error) { return c.peopleOf("shares") }).public(),
		get("/api/v1/statuses/:id/favourited_by", read, func(c *call) (any, error) { return c.peopleOf("likes") }).public(),
		get("/api/v1/statuses/:id/quotes", read, statusQuotes).public(),
		post("/api/v1/statuses/:id/quotes/:quoting_status_id/revoke", write, revokeQuote),
		put("/api/v1/statuses/:id/interaction_policy", write, putPolicy),

		post("/api/v1/statuses/:id/favourite", "write write:favourites", act(http.MethodPut, "like", like)),
		post("/api/v1/statuses/:id/unfavourite", "write write:favourites", act(http.MethodDelete, "like", unlike)),
		post("/api/v1/statuses/:id/reblog", write, reblog).
			note("visibility is ignored: everybody may see a share. A share that is there, and not among the caller's " +
				"newest 5, has the id of the post"),
		post("/api/v1/statuses/:id/unreblog", write, act(http.MethodDelete, "share", unshare)),
		post("/api/v1/statuses/:id/bookmark", "write write:bookmarks", act(http.MethodPut, "bookmark", nil)),
		post("/api/v1/statuses/:id/unbookmark", "write write:bookmarks", act(http.MethodDelete, "bookmark", nil)),
		post("/api/v1/statuses/:id/pin", "write write:accounts", act(http.MethodPut, "pin", nil)),
		post("/api/v1/statuses/:id/unpin", "write write:accounts", act(http.MethodDelete, "pin", nil)),
		post("/api/v1/statuses/:id/mute", "write write:mutes", act(http.MethodPut, "mute", nil)),
		post("/api/v1/statuses/:id/unmute", "write write:mutes", act(http.MethodDelete, "mute", nil)),
	}
}
