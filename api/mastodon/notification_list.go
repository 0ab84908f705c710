package mastodon

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// nativeNotification is a group of one kind, one post and one day.
type nativeNotification struct {
	ID          string         `json:"id"`
	Slot        string         `json:"slot"`
	Term        string         `json:"term"`
	Records     []nativeRecord `json:"records"`
	CountUsers  int64          `json:"countUsers"`
	CountTweets int64          `json:"countTweets"`
	IsRead      bool           `json:"isRead"`
	UpdatedAt   time.Time      `json:"updatedAt"`
}

type nativeRecord struct {
	At      time.Time     `json:"at"`
	UserID  model.UserID  `json:"userId"`
	TweetID model.TweetID `json:"tweetId"`
}

const (
	// sampleAccounts is how many accounts a group names, as many as the native list shows.
	sampleAccounts = model.NotificationActors
	// mostNotificationPages is the number of native pages of 100 groups that one request reads, where its types are rare,
	// or where a day has many.
	mostNotificationPages = 10
)

// happening is a notification, or several of a group.
type happening struct {
	id      string
	kind    string
	place   place
	at      time.Time // of the newest
	records []nativeRecord
	count   int64
	tweet   model.TweetID // empty for a follow
	group   bool
}

// sample are the newest records of different users.
func (h *happening) sample() []nativeRecord { return h.records[:min(len(h.records), sampleAccounts)] }

// groupKey is the name of a group.
func (h *happening) groupKey() string {
	if !h.group {
		return ungrouped + h.id
	}
	return h.kind + "-" + h.place.target() + "-" + h.place.digits()
}

const ungrouped = "ungrouped-"

// place is where a notification is in the native list. Ids have all of it, see [model.AppNotificationID].
type place struct {
	at    time.Time // zero for a group
	kind  int       // in [model.AppKinds]
	tweet string    // 18 digits, or empty
	day   string    // as 2026-11-20
}

var (
	placeID  = regexp.MustCompile(`^([0-9a-f]{14})([0-9a-f])([0-9a-f]{18})([0-9]{8})$`)
	groupKey = regexp.MustCompile(`^([a-z_]{1,20})-([0-9a-f]{18})-([0-9]{8})$`)
)

func (p place) digits() string { return strings.ReplaceAll(p.day, "-", "") }

func (p place) target() string {
	if p.tweet == "" {
		return model.NoTarget
	}
	return p.tweet
}

// id is the id of the notification there.
func (p place) id() string { return model.AppNotificationID(p.at, p.kind, p.tweet, p.day) }

// native is the id of the native group.
func (p place) native() string {
	slot := string(model.AppKinds[p.kind].Kind)
	if p.tweet != "" {
		slot += ":" + p.tweet
	}
	return slot + "_" + p.day
}

func parsePlace(id string) (place, bool) {
	parts := placeID.FindStringSubmatch(id)
	if parts == nil {
		return place{}, false
	}
	micros, err := strconv.ParseInt(parts[1], 16, 64)
	if err != nil {
		return place{}, false
	}
	kind, err := strconv.ParseInt(parts[2], 16, 8)
	if err != nil {
		return place{}, false
	}
	p, ok := newPlace(int(kind), parts[3], parts[4])
	p.at = time.UnixMicro(micros).UTC()
	return p, ok
}

// micros is the form of an id that groups have, because some clients need a number there: the time in microseconds.
var micros = regexp.MustCompile(`^[1-9][0-9]{14,15}$`)

// momentOf is the time of an id of either form.
func momentOf(id string) (time.Time, bool) {
	if p, ok := parsePlace(id); ok {
		return p.at, true
	}
	n, err := strconv.ParseInt(id, 10, 64)
	return time.UnixMicro(n).UTC(), err == nil && micros.MatchString(id)
}

// boundary is an id as the end of a list: that of the first place at its time, and so much later, for a number.
func boundary(id string, later time.Duration) string {
	at, ok := momentOf(id)
	if !ok || !micros.MatchString(id) {
		return id
	}
	at = at.Add(later)
	return place{at: at, day: date(at.Add(-behindUTC))}.id()
}

// The time zone of the days of notifications is not known here.
const (
	aheadOfUTC = 14 * time.Hour // at most
	behindUTC  = 12 * time.Hour // at most
)

