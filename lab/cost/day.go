package cost

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// Day describes the simulated day.
type Day struct {
	Users int    // at least 3
	Days  int    // how many days are measured
	Seed  uint64 // the seed of every random choice
	For   int    // for how many such users the report prices a month
	Fleet bool   // whether the report prices larger networks too

	// Pictures is whether one of ten posts has a picture, and one of 20 users changes the avatar. The options then need
	// buckets.
	Pictures bool

	// Messages is whether users write messages to each other, and do what else is new. At least 9 users are needed then.
	Messages bool

	// Apps is whether users have an app for Mastodon in place of the web client. No picture and no message goes with it.
	Apps bool
}

// The operations of a day.
const (
	homeView              = "home page"
	tweetView             = "tweet"
	threadView            = "thread"
	userView              = "profile"
	userTweets            = "profile's tweets"
	notificationEventView = "notifications"
	search                = "search"
	postTweet             = "post"
	replyTweet            = "reply"
	editTweet             = "edit"
	shareTweet            = "share"
	likeTweet             = "like"
	homeNews              = "home page, what is new"
	homeAgain             = "home page, again at once" // not a part of the day
)

// earlierDays are the days before the measured days, on which users only post. They fill
// a page of a profile.
const earlierDays = 10

// perDay is how often each of so many users does each operation on a day. Half of the tweets
// have a tag.
var perDay = []struct {
	operation string
	times     int
	of        int // one user of so many does the operation
}{
	{homeView, 10, 1}, {tweetView, 10, 1}, {threadView, 3, 1}, {userView, 5, 1}, {userTweets, 5, 1},
	{notificationEventView, 5, 1}, {search, 1, 1},
	{postTweet, 2, 1}, {replyTweet, 1, 1}, {editTweet, 1, 5}, {shareTweet, 1, 1}, {likeTweet, 10, 1},
	{startView, 3, 1}, {risingTags, 10, 1}, {popularTags, 10, 1}, {trendsView, 1, 1}, {totalsView, 1, 10},
	{tieView, 5, 1},
	{tagView, 1, 2}, {readAll, 2, 1}, {bookmarkTweet, 1, 2}, {bookmarkView, 1, 5}, {followUser, 1, 2},
	{followersView, 1, 2}, {followingView, 1, 2},
	{editProfile, 1, 20},
	{signUp, 1, 50}, {shopView, 1, 5}, {productView, 2, 5}, {cartPut, 1, 10}, {orderProducts, 1, 20},
}

// The web client asks for news while the home page is visible, after 10 to 60 s: here after newsPause, newsAVisit
// times. So home pages are visible for half an hour of the time in which the client is open.
const (
	newsAVisit = 8
	newsPause  = 20 * time.Second
)

// tags is how many tags are in use, the most popular first.
const tags = 50

// popularOfTags is how many tags, the most popular ones, certainly have a tweet.
const popularOfTags = 3

// run is a day that is being played.
type run struct {
	*system
	*crowd
	tags     zipf
	products []string       // ids
	newest   map[int]string // by user: the newest position of the home page, as the API gave it
	joined   int            // users who signed up on the day
	ticked   time.Time
	report   *Report
	gallery  *gallery       // nil without pictures
	talks    *talks         // nil without messages
	top      map[int]string // by user: the newest tweet of the home page
	phone    *phone         // nil without apps
}

// Run plays the day and returns what the day was billed. The project must be empty.
func Run(ctx context.Context, d Day, o Options) (_ *Report, err error) {
	if d.Users < 3 || d.Days < 1 {
		return nil, fmt.Errorf("cost: %d users and %d days; at least 3 and 1 are needed", d.Users, d.Days)
	}
	if d.Pictures && (o.Functions.Uploads == "" || o.Functions.Media == "") {
		return nil, errors.New("cost: pictures need two buckets")
	}
	if d.Messages && d.Users < leastTalking {
		return nil, fmt.Errorf("cost: %d users, and %d are needed for messages", d.Users, leastTalking)
	}
	if d.Apps && (d.Pictures || d.Messages) {
		return nil, errors.New("cost: a day of apps has no pictures and no messages")
	}
	s, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	r := &run{system: s, crowd: newCrowd(d.Users, d.Seed), tags: newZipf(tags), newest: map[int]string{},
		top:    map[int]string{},
		report: newReport(d)}
	if d.Pictures {
		if r.gallery, err = newGallery(); err != nil {
			return nil, err
		}
	}
	if d.Messages {
		r.talks = newTalks(d.Users, d.Seed)
	}
	if d.Apps {
		r.phone = &phone{newest: map[int]string{}, seen: map[int]string{}}
	}
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	for day := range d.Days {
		if err := r.day(ctx, day); err != nil {
			return nil, err
		}
	}
	if d.For > 0 && !d.Apps { // the model of the caches knows the pages of the web client alone
		if r.report.HomeReads, r.report.NewsReads, err = homeReads(d.For, d.Seed, o.CacheTTL); err != nil {
			return nil, err
		}
	}
	if !d.Fleet {
		return r.report, nil
	}
	r.report.Fleets = newFleets()
	return r.report, r.Count("networks of 1,000,000 users", len(r.report.Fleets), func(done func()) error {
		for i := range r.report.Fleets {
			if err := r.report.Fleets[i].model(d.Seed, o.CacheTTL); err != nil {
				return err
			}
			done()
		}
		return nil
	})
}

