package timelines_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// seeds writes the documents of many authors as functions would leave them.
type seeds struct {
	t       *testing.T
	e       *storetest.Env
	b       *firestore.BulkWriter
	example *model.Tweet
}

func newSeeds(t *testing.T, e *storetest.Env) *seeds {
	t.Helper()
	e.CreateUsers(t, "example")
	return &seeds{t, e, e.Raw.BulkWriter(t.Context()), e.Tweet(t, "example", "a spark")}
}

// id makes an id of a time. Two ids of one user must have different times.
func id(uid model.UserID, at time.Time) model.TweetID {
	return model.NewTweetIDs(func() time.Time { return at }).Next(uid)
}

func (s *seeds) set(path string, doc any) {
	s.t.Helper()
	_, err := s.b.Set(s.e.Raw.Doc(path), doc)
	testenv.Must(s.t, err)
}

// tweet writes a tweet of a time, for everybody or for followers.
func (s *seeds) tweet(author model.UserID, at time.Time, visibility model.Audience) model.TweetID {
	s.t.Helper()
	tweet := *s.example
	tweet.ID = id(author, at)
	tweet.CreatedAt, tweet.RootID, tweet.AuthorID, tweet.Visibility = tweet.ID.Time(), tweet.ID, author, visibility
	s.set("tweets/"+string(tweet.ID), tweet)
	return tweet.ID
}

// share writes a share of a time.
func (s *seeds) share(uid model.UserID, at time.Time, tweet model.TweetID) model.Position {
	s.t.Helper()
	l := model.Share{UserID: uid, TweetID: tweet, AuthorID: s.example.AuthorID, CreatedAt: at, ShareID: id(uid, at)}
	s.set("shares/"+model.ReactionKey(uid, tweet), l)
	return l.Position()
}

// head writes an author's head with some posts and shares, which has everything since a time.
func (s *seeds) head(author model.UserID, since time.Time, positions ...model.Position) {
	s.t.Helper()
	tweets, shares := map[string]any{}, map[string]any{}
	for _, p := range positions {
		if p.IsShare() {
			shares[string(p)] = string(s.example.AuthorID)
		} else {
			tweets[string(p)] = s.example.Preview()
		}
	}
	s.set("heads/"+string(author), map[string]any{"tweets": tweets, "shares": shares, "whole": false, "since": since,
		"changedAt": s.e.Clock.Now(), "changeShard": model.NewHead(author).ChangeShard})
}

// month writes an author's months with some posts, posts for followers and shares of one month.
func (s *seeds) month(author model.UserID, posts, followers, shares []model.Position) {
	s.t.Helper()
	m := slices.Concat(posts, followers, shares)[0].Month()
	items := func(positions []model.Position, value any) map[string]any {
		all := map[string]any{}
		for _, p := range positions {
			all[string(p)] = value
		}
		return all
	}
	key, doc := model.MonthKey(author, m), func(field string, all map[string]any) map[string]any {
		return map[string]any{"userId": author, "month": m, field: all, "followers": len(followers) > 0,
			"shares": len(shares) > 0}
	}
	s.set("tweetMonths/"+key, doc("tweets", items(posts, s.example.Preview())))
	if len(followers) > 0 {
		s.set("followerMonths/"+key, doc("tweets", items(followers, s.example.Preview())))
	}
	if len(shares) > 0 {
		s.set("shareMonths/"+key, map[string]any{"userId": author, "month": m,
			"shares": items(shares, string(s.example.AuthorID))})
	}
}

// follows writes the graph of a reader who follows some authors since a time, and ends all writes.
func (s *seeds) follows(reader model.UserID, since time.Time, authors ...model.UserID) {
	s.t.Helper()
	follows := map[string]any{}
	for _, author := range authors {
		follows[string(author)] = since
	}
	s.set("heads/"+string(reader), map[string]any{"whole": true, "changedAt": s.e.Clock.Now()})
	s.set("viewers/"+string(reader), map[string]any{"complete": true, "copies": true, "size": len(follows),
		"follows": follows})
	s.b.End()
}

// authors names n authors.
func authors(n int) (all []model.UserID) {
	for i := range n {
		all = append(all, model.UserID(fmt.Sprintf("author%03d", i)))
	}
	return all
}
