package api

import (
	"github.com/hibana-sns/hibana/model"
)

// Paging is the part of a request that asks for a page of a list.
type Paging struct {
	PageSize  int    `query:"pageSize" minimum:"1" maximum:"100" default:"20" doc:"How many items at most"`
	PageToken string `query:"pageToken" doc:"nextPageToken of the page before; empty for the first page"`
}

// List is a page of a list.
type List[T any] struct {
	Items         []T    `json:"items" nullable:"false"`
	NextPageToken string `json:"nextPageToken" doc:"pageToken of the next page; empty at the end of the list"`
}

type listOutput[T any] struct{ Body List[T] }

// listOf makes a page from what the store found. keep turns an item into what is
// shown, or leaves it out.
func listOf[F, T any](s *server, list string, found model.Page[F], keep func(F) (T, bool)) *listOutput[T] {
	out := &listOutput[T]{Body: List[T]{Items: make([]T, 0, len(found.Items))}}
	for _, f := range found.Items {
		if item, ok := keep(f); ok {
			out.Body.Items = append(out.Body.Items, item)
		}
	}
	if !found.Next.IsZero() {
		out.Body.NextPageToken = s.tokens.seal(list, found.Next)
	}
	return out
}

// page reads a page of the named list. Where it is empty from the beginning on,
// check decides whether there is such a list at all.
func page[F any](s *server, list string, in Paging, read func(model.Cursor) (model.Page[F], error), check func() error) (model.Page[F], error) {
	var from model.Cursor
	if err := s.tokens.open(list, in.PageToken, &from); err != nil {
		return model.Page[F]{}, err
	}
	found, err := read(from)
	if err == nil && len(found.Items) == 0 && from.IsZero() && check != nil {
		err = check()
	}
	return found, err
}
