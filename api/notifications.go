package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Notification groups the notification events of one group key on one day.
type Notification struct {
	ID          string    `json:"id" example:"follow_2026-11-20"`
	Slot        string    `json:"slot" doc:"What the notification collects: follow, followRequest, mention, like:{tweetId}, share:{tweetId}, quote:{tweetId}, reply:{tweetId}, edit:{tweetId}, of a tweet that the caller shares, poll:{tweetId}, of a poll that has ended, or order:{orderId}, of an order of the caller" example:"follow"`
	Term        string    `json:"term" doc:"The day of the events" example:"2026-11-20"`
	IsRead      bool      `json:"isRead" doc:"False again when something is added"`
	Records     []Record  `json:"records" nullable:"false" doc:"The newest 10 of what happened"`
	CountUsers  int64     `json:"countUsers" doc:"Number of different users who acted"`
	CountTweets int64     `json:"countTweets" doc:"Number of replies or quotes, or of tweets that mention the caller; 0 for other slots"`
	CreatedAt   time.Time `json:"createdAt" doc:"Time of the first that happened"`
	UpdatedAt   time.Time `json:"updatedAt" doc:"Time of the last that happened"`
	Excerpt     *Excerpt  `json:"excerpt,omitempty" doc:"The beginning of what the notification is about; absent for follows and orders, and if the tweet is gone or hidden from the caller by now"`
}

// Excerpt is the beginning of a notification's tweet.
type Excerpt struct {
	TweetID   model.TweetID `json:"tweetId" doc:"The newest reply, quote or mention, or the tweet that was liked, shared or edited"`
	AuthorID  model.UserID  `json:"authorId"`
	Text      string        `json:"text" doc:"What the tweet shows, without markup and in one line: its first 100 characters, or those of its summary if it has one"`
	Filtered  []FilterHit   `json:"filtered,omitempty" nullable:"false" doc:"The caller's filters that the tweet matches; absent if there are none. One that hides is of a notification from before the filter"`
	IsSummary bool          `json:"isSummary" doc:"Whether text is from the summary, which is a content warning"`
}

// Record is one of the newest notification events of a notification.
type Record struct {
	At          time.Time         `json:"at"`
	UserID      model.UserID      `json:"userId" doc:"The user who followed, liked, shared, quoted, replied, mentioned, edited or changed the order; the caller for what the shop does by itself"`
	TweetID     model.TweetID     `json:"tweetId,omitempty" doc:"The reply or quote, or the tweet that mentions the caller"`
	OrderStatus model.OrderStatus `json:"orderStatus,omitempty" enum:"confirmed,rejected,cancelled,shipped" doc:"What became of the order; of a notification of an order alone"`
	User        *UserSummary      `json:"user,omitempty" doc:"Present in the newest 3 records, of users who have a profile"`
}

// UnreadCount is the number of unread notifications.
type UnreadCount struct {
	Count int64 `json:"count"`
}

type notificationsInput struct {
	Filter string `query:"filter" enum:"all,unread,read" default:"all"`
	Day    string `query:"day" maxLength:"10" pattern:"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$" doc:"Begins with the notifications of this day, or of the last one before it. Without a pageToken" example:"2026-11-20"`
	Brief  bool   `query:"brief" doc:"Leaves out users and excerpts; then a page has at most 100"`
	server.Paging
	Rendering
}

// readInput selects the notifications that are marked as read.
type readInput struct {
	Until time.Time `query:"until" doc:"Only those whose last event was not after this time"`
}

// markedOutput reports whether a caller must send the request again for the rest.
type markedOutput struct {
	More bool `header:"Hibana-More" doc:"true if unread notifications may be left; the caller then repeats the request"`
}

// notificationsOutput is a page of notifications.
type notificationsOutput struct {
	ReadUntil string `header:"Hibana-Read-Until" format:"date-time" doc:"The time up to which the caller has read, which only moves forward: no event that is not after it is new, also in a notification that is unread because of later ones. Absent if the caller has read nothing"`
	Body      server.List[Notification]
}

type unreadOutput struct{ Body UnreadCount }

// notifications adds the operations on the caller's notifications.
func (s *service) notifications() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/notifications", OperationID: "listNotifications", Tags: []string{"notifications"},
		Summary: "List the caller's notifications, last changed first",
		Description: "Each slot and day has one notification. The database keeps it for 31 days from the first that " +
			"happened. A page may have fewer items than pageSize, or none, and has at most 20. Later days come first, and " +
			"within a day what changed last.",
	}, s.listNotifications)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/notifications/unreadCount", OperationID: "countUnreadNotifications",
		Tags:    []string{"notifications"},
		Summary: "Count the caller's unread notifications",
	}, func(ctx context.Context, _ *nothing) (*unreadOutput, error) {
		n, err := s.NotificationEvents.Unread(ctx, server.Caller(ctx).UID)
		if err != nil {
			return nil, err
		}
		return &unreadOutput{UnreadCount{n}}, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/notifications/{id}/read", OperationID: "readNotification",
		Tags:    []string{"notifications"},
		Summary: "Mark a notification as read", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" example:"follow_2026-11-20"`
	}) (*nothing, error) {
		id, err := model.ParseNotificationID(in.ID)
		if err != nil {
			return nil, err
		}
		return nil, s.NotificationEvents.MarkRead(ctx, server.Caller(ctx).UID, id)
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/notifications/read", OperationID: "readNotifications",
		Tags:    []string{"notifications"},
		Summary: "Mark all of the caller's notifications as read",
		Description: "A request usually marks all. If more may be left, the header Hibana-More is true and the caller " +
			"repeats the request. A notification stays unread if something is added meanwhile.",
	}, func(ctx context.Context, in *readInput) (*markedOutput, error) {
		more, err := s.NotificationEvents.MarkAllRead(ctx, server.Caller(ctx).UID, in.Until)
		return &markedOutput{More: more}, err
	})
}

