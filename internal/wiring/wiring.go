// Package wiring hands the parts of a store to the services that use them.
package wiring

import (
	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/store"
)

// API returns the parts of a store that the API uses: facts, readers, audit and Ping. The
// API gets no writer of derived documents.
func API(db *store.Store) api.Stores {
	return api.Stores{
		Facts: db.Facts, Cards: db.Cards.Reader, Timelines: db.Timelines.Reader, Notices: db.Notices.Reader,
		Audit: db.Audit, Ping: db.Ping,
	}
}
