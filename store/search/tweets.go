package search

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Found is a tweet that a search found.
type Found struct {
	*model.Tweet
	model.Marks // of the viewer
	Excerpt     []Part
}

// Tweets lists the tweets of a query from a place on, newest first, as a viewer sees them;
// following asks for the tweets of users whom the viewer follows alone. A page may have fewer
// tweets than limit, and more behind it. The last page has no next place.
//
// Cost: at most [model.SearchReads] reads of documents, 1 read for from:, and 1 for each tweet on the page that
// is not cached, at least 1 for each shard. A viewer with an account costs what facts.Marks
// costs, and with following 1 read for each author on the page.
func (r *Reader) Tweets(ctx context.Context, v model.Viewer, q *Query, following bool, from string, limit int) (all []Found, next string, err error) {
	defer errs.Wrap(&err, "search.Tweets")
	limit = min(limit, model.MaxSearchPage)
	if following {
		limit = min(limit, model.MaxFollowedSearchPage)
	}
	s, err := r.begin(ctx, q, from)
	if err != nil || s == nil {
		return nil, "", err
	}
	docs, next, err := s.page(ctx, limit)
	if err != nil {
		return nil, "", err
	}
	if following {
		if docs, err = r.followed(ctx, v, docs); err != nil {
			return nil, "", err
		}
	}
	ids := make([]model.TweetID, len(docs))
	for i, d := range docs {
		ids[i] = d.id
	}
	seen, err := r.facts.Batch(ctx, ids, v)
	if err != nil {
		return nil, "", err
	}
	for i, t := range seen {
		// The document of any other tweet, or of another version, has an event on its way. Its text may be for fewer people.
		if t.Tweet.Searchable() && t.Tweet.Revision == docs[i].Revision {
			all = append(all, Found{t.Tweet, t.Marks, q.excerpt(&docs[i].SearchDoc)})
		}
	}
	return all, next, nil
}

// followed picks the documents whose authors a viewer follows.
//
// Cost: 1 read for each author.
func (r *Reader) followed(ctx context.Context, v model.Viewer, docs []doc) ([]doc, error) {
	var refs []*firestore.DocumentRef
	of := map[model.UserID]int{}
	for _, d := range docs {
		if _, ok := of[d.AuthorID]; !ok {
			of[d.AuthorID] = len(refs)
			refs = append(refs, r.db.Relationship(v.ID, d.AuthorID))
		}
	}
	if len(refs) == 0 {
		return nil, nil
	}
	snaps, err := r.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(docs, func(d doc) bool { return !snaps[of[d.AuthorID]].Exists() }), nil
}

// doc is a document that a search read.
type doc struct {
	model.SearchDoc
	id    model.TweetID
	place string
}

// scan is a query while its shards are merged.
type scan struct {
	*Query
	reader *Reader
	parts  []part
	reads  int    // that are left
	place  string // of the last document that was looked at
}

// part is a shard.
type part struct {
	query firestore.Query
	shard int
	docs  []doc // read and not looked at yet
	from  string
	ended bool // the database has no more than docs
}

// begin prepares a query; nil if no tweet can have what it asks for.
//
// Cost: 1 read for from:.
func (r *Reader) begin(ctx context.Context, q *Query, from string) (*scan, error) {
	s := &scan{Query: q, reader: r, reads: model.SearchReads, place: from}
	terms := q.indexed()
	shards := make([]int, model.SearchShards)
	for n := range shards {
		shards[n] = n
	}
	if q.from != "" {
		uid, err := r.author(ctx, q.from)
		if uid == "" || err != nil {
			return nil, err
		}
		terms, shards = append(terms, fromTerm+string(uid)), []int{model.SearchShard(uid)}
	}
	find := r.db.Client.Collection(model.SearchDocs).OrderBy(firestore.DocumentID, firestore.Asc)
	for _, term := range terms {
		find = find.WherePath(firestore.FieldPath{"terms", term}, "==", true)
	}
	for _, shard := range shards {
		p := part{shard: shard, from: from}
		if p.query = find.EndBefore(model.SearchKeyAt(shard, "g")); !q.since.IsZero() {
			p.query = find.EndAt(model.SearchKeyAt(shard, model.SearchPlaceOf(q.since)))
		}
		if p.from == "" && !q.before.IsZero() {
			p.from = model.SearchPlaceOf(q.before)
		}
		s.parts = append(s.parts, p)
	}
	return s, nil
}

// author finds the user who has a username; none if nobody can have it.
//
// Cost: 1 read.
func (r *Reader) author(ctx context.Context, username string) (model.UserID, error) {
	if model.ValidateUsername(username) != nil {
		return "", nil
	}
	uid, err := r.facts.UserByUsername(ctx, username)
	if errs.KindOf(err) == errs.NotFound {
		return "", nil
	}
	return uid, err
}

// page looks at one document after the other, newest first, until limit documents match or as
// many were read as a page may read.
func (s *scan) page(ctx context.Context, limit int) (matching []doc, next string, err error) {
	for len(matching) < limit {
		if more, err := s.read(ctx, limit-len(matching)); err != nil || !more {
			return matching, s.place, err
		}
		var newest *part
		for i := range s.parts {
			p := &s.parts[i]
			if len(p.docs) > 0 && (newest == nil || p.docs[0].place < newest.docs[0].place) {
				newest = p
			}
		}
		if newest == nil {
			return matching, "", nil
		}
		d := newest.docs[0]
		newest.docs, s.place = newest.docs[1:], d.place
		if s.matches(&d.SearchDoc) {
			matching = append(matching, d)
		}
	}
	return matching, s.place, nil
}

// read reads on in the shards of which nothing is left. It tells whether the next document is
// known. needed is how many more the page needs.
//
// Cost: 1 read for each document, at least 1 for each shard.
func (s *scan) read(ctx context.Context, needed int) (bool, error) {
	var empty []*part
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
	g, side := errgroup.WithContext(ctx)
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
func (p *part) read(ctx context.Context, limit int) error {
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
		if d.place, d.id, ok = model.SearchPlace(snap.Ref.ID); ok { // nothing of ours has another key
			p.docs = append(p.docs, d)
			p.from = d.place
		}
	}
	p.ended = len(snaps) < limit
	return nil
}
