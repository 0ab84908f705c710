package ceilings

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// mostWritten is what a page of tweets may be billed as one of mostMarked, with the long text of each.
const mostWritten = mostMarked + model.MaxBatch

// texts adds tweets that are longer than their snippets: a batch of them, and a thread of which a page has as many as
// it may. Collector likes, shares and keeps each.
func (w *world) texts(t *testing.T, docs map[string]any, now time.Time) {
	t.Helper()
	at := now.Add(-time.Hour)
	newIDs := model.NewTweetIDs(func() time.Time { return at })
	collector, long := model.UserID(w.collector.UID), strings.Repeat("y", model.MaxSnippet+1)
	put := func(parent *model.Tweet, by string) *model.Tweet {
		at = at.Add(time.Second)
		author := &model.User{ID: model.UserID(by), Username: by, CreatedAt: now.AddDate(-1, 0, 0)}
		tweet, text, err := model.NewTweet(newIDs.Next(author.ID), author, parent, model.Draft{Content: long,
			AllowReplies: true})
		testenv.Must(t, err)
		docs[model.Tweets+"/"+string(tweet.ID)], docs[model.TweetDetails+"/"+string(tweet.ID)] = tweet, text
		for _, kind := range []model.ReactionKind{model.ReactionLike, model.ReactionShare, model.ReactionBookmark} {
			docs[kind.Collection()+"/"+model.ReactionKey(collector, tweet.ID)] = model.Reaction{UserID: collector,
				TweetID: tweet.ID, AuthorID: author.ID, CreatedAt: now}
		}
		return tweet
	}
	for n := range model.MaxBatch {
		w.longs = append(w.longs, put(nil, fmt.Sprint("writer_", n)).ID)
	}
	root := put(nil, "writer_0")
	w.longTalk, root.ReplyCount = root.ID, 2*model.MaxThreadReplies
	for n := range 2 * model.MaxThreadReplies {
		reply := put(root, fmt.Sprint("writer_", n))
		reply.ReplyCount = 2 * model.ThreadBranch
		for i := range 2 * model.ThreadBranch {
			put(reply, fmt.Sprint("writer_", i))
		}
	}
}
