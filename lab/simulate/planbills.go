package simulate

import (
	"math"
)

const (
	// changeBytes is how large a change is in a digest.
	changeBytes = 60
	// mergeAbove is the number of writing processes above which one process merges the digests of a second, so that the
	// others read few documents.
	mergeAbove = 32
	// digestBytes is how large a merged digest becomes at most.
	digestBytes = 900_000
)

// digests is the bill of change digests for a user's day, if a user changes so many documents a day.
func (p *Plan) digests(changes float64) Bill {
	rate := changes * p.Users / secondsADay
	written := p.Writers * (1 - math.Exp(-rate/p.Writers)) // documents a second
	read, b := written, Bill{Reads: written, Writes: written, Deletes: written}.times(secondsADay)
	if p.Writers > mergeAbove {
		if merged := math.Ceil(rate * changeBytes / digestBytes); merged < written {
			read = merged
			b = b.plus(Bill{Reads: written, Writes: merged, Deletes: merged}.times(secondsADay))
		}
	}
	every := pollEvery.Seconds()
	polls := secondsADay / every * (1 - math.Exp(-every*p.requests()/p.Instances))
	found := read * secondsADay / polls // by a poll, on average
	b.Reads += p.Instances * polls * (found + math.Exp(-found))
	return b.times(1 / p.Users)
}

// large is the share of the users whom a reader follows that have too many followers for a push.
func (p *Plan) large() (share float64) {
	for _, b := range p.crowd {
		if b.followers > pullAbove {
			share += b.authors * b.followers / p.Users / p.Followed
		}
	}
	return share
}

// monthReads is how many reads of large authors' months a page costs, which the API caches for cacheTTL.
func (p *Plan) monthReads() (reads float64) {
	for _, b := range p.crowd {
		if b.followers > pullAbove {
			others, own := p.looks(b)
			reads += 2 * b.authors * b.followers / p.Users / (1 + (others+own)/secondsADay*cacheTTL.Seconds())
		}
	}
	return reads
}

// Push is the bill of a user's day if entries are pushed, with digests of changed tweets.
func (p *Plan) Push() LayoutCost {
	c := LayoutCost{Layout: PushDigests, Process: p.digests(changesADay)}
	for _, b := range p.crowd {
		items := pushItem(false, b.followers).times(postsADay).plus(pushItem(true, b.followers).times(sharesADay))
		c.Author = c.Author.plus(items.times(b.authors / p.Users))
	}
	large := p.large()
	c.Reader = pushed(itemsADay * p.Followed * (1 - large) * p.kept()).plus(visit.times(p.Active))
	c.Reader.Writes += p.Followed * large * p.kept() / monthDays
	c.Reader = c.Reader.plus(away(p.Followed).times(returning * (1 - p.kept())))
	c.Page.Tweets = p.tweetReads(false)
	c.Page.Mean = 3 + p.monthReads() + c.Page.Tweets
	c.Page.Again, c.Page.Cold = 3, 3+page+2*large*p.Followed
	c.Reader.Reads += p.Active * p.Pages * c.Page.Mean
	return c
}

// Pull is the bill of a user's day if pages merge heads, by one of the layouts that pull.
func (p *Plan) Pull(layout string) LayoutCost {
	c := LayoutCost{Layout: layout, Author: pullItem.times(itemsADay), Process: p.digests(changesADay + itemsADay)}
	_, own := p.looks(band{})
	docs := 1 + math.Exp(-own*p.Life) // reactions, and whom the reader follows
	needed := min(page, p.Followed*(1-math.Exp(-page/p.Followed)))
	if !p.known() {
		needed = p.Followed
	}
	c.Page.Heads, c.Page.Again, c.Page.Cold = p.headReads(layout == PullCarried), 1, 2+needed+page
	if layout == PullKept {
		docs++
		gap := itemsADay / (itemsADay + p.Pages)
		news := p.Followed * gap * (1 - math.Exp(-(itemsADay+p.Pages)*p.depth())) // authors with news
		c.Page.Heads, c.Page.Again, c.Page.Cold = p.newsReads(), 2, 3+news+page
		c.Reader.Writes = p.Active * p.Pages * p.Followed * itemsADay / (p.Followed*itemsADay + p.Pages)
		c.Reader.Deletes = 1.0 / monthDays
	}
	c.Page.Tweets = p.tweetReads(layout == PullCarried)
	c.Page.Mean = docs + c.Page.Heads + c.Page.Tweets
	c.Reader.Reads = p.Active * p.Pages * c.Page.Mean
	return c
}
