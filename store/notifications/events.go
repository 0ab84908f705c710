// This file notifies users of actions of other users: follows, likes and replies. A notification event is one action
// that a user is notified of. The event log keeps every notification event. A notification is what the user sees. It
// collects the notification events of a group key and day. The notifications of a user are in lists.
//
// If a user seldom gets a notification event, one commit puts the notification event into the log and onto its
// notification. A user who gets more than one notification event a second is hot. Then the events of a process share a
// commit. If there are too many, or other processes write the user's notifications too, events are pending in the log,
// and a flush puts many of them onto the user's notifications together.
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
	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/internal/contention"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
	"github.com/hibana-sns/hibana/store/internal/notificationlists"
)

// Reader reads notification events and notifications, and marks notifications as read. Its methods may be called
// concurrently. Their errors are errors of package errs.
type Reader struct {
	db *db.DB
}

// Writer writes notification events into the event log and puts them onto notifications.
type Writer struct {
	*Reader
	// FlushTime is how long a flush goes on to the next user; 4 s unless a caller sets another time before the first use.
	FlushTime time.Duration
	// Limits are the sizes of lists; the default ones unless a caller sets others before the first use.
	Limits notificationlists.Limits
	// Silenced reports whether a user of another server is silenced: such a user notifies only those who follow them. nil
	// for nobody.
	Silenced func(context.Context, model.UserID) (bool, error)

	contention *contention.Tracker
	crowds     groupcommit.Queue[model.UserID, together, outcome] // by the notified user, see changeTogether
	after      time.Duration                                      // how long a flush waits for more notification events
	zone       *time.Location                                     // of the days
	devices    *Devices                                           // get a message of a notification that changed
}

// NewWriter returns a writer of the notification events of a database, and its Reader. Notification events of a hot
// user are collected for after. The zone decides the day of a notification event. Only packages below store
// have a [db.DB].
func NewWriter(d *db.DB, h *contention.Tracker, after time.Duration, zone *time.Location, devices *Devices) *Writer {
	s := &Writer{Reader: &Reader{db: d}, contention: h, after: after, FlushTime: flushTime,
		Limits: notificationlists.DefaultLimits, zone: zone, devices: devices}
	s.crowds = groupcommit.NewCrowds(after, groupcommit.RunSize, s.changeTogether)
	return s
}

// Notify puts a notification event onto its notification and into the event log in one commit. If the notified user is
// hot, Notify shares a commit with others. If the user is busy, Notify writes the notification event into the log as
// pending, and enqueues a flush. Notify does the same if another process writes the user's notifications at this
// moment. A notification event counts once, however often Notify is called for it. It does not count if it was
// withdrawn before.
//
// Notify drops the notification event if one of the two users has blocked the other by now, or if the settings of the
// notified user refuse it, a mute or a filter that hides, or if the acting user is silenced and the notified one does
// not follow. A dropped notification event goes into the log only. A block does not drop notification events of
// orders. A mention in a reply to the notified user counts only if the user's settings refuse replies. For all other
// users Notify writes nothing, because most replies begin with such a mention. Nobody reads the notifications of a
// remote user here, so Notify writes none.
//
// Cost: 3 reads and 2 writes, or 1 read for a young source document with AllowedAt; 1 read and 1 write more if the
// notification counts more than [model.EmbeddedActors] users; 1 read and up to 1 write more if its day left the newest
// list. 3 reads and 1 write for a notification event that is dropped. Up to 3 reads more if the user's graph is not
// whole.
func (s *Writer) Notify(ctx context.Context, n *model.NotificationEvent) (err error) {
	return s.NotifyAndCount(ctx, n, nil)
}

// kept returns a notification event that expires when the operator chose.
func (s *Writer) kept(n *model.NotificationEvent) *model.NotificationEvent {
	is := *n
	is.ExpireAt = n.At.Add(s.db.NotificationWindow)
	return &is
}

// NotifyAndCount is [Writer.Notify] for an event that is also counted. The commit that puts the notification event into
// the log has the writes of the effect, and a mark of the CloudEvent. So the event is counted once, also if its
// notification event is dropped or in the log already. A nil effect counts nothing.
//
// Cost: what Notify costs, and 1 write for each counted document. 2 writes more if the notification event is in the log
// without the mark.
func (s *Writer) NotifyAndCount(ctx context.Context, n *model.NotificationEvent, e *counters.Effect) (err error) {
	defer errs.Wrap(&err, "notifications.Notify(%q)", n.ID)
	if n.UserID.Remote() && e == nil {
		return nil
	} else if n.UserID.Remote() {
		return e.Commit(ctx)
	}
	n = s.kept(n)
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
	c, hot, lost := s.count(n, e), s.hot(n), false
	if s.contention.Shard(hot) == contention.Cold {
		logged := []model.NotificationEvent{*n}
		logged[0].Pending = false
		c.mark(&logged[0])
		done, err := s.change(ctx, logged, func(b *db.Batch) {
			b.Create(s.logged(n.ID), logged[0])
			c.add(b, nil, true)
		})
		if err != nil {
			return err
		}
		if done {
			return c.done(ctx)
		}
		lost = true
	}
	if !s.contention.Busy(hot) {
		if is, err := s.crowds.Do(ctx, n.UserID, together{n: n, c: c, look: lost}); is.done || err != nil {
			return err
		}
		if err := gate.Return(ctx); err != nil {
			return err
		}
	}
	return s.log(ctx, n, c)
}

