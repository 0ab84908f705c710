package notifications

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/notificationlists"
)

// state is what a change of a user's notifications reads.
type state struct {
	uid      model.UserID
	lists    *notificationlists.Lists
	choice   model.NotificationChoice
	quiet    *model.Quiet          // whom the user mutes, and the user's filters; nil if it was not read
	blocked  map[model.UserID]bool // one of the acting and the notified user has blocked the other
	silenced map[model.UserID]bool // a user whom the server silenced, and whom the notified user does not follow
	allowed  time.Time             // the earliest AllowedAt in the place of a read; zero if there is none
	previews map[string]*preview   // the notifications that may change, by id

	actions  map[string]model.SenderAction         // what the policy does with notification events, by id
	requests *db.Found[model.NotificationRequests] // nil if the policy does nothing
	filtered bool                                  // the requests got notification events

	strangers []model.UserID // senders whose notification events are filtered because the user does not follow them
}

// preview is a notification as it is read to be changed, with the notification events and users of the change.
type preview struct {
	model.Notification
	found   bool
	before  *model.Notification // nil for a new one
	events  []*model.NotificationEvent
	actors  map[model.UserID]*actor
	touched map[model.UserID]bool
	// document has the notification in the layout of version 0.1.0, see [Writer.readDocuments]; nil without one.
	document *db.Found[model.Notification]
}

// embed sets a user in the notification. The map may be that of the notification before the change.
func (c *preview) embed(uid model.UserID, a model.EmbeddedActor) {
	c.Actors = maps.Clone(c.Actors)
	if c.Actors == nil {
		c.Actors = map[string]model.EmbeddedActor{}
	}
	c.Actors[string(uid)] = a
}

// actor is a user of a change.
type actor struct {
	model.EmbeddedActor
	found bool // the notification counts the user, or did
	was   int64
}

// came is how much the actor changes the count of users.
func (a *actor) came() int64 { return min(a.NotificationEvents, 1) - min(a.was, 1) }

// count counts the tweet of a notification event that is put on or taken off.
func (c *preview) count(n *model.NotificationEvent, by int64) {
	if n.Type.CountsTweets() {
		c.CountTweets = max(0, c.CountTweets+by)
	}
}

