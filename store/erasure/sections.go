package erasure

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// section is one kind of a user's documents. Its items are in files of its name.
type section struct {
	name   string
	single bool // it has one item
	page   page
}

// page adds items of documents after a document. It returns the last document that it added, and nothing at the end.
type page func(ctx context.Context, s *source, after string, p *part) (next string, err error)

// source is the origin of items.
type source struct {
	db       *db.DB
	uid      model.UserID
	pageSize int
	media    *objects.Objects // nil without media
	large    func() error     // waits until this step alone may hold a part of largePart or more
	noFiles  bool             // files of media are left out
	omitted  int64            // how many were
}

// exportsSpecials are the sections that are not an item for each document of one collection.
var exportsSpecials = map[string]section{
	"profile":       {single: true, page: profile},
	"tweets":        {page: tweets},
	"revisions":     {page: revisions},
	"media":         {page: mediaWithFiles},
	"conversations": {page: conversations},
	"notifications": {page: notifications},
}

// items makes the items of the documents of each other section.
var items = map[string]item{
	"deletedTweets": of(func(id string, t *model.Tombstone) any {
		return map[string]any{"id": id, "deletedAt": t.DeletedAt}
	}),
	"likes":  of(reaction),
	"shares": of(reaction),
	"votes": of(func(_ string, v *model.Vote) any {
		return map[string]any{"tweetId": v.TweetID, "authorId": v.AuthorID, "option": v.Option, "createdAt": v.CreatedAt}
	}),
	"bookmarks": of(reaction),
	"pins": of(func(_ string, p *model.Pins) any {
		return map[string]any{"tweets": p.Tweets}
	}),
	"cart": of(func(_ string, c *model.Cart) any {
		return map[string]any{"items": c.Items, "updatedAt": c.UpdatedAt}
	}),
	"orders": of(func(id string, o *model.Order) any {
		item := map[string]any{"id": id, "items": o.Items, "total": o.Total, "status": o.Status, "history": o.History,
			"createdAt": o.CreatedAt}
		if o.Email != "" {
			item["email"] = o.Email
		}
		return item
	}),
	"devices": of(func(_ string, d *model.Devices) any {
		all := map[string]any{} // without keys and tokens: with them a holder of the archive could write to the devices
		for id, device := range d.Devices {
			all[id] = map[string]any{"at": device.At, "app": device.FCMToken != ""}
		}
		return all
	}),
	"apps": of(func(_ string, g *model.OAuthGrants) any {
		all := []any{}
		for _, id := range slices.Sorted(maps.Keys(g.Apps)) {
			app := g.Apps[id]
			all = append(all, map[string]any{"id": id, "name": app.Name, "website": app.Website, "scopes": app.Scopes,
				"since": app.Since, "lastUsedAt": app.LastUsedAt})
		}
		return map[string]any{"apps": all}
	}),
	"notificationRequests": of(func(_ string, r *model.NotificationRequests) any {
		all := map[model.UserID]any{}
		for _, sender := range r.Senders() {
			var events []filteredItem
			for _, e := range r.Of(sender).Events {
				events = append(events, filteredItem{e.Type, e.TweetID, e.At})
			}
			all[sender] = events
		}
		return all
	}),
	"following": of(func(_ string, r *model.Relationship) any {
		return tie{r.FollowedID, r.CreatedAt}
	}),
	"followers": of(func(_ string, r *model.Relationship) any {
		return tie{r.FollowerID, r.CreatedAt}
	}),
	"followRequestsSent": of(func(_ string, r *model.FollowRequest) any {
		return tie{r.FollowedID, r.CreatedAt}
	}),
	"followRequestsReceived": of(func(_ string, r *model.FollowRequest) any {
		return tie{r.FollowerID, r.CreatedAt}
	}),
	"blocks": of(func(_ string, b *model.Block) any {
		return tie{b.BlockeeID, b.CreatedAt}
	}),
	"hiddenSharers": of(func(_ string, h *model.MutedSharer) any {
		return tie{h.SharerID, h.CreatedAt}
	}),
	"mutes": of(func(_ string, m *model.MutedUser) any {
		return muteItem{m.MutedID, m.Part, m.HideNotifications, m.Until, m.CreatedAt}
	}),
	"agent": of(func(_ string, a *model.Agent) any {
		return map[string]any{"model": a.Model, "everyMinutes": a.EveryMinutes, "running": a.Running,
			"budget": spendingItem(a.Budget), "createdAt": a.CreatedAt}
	}),
	"agentActs": of(func(_ string, a *model.AgentAct) any {
		return map[string]any{"kind": a.Kind, "tweetId": a.TweetID, "target": a.Target, "text": a.Text, "state": a.State,
			"made": a.Made, "at": a.At}
	}),
	"personNotes": of(func(_ string, n *model.PersonNote) any {
		return map[string]any{"userId": n.AboutID, "text": n.Text, "updatedAt": n.UpdatedAt}
	}),
	"subscriptions": of(func(_ string, s *model.Subscription) any {
		return tie{s.AuthorID, s.CreatedAt}
	}),
	"lists": of(func(id string, l *model.PeopleList) any {
		return map[string]any{"id": model.ListID(id), "title": l.Title, "description": l.Description,
			"public": l.IsPublic(), "exclusive": l.Exclusive,
			"repliesPolicy": cmp.Or(l.RepliesPolicy, model.RepliesToList), "members": l.Members, "createdAt": l.CreatedAt}
	}),
	"suggestions": of(func(_ string, s *model.Suggestions) any {
		people := make([]map[string]any, len(s.People))
		for i, c := range s.People {
			people[i] = map[string]any{"id": c.ID, "followedBy": c.FollowedBy, "followers": c.Followers, "tags": c.Tags}
		}
		return map[string]any{"wantedAt": s.WantedAt, "computedAt": s.ComputedAt, "people": people,
			"dismissed": s.Dismissed}
	}),
	"reports": of(report),
	"appeals": of(func(id string, a *model.Appeal) any {
		return map[string]any{"decision": id, "act": a.Act, "tweetId": a.TweetID, "decidedAt": a.DecidedAt, "text": a.Text,
			"createdAt": a.CreatedAt, "state": a.State, "answer": a.Answer}
	}),
	"drafts": of(draft),
	"heldReplies": of(func(id string, h *model.HeldReply) any {
		d := draftOf(h.Draft)
		d.ID, d.HeldFor, d.RootID, d.CreatedAt, d.ExpireAt = id, h.RootAuthorID, h.RootID, h.CreatedAt, h.ExpireAt
		return d
	}),
}

