package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/discovery"
)

// search adds the operations that find people and tweets.
func (s *service) search() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/search/users", OperationID: "searchUsers", Tags: []string{"search"},
		Summary: "Find people by the beginning of their username or nickname",
		Description: "With resolve a handle of another server, as bob@social.example, or an https address of a person " +
			"finds that person alone, whom that server is asked for. A caller may do so 20 times, and once more every 10 " +
			"seconds. Usernames come first, in their order, then nicknames in theirs. Capitals and the widths of letters " +
			"make no difference. " +
			"A page may have fewer items than asked for, and a nextPageToken: a user that both names find is listed once.",
	}, s.searchUsers)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/search/tweets", OperationID: "searchTweets", Tags: []string{"search"},
		Summary: "Find public tweets by their words, newest first",
		Description: "With resolve an https address of a post of another server finds that post alone, for which that " +
			"server is asked, as in the search for people. A tweet must have all that q names: words, emoji and " +
			"\"exact phrases\", nothing of -word and -\"a " +
			"phrase\", and from:username, #tag, title:word, is:reply, has:media, since:2026-01-31 and until:2026-02-28. " +
			"The days are in UTC, and that of until is not a part of it. Words are whole words; a star stands for the rest of " +
			"one, as in spark*, *park and *par*, with three characters at least (400 part_too_short otherwise), and finds it " +
			"among the first 400 different parts of a tweet. title:word looks in the heading that a tweet begins with. " +
			"Of Chinese, Japanese and Korean a part of a text is found. " +
			"Capitals and the widths of letters make no difference. The first 10,000 characters of a tweet are searched, or " +
			"less if they have more than 1,000 different words. " +
			"A search finds tweets some seconds after they are posted or changed. A page has 10 items at most, 6 with " +
			"following; it may have fewer than asked for, and a nextPageToken.",
	}, s.searchTweets)
}

// FoundTweet is a tweet that a search found.
type FoundTweet struct {
	Tweet
	Excerpt []ExcerptPart `json:"excerpt" nullable:"false" doc:"What stands around the first hit, at most 160 characters, without Markdown; the content warning comes first"`
}

// ExcerptPart is a part of an excerpt.
type ExcerptPart struct {
	Text string `json:"text"`
	Hit  bool   `json:"hit" doc:"True for what q asks for"`
}

func (s *service) searchTweets(ctx context.Context, in *struct {
	Query     string `query:"q" required:"true" minLength:"1" maxLength:"500" doc:"What the tweets must have, at most 200 characters, or an address" example:"from:ann spark"`
	Following bool   `query:"following" doc:"Only tweets of users that the caller follows"`
	Resolve   bool   `query:"resolve" doc:"Ask the server of a handle or an address, if the caller has an account"`
	server.Paging
	Rendering
}) (*server.ListOutput[FoundTweet], error) {
	if in.Resolve && in.PageToken == "" {
		id, err := s.postAt(ctx, in.Query)
		if err != nil {
			return nil, err
		}
		if id != "" {
			return s.onePost(ctx, in.Rendering, id)
		}
	}
	query, err := discovery.ParseSearch(in.Query)
	if err != nil {
		return nil, err
	}
	by := viewer(ctx)
	list := "tweets with " + query.Text
	if in.Following {
		if by.Role == model.SignedOut {
			return nil, model.MayWrite(by.Role) // a caller without an account follows nobody
		}
		list = "tweets of whom " + string(by.ID) + " follows with " + query.Text
	}
	found, err := server.Page(s.Server, list, in.Paging, func(from string) ([]discovery.SearchResult, string, error) {
		return s.Search.Tweets(ctx, by, query, in.Following, from, in.PageSize)
	}, nil)
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, model.FilterPublic, "", each(found.Items, func(f discovery.SearchResult) model.UserID {
		return f.AuthorID
	}))
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(f discovery.SearchResult) (FoundTweet, bool) {
		hits, hidden := h.tweet(f.Tweet)
		to := in.tweet(s, f.Tweet, f.ViewerState)
		to.Filtered = hits
		return FoundTweet{to, each(f.Excerpt, func(p discovery.SearchPart) ExcerptPart { return ExcerptPart(p) })}, !hidden
	}), nil
}

func (s *service) searchUsers(ctx context.Context, in *struct {
	Query   string `query:"q" required:"true" minLength:"1" maxLength:"500" doc:"The beginning of a name, at most 50 characters; after @ of a username alone; a handle with its host, or an address" example:"ann"`
	Resolve bool   `query:"resolve" doc:"Ask the server of a handle or an address, if the caller has an account"`
	server.Paging
	Rendering
}) (*server.ListOutput[UserSummary], error) {
	if in.Resolve && in.PageToken == "" {
		u, err := s.personAt(ctx, in.Query)
		if err != nil {
			return nil, err
		}
		if u != nil {
			return s.onePerson(ctx, in.Rendering, u)
		}
	}
	if address(in.Query) {
		return onePage[UserSummary](), nil
	}
	query, err := discovery.Folded(in.Query)
	if err != nil {
		return nil, err
	}
	found, err := server.Page(s.Server, "people named "+query, in.Paging,
		func(from discovery.PersonPosition) ([]*model.User, discovery.PersonPosition, error) {
			limit, err := s.fewer(ctx, in.PageSize, model.MaxPartialPage)
			if err != nil {
				return nil, from, err
			}
			return s.Search.People(ctx, query, from, limit)
		}, nil)
	if err != nil {
		return nil, err
	}
	// Whoever looks for a muted user finds the user.
	h, err := s.hidingIn(ctx, "", viewer(ctx).ID, each(found.Items, func(u *model.User) model.UserID { return u.ID }))
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(u *model.User) (UserSummary, bool) {
		return in.summary(s, u), !h.quiet.Blocks(u.ID)
	}), nil
}

// onePage is a list with some items and no more.
func onePage[T any](items ...T) *server.ListOutput[T] {
	return server.ListOf(server.Rows[T]{Items: items}, func(item T) (T, bool) { return item, true })
}

// onePerson answers a person whom a caller named.
func (s *service) onePerson(ctx context.Context, r Rendering, u *model.User) (*server.ListOutput[UserSummary], error) {
	h, err := s.hidingIn(ctx, "", viewer(ctx).ID, []model.UserID{u.ID})
	if err != nil || h.quiet.Blocks(u.ID) {
		return onePage[UserSummary](), err
	}
	return onePage(r.summary(s, u)), nil
}

// onePost answers a post that a caller named, if the caller may see it.
func (s *service) onePost(ctx context.Context, r Rendering, id model.TweetID) (*server.ListOutput[FoundTweet], error) {
	t, err := s.Tweets.Tweet(ctx, id, viewer(ctx))
	if notThere(err) != nil {
		return nil, err
	}
	if err != nil {
		return onePage[FoundTweet](), nil
	}
	to := r.tweet(s, t.Tweet, t.ViewerState)
	return onePage(FoundTweet{to, []ExcerptPart{{Text: t.Excerpt()}}}), nil
}
