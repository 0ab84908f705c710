package mutants

// heldReplies is what keeps a reply that waits from being a tweet, or two.
var heldReplies = []mutant{
	{
		file: "model/tweets.go", old: "new(t.CreatedAt), parent.RepliesHeldBy", new: "new(t.CreatedAt), UserID(\"\")",
		pkg: "./store/tweets", test: "TestHeldReplies",
		why: "a stranger answers a friend's reply, and stands in the thread unapproved",
	},
	{
		file: "store/tweets/held.go", old: "if err != nil || root.Tweet == nil {",
		new: "if root.Tweet == nil {\n\t\treturn true, err\n\t}\n\tif err != nil {",
		pkg: "./store/tweets", test: "TestHeldReplies",
		why: "replies wait for nobody when the root is gone",
	},
	{
		file: "store/tweets/held.go", old: "if root.ViewerRelationships.Blocked {", new: "if false {",
		pkg: "./store/tweets", test: "TestHeldBlocked",
		why: "a blocked user fills the list of replies that wait",
	},
	{
		file: "store/tweets/held.go", old: "\t\t\tb.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))\n",
		new: "\t\t\tb.Delete(snap.Ref)\n",
		pkg: "./store/tweets", test: "TestApproveOvertaken",
		why: "two approvals at once make two tweets",
	},
	{
		file: "store/tweets/held.go", old: "} else if !there {", new: "} else if there {",
		pkg: "./store/tweets", test: "TestApproveOvertaken",
		why: "the second of two approvals goes on until it gives up",
	},
	{
		file: "store/tweets/tweets.go", old: "if waits && t.ApproverSees() {", new: "if waits {",
		pkg: "./store/tweets", test: "TestHeldUnseen",
		why: "the author of the root reads what strangers write to each other in private",
	},
	{
		file: "store/tweets/held.go", old: "f.Doc.ExpireAt.Before(until)", new: "false",
		pkg: "./store/media", test: "TestHeldMedia",
		why: "a reply that waits loses its pictures",
	},
	{
		file: "store/tweets/idempotency.go",
		old:  "{Path: fields.HeldReply, Value: db.OrDelete(rec.HeldReply, rec.HeldReply == \"\")},", new: "",
		pkg: "./store/tweets", test: "TestHeldRepeated",
		why: "a request with an old key gets a reply that was held a day before",
	},
}
