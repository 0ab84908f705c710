// This file notifies users of actions of other users: follows, likes and replies. A notification event is one action
// that a user is notified of. The event log keeps every notification event. A notification is the document that the
// user sees. It collects the notification events of a group key and day.
//
// If a notification seldom gets a notification event, one commit puts the notification event into the log and onto the
// notification. A notification that gets more than one notification event a second is hot. Then its notification events
// are pending in the log, and a flush puts many of them onto the notification together.
//
// If the source document of a notification event is deleted, the notification event is withdrawn. It leaves its
// notification in the same two ways. It stays in the log, so nothing puts it on again.

package notifications

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/internal/contention"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Reader reads notification events and notifications, and marks notifications as read. Its methods may be called
// concurrently. Their errors are errors of package errs.
type Reader struct {
	db *db.DB
}

// Writer writes notification events into the event log and puts them onto notifications.
type Writer struct {
	*Reader
	// FlushTime is how long a flush goes on to the next notification; 4 s unless a caller sets another time before the
	// first use.
	FlushTime time.Duration

	contention *contention.Tracker
	after      time.Duration  // how long a flush waits for more notification events
	zone       *time.Location // of the days
	devices    *Devices       // get a message of a notification that changed
}

// NewWriter returns a writer of the notification events of a database, and its Reader. Notification events of a hot
// notification are collected for after. The zone decides the day of a notification event. Only packages below store
// have a [db.DB].
func NewWriter(d *db.DB, h *contention.Tracker, after time.Duration, zone *time.Location, devices *Devices) *Writer {
	return &Writer{Reader: &Reader{db: d}, contention: h, after: after, FlushTime: flushTime, zone: zone,
		devices: devices}
}

// Notify puts a notification event onto its notification and into the event log in one commit. If the notification is
// hot, Notify writes the notification event into the log as pending, and enqueues a flush. Notify does the same if
// another process writes the notification at this moment. A notification event counts once, however often Notify is
// called for it. It does not count if it was withdrawn before.
//
// Notify drops the notification event if one of the two users has blocked the other by now, or if the settings of the
// notified user refuse it. A dropped notification event goes into the log only. A block does not drop notification
// events of orders. A mention in a reply to the notified user counts only if the user's settings refuse replies. For
// all other users Notify writes nothing, because most replies begin with such a mention.
//
// Cost: 3 reads and 2 writes; 4 reads and 3 writes if the notification counts more than [model.EmbeddedActors] users. 3
// reads and 1 write for a notification event that is dropped. Up to 2 reads more if the user's graph is not whole.
func (s *Writer) Notify(ctx context.Context, n *model.NotificationEvent) (err error) {
	return s.NotifyAndCount(ctx, n, nil)
}

// NotifyAndCount is [Writer.Notify] for an event that is also counted. The commit that puts the notification event into
// the log has the writes of the effect, and a mark of the CloudEvent. So the event is counted once, also if its
// notification event is dropped or in the log already. A nil effect counts nothing.
//
// Cost: what Notify costs, and 1 write for each counted document. 2 writes more if the notification event is in the log
// without the mark.
func (s *Writer) NotifyAndCount(ctx context.Context, n *model.NotificationEvent, e *counters.Effect) (err error) {
	defer errs.Wrap(&err, "notifications.Notify(%q)", n.ID)
	if e != nil {
		if err := e.Prepare(ctx); err != nil {
			return err
		}
	}
	if n.BesideReply() {
		var choice model.NotificationChoice
		if _, err := s.db.Get(ctx, s.db.NotificationSettings(n.UserID), &choice); err != nil || !choice.Wants(n) {
			return err
		}
	}
	c := s.count(n, e)
	if s.contention.Shard(s.notification(n).Path) == contention.Cold {
		logged := []model.NotificationEvent{*n}
		logged[0].Pending = false
		c.mark(&logged[0])
		partition, _ := model.NotificationEventPartition(n.ID)
		done, err := s.change(ctx, logged, func(b *db.Batch) {
			b.Create(s.db.NotificationEvents(partition).Doc(n.ID), logged[0])
			c.add(b, nil, true)
		})
		if err != nil {
			return err
		}
		if done {
			return c.done(ctx)
		}
	}
	return s.log(ctx, n, c)
}

// notification names the notification of a notification event.
func (s *Writer) notification(n *model.NotificationEvent) *firestore.DocumentRef {
	return s.db.Notification(n.UserID, n.NotificationKey(s.zone))
}

