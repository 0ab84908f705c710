package simulate

// The bills of an item and of an entry, by the lines "Cost:" of store/timelines.

// pullItem is the bill of an item that is pulled: its head and its author's month. The function reads the tweet or
// share last.
var pullItem = Bill{Reads: 1, Writes: 2}

// pushItem is the bill of an item that is pushed, without the entries. An author with hashed pages of followers has a
// work document for each, which reads its page and the tweet or share.
func pushItem(share bool, followers float64) Bill {
	b := Bill{Reads: 3, Writes: 2}
	if share {
		b = Bill{Reads: 2, Writes: 1}
	}
	switch {
	case followers > pullAbove:
		b.Writes = 2
	case followers > followersPerPage:
		b = b.plus(Bill{Reads: 2, Writes: 1, Deletes: 1}.times(followerPages))
	}
	return b
}

// pushed is the bill of entries in home timelines. A full month moves half of its entries to an overflow document, by a
// work document. The overflow document expires.
func pushed(entries float64) Bill {
	overflow := Bill{Reads: 1, Writes: 3, Deletes: 2}
	return Bill{Writes: entries}.plus(overflow.times(entries / (entriesPerBucket / 2)))
}

// visit is the bill of a day's first home page, and of the timeline's month that expires.
var visit = Bill{Writes: 2, Deletes: 1.0 / monthDays}

// away is the bill of a reader who becomes dormant and comes back: marks on the pages of followers, the list of
// authors, the first page, and the rebuild of the timeline, which links each author again.
func away(followed float64) Bill {
	mark := Bill{Reads: 7, Writes: 1}.times(followed)
	first := Bill{Reads: 2*min(followed, 200) + 2*page}
	rebuild := Bill{Reads: 7, Writes: 3}.times(followed)
	return mark.plus(first).plus(rebuild).plus(Bill{Reads: 5, Writes: 6, Deletes: 4})
}
