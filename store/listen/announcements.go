package listen

import (
	"context"
	"maps"
	"time"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// announcements are what the administrators tell everybody, as the process last heard it.
type announcements struct {
	heard   bool // at least once: what shows then is nothing new
	all     map[model.AnnouncementID]model.Announcement
	showing map[model.AnnouncementID]time.Time // those that show, with the time of the last edit
	wait    context.CancelFunc                 // ends the wait until the next one begins or ends; nil without
}

// heardAnnouncements remembers the announcements, and tells everybody of those that changed.
func (h *Hub) heardAnnouncements(d *document) {
	a := &h.announced
	a.all = map[model.AnnouncementID]model.Announcement{}
	for id, value := range d.fields["announcements"].GetMapValue().GetFields() {
		f := value.GetMapValue().GetFields()
		is := model.Announcement{StartsAt: f["startsAt"].GetTimestampValue().AsTime(),
			UpdatedAt: f["updatedAt"].GetTimestampValue().AsTime()}
		if end := f["endsAt"].GetTimestampValue(); end != nil {
			is.EndsAt = end.AsTime()
		}
		a.all[model.AnnouncementID(id)] = is
	}
	h.announce()
}

// announce tells everybody of the announcements that show since it was last called, and of those that show no more. It
// is called again when the next one begins or ends. The caller holds the mutex.
func (h *Hub) announce() {
	a, now := &h.announced, h.now()
	showing, next := map[model.AnnouncementID]time.Time{}, time.Time{}
	for id, is := range a.all {
		if is.Current(now) {
			showing[id] = is.UpdatedAt
		}
		for _, at := range []time.Time{is.StartsAt, is.EndsAt} {
			if at.After(now) && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
	}
	what := model.Heard{Announced: map[model.AnnouncementID]time.Time{}}
	for id, at := range showing {
		if was, ok := a.showing[id]; !ok || !was.Equal(at) {
			what.Announced[id] = at
		}
	}
	for id := range a.showing {
		if _, ok := showing[id]; !ok {
			what.Unannounced = append(what.Unannounced, id)
		}
	}
	first := !a.heard
	a.heard, a.showing = true, showing
	if !first && len(what.Announced)+len(what.Unannounced) > 0 {
		for l := range h.listeners {
			own := what
			own.Announced = maps.Clone(what.Announced)
			l.hear(own)
		}
	}
	h.quiet()
	if next.IsZero() {
		return
	}
	var waits context.Context
	waits, a.wait = context.WithCancel(h.streams[0].begins)
	h.running.Go(func() error {
		select {
		case <-waits.Done():
			return nil
		case <-time.After(min(next.Sub(now), 24*time.Hour)):
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if waits.Err() != nil {
			return nil
		}
		return safely.Do(func() error { h.announce(); return nil })
	})
}

// quiet ends the wait for the next announcement.
func (h *Hub) quiet() {
	if h.announced.wait != nil {
		h.announced.wait()
	}
}
