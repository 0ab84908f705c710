package cost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Growth shows how bills grow with followers, tweets and age.
type Growth struct {
	Followers []FollowersCost `json:"followers"`
	Tweets    []TweetsCost    `json:"tweets"`
	Age       []AgeCost       `json:"age"`
}

// FollowersCost is the bill of one post by an author with a number of followers, triggers included.
type FollowersCost struct {
	Followers int  `json:"followers"`
	Post      Bill `json:"post"`
	Baseline  Bill `json:"baseline"`
}

// TweetsCost is the bill of the next post and of the profile page of an author who has written a number of tweets this
// month.
type TweetsCost struct {
	Tweets    int  `json:"tweets"`
	Post      Bill `json:"post"`      // one more post, without followers, triggers included
	FirstPage Bill `json:"firstPage"` // the newest 20 of the profile's tweets
	NextPage  Bill `json:"nextPage"`
}

// AgeCost is the bill of the home timeline of a daily reader whose authors have written for a number of days.
type AgeCost struct {
	Days      int  `json:"days"`
	FirstPage Bill `json:"firstPage"` // 20 tweets
	Pages     int  `json:"pages"`     // until the end
	AllPages  Bill `json:"allPages"`
}

// The parameters of Grow.
var (
	growthFollowers = []int{10, 1_000} // a post costs the same
	growthTweets    = []int{10, 100, 1_000}
	growthDays      = []int{1, 10, 30, 60}
)

const (
	growthFollows = 12 // authors whom the reader follows
	growthPosts   = 2  // by each author a day
)

// Grow measures how bills grow with followers, tweets and age. The project must be empty.
func Grow(ctx context.Context, o Options) (_ *Growth, err error) {
	return grow(ctx, o, growthFollowers, growthTweets, growthDays)
}

// grow measures for these numbers of followers, tweets and days.
func grow(ctx context.Context, o Options, followers, tweets, days []int) (_ *Growth, err error) {
	s, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	g := &Growth{}
	if g.Age, err = s.growAge(ctx, days); err != nil {
		return nil, err
	}
	if g.Tweets, err = s.growTweets(ctx, tweets); err != nil {
		return nil, err
	}
	g.Followers, err = s.growFollowers(ctx, followers)
	return g, err
}

// growFollowers measures posts of one author, whom more and more readers follow.
func (s *system) growFollowers(ctx context.Context, counts []int) (all []FollowersCost, err error) {
	const author = "followed"
	if err := s.join(ctx, author); err != nil {
		return nil, err
	}
	had := 0
	for _, n := range counts {
		err = s.all(ctx, fmt.Sprint("followers up to ", n), n-had, func(ctx context.Context, i int) error {
			reader := fmt.Sprintf("follower_%d", had+i)
			if err := s.join(ctx, reader); err != nil {
				return err
			}
			s.Functions.advance(100 * time.Millisecond)
			return s.follow(ctx, reader, author)
		})
		if err != nil {
			return nil, err
		}
		had = n
		post, err := s.posted(ctx, author)
		if err != nil {
			return nil, err
		}
		all = append(all, FollowersCost{Followers: n, Post: post, Baseline: baseline{}.post(n)})
	}
	return all, nil
}

