package model

import (
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// SenderAction is what becomes of the notification events of a group of senders.
type SenderAction string

// All actions. The zero value is SenderAccept in documents.
const (
	SenderAccept SenderAction = "accept"
	SenderFilter SenderAction = "filter" // the notification event goes to the requests, see [NotificationRequests]
	SenderDrop   SenderAction = "drop"
)

// NewAccountAge is the age from which on an account is no new account.
const NewAccountAge = 30 * 24 * time.Hour

// NotificationPolicy says what becomes of notification events of users whom the notified user may not know. An empty
// action accepts. If several apply to a notification event, the strictest counts. A nil policy accepts everything.
type NotificationPolicy struct {
	NotFollowed  SenderAction `firestore:"notFollowed,omitempty"`  // of senders whom the user does not follow
	NotFollowers SenderAction `firestore:"notFollowers,omitempty"` // of senders who do not follow the user
	NewAccounts  SenderAction `firestore:"newAccounts,omitempty"`  // of senders whose account was younger than NewAccountAge
	// of tweets for mentioned users alone that answer no tweet of the user, by senders whom the user does not follow
	PrivateMentions SenderAction `firestore:"privateMentions,omitempty"`
}

// Acts reports whether the policy may filter or drop a notification event of a kind.
func (p *NotificationPolicy) Acts(k NotificationKind) bool {
	return p != nil && k.Filterable() && *p != NotificationPolicy{}
}

// Filterable reports whether a policy applies to such a notification event. It does not apply to what the notified user
// asked for: changes of orders, which staff make, ends of polls, edits of shared tweets, and posts of subscriptions.
func (k NotificationKind) Filterable() bool {
	return k != NotificationOrder && k != NotificationPoll && k != NotificationEdit && k != NotificationPost
}

// Sender is what a policy asks of the acting user of a notification event.
type Sender struct {
	Followed  bool      // the notified user follows the sender
	Follows   bool      // the sender follows the notified user
	CreatedAt time.Time // of the account; zero for an account that is gone
}

// Of returns what becomes of a notification event by a sender. An account is new or not by its age at the event: a late
// delivery, a repair and a second look find the same.
func (p *NotificationPolicy) Of(n *NotificationEvent, by Sender) SenderAction {
	if !p.Acts(n.Type) {
		return SenderAccept
	}
	var apply []SenderAction
	if !by.Followed {
		apply = append(apply, p.NotFollowed)
	}
	if !by.Follows {
		apply = append(apply, p.NotFollowers)
	}
	if n.At.Sub(by.CreatedAt) < NewAccountAge {
		apply = append(apply, p.NewAccounts)
	}
	if n.Private && !by.Followed {
		apply = append(apply, p.PrivateMentions)
	}
	switch {
	case slices.Contains(apply, SenderDrop):
		return SenderDrop
	case slices.Contains(apply, SenderFilter):
		return SenderFilter
	}
	return SenderAccept
}

// SamePolicy reports whether two settings have the same policy and accept the same senders.
func (s *NotificationChoice) SamePolicy(o *NotificationChoice) bool {
	return maps.EqualFunc(s.Accepted, o.Accepted, time.Time.Equal) && s.policy() == o.policy()
}

// policy is the policy, empty if there is none.
func (s *NotificationChoice) policy() NotificationPolicy {
	if s.Policy == nil {
		return NotificationPolicy{}
	}
	return *s.Policy
}

// NotificationPolicyPatch changes a policy. A nil action stays unchanged.
type NotificationPolicyPatch struct {
	NotFollowed, NotFollowers, NewAccounts, PrivateMentions *SenderAction
}

// ChangePolicy changes the policy of the settings, and returns whether that changes anything. An unknown action is
// errs.Invalid.
func (s *NotificationChoice) ChangePolicy(p NotificationPolicyPatch) (changed bool, err error) {
	is := s.policy()
	was := is
	for to, action := range map[*SenderAction]*SenderAction{&is.NotFollowed: p.NotFollowed,
		&is.NotFollowers: p.NotFollowers, &is.NewAccounts: p.NewAccounts, &is.PrivateMentions: p.PrivateMentions} {
		switch {
		case action == nil:
		case *action == SenderAccept:
			*to = ""
		case *action == SenderFilter || *action == SenderDrop:
			*to = *action
		default:
			return false, errs.New(errs.Invalid, "invalid_action", "an action is accept, filter or drop")
		}
	}
	if s.Policy = &is; is == (NotificationPolicy{}) {
		s.Policy = nil
	}
	return is != was, nil
}

// Accept lets a sender through whatever the policy says, and returns whether that changes anything. More senders than
// [MaxAcceptedSenders] are errs.Conflict. A sender whose account is deleted counts until the user takes it back.
func (s *NotificationChoice) Accept(sender UserID, at time.Time) (changed bool, err error) {
	if s.Accepts(sender) {
		return false, nil
	}
	if len(s.Accepted) >= MaxAcceptedSenders {
		return false, errs.New(errs.Conflict, "too_many_accepted_senders", "%d senders are accepted, which is as many as "+
			"may be; follow the sender, or take one back first", MaxAcceptedSenders)
	}
	if s.Accepted == nil {
		s.Accepted = map[string]time.Time{}
	}
	s.Accepted[string(sender)] = at
	return true, nil
}

// Accepts reports whether a sender is let through.
func (s *NotificationChoice) Accepts(sender UserID) bool { return !s.Accepted[string(sender)].IsZero() }

// userIDs converts keys of a document to ids of users.
func userIDs(keys []string) []UserID {
	all := make([]UserID, len(keys))
	for i, key := range keys {
		all[i] = UserID(key)
	}
	return all
}

// AcceptedSenders are the senders who are let through, the last accepted first.
func (s *NotificationChoice) AcceptedSenders() []UserID {
	all := userIDs(slices.Sorted(maps.Keys(s.Accepted)))
	slices.SortStableFunc(all, func(a, b UserID) int { return s.Accepted[string(b)].Compare(s.Accepted[string(a)]) })
	return all
}