// readFor reads the documents that a change of a user's notifications needs, and makes room for it. Blocks and settings
// matter only for events that are put on. The document of the notified user's graph has the settings, and whom the user
// blocks, in the commits of both. It learns late who blocks the user, so the blocks by the actors are read themselves.
//
// The reads for an event whose source document says that they were made a moment ago are left out: a block that came
// since then searches late enough, see [Writer.WithdrawBlocked], or the commit is late. A process that has not heard
// from the database for long hears the time with the lists. Then it makes the reads for events that are older.
//
// Cost: what [notificationlists.Read] costs; for events that are put on 1 read, and 1 read an actor, unless their
// source documents are young. If the user's graph is not whole, 2 reads an actor more, and 1 read for settings that it
// lacks. What abouts, readSenders and readSilenced cost.
func (s *Writer) readFor(ctx context.Context, notificationEvents []model.NotificationEvent) (*state, error) {
	uid := notificationEvents[0].UserID
	is := &state{uid: uid, blocked: map[model.UserID]bool{}, previews: map[string]*preview{},
		actions: map[string]model.SenderAction{}}
	var beside, later db.Lookup
	var own *db.Found[model.ViewerGraph] // the notified user's settings and blocks; blocks by others come there too late
	blocks := map[model.UserID][]*db.Found[struct{}]{}
	ask := func(l *db.Lookup) { // about the events that are not young by now
		for i := range notificationEvents {
			n := &notificationEvents[i]
			by := n.Payload.UserID
			if n.Withdrawn || s.young(n) || blocks[by] != nil {
				continue
			}
			if own == nil {
				own = db.Find[model.ViewerGraph](l, s.db.Viewer(uid))
			}
			blocks[by] = append(blocks[by], db.Find[struct{}](l, s.db.Block(by, uid)))
		}
	}
	ask(&beside)
	for i := range notificationEvents {
		n := &notificationEvents[i]
		key := n.NotificationKey(s.zone)
		p := is.previews[key]
		if p == nil {
			p = &preview{actors: map[model.UserID]*actor{}, touched: map[model.UserID]bool{}}
			is.previews[key] = p
		}
		p.events = append(p.events, n)
	}
	keys := slices.Sorted(maps.Keys(is.previews))
	for first := &beside; ; first = nil {
		lists, err := notificationlists.Read(ctx, s.db, uid, keys, first)
		if err != nil {
			return nil, err
		}
		full, err := lists.MakeRoom(ctx, s.db, s.Limits)
		if err != nil {
			return nil, err
		}
		if !full {
			is.lists = lists
			break
		}
	}
	ask(&later)
	if err := s.db.Read(ctx, &later); err != nil {
		return nil, err
	}
	for i := range notificationEvents {
		if n := &notificationEvents[i]; !n.Withdrawn && blocks[n.Payload.UserID] == nil &&
			(is.allowed.IsZero() || n.AllowedAt.Before(is.allowed)) {
			is.allowed = n.AllowedAt
		}
	}
	if own != nil {
		var l db.Lookup
		choice := &db.Found[model.NotificationChoice]{}
		if own.Doc.Choice != nil {
			choice.Doc = *own.Doc.Choice
		} else {
			choice = db.Find[model.NotificationChoice](&l, s.db.NotificationSettings(uid))
		}
		known, muted := own.Doc, map[model.UserID]*db.Found[model.MutedUser]{}
		for by := range blocks {
			block := &db.Found[struct{}]{Found: own.Doc.Blocks[by]}
			if !own.Doc.Whole {
				block = db.Find[struct{}](&l, s.db.Block(uid, by))
				muted[by] = db.Find[model.MutedUser](&l, s.db.MutedUser(uid, by))
			}
			blocks[by] = append(blocks[by], block)
		}
		about := s.abouts(&l, own.Doc.Filters, notificationEvents)
		if err := s.db.Read(ctx, &l); err != nil {
			return nil, err
		}
		if !known.Whole {
			known.Muted = map[model.UserID]model.Mute{}
			for by, m := range muted {
				if m.Found {
					known.Muted[by] = m.Doc.Mute()
				}
			}
		}
		about()
		is.choice, is.quiet = choice.Doc, known.Quiet(uid, s.db.Now())
		if err := s.readSenders(ctx, is, &own.Doc, notificationEvents, func(by model.UserID) bool {
			return blocks[by] != nil
		}); err != nil {
			return nil, err
		}
	}
	for by, found := range blocks {
		is.blocked[by] = slices.ContainsFunc(found, func(b *db.Found[struct{}]) bool { return b.Found })
	}
	if err := s.readSilenced(ctx, is, notificationEvents); err != nil {
		return nil, err
	}
	if moved, err := s.readDocuments(ctx, is); err != nil {
		return nil, err
	} else if moved {
		return s.readFor(ctx, notificationEvents)
	}
	for key, p := range is.previews {
		p.load(is.lists, key, s.zone, s.db.NotificationWindow)
	}
	return is, s.readActors(ctx, is)
}

