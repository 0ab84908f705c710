package mastodon

import (
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Ids of posts are made so that they sort by time, as clients expect, and have one length, as some compare lengths
// first. An id is 36 hexadecimal digits: 16 of the time and 2 that spread writes, which stand first in native ids, and
// then 18 zeros. The id of a share has the time of the share, and in the place of the zeros the id of the shared post.
const (
	nativeLength = 18
	ownPost      = "000000000000000000"
)

// turned puts the time of a native id first.
func turned(id model.TweetID) string { return string(id[2:] + id[:2]) }

// statusID is the id of a post.
func statusID(id model.TweetID) string { return turned(id) + ownPost }

// shareID is the id of a share.
func shareID(at time.Time, tweet model.TweetID) string {
	return turned(model.OldestAt(at)) + turned(tweet)
}

// tweetOf returns the post of an id: of a share, that which is shared. Another text is an unknown post.
func tweetOf(id string) (model.TweetID, error) {
	_, tweet, err := splitID(id)
	return tweet, err
}

// splitID returns the time of an id in the form of a native id, and its post.
func splitID(id string) (at, tweet model.TweetID, err error) {
	if len(id) != 2*nativeLength {
		return "", "", model.NoTweet(model.TweetID(id))
	}
	back := func(s string) model.TweetID { return model.TweetID(s[nativeLength-2:] + s[:nativeLength-2]) }
	if at, err = model.ParseTweetID(string(back(id[:nativeLength]))); err != nil {
		return "", "", model.NoTweet(model.TweetID(id))
	}
	if strings.HasSuffix(id, ownPost) {
		return at, at, nil
	}
	if tweet, err = model.ParseTweetID(string(back(id[nativeLength:]))); err != nil {
		return "", "", model.NoTweet(model.TweetID(id))
	}
	return at, tweet, nil
}

// position returns the place in a list of posts that an id stands for, for the native API: that of a post, or of a
// share where the list has shares. A text that is no id, such as 0, stands for the time before all posts.
func position(id string, shares bool) string {
	at, tweet, err := splitID(id)
	switch {
	case err != nil:
		return string(model.OldestAt(time.UnixMilli(1)))
	case shares && at != tweet:
		return string(at + tweet)
	}
	return string(at)
}