// lastDay is the latest day that a time has anywhere.
func lastDay(at time.Time) string { return date(at.Add(aheadOfUTC)) }

// firstDay is the day with which a list of what is below an id begins; empty if it is none.
func firstDay(id string) string {
	if at, ok := momentOf(id); ok && micros.MatchString(id) {
		return lastDay(at)
	}
	p, _ := parsePlace(id)
	return p.day
}

func newPlace(kind int, target, digits string) (place, bool) {
	day, err := time.Parse("20060102", digits)
	if err != nil || kind >= len(model.AppKinds) {
		return place{}, false
	}
	p := place{kind: kind, tweet: target, day: day.Format(time.DateOnly)}
	if target == model.NoTarget {
		p.tweet = ""
	}
	return p, true
}

// parseGroupKey returns the place of a group.
func parseGroupKey(key string) (place, bool) {
	if id, ok := strings.CutPrefix(key, ungrouped); ok {
		return parsePlace(id)
	}
	parts := groupKey.FindStringSubmatch(key)
	if parts == nil {
		return place{}, false
	}
	kind := slices.IndexFunc(model.AppKinds, func(k model.AppKind) bool { return k.Groups && k.Type == parts[1] })
	if kind < 0 {
		return place{}, false
	}
	return newPlace(kind, parts[2], parts[3])
}

func noNotification() error {
	return errs.New(errs.NotFound, "notification_not_found", "there is no such notification")
}

// wanted is which notifications a client asks for.
type wanted struct {
	types   []string // allowed
	grouped []string // types whose notifications are in groups
	by      model.UserID
	limit   int

	below, above string // ids
	day          string // with which the list begins, if below is not empty
	next         bool   // those that follow on above
}

// wanted reads the parameters of a list of notifications.
func (c *call) wanted(usual, most int) wanted {
	w := wanted{by: model.UserID(c.params.text("account_id")), limit: c.limit(usual, most),
		below: boundary(c.params.text("max_id"), 0), day: firstDay(c.params.text("max_id")),
		above: c.params.text("since_id")}
	if c.params.has("min_id") {
		w.above, w.next = c.params.text("min_id"), true
	}
	w.above = boundary(w.above, time.Microsecond)
	types, without, grouped := c.params.texts("types"), c.params.texts("exclude_types"), c.params.texts("grouped_types")
	for _, k := range model.AppKinds {
		if (len(types) == 0 || slices.Contains(types, k.Type)) && !slices.Contains(without, k.Type) {
			w.types = append(w.types, k.Type)
		}
		if k.Groups && (!c.params.has("grouped_types") || slices.Contains(grouped, k.Type)) {
			w.grouped = append(w.grouped, k.Type)
		}
	}
	if _, ok := parsePlace(w.above); !ok {
		w.above = "" // before all
	}
	return w
}

// happenings returns what a client wants of a native group, newest first.
func (n *nativeNotification) happenings(w wanted) (all []happening) {
	kind, target := model.AppKindOf(n.Slot)
	if kind < 0 || !slices.Contains(w.types, model.AppKinds[kind].Type) || len(n.Records) == 0 {
		return nil
	}
	k := model.AppKinds[kind]
	add := func(records []nativeRecord, count int64, group bool) {
		first := records[0]
		if w.by != "" && !slices.ContainsFunc(records, func(r nativeRecord) bool { return r.UserID == w.by }) {
			return
		}
		at := place{first.At, kind, target, n.Term}
		h := happening{id: at.id(), kind: k.Type, place: at, at: first.At, records: records, count: count, group: group,
			tweet: first.TweetID}
		if h.tweet == "" {
			h.tweet = model.TweetID(target)
		}
		all = append(all, h)
	}
	if k.Groups && slices.Contains(w.grouped, k.Type) {
		add(n.Records, n.CountUsers, true)
		return all
	}
	for i := range n.Records {
		add(n.Records[i:i+1], 1, false)
	}
	return all
}

// readNotifications reads native groups, later days first, until each returns false.
//
// Cost: 1 read for each 100 groups, and that of days that left the newest list.
func (c *call) readNotifications(query url.Values, each func(*nativeNotification) bool) error {
	query.Set("brief", "true")
	query.Set("pageSize", strconv.Itoa(model.MaxPageSize))
	for range mostNotificationPages {
		var found page[nativeNotification]
		if err := c.get("/v1/notifications", query, &found); err != nil {
			return err
		}
		for i := range found.Items {
			if !each(&found.Items[i]) {
				return nil
			}
		}
		if found.NextPageToken == "" {
			return nil
		}
		query.Set("pageToken", found.NextPageToken)
	}
	return nil
}