// change puts notification events of one notification onto it, and takes withdrawn ones off. The same commit has the
// writes that more adds. change drops notification events between users of whom one has blocked the other, except
// events of orders. It also drops the notification events that the user's settings refuse. Before change calls more, it
// records the outcome in each notification event.
//
// The notification becomes unread, unless all that come are follows, likes or the like of users who were on it already.
// A like that is taken back and given again rings once a day. If every unread notification event is withdrawn, the
// notification is read again. A notification of which everything is withdrawn is empty, see [model.Notification].
//
// A block that is written between the reads and the commit of change fails no precondition. So [Writer.WithdrawBlocked]
// searches when the block is blockReconciles old, and change reads the blocks again if it took longer.
//
// After the commit the devices of the user get a message, if the change is worth one. If the process ends before that,
// there is no message.
//
// change returns false and writes nothing if a document changed since it was read, or if a notification event is in the
// log already.
//
// Cost: 1 read and 1 write; 2 reads for what refuses events, see readFor; 1 read and 1 write for each actor that has a
// document.
func (s *Writer) change(ctx context.Context, notificationEvents []model.NotificationEvent, more func(*db.Batch)) (bool,
	error) {
	begun := time.Now()
	ref := s.notification(&notificationEvents[0])
	is, err := s.readFor(ctx, ref, notificationEvents)
	if err != nil {
		return false, err
	}
	before := is.before()
	had, news := is.found && !is.Empty(), is.News
	touched := map[model.UserID]bool{}
	if err := s.takeOff(ctx, is, notificationEvents, touched); err != nil {
		return false, err
	}
	rings := false
	for i := range notificationEvents {
		n := &notificationEvents[i]
		actor := is.actors[n.Payload.UserID]
		if n.Withdrawn {
			continue
		}
		if n.Dropped = actor.blocked && n.Type.Blockable() || !is.choice.Wants(n); n.Dropped {
			n.Between = ""
			continue
		}
		if n.Type.CountsTweets() || n.Type == model.NotificationOrder || !is.found || !actor.found {
			rings, actor.Reading = true, is.Reading()
		}
		if n.Reading = actor.Reading; n.Reading == is.Reading() {
			is.News++
		}
		n.On = n.Place(s.zone)
		actor.found = true
		actor.NotificationEvents++
		is.Add(n)
		is.count(n, 1)
		touched[n.Payload.UserID] = true
	}
	for uid := range touched {
		is.CountUsers += is.actors[uid].came()
	}
	is.CountUsers = max(0, is.CountUsers)
	b := s.db.Batch()
	more(b)
	var embedded []firestore.Update
	for _, uid := range slices.Sorted(maps.Keys(touched)) {
		actor := is.actors[uid]
		if is.Embeds(uid, is.found) {
			is.embed(uid, actor.EmbeddedActor)
			embedded = append(embedded, firestore.Update{FieldPath: firestore.FieldPath{fields.Actors, string(uid)},
				Value: actor.EmbeddedActor})
			continue
		}
		b.Set(ref.Collection(model.Actors).Doc(string(uid)), model.Actor{ExpireAt: is.ExpireAt,
			EmbeddedActor: actor.EmbeddedActor})
	}
	if rings {
		is.Rings++
	}
	switch {
	case len(touched) == 0:
	case is.found:
		updates := append(Collected(&is.Notification), embedded...)
		switch {
		case is.Empty(): // Collected clears isRead
		case is.News > 0:
			is.IsRead = false
			updates = append(updates, firestore.Update{Path: fields.IsRead, Value: false})
		case news > 0 || !had:
			is.IsRead = true
			updates = append(updates, firestore.Update{Path: fields.IsRead, Value: true})
		}
		b.Update(ref, updates, firestore.LastUpdateTime(is.at))
	default:
		is.IsRead = false
		b.Create(ref, is.Notification)
	}
	_, err = b.Commit(ctx)
	if db.AlreadyExists(err) || db.NotFound(err) || db.Outdated(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if time.Since(begun) >= blockReconciles {
		err = s.blockedSince(ctx, notificationEvents)
	}
	if len(touched) > 0 {
		s.devices.notify(ctx, notificationEvents[0].UserID, ref.ID, before, &is.Notification)
	}
	return true, err
}

// takeOff takes the withdrawn notification events off, and records their users in touched. takeOff runs before new
// events are put on: new events would push records out, which would then fill the gaps of the withdrawn ones.
//
// Cost: that of fill, if a record leaves a full list, or if the user of the record has others there.
func (s *Writer) takeOff(ctx context.Context, is *preview, notificationEvents []model.NotificationEvent,
	touched map[model.UserID]bool) error {
	full, missing := len(is.Records) == model.NotificationRecords, false
	for i := range notificationEvents {
		n := &notificationEvents[i]
		if !n.Withdrawn {
			continue
		}
		n.On, n.Between = "", ""
		if !is.found {
			continue
		}
		actor := is.actors[n.Payload.UserID]
		if is.Remove(n) && (full || actor.NotificationEvents > 1 && !n.Type.CountsTweets()) {
			missing = true
		}
		if n.Reading == is.Reading() && is.News > 0 {
			is.News--
		}
		actor.NotificationEvents = max(0, actor.NotificationEvents-1)
		is.count(n, -1)
		touched[n.Payload.UserID] = true
	}
	if !missing {
		return nil
	}
	return s.fill(ctx, &is.Notification, notificationEvents)
}

// preview is a notification as it is read to be changed, with the users of the change.
type preview struct {
	model.Notification
	found  bool
	at     time.Time // of the last write
	choice model.NotificationChoice
	actors map[model.UserID]*actor
}

// before returns the notification as it is before the change; nil for a new one.
func (c *preview) before() *model.Notification {
	if !c.found {
		return nil
	}
	n := c.Notification // a change replaces its records
	return &n
}

// embed sets a user in the document of the notification. The map may be that of the notification before the change.
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
	found   bool // the notification counts the user, or did
	was     int64
	blocked bool // one of the actor and the notified user has blocked the other
}

