package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// ThreadNode is a tweet at its position in a thread.
type ThreadNode struct {
	BatchItem
	Replies       []ThreadNode `json:"replies" nullable:"false" doc:"Some of the replies, oldest first"`
	NextPageToken string       `json:"nextPageToken" doc:"The pageToken with which the thread of this tweet, or the list of its replies, goes on; of an unknown tweet the thread alone. Empty if all replies are shown"`
}

// Thread is a tweet with its ancestors and its replies.
type Thread struct {
	Ancestors []BatchItem   `json:"ancestors" nullable:"false" doc:"The tweets above, from the root of the thread down to the parent; empty for a page that does not begin at the first reply"`
	Gap       model.TweetID `json:"gap,omitempty" doc:"Id of a tweet below the first ancestor that is left out, with those between the two; its own thread shows more of them"`
	Tweet     ThreadNode    `json:"tweet"`
}

type threadInput struct {
	TweetPath
	PageSize  int    `query:"pageSize" minimum:"1" default:"20" doc:"Number of replies to the tweet itself; more than 20 is taken as 20"`
	PageToken string `query:"pageToken" doc:"The nextPageToken of the tweet in another answer; empty for the first page"`
	Depth     int    `query:"depth" minimum:"1" maximum:"6" default:"4" doc:"How many levels of replies are shown at most; a reply that not everybody may see is not counted as one"`
	Texts     bool   `query:"texts" doc:"Bring the content of tweets that are longer than their snippets, about 500,000 characters in all"`
	Rendering
}

// threads adds the operation that reads a conversation.
func (s *service) threads() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets/{id}/thread", OperationID: "getThread", Tags: []string{"tweets"},
		Summary: "Read a tweet with what it answers and what answers it",
		Description: "Deleted tweets keep their place (gone), and so do tweets that the caller may not see while there " +
			"are visible ones below them (unknown). The thread of an unknown tweet has its visible replies, and no " +
			"ancestors; it is 404 if the first page has none. " +
			"Deeper levels have a few replies each, and at most about 40 replies in all: open a branch by reading the thread " +
			"of its first tweet. " +
			"A reply that is a second old may not be counted yet, and its branch may seem shut. " +
			"With texts=true a tweet that is longer than its snippet costs 1 read, if no request has read its content before.",
		Errors: []int{http.StatusNotFound},
	}, ofTweet(s.getThread))
}

func (s *service) getThread(ctx context.Context, in *threadInput, id model.TweetID) (*struct{ Body Thread }, error) {
	p := tweets.ThreadPage{Size: in.PageSize, Depth: in.Depth}
	if err := s.Tokens.Open(repliesTo(id), in.PageToken, &p.From); err != nil {
		return nil, err
	}
	if whole, err := s.Graph.Whole(ctx, viewer(ctx)); err != nil {
		return nil, err
	} else if !whole {
		p.Size, p.Reads = min(p.Size, model.MaxPartialThread), model.PartialThreadReads
	}
	t, err := s.Threads.Thread(ctx, id, viewer(ctx), p)
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, model.FilterThread, "", append(authorsSeen(t.Ancestors), authorsBelow(t.Node)...))
	if err != nil {
		return nil, err
	}
	ancestor := func(found tweets.Seen) BatchItem { return h.item(s, in.Rendering, found) }
	body := Thread{Ancestors: each(t.Ancestors, ancestor), Gap: t.Gap,
		Tweet: ThreadNode{BatchItem: in.batchItem(s, t.Node.Seen)}}
	s.answer(&body.Tweet, t.Node, in.Rendering, h)
	if t.Tweet != nil {
		*body.Tweet.Tweet = in.fullTweet(s, t.Tweet)
		body.Tweet.Tweet.Filtered = h.asked(t.Tweet.Tweet)
	}
	if in.Texts {
		if err := s.putTexts(ctx, &body, t, in.Rendering); err != nil {
			return nil, err
		}
	}
	return &struct{ Body Thread }{body}, nil
}

// putTexts adds the whole texts of what a thread shows around its tweet.
//
// Cost: that of [tweets.Store.Texts].
func (s *service) putTexts(ctx context.Context, to *Thread, of *tweets.Thread, r Rendering) error {
	read, shown := map[model.TweetID]*model.Tweet{}, map[*Tweet]model.TweetID{}
	for _, t := range of.Ancestors {
		read[t.ID] = t.Tweet
	}
	var below func(*tweets.ThreadNode)
	below = func(n *tweets.ThreadNode) {
		for _, reply := range n.Replies {
			read[reply.ID] = reply.Tweet
			below(reply)
		}
	}
	below(of.Node)
	var some []*model.Tweet
	show := func(item *BatchItem) {
		if item.Tweet != nil {
			shown[item.Tweet], some = item.ID, append(some, read[item.ID])
		}
	}
	for i := range to.Ancestors {
		show(&to.Ancestors[i])
	}
	var each func(*ThreadNode)
	each = func(n *ThreadNode) {
		for i := range n.Replies {
			show(&n.Replies[i].BatchItem)
			each(&n.Replies[i])
		}
	}
	each(&to.Tweet)
	whole, err := s.Tweets.Texts(ctx, some)
	for t, id := range shown {
		r.putText(s, t, whole[id])
	}
	return err
}

// answer adds the replies to a node. A reply that the page leaves out keeps its position above replies that the page
// shows, and looks like an unknown tweet.
func (s *service) answer(to *ThreadNode, n *tweets.ThreadNode, r Rendering, h hiding) {
	to.Replies = []ThreadNode{}
	for _, reply := range n.Replies {
		node := ThreadNode{BatchItem: h.item(s, r, reply.Seen)}
		s.answer(&node, reply, r, h)
		if reply.Tweet != nil && node.Tweet == nil && len(node.Replies) == 0 {
			continue
		}
		to.Replies = append(to.Replies, node)
	}
	if n.More {
		to.NextPageToken = s.Tokens.Seal(repliesTo(n.ID), n.Next)
	}
}

// authorsBelow returns the authors of the tweets of a tree.
func authorsBelow(n *tweets.ThreadNode) (all []model.UserID) {
	if n.Tweet != nil {
		all = append(all, n.Tweet.AuthorID)
	}
	for _, reply := range n.Replies {
		all = append(all, authorsBelow(reply)...)
	}
	return all
}

// batchItem converts a tweet that was read by its id.
func (r Rendering) batchItem(s *service, found tweets.Seen) BatchItem {
	item := BatchItem{ID: found.ID, Status: "unknown"}
	switch {
	case found.Tweet != nil:
		t := r.tweet(s, found.Tweet, found.ViewerState)
		item.Status, item.Tweet = "found", &t
	case found.Tombstone != nil:
		t := tombstoneOf(found.Tombstone)
		item.Status, item.Tombstone = "gone", &t
	}
	return item
}

// repliesTo names the list of replies to a tweet. A page token of this list also works in the thread, and the other way
// round.
func repliesTo(id model.TweetID) string { return "replies to " + string(id) }
