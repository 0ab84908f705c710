package server

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/model"
)

// Paging is the part of a request that asks for a page of a list.
type Paging struct {
	PageSize  int    `query:"pageSize" minimum:"1" default:"20" doc:"Number of items at most; more than 100 is taken as 100. A list whose items cost several reads may answer fewer, with a nextPageToken"`
	PageToken string `query:"pageToken" doc:"The nextPageToken of the page before; empty for the first page"`
}

// Resolve reduces a larger page size to the maximum.
func (p *Paging) Resolve(huma.Context) []error {
	p.PageSize = min(p.PageSize, model.MaxPageSize)
	return nil
}

// Most returns the number of items of a page whose items cost several reads.
func (p Paging) Most(limit int) int { return min(p.PageSize, limit) }

// List is a page of a list.
type List[T any] struct {
	Items         []T    `json:"items" nullable:"false"`
	NextPageToken string `json:"nextPageToken" doc:"The pageToken of the next page; empty at the end of the list"`
}

// ListOutput is the answer with a page of a list.
type ListOutput[T any] struct{ Body List[T] }

// Rows are the documents that the store returned for a page.
type Rows[F any] struct {
	Items []F
	Next  string // nextPageToken
}

// Page reads a page of the named list. read gets the position at which the page begins, and returns the position at
// which the next page begins. The first page begins at the zero position, and the last page returns the zero position.
// check decides whether an empty list exists at all. A nil check accepts every list.
func Page[F any, P comparable](s *Server, list string, in Paging, read func(from P) ([]F, P, error),
	check func() error) (Rows[F], error) {
	var from, zero P
	if err := s.Tokens.Open(list, in.PageToken, &from); err != nil {
		return Rows[F]{}, err
	}
	items, next, err := read(from)
	if err == nil && len(items) == 0 && from == zero && check != nil {
		err = check()
	}
	found := Rows[F]{Items: items}
	if err == nil && next != zero {
		found.Next = s.Tokens.Seal(list, next)
	}
	return found, err
}

// CursorPage is [Page] for a list that the store reads by cursor.
func CursorPage[F any](s *Server, list string, in Paging, read func(model.Cursor) (model.Page[F], error),
	check func() error) (Rows[F], error) {
	return Page(s, list, in, func(from model.Cursor) ([]F, model.Cursor, error) {
		found, err := read(from)
		return found.Items, found.Next, err
	}, check)
}

// ListOf returns the answer with a page. keep converts a row into an item, or leaves the row out.
func ListOf[F, T any](found Rows[F], keep func(F) (T, bool)) *ListOutput[T] {
	out := &ListOutput[T]{Body: List[T]{Items: make([]T, 0, len(found.Items)), NextPageToken: found.Next}}
	for _, f := range found.Items {
		if item, ok := keep(f); ok {
			out.Body.Items = append(out.Body.Items, item)
		}
	}
	return out
}