// exportsTogether is how many documents one query reads of sections with large ones. A draft may have
// 264 KB.
var exportsTogether = map[string]int{"drafts": 10, "heldReplies": 10}

// sections are all sections of an export, in its order: those of the registry.
//
// A section without items, and items without a section, are mistakes in the code, and panic at once.
var sections = func() (all []section) {
	unused := map[string]bool{}
	for name := range exportsSpecials {
		unused[name] = true
	}
	for name := range items {
		unused[name] = true
	}
	for _, e := range model.ExportedSections() {
		s := exportsSpecials[e.Name]
		if render := items[e.Name]; s.page == nil && render != nil {
			s.page = list(e.From[0], render, exportsTogether[e.Name])
		}
		if s.page == nil || !unused[e.Name] {
			panic(fmt.Sprintf("erasure: section %q has no items, or stands twice", e.Name))
		}
		s.name = e.Name
		delete(unused, e.Name)
		all = append(all, s)
	}
	if len(unused) > 0 {
		panic(fmt.Sprintf("erasure: the registry has no section for the items %v", unused))
	}
	return all
}()

// sectionOf returns the number of a section: the number after the last for no section, and -1 for an unknown one.
func sectionOf(name string) int {
	if name == "" {
		return len(sections)
	}
	return slices.IndexFunc(sections, func(s section) bool { return s.name == name })
}

// sectionNames lists the names of all sections, in order.
func sectionNames() (names []string) {
	for _, s := range sections {
		names = append(names, s.name)
	}
	return names
}

// owned is the query for documents of the user, in the order of their ids.
func (s *source) owned(o model.Owned) firestore.Query {
	all := s.db.Client.Collection(o.Name).Query
	switch o.By {
	case model.ByKey:
		all = all.Where(firestore.DocumentID, "==", s.db.Doc(o.Name, string(s.uid)))
	case model.ByPrefix:
		return s.db.Keyed(o.Name, s.uid)
	case model.ByParent:
		all = s.db.User(s.uid).Collection(o.Name).Query
	default:
		all = all.Where(o.By.Field(), "==", s.uid)
	}
	return all.OrderBy(firestore.DocumentID, firestore.Asc)
}

// item makes the item of a document. It is nil for a document that the export leaves out.
type item func(snap *firestore.DocumentSnapshot) (any, error)

