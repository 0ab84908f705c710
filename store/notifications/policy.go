package notifications

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// readSenders reads what the policy of the notified user asks of the acting users, and sets what becomes of the
// notification events. Events whose settings are not read were taken by the whole policy when their source document was
// written. own has the user's graph.
//
// Cost: nothing without a policy that may act. Otherwise 1 read, and up to 2 reads for each actor who is not accepted;
// up to 3 reads if the user's graph is not whole.
func (s *Writer) readSenders(ctx context.Context, is *state, own *model.ViewerGraph,
	notificationEvents []model.NotificationEvent, asked func(model.UserID) bool) error {
	policy := is.choice.Policy
	type sender struct {
		followed, follows *db.Found[struct{}]
		account           *db.Found[model.User]
	}
	var l db.Lookup
	senders := map[model.UserID]*sender{}
	for i := range notificationEvents {
		n := &notificationEvents[i]
		by := n.Payload.UserID
		if n.Withdrawn || !policy.Acts(n.Type) || !asked(by) || senders[by] != nil || is.choice.Accepts(by) {
			continue
		}
		_, followed := own.Follows[by]
		one := &sender{&db.Found[struct{}]{Found: followed}, &db.Found[struct{}]{}, &db.Found[model.User]{}}
		if !followed && !own.Whole && (policy.NotFollowed != "" || policy.PrivateMentions != "") {
			one.followed = db.Find[struct{}](&l, s.db.Relationship(is.uid, by))
		}
		if policy.NotFollowers != "" {
			one.follows = db.Find[struct{}](&l, s.db.Relationship(by, is.uid))
		}
		if policy.NewAccounts != "" {
			one.account = db.Find[model.User](&l, s.db.User(by))
		}
		senders[by] = one
	}
	if len(senders) == 0 {
		return nil
	}
	is.requests = db.Find[model.NotificationRequests](&l, s.db.NotificationRequests(is.uid))
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	for i := range notificationEvents {
		n := &notificationEvents[i]
		by := senders[n.Payload.UserID]
		if by == nil || n.Withdrawn {
			continue
		}
		sender := model.Sender{Followed: by.followed.Found, Follows: by.follows.Found, CreatedAt: by.account.Doc.CreatedAt}
		is.actions[n.ID] = policy.Of(n, sender)
		if sender.Followed = true; is.actions[n.ID] == model.SenderFilter && policy.Of(n, sender) != model.SenderFilter {
			is.strangers = append(is.strangers, n.Payload.UserID)
		}
	}
	return nil
}

// releaseStrangers releases the requests of senders whom the user followed while their notification events were
// filtered. [Writer.ReleaseFollowed] of the follow may have looked before the commit.
//
// Cost: 1 read for each sender, and what ReleaseFollowed costs for each whom the user follows.
func (s *Writer) releaseStrangers(ctx context.Context, is *state) error {
	var l db.Lookup
	follows := map[model.UserID]*db.Found[struct{}]{}
	for _, by := range is.strangers {
		if follows[by] == nil {
			follows[by] = db.Find[struct{}](&l, s.db.Relationship(is.uid, by))
		}
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	for by, follow := range follows {
		if !follow.Found {
			continue
		}
		if err := s.ReleaseFollowed(ctx, is.uid, by); err != nil {
			return err
		}
	}
	return nil
}

// filter drops a notification event as the policy says, and returns whether it did. A filtered one comes to the
// requests. A block finds it there, so it keeps Between.
func (is *state) filter(n *model.NotificationEvent) bool {
	switch is.actions[n.ID] {
	case model.SenderDrop:
		n.Dropped, n.Between = true, ""
	case model.SenderFilter:
		n.Dropped, n.Filtered, is.filtered = true, true, true
		is.requests.Doc.Add(n)
	default:
		return false
	}
	return true
}

// writeRequests adds the requests to a batch if they got notification events.
//
// Cost: 1 write.
func (s *Writer) writeRequests(b *db.Batch, is *state) {
	if !is.filtered {
		return
	}
	is.requests.Doc.Expire(s.db.Time(), s.db.NotificationWindow)
	putRequests(b, s.db.NotificationRequests(is.uid), is.requests)
}

// putRequests writes requests, on the condition that they are as they were read.
func putRequests(b *db.Batch, ref *firestore.DocumentRef, is *db.Found[model.NotificationRequests]) {
	if !is.Found {
		b.Create(ref, is.Doc)
		return
	}
	b.Update(ref, []firestore.Update{{Path: fields.Requests, Value: is.Doc.Requests},
		{Path: fields.ExpireAt, Value: is.Doc.ExpireAt}}, firestore.LastUpdateTime(is.Snap.UpdateTime))
}

// takeFromRequests adds to a batch that a withdrawn notification event leaves the requests, if it is there.
//
// Cost: 1 read, and 1 write if it is there.
func (s *Writer) takeFromRequests(ctx context.Context, b *db.Batch, n *model.NotificationEvent) error {
	ref := s.db.NotificationRequests(n.UserID)
	is, err := db.As[model.NotificationRequests](ref.Get(ctx))
	if err != nil || !is.Doc.Remove(n.Payload.UserID, n.ID) {
		return err
	}
	putRequests(b, ref, is)
	return nil
}

// RemoveFiltered removes a notification event from the requests of a user unless the event log says that it is
// filtered.
//
// Cost: 2 reads, and 1 write if it is removed.
func (s *Writer) RemoveFiltered(ctx context.Context, uid, sender model.UserID, id string) (err error) {
	defer errs.Wrap(&err, "notifications.RemoveFiltered(%q, %q)", uid, id)
	return s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		requests := db.Find[model.NotificationRequests](&l, s.db.NotificationRequests(uid))
		logged := db.Find[model.NotificationEvent](&l, s.logged(id))
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		if logged.Doc.Filtered || !requests.Doc.Remove(sender, id) {
			return nil
		}
		b := s.db.Batch()
		putRequests(b, s.db.NotificationRequests(uid), requests)
		_, err := b.Commit(ctx)
		return db.Late(err)
	})
}
