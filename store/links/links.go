// Package links keeps cards of web pages that public posts link to. Functions fetch a page when it is posted; readers
// never cause a fetch.
package links

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Every is for how long a process shows the cards that it has read, and knows of no card.
const Every = time.Minute

// Store reads cards. Its methods may be called concurrently.
type Store struct {
	db    *db.DB
	known readcache.Values[string, *model.LinkCard] // by key; empty where there is no card
}

// New returns a store of a database. bytes is about how much memory the cards of the process use. Only packages below
// store have a [db.DB].
func New(d *db.DB, bytes int) *Store {
	s := &Store{db: d}
	known := readcache.New(d.Now, Every, bytes, func(c *model.LinkCard) int {
		size := len(c.Title) + len(c.Description) + len(c.Address)
		if c.Picture != nil {
			size += len(c.Picture.Data)
		}
		return size
	}, s.read)
	known.Name = "links"
	s.known = known
	return s
}

// read reads cards by their keys. A missing card is an empty one.
//
// Cost: 1 read a key.
func (s *Store) read(ctx context.Context, keys []string) (map[string]*model.LinkCard, error) {
	found, err := db.ReadAll(ctx, s.db, model.LinkCards, keys, func(string, *model.LinkCard) {})
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if found[key] == nil {
			found[key] = &model.LinkCard{}
		}
	}
	return found, nil
}

// Card returns the card of an address. An address that can have no card is errs.Invalid; one without a card that shows
// is errs.NotFound, whether or not somebody posted it.
//
// Cost: 1 read, or nothing within a minute.
func (s *Store) Card(ctx context.Context, address string) (_ *model.LinkCard, err error) {
	defer errs.Wrap(&err, "links.Card")
	if address, err = model.LinkAddress(address); err != nil {
		return nil, err
	}
	c, _, err := s.known.One(ctx, model.LinkKey(address))
	if err != nil {
		return nil, err
	}
	if c = c.Shown(s.db.Now()); c == nil {
		return nil, model.NoLinkCard()
	}
	return c, nil
}

// Writer fetches pages. Functions have it.
type Writer struct {
	*Store
	fetch func(context.Context, string) (model.LinkPage, error)
}

// NewWriter returns a writer that fetches pages by fetch; nil if there are no cards.
func NewWriter(s *Store, fetch func(context.Context, string) (model.LinkPage, error)) *Writer {
	return &Writer{s, fetch}
}

func (w *Writer) card(key string) *firestore.DocumentRef { return w.db.Doc(model.LinkCards, key) }

func (w *Writer) work(key string) *firestore.DocumentRef { return w.db.Doc(model.LinkFetches, key) }

// Want asks for the page of the link of a post, unless its card is fresh. An empty address is that of a post without a
// link, see [model.Tweet.Link]. A repetition finds the card or the work.
//
// Cost: nothing without an address; else 1 read, and 1 write if the card is missing or stale.
func (w *Writer) Want(ctx context.Context, address string) (err error) {
	if w.fetch == nil || address == "" {
		return nil
	}
	defer errs.Wrap(&err, "links.Want")
	key := model.LinkKey(address)
	c, err := db.As[model.LinkCard](w.card(key).Get(ctx))
	if err != nil || c.Found && !c.Doc.Stale(w.db.Time()) {
		return err
	}
	_, err = w.db.Ask(ctx, w.work(key), model.LinkFetch{Address: address, ExpireAt: w.db.WorkExpiry()})
	return err
}

// Fetch fetches the page of a work document and writes its card. One commit writes the card and deletes the work. So a
// process that is killed before leaves the work, and the event comes again. A repetition after the commit finds no
// work, and fetches nothing. Of two processes that fetch at once one commits, because the work is deleted once.
//
// Whatever the page's site does wrong is written as a failure: the event does not come again for it.
//
// Cost: 2 reads, 1 write and 1 delete; 1 read where there is no work.
func (w *Writer) Fetch(ctx context.Context, key string) (err error) {
	defer errs.Wrap(&err, "links.Fetch(%q)", key)
	var page *model.LinkPage // fetched once, however often the commit comes too late
	return w.db.Update(ctx, func(ctx context.Context) error {
		work, err := db.As[model.LinkFetch](w.work(key).Get(ctx))
		if err != nil || !work.Found {
			return err
		}
		read, err := db.As[model.LinkCard](w.card(key).Get(ctx))
		if err != nil {
			return err
		}
		var before *model.LinkCard
		if read.Found {
			before = &read.Doc
		}
		b, now := w.db.Batch(), w.db.Time()
		if before.Stale(now) && w.fetch != nil {
			if page == nil {
				fetched, err := w.fetch(ctx, work.Doc.Address)
				if err != nil {
					return err
				}
				page = &fetched
			}
			b.Set(w.card(key), page.Card(work.Doc.Address, before, now))
		}
		b.Delete(work.Snap.Ref, firestore.LastUpdateTime(work.Snap.UpdateTime))
		_, err = b.Commit(ctx)
		return db.Late(err) // asked anew meanwhile, another process was first, or the answer to this commit was lost
	})
}
