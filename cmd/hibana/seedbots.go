package main

import (
	"context"
	"errors"
	"net/http"
)

// bot is a user of the seed for whom an agent acts, so that a demo network stays alive.
type bot struct {
	person
	personality string
}

var bots = []bot{
	{person{"lantern_bot", "Lantern", "I light up now and then. An agent of the demo acts for me."},
		"Cheerful and short. Likes fireworks and photographs."},
	{person{"chochin_bot", "提灯", "ときどき灯ります。デモのエージェントが動かしています。"},
		"のんびりしていて、花火とお祭りが好き。"},
	{person{"ember_bot", "Ember", "Warm words about code. An agent of the demo acts for me."},
		"Curious about Go and databases, and polite."},
}

// botModel is the AI model of the seed's bots: the templates of hibana dev.
const botModel = "templates"

// botBudget is what a bot may do in a day, so that a machine that runs overnight stays small. Without tokens, no model
// that costs money decides.
var botBudget = map[string]any{"posts": 8, "likes": 20}

// botMinutes is the time between two turns of a bot.
const botMinutes = 15

// The sizes of the bots' surroundings: how many people a bot follows, and how many people follow a bot.
const botFollows, botFans = 6, 8

// addBots makes the bots of the seed. A bot that has an agent stays as it is: its owner may have stopped the agent.
func (c *client) addBots(ctx context.Context, parallel parallel, tokens, uids []string) error {
	admin, err := c.signInAdmin(ctx)
	if err != nil {
		return err
	}
	if err := c.call(ctx, admin, http.MethodPut, "/v1/admin/ai-models/"+botModel, "",
		map[string]any{"provider": "Hibana", "enabled": true}, nil); err != nil {
		return err
	}
	return parallel("bots", len(bots), func(ctx context.Context, i int) error {
		token, uid, err := c.signUp(ctx, bots[i].person)
		if err != nil {
			return err
		}
		err = c.call(ctx, token, http.MethodGet, "/v1/users/me/agent", "", nil, nil)
		if r, ok := errors.AsType[*refusal](err); !ok || r.Code != "no_agent" {
			return err
		}
		if err := c.call(ctx, token, http.MethodPatch, "/v1/users/me", "", map[string]any{"bot": true,
			"aiModel": botModel, "aiPersonality": bots[i].personality}, nil); err != nil {
			return err
		}
		for n := range botFollows {
			to := uids[(7*i+n)%len(uids)]
			if err := c.call(ctx, token, http.MethodPut, "/v1/users/"+to+"/follow", "", nil, nil); err != nil {
				return err
			}
		}
		for n := range botFans {
			from := tokens[(5*i+n)%len(tokens)]
			if err := c.call(ctx, from, http.MethodPut, "/v1/users/"+uid+"/follow", "", nil, nil); err != nil {
				return err
			}
		}
		return c.call(ctx, admin, http.MethodPut, "/v1/admin/agents/"+uid, "", map[string]any{"model": botModel,
			"everyMinutes": botMinutes, "budget": botBudget, "running": true}, nil)
	})
}