// of makes items of documents of a type.
func of[T any](item func(id string, doc *T) any) item {
	return func(snap *firestore.DocumentSnapshot) (any, error) {
		doc := new(T)
		if err := snap.DataTo(doc); err != nil {
			return nil, err
		}
		return item(snap.Ref.ID, doc), nil
	}
}

// list is the page of a collection, with an item for each document. It has at most so many documents; 0 stands for the
// page size.
//
// Cost: 1 read for each document, at least 1.
func list(o model.Owned, item item, most int) page {
	return func(ctx context.Context, s *source, after string, p *part) (string, error) {
		if few := *s; most > 0 {
			few.pageSize = min(s.pageSize, most)
			s = &few
		}
		snaps, err := s.read(ctx, s.owned(o), after)
		if err != nil {
			return "", err
		}
		for _, snap := range snaps {
			one, err := item(snap)
			if err != nil {
				return "", err
			}
			if one == nil {
				continue
			}
			if err := p.add(one); err != nil {
				return "", err
			}
		}
		return s.next(snaps), nil
	}
}

// read reads a page of documents, in the order of their ids.
func (s *source) read(ctx context.Context, q firestore.Query, after string) ([]*firestore.DocumentSnapshot, error) {
	if after != "" {
		q = q.StartAfter(after)
	}
	return q.Limit(s.pageSize).Documents(ctx).GetAll()
}

// next returns the cursor after a page.
func (s *source) next(snaps []*firestore.DocumentSnapshot) string {
	if len(snaps) < s.pageSize {
		return ""
	}
	return snaps[len(snaps)-1].Ref.ID
}

// profile is the section of all documents that a user has one of.
//
// Cost: 9 reads.
func profile(ctx context.Context, s *source, _ string, p *part) (string, error) {
	var l db.Lookup
	user, detail := db.Find[model.User](&l, s.db.User(s.uid)),
		db.Find[model.UserDetail](&l, s.db.Doc(model.UserDetails, string(s.uid)))
	secret := db.Find[model.UserSecret](&l, s.db.Doc(model.UserSecrets, string(s.uid)))
	accountStatus, choice := db.Find[model.AccountStatus](&l, s.db.Doc(model.AccountStatuses, string(s.uid))),
		db.Find[model.NotificationChoice](&l, s.db.NotificationSettings(s.uid))
	filters := db.Find[model.Filters](&l, s.db.UserFilters(s.uid))
	tags := db.Find[model.FollowedTags](&l, s.db.FollowedTags(s.uid))
	markers := db.Find[model.Markers](&l, s.db.Doc(model.MarkerLists, string(s.uid)))
	signIns := db.Find[model.SignIns](&l, s.db.Doc(model.SignInLists, string(s.uid)))
	accountStatus.Doc.State = model.AccountStatusFree
	if err := s.db.Read(ctx, &l); err != nil {
		return "", err
	}
	u := &user.Doc
	return "", p.add(profileItem{
		ID: s.uid, Username: u.Username, Nickname: u.Nickname, Email: secret.Doc.Email,
		Introduction: detail.Doc.Introduction, Avatar: u.Avatar, Header: u.Header, AIModel: u.AIModel,
		AIPersonality: detail.Doc.AIPersonality, BlockStrangers: u.BlockStrangers, Locked: u.Locked,
		HoldReplies:  u.HoldReplies.String(),
		Discoverable: u.Discoverable, Bot: u.Bot, Pronouns: u.Pronouns,
		Fields: fieldsOf(&detail.Doc, u.Username), Language: u.Language, NotSuggested: u.NotSuggested,
		MessagesFrom:  u.MessagesFrom.String(),
		FollowerCount: u.FollowerCount, FollowedCount: u.FollowedCount, TweetCount: u.TweetCount,
		CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt,
		AccountStatus: accountStatus.Doc.State, AccountStatusSince: accountStatus.Doc.StateChangedAt(),
		NotToldOf: choice.Doc.Off, MutedConversations: choice.Doc.MutedRoots(),
		NotificationPolicy: policyOf(choice.Doc.Policy), AcceptedSenders: choice.Doc.AcceptedSenders(),
		Filters:      filtersOf(&filters.Doc),
		FollowedTags: followedTagsOf(&tags.Doc),
		PinnedTags:   u.PinnedTags, Home: markerOf(markers.Doc.Home), DismissedAnnouncements: markers.Doc.Dismissed,
		Invitation: secret.Doc.Invitation, TermsVersion: u.TermsVersion, TermsAt: u.TermsAt,
		SignIns: signInsOf(&signIns.Doc),
	})
}

