package discovery

import (
	"context"
	"strings"
	"unicode/utf8"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// PersonPosition is a position in a list of users: after a user among the matches by username, or among the matches by
// nickname. The zero PersonPosition is the beginning.
type PersonPosition struct {
	Nicknames bool         `json:"nicknames,omitempty"`
	Name      string       `json:"name,omitempty"`
	ID        model.UserID `json:"id,omitempty"`
}

// afterNames is greater than every character of a name.
const afterNames = "\U0010FFFF"

// Folded returns the form of a query for users in which letters are compared: NFKC, lower case, and no space around it.
// An empty result, a query that is not UTF-8, and one that is too long are errs.Invalid.
func Folded(query string) (string, error) {
	if !utf8.ValidString(query) {
		return "", errs.New(errs.Invalid, "invalid_text", "q is not UTF-8")
	}
	if n := utf8.RuneCountInString(query); n > model.MaxNickname {
		return "", errs.New(errs.Invalid, "too_long", "q has %d characters; the limit is %d", n, model.MaxNickname)
	}
	folded := strings.TrimSpace(model.NormalizeNickname(query))
	if strings.TrimPrefix(folded, "@") == "" {
		return "", errs.New(errs.Invalid, "empty_query", "q has nothing to look for")
	}
	return folded, nil
}

// People lists users whose username begins with a query that [Folded] made, by username. Users whose nickname begins
// with the query follow, by nickname. A query that begins with @ finds usernames only. A page may have fewer users than
// limit though more follow: a user whom both names match is listed once.
//
// Cost: 1 read for each user on the page, twice for a user whom both names match; 1 more at the end of a list.
func (r *Search) People(ctx context.Context, query string, from PersonPosition, limit int) (people []*model.User,
	next PersonPosition, err error) {
	defer errs.Wrap(&err, "discovery.People")
	username, only := strings.CutPrefix(query, "@")
	if !from.Nicknames {
		people, err = r.named(ctx, "username", username, from, limit)
		if err != nil {
			return nil, PersonPosition{}, err
		}
		if len(people) == limit {
			last := people[limit-1]
			return people, PersonPosition{Name: last.Username, ID: last.ID}, nil
		}
		from = PersonPosition{Nicknames: true}
	}
	if only {
		return people, PersonPosition{}, nil
	}
	rest := limit - len(people)
	found, err := r.named(ctx, "nicknameLower", query, from, rest)
	if err != nil {
		return nil, PersonPosition{}, err
	}
	for _, u := range found {
		if !strings.HasPrefix(u.Username, username) { // the username found the others
			people = append(people, u)
		}
	}
	if len(found) == rest {
		last := found[rest-1]
		next = PersonPosition{Nicknames: true, Name: last.NicknameLower, ID: last.ID}
	}
	return people, next, nil
}

// named lists users by one of their names, which begins with a prefix.
//
// Cost: 1 read for each user, at least 1.
func (r *Search) named(ctx context.Context, field, prefix string, from PersonPosition, limit int) ([]*model.User,
	error) {
	q := r.db.Client.Collection(model.Users).Where(field, ">=", prefix).Where(field, "<", prefix+afterNames).
		OrderBy(field, firestore.Asc).OrderBy(firestore.DocumentID, firestore.Asc).Limit(limit)
	if from.ID != "" {
		q = q.StartAfter(from.Name, string(from.ID))
	}
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	users := make([]*model.User, len(snaps))
	for i, snap := range snaps {
		users[i] = &model.User{ID: model.UserID(snap.Ref.ID)}
		if err := snap.DataTo(users[i]); err != nil {
			return nil, err
		}
	}
	return users, nil
}
