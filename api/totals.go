package api

import (
	"context"
	"maps"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/discovery"
)

// Totals are the total counts of the database.
type Totals struct {
	Users         int64     `json:"users"`
	Tweets        int64     `json:"tweets" doc:"Of all audiences, replies and quotes too"`
	Relationships int64     `json:"relationships" doc:"Number of follows"`
	Likes         int64     `json:"likes"`
	Shares        int64     `json:"shares"`
	At            time.Time `json:"at" doc:"When the oldest of the totals was counted: two minutes ago, or longer if there is much to count"`
}

// totals adds the operation that reads totals.
func (s *service) totals() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/totals", OperationID: "getTotals", Tags: []string{"totals"},
		Summary:     "Read how many users, tweets, relationships, likes and shares there are",
		Description: "A total of some thousand follows what it counts within minutes, and one of many millions within days.",
	}, s.getTotals)
}

func (s *service) getTotals(ctx context.Context, _ *struct{}) (*struct{ Body Totals }, error) {
	t, err := s.localTotals(ctx)
	if err != nil {
		return nil, err
	}
	return &struct{ Body Totals }{Totals{
		Users: t.Of[model.Users], Tweets: t.Of[model.Tweets], Relationships: t.Of[model.Relationships],
		Likes: t.Of[model.Likes], Shares: t.Of[model.Shares], At: t.At,
	}}, nil
}

// localTotals are the totals without the people and posts of other servers.
//
// Cost: 1 read a minute; for an installation that federates that of [federation.Store.Counts].
func (s *service) localTotals(ctx context.Context) (discovery.Totals, error) {
	all, err := s.Totals.Totals(ctx)
	if err != nil || !s.federates() {
		return all, err
	}
	remote, err := s.Stores.Federation.Counts(ctx)
	if err != nil {
		return all, err
	}
	local := discovery.Totals{Of: maps.Clone(all.Of), At: all.At}
	local.Of[model.Users] = max(0, all.Of[model.Users]-remote.People)
	local.Of[model.Tweets] = max(0, all.Of[model.Tweets]-remote.Posts)
	return local, nil
}
