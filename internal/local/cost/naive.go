package cost

// naive is a layout as tutorials have it, with a document for each thing: an entry for
// each follower and tweet, a relationship, a like. It shows and checks what Hibana
// does, keeps no cache, and deletes nothing that has expired.
type naive struct {
	// counters says that counts stand in the documents, which a like then writes too.
	// Otherwise they are counted by a query whenever they are shown.
	counters bool
}

// count is what showing a count is billed: a query that counts takes a read for each
// thousand, and at least one.
func (l naive) count(n int64) int64 {
	if l.counters {
		return 0
	}
	return max(1, (n+999)/1000)
}

// home shows a page: for each tweet its entry, itself, its author, whether the reader
// likes it, and its numbers of likes and replies.
func (l naive) home(page []shownTweet) Bill {
	b := Bill{}
	for _, t := range page {
		b.Reads += 4 + l.count(t.LikeCount) + l.count(t.ReplyCount)
	}
	b.Reads = max(1, b.Reads) // no entry is a query without result
	return b
}

// tweet shows one tweet as home does, without an entry.
func (l naive) tweet(t shownTweet) Bill {
	return Bill{Reads: 3 + l.count(t.LikeCount) + l.count(t.ReplyCount)}
}

// user shows a profile with its three numbers.
func (l naive) user(u shownUser) Bill {
	return Bill{Reads: 1 + l.count(u.FollowerCount) + l.count(u.FollowedCount) + l.count(u.TweetCount)}
}

// userTweets queries as many tweets as are shown.
func (naive) userTweets(shown int) Bill { return Bill{Reads: int64(max(1, shown))} }

// post reads a relationship and writes an entry for each follower.
func (l naive) post(followers int) Bill {
	b := Bill{Reads: int64(max(1, followers)), Writes: 1 + int64(followers)}
	if l.counters {
		b.Writes++ // the author's number of tweets
	}
	return b
}

// like reads the tweet, its author, and whether they block or follow the reader; it
// writes the like and a notification.
func (l naive) like() Bill {
	b := Bill{Reads: 4, Writes: 2}
	if l.counters {
		b.Writes++
	}
	return b
}
