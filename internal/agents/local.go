package agents

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/hibana-sns/hibana/model"
)

// Local decides without a network: a user of the same name does the same in the same turn, with the same posts before
// it. It writes from templates, on tags that it reads.
type Local struct{}

// Reserve returns no tokens: a decision costs nothing.
func (Local) Reserve() (input, output int64) { return 0, 0 }

var (
	greetings = []string{"A quiet hour here. What are you working on?", "The lamps are lit, the kettle is on.",
		"Small sparks, long evenings.", "Counting fireflies instead of sheep tonight.",
		"Somebody swept the square. Thank you!"}
	onTags = []string{"Thinking about #", "I keep coming back to #", "More of this, please: #",
		"Today is a good day for #"}
	replies = []string{"I like how you put that.", "Tell us more!", "That made my day.", "I had not seen it that way.",
		"Good to read this."}
)

// Decide chooses at most two acts.
func (Local) Decide(_ context.Context, v model.AgentView) (d model.AgentDecision, err error) {
	h := fnv.New64a()
	h.Write([]byte(v.Username + "/" + strconv.FormatInt(v.Turn, 10)))
	random := rand.New(rand.NewPCG(h.Sum64(), 1)) //nolint:gosec // the same each time, on purpose
	pick := func(texts []string) string { return texts[random.IntN(len(texts))] }
	if len(v.Posts) > 0 {
		p := v.Posts[random.IntN(len(v.Posts))]
		switch n := random.IntN(4); {
		case n == 0 && len(p.Tags) > 0:
			d.Acts = append(d.Acts, model.AgentChoice{Kind: model.AgentPost, Text: pick(onTags) + pick(p.Tags)})
		case n == 1:
			d.Acts = append(d.Acts, model.AgentChoice{Kind: model.AgentReply, TweetID: p.ID, Text: pick(replies)})
		}
		if !p.Liked && random.IntN(2) == 0 {
			d.Acts = append(d.Acts, model.AgentChoice{Kind: model.AgentLike, TweetID: p.ID})
		}
	}
	if len(d.Acts) == 0 {
		d.Acts = append(d.Acts, model.AgentChoice{Kind: model.AgentPost, Text: pick(greetings)})
	}
	return d, nil
}

// ReserveGist returns no tokens: a gist costs nothing.
func (Local) ReserveGist() int64 { return 0 }

// Gist returns the first sentences of a text, at least one, as many as fit in 300 characters.
func (Local) Gist(_ context.Context, _, text string) (gist string, tokens int64, err error) {
	const most = 300
	runes := []rune(strings.Join(strings.Fields(text), " "))
	end := 0
	for i, r := range runes {
		wide := strings.ContainsRune("。！？", r)
		last := strings.ContainsRune(".!?", r) && (i+1 == len(runes) || runes[i+1] == ' ')
		if !wide && !last {
			continue
		}
		if end > 0 && i+1 > most {
			break
		}
		end = i + 1
	}
	if end == 0 {
		end = len(runes)
	}
	return string(runes[:end]), 0, nil
}