// hot is the name by which the contention tracker knows the notifications of a user. All are in one document, unless
// they are very many.
func (s *Writer) hot(n *model.NotificationEvent) string {
	return notificationlists.Of(s.db, n.UserID, model.NewestList).Path
}

// change puts notification events of one user onto their notifications, and takes withdrawn ones off. The same commit
// has the writes that more adds. change drops notification events between users of whom one has blocked the other,
// except events of orders. It also drops the notification events that the user's settings, mutes and filters refuse,
// and those of a day with full lists. Before change calls more, it records the outcome in each notification event.
//
// A notification becomes unread, unless all that come are follows, likes or the like of users who were on it already.
// A like that is taken back and given again rings once a day. If every unread notification event is withdrawn, the
// notification is read again. A notification of which everything is withdrawn is empty, see [model.Notification].
//
// A block that is written between the reads and the commit of change fails no precondition. So [Writer.WithdrawBlocked]
// searches when the block is blockReconciles old, and change reads the blocks again if it took longer.
//
// After the commit the devices of the user get a message, if a change is worth one. If the process ends before that,
// there is no message. There is none either about a notification that shows a user whom the owner blocked meanwhile.
//
// change returns false and writes nothing if a document changed since it was read, or if a notification event is in the
// log already.
//
// Cost: 1 read and 1 write; 1 read and up to 2 writes for each day that left the newest list; 2 reads for what refuses
// events, see readFor; 1 read and 1 write for each actor that has a document; what releaseStrangers costs.
func (s *Writer) change(ctx context.Context, notificationEvents []model.NotificationEvent, more func(*db.Batch)) (bool,
	error) {
	is, err := s.tryChange(ctx, notificationEvents, more)
	if db.Contended(is.refused) {
		return false, is.refused
	}
	return err == nil && is.refused == nil, err
}

// attempt is a commit that a change sent.
type attempt struct {
	refused error // the commit failed for a reason that others caused, see tryChange
	took    time.Duration
}

// tryChange is change. It also says why the commit was refused: [db.Outdated], [db.AlreadyExists], [db.NotFound] or
// [db.Contended].
func (s *Writer) tryChange(ctx context.Context, notificationEvents []model.NotificationEvent,
	more func(*db.Batch)) (attempt, error) {
	begun := time.Now()
	is, err := s.readFor(ctx, notificationEvents)
	if err != nil {
		return attempt{}, err
	}
	keys := slices.Sorted(maps.Keys(is.previews))
	for _, key := range keys {
		if err := s.collect(ctx, is, is.previews[key]); err != nil {
			return attempt{}, err
		}
	}
	b := s.db.Batch()
	more(b)
	for _, key := range keys {
		s.write(b, is, is.previews[key])
	}
	is.lists.Write(b, s.db.Time())
	s.writeRequests(b, is)
	sent := time.Now()
	results, err := b.Commit(ctx)
	sends := attempt{took: time.Since(sent)}
	if db.AlreadyExists(err) || db.NotFound(err) || db.Outdated(err) || db.Contended(err) {
		sends.refused = err
		return sends, nil
	}
	if err != nil {
		return sends, err
	}
	if is.filtered {
		if err := s.releaseStrangers(ctx, is); err != nil {
			return sends, err
		}
	}
	var off map[string]bool // the notification events that are withdrawn at once
	if time.Since(begun) >= blockReconciles || s.late(is, results) {
		if off, err = s.blockedSince(ctx, notificationEvents); err != nil {
			return sends, err
		}
	}
	var written []change
	for _, key := range keys {
		p := is.previews[key]
		if len(p.touched) > 0 && !slices.ContainsFunc(p.events, func(n *model.NotificationEvent) bool { return off[n.ID] }) {
			written = append(written, change{key, p.before, &p.Notification})
		}
	}
	s.devices.notify(ctx, is.uid, written)
	return sends, nil
}

