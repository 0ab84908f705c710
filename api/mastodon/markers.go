package mastodon

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Marker is the entity of a place that the caller has reached in a timeline.
type Marker struct {
	LastReadID string `json:"last_read_id"`
	Version    int64  `json:"version"`
	UpdatedAt  stamp  `json:"updated_at"`
}

const markersPath = "/v1/users/me/markers"

type nativeMarkers struct {
	Home *struct {
		LastReadID model.TweetID `json:"lastReadId"`
		Version    int64         `json:"version"`
		UpdatedAt  time.Time     `json:"updatedAt"`
	} `json:"home"`
}

func markerMethods() []Method {
	const note = "markers move forward only; that of notifications also moves by what is read elsewhere, and its " +
		"version is 0"
	return []Method{
		get("/api/v1/markers", "read read:statuses", func(c *call) (any, error) {
			return c.markers(c.params.texts("timeline"))
		}).note(note),
		post("/api/v1/markers", "write write:statuses", moveMarkers).note(note),
	}
}

// markers reads the markers of timelines.
//
// Cost: 1 read each, and those of days that left the newest list of notifications.
func (c *call) markers(of []string) (map[string]Marker, error) {
	all := map[string]Marker{}
	if slices.Contains(of, "home") {
		var m nativeMarkers
		if err := c.get(markersPath, nil, &m); err != nil {
			return nil, err
		}
		m.put(all)
	}
	if slices.Contains(of, "notifications") {
		m, err := c.readUpTo()
		if err != nil {
			return nil, err
		}
		all["notifications"] = m
	}
	return all, nil
}

func (m *nativeMarkers) put(to map[string]Marker) {
	if h := m.Home; h != nil {
		to["home"] = Marker{statusID(h.LastReadID), h.Version, stamp(h.UpdatedAt)}
	}
}

// nothingRead is the place before all notifications. Mastodon has no marker then, on which Elk fails.
const nothingRead = "0"

// readUpTo is the marker of notifications: the id of what happened last of what the caller has read. If that is not
// among the newest 100 groups, or is gone, it is an id of its time.
func (c *call) readUpTo() (Marker, error) {
	m := Marker{LastReadID: nothingRead, UpdatedAt: stamp(time.Unix(0, 0))}
	query := url.Values{"brief": {"true"}, "pageSize": {strconv.Itoa(model.MaxPageSize)}}
	var groups page[nativeNotification]
	header, err := c.answer(http.MethodGet, "/v1/notifications?"+query.Encode(), nil, nil, &groups)
	if err != nil {
		return m, err
	}
	at, err := time.Parse(time.RFC3339Nano, header.Get("Hibana-Read-Until"))
	if err != nil {
		return m, nil // nothing is read
	}
	m = Marker{LastReadID: place{at: at, day: lastDay(at)}.id(), UpdatedAt: stamp(at)}
	all := everything(false)
	for _, n := range groups.Items {
		for _, h := range n.happenings(all) {
			if h.at.Equal(at) {
				m.LastReadID = max(m.LastReadID, h.id)
			}
		}
	}
	return m, nil
}

// moveMarkers moves the markers of home and notifications.
func moveMarkers(c *call) (any, error) {
	all := map[string]Marker{}
	if id := c.params.object("home").text("last_read_id"); id != "" {
		at, _, err := splitID(id)
		if err != nil {
			return nil, invalid("home[last_read_id] is no id of a status")
		}
		var m nativeMarkers
		err = c.send(http.MethodPatch, markersPath, map[string]any{"home": map[string]any{"lastReadId": at}}, &m)
		if err != nil {
			return nil, err
		}
		m.put(all)
	}
	if id := c.params.object("notifications").text("last_read_id"); id != "" {
		at, ok := momentOf(id)
		if !ok {
			return nil, invalid("notifications[last_read_id] is no id of a notification")
		}
		if err := c.readAll(at); err != nil {
			return nil, err
		}
		all["notifications"] = Marker{LastReadID: id, UpdatedAt: stamp(time.Now())}
	}
	if len(all) == 0 && !c.params.has("home") && !c.params.has("notifications") {
		return nil, invalid("home[last_read_id] or notifications[last_read_id] is missing")
	}
	return all, nil
}