// came is how much the actor changes the count of users.
func (a *actor) came() int64 { return min(a.NotificationEvents, 1) - min(a.was, 1) }

// count counts the tweet of a notification event that is put on or taken off.
func (c *preview) count(n *model.NotificationEvent, by int64) {
	if n.Type.CountsTweets() {
		c.CountTweets = max(0, c.CountTweets+by)
	}
}

// readFor reads the documents that a change of a notification needs. Blocks and settings matter only for events that
// are put on. The document of the notified user's graph has the settings, and whom the user blocks, in the commits of
// both. It learns late who blocks the user, so the blocks by the actors are read themselves.
//
// Cost: 1 read; for events that are put on 1 read, and 1 read an actor. If the user's graph is not whole, 1 read an
// actor more, and 1 read for settings that it lacks.
func (s *Writer) readFor(ctx context.Context, ref *firestore.DocumentRef,
	notificationEvents []model.NotificationEvent) (*preview, error) {
	first := &notificationEvents[0]
	var l db.Lookup
	is, choice := db.Find[model.Notification](&l, ref), &db.Found[model.NotificationChoice]{}
	is.Doc.GroupKey, is.Doc.Term = first.GroupKey(), first.Term(s.zone)
	comes := map[model.UserID]bool{}
	for i := range notificationEvents {
		uid := notificationEvents[i].Payload.UserID
		comes[uid] = comes[uid] || !notificationEvents[i].Withdrawn
	}
	var own *db.Found[model.ViewerGraph] // the notified user's settings and blocks; blocks by others come there too late
	blocks := map[model.UserID][]*db.Found[struct{}]{}
	for _, uid := range slices.Sorted(maps.Keys(comes)) {
		if comes[uid] {
			blocks[uid] = append(blocks[uid], db.Find[struct{}](&l, s.db.Block(uid, first.UserID)))
		}
	}
	if len(blocks) > 0 {
		own = db.Find[model.ViewerGraph](&l, s.db.Viewer(first.UserID))
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	if own != nil {
		l = db.Lookup{}
		if own.Doc.Choice != nil {
			choice.Doc = *own.Doc.Choice
		} else {
			choice = db.Find[model.NotificationChoice](&l, s.db.NotificationSettings(first.UserID))
		}
		for uid := range blocks {
			block := &db.Found[struct{}]{Found: own.Doc.Blocks[uid]}
			if !own.Doc.Whole {
				block = db.Find[struct{}](&l, s.db.Block(first.UserID, uid))
			}
			blocks[uid] = append(blocks[uid], block)
		}
		if err := s.db.Read(ctx, &l); err != nil {
			return nil, err
		}
	}
	c := &preview{Notification: is.Doc, found: is.Found, at: is.Snap.UpdateTime, choice: choice.Doc,
		actors: map[model.UserID]*actor{}}
	if c.found && c.CreatedAt.IsZero() { // the notification is empty
		c.CreatedAt = c.ExpireAt.Add(-model.NotificationWindow)
	}
	for uid := range comes {
		blocked := slices.ContainsFunc(blocks[uid], func(b *db.Found[struct{}]) bool { return b.Found })
		embedded, found := c.Actors[string(uid)]
		c.actors[uid] = &actor{EmbeddedActor: embedded, found: found, was: embedded.NotificationEvents, blocked: blocked}
	}
	return c, s.readActors(ctx, ref, c)
}

// readActors reads the users of a change that are not in the document of the notification. A change of theirs also
// writes the notification, so the commit finds out if they changed after the notification was read.
//
// Cost: 1 read for each; none while all users are in the document.
func (s *Writer) readActors(ctx context.Context, ref *firestore.DocumentRef, c *preview) error {
	var l db.Lookup
	actors := map[model.UserID]*db.Found[model.Actor]{}
	embedded := len(c.Actors)
	for _, uid := range slices.Sorted(maps.Keys(c.actors)) {
		switch {
		case c.actors[uid].found:
		case embedded < model.EmbeddedActors && (len(c.Actors) > 0 || !c.found):
			embedded++ // a new user, who gets a place if the event is put on
		default:
			actors[uid] = db.Find[model.Actor](&l, ref.Collection(model.Actors).Doc(string(uid)))
			actors[uid].Doc.NotificationEvents = 1 // of a document from before notification events were counted
		}
	}
	if len(actors) == 0 {
		return nil
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	for uid, a := range actors {
		if a.Found {
			is := c.actors[uid]
			is.EmbeddedActor, is.found, is.was = a.Doc.EmbeddedActor, true, a.Doc.NotificationEvents
		}
	}
	return nil
}

// fill adds the newest notification events to a notification that lost some of its records. Events of the change are
// left out: they leave the notification or are added later.
//
// Cost: 1 read for each notification event that it examines: [model.NotificationRecords] and the change's.
func (s *Writer) fill(ctx context.Context, n *model.Notification, change []model.NotificationEvent) error {
	first := &change[0]
	limit := model.NotificationRecords + len(change)
	q := s.db.NotificationEvents(model.NotificationEventPartitionOf(first.UserID)).
		Where(fields.On, "==", first.Place(s.zone)).
		OrderBy(fields.At, firestore.Desc).Limit(limit)
	for page := q; ; {
		snaps, err := page.Documents(ctx).GetAll()
		if err != nil {
			return err
		}
		for _, snap := range snaps {
			one := model.NotificationEvent{}
			if err := snap.DataTo(&one); err != nil {
				return err
			}
			one.ID = snap.Ref.ID
			if slices.ContainsFunc(change, func(of model.NotificationEvent) bool { return of.ID == one.ID }) {
				continue
			}
			n.Add(&one)
		}
		if len(snaps) < limit || len(n.Records) == model.NotificationRecords {
			return nil
		}
		page = q.StartAfter(snaps[len(snaps)-1])
	}
}

// Collected returns the updates of the collected fields of a notification, and of the number of its rings. isRead is
// not among them, except that an empty notification is neither read nor unread.
func Collected(n *model.Notification) []firestore.Update {
	if n.Empty() {
		n.Records, n.CountUsers, n.CountTweets, n.News = []model.Record{}, 0, 0, 0
	}
	updates := []firestore.Update{
		{Path: fields.Records, Value: n.Records}, {Path: fields.CountUsers, Value: n.CountUsers},
		{Path: fields.CountTweets, Value: n.CountTweets},
		{Path: fields.ExpireAt, Value: n.ExpireAt}, {Path: fields.News, Value: n.News}, {Path: fields.Rings, Value: n.Rings},
	}
	if n.Empty() {
		return append(updates, firestore.Update{Path: fields.CreatedAt, Value: firestore.Delete},
			firestore.Update{Path: fields.UpdatedAt, Value: firestore.Delete}, firestore.Update{Path: fields.IsRead,
				Value: firestore.Delete})
	}
	if len(n.Records) > 0 {
		n.UpdatedAt = n.Records[0].At
	}
	return append(updates, firestore.Update{Path: fields.CreatedAt, Value: n.CreatedAt},
		firestore.Update{Path: fields.UpdatedAt,
			Value: n.UpdatedAt})
}
