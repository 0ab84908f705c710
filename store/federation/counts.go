package federation

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Counts are how many people and posts of other servers there are.
type Counts struct{ People, Posts int64 }

// Counts counts the people and posts of other servers. A process keeps a result for [CountsKept].
//
// Cost: 1 read for each 1,000 of them, at least 3, once an hour.
func (s *Store) Counts(ctx context.Context) (_ Counts, err error) {
	defer errs.Wrap(&err, "federation.Counts")
	c, _, err := s.counts.One(ctx, "")
	return c, err
}

func (s *Store) count(ctx context.Context, _ string) (c Counts, err error) {
	users := s.db.Client.Collection(model.Users)
	from, to := model.RemoteUserIDs()
	if c.People, err = db.Count(ctx, users.OrderBy(firestore.DocumentID, firestore.Asc).StartAt(from).
		EndBefore(to)); err != nil {
		return c, err
	}
	posts := s.db.Client.Collection(model.RemotePosts)
	all, err := db.Count(ctx, posts.Query)
	if err != nil {
		return c, err
	}
	deleted, err := db.Count(ctx, posts.Where(fields.Deleted, "==", true))
	c.Posts = max(0, all-deleted)
	return c, err
}
