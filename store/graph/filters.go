package graph

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Filters reads a user's filters. The result is not nil unless there is an error.
//
// Cost: 1 read.
func (s *Store) Filters(ctx context.Context, uid model.UserID) (_ *model.Filters, err error) {
	defer errs.Wrap(&err, "graph.Filters(%q)", uid)
	is := &model.Filters{}
	_, err = s.db.Get(ctx, s.db.UserFilters(uid), is)
	return is, err
}

// PutFilter adds or replaces a filter under an id that the caller chooses, and returns the filter as it is kept. A
// filter of another form is errs.Invalid. A user without a profile is errs.Forbidden. More filters or keywords than
// [model.Filters.Put] allows are errs.Conflict. With versions, a change of a filter that is in none of them is
// errs.Outdated.
//
// Cost: 1 read, and 2 writes if something changes; 1 read more for a user whose profile this process has not cached.
func (s *Store) PutFilter(ctx context.Context, uid model.UserID, id string, f model.Filter,
	versions ...string) (_ model.Filter, err error) {
	defer errs.Wrap(&err, "graph.PutFilter(%q, %q)", uid, id)
	if id, err = model.ParseFilterID(id); err != nil {
		return f, err
	}
	if f, err = f.Clean(); err != nil {
		return f, err
	}
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return f, err
	}
	f.CreatedAt = s.db.Time()
	is, err := s.changeFilters(ctx, uid, func(is *model.Filters) (bool, error) {
		outdated := is.In(id, versions)
		changed, err := is.Put(id, f)
		if changed && err == nil {
			err = outdated
		}
		return changed, err
	})
	if err != nil {
		return f, err
	}
	return is.Filters[id], nil
}

// RemoveFilter removes a filter. Without the filter, as of a user without a profile, RemoveFilter changes nothing. With
// versions, a filter that is in none of them is errs.Outdated.
//
// Cost: 1 read, and 2 writes if the filter exists.
func (s *Store) RemoveFilter(ctx context.Context, uid model.UserID, id string, versions ...string) (err error) {
	defer errs.Wrap(&err, "graph.RemoveFilter(%q, %q)", uid, id)
	_, err = s.changeFilters(ctx, uid, func(is *model.Filters) (bool, error) {
		if _, there := is.Filters[id]; !there {
			return false, nil
		}
		if err := is.In(id, versions); err != nil {
			return false, err
		}
		delete(is.Filters, id)
		return true, nil
	})
	return err
}

// changeFilters changes filters and their copy in a transaction. to returns whether something changed.
func (s *Store) changeFilters(ctx context.Context, uid model.UserID, to func(*model.Filters) (bool,
	error)) (*model.Filters, error) {
	return viewers.Change(ctx, s.db, uid, s.db.UserFilters(uid), viewers.Filters, to)
}
