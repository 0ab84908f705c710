package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/hibana-sns/hibana/model"
)

// writer writes what a plan has, through the API.
type writer struct {
	*plan
	c            *client
	admin        *administrator
	tokens, uids []string // of the people
	begun        time.Time
	faced        []bool             // of the people: who has an avatar already
	faces        map[int][]*picture // of the people: an avatar and a header to show
	media        map[int][]*picture // of the tweets
	ids          []string           // of the tweets
}

// newWriter looks at what an earlier run left. The tweets of the past count from the moment at which the first account
// was made, so each run gives them the same ids.
func (c *client) newWriter(ctx context.Context, pl *plan, tokens, uids []string) (*writer, error) {
	w := &writer{plan: pl, c: c, tokens: tokens, uids: uids, faced: make([]bool, len(uids)), faces: map[int][]*picture{},
		media: map[int][]*picture{}, ids: make([]string, len(pl.tweets))}
	w.admin = &administrator{client: c, renew: c.signInAdmin, pace: rate.NewLimiter(rate.Inf, 1)}
	for who := range uids {
		var user struct {
			Avatar    string
			CreatedAt time.Time
		}
		if err := c.call(ctx, tokens[who], http.MethodGet, "/v1/users/"+uids[who], "", nil, &user); err != nil {
			return nil, err
		}
		if w.faced[who] = user.Avatar != ""; who == 0 {
			w.begun = user.CreatedAt
		}
		var posted struct{ Items []struct{ ID string } }
		path := "/v1/users/" + uids[who] + "/tweets?mediaOnly=true"
		if err := c.call(ctx, tokens[who], http.MethodGet, path, "", nil, &posted); err != nil {
			return nil, err
		}
		slices.Reverse(posted.Items) // the oldest first, as in the plan
		for i, t := range pl.tweets {
			if t.Author == who && len(t.Pictures) > 0 && len(posted.Items) > 0 {
				w.ids[i], posted.Items = posted.Items[0].ID, posted.Items[1:]
			}
		}
	}
	return w, nil
}

// threads are the tweets of the plan that were written before the seed, or of the moment, by threads.
func (w *writer) threads(past bool) (all [][]int) {
	for i, t := range w.tweets {
		switch {
		case t.Age > 0 != past:
		case t.ReplyTo < 0:
			all = append(all, []int{i})
		default:
			all[len(all)-1] = append(all[len(all)-1], i)
		}
	}
	return all
}

// past imports the tweets of the past with their times, several threads at once. They notify nobody.
func (w *writer) past(parallel parallel) error {
	var roots, rest [][]int // a tweet comes after the one that it quotes
	for _, thread := range w.threads(true) {
		if w.tweets[thread[0]].QuoteOf < 0 {
			roots = append(roots, thread)
		} else {
			rest = append(rest, thread)
		}
	}
	for _, threads := range [][][]int{roots, rest} {
		if len(threads) == 0 {
			continue
		}
		if err := parallel("threads", len(threads), func(ctx context.Context, n int) error {
			for _, i := range threads[n] {
				if err := w.importTweet(ctx, i); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) importTweet(ctx context.Context, i int) error {
	t := w.tweets[i]
	uid := w.uids[t.Author]
	id, err := model.ImportID(model.UserID(uid), fmt.Sprintf("%016x", w.begun.Add(-t.Age).UnixMilli()<<20|int64(i)))
	if err != nil {
		return err
	}
	body := w.body(i)
	body["id"], body["reason"] = string(id), importReason
	w.ids[i] = string(id)
	return w.admin.write(ctx, http.MethodPost, "/v1/admin/users/"+uid+"/tweets", body)
}

// body is a tweet as the API takes it, without pictures and poll.
func (w *writer) body(i int) map[string]any {
	t := w.tweets[i]
	body := map[string]any{"content": t.Text, "summary": t.Summary}
	if t.ReplyTo >= 0 {
		body["replyTo"] = w.ids[t.ReplyTo]
	}
	if t.QuoteOf >= 0 {
		body["quoteOf"] = w.ids[t.QuoteOf]
	}
	return body
}

// present posts the tweets of the moment as their authors, one after the other: so is the order of home.
func (w *writer) present(ctx context.Context, p *progress) error {
	threads := slices.Concat(w.threads(false)...)
	return p.count("tweets", len(threads), func(done func()) error {
		for _, i := range threads {
			if err := w.post(ctx, i); err != nil {
				return err
			}
			done()
		}
		return nil
	})
}

func (w *writer) post(ctx context.Context, i int) error {
	if w.ids[i] != "" { // of an earlier run
		return nil
	}
	t, body := w.tweets[i], w.body(i)
	var media []string
	for _, p := range w.media[i] {
		media = append(media, p.id)
	}
	if len(media) > 0 {
		body["media"] = media
	}
	if t.Poll != nil {
		body["poll"] = map[string]any{"options": t.Poll.Options, "minutes": t.Poll.Minutes}
	}
	var made struct{ ID string }
	err := w.c.call(ctx, w.tokens[t.Author], http.MethodPost, "/v1/tweets", fmt.Sprintf("seed-%d", i), body, &made)
	w.ids[i] = made.ID
	return err
}

// profiles gives the people what a sign-up does not ask for. Who has an avatar already stays as it is.
func (w *writer) profiles(parallel parallel) error {
	return parallel("profiles", len(seedPeople), func(ctx context.Context, who int) error {
		if w.faced[who] {
			return nil
		}
		p := seedPeople[who]
		patch := map[string]any{"pronouns": p.Pronouns, "language": p.Language, "discoverable": true}
		if len(p.Fields) > 0 {
			patch["fields"] = p.Fields
		}
		for _, picture := range w.faces[who] {
			patch[picture.kind+"Media"] = picture.id
		}
		return w.c.call(ctx, w.tokens[who], http.MethodPatch, "/v1/users/"+w.uids[who], "", patch, nil)
	})
}

// share shares tweets of the past.
func (w *writer) share(parallel parallel) error {
	return parallel("shares", len(w.shares), func(ctx context.Context, i int) error {
		return w.react(ctx, w.shares[i], "share")
	})
}

// reactions are likes, votes, pins, and the bookmarks of the first person.
func (w *writer) reactions(ctx context.Context, parallel parallel) error {
	if err := parallel("likes", len(w.likes), func(ctx context.Context, i int) error {
		return w.react(ctx, w.likes[i], "like")
	}); err != nil {
		return err
	}
	for i, t := range w.tweets {
		if t.Pin {
			if err := w.react(ctx, act{t.Author, i}, "pin"); err != nil {
				return err
			}
		}
		if i%17 == 0 {
			if err := w.react(ctx, act{0, i}, "bookmark"); err != nil {
				return err
			}
		}
		if t.Poll == nil {
			continue
		}
		for who, p := range people {
			option, votes := t.Poll.Votes[p.username]
			if !votes || who == t.Author {
				continue
			}
			err := w.c.call(ctx, w.tokens[who], http.MethodPut, "/v1/tweets/"+w.ids[i]+"/vote", "",
				map[string]int{"option": option + 1}, nil)
			if r, ok := errors.AsType[*refusal](err); err != nil && (!ok || r.Code != "poll_closed") {
				return err
			}
		}
	}
	return nil
}

func (w *writer) react(ctx context.Context, a act, how string) error {
	return w.c.call(ctx, w.tokens[a.who], http.MethodPut, "/v1/tweets/"+w.ids[a.what]+"/"+how, "", nil, nil)
}