func (s *service) listNotifications(ctx context.Context, in *notificationsInput) (*notificationsOutput, error) {
	uid := server.Caller(ctx).UID
	list := in.Filter + " notifications of " + string(uid)
	var read *bool
	if in.Filter != "all" {
		is := in.Filter == "read"
		read = &is
	}
	if in.Day != "" && in.PageToken == "" {
		in.PageToken = s.Tokens.Seal(list, model.Cursor{ID: in.Day})
	}
	most := model.MaxNotificationPage
	if in.Brief {
		most = model.MaxPageSize
	}
	out := &notificationsOutput{}
	found, err := server.CursorPage(s.Server, list, in.Paging,
		func(from model.Cursor) (model.Page[model.Notification], error) {
			page, until, err := s.NotificationEvents.Notifications(ctx, uid, read, from, in.Most(most))
			if !until.IsZero() {
				out.ReadUntil = until.UTC().Format(time.RFC3339Nano)
			}
			return page, err
		}, nil)
	if err != nil {
		return nil, err
	}
	if in.Brief {
		out.Body = server.ListOf(found, func(n model.Notification) (Notification, bool) {
			return s.notificationOf(n, nil, in.Rendering), true
		}).Body
		return out, nil
	}
	var ids []model.UserID
	for _, n := range found.Items {
		for _, r := range shownActors(n.Records) {
			ids = append(ids, r.UserID)
		}
	}
	users, err := s.Users.Listed(ctx, ids)
	if err != nil {
		return nil, err
	}
	excerpts, err := s.excerpts(ctx, found.Items)
	if err != nil {
		return nil, err
	}
	out.Body = server.ListOf(found, func(n model.Notification) (Notification, bool) {
		to := s.notificationOf(n, users, in.Rendering)
		to.Excerpt = excerpts[n.About()]
		return to, true
	}).Body
	return out, nil
}

// excerpts returns the beginnings of the notifications' tweets that the caller may see. As on a home page, an edit, a
// flag or another audience shows after seconds, and the deletion of a tweet after minutes. A deleted reply, quote or
// mention leaves its notification within seconds anyway.
//
// Cost: 1 read for each tweet that is not cached, 1 for each author of tweets for followers, and 1 for the caller's
// graph if there are tweets. Without a whole graph also 2, or 1 for each block.
func (s *service) excerpts(ctx context.Context, of []model.Notification) (map[model.TweetID]*Excerpt, error) {
	var ids []model.TweetID
	for _, n := range of {
		if id := n.About(); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	tweets, err := s.Tweets.FreshTweets(ctx, ids)
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, model.FilterNotifications, viewer(ctx).ID, authors(slices.Collect(maps.Values(tweets))))
	if err != nil {
		return nil, err
	}
	// Whether the caller follows an author is read only if no block decides.
	maps.DeleteFunc(tweets, func(_ model.TweetID, t *model.Tweet) bool { return h.user(t.AuthorID) })
	visible, _, err := s.Tweets.Visible(ctx, viewer(ctx), slices.Collect(maps.Values(tweets)))
	if err != nil {
		return nil, err
	}
	excerpts := map[model.TweetID]*Excerpt{}
	for id, t := range tweets {
		if visible[id] {
			excerpts[id] = &Excerpt{TweetID: id, AuthorID: t.AuthorID, Text: t.Excerpt(), IsSummary: t.Summary != "",
				Filtered: h.asked(t)}
		}
	}
	return excerpts, nil
}

// shownActors returns the newest records, whose users the page shows.
func shownActors(records []model.Record) []model.Record {
	return records[:min(len(records), model.NotificationActors)]
}

func (s *service) notificationOf(n model.Notification, users map[model.UserID]*model.User,
	rendering Rendering) Notification {
	records := each(n.Records, func(r model.Record) Record {
		record := Record{At: r.At, UserID: r.UserID, TweetID: r.TweetID, OrderStatus: r.OrderStatus}
		if u := users[r.UserID]; u != nil {
			summary := rendering.summary(s, u)
			record.User = &summary
		}
		return record
	})
	return Notification{
		ID: n.ID, Slot: n.GroupKey, Term: n.Term, IsRead: n.IsRead, Records: records,
		CountUsers: n.CountUsers, CountTweets: n.CountTweets, CreatedAt: n.CreatedAt, UpdatedAt: n.UpdatedAt,
	}
}
