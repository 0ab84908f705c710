package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// FilterKeyword is a text of a filter.
type FilterKeyword struct {
	ID        string `json:"id,omitempty" maxLength:"16" pattern:"^([0-9a-f]{16})?$" doc:"Names the keyword within its filter, and stays when its text changes. Absent in a request for a new keyword; one without an id whose text the filter has keeps the id of that" example:"4e3a1b2c5d6f7081"`
	Keyword   string `json:"keyword" minLength:"1" maxLength:"100" doc:"A text of at most 100 characters. One that begins with # must be a tag, and matches that tag alone" example:"spoiler"`
	WholeWord bool   `json:"wholeWord,omitempty" doc:"Whether the keyword must begin and end between words. In scripts without spaces, such as Chinese, Japanese and Thai, each character is a word, but katakana stay together"`
}

// FilterBody is what the caller says of a filter.
type FilterBody struct {
	Title     string                `json:"title" minLength:"1" maxLength:"100" example:"Series"`
	Contexts  []model.FilterContext `json:"contexts" minItems:"1" maxItems:"5" nullable:"false" enum:"home,notifications,public,thread,profile" doc:"Where the filter acts: home has the home timeline and timelines of lists of people; public has the public timeline, and the tweets of tags, searches and trends; thread has threads, replies and quotes; profile has a user's tweets, likes, shares and pins"`
	Action    model.FilterAction    `json:"action" enum:"hide,warn" doc:"hide: lists leave the tweet out, and a reply, quote or mention makes no notification. warn: the tweet has filtered, and clients fold it"`
	ExpiresAt *time.Time            `json:"expiresAt,omitempty" doc:"When the filter ends; absent for a filter without an end. An ended filter stays, and does nothing"`
	Keywords  []FilterKeyword       `json:"keywords" minItems:"1" maxItems:"500" nullable:"false" doc:"A tweet matches that has one of them in the first 280 characters of its content, in its content warning or in an option of its poll, or as a tag. Capitals and the widths of letters make no difference"`
}

// Filter hides tweets with one of its keywords, or warns of them.
type Filter struct {
	ID string `json:"id"`
	FilterBody
	CreatedAt time.Time `json:"createdAt"`
	Version   string    `json:"version" doc:"For If-Match, in quotation marks; a change of the filter changes it" example:"4e3a1b2c5d6f7081"`
}

// FilterPath is the id of a filter.
type FilterPath struct {
	IfMatch string `header:"If-Match" doc:"The version of the filter that the caller has read, in quotation marks, or *"`

	ID string `path:"id" maxLength:"40" pattern:"^[A-Za-z0-9-][A-Za-z0-9_-]*$" doc:"Chosen by the client: letters, digits, - and _" example:"series"`
}

func filterOf(id string, f model.Filter) Filter {
	is := Filter{id, FilterBody{Title: f.Title, Contexts: f.Contexts, Action: f.Action,
		Keywords: each(f.Keywords, func(k model.FilterKeyword) FilterKeyword {
			return FilterKeyword{k.Name(), k.Keyword, k.WholeWord}
		})}, f.CreatedAt, f.Version()}
	if !f.ExpiresAt.IsZero() {
		is.ExpiresAt = &f.ExpiresAt
	}
	return is
}

func (b FilterBody) filter() model.Filter {
	f := model.Filter{Title: b.Title, Contexts: b.Contexts, Action: b.Action,
		Keywords: each(b.Keywords, func(k FilterKeyword) model.FilterKeyword {
			return model.FilterKeyword{Keyword: k.Keyword, WholeWord: k.WholeWord, ID: k.ID}
		})}
	if b.ExpiresAt != nil {
		f.ExpiresAt = *b.ExpiresAt
	}
	return f
}

// filters adds the operations on the caller's filters.
func (s *service) filters() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/filters", OperationID: "listFilters", Tags: []string{"filters"},
		Summary:     "List the caller's filters, oldest first",
		Description: "There are 50 at most, and all are on one page. A client applies them to what it listens to.",
	}, func(ctx context.Context, _ *nothing) (*server.ListOutput[Filter], error) {
		is, err := s.Graph.Filters(ctx, server.Caller(ctx).UID)
		if err != nil {
			return nil, err
		}
		return server.ListOf(server.Rows[string]{Items: is.IDs()}, func(id string) (Filter, bool) {
			return filterOf(id, is.Filters[id]), true
		}), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/users/me/filters/{id}", OperationID: "putFilter", Tags: []string{"filters"},
		Summary: "Make or replace a filter of the caller",
		Description: "The filter acts at once, but not on the caller's own tweets. Notifications that are there stay. " +
			"At most 50 filters with 500 keywords, and 50,000 bytes of titles and keywords, in all; more is 409 " +
			"`too_many_filters`.\n\n" +
			"With If-Match and the version of a filter, a change of a filter that was changed or removed since answers 412 " +
			"filter_changed. A change that changes nothing answers 200, whatever If-Match says. So the caller may repeat a " +
			"change whose answer was lost.",
		Errors: []int{http.StatusConflict, http.StatusPreconditionFailed},
	}, func(ctx context.Context, in *struct {
		FilterPath
		Body FilterBody
	}) (*struct{ Body Filter }, error) {
		versions, err := versionsOf(in.IfMatch)
		if err != nil {
			return nil, err
		}
		f, err := s.Graph.PutFilter(ctx, server.Caller(ctx).UID, in.ID, in.Body.filter(), versions...)
		if err != nil {
			return nil, err
		}
		return &struct{ Body Filter }{filterOf(in.ID, f)}, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/users/me/filters/{id}", OperationID: "removeFilter", Tags: []string{"filters"},
		Summary: "Remove a filter of the caller",
		Description: "With If-Match and the version of a filter, the removal of a filter that was changed since answers " +
			"412 filter_changed.",
		Errors: []int{http.StatusPreconditionFailed},
	}, func(ctx context.Context, in *FilterPath) (*nothing, error) {
		id, err := model.ParseFilterID(in.ID)
		if err != nil {
			return nil, err
		}
		versions, err := versionsOf(in.IfMatch)
		if err != nil {
			return nil, err
		}
		return nil, s.Graph.RemoveFilter(ctx, server.Caller(ctx).UID, id, versions...)
	})
}
