package functions

import "github.com/hibana-sns/hibana/model"

// Table lists every function.
var Table = []Function{
	{"CountFollow", model.Relationships + "/{id}", []EventType{Created, Deleted}, (*handlers).countFollow},
	{"LinkTimeline", model.Relationships + "/{id}", []EventType{Created, Deleted}, (*handlers).linkTimeline},
	{"CountTweet", model.Tweets + "/{id}", []EventType{Created, Deleted}, (*handlers).countTweet},
	{"CountTags", model.Tweets + "/{id}", []EventType{Created, Updated, Deleted}, (*handlers).countTags},
	{"CountReply", model.Tweets + "/{id}", []EventType{Created, Deleted}, (*handlers).countReply},
	{"CountLike", model.Likes + "/{id}", []EventType{Created, Deleted}, (*handlers).countLike},
	{"CountShare", model.Shares + "/{id}", []EventType{Created, Deleted}, (*handlers).countShare},
	{"NotifyFollow", model.Relationships + "/{id}", []EventType{Created}, (*handlers).notifyFollow},
	{"NotifyLike", model.Likes + "/{id}", []EventType{Created}, (*handlers).notifyLike},
	{"NotifyReply", model.Tweets + "/{id}", []EventType{Created}, (*handlers).notifyReply},
	{"DrainNotifications", model.Drains + "/{id}", []EventType{Created}, (*handlers).drainNotifications},
	{"RollUp", model.RollUps + "/{id}", []EventType{Created}, (*handlers).rollUp},
	{"FanOutTweet", model.Tweets + "/{id}", []EventType{Created}, (*handlers).fanOutTweet},
	{"ContinueFanOut", model.FanOuts + "/{id}", []EventType{Created}, (*handlers).continueFanOut},
	{"Spill", model.Spills + "/{id}", []EventType{Created}, (*handlers).spill},
	{"Wake", model.Wakes + "/{id}", []EventType{Created}, (*handlers).wake},
	{"Sweep", model.Sweeps + "/{id}", []EventType{Created}, (*handlers).sweep},
	{"BucketTweet", model.Tweets + "/{id}", []EventType{Updated, Deleted}, (*handlers).bucketTweet},
	{"CleanUpTweet", model.Tweets + "/{id}", []EventType{Deleted}, (*handlers).cleanUpTweet},
	{"SpreadProfile", model.Users + "/{id}", []EventType{Updated}, (*handlers).spreadProfile},
}
