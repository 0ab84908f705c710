package discovery

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/opensearch"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/query"
)

// keywords are an index in an engine. The terms of [DocOf] are keywords there. So the engine needs no analyzer of its
// own, and finds the same as Firestore.
type keywords struct{ engine *opensearch.Client }

const (
	// lookAt is how many documents a page that compares texts requests at a time. rounds is how often it requests them.
	lookAt = 20
	rounds = 3
	// pageTime bounds the time of all requests of a page to the index.
	pageTime = 8 * time.Second
)

// kept is the part of a document that the engine returns.
type kept struct {
	AuthorID model.UserID `json:"authorId"`
	Text     string       `json:"text"`
	Revision int          `json:"revision"`
}

// page examines at most lookAt documents rounds times.
func (k keywords) page(ctx context.Context, q *SearchQuery, author model.UserID, from string,
	limit int) (matching []doc, next string, err error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	ask := opensearch.Query{Terms: slices.Concat(q.Filters, q.Words, q.Parts), After: from, Size: limit}
	if author != "" {
		ask.Terms = append(ask.Terms, query.FromTerm+string(author))
	}
	if ask.After == "" && !q.Before.IsZero() {
		ask.After = model.SearchPositionOf(q.Before)
	}
	if !q.Since.IsZero() {
		ask.Until = model.SearchPositionOf(q.Since)
	}
	if q.Compares() {
		ask.Size = lookAt
	}
	for range rounds {
		hits, err := k.engine.Search(ctx, ask)
		if err != nil {
			return nil, "", err
		}
		for _, h := range hits {
			ask.After = h.Place
			d, data := doc{position: h.Place}, kept{}
			if d.id, err = model.ParseTweetID(h.ID); err != nil {
				continue // no document of ours has another id
			}
			if err = json.Unmarshal(h.Data, &data); err != nil {
				return nil, "", err
			}
			d.AuthorID, d.Text, d.Revision = data.AuthorID, data.Text, data.Revision
			if q.Stands(d.Text) {
				if matching = append(matching, d); len(matching) == limit {
					return matching, d.position, nil
				}
			}
		}
		if len(hits) < ask.Size {
			return matching, "", nil
		}
	}
	return matching, ask.After, nil
}

// put writes the version of the moment at which it was read: two states of a tweet never have the same database time.
func (k keywords) put(ctx context.Context, v version) error {
	return k.engine.Write(ctx, writeOf(v))
}

// writeOf returns the write of a version.
func writeOf(v version) opensearch.Write {
	w := opensearch.Write{ID: string(v.id), Version: v.at.UnixMicro()}
	if v.doc == nil {
		return w
	}
	data, err := json.Marshal(kept{v.doc.AuthorID, v.doc.Text, v.doc.Revision})
	if err != nil {
		panic(err) // texts and a number
	}
	w.Document = &opensearch.Document{Place: positionOf(v.id), Terms: slices.Sorted(maps.Keys(v.doc.Terms)), Data: data}
	return w
}

// positionOf returns the position of a tweet.
func positionOf(id model.TweetID) string {
	position, _, _ := model.SearchPosition(model.SearchKey(id))
	return position
}
