// Generated from api/openapi.json by `go run ./clients/generate`. Do not edit.
import Foundation

extension Hibana.Client {
    /// List administrative acts, newest first
    public func listActions(pageSize: Int? = nil, pageToken: String? = nil, by: String? = nil, user: String? = nil, tweet: String? = nil, product: String? = nil, order: String? = nil) async throws -> Hibana.ListAction {
        try await call("GET", "/v1/admin/actions", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "by": by, "user": user, "tweet": tweet, "product": product, "order": order])
    }

    /// List agents, newest first
    public func listAgents(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListAgent {
        try await call("GET", "/v1/admin/agents", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Make or change the agent of a user
    public func putAgent(_ body: Hibana.NewAgent, uid: String) async throws -> Hibana.Agent {
        try await call("PUT", "/v1/admin/agents/\(Hibana.segment(uid))", body: body)
    }

    /// List the acts of an agent, newest first
    public func listAgentActs(uid: String, pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListAgentAct {
        try await call("GET", "/v1/admin/agents/\(Hibana.segment(uid))/acts", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Remove an AI model
    public func removeAIModel(label: String) async throws {
        try await done("DELETE", "/v1/admin/ai-models/\(Hibana.segment(label))")
    }

    /// Add or replace an AI model
    public func putAIModel(_ body: Hibana.NewAIModel, label: String) async throws -> Hibana.AIModel {
        try await call("PUT", "/v1/admin/ai-models/\(Hibana.segment(label))", body: body)
    }

    /// List all announcements, also those that start later or have ended
    public func listAllAnnouncements(format: String? = nil) async throws -> Hibana.ListAnnouncement {
        try await call("GET", "/v1/admin/announcements", query: ["format": format])
    }

    /// Remove an announcement
    public func removeAnnouncement(id: String) async throws {
        try await done("DELETE", "/v1/admin/announcements/\(Hibana.segment(id))")
    }

    /// Make or replace an announcement
    public func putAnnouncement(_ body: Hibana.NewAnnouncement, id: String) async throws -> Hibana.Announcement {
        try await call("PUT", "/v1/admin/announcements/\(Hibana.segment(id))", body: body)
    }

    /// List the appeals that wait for an answer, oldest first
    public func listAppeals(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListAppeal {
        try await call("GET", "/v1/admin/appeals", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Answer an appeal
    public func answerAppeal(_ body: Hibana.AnswerAppealRequest, id: String) async throws -> Hibana.Appeal {
        try await call("PUT", "/v1/admin/appeals/\(Hibana.segment(id))", body: body)
    }

    /// Read a notification event
    public func getEvent(eventId: String) async throws -> Hibana.Event {
        try await call("GET", "/v1/admin/events/\(Hibana.segment(eventId))")
    }

    /// List the domains of the fediverse that have a rule
    public func listFediverseDomains(after: String? = nil, limit: Int? = nil) async throws -> Hibana.FediverseDomains {
        try await call("GET", "/v1/admin/fediverse-domains", query: ["after": after, "limit": limit.map { String($0) }])
    }

    /// Import a list of domains of the fediverse
    public func importFediverseDomains(_ body: Hibana.FediverseDomainList) async throws -> Hibana.FediverseImport {
        try await call("POST", "/v1/admin/fediverse-domains", body: body)
    }

    /// Remove the rule for a domain of the fediverse
    public func removeFediverseDomain(domain: String) async throws {
        try await done("DELETE", "/v1/admin/fediverse-domains/\(Hibana.segment(domain))")
    }

    /// Set the rule for a domain
    public func putFediverseDomain(_ body: Hibana.NewFediverseDomain, domain: String) async throws {
        try await done("PUT", "/v1/admin/fediverse-domains/\(Hibana.segment(domain))", body: body)
    }

    /// Change what the installation says of itself
    public func changeInstance(_ body: Hibana.InstancePatch) async throws -> Hibana.Instance {
        try await call("PATCH", "/v1/admin/instance", body: body)
    }

    /// List invitations, newest first
    public func listInvitations(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListInvitation {
        try await call("GET", "/v1/admin/invitations", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Make an invitation
    public func invite(_ body: Hibana.NewInvitation) async throws -> Hibana.Invitation {
        try await call("POST", "/v1/admin/invitations", body: body)
    }

    /// Remove an invitation
    public func uninvite(code: String) async throws {
        try await done("DELETE", "/v1/admin/invitations/\(Hibana.segment(code))")
    }

    /// List the orders of all users that have a state, oldest first
    public func listAllOrders(pageSize: Int? = nil, pageToken: String? = nil, status: String? = nil) async throws -> Hibana.ListOrder {
        try await call("GET", "/v1/admin/orders", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "status": status])
    }

    /// List open reports, oldest first
    public func listReports(pageSize: Int? = nil, pageToken: String? = nil, counts: Bool? = nil) async throws -> Hibana.ListReport {
        try await call("GET", "/v1/admin/reports", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "counts": counts.map { String($0) }])
    }

    /// Resolve a report
    public func resolveReport(_ body: Hibana.ResolveReportRequest, id: String) async throws -> Hibana.Report {
        try await call("PUT", "/v1/admin/reports/\(Hibana.segment(id))", body: body)
    }

    /// Let people sign up again from an e-mail domain or a network
    public func unblockSignUps(of: String) async throws {
        try await done("DELETE", "/v1/admin/sign-up-blocks", query: ["of": of])
    }

    /// List the e-mail domains and networks from which nobody signs up
    public func listSignUpBlocks() async throws -> Hibana.SignUpBlocks {
        try await call("GET", "/v1/admin/sign-up-blocks")
    }

    /// Let nobody sign up from an e-mail domain or a network
    public func blockSignUps(_ body: Hibana.NewSignUpBlock, of: String) async throws {
        try await done("PUT", "/v1/admin/sign-up-blocks", query: ["of": of], body: body)
    }

    /// List the sign-ups that wait for approval, oldest first
    public func listSignUps(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListSignUp {
        try await call("GET", "/v1/admin/sign-ups", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Approve a sign-up: the user has the profile
    public func approveSignUp(uid: String, askedAt: String? = nil) async throws -> Hibana.User {
        try await call("PUT", "/v1/admin/sign-ups/\(Hibana.segment(uid))/approval", query: ["askedAt": askedAt])
    }

    /// Refuse a sign-up
    public func refuseSignUp(_ body: Hibana.RefusedSignUp, uid: String) async throws {
        try await done("PUT", "/v1/admin/sign-ups/\(Hibana.segment(uid))/refusal", body: body)
    }

    /// Compare a home timeline with its source documents
    public func auditTimeline(uid: String, settle: Int? = nil) async throws -> Hibana.TimelineAudit {
        try await call("GET", "/v1/admin/timelines/\(Hibana.segment(uid))/audit", query: ["settle": settle.map { String($0) }])
    }

    /// Read the decisions about trends, and what waits for one
    public func getTrendReview() async throws -> Hibana.TrendReview {
        try await call("GET", "/v1/admin/trends")
    }

    /// Say whether trends need review
    public func needTrendReview(_ body: Hibana.NeedTrendReviewRequest) async throws {
        try await done("PUT", "/v1/admin/trends/review", body: body)
    }

    /// Decide whether a tag may be a trend
    public func reviewTag(_ body: Hibana.TrendDecisionBody, tag: String) async throws {
        try await done("PUT", "/v1/admin/trends/tags/\(Hibana.segment(tag))", body: body)
    }

    /// Decide whether a tweet may be a trend
    public func reviewTweet(_ body: Hibana.TrendDecisionBody, id: String) async throws {
        try await done("PUT", "/v1/admin/trends/tweets/\(Hibana.segment(id))", body: body)
    }

    /// Edit a tweet of any author
    public func editAnyTweet(_ body: Hibana.EditedTweet, id: String, ifMatch: String? = nil) async throws -> Hibana.Tweet {
        try await call("PATCH", "/v1/admin/tweets/\(Hibana.segment(id))", headers: ["If-Match": ifMatch], body: body)
    }

    /// Take the flag of a tweet away
    public func unflagTweet(id: String, reason: String? = nil) async throws {
        try await done("DELETE", "/v1/admin/tweets/\(Hibana.segment(id))/flag", query: ["reason": reason])
    }

    /// Flag a tweet as violative
    public func flagTweet(_ body: Hibana.Reason, id: String, ifMatch: String? = nil) async throws {
        try await done("PUT", "/v1/admin/tweets/\(Hibana.segment(id))/flag", headers: ["If-Match": ifMatch], body: body)
    }

    /// Make an account with a profile
    public func importUser(_ body: Hibana.ImportedUser) async throws -> Hibana.User {
        try await call("POST", "/v1/admin/users", body: body)
    }

    /// Change or clear fields of any profile
    public func editUser(_ body: Hibana.EditedUser, uid: String) async throws -> Hibana.User {
        try await call("PATCH", "/v1/admin/users/\(Hibana.segment(uid))", body: body)
    }

    /// Follow, like or block in the name of a user
    public func actFor(_ body: Hibana.ActFor, uid: String) async throws {
        try await done("POST", "/v1/admin/users/\(Hibana.segment(uid))/acts", body: body)
    }

    /// List the users who block a user, newest first
    public func listBlockers(uid: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListPerson {
        try await call("GET", "/v1/admin/users/\(Hibana.segment(uid))/blockers", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Restore a frozen account
    public func unfreezeUser(uid: String, reason: String? = nil) async throws -> Hibana.Standing {
        try await call("DELETE", "/v1/admin/users/\(Hibana.segment(uid))/freeze", query: ["reason": reason])
    }

    /// Freeze an account
    public func freezeUser(_ body: Hibana.Reason, uid: String) async throws -> Hibana.Standing {
        try await call("PUT", "/v1/admin/users/\(Hibana.segment(uid))/freeze", body: body)
    }

    /// List what moderators noted on a user, newest first
    public func listNotes(uid: String, pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListNote {
        try await call("GET", "/v1/admin/users/\(Hibana.segment(uid))/notes", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Note something on a user, for moderators
    public func createNote(_ body: Hibana.CreateNoteRequest, uid: String) async throws -> Hibana.Note {
        try await call("POST", "/v1/admin/users/\(Hibana.segment(uid))/notes", body: body)
    }

    /// Cancel an order of a user that was not shipped
    public func cancelOrderOf(uid: String, id: String) async throws -> Hibana.Order {
        try await call("POST", "/v1/admin/users/\(Hibana.segment(uid))/orders/\(Hibana.segment(id))/cancel")
    }

    /// Note that a confirmed order of a user was shipped
    public func shipOrder(uid: String, id: String) async throws -> Hibana.Order {
        try await call("POST", "/v1/admin/users/\(Hibana.segment(uid))/orders/\(Hibana.segment(id))/ship")
    }

    /// Send the account's address a letter to set another password
    public func resetPassword(_ body: Hibana.Reason, uid: String) async throws {
        try await done("POST", "/v1/admin/users/\(Hibana.segment(uid))/passwordReset", body: body)
    }

    /// Read what an account may do
    public func getStanding(uid: String) async throws -> Hibana.Standing {
        try await call("GET", "/v1/admin/users/\(Hibana.segment(uid))/standing")
    }

    /// Restore a suspended account
    public func unsuspendUser(uid: String, reason: String? = nil) async throws -> Hibana.Standing {
        try await call("DELETE", "/v1/admin/users/\(Hibana.segment(uid))/suspend", query: ["reason": reason])
    }

    /// Suspend an account
    public func suspendUser(_ body: Hibana.Reason, uid: String) async throws -> Hibana.Standing {
        try await call("PUT", "/v1/admin/users/\(Hibana.segment(uid))/suspend", body: body)
    }

    /// Post a tweet in the name of a user
    public func importTweet(_ body: Hibana.ImportedTweet, uid: String) async throws -> Hibana.Tweet {
        try await call("POST", "/v1/admin/users/\(Hibana.segment(uid))/tweets", body: body)
    }

    /// Find an account by its e-mail address
    public func findAccount(_ body: Hibana.AccountByEmail, format: String? = nil) async throws -> Hibana.Account {
        try await call("POST", "/v1/admin/users:byEmail", query: ["format": format], body: body)
    }

    /// Compare the counts, the author copy and the preview of a tweet with the source documents
    public func verifyTweet(id: String, settle: Int? = nil) async throws -> Hibana.Differences {
        try await call("GET", "/v1/admin/verify/tweets/\(Hibana.segment(id))", query: ["settle": settle.map { String($0) }])
    }

    /// Repair the counts, the author copy and the preview of a tweet
    public func repairTweet(_ body: Hibana.RepairTweetRequest, id: String, settle: Int? = nil) async throws -> Hibana.Repairs {
        try await call("POST", "/v1/admin/verify/tweets/\(Hibana.segment(id))/repair", query: ["settle": settle.map { String($0) }], body: body)
    }

    /// Compare everything derived for a user with the source documents
    public func verifyUser(uid: String, settle: Int? = nil) async throws -> Hibana.Differences {
        try await call("GET", "/v1/admin/verify/users/\(Hibana.segment(uid))", query: ["settle": settle.map { String($0) }])
    }

    /// Repair everything derived for a user
    public func repairUser(_ body: Hibana.RepairUserRequest, uid: String, settle: Int? = nil) async throws -> Hibana.Repairs {
        try await call("POST", "/v1/admin/verify/users/\(Hibana.segment(uid))/repair", query: ["settle": settle.map { String($0) }], body: body)
    }

    /// List the webhooks, without their secrets
    public func listWebhooks() async throws -> Hibana.Webhooks {
        try await call("GET", "/v1/admin/webhooks")
    }

    /// Add a webhook
    public func addWebhook(_ body: Hibana.NewWebhook) async throws -> Hibana.Webhook {
        try await call("POST", "/v1/admin/webhooks", body: body)
    }

    /// Remove a webhook
    public func removeWebhook(id: String) async throws {
        try await done("DELETE", "/v1/admin/webhooks/\(Hibana.segment(id))")
    }

    /// Change a webhook, or switch it on or off
    public func changeWebhook(_ body: Hibana.WebhookPatch, id: String) async throws -> Hibana.Webhook {
        try await call("PATCH", "/v1/admin/webhooks/\(Hibana.segment(id))", body: body)
    }

    /// Send an event without data to a webhook
    public func pingWebhook(id: String) async throws {
        try await done("POST", "/v1/admin/webhooks/\(Hibana.segment(id))/ping")
    }

    /// Give a webhook another secret
    public func renewWebhookSecret(id: String) async throws -> Hibana.Webhook {
        try await call("POST", "/v1/admin/webhooks/\(Hibana.segment(id))/secret")
    }

    /// List the AI models that profiles may name, with their prices
    public func listAIModels() async throws -> Hibana.AiModelsOutputBody {
        try await call("GET", "/v1/ai-models")
    }

    /// Read which accounts on other servers are the caller's, too
    public func getAliases() async throws -> Hibana.Aliases {
        try await call("GET", "/v1/aliases")
    }

    /// Say which accounts on other servers are the caller's, too
    public func putAliases(_ body: Hibana.Aliases) async throws -> Hibana.Aliases {
        try await call("PUT", "/v1/aliases", body: body)
    }

    /// List the announcements that show now, the one that started last first
    public func listAnnouncements(format: String? = nil) async throws -> Hibana.ListAnnouncement {
        try await call("GET", "/v1/announcements", query: ["format": format])
    }

    /// Dismiss an announcement
    public func dismissAnnouncement(id: String) async throws {
        try await done("PUT", "/v1/announcements/\(Hibana.segment(id))/dismissed")
    }

    /// List the apps that the caller let in
    public func listApps() async throws -> Hibana.AuthorizedApps {
        try await call("GET", "/v1/authorizations")
    }

    /// Let an app in
    public func authorizeApp(_ body: Hibana.AuthorizationRequest) async throws -> Hibana.Authorization {
        try await call("POST", "/v1/authorizations", body: body)
    }

    /// Let an app out
    public func removeApp(id: String) async throws {
        try await done("DELETE", "/v1/authorizations/\(Hibana.segment(id))")
    }

    /// Check what an app asks for, without an answer
    public func getAuthorizationRequest(_ body: Hibana.AuthorizationRequest) async throws -> Hibana.RequestedAuthorization {
        try await call("POST", "/v1/authorizations:check", body: body)
    }

    /// Read the cart of the caller, with what its products cost now
    public func getCart() async throws -> Hibana.Cart {
        try await call("GET", "/v1/cart")
    }

    /// Take a product out of the cart
    public func removeCartItem(id: String) async throws {
        try await done("DELETE", "/v1/cart/items/\(Hibana.segment(id))")
    }

    /// Put a quantity of a product into the cart, in the place of the quantity that is there
    public func putCartItem(_ body: Hibana.PutItemInputBody, id: String) async throws {
        try await done("PUT", "/v1/cart/items/\(Hibana.segment(id))", body: body)
    }

    /// Take over the cart of the guest that the caller was before
    public func mergeCarts(_ body: Hibana.MergeInputBody) async throws -> Hibana.Cart {
        try await call("POST", "/v1/cart/merge", body: body)
    }

    /// Say which prices the caller was shown
    public func seeCart(_ body: Hibana.SeeCartInputBody) async throws {
        try await done("PUT", "/v1/cart/seen", body: body)
    }

    /// List the conversations of the caller, newest first
    public func listConversations(pageSize: Int? = nil, pageToken: String? = nil, requests: Bool? = nil) async throws -> Hibana.ListConversation {
        try await call("GET", "/v1/conversations", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "requests": requests.map { String($0) }])
    }

    /// Begin a conversation, and send its first message
    public func createConversation(_ body: Hibana.NewConversation, idempotencyKey: String = UUID().uuidString) async throws -> Hibana.Conversation {
        try await call("POST", "/v1/conversations", headers: ["Idempotency-Key": idempotencyKey], body: body)
    }

    /// Search the messages of the caller by words
    public func searchMessages(query: String, conversationId: String? = nil, pageToken: String? = nil) async throws -> Hibana.ListFoundMessage {
        try await call("GET", "/v1/conversations/search", query: ["query": query, "conversationId": conversationId, "pageToken": pageToken])
    }

    /// Count the unread conversations of the caller, and the requests
    public func countUnreadConversations(since: String? = nil) async throws -> Hibana.UnreadConversations {
        try await call("GET", "/v1/conversations/unreadCount", query: ["since": since])
    }

    /// Delete the messages of a conversation for the caller
    public func clearConversation(id: String) async throws {
        try await done("DELETE", "/v1/conversations/\(Hibana.segment(id))")
    }

    /// Read a conversation of the caller
    public func getConversation(id: String) async throws -> Hibana.Conversation {
        try await call("GET", "/v1/conversations/\(Hibana.segment(id))")
    }

    /// Name a conversation of several, or mute one
    public func changeConversation(_ body: Hibana.ConversationPatch, id: String) async throws {
        try await done("PATCH", "/v1/conversations/\(Hibana.segment(id))", body: body)
    }

    /// Consent to a conversation that a stranger began
    public func acceptConversation(id: String) async throws {
        try await done("POST", "/v1/conversations/\(Hibana.segment(id))/accept")
    }

    /// Leave a conversation of several, for ever
    public func leaveConversation(id: String) async throws {
        try await done("POST", "/v1/conversations/\(Hibana.segment(id))/leave")
    }

    /// List the messages of a conversation, newest first
    public func listMessages(id: String, pageToken: String? = nil) async throws -> Hibana.MessageList {
        try await call("GET", "/v1/conversations/\(Hibana.segment(id))/messages", query: ["pageToken": pageToken])
    }

    /// Send a message
    public func sendMessage(_ body: Hibana.MessageText, id: String, idempotencyKey: String = UUID().uuidString) async throws -> Hibana.Message {
        try await call("POST", "/v1/conversations/\(Hibana.segment(id))/messages", headers: ["Idempotency-Key": idempotencyKey], body: body)
    }

    /// Take a message of the caller back, or delete one for the caller alone
    public func deleteMessage(id: String, messageId: String, `for`: String? = nil) async throws {
        try await done("DELETE", "/v1/conversations/\(Hibana.segment(id))/messages/\(Hibana.segment(messageId))", query: ["for": `for`])
    }

    /// Take the caller's reaction to a message back
    public func unreactToMessage(id: String, messageId: String) async throws {
        try await done("DELETE", "/v1/conversations/\(Hibana.segment(id))/messages/\(Hibana.segment(messageId))/reaction")
    }

    /// React to a message with an emoji
    public func reactToMessage(_ body: Hibana.ReactToMessageRequest, id: String, messageId: String) async throws {
        try await done("PUT", "/v1/conversations/\(Hibana.segment(id))/messages/\(Hibana.segment(messageId))/reaction", body: body)
    }

    /// Note that the caller has read a conversation up to a message
    public func readConversation(_ body: Hibana.ReadConversationRequest, id: String) async throws {
        try await done("PUT", "/v1/conversations/\(Hibana.segment(id))/read", body: body)
    }

    /// Refuse a conversation that a stranger began
    public func refuseConversation(id: String) async throws {
        try await done("POST", "/v1/conversations/\(Hibana.segment(id))/refuse")
    }

    /// List the people who want to be found
    public func listDirectory(order: String? = nil, language: String? = nil, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListUserSummary {
        try await call("GET", "/v1/directory", query: ["order": order, "language": language, "pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List the drafts of the caller, newest first
    public func listDrafts(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListDraft {
        try await call("GET", "/v1/drafts", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Save a draft, or schedule a tweet
    public func createDraft(_ body: Hibana.NewDraft, idempotencyKey: String = UUID().uuidString) async throws -> Hibana.Draft {
        try await call("POST", "/v1/drafts", headers: ["Idempotency-Key": idempotencyKey], body: body)
    }

    /// Delete a draft of the caller
    public func deleteDraft(id: String) async throws {
        try await done("DELETE", "/v1/drafts/\(Hibana.segment(id))")
    }

    /// Read a draft of the caller
    public func getDraft(id: String) async throws -> Hibana.Draft {
        try await call("GET", "/v1/drafts/\(Hibana.segment(id))")
    }

    /// Put another text and time into a draft
    public func changeDraft(_ body: Hibana.NewDraft, id: String, ifMatch: String? = nil) async throws -> Hibana.Draft {
        try await call("PUT", "/v1/drafts/\(Hibana.segment(id))", headers: ["If-Match": ifMatch], body: body)
    }

    /// Post a draft now
    public func publishDraft(id: String) async throws -> Hibana.Outcome<Hibana.Tweet, Hibana.HeldNotice> {
        try await outcome("POST", "/v1/drafts/\(Hibana.segment(id))/publish")
    }

    /// List the replies that wait for the caller's approval, newest first
    public func listHeldReplies(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListHeldReply {
        try await call("GET", "/v1/heldReplies", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Refuse a reply that waits for the caller, or withdraw one of the caller's
    public func removeHeldReply(id: String) async throws {
        try await done("DELETE", "/v1/heldReplies/\(Hibana.segment(id))")
    }

    /// Approve a reply that waits for the caller
    public func approveHeldReply(id: String) async throws -> Hibana.Tweet {
        try await call("POST", "/v1/heldReplies/\(Hibana.segment(id))/approve")
    }

    /// Read what the installation says of itself: its rules, terms, languages and limits
    public func getInstance(format: String? = nil) async throws -> Hibana.Instance {
        try await call("GET", "/v1/instance", query: ["format": format])
    }

    /// Read how far an account deletion is
    public func getLeaving(id: String) async throws -> Hibana.Leaving {
        try await call("GET", "/v1/leavings/\(Hibana.segment(id))")
    }

    /// Read the card of a linked web page
    public func getLinkCard(url: String) async throws -> Hibana.LinkCardFound {
        try await call("GET", "/v1/linkCards", query: ["url": url])
    }

    /// List the lists of the caller, newest first
    public func listLists(member: String? = nil) async throws -> Hibana.ListPeopleList {
        try await call("GET", "/v1/lists", query: ["member": member])
    }

    /// Make a list of people
    public func createList(_ body: Hibana.NewList, idempotencyKey: String = UUID().uuidString) async throws -> Hibana.PeopleList {
        try await call("POST", "/v1/lists", headers: ["Idempotency-Key": idempotencyKey], body: body)
    }

    /// Delete a list of the caller
    public func deleteList(id: String) async throws {
        try await done("DELETE", "/v1/lists/\(Hibana.segment(id))")
    }

    /// Read a list of the caller
    public func getList(id: String) async throws -> Hibana.PeopleList {
        try await call("GET", "/v1/lists/\(Hibana.segment(id))")
    }

    /// Change a list of the caller
    public func updateList(_ body: Hibana.ListChange, id: String) async throws {
        try await done("PATCH", "/v1/lists/\(Hibana.segment(id))", body: body)
    }

    /// List the members of a list of the caller, newest first
    public func listListMembers(id: String, format: String? = nil) async throws -> Hibana.ListUserSummary {
        try await call("GET", "/v1/lists/\(Hibana.segment(id))/members", query: ["format": format])
    }

    /// Take a user off a list of the caller
    public func removeListMember(id: String, uid: String) async throws {
        try await done("DELETE", "/v1/lists/\(Hibana.segment(id))/members/\(Hibana.segment(uid))")
    }

    /// Put a user on a list of the caller
    public func addListMember(id: String, uid: String) async throws {
        try await done("PUT", "/v1/lists/\(Hibana.segment(id))/members/\(Hibana.segment(uid))")
    }

    /// List what the members of a list of the caller wrote, newest first
    public func getListTimeline(id: String, pageSize: Int? = nil, pageToken: String? = nil, before: String? = nil, format: String? = nil) async throws -> Hibana.ListTweet {
        try await call("GET", "/v1/lists/\(Hibana.segment(id))/timeline", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "before": before, "format": format])
    }

    /// Announce the upload of a picture or video
    public func createMedia(_ body: Hibana.NewMedia) async throws -> Hibana.CreatedMedia {
        try await call("POST", "/v1/media", body: body)
    }

    /// Delete an upload of the caller
    public func deleteMedia(id: String, reason: String? = nil) async throws {
        try await done("DELETE", "/v1/media/\(Hibana.segment(id))", query: ["reason": reason])
    }

    /// Read how far an upload of the caller is
    public func getMedia(id: String) async throws -> Hibana.Media {
        try await call("GET", "/v1/media/\(Hibana.segment(id))")
    }

    /// Describe an upload of the caller
    public func changeMedia(_ body: Hibana.ChangeMediaInputBody, id: String) async throws -> Hibana.Media {
        try await call("PATCH", "/v1/media/\(Hibana.segment(id))", body: body)
    }

    /// Move the caller's account to another server
    public func moveAway(_ body: Hibana.Move) async throws {
        try await done("POST", "/v1/move", body: body)
    }

    /// List the caller's notifications, last changed first
    public func listNotifications(filter: String? = nil, day: String? = nil, brief: Bool? = nil, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListNotification {
        try await call("GET", "/v1/notifications", query: ["filter": filter, "day": day, "brief": brief.map { String($0) }, "pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Mark all of the caller's notifications as read
    public func readNotifications(until: String? = nil) async throws {
        try await done("PUT", "/v1/notifications/read", query: ["until": until])
    }

    /// Count the caller's unread notifications
    public func countUnreadNotifications() async throws -> Hibana.UnreadCount {
        try await call("GET", "/v1/notifications/unreadCount")
    }

    /// Mark a notification as read
    public func readNotification(id: String) async throws {
        try await done("PUT", "/v1/notifications/\(Hibana.segment(id))/read")
    }

    /// List the orders of the caller, newest first
    public func listOrders(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListOrder {
        try await call("GET", "/v1/orders", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Order what is in the cart
    public func placeOrder(_ body: Hibana.PlaceOrderInputBody, idempotencyKey: String = UUID().uuidString) async throws -> Hibana.Order {
        try await call("POST", "/v1/orders", headers: ["Idempotency-Key": idempotencyKey], body: body)
    }

    /// Read an order of the caller
    public func getOrder(id: String) async throws -> Hibana.Order {
        try await call("GET", "/v1/orders/\(Hibana.segment(id))")
    }

    /// Cancel an order of the caller that was not shipped
    public func cancelOrder(id: String) async throws -> Hibana.Order {
        try await call("POST", "/v1/orders/\(Hibana.segment(id))/cancel")
    }

    /// List the products that are for sale
    public func listProducts(sort: String? = nil, pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListProduct {
        try await call("GET", "/v1/products", query: ["sort": sort, "pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Add a product to the shop
    public func createProduct(_ body: Hibana.NewProduct, idempotencyKey: String = UUID().uuidString) async throws -> Hibana.Product {
        try await call("POST", "/v1/products", headers: ["Idempotency-Key": idempotencyKey], body: body)
    }

    /// Read a product, which may be retired
    public func getProduct(id: String) async throws -> Hibana.Product {
        try await call("GET", "/v1/products/\(Hibana.segment(id))")
    }

    /// Change a product, retire it, or sell it again
    public func changeProduct(_ body: Hibana.ProductPatch, id: String, ifMatch: String? = nil) async throws -> Hibana.Product {
        try await call("PATCH", "/v1/products/\(Hibana.segment(id))", headers: ["If-Match": ifMatch], body: body)
    }

    /// Add pieces to the stock of a product, or take some out
    public func restockProduct(_ body: Hibana.RestockInputBody, id: String, idempotencyKey: String = UUID().uuidString) async throws -> Hibana.Product {
        try await call("POST", "/v1/products/\(Hibana.segment(id))/restock", headers: ["Idempotency-Key": idempotencyKey], body: body)
    }

    /// Show the ways by which devices get notifications
    public func getPush() async throws -> Hibana.PushWays {
        try await call("GET", "/v1/push")
    }

    /// What stands between the caller and up to 100 users
    public func listRelationships(ids: [String], view: String? = nil) async throws -> Hibana.AllTies {
        try await call("GET", "/v1/relationships", query: ["ids": ids.joined(separator: ","), "view": view])
    }

    /// Check that one user follows another
    public func getRelationship(followerId: String, followedId: String) async throws -> Hibana.Relationship {
        try await call("GET", "/v1/relationships/\(Hibana.segment(followerId))/\(Hibana.segment(followedId))")
    }

    /// Report a tweet, a message or a user to the moderators
    public func createReport(_ body: Hibana.NewReport) async throws {
        try await done("POST", "/v1/reports", body: body)
    }

    /// Find public tweets by their words, newest first
    public func searchTweets(q: String, following: Bool? = nil, resolve: Bool? = nil, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListFoundTweet {
        try await call("GET", "/v1/search/tweets", query: ["q": q, "following": following.map { String($0) }, "resolve": resolve.map { String($0) }, "pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Find people by the beginning of their username or nickname
    public func searchUsers(q: String, resolve: Bool? = nil, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListUserSummary {
        try await call("GET", "/v1/search/users", query: ["q": q, "resolve": resolve.map { String($0) }, "pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List people whom the caller may want to follow
    public func listSuggestions(limit: Int? = nil, language: String? = nil, format: String? = nil) async throws -> Hibana.Suggestions {
        try await call("GET", "/v1/suggestions", query: ["limit": limit.map { String($0) }, "language": language, "format": format])
    }

    /// Do not suggest a user to the caller again
    public func dismissSuggestion(uid: String) async throws {
        try await done("DELETE", "/v1/suggestions/\(Hibana.segment(uid))")
    }

    /// List the tags, most used first
    public func listTags(orderBy: String? = nil, pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListTag {
        try await call("GET", "/v1/tags", query: ["orderBy": orderBy, "pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Read a tag
    public func getTag(tag: String) async throws -> Hibana.ReadTag {
        try await call("GET", "/v1/tags/\(Hibana.segment(tag))")
    }

    /// Follow a tag no more
    public func unfollowTag(tag: String) async throws {
        try await done("DELETE", "/v1/tags/\(Hibana.segment(tag))/follow")
    }

    /// Follow a tag
    public func followTag(tag: String) async throws {
        try await done("PUT", "/v1/tags/\(Hibana.segment(tag))/follow")
    }

    /// List the tweets of a tag, newest first
    public func listTagTweets(tag: String, rootOnly: Bool? = nil, pageSize: Int? = nil, pageToken: String? = nil, before: String? = nil, format: String? = nil) async throws -> Hibana.ListTweet {
        try await call("GET", "/v1/tags/\(Hibana.segment(tag))/tweets", query: ["rootOnly": rootOnly.map { String($0) }, "pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "before": before, "format": format])
    }

    /// List the users who use a tag
    public func listTagUsers(tag: String, orderBy: String? = nil, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListTagUser {
        try await call("GET", "/v1/tags/\(Hibana.segment(tag))/users", query: ["orderBy": orderBy, "pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List the caller's home timeline, newest first
    public func getTimeline(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil, after: String? = nil, before: String? = nil, since: String? = nil) async throws -> Hibana.HomePage {
        try await call("GET", "/v1/timeline", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format, "after": after, "before": before, "since": since])
    }

    /// Read how many users, tweets, relationships, likes and shares there are
    public func getTotals() async throws -> Hibana.Totals {
        try await call("GET", "/v1/totals")
    }

    /// List the tags and tweets that more accounts use than usual
    public func listTrends(only: String? = nil, language: String? = nil, format: String? = nil) async throws -> Hibana.Trends {
        try await call("GET", "/v1/trends", query: ["only": only, "language": language, "format": format])
    }

    /// List the public timeline, newest first
    public func listPublicTweets(replies: Bool? = nil, pageSize: Int? = nil, pageToken: String? = nil, before: String? = nil, format: String? = nil) async throws -> Hibana.ListTweet {
        try await call("GET", "/v1/tweets", query: ["replies": replies.map { String($0) }, "pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "before": before, "format": format])
    }

    /// Post a tweet
    public func createTweet(_ body: Hibana.NewTweet, idempotencyKey: String = UUID().uuidString) async throws -> Hibana.Outcome<Hibana.Tweet, Hibana.HeldNotice> {
        try await outcome("POST", "/v1/tweets", headers: ["Idempotency-Key": idempotencyKey], body: body)
    }

    /// Delete a tweet of the caller
    public func deleteTweet(id: String, reason: String? = nil, keepMedia: Bool? = nil) async throws {
        try await done("DELETE", "/v1/tweets/\(Hibana.segment(id))", query: ["reason": reason, "keepMedia": keepMedia.map { String($0) }])
    }

    /// Read a tweet
    public func getTweet(id: String, context: String? = nil, format: String? = nil) async throws -> Hibana.WholeTweet {
        try await call("GET", "/v1/tweets/\(Hibana.segment(id))", query: ["context": context, "format": format])
    }

    /// Edit a tweet of the caller
    public func editTweet(_ body: Hibana.TweetPatch, id: String, ifMatch: String? = nil) async throws -> Hibana.Tweet {
        try await call("PATCH", "/v1/tweets/\(Hibana.segment(id))", headers: ["If-Match": ifMatch], body: body)
    }

    /// Remove a bookmark
    public func unbookmark(id: String) async throws {
        try await done("DELETE", "/v1/tweets/\(Hibana.segment(id))/bookmark")
    }

    /// Bookmark a tweet
    public func bookmark(id: String) async throws {
        try await done("PUT", "/v1/tweets/\(Hibana.segment(id))/bookmark")
    }

    /// Show a hidden reply again
    public func unfold(id: String) async throws {
        try await done("DELETE", "/v1/tweets/\(Hibana.segment(id))/fold")
    }

    /// Hide a reply in a thread that the caller began
    public func fold(id: String) async throws {
        try await done("PUT", "/v1/tweets/\(Hibana.segment(id))/fold")
    }

    /// Read the short form of a long tweet, or have an AI model write it
    public func gist(id: String) async throws -> Hibana.Gist {
        try await call("POST", "/v1/tweets/\(Hibana.segment(id))/gist")
    }

    /// Stop liking a tweet
    public func unlike(id: String) async throws {
        try await done("DELETE", "/v1/tweets/\(Hibana.segment(id))/like")
    }

    /// Like a tweet
    public func like(id: String) async throws {
        try await done("PUT", "/v1/tweets/\(Hibana.segment(id))/like")
    }

    /// List the users who like a tweet, newest like first
    public func listLikes(id: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListPerson {
        try await call("GET", "/v1/tweets/\(Hibana.segment(id))/likes", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Take the mute of a conversation back
    public func unmute(id: String) async throws {
        try await done("DELETE", "/v1/tweets/\(Hibana.segment(id))/mute")
    }

    /// Mute a conversation
    public func mute(id: String) async throws {
        try await done("PUT", "/v1/tweets/\(Hibana.segment(id))/mute")
    }

    /// Take a tweet off the pinned ones
    public func unpin(id: String) async throws {
        try await done("DELETE", "/v1/tweets/\(Hibana.segment(id))/pin")
    }

    /// Pin a tweet of one's own to the profile
    public func pin(id: String) async throws {
        try await done("PUT", "/v1/tweets/\(Hibana.segment(id))/pin")
    }

    /// List the tweets that quote a tweet, newest first
    public func listQuotes(id: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListTweet {
        try await call("GET", "/v1/tweets/\(Hibana.segment(id))/quotes", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Withdraw a tweet of the caller from a tweet that quotes it
    public func withdrawQuote(id: String, quote: String) async throws {
        try await done("DELETE", "/v1/tweets/\(Hibana.segment(id))/quotes/\(Hibana.segment(quote))")
    }

    /// List the replies to a tweet, oldest first
    public func listReplies(id: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListTweet {
        try await call("GET", "/v1/tweets/\(Hibana.segment(id))/replies", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List the earlier versions of a tweet, oldest first
    public func listRevisions(id: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListRevision {
        try await call("GET", "/v1/tweets/\(Hibana.segment(id))/revisions", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Read an earlier version of a tweet
    public func getRevision(id: String, format: String? = nil, number: Int) async throws -> Hibana.Revision {
        try await call("GET", "/v1/tweets/\(Hibana.segment(id))/revisions/\(number)", query: ["format": format])
    }

    /// Stop sharing a tweet
    public func unshare(id: String) async throws {
        try await done("DELETE", "/v1/tweets/\(Hibana.segment(id))/share")
    }

    /// Share a tweet
    public func share(id: String) async throws {
        try await done("PUT", "/v1/tweets/\(Hibana.segment(id))/share")
    }

    /// List the users who share a tweet, newest share first
    public func listShares(id: String, pageSize: Int? = nil, pageToken: String? = nil, before: String? = nil, format: String? = nil) async throws -> Hibana.ListPerson {
        try await call("GET", "/v1/tweets/\(Hibana.segment(id))/shares", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "before": before, "format": format])
    }

    /// Read a tweet with what it answers and what answers it
    public func getThread(id: String, pageSize: Int? = nil, pageToken: String? = nil, depth: Int? = nil, texts: Bool? = nil, format: String? = nil) async throws -> Hibana.Thread {
        try await call("GET", "/v1/tweets/\(Hibana.segment(id))/thread", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "depth": depth.map { String($0) }, "texts": texts.map { String($0) }, "format": format])
    }

    /// Choose an option in the poll of a tweet
    public func vote(_ body: Hibana.VoteInputBody, id: String) async throws -> Hibana.Poll {
        try await call("PUT", "/v1/tweets/\(Hibana.segment(id))/vote", body: body)
    }

    /// Read up to 50 tweets by id
    public func batchGetTweets(ids: [String], polls: Bool? = nil, texts: Bool? = nil, context: String? = nil, format: String? = nil) async throws -> Hibana.Batch {
        try await call("GET", "/v1/tweets:batchGet", query: ["ids": ids.joined(separator: ","), "polls": polls.map { String($0) }, "texts": texts.map { String($0) }, "context": context, "format": format])
    }

    /// Read the profile of the user with a username
    public func getUserByUsername(username: String, format: String? = nil) async throws -> Hibana.User {
        try await call("GET", "/v1/usernames/\(Hibana.segment(username))", query: ["format": format])
    }

    /// List all users, the newest account first
    public func listUsers(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListUser {
        try await call("GET", "/v1/users", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Create the caller's profile
    public func createUser(_ body: Hibana.NewUser) async throws -> Hibana.Outcome<Hibana.User, Hibana.SignUp> {
        try await outcome("POST", "/v1/users", body: body)
    }

    /// Delete the caller's profile, and everything of the caller
    public func leave() async throws -> Hibana.Leaving {
        try await call("DELETE", "/v1/users/me")
    }

    /// Read the caller's whole profile
    public func getMe(format: String? = nil) async throws -> Hibana.User {
        try await call("GET", "/v1/users/me", query: ["format": format])
    }

    /// Read the agent that acts for the caller
    public func getAgent() async throws -> Hibana.Agent {
        try await call("GET", "/v1/users/me/agent")
    }

    /// Stop or start the agent that acts for the caller
    public func runAgent(_ body: Hibana.RunAgent) async throws -> Hibana.Agent {
        try await call("PUT", "/v1/users/me/agent", body: body)
    }

    /// List what the agent of the caller did, newest first
    public func listOwnAgentActs(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListAgentAct {
        try await call("GET", "/v1/users/me/agent/acts", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// List the users whom the caller blocks, newest first
    public func listBlocks(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListPerson {
        try await call("GET", "/v1/users/me/blocks", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List the tweets that the caller has bookmarked, newest bookmark first
    public func listBookmarks(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListBookmarkedTweet {
        try await call("GET", "/v1/users/me/bookmarks", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List what moderators decided about the caller and the caller's tweets, newest first
    public func listDecisions(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListDecision {
        try await call("GET", "/v1/users/me/decisions", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// Appeal against a decision of moderators
    public func appeal(_ body: Hibana.AppealRequest, id: String) async throws -> Hibana.Decision {
        try await call("PUT", "/v1/users/me/decisions/\(Hibana.segment(id))/appeal", body: body)
    }

    /// Read how far the caller's export is, and where its archives are
    public func getExport() async throws -> Hibana.Export {
        try await call("GET", "/v1/users/me/export")
    }

    /// Export everything of the caller
    public func export() async throws -> Hibana.Export {
        try await call("POST", "/v1/users/me/export")
    }

    /// List the caller's filters, oldest first
    public func listFilters() async throws -> Hibana.ListFilter {
        try await call("GET", "/v1/users/me/filters")
    }

    /// Remove a filter of the caller
    public func removeFilter(ifMatch: String? = nil, id: String) async throws {
        try await done("DELETE", "/v1/users/me/filters/\(Hibana.segment(id))", headers: ["If-Match": ifMatch])
    }

    /// Make or replace a filter of the caller
    public func putFilter(_ body: Hibana.FilterBody, ifMatch: String? = nil, id: String) async throws -> Hibana.Filter {
        try await call("PUT", "/v1/users/me/filters/\(Hibana.segment(id))", headers: ["If-Match": ifMatch], body: body)
    }

    /// List the users who ask to follow the caller, newest first
    public func listFollowRequests(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListPerson {
        try await call("GET", "/v1/users/me/followRequests", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Refuse the request of a user to follow the caller
    public func refuseFollow(uid: String) async throws {
        try await done("DELETE", "/v1/users/me/followRequests/\(Hibana.segment(uid))")
    }

    /// Accept the request of a user to follow the caller
    public func acceptFollow(uid: String) async throws {
        try await done("PUT", "/v1/users/me/followRequests/\(Hibana.segment(uid))")
    }

    /// List the tags that the caller follows, the newest follow first
    public func listFollowedTags() async throws -> Hibana.ListFollowedTag {
        try await call("GET", "/v1/users/me/followedTags")
    }

    /// Remove a follower of the caller
    public func removeFollower(uid: String) async throws {
        try await done("DELETE", "/v1/users/me/followers/\(Hibana.segment(uid))")
    }

    /// List the caller's own replies that wait for approval, newest first
    public func listOwnHeldReplies(pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListHeldReply {
        try await call("GET", "/v1/users/me/heldReplies", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// List the users whose shares the caller hides, newest first
    public func listHiddenSharers(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListPerson {
        try await call("GET", "/v1/users/me/hiddenSharers", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Read how far the caller has read, on any device
    public func getMarkers() async throws -> Hibana.Markers {
        try await call("GET", "/v1/users/me/markers")
    }

    /// Move the marker of the caller's home timeline
    public func moveMarkers(_ body: Hibana.MoveMarkersRequest) async throws -> Hibana.Markers {
        try await call("PATCH", "/v1/users/me/markers", body: body)
    }

    /// List the caller's tweets with visibility mentioned, newest first
    public func listMentioned(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListTweet {
        try await call("GET", "/v1/users/me/mentioned", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List the tweets that mention the caller, newest mention first
    public func listMentions(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListTweet {
        try await call("GET", "/v1/users/me/mentions", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List the users whom the caller mutes, newest mute first
    public func listMutes(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListMutedPerson {
        try await call("GET", "/v1/users/me/mutes", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List what the caller's notification policy filtered, by sender, the newest first
    public func listNotificationRequests(pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListNotificationRequest {
        try await call("GET", "/v1/users/me/notificationRequests", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Dismiss the request of a sender
    public func dismissNotificationRequest(uid: String) async throws {
        try await done("DELETE", "/v1/users/me/notificationRequests/\(Hibana.segment(uid))")
    }

    /// Let the notification policy apply to an accepted sender again
    public func unacceptNotificationRequest(uid: String) async throws {
        try await done("DELETE", "/v1/users/me/notificationRequests/\(Hibana.segment(uid))/accept")
    }

    /// Accept the notifications of a sender
    public func acceptNotificationRequest(uid: String) async throws {
        try await done("POST", "/v1/users/me/notificationRequests/\(Hibana.segment(uid))/accept")
    }

    /// List the caller's devices that get notifications, the last registered first
    public func listPushSubscriptions() async throws -> Hibana.ListPushSubscription {
        try await call("GET", "/v1/users/me/pushSubscriptions")
    }

    /// Remove a device
    public func removePushSubscription(id: String) async throws {
        try await done("DELETE", "/v1/users/me/pushSubscriptions/\(Hibana.segment(id))")
    }

    /// Change of what an app for Mastodon is told
    public func changePushSubscription(_ body: Hibana.ChangePushSubscriptionRequest, id: String) async throws {
        try await done("PATCH", "/v1/users/me/pushSubscriptions/\(Hibana.segment(id))", body: body)
    }

    /// Register a device that gets the caller's notifications
    public func putPushSubscription(_ body: Hibana.PushBody, id: String) async throws {
        try await done("PUT", "/v1/users/me/pushSubscriptions/\(Hibana.segment(id))", body: body)
    }

    /// Show what becomes of notifications of people whom the caller may not know
    public func getNotificationPolicy() async throws -> Hibana.NotificationPolicy {
        try await call("GET", "/v1/users/me/settings/notificationPolicy")
    }

    /// Change what becomes of notifications of people whom the caller may not know
    public func changeNotificationPolicy(_ body: Hibana.NotificationPolicyPatch) async throws -> Hibana.NotificationPolicy {
        try await call("PATCH", "/v1/users/me/settings/notificationPolicy", body: body)
    }

    /// Show of what the caller gets notifications
    public func getNotificationSettings() async throws -> Hibana.NotificationSettings {
        try await call("GET", "/v1/users/me/settings/notifications")
    }

    /// Change of what the caller gets notifications
    public func changeNotificationSettings(_ body: Hibana.SettingsPatch) async throws -> Hibana.NotificationSettings {
        try await call("PATCH", "/v1/users/me/settings/notifications", body: body)
    }

    /// Put the sign-in of this ID token on the caller's list
    public func tellOfSignIn() async throws {
        try await done("PUT", "/v1/users/me/sign-in")
    }

    /// End all sessions of the caller, this one too
    public func signOutEverywhere() async throws {
        try await done("DELETE", "/v1/users/me/sign-ins")
    }

    /// List the caller's newest sign-ins
    public func listSignIns() async throws -> Hibana.SignIns {
        try await call("GET", "/v1/users/me/sign-ins")
    }

    /// Take back the caller's sign-up that waits
    public func takeBackSignUp() async throws {
        try await done("DELETE", "/v1/users/me/sign-up")
    }

    /// Read the caller's sign-up that waits for approval, or was refused
    public func getSignUp() async throws -> Hibana.SignUp {
        try await call("GET", "/v1/users/me/sign-up")
    }

    /// Consent to the terms
    public func consent(_ body: Hibana.ConsentInputBody) async throws -> Hibana.Consent {
        try await call("PUT", "/v1/users/me/terms", body: body)
    }

    /// Read a profile
    public func getUser(uid: String, view: String? = nil, format: String? = nil) async throws -> Hibana.User {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))", query: ["view": view, "format": format])
    }

    /// Change the caller's profile
    public func updateUser(_ body: Hibana.UserPatch, uid: String) async throws -> Hibana.User {
        try await call("PATCH", "/v1/users/\(Hibana.segment(uid))", body: body)
    }

    /// Stop blocking a user
    public func unblock(uid: String) async throws {
        try await done("DELETE", "/v1/users/\(Hibana.segment(uid))/block")
    }

    /// Block a user
    public func block(uid: String) async throws {
        try await done("PUT", "/v1/users/\(Hibana.segment(uid))/block")
    }

    /// List the followers of a user whom the caller follows
    public func listFamiliarFollowers(uid: String, format: String? = nil) async throws -> Hibana.FamiliarFollowers {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/familiarFollowers", query: ["format": format])
    }

    /// Stop following a user, or withdraw a request to follow
    public func unfollow(uid: String) async throws {
        try await done("DELETE", "/v1/users/\(Hibana.segment(uid))/follow")
    }

    /// Follow a user, or ask to
    public func follow(uid: String) async throws -> Hibana.Followed {
        try await call("PUT", "/v1/users/\(Hibana.segment(uid))/follow")
    }

    /// List the followers of a user, newest first
    public func listFollowers(uid: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListPerson {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/followers", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List the users whom a user follows, newest first
    public func listFollowing(uid: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListPerson {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/following", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Show what a user shares again
    public func showShares(uid: String) async throws {
        try await done("DELETE", "/v1/users/\(Hibana.segment(uid))/hideShares")
    }

    /// Hide what a user shares
    public func hideShares(uid: String) async throws {
        try await done("PUT", "/v1/users/\(Hibana.segment(uid))/hideShares")
    }

    /// List the tweets that a user likes, newest like first
    public func listUserLikes(uid: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListLikedTweet {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/likes", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List the public lists of a user, newest first
    public func listUserLists(uid: String) async throws -> Hibana.ListPeopleList {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/lists")
    }

    /// Read a public list of a user
    public func getUserList(uid: String, id: String) async throws -> Hibana.PeopleList {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/lists/\(Hibana.segment(id))")
    }

    /// Follow the members of a list, some at a time
    public func followList(uid: String, id: String, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListMemberFollow {
        try await call("POST", "/v1/users/\(Hibana.segment(uid))/lists/\(Hibana.segment(id))/follow", query: ["pageToken": pageToken, "format": format])
    }

    /// List the members of a public list of a user, newest first
    public func listUserListMembers(uid: String, id: String, format: String? = nil) async throws -> Hibana.ListUserSummary {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/lists/\(Hibana.segment(id))/members", query: ["format": format])
    }

    /// List what the members of a public list of a user wrote, newest first
    public func getUserListTimeline(uid: String, id: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListTweet {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/lists/\(Hibana.segment(id))/timeline", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// Take the mute of a user back
    public func unmuteUser(uid: String) async throws {
        try await done("DELETE", "/v1/users/\(Hibana.segment(uid))/mute")
    }

    /// Mute a user, for a time or for ever
    public func muteUser(_ body: Hibana.NewMute, uid: String) async throws {
        try await done("PUT", "/v1/users/\(Hibana.segment(uid))/mute", body: body)
    }

    /// Remove the caller's note on a user
    public func removeNote(uid: String) async throws {
        try await done("DELETE", "/v1/users/\(Hibana.segment(uid))/note")
    }

    /// Read the caller's note on a user
    public func getNote(uid: String) async throws -> Hibana.PersonNote {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/note")
    }

    /// Keep a note on a user, for the caller alone
    public func putNote(_ body: Hibana.PutNoteRequest, uid: String) async throws -> Hibana.PersonNote {
        try await call("PUT", "/v1/users/\(Hibana.segment(uid))/note", body: body)
    }

    /// Notify the caller of a user's posts no more
    public func unsubscribe(uid: String) async throws {
        try await done("DELETE", "/v1/users/\(Hibana.segment(uid))/notify")
    }

    /// Read whether the posts of a user make notifications for the caller
    public func getSubscription(uid: String) async throws -> Hibana.Subscription {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/notify")
    }

    /// Notify the caller of the posts of a user whom the caller follows
    public func subscribe(uid: String) async throws {
        try await done("PUT", "/v1/users/\(Hibana.segment(uid))/notify")
    }

    /// Count the tweets of the tags that a user shows on the profile
    public func listPinnedTags(uid: String) async throws -> Hibana.ListPinnedTag {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/pinnedTags")
    }

    /// List the tweets that a user has pinned, newest pin first
    public func listPins(uid: String, format: String? = nil) async throws -> Hibana.ListPinnedTweet {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/pins", query: ["format": format])
    }

    /// List the tweets that a user shares, newest share first
    public func listUserShares(uid: String, pageSize: Int? = nil, pageToken: String? = nil, format: String? = nil) async throws -> Hibana.ListSharedTweet {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/shares", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "format": format])
    }

    /// List the tags that a user uses, most used first
    public func listUserTags(uid: String, pageSize: Int? = nil, pageToken: String? = nil) async throws -> Hibana.ListUsedTag {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/tags", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken])
    }

    /// List what a user writes and shares, newest first
    public func listUserTweets(uid: String, pageSize: Int? = nil, pageToken: String? = nil, before: String? = nil, format: String? = nil, ownOnly: Bool? = nil, rootOnly: Bool? = nil, mediaOnly: Bool? = nil, tag: String? = nil, view: String? = nil) async throws -> Hibana.ListAuthoredTweet {
        try await call("GET", "/v1/users/\(Hibana.segment(uid))/tweets", query: ["pageSize": pageSize.map { String($0) }, "pageToken": pageToken, "before": before, "format": format, "ownOnly": ownOnly.map { String($0) }, "rootOnly": rootOnly.map { String($0) }, "mediaOnly": mediaOnly.map { String($0) }, "tag": tag, "view": view])
    }

    /// Read up to 50 profiles by id
    public func batchGetUsers(ids: [String], format: String? = nil) async throws -> Hibana.UserBatch {
        try await call("GET", "/v1/users:batchGet", query: ["ids": ids.joined(separator: ","), "format": format])
    }
}
