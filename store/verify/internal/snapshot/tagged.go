package snapshot

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Tagged adds to must and may what a user's home timeline has by followed tags, as [Window.Expect] does for an author:
// of each tag the tweets of the last [model.FollowedTagWindow] that [model.TagPick] picks from public ones, without
// those by locked authors, by members of the user's exclusive lists and by the user. A tweet that must already has
// stays as it is there.
//
// Cost: 2 reads, 1 read a tweet, at least 1 a tag, and 1 read an author.
func (r *Reader) Tagged(ctx context.Context, uid model.UserID, excluded map[model.UserID]bool,
	must map[model.Position]model.UserID,
	may map[model.Position]bool) (err error) {
	defer errs.Wrap(&err, "snapshot.Tagged(%q)", uid)
	m, err := r.moment(ctx)
	if err != nil {
		return err
	}
	tags, err := db.As[model.FollowedTags](m.get(ctx, r.db.FollowedTags(uid)))
	if err != nil {
		return err
	}
	oldest := r.db.Now().Add(-model.FollowedTagWindow)
	authors := map[model.UserID]*model.User{}
	for tag := range tags.Doc.Tags {
		path := firestore.FieldPath{fields.Tags, tag}
		q := r.db.Client.Collection(model.Tweets).WherePath(path, ">=", oldest.Add(-slack)).
			OrderByPath(path, firestore.Desc).Limit(model.FollowedTagReads)
		snaps, err := q.WithReadOptions(firestore.ReadTime(m.at)).Documents(ctx).GetAll()
		if err != nil {
			return err
		}
		var pick model.TagPick
		for _, snap := range snaps {
			t := &model.Tweet{ID: model.TweetID(snap.Ref.ID)}
			if err := snap.DataTo(t); err != nil {
				return err
			}
			if authors[t.AuthorID] == nil {
				author, err := db.As[model.User](m.get(ctx, r.db.User(t.AuthorID)))
				if err != nil {
					return err
				}
				authors[t.AuthorID] = &author.Doc
				author.Doc.Locked = author.Doc.Locked || !author.Found
			}
			position := t.ID.Position()
			if authors[t.AuthorID].Locked || t.IsViolative || !pick.Take(t.AuthorID) || t.AuthorID == uid ||
				excluded[t.AuthorID] || may[position] {
				continue
			}
			if may[position] = true; t.ID.Time().After(oldest.Add(slack)) {
				must[position] = t.AuthorID
			}
		}
	}
	return nil
}

// Excluded returns the members of a user's exclusive lists.
//
// Cost: 1 read, and 1 read a list, at least 1.
func (r *Reader) Excluded(ctx context.Context, uid model.UserID) (_ map[model.UserID]bool, err error) {
	defer errs.Wrap(&err, "snapshot.Excluded(%q)", uid)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	excluded := map[model.UserID]bool{}
	q := r.db.Keyed(model.Lists, uid).Where(fields.Exclusive, "==", true)
	return excluded, each(ctx, m, q, func(_ *firestore.DocumentSnapshot, l *model.PeopleList) error {
		for _, member := range l.Members {
			excluded[member] = true
		}
		return nil
	})
}
