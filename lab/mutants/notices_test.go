package mutants

// notificationEvents are mutants of notifications and of messages to devices.
var notificationEvents = []mutant{
	// What a policy filters.
	{
		file: "store/notifications/policy.go", old: "\t\tis.requests.Doc.Add(n)\n", new: "",
		pkg: "./store/notifications", test: "TestFilter",
		why: "a filtered notification is in no request",
	},
	{
		file: "store/notifications/policy.go", old: " || is.choice.Accepts(by)", new: "",
		pkg: "./store/notifications", test: "TestAcceptRequest",
		why: "an accepted sender is filtered again",
	},
	{
		file: "store/notifications/policy.go", old: "if !follow.Found {", new: "if follow.Found {",
		pkg: "./store/notifications", test: "TestFollowedMeanwhile",
		why: "a notification that is filtered beside a follow stays in the requests",
	},
	{
		file: "store/notifications/requests.go", old: "if !there.Found {", new: "if false {",
		pkg: "./store/notifications", test: "TestReleaseEnds",
		why: "a process that ends leaves released notifications pending",
	},
	{
		file: "store/notifications/withdraw.go", old: "\tcase logged.Filtered:\n", new: "\tcase false:\n",
		pkg: "./store/notifications", test: "TestWithdrawFiltered",
		why: "a like that is taken back stays in the requests",
	},
	{
		file: "model/notificationpolicy.go", old: "n.At.Sub(by.CreatedAt)", new: "time.Since(by.CreatedAt)",
		pkg: "./store/notifications", test: "TestPolicy",
		why: "a late event of an account that was new is not filtered",
	},
	{
		file: "functions/graph.go",
		old:  "return h.store.NotificationEvents.ReleaseFollowed(ctx, rel.FollowerID, rel.FollowedID)",
		new:  "return nil",
		pkg:  "./functions", test: "TestFilteredComes",
		why: "what was filtered of somebody whom the user follows stays in the requests",
	},
	// What a user hears of.
	{
		file: "model/subscriptions.go", old: "+\" \"+string(notified), NotificationPost", new: ", NotificationPost",
		pkg: "./store/notifications", test: "TestPostRunInSteps",
		why: "one of two subscribers of a partition hears of a post",
	},
	{
		file: "model/subscriptions.go", old: "r != nil && !s.CreatedAt.Before(r.CreatedAt)", new: "r != nil",
		pkg: "./store/notifications", test: "TestSubscribers",
		why: "a subscription from before an unfollow notifies its user after another follow",
	},
	{
		file: "store/notifications/posts.go", old: "return true, s.Withdraw(ctx, n)", new: "return true, nil",
		pkg: "./store/notifications", test: "TestWithdrawPost",
		why: "the notification of a deleted post stays",
	},
	{
		file: "store/notifications/posts.go", old: "run.After = snaps[len(snaps)-1].Ref.ID", new: "run.After += \"\"",
		pkg: "./store/notifications", test: "TestPostRunInSteps",
		why: "each step notifies the first subscribers again, and the others hear nothing",
	},
	{
		file: "store/notifications/requests.go", old: "return !there.Found, tx.Update",
		new: "return there.Found, tx.Update",
		pkg: "./store/notifications", test: "TestAcceptRequestEnds",
		why: "a process that ends after an acceptance leaves events that nothing puts on",
	},
	{
		file: "store/notifications/events.go", old: " || !is.choice.Wants(n) ||\n", new: " ||\n",
		pkg: "./store/notifications", test: "TestUnwanted",
		why: "a user is notified against the settings or a mute",
	},
	{
		file: "store/notifications/events.go", old: "is.quiet.Silences(n) || is.silenced", new: "is.silenced",
		pkg: "./store/notifications", test: "TestQuietNotifications",
		why: "a user is notified of a muted user, and of what a filter hides",
	},
	{
		file: "store/notifications/reading.go", old: "all[i].About = new(t.Doc.FilterText())", new: "_ = all[i]",
		pkg: "./store/notifications", test: "TestQuietNotifications",
		why: "a busy user is notified of what a filter hides",
	},
	{
		file: "store/notifications/reading.go", old: "known.Muted[by] = m.Doc.Mute()", new: "_ = by",
		pkg: "./store/notifications", test: "TestQuietNotifications",
		why: "a user with too many entries for one document is notified of muted users",
	},
	{
		file: "store/internal/access/check.go", old: " &&\n\t\t!graph.Doc.Muted[actor].Silences(n, s.db.Now())", new: "",
		pkg: "./store/notifications", test: "TestQuietNotifications",
		why: "a like notifies a user who mutes its user, because nothing is read again within seconds",
	},
	{
		file: "functions/tweets.go", old: "\treturn errors.Join(failed...)\n", new: "\treturn failed[len(failed)-1]\n",
		pkg: "./functions", test: "TestMentionOfMany",
		why: "one full notification is never tried again, and its user never hears of the mention",
	},
	{
		file: "store/notifications/reading.go", old: "Found: own.Doc.Blocks[by]", new: "Found: false",
		pkg: "./store/notifications", test: "TestBlockedSince",
		why: "a like by a user whom the author has just blocked becomes a notification",
	},
	{
		file: "model/tweets.go", old: "t.QuoteOf != \"\" && t.Visibility.open() &&", new: "t.QuoteOf != \"\" &&",
		pkg: "./functions", test: "TestNotifyQuote",
		why: "an author hears of quotes that are for others",
	},
	{
		file: "store/notifications/edits.go", old: "share.CreatedAt.After(r.ReplacedAt)", new: "false",
		pkg: "./store/notifications", test: "TestNotifyEdit",
		why: "users hear of an edit from before they shared the tweet",
	},
	{
		file: "store/notifications/edits.go", old: "t.Doc.AudiencePartition() != model.OpenAudiencePartition ||\n\t\t",
		new: "",
		pkg: "./store/notifications", test: "TestNotifyEdit",
		why: "strangers hear that a tweet was edited which they may not see any more",
	},
	{
		file: "model/noticesettings.go", old: "if n.BesideReply() && !slices.Contains(s.Off, NotificationReply) {",
		new: "if n.BesideReply() {",
		pkg: "./store/notifications", test: "TestMentionBesideReply",
		why: "a user who wants mentions and no replies is not notified of a reply with a mention",
	},
	{
		file: "store/notifications/reading.go",
		old:  "case embedded < model.EmbeddedActors && (len(c.Actors) > 0 || !c.found):",
		new:  "case embedded < model.EmbeddedActors:",
		pkg:  "./store/notifications", test: "TestManyActors",
		why: "a user of an older notification is counted twice",
	},

	// What is taken back.
	{
		file: "store/notifications/withdraw.go", old: "b.Create(ref, dropped)", new: "_ = dropped",
		pkg: "./store/notifications", test: "TestWithdrawFirst",
		why: "an author is notified of a like that was withdrawn before its event",
	},
	{
		file: "store/notifications/events.go", old: "if !missing || p.complete() {", new: "if true {",
		pkg: "./store/notifications", test: "TestWithdrawOfMany",
		why: "a notification of many shows fewer and fewer of them",
	},
	{
		file: "store/notifications/events.go", old: "full, missing := len(p.Records) == model.NotificationRecords, false",
		new: "full, missing := false, false",
		pkg: "./store/notifications", test: "TestFlushOffAndOn",
		why: "a notification shows nine of the newest, because the tenth left while others came",
	},
	{
		file: "store/notifications/events.go", old: "if time.Since(begun) >= blockReconciles || ",
		new: "if time.Since(begun) < 0 || ",
		pkg: "./store/notifications", test: "TestPutOnSlowlyBesideBlock",
		why: "a slow process puts a blocked user on a notification, and nothing takes the user off",
	},
	{
		file: "store/notifications/events.go", old: "	return users <= int64(len(c.Records))",
		new: "	return users <= 1+int64(len(c.Records))",
		pkg: "./store/notifications", test: "TestWithdrawFromFull",
		why: "a notification of ten users shows nine, after one of eleven left",
	},
	{
		file: "store/notifications/events.go", old: "if !missing || p.complete() {", new: "if !missing {",
		pkg: "./store/notifications", test: "TestWithdrawFromFull",
		why: "an unlike asks a query for records that there are not",
	},
	{
		file: "store/notifications/events.go", old: " || s.late(is, results) {",
		new: " || false && s.late(is, results) {",
		pkg: "./store/notifications", test: "TestYoungBesideBlock",
		why: "a like that was checked before a block is put on after the search of the block, and nothing takes it off",
	},
	{
		file: "store/notifications/reading.go", old: " && now.Sub(n.AllowedAt) < blockReconciles", new: "",
		pkg: "./store/notifications", test: "TestYoung",
		why: "an old like notifies a user who has blocked the actor since",
	},
	{
		file: "store/notifications/together.go", old: "		joined.Add(b)\n", new: "",
		pkg: "./store/notifications", test: "TestTogether",
		why: "the likes of a crowd are not counted",
	},
	{
		file: "store/notifications/together.go", old: " && !is.Withdrawn && !is.Dropped", new: "",
		pkg: "./store/notifications", test: "TestTogetherWithdrawnTwice",
		why: "a notification event of a hot user leaves twice, and takes another one with it",
	},
	{
		file: "store/notifications/events.go", old: "case news > 0 || !had:", new: "case news < 0 && had:",
		pkg: "./store/notifications", test: "TestWithdraw",
		why: "a notification counts as unread for a like that was taken back",
	},
	{
		file: "functions/tweets.go", old: "func() error { return h.withdrawTweet(ctx, t) },", new: "",
		pkg: "./functions", test: "TestTakenBack",
		why: "a deleted reply is an unread notification",
	},

	{
		file: "store/notifications/blocked.go", old: "on = append(on, n)",
		new: "if !n.Pending {\n\t\t\t\ton = append(on, n)\n\t\t\t}",
		pkg: "./store/notifications", test: "TestWithdrawBlocked",
		why: "an event that is pending during a block appears after an unblock",
	},
	{
		file: "store/verify/notifications.go", old: " || n.Type.Blockable() && u.BlockWith(n.Payload.UserID)", new: "",
		pkg: "./store/notifications", test: "TestVerifyBlocked",
		why: "what a blocked user did stays on notifications for ever if the event of the block is lost",
	},

	// Flushes, and notification events whose process ended.
	{
		file: "store/notifications/flush.go", old: "b.Update(snap.Ref, became(&notificationEvents[i]), " +
			"firestore.LastUpdateTime(snap.UpdateTime))", new: "b.Update(snap.Ref, became(&notificationEvents[i]))",
		pkg: "./store/notifications", test: "TestWithdrawDuringFlush",
		why: "a flush puts a like on a notification that was taken back meanwhile",
	},
	{
		file: "store/notifications/flush.go", old: "db.Pause(ctx, s.after)", new: "db.Pause(ctx, s.after*0)",
		pkg: "./store/notifications", test: "TestFlushWaits",
		why: "the list of a hot user is written once for each event",
	},
	{
		file: "store/notifications/log.go", old: "	return s.enqueueFlush(ctx, partition)", new: "	return nil",
		pkg: "./store/notifications", test: "TestNotifyAfterACrash",
		why: "an event whose process ended is on no notification",
	},

	// Lists.
	{
		file: "store/internal/notificationlists/lists.go",
		old:  "b.Update(ref, updates, firestore.LastUpdateTime(is.Snap.UpdateTime))", new: "b.Update(ref, updates)",
		pkg: "./store/notifications", test: "TestDayLeavesMeanwhile",
		why: "a change of a notification whose day left the list meanwhile is lost",
	},
	{
		file: "store/internal/notificationlists/room.go", old: "listed.ExpireAt.After(expireAt)",
		new: "listed.ExpireAt.Before(expireAt)",
		pkg: "./store/notifications", test: "TestNewestListOutlivesDays",
		why: "the last notifications of a busy day are on no page for their last hours",
	},
	{
		file: "store/verify/notifications.go", old: "a.db.Now().Before(is.Goes) && is.Counted", new: "is.Counted",
		pkg: "./store/verify", test: "TestExpiredDay",
		why: "verify reports a day whose lists have expired",
	},
	{
		file: "model/notificationlists.go", old: "if n.ExpireAt.Before(d.GoesAt) {", new: "if false {",
		pkg: "./store/notifications", test: "TestNotificationDays",
		why: "expired notifications count as unread after the operator chose another number of days",
	},
	{
		file: "store/notifications/events.go", old: "n.At.Add(s.db.NotificationWindow)", new: "n.ExpireAt",
		pkg: "./store/notifications", test: "TestNotificationDays",
		why: "the operator's number of days makes no difference",
	},

	// Counts in the commits of notification events.
	{
		file: "store/notifications/counted.go", old: "	sharded, ok := logged.Counted[c.effect.Mark()]",
		new: "	sharded, ok := false, false",
		pkg: "./store/notifications", test: "TestCountedOnce",
		why: "a like whose event comes again counts again",
	},
	{
		file: "store/notifications/counted.go", old: "	return e.Resume(ctx, sharded)", new: "	return nil",
		pkg: "./store/notifications", test: "TestCountedInShard",
		why: "a like that a process counted in a shard before it ended is in no count",
	},
	{
		file: "store/notifications/counted.go", old: "!alone || !c.young ||", new: "!alone ||",
		pkg: "./store/notifications", test: "TestCountedOldLike",
		why: "the end of an old like counts twice if one of two processes finds no notification event",
	},

	// What a notification shows.
	{
		file: "api/notifications.go", old: "if visible[id] {", new: "if true {",
		pkg: "./api", test: "TestExcerpts",
		why: "a notification shows a tweet that was narrowed since",
	},

	// Devices.
	{
		file: "store/notifications/devices.go", old: "ok && is.Same(was) && is.At.Equal(was.At)",
		new: "ok && (true || is.Same(was))",
		pkg: "./store/notifications", test: "TestNotifyDevices",
		why: "a device that was registered anew a moment ago is removed as gone",
	},
	{
		file: "model/devices.go", old: "about.Visibility == Public &&", new: "",
		pkg: "./model", test: "TestDeviceMessage",
		why: "push services get the text of tweets that are not for everybody",
	},
	{
		file: "model/devices.go", old: "n.CountTweets > before.CountTweets && n.UpdatedAt.Sub(before.UpdatedAt) >= SendEvery",
		new: "true",
		pkg: "./functions", test: "TestNotifyDevices",
		why: "a thousand likes make a phone ring a thousand times",
	},

	// Events during acts of the user, and in small steps.
	{
		file: "store/notifications/notifications.go", old: "was.News == n.News && was.Reads", new: "was.Reads",
		pkg: "./store/notifications", test: "TestMarkAllReadBeside",
		why: "a user who marks all as read never sees an event of that moment",
	},

	// Lists.
	{
		file: "store/internal/notificationlists/lists.go",
		old:  "list.Found && list.Doc.Parts != l.Newest.Doc.Days[dayOf(id)].Parts", new: "false && list.Found",
		pkg: "./store/notifications", test: "TestListsAtOnce",
		why: "an event goes to a list that its notification has just left, and shows twice",
	},
	{
		file: "store/internal/notificationlists/lists.go", old: "unread[dayOf(place)] += count(n) - count(&was)",
		new: "unread[dayOf(place)] += count(n) - 0*count(&was)",
		pkg: "./store/notifications", test: "TestLists",
		why: "a notification of a day that left the newest list stays unread when it is read",
	},
	{
		file: "store/internal/notificationlists/room.go", old: "listed.Unread += count(&n)", new: "",
		pkg: "./store/notifications", test: "TestLists",
		why: "notifications that leave the newest list no longer count as unread",
	},
	{
		file: "store/notifications/flush.go", old: "if err != nil || all && len(snaps)",
		new: "if err != nil || (all || !all) && len(snaps)",
		pkg: "./store/notifications", test: "TestFlushOutOfTime",
		why: "the rest of a slow flush waits for another event, or stays pending",
	},
}