type spendingItem struct {
	Posts        int   `json:"posts"`
	Likes        int   `json:"likes"`
	Follows      int   `json:"follows"`
	Tokens       int64 `json:"tokens"`
	MicroDollars int64 `json:"microDollars"`
}

type profileItem struct {
	ID                 model.UserID             `json:"id"`
	Username           string                   `json:"username"`
	Nickname           string                   `json:"nickname"`
	Email              string                   `json:"email"`
	Introduction       string                   `json:"introduction"`
	Avatar             string                   `json:"avatar"`
	Header             string                   `json:"header,omitempty"`
	AIModel            string                   `json:"aiModel"`
	AIPersonality      string                   `json:"aiPersonality"`
	BlockStrangers     bool                     `json:"blockStrangers"`
	Locked             bool                     `json:"locked"`
	HoldReplies        string                   `json:"holdReplies"`
	Discoverable       bool                     `json:"discoverable"`
	Bot                bool                     `json:"bot"`
	Pronouns           string                   `json:"pronouns,omitempty"`
	Fields             []fieldItem              `json:"fields,omitempty"`
	Language           string                   `json:"language,omitempty"`
	NotSuggested       bool                     `json:"notSuggested"`
	MessagesFrom       string                   `json:"messagesFrom"`
	FollowerCount      int64                    `json:"followerCount"`
	FollowedCount      int64                    `json:"followedCount"`
	TweetCount         int64                    `json:"tweetCount"`
	CreatedAt          time.Time                `json:"createdAt"`
	UpdatedAt          *time.Time               `json:"updatedAt,omitempty"`
	AccountStatus      model.AccountStatusState `json:"standing"`
	AccountStatusSince time.Time                `json:"standingSince,omitzero"`

	NotToldOf          []model.NotificationKind `json:"notToldOf,omitempty"`
	MutedConversations []model.TweetID          `json:"mutedConversations,omitempty"` // by their root tweets
	NotificationPolicy *policyItem              `json:"notificationPolicy,omitempty"`
	AcceptedSenders    []model.UserID           `json:"acceptedSenders,omitempty"`
	Filters            []filterItem             `json:"filters,omitempty"`
	FollowedTags       []followedTagItem        `json:"followedTags,omitempty"`

	PinnedTags             []string               `json:"pinnedTags,omitempty"`
	Home                   *markerItem            `json:"home,omitempty"`
	DismissedAnnouncements []model.AnnouncementID `json:"dismissedAnnouncements,omitempty"`
	Invitation             model.InvitationCode   `json:"invitation,omitempty"`   // by which the user signed up
	TermsVersion           int64                  `json:"termsVersion,omitempty"` // of the terms to which the user consented last
	TermsAt                time.Time              `json:"termsAt,omitzero"`
	SignIns                []signInItem           `json:"signIns,omitempty"` // the newest that clients told of
}

type signInItem struct {
	At       time.Time `json:"at"`
	Provider string    `json:"provider"`
	System   string    `json:"system,omitempty"`
	Program  string    `json:"program,omitempty"`
	Ended    bool      `json:"ended"`
}

func signInsOf(is *model.SignIns) (all []signInItem) {
	for _, one := range is.SignIns {
		all = append(all, signInItem{one.At, one.Provider, one.System, one.Program, is.Ended(one)})
	}
	return all
}

type fieldItem struct {
	Name       string    `json:"name"`
	Value      string    `json:"value"`
	VerifiedAt time.Time `json:"verifiedAt,omitzero"`
}

func fieldsOf(d *model.UserDetail, username string) (all []fieldItem) {
	for _, f := range d.Fields {
		all = append(all, fieldItem{f.Name, f.Value, d.VerifiedAt(f, username)})
	}
	return all
}

type followedTagItem struct {
	Name       string    `json:"name"`
	Content    string    `json:"content"`
	FollowedAt time.Time `json:"followedAt"`
}

func followedTagsOf(is *model.FollowedTags) (all []followedTagItem) {
	for _, key := range is.Keys() {
		all = append(all, followedTagItem{key, is.Tags[key].Content, is.Tags[key].FollowedAt})
	}
	return all
}

// markerItem is how far the user has read the home timeline.
type markerItem struct {
	LastReadID model.TweetID `json:"lastReadId"`
	UpdatedAt  time.Time     `json:"updatedAt"`
}

func markerOf(m *model.Marker) *markerItem {
	if m == nil {
		return nil
	}
	return &markerItem{m.LastReadID, m.UpdatedAt}
}

