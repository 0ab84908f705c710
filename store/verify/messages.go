package verify

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/messages"
)

// partsTogether is how many parts of conversations are compared together: one may have 1 MB.
const partsTogether = 20

// wordsPlace begins the position of a verification among the words of messages. No id of a user has a slash.
const wordsPlace = model.MessageTermLists + "/"

// words verifies the words of the parts of conversations whose ids come after one: n parts, and all if n is 0. It
// returns the position of the next part of the verification, and the empty one at the end.
//
// Cost: that of [wordsRange.read] for each partsTogether parts, or n if that is less.
func (v *verifier) words(ctx context.Context, after string, n int) (all []Difference, next model.UserID, err error) {
	all, last, err := v.ranges(ctx, n, partsTogether, after, func(after string, limit int) span {
		return &wordsRange{verifier: v, after: after, limit: limit}
	})
	if last != "" {
		next = model.UserID(wordsPlace + last)
	}
	return all, next, err
}

// wordsRange is a [span] of the words of messages: parts of conversations and their words, whose ids come after one.
type wordsRange struct {
	*verifier
	after, to string
	limit     int
	bound     bool // whether to is known
}

func (r *wordsRange) end() string { return r.to }

// read compares the words of the parts of the range with the messages. It walks along both collections at once, because
// both are in the order of ids.
//
// Cost: 1 read for each part, and 1 read for its words; each kind at least 1.
func (r *wordsRange) read(ctx context.Context) (ds []Difference, err error) {
	parts, err := r.of(ctx, model.ConversationMonths)
	if err != nil {
		return nil, err
	}
	if !r.bound && len(parts) == r.limit {
		r.to = parts[len(parts)-1].Ref.ID
	}
	terms, err := r.of(ctx, model.MessageTermLists)
	if err != nil {
		return nil, err
	}
	if !r.bound && len(terms) == r.limit { // perhaps there are words without a part
		r.to = terms[len(terms)-1].Ref.ID
		parts = slices.DeleteFunc(parts, func(part *firestore.DocumentSnapshot) bool { return part.Ref.ID > r.to })
	}
	r.bound = true
	return r.compareTerms(parts, terms)
}

// of reads the documents of a collection in the range, at first at most as many as the range has.
func (r *wordsRange) of(ctx context.Context, collection string) ([]*firestore.DocumentSnapshot, error) {
	q := r.db.Client.Collection(collection).OrderBy(firestore.DocumentID, firestore.Asc)
	if r.after != "" {
		q = q.StartAfter(r.after)
	}
	if r.to != "" {
		q = q.EndAt(r.to)
	}
	if !r.bound {
		q = q.Limit(r.limit)
	}
	return q.Documents(ctx).GetAll()
}

func (v *verifier) compareTerms(parts, terms []*firestore.DocumentSnapshot) (ds []Difference, err error) {
	want, have := map[string]*model.MessageTerms{}, map[string]*model.MessageTerms{}
	for _, snap := range parts {
		p, err := db.As[model.MessagePart](snap, nil)
		if err != nil {
			return nil, err
		}
		want[snap.Ref.ID] = messages.TermsOf(&p.Doc)
	}
	for _, snap := range terms {
		t, err := db.As[model.MessageTerms](snap, nil)
		if err != nil {
			return nil, err
		}
		have[snap.Ref.ID] = &t.Doc
	}
	var keys []string
	for _, all := range []map[string]*model.MessageTerms{want, have} {
		for key := range all {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		is, should := have[key], want[key]
		if is.Equal(should) {
			continue
		}
		path := at(model.MessageTermLists, key)
		// The words are a secret, so a difference has how many there are.
		add(&ds, model.MessageTermLists, path, "", wordsOf(is), wordsOf(should), &fix{path, func(ctx context.Context) error {
			return v.messages.Index(ctx, model.PartKey(key))
		}})
	}
	return ds, nil
}

func wordsOf(t *model.MessageTerms) any {
	if t == nil {
		return nil
	}
	return len(t.Terms)
}
