package discovery

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/query"
)

// documents are the index of a project without an engine: the collection searchDocs.
type documents struct{ db *db.DB }

// page reads at most [model.SearchReads] documents, for pageTime at most: a query of frequent terms that no tweet has
// together may look through long indexes.
//
// Cost: 1 read for each document that it examines, at least 1 for each shard.
func (d documents) page(ctx context.Context, q *SearchQuery, author model.UserID, from string, limit int) ([]doc,
	string, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	return d.begin(q, author, from).page(ctx, limit)
}

// put writes over the existing document, whenever it was made.
//
// Cost: 1 write or delete.
func (d documents) put(ctx context.Context, v version) (err error) {
	ref := d.db.Doc(model.SearchDocs, model.SearchKey(v.id))
	if v.doc == nil {
		_, err = ref.Delete(ctx)
	} else {
		_, err = ref.Set(ctx, v.doc)
	}
	return err
}

// scan is a query while its shards are merged.
type scan struct {
	*SearchQuery
	parts    []searchPart
	reads    int    // that are left
	position string // of the last document that was examined
}

// searchPart is a shard.
type searchPart struct {
	query firestore.Query
	shard int
	docs  []doc // read and not examined yet
	from  string
	ended bool // the database has no more than docs
}

// begin prepares a query.
func (d documents) begin(q *SearchQuery, author model.UserID, from string) *scan {
	s := &scan{SearchQuery: q, reads: model.SearchReads, position: from}
	terms := q.Indexed()
	shards := make([]int, model.SearchShards)
	for n := range shards {
		shards[n] = n
	}
	if author != "" {
		terms, shards = append(terms, query.FromTerm+string(author)), []int{model.SearchShard(author)}
	}
	find := d.db.Client.Collection(model.SearchDocs).OrderBy(firestore.DocumentID, firestore.Asc)
	for _, term := range terms {
		find = find.WherePath(firestore.FieldPath{fields.Terms, term}, "==", true)
	}
	for _, shard := range shards {
		p := searchPart{shard: shard, from: from}
		if p.query = find.EndBefore(model.SearchKeyAt(shard, "g")); !q.Since.IsZero() {
			p.query = find.EndAt(model.SearchKeyAt(shard, model.SearchPositionOf(q.Since)))
		}
		if p.from == "" && !q.Before.IsZero() {
			p.from = model.SearchPositionOf(q.Before)
		}
		s.parts = append(s.parts, p)
	}
	return s
}

// page examines one document after the other, newest first. It ends when limit documents match, or when it has read as
// many as a page may read.
func (s *scan) page(ctx context.Context, limit int) (matching []doc, next string, err error) {
	for len(matching) < limit {
		if more, err := s.read(ctx, limit-len(matching)); err != nil || !more {
			return matching, s.position, err
		}
		var newest *searchPart
		for i := range s.parts {
			p := &s.parts[i]
			if len(p.docs) > 0 && (newest == nil || p.docs[0].position < newest.docs[0].position) {
				newest = p
			}
		}
		if newest == nil {
			return matching, "", nil
		}
		d := newest.docs[0]
		newest.docs, s.position = newest.docs[1:], d.position
		if s.Matches(&d.SearchDoc) {
			matching = append(matching, d)
		}
	}
	return matching, s.position, nil
}

// read reads on in the shards without documents left. It returns whether the next document is known. needed is how many
// more the page needs.
//
// Cost: 1 read for each document, at least 1 for each shard.
func (s *scan) read(ctx context.Context, needed int) (bool, error) {
	var empty []*searchPart
	active := 0
	for i := range s.parts {
		if p := &s.parts[i]; !p.ended {
			if active++; len(p.docs) == 0 {
				empty = append(empty, p)
			}
		}
	}
	if len(empty) == 0 {
		return true, nil
	}
	share := min((needed+active-1)/active+1, s.reads/len(empty))
	if share == 0 {
		return false, nil
	}
	g, side := safely.WithContext(ctx)
	for _, p := range empty {
		g.Go(func() error { return p.read(side, share) })
	}
	if err := g.Wait(); err != nil {
		return false, err
	}
	for _, p := range empty {
		s.reads -= max(len(p.docs), 1)
	}
	return true, nil
}

// read reads the next documents of a shard.
func (p *searchPart) read(ctx context.Context, limit int) error {
	q := p.query.StartAt(model.SearchKeyAt(p.shard, ""))
	if p.from != "" {
		q = p.query.StartAfter(model.SearchKeyAt(p.shard, p.from))
	}
	snaps, err := q.Limit(limit).Documents(ctx).GetAll()
	if err != nil {
		return err
	}
	for _, snap := range snaps {
		var d doc
		var ok bool
		if err := snap.DataTo(&d.SearchDoc); err != nil {
			return err
		}
		if d.position, d.id, ok = model.SearchPosition(snap.Ref.ID); ok { // no document of ours has another key
			p.docs = append(p.docs, d)
			p.from = d.position
		}
	}
	p.ended = len(snaps) < limit
	return nil
}
