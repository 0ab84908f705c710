package ceilings

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// pictured adds a post of the viewer with as many pictures as it may have, and descriptions of the full length.
func (w *world) pictured(t *testing.T, docs map[string]any, id model.TweetID) {
	t.Helper()
	viewer := model.UserID(w.viewer.UID)
	var media []*model.Media
	for range model.MaxMedia {
		media = append(media, &model.Media{ID: model.NewMediaID(), OwnerID: viewer, Kind: model.MediaTweet,
			State: model.MediaReady, Type: model.MediaImage, Alt: strings.Repeat("x", model.MaxAlt),
			Sizes: map[string]model.MediaSize{model.SizeSmall: {Bytes: 1}}})
	}
	tweet, detail, err := model.NewTweet(id, &model.User{ID: viewer}, nil, model.Draft{Content: "x"})
	testenv.Must(t, err)
	testenv.Must(t, tweet.Attach(detail, media))
	for _, m := range media {
		m.TweetID = tweet.ID
		docs[model.MediaRecords+"/"+string(m.ID)] = m
	}
	docs[model.Tweets+"/"+string(tweet.ID)], docs[model.TweetDetails+"/"+string(tweet.ID)] = tweet, detail
	w.album = tweet.ID
}
