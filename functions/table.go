package functions

import "github.com/hibana-sns/hibana/model"

// Table lists every function.
var Table = []Function{
	{"CountFollow", model.Relationships + "/{id}", []EventType{Created, Deleted}, (*handlers).countFollow},
	{"LinkTimeline", model.Relationships + "/{id}", []EventType{Created, Deleted}, (*handlers).linkTimeline},
	{"CountTweet", model.Tweets + "/{id}", []EventType{Created, Deleted}, (*handlers).countTweet},
	{"CountTags", model.Tweets + "/{id}", []EventType{Created, Updated, Deleted}, (*handlers).countTags},
	{"CountReply", model.Tweets + "/{id}", []EventType{Created, Deleted}, (*handlers).countReply},
	{"CountQuote", model.Tweets + "/{id}", []EventType{Created, Deleted}, (*handlers).countQuote},
	{"CountLike", model.Likes + "/{id}", []EventType{Created, Deleted}, (*handlers).countLike},
	{"CountShare", model.Shares + "/{id}", []EventType{Created, Deleted}, (*handlers).countShare},
	{"NotifyFollow", model.Relationships + "/{id}", []EventType{Created}, (*handlers).notifyFollow},
	{"NotifyLike", model.Likes + "/{id}", []EventType{Created}, (*handlers).notifyLike},
	{"NotifyShare", model.Shares + "/{id}", []EventType{Created}, (*handlers).notifyShare},
	{"NotifyReply", model.Tweets + "/{id}", []EventType{Created}, (*handlers).notifyReply},
	{"NotifyQuote", model.Tweets + "/{id}", []EventType{Created}, (*handlers).notifyQuote},
	{"NotifyMention", model.Tweets + "/{id}", []EventType{Created, Updated}, (*handlers).notifyMention},
	{"NotifyEdit", model.Tweets + "/{tweet}/" + model.Revisions + "/{id}", []EventType{Created}, (*handlers).notifyEdit},
	{"DrainNotifications", model.Drains + "/{id}", []EventType{Created, Updated}, (*handlers).drainNotifications},
	{"RollUp", model.RollUps + "/{id}", []EventType{Created, Updated}, (*handlers).rollUp},
	{"RollUpAgain", model.TakenRollUps + "/{id}", []EventType{Updated}, (*handlers).rollUpAgain},
	{"FanOutTweet", model.Tweets + "/{id}", []EventType{Created}, (*handlers).fanOutTweet},
	{"IndexTweet", model.Tweets + "/{id}", []EventType{Created}, (*handlers).indexTweet},
	{"ContinueFanOut", model.FanOuts + "/{id}", []EventType{Created, Updated}, (*handlers).continueFanOut},
	{"Spill", model.Spills + "/{id}", []EventType{Created, Updated}, (*handlers).spill},
	{"Wake", model.Wakes + "/{id}", []EventType{Created, Updated}, (*handlers).wake},
	{"Sweep", model.Sweeps + "/{id}", []EventType{Created, Updated}, (*handlers).sweep},
	{"Sleep", model.Sleeps + "/{id}", []EventType{Created, Updated}, (*handlers).sleep},
	{"BucketTweet", model.Tweets + "/{id}", []EventType{Updated, Deleted}, (*handlers).bucketTweet},
	{"CleanUpTweet", model.Tweets + "/{id}", []EventType{Deleted}, (*handlers).cleanUpTweet},
	{"ContinueCleanUp", model.CleanUps + "/{id}", []EventType{Created, Updated}, (*handlers).continueCleanUp},
	{"Leave", model.Leavings + "/{id}", []EventType{Created, Updated}, (*handlers).leave},
	{"Export", model.Exports + "/{id}", []EventType{Created, Updated}, (*handlers).export},
	{"SpreadProfile", model.Users + "/{id}", []EventType{Updated}, (*handlers).spreadProfile},
	{"ContinueSpread", model.Spreads + "/{id}", []EventType{Created, Updated}, (*handlers).continueSpread},
}