// growTweets measures one author who writes on and on, within some days.
func (s *system) growTweets(ctx context.Context, counts []int) (all []TweetsCost, err error) {
	const author = "writer"
	if err := s.join(ctx, author); err != nil {
		return nil, err
	}
	written := 0
	for _, n := range counts {
		// The posts come one by one, because they all change the same few documents.
		err = s.Count("tweets", n-written, func(done func()) error {
			for ; written < n; written++ {
				if _, err := s.posted(ctx, author); err != nil {
					return err
				}
				done()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		c := TweetsCost{Tweets: n}
		var page tweetList
		if c.FirstPage, err = s.call(ctx, author, http.MethodGet, "/v1/users/me/tweets", nil, &page); err != nil {
			return nil, err
		}
		if page.NextPageToken != "" {
			c.NextPage, err = s.call(ctx, author, http.MethodGet, "/v1/users/me/tweets?pageToken="+page.NextPageToken, nil, nil)
			if err != nil {
				return nil, err
			}
		}
		if c.Post, err = s.posted(ctx, author); err != nil {
			return nil, err
		}
		written++
		all = append(all, c)
	}
	return all, nil
}

// growAge measures the home timeline of one reader on successive days.
func (s *system) growAge(ctx context.Context, days []int) (all []AgeCost, err error) {
	const reader = "reader"
	if err := s.join(ctx, reader); err != nil {
		return nil, err
	}
	var authors []string
	for i := range growthFollows {
		authors = append(authors, fmt.Sprintf("author_%d", i))
		if err := s.join(ctx, authors[i]); err != nil {
			return nil, err
		}
		if err := s.follow(ctx, reader, authors[i]); err != nil {
			return nil, err
		}
	}
	passed := 0
	for _, n := range days {
		err = s.Count(fmt.Sprint("days until ", n), n-passed, func(done func()) error {
			for ; passed < n; passed++ {
				for range growthPosts {
					for _, author := range authors {
						s.Functions.advance(24 * time.Hour / (growthPosts * growthFollows))
						if _, _, err := s.post(ctx, author, "another day", ""); err != nil {
							return err
						}
					}
				}
				if err := s.Idle(ctx); err != nil {
					return err
				}
				done()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		c, err := s.readHome(ctx, reader)
		if err != nil {
			return nil, err
		}
		c.Days = n
		all = append(all, c)
	}
	return all, nil
}

// readHome reads a home timeline to its end.
func (s *system) readHome(ctx context.Context, reader string) (c AgeCost, err error) {
	s.Functions.advance(time.Minute) // an instance asks for changes of cached heads and tweets
	for next := ""; c.Pages == 0 || next != ""; c.Pages++ {
		var page tweetList
		b, err := s.call(ctx, reader, http.MethodGet, "/v1/timeline?pageToken="+next, nil, &page)
		if err != nil {
			return c, err
		}
		if c.Pages == 0 {
			c.FirstPage = b
		}
		c.AllPages, next = c.AllPages.plus(b), page.NextPageToken
	}
	return c, s.Idle(ctx)
}

// posted advances the clock and posts a tweet. It returns the bill of the post with all triggered work.
func (s *system) posted(ctx context.Context, author string) (Bill, error) {
	s.Functions.advance(10 * time.Minute)
	s.Functions.take()
	_, b, err := s.post(ctx, author, "one more", "")
	if err != nil {
		return b, err
	}
	if err := s.Idle(ctx); err != nil {
		return b, err
	}
	functions, expired := s.Functions.take()
	for _, f := range functions {
		b = b.plus(f.Bill)
	}
	return b.plus(Bill{Deletes: expired}), nil
}

// JSON writes the growth as one JSON object.
func (g *Growth) JSON(w io.Writer) error { return writeJSON(w, g) }

// Print writes the growth as tables.
func (g *Growth) Print(w io.Writer) error {
	fmt.Fprint(w, "A post, by the author's followers:\n\n")
	t := newTable(w)
	fmt.Fprintln(t, "followers\treads\twrites\tdeletes\t$ for 1,000 posts\tbaseline: reads\twrites\t$ for 1,000 posts\t")
	for _, c := range g.Followers {
		fmt.Fprintf(t, "%d\t%s\t%.3f\t%d\t%d\t%.3f\t\n", c.Followers, c.Post.mean(1), 1000*c.Post.Dollars(),
			c.Baseline.Reads, c.Baseline.Writes, 1000*c.Baseline.Dollars())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nA profile page and the next post, by the tweets of the month:\n\n")
	t = newTable(w)
	fmt.Fprintln(t, "tweets\tfirst page: reads\tnext page: reads\tpost: reads\twrites\tdeletes\t")
	for _, c := range g.Tweets {
		fmt.Fprintf(t, "%d\t%d\t%d\t%s\t\n", c.Tweets, c.FirstPage.Reads, c.NextPage.Reads, c.Post.mean(1))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nA home timeline, by the days that %d followed users have each written %d tweets:\n\n", growthFollows,
		growthPosts)
	t = newTable(w)
	fmt.Fprintln(t, "days\tfirst page: reads\tpages to the end\treads of a page\t")
	for _, c := range g.Age {
		fmt.Fprintf(t, "%d\t%d\t%d\t%s\t\n", c.Days, c.FirstPage.Reads, c.Pages,
			short(float64(c.AllPages.Reads)/float64(c.Pages)))
	}
	return t.Flush()
}
