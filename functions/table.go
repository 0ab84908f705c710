package functions

import "github.com/hibana-sns/hibana/model"

// Table lists every function: first those of source documents, then that of uploaded files, then those of work
// documents. A collection has one function for each kind of change. The function reads what its parts need and decides
// everything that the change causes. No function listens to updates of documents with counts, so a count causes no
// event. An edit creates a revision, a moderator's act an entry of the audit log, and a rename a work document, each in
// its own commit.
var Table = []Function{
	{"TweetChanged", model.Tweets + "/{id}", []EventType{Created, Deleted}, (*handlers).tweetChanged},
	{"TweetEdited", model.Tweets + "/{tweet}/" + model.Revisions + "/{id}", []EventType{Created},
		(*handlers).tweetEdited},
	{"QuoteWithdrawn", model.QuoteWithdrawals + "/{id}", []EventType{Created}, (*handlers).quoteWithdrawn},
	{"ModeratorActed", model.AdminActions + "/{id}", []EventType{Created}, (*handlers).moderatorActed},
	{"FollowChanged", model.Relationships + "/{id}", []EventType{Written}, (*handlers).followChanged},
	{"FollowRequestChanged", model.FollowRequests + "/{id}", []EventType{Written}, (*handlers).followRequestChanged},
	{"BlockChanged", model.Blocks + "/{id}", []EventType{Written}, (*handlers).blockChanged},
	{"LikeChanged", model.Likes + "/{id}", []EventType{Written}, (*handlers).likeChanged},
	{"ShareChanged", model.Shares + "/{id}", []EventType{Written}, (*handlers).shareChanged},
	{"VoteChanged", model.Votes + "/{id}", []EventType{Written}, (*handlers).voteChanged},
	{"OrderChanged", model.Users + "/{user}/" + model.Orders + "/{id}", []EventType{Created, Updated},
		(*handlers).orderChanged},
	{"MessagesChanged", model.ConversationMonths + "/{id}", []EventType{Written}, (*handlers).messagesChanged},

	{"VerifyFields", model.FieldChecks + "/{id}", []EventType{Created, Updated}, (*handlers).verifyFields},

	{"MediaDeleted", model.MediaRecords + "/{id}", []EventType{Deleted}, (*handlers).mediaDeleted},
	{"MediaUploaded", Uploads, []EventType{Finalized}, (*handlers).mediaUploaded},

	{"ServeStock", model.StockRuns + "/{id}", []EventType{Created, Updated}, (*handlers).serveStock},
	{"FlushNotifications", model.Flushes + "/{id}", []EventType{Created, Updated}, (*handlers).flushNotifications},
	{"RollUp", model.RollUps + "/{id}", []EventType{Created, Updated}, (*handlers).rollUp},
	{"RollUpAgain", model.ClaimedRollUps + "/{id}", []EventType{Updated}, (*handlers).rollUpAgain},
	{"OverflowBucket", model.Overflows + "/{id}", []EventType{Created, Updated}, (*handlers).overflowBucket},
	{"Sweep", model.Sweeps + "/{id}", []EventType{Written}, (*handlers).sweep},
	{"ContinueCleanUp", model.CleanUps + "/{id}", []EventType{Written}, (*handlers).continueCleanUp},
	{"ContinuePostRun", model.PostRuns + "/{id}", []EventType{Written}, (*handlers).continuePostRun},
	{"PropagateProfile", model.Propagations + "/{id}", []EventType{Written}, (*handlers).propagateProfile},
	{"DeleteAccount", model.AccountDeletions + "/{id}", []EventType{Written}, (*handlers).deleteAccount},
	{"Export", model.Exports + "/{id}", []EventType{Written}, (*handlers).export},
	{"Deliver", model.Outgoings + "/{id}", []EventType{Created, Updated}, (*handlers).deliver},
	{"FetchLink", model.LinkFetches + "/{id}", []EventType{Created, Updated}, (*handlers).fetchLink},
	{"HandleActivity", model.IncomingActivities + "/{id}", []EventType{Created, Updated}, (*handlers).handleActivity},
	{"MoveFollowers", model.RemoteMoves + "/{id}", []EventType{Created, Updated}, (*handlers).moveFollowers},
	{"PurgeDomain", model.Purges + "/{id}", []EventType{Created, Updated}, (*handlers).purgeDomain},
	{"Migrate", model.Migrations + "/{id}", []EventType{Written}, (*handlers).migrate},
}
