package api

import (
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Before is the part of a request that begins a list of tweets at a time, instead of at a page.
type Before struct {
	Before string `query:"before" maxLength:"36" doc:"Id of a tweet, whether or not it is in the list: the page has what is older. Without a pageToken"`
}

// startAt lets a page of the named list begin below a tweet, if the request asks for that. cursor makes the position in
// the list.
func (b Before) startAt(s *service, in *server.Paging, list string, cursor func(model.TweetID) any) error {
	if b.Before == "" || in.PageToken != "" {
		return nil
	}
	id, err := model.ParseTweetID(b.Before)
	if err == nil {
		in.PageToken = s.Tokens.Seal(list, cursor(id))
	}
	return err
}

// atTime is the position of a tweet in a list that a query orders by time.
func atTime(id model.TweetID) any { return model.Cursor{At: id.Time(), ID: string(id)} }

// atID is the position of a tweet in a list of ids.
func atID(id model.TweetID) any { return id }