// readSilenced reads which acting users are silenced, and not followed by the notified user.
//
// Cost: 1 read for each silenced user; that of Silenced for each user of another server.
func (s *Writer) readSilenced(ctx context.Context, is *state, all []model.NotificationEvent) error {
	if s.Silenced == nil {
		return nil
	}
	var l db.Lookup
	follows := map[model.UserID]*db.Found[struct{}]{}
	for i := range all {
		by := all[i].Payload.UserID
		if all[i].Withdrawn || !by.Remote() || follows[by] != nil {
			continue
		}
		silenced, err := s.Silenced(ctx, by)
		if err != nil {
			return err
		}
		if follows[by] = (&db.Found[struct{}]{Found: true}); silenced {
			follows[by] = db.Find[struct{}](&l, s.db.Relationship(is.uid, by))
		}
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	is.silenced = map[model.UserID]bool{}
	for by, follow := range follows {
		is.silenced[by] = !follow.Found
	}
	return nil
}

// abouts adds the tweets of pending replies, quotes and mentions to a lookup if the notified user has filters, and
// returns what sets them after the read. Other events have the text of their tweet.
//
// Cost: nothing; 1 read for each pending event of a user with filters that hide notifications.
func (s *Writer) abouts(l *db.Lookup, filters map[string]model.Filter, all []model.NotificationEvent) (set func()) {
	if !(&model.Filters{Filters: filters}).Matcher(s.db.Now()).Hides(model.FilterNotifications) {
		return func() {}
	}
	found := map[int]*db.Found[model.Tweet]{}
	for i := range all {
		if n := &all[i]; !n.Withdrawn && n.Type.CountsTweets() && n.About == nil {
			found[i] = db.Find[model.Tweet](l, s.db.Tweet(n.Payload.TweetID))
		}
	}
	return func() {
		for i, t := range found {
			if t.Found {
				all[i].About = new(t.Doc.FilterText())
			}
		}
	}
}

// young reports whether the AllowedAt of an event that is to be put on takes the place of a read. No event is young to
// a process that has not heard from the database yet.
func (s *Writer) young(n *model.NotificationEvent) bool {
	now := s.db.Server.Now()
	return !n.Withdrawn && !n.AllowedAt.IsZero() && !now.IsZero() && now.Sub(n.AllowedAt) < blockReconciles
}

// late reports whether a commit came so late after AllowedAt that the search of a block may have missed its events.
func (s *Writer) late(is *state, results []*firestore.WriteResult) bool {
	return !is.allowed.IsZero() && slices.ContainsFunc(results, func(r *firestore.WriteResult) bool {
		return s.db.Server.WrittenAt(r).Sub(is.allowed) >= blockReconciles
	})
}

// readDocuments reads the documents of notifications of version 0.1.0 that are to lose events and are in no list. The
// commit moves them into their lists: an import that came later would bring the events back. moved says that an import
// has moved one since the lists were read.
//
// Cost: 1 read for each notification that is in no list and loses an event, and what [notificationlists.Read] costs if
// one is nowhere. There is hardly such a notification once all are imported.
func (s *Writer) readDocuments(ctx context.Context, is *state) (moved bool, err error) {
	var l db.Lookup
	for _, key := range slices.Sorted(maps.Keys(is.previews)) {
		p := is.previews[key]
		_, listed := is.lists.Get(key)
		if !listed && slices.ContainsFunc(p.events, func(n *model.NotificationEvent) bool { return n.Withdrawn }) {
			p.document = db.Find[model.Notification](&l, s.db.Notification(is.uid, key))
		}
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return false, err
	}
	var nowhere []string
	for key, p := range is.previews {
		if p.document != nil && !s.db.Now().Before(p.document.Doc.ExpireAt) { // missing or expired
			p.document, nowhere = nil, append(nowhere, key)
		}
	}
	if len(nowhere) == 0 {
		return false, nil
	}
	lists, err := notificationlists.Read(ctx, s.db, is.uid, slices.Sorted(slices.Values(nowhere)), nil)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(nowhere, func(key string) bool { _, listed := lists.Get(key); return listed }), nil
}

// load sets the notification of a preview and the actors that it embeds.
func (c *preview) load(lists *notificationlists.Lists, key string, zone *time.Location, window time.Duration) {
	if c.Notification, c.found = lists.Get(key); c.found {
		before := c.Notification // a change replaces its records
		c.before = &before
	} else if c.document != nil {
		c.Notification, c.found = c.document.Doc, true
		c.ID, c.IsRead = key, c.IsRead || c.Empty()
		before := c.Notification
		c.before = &before
	} else {
		c.GroupKey, c.Term = c.events[0].GroupKey(), c.events[0].Term(zone)
	}
	if c.found && c.CreatedAt.IsZero() { // the notification is empty
		c.CreatedAt = c.ExpireAt.Add(-window)
	}
	for _, n := range c.events {
		embedded, found := c.Actors[string(n.Payload.UserID)]
		c.actors[n.Payload.UserID] = &actor{EmbeddedActor: embedded, found: found, was: embedded.NotificationEvents}
	}
}

// readActors reads the users of a change that are not in their notifications. A change of theirs also writes the list
// of the notification, so the commit finds out if they changed after the list was read.
//
// Cost: 1 read for each; none while all users are in their notifications.
func (s *Writer) readActors(ctx context.Context, is *state) error {
	var l db.Lookup
	found := map[*actor]*db.Found[model.Actor]{}
	for _, key := range slices.Sorted(maps.Keys(is.previews)) {
		c := is.previews[key]
		embedded := len(c.Actors)
		for _, uid := range slices.Sorted(maps.Keys(c.actors)) {
			switch {
			case c.actors[uid].found:
			case embedded < model.EmbeddedActors && (len(c.Actors) > 0 || !c.found):
				embedded++ // a new user, who gets a place if the event is put on
			default:
				a := db.Find[model.Actor](&l, s.db.Notification(is.uid, key).Collection(model.Actors).Doc(string(uid)))
				a.Doc.NotificationEvents = 1 // of a document from before notification events were counted
				found[c.actors[uid]] = a
			}
		}
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	for is, a := range found {
		if a.Found {
			is.EmbeddedActor, is.found, is.was = a.Doc.EmbeddedActor, true, a.Doc.NotificationEvents
		}
	}
	return nil
}
