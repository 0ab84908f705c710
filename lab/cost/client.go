package cost

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/meter"
)

// width is how many requests are under way at once while nothing is measured.
const width = 8

// The parts of the API's answers that a run reads.
type (
	tweetList struct {
		Items         []shownTweet
		NextPageToken string
		Newest        string // of a home page
	}
	shownTweet struct {
		ID                    string
		LikeCount, ReplyCount int64
		Author                struct{ Avatar string }
		SharedBy              *struct{}
		Media                 []struct{ URLs struct{ Small string } }
	}
	shownUser struct{ FollowerCount, FollowedCount, TweetCount int64 }

	// shownNode is a tweet in a thread, or one above it.
	shownNode struct {
		Tweet   *shownTweet
		Replies []shownNode
	}
	shownThread struct {
		Ancestors []shownNode
		Tweet     shownNode
	}
	shownCart struct {
		Items []struct {
			ProductID string
			Quantity  int
			Product   struct {
				Price struct {
					Amount   int64  `json:"amount"`
					Currency string `json:"currency"`
				}
			}
		}
	}
	notificationEventList struct {
		Items []struct {
			Excerpt *struct{}
			Records []struct{ User *struct{} }
		}
	}
)

// tweets lists the tweets that a thread shows.
func (t shownThread) tweets() (all []shownTweet) {
	var walk func([]shownNode)
	walk = func(nodes []shownNode) {
		for _, n := range nodes {
			if n.Tweet != nil {
				all = append(all, *n.Tweet)
			}
			walk(n.Replies)
		}
	}
	walk(t.Ancestors)
	walk([]shownNode{t.Tweet})
	return all
}

// call sends a request as a user, and returns what the API says that the request was
// billed. It decodes an answer of 2xx; any other answer is an error.
func (s *system) call(ctx context.Context, user, method, path string, body, answer any) (b Bill, err error) {
	return s.callKeyed(ctx, user, method, path, "", body, answer)
}

// callKeyed is call with an idempotency key, unless key is empty.
func (s *system) callKeyed(ctx context.Context, user, method, path, key string, body, answer any) (b Bill, err error) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return b, err
		}
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, sent)
	if err != nil {
		return b, err
	}
	if user != "" {
		req.Header.Set("Authorization", "Bearer "+user)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return b, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return b, err
	}
	if resp.StatusCode > 299 {
		return b, fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, text)
	}
	billed, err := meter.ParseServerTiming(resp.Header.Get("Server-Timing"))
	if err != nil {
		return b, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if answer != nil {
		err = json.Unmarshal(text, answer)
	}
	return billOf(billed), err
}

// post posts a tweet with uploaded media, which answers another unless replyTo is empty.
func (s *system) post(ctx context.Context, user, content, replyTo string, media ...string) (id string, b Bill,
	err error) {
	var made struct{ ID string }
	body := map[string]any{"content": content}
	if len(media) > 0 {
		body["media"] = media
	}
	if replyTo != "" {
		body["replyTo"] = replyTo
	}
	b, err = s.call(ctx, user, http.MethodPost, "/v1/tweets", body, &made)
	return made.ID, b, err
}

// join makes a profile. Names are unique, so a failure means that something is broken.
func (s *system) join(ctx context.Context, user string) error {
	_, err := s.call(ctx, user, http.MethodPost, "/v1/users", map[string]string{"username": user}, nil)
	return err
}

// follow makes a user follow another.
func (s *system) follow(ctx context.Context, user, whom string) error {
	_, err := s.call(ctx, user, http.MethodPut, "/v1/users/"+whom+"/follow", nil, nil)
	return err
}

// all runs n unmeasured operations, several at once, and waits for their triggers.
func (s *system) all(ctx context.Context, name string, n int, do func(ctx context.Context, i int) error) error {
	err := s.Count(name, n, func(done func()) error {
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(width)
		for i := range n {
			g.Go(func() error {
				defer done()
				return do(gctx, i)
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		return s.Idle(ctx)
	})
	s.Functions.take()
	return err
}
