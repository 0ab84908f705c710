package mastodon

import (
	"net/http"
	"net/url"
	"slices"
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
	const note = "the marker of notifications follows from which are read, and its version is 0; that of home moves to " +
		"newer posts only"
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

// readUpTo is the marker of notifications: the newest that is read and has none that is unread before it. Nothing is
// known beyond the newest 100 groups.
func (c *call) readUpTo() (m Marker, err error) {
	m = Marker{LastReadID: nothingRead, UpdatedAt: stamp(time.Unix(0, 0))}
	var groups []*nativeNotification
	err = c.readNotifications(url.Values{}, func(n *nativeNotification) bool {
		groups = append(groups, n)
		return len(groups) < model.MaxPageSize
	})
	all := everything(true)
	for _, n := range slices.Backward(groups) { // the oldest first
		found := n.happenings(all)
		if len(found) == 0 {
			continue
		}
		if !n.IsRead {
			break
		}
		if m.LastReadID < found[0].id {
			m = Marker{LastReadID: found[0].id, UpdatedAt: stamp(found[0].at)}
		}
	}
	return m, err
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
