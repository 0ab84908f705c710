// Generated from api/openapi.json by `go run ./clients/generate`. Do not edit.
package org.hibana.client

import java.util.UUID

/** List administrative acts, newest first */
suspend fun Hibana.listActions(pageSize: Long? = null, pageToken: String? = null, by: String? = null, user: String? = null, tweet: String? = null, product: String? = null, order: String? = null): ListAction =
    ListAction.from(send("GET", "/v1/admin/actions", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "by" to by, "user" to user, "tweet" to tweet, "product" to product, "order" to order)).json)

/** List agents, newest first */
suspend fun Hibana.listAgents(pageSize: Long? = null, pageToken: String? = null): ListAgent =
    ListAgent.from(send("GET", "/v1/admin/agents", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Make or change the agent of a user */
suspend fun Hibana.putAgent(body: NewAgent, uid: String): Agent =
    Agent.from(send("PUT", "/v1/admin/agents/${segment(uid)}", body = body.json()).json)

/** List the acts of an agent, newest first */
suspend fun Hibana.listAgentActs(uid: String, pageSize: Long? = null, pageToken: String? = null): ListAgentAct =
    ListAgentAct.from(send("GET", "/v1/admin/agents/${segment(uid)}/acts", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Remove an AI model */
suspend fun Hibana.removeAIModel(label: String) {
    send("DELETE", "/v1/admin/ai-models/${segment(label)}")
}

/** Add or replace an AI model */
suspend fun Hibana.putAIModel(body: NewAIModel, label: String): AIModel =
    AIModel.from(send("PUT", "/v1/admin/ai-models/${segment(label)}", body = body.json()).json)

/** List all announcements, also those that start later or have ended */
suspend fun Hibana.listAllAnnouncements(format: String? = null): ListAnnouncement =
    ListAnnouncement.from(send("GET", "/v1/admin/announcements", query = mapOf("format" to format)).json)

/** Remove an announcement */
suspend fun Hibana.removeAnnouncement(id: String) {
    send("DELETE", "/v1/admin/announcements/${segment(id)}")
}

/** Make or replace an announcement */
suspend fun Hibana.putAnnouncement(body: NewAnnouncement, id: String): Announcement =
    Announcement.from(send("PUT", "/v1/admin/announcements/${segment(id)}", body = body.json()).json)

/** List the appeals that wait for an answer, oldest first */
suspend fun Hibana.listAppeals(pageSize: Long? = null, pageToken: String? = null): ListAppeal =
    ListAppeal.from(send("GET", "/v1/admin/appeals", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Answer an appeal */
suspend fun Hibana.answerAppeal(body: AnswerAppealRequest, id: String): Appeal =
    Appeal.from(send("PUT", "/v1/admin/appeals/${segment(id)}", body = body.json()).json)

/** Read a notification event */
suspend fun Hibana.getEvent(eventId: String): Event =
    Event.from(send("GET", "/v1/admin/events/${segment(eventId)}").json)

/** List the domains of the fediverse that have a rule */
suspend fun Hibana.listFediverseDomains(after: String? = null, limit: Long? = null): FediverseDomains =
    FediverseDomains.from(send("GET", "/v1/admin/fediverse-domains", query = mapOf("after" to after, "limit" to limit?.toString())).json)

/** Import a list of domains of the fediverse */
suspend fun Hibana.importFediverseDomains(body: FediverseDomainList): FediverseImport =
    FediverseImport.from(send("POST", "/v1/admin/fediverse-domains", body = body.json()).json)

/** Remove the rule for a domain of the fediverse */
suspend fun Hibana.removeFediverseDomain(domain: String) {
    send("DELETE", "/v1/admin/fediverse-domains/${segment(domain)}")
}

/** Set the rule for a domain */
suspend fun Hibana.putFediverseDomain(body: NewFediverseDomain, domain: String) {
    send("PUT", "/v1/admin/fediverse-domains/${segment(domain)}", body = body.json())
}

/** Change what the installation says of itself */
suspend fun Hibana.changeInstance(body: InstancePatch): Instance =
    Instance.from(send("PATCH", "/v1/admin/instance", body = body.json()).json)

/** List invitations, newest first */
suspend fun Hibana.listInvitations(pageSize: Long? = null, pageToken: String? = null): ListInvitation =
    ListInvitation.from(send("GET", "/v1/admin/invitations", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Make an invitation */
suspend fun Hibana.invite(body: NewInvitation): Invitation =
    Invitation.from(send("POST", "/v1/admin/invitations", body = body.json()).json)

/** Remove an invitation */
suspend fun Hibana.uninvite(code: String) {
    send("DELETE", "/v1/admin/invitations/${segment(code)}")
}

/** List the orders of all users that have a state, oldest first */
suspend fun Hibana.listAllOrders(pageSize: Long? = null, pageToken: String? = null, status: String? = null): ListOrder =
    ListOrder.from(send("GET", "/v1/admin/orders", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "status" to status)).json)

/** List open reports, oldest first */
suspend fun Hibana.listReports(pageSize: Long? = null, pageToken: String? = null, counts: Boolean? = null): ListReport =
    ListReport.from(send("GET", "/v1/admin/reports", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "counts" to counts?.toString())).json)

/** Resolve a report */
suspend fun Hibana.resolveReport(body: ResolveReportRequest, id: String): Report =
    Report.from(send("PUT", "/v1/admin/reports/${segment(id)}", body = body.json()).json)

/** Let people sign up again from an e-mail domain or a network */
suspend fun Hibana.unblockSignUps(of: String) {
    send("DELETE", "/v1/admin/sign-up-blocks", query = mapOf("of" to of))
}

/** List the e-mail domains and networks from which nobody signs up */
suspend fun Hibana.listSignUpBlocks(): SignUpBlocks =
    SignUpBlocks.from(send("GET", "/v1/admin/sign-up-blocks").json)

/** Let nobody sign up from an e-mail domain or a network */
suspend fun Hibana.blockSignUps(body: NewSignUpBlock, of: String) {
    send("PUT", "/v1/admin/sign-up-blocks", query = mapOf("of" to of), body = body.json())
}

/** List the sign-ups that wait for approval, oldest first */
suspend fun Hibana.listSignUps(pageSize: Long? = null, pageToken: String? = null): ListSignUp =
    ListSignUp.from(send("GET", "/v1/admin/sign-ups", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Approve a sign-up: the user has the profile */
suspend fun Hibana.approveSignUp(uid: String, askedAt: String? = null): User =
    User.from(send("PUT", "/v1/admin/sign-ups/${segment(uid)}/approval", query = mapOf("askedAt" to askedAt)).json)

/** Refuse a sign-up */
suspend fun Hibana.refuseSignUp(body: RefusedSignUp, uid: String) {
    send("PUT", "/v1/admin/sign-ups/${segment(uid)}/refusal", body = body.json())
}

/** Compare a home timeline with its source documents */
suspend fun Hibana.auditTimeline(uid: String, settle: Long? = null): TimelineAudit =
    TimelineAudit.from(send("GET", "/v1/admin/timelines/${segment(uid)}/audit", query = mapOf("settle" to settle?.toString())).json)

/** Read the decisions about trends, and what waits for one */
suspend fun Hibana.getTrendReview(): TrendReview =
    TrendReview.from(send("GET", "/v1/admin/trends").json)

/** Say whether trends need review */
suspend fun Hibana.needTrendReview(body: NeedTrendReviewRequest) {
    send("PUT", "/v1/admin/trends/review", body = body.json())
}

/** Decide whether a tag may be a trend */
suspend fun Hibana.reviewTag(body: TrendDecisionBody, tag: String) {
    send("PUT", "/v1/admin/trends/tags/${segment(tag)}", body = body.json())
}

/** Decide whether a tweet may be a trend */
suspend fun Hibana.reviewTweet(body: TrendDecisionBody, id: String) {
    send("PUT", "/v1/admin/trends/tweets/${segment(id)}", body = body.json())
}

/** Edit a tweet of any author */
suspend fun Hibana.editAnyTweet(body: EditedTweet, id: String, ifMatch: String? = null): Tweet =
    Tweet.from(send("PATCH", "/v1/admin/tweets/${segment(id)}", headers = mapOf("If-Match" to ifMatch), body = body.json()).json)

/** Take the flag of a tweet away */
suspend fun Hibana.unflagTweet(id: String, reason: String? = null) {
    send("DELETE", "/v1/admin/tweets/${segment(id)}/flag", query = mapOf("reason" to reason))
}

/** Flag a tweet as violative */
suspend fun Hibana.flagTweet(body: Reason, id: String, ifMatch: String? = null) {
    send("PUT", "/v1/admin/tweets/${segment(id)}/flag", headers = mapOf("If-Match" to ifMatch), body = body.json())
}

/** Make an account with a profile */
suspend fun Hibana.importUser(body: ImportedUser): User =
    User.from(send("POST", "/v1/admin/users", body = body.json()).json)

/** Change or clear fields of any profile */
suspend fun Hibana.editUser(body: EditedUser, uid: String): User =
    User.from(send("PATCH", "/v1/admin/users/${segment(uid)}", body = body.json()).json)

/** Follow, like or block in the name of a user */
suspend fun Hibana.actFor(body: ActFor, uid: String) {
    send("POST", "/v1/admin/users/${segment(uid)}/acts", body = body.json())
}

/** List the users who block a user, newest first */
suspend fun Hibana.listBlockers(uid: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListPerson =
    ListPerson.from(send("GET", "/v1/admin/users/${segment(uid)}/blockers", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Restore a frozen account */
suspend fun Hibana.unfreezeUser(uid: String, reason: String? = null): Standing =
    Standing.from(send("DELETE", "/v1/admin/users/${segment(uid)}/freeze", query = mapOf("reason" to reason)).json)

/** Freeze an account */
suspend fun Hibana.freezeUser(body: Reason, uid: String): Standing =
    Standing.from(send("PUT", "/v1/admin/users/${segment(uid)}/freeze", body = body.json()).json)

/** List what moderators noted on a user, newest first */
suspend fun Hibana.listNotes(uid: String, pageSize: Long? = null, pageToken: String? = null): ListNote =
    ListNote.from(send("GET", "/v1/admin/users/${segment(uid)}/notes", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Note something on a user, for moderators */
suspend fun Hibana.createNote(body: CreateNoteRequest, uid: String): Note =
    Note.from(send("POST", "/v1/admin/users/${segment(uid)}/notes", body = body.json()).json)

/** Cancel an order of a user that was not shipped */
suspend fun Hibana.cancelOrderOf(uid: String, id: String): Order =
    Order.from(send("POST", "/v1/admin/users/${segment(uid)}/orders/${segment(id)}/cancel").json)

/** Note that a confirmed order of a user was shipped */
suspend fun Hibana.shipOrder(uid: String, id: String): Order =
    Order.from(send("POST", "/v1/admin/users/${segment(uid)}/orders/${segment(id)}/ship").json)

/** Send the account's address a letter to set another password */
suspend fun Hibana.resetPassword(body: Reason, uid: String) {
    send("POST", "/v1/admin/users/${segment(uid)}/passwordReset", body = body.json())
}

/** Read what an account may do */
suspend fun Hibana.getStanding(uid: String): Standing =
    Standing.from(send("GET", "/v1/admin/users/${segment(uid)}/standing").json)

/** Restore a suspended account */
suspend fun Hibana.unsuspendUser(uid: String, reason: String? = null): Standing =
    Standing.from(send("DELETE", "/v1/admin/users/${segment(uid)}/suspend", query = mapOf("reason" to reason)).json)

/** Suspend an account */
suspend fun Hibana.suspendUser(body: Reason, uid: String): Standing =
    Standing.from(send("PUT", "/v1/admin/users/${segment(uid)}/suspend", body = body.json()).json)

/** Post a tweet in the name of a user */
suspend fun Hibana.importTweet(body: ImportedTweet, uid: String): Tweet =
    Tweet.from(send("POST", "/v1/admin/users/${segment(uid)}/tweets", body = body.json()).json)

/** Find an account by its e-mail address */
suspend fun Hibana.findAccount(body: AccountByEmail, format: String? = null): Account =
    Account.from(send("POST", "/v1/admin/users:byEmail", query = mapOf("format" to format), body = body.json()).json)

/** Compare the counts, the author copy and the preview of a tweet with the source documents */
suspend fun Hibana.verifyTweet(id: String, settle: Long? = null): Differences =
    Differences.from(send("GET", "/v1/admin/verify/tweets/${segment(id)}", query = mapOf("settle" to settle?.toString())).json)

/** Repair the counts, the author copy and the preview of a tweet */
suspend fun Hibana.repairTweet(body: RepairTweetRequest, id: String, settle: Long? = null): Repairs =
    Repairs.from(send("POST", "/v1/admin/verify/tweets/${segment(id)}/repair", query = mapOf("settle" to settle?.toString()), body = body.json()).json)

/** Compare everything derived for a user with the source documents */
suspend fun Hibana.verifyUser(uid: String, settle: Long? = null): Differences =
    Differences.from(send("GET", "/v1/admin/verify/users/${segment(uid)}", query = mapOf("settle" to settle?.toString())).json)

/** Repair everything derived for a user */
suspend fun Hibana.repairUser(body: RepairUserRequest, uid: String, settle: Long? = null): Repairs =
    Repairs.from(send("POST", "/v1/admin/verify/users/${segment(uid)}/repair", query = mapOf("settle" to settle?.toString()), body = body.json()).json)

/** List the webhooks, without their secrets */
suspend fun Hibana.listWebhooks(): Webhooks =
    Webhooks.from(send("GET", "/v1/admin/webhooks").json)

/** Add a webhook */
suspend fun Hibana.addWebhook(body: NewWebhook): Webhook =
    Webhook.from(send("POST", "/v1/admin/webhooks", body = body.json()).json)

/** Remove a webhook */
suspend fun Hibana.removeWebhook(id: String) {
    send("DELETE", "/v1/admin/webhooks/${segment(id)}")
}

/** Change a webhook, or switch it on or off */
suspend fun Hibana.changeWebhook(body: WebhookPatch, id: String): Webhook =
    Webhook.from(send("PATCH", "/v1/admin/webhooks/${segment(id)}", body = body.json()).json)

/** Send an event without data to a webhook */
suspend fun Hibana.pingWebhook(id: String) {
    send("POST", "/v1/admin/webhooks/${segment(id)}/ping")
}

/** Give a webhook another secret */
suspend fun Hibana.renewWebhookSecret(id: String): Webhook =
    Webhook.from(send("POST", "/v1/admin/webhooks/${segment(id)}/secret").json)

/** List the AI models that profiles may name, with their prices */
suspend fun Hibana.listAIModels(): AiModelsOutputBody =
    AiModelsOutputBody.from(send("GET", "/v1/ai-models").json)

/** Read which accounts on other servers are the caller's, too */
suspend fun Hibana.getAliases(): Aliases =
    Aliases.from(send("GET", "/v1/aliases").json)

/** Say which accounts on other servers are the caller's, too */
suspend fun Hibana.putAliases(body: Aliases): Aliases =
    Aliases.from(send("PUT", "/v1/aliases", body = body.json()).json)

/** List the announcements that show now, the one that started last first */
suspend fun Hibana.listAnnouncements(format: String? = null): ListAnnouncement =
    ListAnnouncement.from(send("GET", "/v1/announcements", query = mapOf("format" to format)).json)

/** Dismiss an announcement */
suspend fun Hibana.dismissAnnouncement(id: String) {
    send("PUT", "/v1/announcements/${segment(id)}/dismissed")
}

/** List the apps that the caller let in */
suspend fun Hibana.listApps(): AuthorizedApps =
    AuthorizedApps.from(send("GET", "/v1/authorizations").json)

/** Let an app in */
suspend fun Hibana.authorizeApp(body: AuthorizationRequest): Authorization =
    Authorization.from(send("POST", "/v1/authorizations", body = body.json()).json)

/** Let an app out */
suspend fun Hibana.removeApp(id: String) {
    send("DELETE", "/v1/authorizations/${segment(id)}")
}

/** Check what an app asks for, without an answer */
suspend fun Hibana.getAuthorizationRequest(body: AuthorizationRequest): RequestedAuthorization =
    RequestedAuthorization.from(send("POST", "/v1/authorizations:check", body = body.json()).json)

/** Read the cart of the caller, with what its products cost now */
suspend fun Hibana.getCart(): Cart =
    Cart.from(send("GET", "/v1/cart").json)

/** Take a product out of the cart */
suspend fun Hibana.removeCartItem(id: String) {
    send("DELETE", "/v1/cart/items/${segment(id)}")
}

/** Put a quantity of a product into the cart, in the place of the quantity that is there */
suspend fun Hibana.putCartItem(body: PutItemInputBody, id: String) {
    send("PUT", "/v1/cart/items/${segment(id)}", body = body.json())
}

/** Take over the cart of the guest that the caller was before */
suspend fun Hibana.mergeCarts(body: MergeInputBody): Cart =
    Cart.from(send("POST", "/v1/cart/merge", body = body.json()).json)

/** Say which prices the caller was shown */
suspend fun Hibana.seeCart(body: SeeCartInputBody) {
    send("PUT", "/v1/cart/seen", body = body.json())
}

/** List the conversations of the caller, newest first */
suspend fun Hibana.listConversations(pageSize: Long? = null, pageToken: String? = null, requests: Boolean? = null): ListConversation =
    ListConversation.from(send("GET", "/v1/conversations", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "requests" to requests?.toString())).json)

/** Begin a conversation, and send its first message */
suspend fun Hibana.createConversation(body: NewConversation, idempotencyKey: String = UUID.randomUUID().toString()): Conversation =
    Conversation.from(send("POST", "/v1/conversations", headers = mapOf("Idempotency-Key" to idempotencyKey), body = body.json()).json)

/** Search the messages of the caller by words */
suspend fun Hibana.searchMessages(query: String, conversationId: String? = null, pageToken: String? = null): ListFoundMessage =
    ListFoundMessage.from(send("GET", "/v1/conversations/search", query = mapOf("query" to query, "conversationId" to conversationId, "pageToken" to pageToken)).json)

/** Count the unread conversations of the caller, and the requests */
suspend fun Hibana.countUnreadConversations(since: String? = null): UnreadConversations =
    UnreadConversations.from(send("GET", "/v1/conversations/unreadCount", query = mapOf("since" to since)).json)

/** Delete the messages of a conversation for the caller */
suspend fun Hibana.clearConversation(id: String) {
    send("DELETE", "/v1/conversations/${segment(id)}")
}

/** Read a conversation of the caller */
suspend fun Hibana.getConversation(id: String): Conversation =
    Conversation.from(send("GET", "/v1/conversations/${segment(id)}").json)

/** Name a conversation of several, or mute one */
suspend fun Hibana.changeConversation(body: ConversationPatch, id: String) {
    send("PATCH", "/v1/conversations/${segment(id)}", body = body.json())
}

/** Consent to a conversation that a stranger began */
suspend fun Hibana.acceptConversation(id: String) {
    send("POST", "/v1/conversations/${segment(id)}/accept")
}

/** Leave a conversation of several, for ever */
suspend fun Hibana.leaveConversation(id: String) {
    send("POST", "/v1/conversations/${segment(id)}/leave")
}

/** List the messages of a conversation, newest first */
suspend fun Hibana.listMessages(id: String, pageToken: String? = null): MessageList =
    MessageList.from(send("GET", "/v1/conversations/${segment(id)}/messages", query = mapOf("pageToken" to pageToken)).json)

/** Send a message */
suspend fun Hibana.sendMessage(body: MessageText, id: String, idempotencyKey: String = UUID.randomUUID().toString()): Message =
    Message.from(send("POST", "/v1/conversations/${segment(id)}/messages", headers = mapOf("Idempotency-Key" to idempotencyKey), body = body.json()).json)

/** Take a message of the caller back, or delete one for the caller alone */
suspend fun Hibana.deleteMessage(id: String, messageId: String, `for`: String? = null) {
    send("DELETE", "/v1/conversations/${segment(id)}/messages/${segment(messageId)}", query = mapOf("for" to `for`))
}

/** Take the caller's reaction to a message back */
suspend fun Hibana.unreactToMessage(id: String, messageId: String) {
    send("DELETE", "/v1/conversations/${segment(id)}/messages/${segment(messageId)}/reaction")
}

/** React to a message with an emoji */
suspend fun Hibana.reactToMessage(body: ReactToMessageRequest, id: String, messageId: String) {
    send("PUT", "/v1/conversations/${segment(id)}/messages/${segment(messageId)}/reaction", body = body.json())
}

/** Note that the caller has read a conversation up to a message */
suspend fun Hibana.readConversation(body: ReadConversationRequest, id: String) {
    send("PUT", "/v1/conversations/${segment(id)}/read", body = body.json())
}

/** Refuse a conversation that a stranger began */
suspend fun Hibana.refuseConversation(id: String) {
    send("POST", "/v1/conversations/${segment(id)}/refuse")
}

/** List the people who want to be found */
suspend fun Hibana.listDirectory(order: String? = null, language: String? = null, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListUserSummary =
    ListUserSummary.from(send("GET", "/v1/directory", query = mapOf("order" to order, "language" to language, "pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List the drafts of the caller, newest first */
suspend fun Hibana.listDrafts(pageSize: Long? = null, pageToken: String? = null): ListDraft =
    ListDraft.from(send("GET", "/v1/drafts", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Save a draft, or schedule a tweet */
suspend fun Hibana.createDraft(body: NewDraft, idempotencyKey: String = UUID.randomUUID().toString()): Draft =
    Draft.from(send("POST", "/v1/drafts", headers = mapOf("Idempotency-Key" to idempotencyKey), body = body.json()).json)

/** Delete a draft of the caller */
suspend fun Hibana.deleteDraft(id: String) {
    send("DELETE", "/v1/drafts/${segment(id)}")
}

/** Read a draft of the caller */
suspend fun Hibana.getDraft(id: String): Draft =
    Draft.from(send("GET", "/v1/drafts/${segment(id)}").json)

/** Put another text and time into a draft */
suspend fun Hibana.changeDraft(body: NewDraft, id: String, ifMatch: String? = null): Draft =
    Draft.from(send("PUT", "/v1/drafts/${segment(id)}", headers = mapOf("If-Match" to ifMatch), body = body.json()).json)

/** Post a draft now */
suspend fun Hibana.publishDraft(id: String): Outcome<Tweet, HeldNotice> =
    outcome(send("POST", "/v1/drafts/${segment(id)}/publish"), Tweet::from, HeldNotice::from)

/** List the replies that wait for the caller's approval, newest first */
suspend fun Hibana.listHeldReplies(pageSize: Long? = null, pageToken: String? = null): ListHeldReply =
    ListHeldReply.from(send("GET", "/v1/heldReplies", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Refuse a reply that waits for the caller, or withdraw one of the caller's */
suspend fun Hibana.removeHeldReply(id: String) {
    send("DELETE", "/v1/heldReplies/${segment(id)}")
}

/** Approve a reply that waits for the caller */
suspend fun Hibana.approveHeldReply(id: String): Tweet =
    Tweet.from(send("POST", "/v1/heldReplies/${segment(id)}/approve").json)

/** Read what the installation says of itself: its rules, terms, languages and limits */
suspend fun Hibana.getInstance(format: String? = null): Instance =
    Instance.from(send("GET", "/v1/instance", query = mapOf("format" to format)).json)

/** Read how far an account deletion is */
suspend fun Hibana.getLeaving(id: String): Leaving =
    Leaving.from(send("GET", "/v1/leavings/${segment(id)}").json)

/** Read the card of a linked web page */
suspend fun Hibana.getLinkCard(url: String): LinkCardFound =
    LinkCardFound.from(send("GET", "/v1/linkCards", query = mapOf("url" to url)).json)

/** List the lists of the caller, newest first */
suspend fun Hibana.listLists(member: String? = null): ListPeopleList =
    ListPeopleList.from(send("GET", "/v1/lists", query = mapOf("member" to member)).json)

/** Make a list of people */
suspend fun Hibana.createList(body: NewList, idempotencyKey: String = UUID.randomUUID().toString()): PeopleList =
    PeopleList.from(send("POST", "/v1/lists", headers = mapOf("Idempotency-Key" to idempotencyKey), body = body.json()).json)

/** Delete a list of the caller */
suspend fun Hibana.deleteList(id: String) {
    send("DELETE", "/v1/lists/${segment(id)}")
}

/** Read a list of the caller */
suspend fun Hibana.getList(id: String): PeopleList =
    PeopleList.from(send("GET", "/v1/lists/${segment(id)}").json)

/** Change a list of the caller */
suspend fun Hibana.updateList(body: ListChange, id: String) {
    send("PATCH", "/v1/lists/${segment(id)}", body = body.json())
}

/** List the members of a list of the caller, newest first */
suspend fun Hibana.listListMembers(id: String, format: String? = null): ListUserSummary =
    ListUserSummary.from(send("GET", "/v1/lists/${segment(id)}/members", query = mapOf("format" to format)).json)

/** Take a user off a list of the caller */
suspend fun Hibana.removeListMember(id: String, uid: String) {
    send("DELETE", "/v1/lists/${segment(id)}/members/${segment(uid)}")
}

/** Put a user on a list of the caller */
suspend fun Hibana.addListMember(id: String, uid: String) {
    send("PUT", "/v1/lists/${segment(id)}/members/${segment(uid)}")
}

/** List what the members of a list of the caller wrote, newest first */
suspend fun Hibana.getListTimeline(id: String, pageSize: Long? = null, pageToken: String? = null, before: String? = null, format: String? = null): ListTweet =
    ListTweet.from(send("GET", "/v1/lists/${segment(id)}/timeline", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "before" to before, "format" to format)).json)

/** Announce the upload of a picture or video */
suspend fun Hibana.createMedia(body: NewMedia): CreatedMedia =
    CreatedMedia.from(send("POST", "/v1/media", body = body.json()).json)

/** Delete an upload of the caller */
suspend fun Hibana.deleteMedia(id: String, reason: String? = null) {
    send("DELETE", "/v1/media/${segment(id)}", query = mapOf("reason" to reason))
}

/** Read how far an upload of the caller is */
suspend fun Hibana.getMedia(id: String): Media =
    Media.from(send("GET", "/v1/media/${segment(id)}").json)

/** Describe an upload of the caller */
suspend fun Hibana.changeMedia(body: ChangeMediaInputBody, id: String): Media =
    Media.from(send("PATCH", "/v1/media/${segment(id)}", body = body.json()).json)

/** Move the caller's account to another server */
suspend fun Hibana.moveAway(body: Move) {
    send("POST", "/v1/move", body = body.json())
}

/** List the caller's notifications, last changed first */
suspend fun Hibana.listNotifications(filter: String? = null, day: String? = null, brief: Boolean? = null, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListNotification =
    ListNotification.from(send("GET", "/v1/notifications", query = mapOf("filter" to filter, "day" to day, "brief" to brief?.toString(), "pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Mark all of the caller's notifications as read */
suspend fun Hibana.readNotifications(until: String? = null) {
    send("PUT", "/v1/notifications/read", query = mapOf("until" to until))
}

/** Count the caller's unread notifications */
suspend fun Hibana.countUnreadNotifications(): UnreadCount =
    UnreadCount.from(send("GET", "/v1/notifications/unreadCount").json)

/** Mark a notification as read */
suspend fun Hibana.readNotification(id: String) {
    send("PUT", "/v1/notifications/${segment(id)}/read")
}

/** List the orders of the caller, newest first */
suspend fun Hibana.listOrders(pageSize: Long? = null, pageToken: String? = null): ListOrder =
    ListOrder.from(send("GET", "/v1/orders", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Order what is in the cart */
suspend fun Hibana.placeOrder(body: PlaceOrderInputBody, idempotencyKey: String = UUID.randomUUID().toString()): Order =
    Order.from(send("POST", "/v1/orders", headers = mapOf("Idempotency-Key" to idempotencyKey), body = body.json()).json)

/** Read an order of the caller */
suspend fun Hibana.getOrder(id: String): Order =
    Order.from(send("GET", "/v1/orders/${segment(id)}").json)

/** Cancel an order of the caller that was not shipped */
suspend fun Hibana.cancelOrder(id: String): Order =
    Order.from(send("POST", "/v1/orders/${segment(id)}/cancel").json)

/** List the products that are for sale */
suspend fun Hibana.listProducts(sort: String? = null, pageSize: Long? = null, pageToken: String? = null): ListProduct =
    ListProduct.from(send("GET", "/v1/products", query = mapOf("sort" to sort, "pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Add a product to the shop */
suspend fun Hibana.createProduct(body: NewProduct, idempotencyKey: String = UUID.randomUUID().toString()): Product =
    Product.from(send("POST", "/v1/products", headers = mapOf("Idempotency-Key" to idempotencyKey), body = body.json()).json)

/** Read a product, which may be retired */
suspend fun Hibana.getProduct(id: String): Product =
    Product.from(send("GET", "/v1/products/${segment(id)}").json)

/** Change a product, retire it, or sell it again */
suspend fun Hibana.changeProduct(body: ProductPatch, id: String, ifMatch: String? = null): Product =
    Product.from(send("PATCH", "/v1/products/${segment(id)}", headers = mapOf("If-Match" to ifMatch), body = body.json()).json)

/** Add pieces to the stock of a product, or take some out */
suspend fun Hibana.restockProduct(body: RestockInputBody, id: String, idempotencyKey: String = UUID.randomUUID().toString()): Product =
    Product.from(send("POST", "/v1/products/${segment(id)}/restock", headers = mapOf("Idempotency-Key" to idempotencyKey), body = body.json()).json)

/** Show the ways by which devices get notifications */
suspend fun Hibana.getPush(): PushWays =
    PushWays.from(send("GET", "/v1/push").json)

/** What stands between the caller and up to 100 users */
suspend fun Hibana.listRelationships(ids: List<String>, view: String? = null): AllTies =
    AllTies.from(send("GET", "/v1/relationships", query = mapOf("ids" to ids.joinToString(","), "view" to view)).json)

/** Check that one user follows another */
suspend fun Hibana.getRelationship(followerId: String, followedId: String): Relationship =
    Relationship.from(send("GET", "/v1/relationships/${segment(followerId)}/${segment(followedId)}").json)

/** Report a tweet, a message or a user to the moderators */
suspend fun Hibana.createReport(body: NewReport) {
    send("POST", "/v1/reports", body = body.json())
}

/** Find public tweets by their words, newest first */
suspend fun Hibana.searchTweets(q: String, following: Boolean? = null, resolve: Boolean? = null, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListFoundTweet =
    ListFoundTweet.from(send("GET", "/v1/search/tweets", query = mapOf("q" to q, "following" to following?.toString(), "resolve" to resolve?.toString(), "pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Find people by the beginning of their username or nickname */
suspend fun Hibana.searchUsers(q: String, resolve: Boolean? = null, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListUserSummary =
    ListUserSummary.from(send("GET", "/v1/search/users", query = mapOf("q" to q, "resolve" to resolve?.toString(), "pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List people whom the caller may want to follow */
suspend fun Hibana.listSuggestions(limit: Long? = null, language: String? = null, format: String? = null): Suggestions =
    Suggestions.from(send("GET", "/v1/suggestions", query = mapOf("limit" to limit?.toString(), "language" to language, "format" to format)).json)

/** Do not suggest a user to the caller again */
suspend fun Hibana.dismissSuggestion(uid: String) {
    send("DELETE", "/v1/suggestions/${segment(uid)}")
}

/** List the tags, most used first */
suspend fun Hibana.listTags(orderBy: String? = null, pageSize: Long? = null, pageToken: String? = null): ListTag =
    ListTag.from(send("GET", "/v1/tags", query = mapOf("orderBy" to orderBy, "pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Read a tag */
suspend fun Hibana.getTag(tag: String): ReadTag =
    ReadTag.from(send("GET", "/v1/tags/${segment(tag)}").json)

/** Follow a tag no more */
suspend fun Hibana.unfollowTag(tag: String) {
    send("DELETE", "/v1/tags/${segment(tag)}/follow")
}

/** Follow a tag */
suspend fun Hibana.followTag(tag: String) {
    send("PUT", "/v1/tags/${segment(tag)}/follow")
}

/** List the tweets of a tag, newest first */
suspend fun Hibana.listTagTweets(tag: String, rootOnly: Boolean? = null, pageSize: Long? = null, pageToken: String? = null, before: String? = null, format: String? = null): ListTweet =
    ListTweet.from(send("GET", "/v1/tags/${segment(tag)}/tweets", query = mapOf("rootOnly" to rootOnly?.toString(), "pageSize" to pageSize?.toString(), "pageToken" to pageToken, "before" to before, "format" to format)).json)

/** List the users who use a tag */
suspend fun Hibana.listTagUsers(tag: String, orderBy: String? = null, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListTagUser =
    ListTagUser.from(send("GET", "/v1/tags/${segment(tag)}/users", query = mapOf("orderBy" to orderBy, "pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List the caller's home timeline, newest first */
suspend fun Hibana.getTimeline(pageSize: Long? = null, pageToken: String? = null, format: String? = null, after: String? = null, before: String? = null, since: String? = null): HomePage =
    HomePage.from(send("GET", "/v1/timeline", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format, "after" to after, "before" to before, "since" to since)).json)

/** Read how many users, tweets, relationships, likes and shares there are */
suspend fun Hibana.getTotals(): Totals =
    Totals.from(send("GET", "/v1/totals").json)

/** List the tags and tweets that more accounts use than usual */
suspend fun Hibana.listTrends(only: String? = null, language: String? = null, format: String? = null): Trends =
    Trends.from(send("GET", "/v1/trends", query = mapOf("only" to only, "language" to language, "format" to format)).json)

/** List the public timeline, newest first */
suspend fun Hibana.listPublicTweets(replies: Boolean? = null, pageSize: Long? = null, pageToken: String? = null, before: String? = null, format: String? = null): ListTweet =
    ListTweet.from(send("GET", "/v1/tweets", query = mapOf("replies" to replies?.toString(), "pageSize" to pageSize?.toString(), "pageToken" to pageToken, "before" to before, "format" to format)).json)

/** Post a tweet */
suspend fun Hibana.createTweet(body: NewTweet, idempotencyKey: String = UUID.randomUUID().toString()): Outcome<Tweet, HeldNotice> =
    outcome(send("POST", "/v1/tweets", headers = mapOf("Idempotency-Key" to idempotencyKey), body = body.json()), Tweet::from, HeldNotice::from)

/** Delete a tweet of the caller */
suspend fun Hibana.deleteTweet(id: String, reason: String? = null, keepMedia: Boolean? = null) {
    send("DELETE", "/v1/tweets/${segment(id)}", query = mapOf("reason" to reason, "keepMedia" to keepMedia?.toString()))
}

/** Read a tweet */
suspend fun Hibana.getTweet(id: String, context: String? = null, format: String? = null): WholeTweet =
    WholeTweet.from(send("GET", "/v1/tweets/${segment(id)}", query = mapOf("context" to context, "format" to format)).json)

/** Edit a tweet of the caller */
suspend fun Hibana.editTweet(body: TweetPatch, id: String, ifMatch: String? = null): Tweet =
    Tweet.from(send("PATCH", "/v1/tweets/${segment(id)}", headers = mapOf("If-Match" to ifMatch), body = body.json()).json)

/** Remove a bookmark */
suspend fun Hibana.unbookmark(id: String) {
    send("DELETE", "/v1/tweets/${segment(id)}/bookmark")
}

/** Bookmark a tweet */
suspend fun Hibana.bookmark(id: String) {
    send("PUT", "/v1/tweets/${segment(id)}/bookmark")
}

/** Show a hidden reply again */
suspend fun Hibana.unfold(id: String) {
    send("DELETE", "/v1/tweets/${segment(id)}/fold")
}

/** Hide a reply in a thread that the caller began */
suspend fun Hibana.fold(id: String) {
    send("PUT", "/v1/tweets/${segment(id)}/fold")
}

/** Read the short form of a long tweet, or have an AI model write it */
suspend fun Hibana.gist(id: String): Gist =
    Gist.from(send("POST", "/v1/tweets/${segment(id)}/gist").json)

/** Stop liking a tweet */
suspend fun Hibana.unlike(id: String) {
    send("DELETE", "/v1/tweets/${segment(id)}/like")
}

/** Like a tweet */
suspend fun Hibana.like(id: String) {
    send("PUT", "/v1/tweets/${segment(id)}/like")
}

/** List the users who like a tweet, newest like first */
suspend fun Hibana.listLikes(id: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListPerson =
    ListPerson.from(send("GET", "/v1/tweets/${segment(id)}/likes", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Take the mute of a conversation back */
suspend fun Hibana.unmute(id: String) {
    send("DELETE", "/v1/tweets/${segment(id)}/mute")
}

/** Mute a conversation */
suspend fun Hibana.mute(id: String) {
    send("PUT", "/v1/tweets/${segment(id)}/mute")
}

/** Take a tweet off the pinned ones */
suspend fun Hibana.unpin(id: String) {
    send("DELETE", "/v1/tweets/${segment(id)}/pin")
}

/** Pin a tweet of one's own to the profile */
suspend fun Hibana.pin(id: String) {
    send("PUT", "/v1/tweets/${segment(id)}/pin")
}

/** List the tweets that quote a tweet, newest first */
suspend fun Hibana.listQuotes(id: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListTweet =
    ListTweet.from(send("GET", "/v1/tweets/${segment(id)}/quotes", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Withdraw a tweet of the caller from a tweet that quotes it */
suspend fun Hibana.withdrawQuote(id: String, quote: String) {
    send("DELETE", "/v1/tweets/${segment(id)}/quotes/${segment(quote)}")
}

/** List the replies to a tweet, oldest first */
suspend fun Hibana.listReplies(id: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListTweet =
    ListTweet.from(send("GET", "/v1/tweets/${segment(id)}/replies", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List the earlier versions of a tweet, oldest first */
suspend fun Hibana.listRevisions(id: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListRevision =
    ListRevision.from(send("GET", "/v1/tweets/${segment(id)}/revisions", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Read an earlier version of a tweet */
suspend fun Hibana.getRevision(id: String, format: String? = null, number: Long): Revision =
    Revision.from(send("GET", "/v1/tweets/${segment(id)}/revisions/$number", query = mapOf("format" to format)).json)

/** Stop sharing a tweet */
suspend fun Hibana.unshare(id: String) {
    send("DELETE", "/v1/tweets/${segment(id)}/share")
}

/** Share a tweet */
suspend fun Hibana.share(id: String) {
    send("PUT", "/v1/tweets/${segment(id)}/share")
}

/** List the users who share a tweet, newest share first */
suspend fun Hibana.listShares(id: String, pageSize: Long? = null, pageToken: String? = null, before: String? = null, format: String? = null): ListPerson =
    ListPerson.from(send("GET", "/v1/tweets/${segment(id)}/shares", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "before" to before, "format" to format)).json)

/** Read a tweet with what it answers and what answers it */
suspend fun Hibana.getThread(id: String, pageSize: Long? = null, pageToken: String? = null, depth: Long? = null, texts: Boolean? = null, format: String? = null): Thread =
    Thread.from(send("GET", "/v1/tweets/${segment(id)}/thread", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "depth" to depth?.toString(), "texts" to texts?.toString(), "format" to format)).json)

/** Choose an option in the poll of a tweet */
suspend fun Hibana.vote(body: VoteInputBody, id: String): Poll =
    Poll.from(send("PUT", "/v1/tweets/${segment(id)}/vote", body = body.json()).json)

/** Read up to 50 tweets by id */
suspend fun Hibana.batchGetTweets(ids: List<String>, polls: Boolean? = null, texts: Boolean? = null, context: String? = null, format: String? = null): Batch =
    Batch.from(send("GET", "/v1/tweets:batchGet", query = mapOf("ids" to ids.joinToString(","), "polls" to polls?.toString(), "texts" to texts?.toString(), "context" to context, "format" to format)).json)

/** Read the profile of the user with a username */
suspend fun Hibana.getUserByUsername(username: String, format: String? = null): User =
    User.from(send("GET", "/v1/usernames/${segment(username)}", query = mapOf("format" to format)).json)

/** List all users, the newest account first */
suspend fun Hibana.listUsers(pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListUser =
    ListUser.from(send("GET", "/v1/users", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Create the caller's profile */
suspend fun Hibana.createUser(body: NewUser): Outcome<User, SignUp> =
    outcome(send("POST", "/v1/users", body = body.json()), User::from, SignUp::from)

/** Delete the caller's profile, and everything of the caller */
suspend fun Hibana.leave(): Leaving =
    Leaving.from(send("DELETE", "/v1/users/me").json)

/** Read the caller's whole profile */
suspend fun Hibana.getMe(format: String? = null): User =
    User.from(send("GET", "/v1/users/me", query = mapOf("format" to format)).json)

/** Read the agent that acts for the caller */
suspend fun Hibana.getAgent(): Agent =
    Agent.from(send("GET", "/v1/users/me/agent").json)

/** Stop or start the agent that acts for the caller */
suspend fun Hibana.runAgent(body: RunAgent): Agent =
    Agent.from(send("PUT", "/v1/users/me/agent", body = body.json()).json)

/** List what the agent of the caller did, newest first */
suspend fun Hibana.listOwnAgentActs(pageSize: Long? = null, pageToken: String? = null): ListAgentAct =
    ListAgentAct.from(send("GET", "/v1/users/me/agent/acts", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** List the users whom the caller blocks, newest first */
suspend fun Hibana.listBlocks(pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListPerson =
    ListPerson.from(send("GET", "/v1/users/me/blocks", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List the tweets that the caller has bookmarked, newest bookmark first */
suspend fun Hibana.listBookmarks(pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListBookmarkedTweet =
    ListBookmarkedTweet.from(send("GET", "/v1/users/me/bookmarks", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List what moderators decided about the caller and the caller's tweets, newest first */
suspend fun Hibana.listDecisions(pageSize: Long? = null, pageToken: String? = null): ListDecision =
    ListDecision.from(send("GET", "/v1/users/me/decisions", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** Appeal against a decision of moderators */
suspend fun Hibana.appeal(body: AppealRequest, id: String): Decision =
    Decision.from(send("PUT", "/v1/users/me/decisions/${segment(id)}/appeal", body = body.json()).json)

/** Read how far the caller's export is, and where its archives are */
suspend fun Hibana.getExport(): Export =
    Export.from(send("GET", "/v1/users/me/export").json)

/** Export everything of the caller */
suspend fun Hibana.export(): Export =
    Export.from(send("POST", "/v1/users/me/export").json)

/** List the caller's filters, oldest first */
suspend fun Hibana.listFilters(): ListFilter =
    ListFilter.from(send("GET", "/v1/users/me/filters").json)

/** Remove a filter of the caller */
suspend fun Hibana.removeFilter(ifMatch: String? = null, id: String) {
    send("DELETE", "/v1/users/me/filters/${segment(id)}", headers = mapOf("If-Match" to ifMatch))
}

/** Make or replace a filter of the caller */
suspend fun Hibana.putFilter(body: FilterBody, ifMatch: String? = null, id: String): Filter =
    Filter.from(send("PUT", "/v1/users/me/filters/${segment(id)}", headers = mapOf("If-Match" to ifMatch), body = body.json()).json)

/** List the users who ask to follow the caller, newest first */
suspend fun Hibana.listFollowRequests(pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListPerson =
    ListPerson.from(send("GET", "/v1/users/me/followRequests", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Refuse the request of a user to follow the caller */
suspend fun Hibana.refuseFollow(uid: String) {
    send("DELETE", "/v1/users/me/followRequests/${segment(uid)}")
}

/** Accept the request of a user to follow the caller */
suspend fun Hibana.acceptFollow(uid: String) {
    send("PUT", "/v1/users/me/followRequests/${segment(uid)}")
}

/** List the tags that the caller follows, the newest follow first */
suspend fun Hibana.listFollowedTags(): ListFollowedTag =
    ListFollowedTag.from(send("GET", "/v1/users/me/followedTags").json)

/** Remove a follower of the caller */
suspend fun Hibana.removeFollower(uid: String) {
    send("DELETE", "/v1/users/me/followers/${segment(uid)}")
}

/** List the caller's own replies that wait for approval, newest first */
suspend fun Hibana.listOwnHeldReplies(pageSize: Long? = null, pageToken: String? = null): ListHeldReply =
    ListHeldReply.from(send("GET", "/v1/users/me/heldReplies", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** List the users whose shares the caller hides, newest first */
suspend fun Hibana.listHiddenSharers(pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListPerson =
    ListPerson.from(send("GET", "/v1/users/me/hiddenSharers", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Read how far the caller has read, on any device */
suspend fun Hibana.getMarkers(): Markers =
    Markers.from(send("GET", "/v1/users/me/markers").json)

/** Move the marker of the caller's home timeline */
suspend fun Hibana.moveMarkers(body: MoveMarkersRequest): Markers =
    Markers.from(send("PATCH", "/v1/users/me/markers", body = body.json()).json)

/** List the caller's tweets with visibility mentioned, newest first */
suspend fun Hibana.listMentioned(pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListTweet =
    ListTweet.from(send("GET", "/v1/users/me/mentioned", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List the tweets that mention the caller, newest mention first */
suspend fun Hibana.listMentions(pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListTweet =
    ListTweet.from(send("GET", "/v1/users/me/mentions", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List the users whom the caller mutes, newest mute first */
suspend fun Hibana.listMutes(pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListMutedPerson =
    ListMutedPerson.from(send("GET", "/v1/users/me/mutes", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List what the caller's notification policy filtered, by sender, the newest first */
suspend fun Hibana.listNotificationRequests(pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListNotificationRequest =
    ListNotificationRequest.from(send("GET", "/v1/users/me/notificationRequests", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Dismiss the request of a sender */
suspend fun Hibana.dismissNotificationRequest(uid: String) {
    send("DELETE", "/v1/users/me/notificationRequests/${segment(uid)}")
}

/** Let the notification policy apply to an accepted sender again */
suspend fun Hibana.unacceptNotificationRequest(uid: String) {
    send("DELETE", "/v1/users/me/notificationRequests/${segment(uid)}/accept")
}

/** Accept the notifications of a sender */
suspend fun Hibana.acceptNotificationRequest(uid: String) {
    send("POST", "/v1/users/me/notificationRequests/${segment(uid)}/accept")
}

/** List the caller's devices that get notifications, the last registered first */
suspend fun Hibana.listPushSubscriptions(): ListPushSubscription =
    ListPushSubscription.from(send("GET", "/v1/users/me/pushSubscriptions").json)

/** Remove a device */
suspend fun Hibana.removePushSubscription(id: String) {
    send("DELETE", "/v1/users/me/pushSubscriptions/${segment(id)}")
}

/** Change of what an app for Mastodon is told */
suspend fun Hibana.changePushSubscription(body: ChangePushSubscriptionRequest, id: String) {
    send("PATCH", "/v1/users/me/pushSubscriptions/${segment(id)}", body = body.json())
}

/** Register a device that gets the caller's notifications */
suspend fun Hibana.putPushSubscription(body: PushBody, id: String) {
    send("PUT", "/v1/users/me/pushSubscriptions/${segment(id)}", body = body.json())
}

/** Show what becomes of notifications of people whom the caller may not know */
suspend fun Hibana.getNotificationPolicy(): NotificationPolicy =
    NotificationPolicy.from(send("GET", "/v1/users/me/settings/notificationPolicy").json)

/** Change what becomes of notifications of people whom the caller may not know */
suspend fun Hibana.changeNotificationPolicy(body: NotificationPolicyPatch): NotificationPolicy =
    NotificationPolicy.from(send("PATCH", "/v1/users/me/settings/notificationPolicy", body = body.json()).json)

/** Show of what the caller gets notifications */
suspend fun Hibana.getNotificationSettings(): NotificationSettings =
    NotificationSettings.from(send("GET", "/v1/users/me/settings/notifications").json)

/** Change of what the caller gets notifications */
suspend fun Hibana.changeNotificationSettings(body: SettingsPatch): NotificationSettings =
    NotificationSettings.from(send("PATCH", "/v1/users/me/settings/notifications", body = body.json()).json)

/** Put the sign-in of this ID token on the caller's list */
suspend fun Hibana.tellOfSignIn() {
    send("PUT", "/v1/users/me/sign-in")
}

/** End all sessions of the caller, this one too */
suspend fun Hibana.signOutEverywhere() {
    send("DELETE", "/v1/users/me/sign-ins")
}

/** List the caller's newest sign-ins */
suspend fun Hibana.listSignIns(): SignIns =
    SignIns.from(send("GET", "/v1/users/me/sign-ins").json)

/** Take back the caller's sign-up that waits */
suspend fun Hibana.takeBackSignUp() {
    send("DELETE", "/v1/users/me/sign-up")
}

/** Read the caller's sign-up that waits for approval, or was refused */
suspend fun Hibana.getSignUp(): SignUp =
    SignUp.from(send("GET", "/v1/users/me/sign-up").json)

/** Consent to the terms */
suspend fun Hibana.consent(body: ConsentInputBody): Consent =
    Consent.from(send("PUT", "/v1/users/me/terms", body = body.json()).json)

/** Read a profile */
suspend fun Hibana.getUser(uid: String, view: String? = null, format: String? = null): User =
    User.from(send("GET", "/v1/users/${segment(uid)}", query = mapOf("view" to view, "format" to format)).json)

/** Change the caller's profile */
suspend fun Hibana.updateUser(body: UserPatch, uid: String): User =
    User.from(send("PATCH", "/v1/users/${segment(uid)}", body = body.json()).json)

/** Stop blocking a user */
suspend fun Hibana.unblock(uid: String) {
    send("DELETE", "/v1/users/${segment(uid)}/block")
}

/** Block a user */
suspend fun Hibana.block(uid: String) {
    send("PUT", "/v1/users/${segment(uid)}/block")
}

/** List the followers of a user whom the caller follows */
suspend fun Hibana.listFamiliarFollowers(uid: String, format: String? = null): FamiliarFollowers =
    FamiliarFollowers.from(send("GET", "/v1/users/${segment(uid)}/familiarFollowers", query = mapOf("format" to format)).json)

/** Stop following a user, or withdraw a request to follow */
suspend fun Hibana.unfollow(uid: String) {
    send("DELETE", "/v1/users/${segment(uid)}/follow")
}

/** Follow a user, or ask to */
suspend fun Hibana.follow(uid: String): Followed =
    Followed.from(send("PUT", "/v1/users/${segment(uid)}/follow").json)

/** List the followers of a user, newest first */
suspend fun Hibana.listFollowers(uid: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListPerson =
    ListPerson.from(send("GET", "/v1/users/${segment(uid)}/followers", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List the users whom a user follows, newest first */
suspend fun Hibana.listFollowing(uid: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListPerson =
    ListPerson.from(send("GET", "/v1/users/${segment(uid)}/following", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Show what a user shares again */
suspend fun Hibana.showShares(uid: String) {
    send("DELETE", "/v1/users/${segment(uid)}/hideShares")
}

/** Hide what a user shares */
suspend fun Hibana.hideShares(uid: String) {
    send("PUT", "/v1/users/${segment(uid)}/hideShares")
}

/** List the tweets that a user likes, newest like first */
suspend fun Hibana.listUserLikes(uid: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListLikedTweet =
    ListLikedTweet.from(send("GET", "/v1/users/${segment(uid)}/likes", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List the public lists of a user, newest first */
suspend fun Hibana.listUserLists(uid: String): ListPeopleList =
    ListPeopleList.from(send("GET", "/v1/users/${segment(uid)}/lists").json)

/** Read a public list of a user */
suspend fun Hibana.getUserList(uid: String, id: String): PeopleList =
    PeopleList.from(send("GET", "/v1/users/${segment(uid)}/lists/${segment(id)}").json)

/** Follow the members of a list, some at a time */
suspend fun Hibana.followList(uid: String, id: String, pageToken: String? = null, format: String? = null): ListMemberFollow =
    ListMemberFollow.from(send("POST", "/v1/users/${segment(uid)}/lists/${segment(id)}/follow", query = mapOf("pageToken" to pageToken, "format" to format)).json)

/** List the members of a public list of a user, newest first */
suspend fun Hibana.listUserListMembers(uid: String, id: String, format: String? = null): ListUserSummary =
    ListUserSummary.from(send("GET", "/v1/users/${segment(uid)}/lists/${segment(id)}/members", query = mapOf("format" to format)).json)

/** List what the members of a public list of a user wrote, newest first */
suspend fun Hibana.getUserListTimeline(uid: String, id: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListTweet =
    ListTweet.from(send("GET", "/v1/users/${segment(uid)}/lists/${segment(id)}/timeline", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** Take the mute of a user back */
suspend fun Hibana.unmuteUser(uid: String) {
    send("DELETE", "/v1/users/${segment(uid)}/mute")
}

/** Mute a user, for a time or for ever */
suspend fun Hibana.muteUser(body: NewMute, uid: String) {
    send("PUT", "/v1/users/${segment(uid)}/mute", body = body.json())
}

/** Remove the caller's note on a user */
suspend fun Hibana.removeNote(uid: String) {
    send("DELETE", "/v1/users/${segment(uid)}/note")
}

/** Read the caller's note on a user */
suspend fun Hibana.getNote(uid: String): PersonNote =
    PersonNote.from(send("GET", "/v1/users/${segment(uid)}/note").json)

/** Keep a note on a user, for the caller alone */
suspend fun Hibana.putNote(body: PutNoteRequest, uid: String): PersonNote =
    PersonNote.from(send("PUT", "/v1/users/${segment(uid)}/note", body = body.json()).json)

/** Notify the caller of a user's posts no more */
suspend fun Hibana.unsubscribe(uid: String) {
    send("DELETE", "/v1/users/${segment(uid)}/notify")
}

/** Read whether the posts of a user make notifications for the caller */
suspend fun Hibana.getSubscription(uid: String): Subscription =
    Subscription.from(send("GET", "/v1/users/${segment(uid)}/notify").json)

/** Notify the caller of the posts of a user whom the caller follows */
suspend fun Hibana.subscribe(uid: String) {
    send("PUT", "/v1/users/${segment(uid)}/notify")
}

/** Count the tweets of the tags that a user shows on the profile */
suspend fun Hibana.listPinnedTags(uid: String): ListPinnedTag =
    ListPinnedTag.from(send("GET", "/v1/users/${segment(uid)}/pinnedTags").json)

/** List the tweets that a user has pinned, newest pin first */
suspend fun Hibana.listPins(uid: String, format: String? = null): ListPinnedTweet =
    ListPinnedTweet.from(send("GET", "/v1/users/${segment(uid)}/pins", query = mapOf("format" to format)).json)

/** List the tweets that a user shares, newest share first */
suspend fun Hibana.listUserShares(uid: String, pageSize: Long? = null, pageToken: String? = null, format: String? = null): ListSharedTweet =
    ListSharedTweet.from(send("GET", "/v1/users/${segment(uid)}/shares", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "format" to format)).json)

/** List the tags that a user uses, most used first */
suspend fun Hibana.listUserTags(uid: String, pageSize: Long? = null, pageToken: String? = null): ListUsedTag =
    ListUsedTag.from(send("GET", "/v1/users/${segment(uid)}/tags", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken)).json)

/** List what a user writes and shares, newest first */
suspend fun Hibana.listUserTweets(uid: String, pageSize: Long? = null, pageToken: String? = null, before: String? = null, format: String? = null, ownOnly: Boolean? = null, rootOnly: Boolean? = null, mediaOnly: Boolean? = null, tag: String? = null, view: String? = null): ListAuthoredTweet =
    ListAuthoredTweet.from(send("GET", "/v1/users/${segment(uid)}/tweets", query = mapOf("pageSize" to pageSize?.toString(), "pageToken" to pageToken, "before" to before, "format" to format, "ownOnly" to ownOnly?.toString(), "rootOnly" to rootOnly?.toString(), "mediaOnly" to mediaOnly?.toString(), "tag" to tag, "view" to view)).json)

/** Read up to 50 profiles by id */
suspend fun Hibana.batchGetUsers(ids: List<String>, format: String? = null): UserBatch =
    UserBatch.from(send("GET", "/v1/users:batchGet", query = mapOf("ids" to ids.joinToString(","), "format" to format)).json)
