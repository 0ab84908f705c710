package cost

// baseline is the layout of tutorials, with one document for each thing: for an entry of each follower and tweet, for a
// relationship, for a like. It shows and checks the same as Hibana, has no cache, and deletes no expired documents.
type baseline struct {
	// counters stores counts in the documents, so that a like also writes them. Otherwise a query counts whenever a count
	// is shown.
	counters bool
}

// count is the bill of showing a count. A query that counts costs 1 read for each
// thousand, at least 1.
func (l baseline) count(n int64) int64 {
	if l.counters {
		return 0
	}
	return max(1, (n+999)/1000)
}

// home is the bill of a page: for each tweet its entry, the tweet, its author, whether
// the reader likes it, and its numbers of likes and replies.
func (l baseline) home(page []shownTweet) Bill {
	b := Bill{}
	for _, t := range page {
		b.Reads += 4 + l.count(t.LikeCount) + l.count(t.ReplyCount)
	}
	b.Reads = max(1, b.Reads) // a query without results costs 1 read
	return b
}

// tweet is the bill of one tweet: what home reads for a tweet, without the entry.
func (l baseline) tweet(t shownTweet) Bill {
	return Bill{Reads: 3 + l.count(t.LikeCount) + l.count(t.ReplyCount)}
}

// tweets is the bill of several tweets whose ids are known.
func (l baseline) tweets(all []shownTweet) Bill {
	b := Bill{}
	for _, t := range all {
		b = b.plus(l.tweet(t))
	}
	b.Reads = max(1, b.Reads)
	return b
}

// notificationEvents is the bill of a page of notifications: for each notification its document, the users that it
// shows, and its tweet.
func (baseline) notificationEvents(page notificationEventList) Bill {
	b := Bill{}
	for _, n := range page.Items {
		b.Reads++
		for _, r := range n.Records {
			if r.User != nil {
				b.Reads++
			}
		}
		if n.Excerpt != nil {
			b.Reads++
		}
	}
	b.Reads = max(1, b.Reads)
	return b
}

// user is the bill of a profile with its three counts.
func (l baseline) user(u shownUser) Bill {
	return Bill{Reads: 1 + l.count(u.FollowerCount) + l.count(u.FollowedCount) + l.count(u.TweetCount)}
}

// userTweets is the bill of a query for a profile's tweets.
func (baseline) userTweets(shown int) Bill { return Bill{Reads: int64(max(1, shown))} }

// post is the bill of a post: 1 read of a relationship and 1 write of an entry for each
// follower.
func (l baseline) post(followers int) Bill {
	b := Bill{Reads: int64(max(1, followers)), Writes: 1 + int64(followers)}
	if l.counters {
		b.Writes++ // the author's number of tweets
	}
	return b
}

// reply is the bill of a reply: that of a post, and what a like reads and writes, with the
// reply in the place of the like.
func (l baseline) reply(followers int) Bill {
	return l.post(followers).plus(l.like()).plus(Bill{Writes: -1})
}

// share is the bill of a share: that of a like, and a relationship and an entry for each
// follower.
func (l baseline) share(followers int) Bill {
	return l.like().plus(Bill{Reads: int64(max(1, followers)), Writes: int64(followers)})
}

// edit is the bill of an edit: it reads and writes the tweet, and writes the earlier version.
func (baseline) edit() Bill { return Bill{Reads: 1, Writes: 2} }

// like is the bill of a like. It reads the tweet, its author, and whether the author
// blocks or follows the reader. It writes the like and a notification.
func (l baseline) like() Bill {
	b := Bill{Reads: 4, Writes: 2}
	if l.counters {
		b.Writes++
	}
	return b
}

// start is the bill of the client's start: the user's own profile, the cart and its products, a listener to the entries
// of a home page, and what listeners to unread notifications and to changes hear.
func (l baseline) start(u shownUser, products int, heard int64) Bill {
	return l.user(u).plus(Bill{Reads: 1 + int64(products) + homePage + heard})
}

// follow is the bill of a follow: it reads the user and a block, writes the relationship and a notification, and copies
// the newest tweets of the user to the home page.
func (l baseline) follow(tweets int) Bill {
	copied := int64(min(tweets, homePage))
	b := Bill{Reads: 2 + copied, Writes: 2 + copied}
	if l.counters {
		b.Writes += 2
	}
	return b
}

// order is the bill of a change of the cart, a look at it, and an order of all of it: a transaction reads the cart and
// the products, and writes the order, the stock of each product, the cart, and a notification.
func (baseline) order(products int) Bill {
	of := int64(products)
	return Bill{Reads: 1, Writes: 1}.plus(Bill{Reads: 1 + of}).plus(Bill{Reads: 1 + of, Writes: 3 + of})
}
