package bounds

import (
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// strangers are the largest policy, and as many accepted senders as there may be.
func strangers(at time.Time) (*model.NotificationPolicy, map[string]time.Time) {
	accepted := map[string]time.Time{}
	for n := range model.MaxAcceptedSenders {
		accepted[fmt.Sprintf("%0128d", n)] = at
	}
	return &model.NotificationPolicy{NotFollowed: model.SenderFilter, NotFollowers: model.SenderFilter,
		NewAccounts: model.SenderFilter, PrivateMentions: model.SenderFilter}, accepted
}

// largestRequests are the largest requests of a user.
func largestRequests(uid model.UserID, at time.Time) (is model.NotificationRequests) {
	for n := range model.MaxNotificationRequests {
		for i := range model.MaxFilteredEvents {
			is.Add(model.FactNotificationEvent(model.NotificationFollowRequest, uid, model.NotificationEventPayload{
				UserID: model.UserID(fmt.Sprintf("%0128d", n)), TweetID: model.TweetID(fmt.Sprintf("%018x", i))},
				at.Add(time.Duration(i)*time.Second)))
		}
	}
	return is
}
