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

// messageTerms compares the words of all parts of conversations with the messages. It walks along both collections at
// once, in the order of their ids.
//
// Cost: 1 read for each part, and 1 read for its words.
func (v *verifier) messageTerms() *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		for after := ""; ; {
			q := func(collection string) firestore.Query {
				q := v.db.Client.Collection(collection).OrderBy(firestore.DocumentID, firestore.Asc)
				if after != "" {
					q = q.StartAfter(after)
				}
				return q
			}
			parts, err := q(model.ConversationMonths).Limit(partsTogether).Documents(ctx).GetAll()
			if err != nil {
				return nil, err
			}
			last := ""
			words := q(model.MessageTermLists)
			if len(parts) == partsTogether {
				last = parts[len(parts)-1].Ref.ID
				words = words.EndAt(last)
			}
			terms, err := words.Documents(ctx).GetAll()
			if err != nil {
				return nil, err
			}
			some, err := v.compareTerms(parts, terms)
			if ds = append(ds, some...); err != nil || last == "" {
				return ds, err
			}
			after = last
		}
	}}
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