// begin makes the users, their earlier tweets, and then their follows, which fill every
// home page.
func (r *run) begin(ctx context.Context) error {
	err := r.all(ctx, "users", len(r.names), func(ctx context.Context, i int) error { return r.join(ctx, r.names[i]) })
	if err != nil {
		return err
	}
	if err := r.stock(ctx); err != nil {
		return err
	}
	if r.phone != nil {
		if err := r.letIn(ctx); err != nil {
			return err
		}
	}
	if r.gallery != nil {
		err := r.all(ctx, "avatars", len(r.names), func(ctx context.Context, i int) error {
			_, err := r.setAvatar(ctx, r.names[i])
			return err
		})
		if err != nil {
			return err
		}
	}
	// The posts come one after the other, so that each run gives them the same times.
	posts := r.earlier()
	err = r.Count("earlier tweets", len(posts), func(done func()) error {
		for n, p := range posts {
			r.Functions.advance(earlierDays * 24 * time.Hour / time.Duration(len(posts)))
			if r.gallery.illustrates(p) {
				if _, _, err := r.perform(ctx, operation{user: p.user, name: pictureUpload}, n); err != nil {
					return err
				}
			}
			if _, _, err := r.perform(ctx, p, n); err != nil {
				return err
			}
			done()
		}
		return r.Idle(ctx)
	})
	if err != nil {
		return err
	}
	err = r.all(ctx, "follows", len(r.names), func(ctx context.Context, i int) error {
		for _, whom := range r.follows[i] {
			r.Functions.advance(time.Second)
			if err := r.follow(ctx, r.names[i], r.names[whom]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || r.talks == nil {
		return err
	}
	return r.meet(ctx)
}

// day does all operations of a day.
func (r *run) day(ctx context.Context, n int) error {
	all := r.today(r.talks, append(r.gallery.avatars(len(r.names)), r.talks.today(len(r.names))...)...)
	r.gallery.forget()
	return r.Count(fmt.Sprint("day ", n+1), len(all), func(done func()) error {
		passed := time.Duration(0)
		for i, op := range all {
			r.Functions.advance(op.at - passed)
			passed = op.at
			if err := r.tick(ctx); err != nil {
				return err
			}
			if err := r.do(ctx, op, i); err != nil {
				return err
			}
			done()
		}
		r.Functions.advance(24*time.Hour - passed)
		return nil
	})
}

// tick calls the clock of the functions if a minute has passed since the last call, and reports its bill.
func (r *run) tick(ctx context.Context) error {
	now := r.Functions.Now()
	if r.Tick == nil || now.Sub(r.ticked) < time.Minute {
		return nil
	}
	r.ticked = now
	if err := r.Tick(ctx); err != nil {
		return err
	}
	if err := r.Idle(ctx); err != nil {
		return err
	}
	functions, expired := r.Functions.take()
	r.report.Tick.Expired += expired
	for _, f := range functions {
		r.report.Tick.Triggers = r.report.Tick.Triggers.plus(f.Bill)
	}
	r.report.Tick.Times++
	return nil
}

// do executes one operation, waits for its triggers if it wrote anything, and reports both bills. Before a post with a
// picture, do uploads the picture. For a home page, do loads its pictures, and reads the page again at once if n is a
// multiple of ten.
func (r *run) do(ctx context.Context, op operation, n int) error {
	if r.gallery.illustrates(op) {
		if err := r.do(ctx, operation{user: op.user, name: pictureUpload}, n); err != nil {
			return err
		}
	}
	bill, would, err := r.perform(ctx, op, n)
	if err != nil {
		return err
	}
	var functions map[string]Invocations
	var expired int64
	if bill.Writes+bill.Deletes > 0 {
		if err := r.Idle(ctx); err != nil {
			return err
		}
		functions, expired = r.Functions.take()
	}
	r.report.add(op.name, bill, functions, expired, would)
	if op.name == homeNews && r.phone != nil {
		return r.do(ctx, operation{user: op.user, name: notificationNews}, n)
	}
	if op.name == homeView {
		if err := r.views(ctx, op.user); err != nil {
			return err
		}
	}
	if op.name == homeView && n%10 == 0 {
		again, would, err := r.perform(ctx, op, n)
		if err != nil {
			return err
		}
		r.report.add(homeAgain, again, nil, 0, would)
	}
	return nil
}

// perform sends the request of an operation. It returns the bill of the request and the bill of a baseline layout for
// the same operation.
func (r *run) perform(ctx context.Context, op operation, n int) (b Bill, would func(baseline) Bill, err error) {
	if b, would, ok, err := r.dialed(ctx, op, n); ok {
		return b, would, err
	}
	if b, would, ok, err := r.beside(ctx, op, n); ok {
		return b, would, err
	}
	if b, would, ok, err := r.pictured(ctx, op); ok {
		return b, would, err
	}
	if b, would, ok, err := r.talked(ctx, op, n); ok {
		return b, would, err
	}
	me := r.names[op.user]
	switch op.name {
	case homeView:
		var page tweetList
		b, err = r.call(ctx, me, http.MethodGet, "/v1/timeline", nil, &page)
		r.report.HomeTweets += int64(len(page.Items))
		r.newest[op.user] = page.Newest
		r.gallery.show(page.Items)
		r.top[op.user] = ""
		for _, t := range slices.Backward(page.Items) {
			if t.SharedBy == nil {
				r.top[op.user] = t.ID
			}
		}
		return b, func(l baseline) Bill { return l.home(page.Items) }, err
	case homeNews:
		var page tweetList
		b, err = r.call(ctx, me, http.MethodGet, "/v1/timeline?after="+url.QueryEscape(r.newest[op.user]), nil, &page)
		if page.Newest != "" {
			r.newest[op.user] = page.Newest
		}
		return b, func(baseline) Bill { return Bill{} }, err // a baseline layout has a listener
	case tweetView:
		var t shownTweet
		b, err = r.call(ctx, me, http.MethodGet, "/v1/tweets/"+r.tweet(op.user), nil, &t)
		return b, func(l baseline) Bill { return l.tweet(t) }, err
	case threadView:
		var t shownThread
		b, err = r.call(ctx, me, http.MethodGet, "/v1/tweets/"+r.tweet(op.user)+"/thread", nil, &t)
		return b, func(l baseline) Bill { return l.tweets(t.tweets()) }, err
	case notificationEventView:
		var page notificationEventList
		b, err = r.call(ctx, me, http.MethodGet, "/v1/notifications", nil, &page)
		return b, func(l baseline) Bill { return l.notificationEvents(page) }, err
	case search:
		var page tweetList
		b, err = r.call(ctx, me, http.MethodGet, fmt.Sprintf("/v1/search/tweets?q=evening+%%23tag%d", r.tags.draw(r.rand)),
			nil, &page)
		return b, func(l baseline) Bill { return l.tweets(page.Items) }, err
	case userView:
		var u shownUser
		b, err = r.call(ctx, me, http.MethodGet, "/v1/users/"+r.names[r.other(op.user)], nil, &u)
		return b, func(l baseline) Bill { return l.user(u) }, err
	case userTweets:
		var page tweetList
		b, err = r.call(ctx, me, http.MethodGet, "/v1/users/"+r.names[r.other(op.user)]+"/tweets", nil, &page)
		return b, func(l baseline) Bill { return l.userTweets(len(page.Items)) }, err
	case postTweet:
		b, err = r.publish(ctx, op.user, r.text(n), "")
		return b, func(l baseline) Bill { return l.post(r.followers[op.user]) }, err
	case replyTweet:
		b, err = r.publish(ctx, op.user, r.text(n), r.tweet(op.user))
		return b, func(l baseline) Bill { return l.reply(r.followers[op.user]) }, err
	case editTweet:
		own := r.tweets[op.user]
		text := map[string]string{"content": "Edited: " + r.text(n)} // another text than any post has
		b, err = r.call(ctx, me, http.MethodPatch, "/v1/tweets/"+own[len(own)-1], text, nil)
		return b, baseline.edit, err
	case shareTweet:
		id, ok := r.fresh(op.user, r.shares)
		if !ok {
			return b, nil, fmt.Errorf("cost: %s shares every tweet there is", me)
		}
		b, err = r.call(ctx, me, http.MethodPut, "/v1/tweets/"+id+"/share", nil, nil)
		return b, func(l baseline) Bill { return l.share(r.followers[op.user]) }, err
	case likeTweet:
		id, ok := r.fresh(op.user, r.likes)
		if !ok {
			return b, nil, fmt.Errorf("cost: %s likes every tweet there is", me)
		}
		b, err = r.call(ctx, me, http.MethodPut, "/v1/tweets/"+id+"/like", nil, nil)
		return b, baseline.like, err
	}
	panic("no operation " + op.name)
}

// text is the content of a post. Half of the posts have a tag.
func (r *run) text(n int) string {
	if r.rand.IntN(2) == 0 {
		return fmt.Sprintf("Spark %d of the evening, and not the last one.", n)
	}
	return fmt.Sprintf("Spark %d of the evening, with a #tag%d on it.", n, r.tags.draw(r.rand))
}