type filterItem struct {
	ID        string                `json:"id"`
	Title     string                `json:"title"`
	Contexts  []model.FilterContext `json:"contexts"`
	Action    model.FilterAction    `json:"action"`
	ExpiresAt time.Time             `json:"expiresAt,omitzero"`
	Keywords  []filterKeyword       `json:"keywords"`
	CreatedAt time.Time             `json:"createdAt"`
}

type filterKeyword struct {
	Keyword   string `json:"keyword"`
	WholeWord bool   `json:"wholeWord"`
}

// filteredItem is a notification event that the user's policy filtered.
type filteredItem struct {
	Type    model.NotificationKind `json:"type"`
	TweetID model.TweetID          `json:"tweetId,omitempty"`
	At      time.Time              `json:"at"`
}

// policyItem is the user's notification policy. What is accepted is absent.
type policyItem struct {
	NotFollowed     model.SenderAction `json:"notFollowed,omitempty"`
	NotFollowers    model.SenderAction `json:"notFollowers,omitempty"`
	NewAccounts     model.SenderAction `json:"newAccounts,omitempty"`
	PrivateMentions model.SenderAction `json:"privateMentions,omitempty"`
}

func policyOf(p *model.NotificationPolicy) *policyItem { return (*policyItem)(p) }

func filtersOf(fs *model.Filters) (all []filterItem) {
	for _, id := range fs.IDs() {
		f := fs.Filters[id]
		item := filterItem{id, f.Title, f.Contexts, f.Action, f.ExpiresAt, nil, f.CreatedAt}
		for _, k := range f.Keywords {
			item.Keywords = append(item.Keywords, filterKeyword{k.Keyword, k.WholeWord})
		}
		all = append(all, item)
	}
	return all
}

// muteItem is a mute of a user. One without an end has no until.
type muteItem struct {
	UserID            model.UserID   `json:"userId"`
	Part              model.MutePart `json:"part"`
	HideNotifications bool           `json:"hideNotifications"`
	Until             time.Time      `json:"until,omitzero"`
	CreatedAt         time.Time      `json:"createdAt"`
}

// reaction is the item of a like or share.
func reaction(_ string, r *model.Reaction) any {
	return map[string]any{"tweetId": r.TweetID, "authorId": r.AuthorID, "createdAt": r.CreatedAt}
}

// tie is the item of a follow or block: the other user.
type tie struct {
	UserID    model.UserID `json:"userId"`
	CreatedAt time.Time    `json:"createdAt"`
}

// listsTogether is how many lists of notifications one query reads. A list may have 700 KB.
const listsTogether = 10

// notifications is the section of notifications: those of the newest list, and those of the lists of days. It leaves
// out notifications of which everything was withdrawn: no page shows them.
//
// Cost: 1 read for each list, at least 1.
func notifications(ctx context.Context, s *source, after string, p *part) (string, error) {
	few := *s
	few.pageSize = min(s.pageSize, listsTogether)
	snaps, err := few.read(ctx, s.db.User(s.uid).Collection(model.NotificationLists).OrderBy(firestore.DocumentID,
		firestore.Asc), after)
	if err != nil {
		return "", err
	}
	for _, snap := range snaps {
		var list model.NotificationList
		if err := snap.DataTo(&list); err != nil {
			return "", err
		}
		for _, id := range slices.Sorted(maps.Keys(list.Notifications)) {
			if n := list.Notifications[id]; !n.Empty() {
				if err := p.add(notification(&n)); err != nil {
					return "", err
				}
			}
		}
	}
	return few.next(snaps), nil
}

// notification is the item of a notification.
func notification(n *model.Notification) any {
	records := []any{}
	for _, r := range n.Records {
		records = append(records, struct {
			UserID  model.UserID  `json:"userId"`
			TweetID model.TweetID `json:"tweetId,omitempty"`
			At      time.Time     `json:"at"`
		}{r.UserID, r.TweetID, r.At})
	}
	return map[string]any{
		"about": n.GroupKey, "day": n.Term, "isRead": n.IsRead, "countUsers": n.CountUsers, "countTweets": n.CountTweets,
		"newest":    records,
		"createdAt": n.CreatedAt, "updatedAt": n.UpdatedAt,
	}
}

// report is the user's part of a report. The notes of moderators are left out.
func report(_ string, r *model.Report) any {
	item := map[string]any{"reason": r.Reason, "text": r.Text, "createdAt": r.CreatedAt, "open": r.Open}
	if r.TweetID != "" {
		item["tweetId"] = r.TweetID
	} else {
		item["userId"] = r.UserID
	}
	return item
}