// happenings lists what happened, newest first, and links the pages. Days are whole before their notifications are in
// order: the native list has groups in the order of their newest.
func (c *call) happenings(w wanted) ([]happening, error) {
	query := url.Values{}
	if w.below != "" {
		if _, ok := parsePlace(w.below); !ok {
			return nil, nil
		}
		query.Set("day", w.day)
	}
	if len(w.types) == 0 {
		return nil, nil
	}
	var all, ofDay []happening
	var day, last string
	more := false
	whole := func() {
		slices.SortFunc(ofDay, func(a, b happening) int { return strings.Compare(b.id, a.id) })
		all, ofDay = append(all, ofDay...), nil
	}
	n := 0
	err := c.readNotifications(query, func(found *nativeNotification) bool {
		if n++; found.Term != day {
			whole()
			if day = found.Term; len(all) > w.limit && !w.next || last != "" && w.above != "" && last <= w.above {
				more = true
				return false
			}
		}
		at := place{at: found.UpdatedAt, day: found.Term}.id()
		if last == "" || at < last {
			last = at
		}
		for _, h := range found.happenings(w) {
			if (w.below == "" || h.id < w.below) && h.id > w.above {
				ofDay = append(ofDay, h)
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	whole()
	if n == mostNotificationPages*model.MaxPageSize {
		if more = true; w.below != "" && last >= w.below { // no end of the day in sight
			p, _ := parsePlace(w.below)
			last = place{at: p.at.Add(-time.Microsecond), day: dayBefore(p.day)}.id()
		}
	}
	return c.cut(w, all, last, more), nil
}

func dayBefore(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.AddDate(0, 0, -1).Format(time.DateOnly)
}

// cut cuts a page out of what happened, and links to its neighbors. last is the id down to which was read.
func (c *call) cut(w wanted, all []happening, last string, more bool) []happening {
	if len(all) > w.limit {
		if w.next {
			all = all[len(all)-w.limit:]
		} else {
			all = all[:w.limit]
		}
		more, last = true, all[len(all)-1].id
	} else if len(all) > 0 && w.next {
		more, last = true, all[len(all)-1].id
	}
	if more && last > w.above {
		c.link("next", "max_id", last)
	}
	if len(all) > 0 {
		c.link("prev", "min_id", all[0].id)
	}
	return all
}

// nativeGroup reads one native group.
//
// Cost: that of [call.readNotifications].
func (c *call) nativeGroup(p place) (found *nativeNotification, err error) {
	err = c.readNotifications(url.Values{"day": {p.day}}, func(n *nativeNotification) bool {
		if n.ID == p.native() {
			found = n
		}
		return found == nil && n.Term == p.day
	})
	if err == nil && found == nil {
		err = noNotification()
	}
	return found, err
}

// everything is what a client wants who asks for one notification.
func everything(grouped bool) wanted {
	var w wanted
	for _, k := range model.AppKinds {
		w.types = append(w.types, k.Type)
	}
	if grouped {
		w.grouped = w.types
	}
	return w
}

// happeningOf reads the notification with an id.
func (c *call) happeningOf(id string) (happening, error) {
	p, ok := parsePlace(id)
	if !ok {
		return happening{}, noNotification()
	}
	n, err := c.nativeGroup(p)
	if err != nil {
		return happening{}, err
	}
	for _, h := range n.happenings(everything(false)) {
		if h.id == id {
			return h, nil
		}
	}
	return happening{}, noNotification()
}

// groupOf reads the group with a key.
func (c *call) groupOf(key string) (happening, error) {
	if id, ok := strings.CutPrefix(key, ungrouped); ok {
		return c.happeningOf(id)
	}
	p, ok := parseGroupKey(key)
	if !ok {
		return happening{}, noNotification()
	}
	n, err := c.nativeGroup(p)
	if err != nil {
		return happening{}, err
	}
	all := n.happenings(everything(true))
	if len(all) == 0 {
		return happening{}, noNotification()
	}
	return all[0], nil
}
