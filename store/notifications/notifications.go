package notifications

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/notificationlists"
)

// listsAPage is how many lists of days a page reads at most, but all lists of one day.
const listsAPage = 3

// Notifications lists a user's notifications, the last changed first, and says up to which time the user has read. If
// read is not nil, the list has only read or only unread notifications. The list leaves out expired notifications, and
// those of which everything was withdrawn. A page may be shorter than limit though it is not the last, because it reads
// few documents.
//
// Cost: 1 read; up to 4 reads on days that left the newest list. A day of more than 256 KB has 4 lists, or 16, and
// there a page costs 1 read more than the lists.
func (s *Reader) Notifications(ctx context.Context, uid model.UserID, read *bool, from model.Cursor,
	limit int) (_ model.Page[model.Notification], readUntil time.Time, err error) {
	defer errs.Wrap(&err, "notifications.Notifications(%q)", uid)
	for {
		lists, err := notificationlists.Read(ctx, s.db, uid, nil, nil)
		if err != nil {
			return model.Page[model.Notification]{}, readUntil, err
		}
		p := pager{lists: lists, read: read, from: from, limit: limit, now: s.db.Now()}
		same, err := p.run(ctx, s)
		if err != nil {
			return model.Page[model.Notification]{}, readUntil, err
		}
		if same {
			return p.page, readUpTo(&lists.Newest.Doc, p.now), nil
		}
	}
}

// pager makes a page of notifications. Notifications of a later day come first: no event changes them on another day.
type pager struct {
	lists *notificationlists.Lists
	read  *bool
	from  model.Cursor
	limit int
	now   time.Time
	page  model.Page[model.Notification]
}

// run makes the page. It returns false if a day got more lists after the newest list was read.
func (p *pager) run(ctx context.Context, s *Reader) (same bool, err error) {
	newest := &p.lists.Newest.Doc
	days := map[string][]model.Notification{}
	for _, n := range notificationlists.In(newest) {
		day := model.NotificationDay(n.ID)
		days[day] = append(days[day], n)
	}
	for day, listed := range newest.Days {
		if p.read == nil || *p.read || listed.Unread > 0 {
			days[day] = nil
		}
	}
	reads := 0
	for _, day := range slices.Backward(slices.Sorted(maps.Keys(days))) {
		if p.from.ID != "" && day > model.NotificationDay(p.from.ID) || gone(newest, day, p.now) {
			continue
		}
		all := days[day]
		if parts := newest.Days[day].Parts; parts > 0 {
			switch {
			case len(p.page.Items) == p.limit:
				p.page.Next = after(&p.page.Items[p.limit-1])
				return true, nil
			case reads > 0 && reads+parts > listsAPage:
				p.page.Next = model.Cursor{ID: day}
				return true, nil
			}
			reads += parts
			if all, same, err = p.lists.Day(ctx, s.db, day); err != nil || !same {
				return false, err
			}
		}
		if p.add(all) {
			return true, nil
		}
	}
	return true, nil
}

// add adds notifications of a day. It returns true if the page is full and others follow.
func (p *pager) add(all []model.Notification) (full bool) {
	slices.SortFunc(all, func(a, b model.Notification) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID))
	})
	for _, n := range all {
		if !p.now.Before(n.ExpireAt) || n.Empty() || p.read != nil && n.IsRead != *p.read || !p.follows(&n) {
			continue
		}
		if len(p.page.Items) == p.limit {
			p.page.Next = after(&p.page.Items[p.limit-1])
			return true
		}
		p.page.Items = append(p.page.Items, n)
	}
	return false
}

// after is the cursor after a notification. A cursor that has only a day stands before the day's notifications.
func after(n *model.Notification) model.Cursor { return model.Cursor{At: n.UpdatedAt, ID: n.ID} }

// follows reports whether a notification comes after the cursor.
func (p *pager) follows(n *model.Notification) bool {
	day := model.NotificationDay(n.ID)
	if p.from.ID == "" || p.from.ID == day || day < model.NotificationDay(p.from.ID) {
		return true
	}
	return cmp.Or(n.UpdatedAt.Compare(p.from.At), cmp.Compare(n.ID, p.from.ID)) < 0
}

// gone reports whether all notifications of a day that left the newest list have expired.
func gone(newest *model.NotificationList, day string, now time.Time) bool {
	listed, ok := newest.Days[day]
	_, end := listed.Span(day)
	return ok && now.After(end)
}

