package mastodon

import (
	"net/http"

	"github.com/hibana-sns/hibana/model"
)

func pollMethods() []Method {
	return []Method{
		get("/api/v1/polls/:id", "read read:statuses", getPoll).public().
			note("options[][votes_count] is null until the caller has voted or the poll has ended; its author sees it"),
		post("/api/v1/polls/:id/votes", "write write:statuses", vote).
			note("a poll has one choice, and a vote stays"),
	}
}

// getPoll reads a poll, whose id is that of its post.
func getPoll(c *call) (any, error) {
	t, err := c.postOf()
	if err != nil {
		return nil, err
	}
	if t.Poll == nil {
		return nil, model.NoTweet(t.ID)
	}
	return c.pollOf(t), nil
}

// vote chooses an option. The counts have the vote a second later; the chosen option has one vote at least.
func vote(c *call) (any, error) {
	id, err := tweetOf(c.path("id"))
	if err != nil {
		return nil, err
	}
	choices := c.params.texts("choices")
	if len(choices) != 1 {
		return nil, invalid("choices[] has one option: a poll has one choice here")
	}
	option, ok := whole(choices[0])
	if !ok || option < 0 {
		return nil, invalid("choices[] has the number of an option, from 0 on")
	}
	var p nativePoll
	if err := c.send(http.MethodPut, native("tweets", string(id), "vote"), map[string]int{"option": option + 1},
		&p); err != nil {
		return nil, err
	}
	if option < len(p.Options) && p.Options[option].Votes != nil {
		p.Options[option].Votes = new(max(*p.Options[option].Votes, 1))
	}
	return c.pollOf(&nativeTweet{ID: id, Poll: &p}), nil
}