// collect puts the notification events of a change onto their notification, and takes withdrawn ones off.
//
// Cost: that of takeOff.
func (s *Writer) collect(ctx context.Context, is *state, p *preview) error {
	had, news := p.found && !p.Empty(), p.News
	if err := s.takeOff(ctx, p); err != nil {
		return err
	}
	full := is.lists.Full(p.ID)
	rings := false
	for _, n := range p.events {
		actor := p.actors[n.Payload.UserID]
		if n.Withdrawn {
			continue
		}
		if n.Dropped = is.blocked[n.Payload.UserID] && n.Type.Blockable() || !is.choice.Wants(n) ||
			is.quiet.Silences(n) || is.silenced[n.Payload.UserID] && n.Type.Filterable() || full; n.Dropped {
			n.Between = ""
			continue
		}
		if is.filter(n) {
			continue
		}
		if n.Type.CountsTweets() || n.Type == model.NotificationOrder || !p.found || !actor.found {
			rings, actor.Reading = true, p.Reading()
		}
		if n.Reading = actor.Reading; n.Reading == p.Reading() {
			p.News++
		}
		n.On = n.Place(s.zone)
		actor.found = true
		actor.NotificationEvents++
		p.Add(n)
		p.count(n, 1)
		p.touched[n.Payload.UserID] = true
	}
	for uid := range p.touched {
		p.CountUsers += p.actors[uid].came()
	}
	p.CountUsers = max(0, p.CountUsers)
	if rings {
		p.Rings++
	}
	switch p.Collect(); {
	case p.Empty():
	case p.News > 0 || !p.found:
		p.IsRead = false
	case news > 0 || !had:
		p.IsRead = true
	}
	return nil
}

// write adds a notification that changed, and its actors, to a batch.
func (s *Writer) write(b *db.Batch, is *state, p *preview) {
	for _, uid := range slices.Sorted(maps.Keys(p.touched)) {
		actor := p.actors[uid]
		if p.Embeds(uid, p.found) {
			p.embed(uid, actor.EmbeddedActor)
			continue
		}
		b.Set(s.db.Notification(is.uid, p.ID).Collection(model.Actors).Doc(string(uid)),
			model.Actor{ExpireAt: p.ExpireAt, EmbeddedActor: actor.EmbeddedActor})
	}
	if len(p.touched) == 0 {
		return
	}
	is.lists.Put(p.ID, &p.Notification)
	if p.document != nil {
		b.Delete(s.db.Notification(is.uid, p.ID), firestore.LastUpdateTime(p.document.Snap.UpdateTime))
	}
}

// takeOff takes the withdrawn notification events off, and records their users as touched. takeOff runs before new
// events are put on: new events would push records out, which would then fill the gaps of the withdrawn ones.
//
// Cost: that of fill, if a record leaves a full list, or if the user of the record has others there; nothing if the
// notification counts no more than the records that are left.
func (s *Writer) takeOff(ctx context.Context, p *preview) error {
	full, missing := len(p.Records) == model.NotificationRecords, false
	for _, n := range p.events {
		if !n.Withdrawn {
			continue
		}
		n.On, n.Between = "", ""
		if !p.found {
			continue
		}
		actor := p.actors[n.Payload.UserID]
		if p.Remove(n) && (full || actor.NotificationEvents > 1 && !n.Type.CountsTweets()) {
			missing = true
		}
		if n.Reading == p.Reading() && p.News > 0 {
			p.News--
		}
		actor.NotificationEvents = max(0, actor.NotificationEvents-1)
		p.count(n, -1)
		p.touched[n.Payload.UserID] = true
	}
	if !missing || p.complete() {
		return nil
	}
	return s.fill(ctx, &p.Notification, p.events)
}

// complete reports whether the notification has a record for each user or tweet that it counts, after it lost some.
func (c *preview) complete() bool {
	if c.events[0].Type.CountsTweets() {
		return c.CountTweets <= int64(len(c.Records))
	}
	users := c.CountUsers
	for uid := range c.touched {
		users += c.actors[uid].came()
	}
	return users <= int64(len(c.Records))
}

// fill adds the newest notification events to a notification that lost some of its records. Events of the change are
// left out: they leave the notification or are added later.
//
// Cost: 1 read for each notification event that it examines: [model.NotificationRecords] and the change's.
func (s *Writer) fill(ctx context.Context, n *model.Notification, change []*model.NotificationEvent) error {
	first := change[0]
	limit := model.NotificationRecords + len(change)
	q := s.db.NotificationEvents(model.NotificationEventPartitionOf(first.UserID)).
		Where(fields.On, "==", first.Place(s.zone)).
		OrderBy(fields.At, firestore.Desc).Limit(limit)
	for page := q; ; {
		snaps, err := s.db.All(ctx, page)
		if err != nil {
			return err
		}
		for _, snap := range snaps {
			one := model.NotificationEvent{}
			if err := snap.DataTo(&one); err != nil {
				return err
			}
			one.ID = snap.Ref.ID
			if slices.ContainsFunc(change, func(of *model.NotificationEvent) bool { return of.ID == one.ID }) {
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