// Unread counts the notifications that a user has not read and that have not expired.
//
// Cost: 1 read; 1 read for each list of a day that left the newest list, has unread notifications and is about to
// expire.
func (s *Reader) Unread(ctx context.Context, uid model.UserID) (_ int64, err error) {
	defer errs.Wrap(&err, "notifications.Unread(%q)", uid)
	for {
		lists, err := notificationlists.Read(ctx, s.db, uid, nil, nil)
		if err != nil {
			return 0, err
		}
		now, all, n, same := s.db.Now(), notificationlists.In(&lists.Newest.Doc), int64(0), true
		for day, listed := range lists.Newest.Doc.Days {
			switch goes, end := listed.Span(day); {
			case now.After(end) || listed.Unread <= 0 || !same:
			case now.After(goes):
				var some []model.Notification
				if some, same, err = lists.Day(ctx, s.db, day); err != nil {
					return 0, err
				}
				all = append(all, some...)
			default:
				n += listed.Unread
			}
		}
		for _, one := range all {
			if one.Unread() && now.Before(one.ExpireAt) {
				n++
			}
		}
		if same {
			return n, nil
		}
	}
}

// MarkRead marks a notification as read. An unknown notification is errs.NotFound.
//
// Cost: 1 read and 1 write; 1 read and up to 1 write more if its day left the newest list. No write for a notification
// that is read.
func (s *Reader) MarkRead(ctx context.Context, uid model.UserID, id string) (err error) {
	defer errs.Wrap(&err, "notifications.MarkRead(%q, %q)", uid, id)
	first := int64(-1)
	return s.db.Update(ctx, func(ctx context.Context) error {
		lists, err := notificationlists.Read(ctx, s.db, uid, []string{id}, nil)
		if err != nil {
			return err
		}
		n, ok := lists.Get(id)
		if !ok {
			return errs.New(errs.NotFound, "notification_not_found", "there is no notification %q", id)
		}
		if first < 0 {
			first = n.Reads
		}
		if !n.Unread() || n.Reads > first { // an earlier attempt may have marked it
			return nil
		}
		n.Read()
		lists.Put(id, &n)
		lists.ReadUntil(withoutUnread(&lists.Newest.Doc, s.db.Now(), n))
		return lists.Commit(ctx, s.db)
	})
}

// markStep is how many lists of days one call of MarkAllRead marks.
const markStep = 4

// MarkAllRead marks the unread notifications of a user as read: those of the newest list, and of up to markStep lists
// of days. It returns whether there may be more. A notification that gets a notification event meanwhile stays unread,
// and so does one that changed after until, unless until is zero.
//
// What is not after until is read from then on for [Reader.Notifications], also if a notification has later events.
//
// Cost: 1 read and 1 write. If days with unread notifications left the newest list, 1 read for each list of up to 4 of
// them, and up to 4 writes.
func (s *Reader) MarkAllRead(ctx context.Context, uid model.UserID, until time.Time) (more bool, err error) {
	defer errs.Wrap(&err, "notifications.MarkAllRead(%q)", uid)
	var first map[string]model.Notification // as they were when the user asked
	var last time.Time                      // of what the user asked for
	err = s.db.Update(ctx, func(ctx context.Context) error {
		lists, unread, rest, err := s.unread(ctx, uid)
		if err != nil {
			return err
		}
		now := s.db.Now()
		if more = rest; first == nil {
			first, last = unread, readable(&lists.Newest.Doc, unread, until, now)
		}
		lists.ReadUntil(later(last, readUpTo(&lists.Newest.Doc, now)))
		for id, n := range unread {
			if !until.IsZero() && n.UpdatedAt.After(until) {
				continue
			}
			was, ok := first[id]
			if ok && was.News == n.News && was.Reads == n.Reads && was.UpdatedAt.Equal(n.UpdatedAt) {
				n.Read()
				lists.Put(id, &n)
			}
		}
		return lists.Commit(ctx, s.db)
	})
	return more, err
}

// unread reads the unread notifications of the newest list and of up to markStep lists of days, by id. It returns
// whether there may be more.
func (s *Reader) unread(ctx context.Context, uid model.UserID) (lists *notificationlists.Lists,
	unread map[string]model.Notification, more bool, err error) {
	for {
		if lists, err = notificationlists.Read(ctx, s.db, uid, nil, nil); err != nil {
			return nil, nil, false, err
		}
		unread, more = map[string]model.Notification{}, false
		same, places := true, map[string]bool{}
		add := func(all []model.Notification) {
			for _, n := range all {
				if !n.Unread() {
					continue
				}
				place := lists.Place(n.ID)
				if place != model.NewestList && !places[place] && len(places) == markStep {
					more = true
					continue
				}
				if place != model.NewestList {
					places[place] = true
				}
				unread[n.ID] = n
			}
		}
		newest := &lists.Newest.Doc
		add(notificationlists.In(newest))
		for _, day := range slices.Backward(slices.Sorted(maps.Keys(newest.Days))) {
			if newest.Days[day].Unread <= 0 || gone(newest, day, s.db.Now()) {
				continue
			}
			if len(places) == markStep {
				more = true
				break
			}
			var all []model.Notification
			if all, same, err = lists.Day(ctx, s.db, day); err != nil {
				return nil, nil, false, err
			}
			if !same {
				break
			}
			add(all)
		}
		if same {
			return lists, unread, more, nil
		}
	}
}
