// Generated from api/openapi.json by `go run ./clients/generate`. Do not edit.

import 'hibana.dart';
import 'types.dart';

extension Operations on Hibana {
  /// List administrative acts, newest first
  Future<ListAction> listActions({int? pageSize, String? pageToken, String? by, String? user, String? tweet, String? product, String? order}) async =>
      ListAction.fromJson((await send('GET', '/v1/admin/actions', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'by': by, 'user': user, 'tweet': tweet, 'product': product, 'order': order})).json);

  /// List agents, newest first
  Future<ListAgent> listAgents({int? pageSize, String? pageToken}) async =>
      ListAgent.fromJson((await send('GET', '/v1/admin/agents', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Make or change the agent of a user
  Future<Agent> putAgent(String uid, NewAgent body) async =>
      Agent.fromJson((await send('PUT', '/v1/admin/agents/${Uri.encodeComponent(uid)}', body: body.toJson())).json);

  /// List the acts of an agent, newest first
  Future<ListAgentAct> listAgentActs(String uid, {int? pageSize, String? pageToken}) async =>
      ListAgentAct.fromJson((await send('GET', '/v1/admin/agents/${Uri.encodeComponent(uid)}/acts', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Remove an AI model
  Future<void> removeAIModel(String label) async {
    await send('DELETE', '/v1/admin/ai-models/${Uri.encodeComponent(label)}');
  }

  /// Add or replace an AI model
  Future<AIModel> putAIModel(String label, NewAIModel body) async =>
      AIModel.fromJson((await send('PUT', '/v1/admin/ai-models/${Uri.encodeComponent(label)}', body: body.toJson())).json);

  /// List all announcements, also those that start later or have ended
  Future<ListAnnouncement> listAllAnnouncements({String? format}) async =>
      ListAnnouncement.fromJson((await send('GET', '/v1/admin/announcements', query: {'format': format})).json);

  /// Remove an announcement
  Future<void> removeAnnouncement(String id) async {
    await send('DELETE', '/v1/admin/announcements/${Uri.encodeComponent(id)}');
  }

  /// Make or replace an announcement
  Future<Announcement> putAnnouncement(String id, NewAnnouncement body) async =>
      Announcement.fromJson((await send('PUT', '/v1/admin/announcements/${Uri.encodeComponent(id)}', body: body.toJson())).json);

  /// List the appeals that wait for an answer, oldest first
  Future<ListAppeal> listAppeals({int? pageSize, String? pageToken}) async =>
      ListAppeal.fromJson((await send('GET', '/v1/admin/appeals', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Answer an appeal
  Future<Appeal> answerAppeal(String id, AnswerAppealRequest body) async =>
      Appeal.fromJson((await send('PUT', '/v1/admin/appeals/${Uri.encodeComponent(id)}', body: body.toJson())).json);

  /// Read a notification event
  Future<Event> getEvent(String eventId) async =>
      Event.fromJson((await send('GET', '/v1/admin/events/${Uri.encodeComponent(eventId)}')).json);

  /// List the domains of the fediverse that have a rule
  Future<FediverseDomains> listFediverseDomains({String? after, int? limit}) async =>
      FediverseDomains.fromJson((await send('GET', '/v1/admin/fediverse-domains', query: {'after': after, 'limit': limit?.toString()})).json);

  /// Import a list of domains of the fediverse
  Future<FediverseImport> importFediverseDomains(FediverseDomainList body) async =>
      FediverseImport.fromJson((await send('POST', '/v1/admin/fediverse-domains', body: body.toJson())).json);

  /// Remove the rule for a domain of the fediverse
  Future<void> removeFediverseDomain(String domain) async {
    await send('DELETE', '/v1/admin/fediverse-domains/${Uri.encodeComponent(domain)}');
  }

  /// Set the rule for a domain
  Future<void> putFediverseDomain(String domain, NewFediverseDomain body) async {
    await send('PUT', '/v1/admin/fediverse-domains/${Uri.encodeComponent(domain)}', body: body.toJson());
  }

  /// Change what the installation says of itself
  Future<Instance> changeInstance(InstancePatch body) async =>
      Instance.fromJson((await send('PATCH', '/v1/admin/instance', body: body.toJson())).json);

  /// List invitations, newest first
  Future<ListInvitation> listInvitations({int? pageSize, String? pageToken}) async =>
      ListInvitation.fromJson((await send('GET', '/v1/admin/invitations', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Make an invitation
  Future<Invitation> invite(NewInvitation body) async =>
      Invitation.fromJson((await send('POST', '/v1/admin/invitations', body: body.toJson())).json);

  /// Remove an invitation
  Future<void> uninvite(String code) async {
    await send('DELETE', '/v1/admin/invitations/${Uri.encodeComponent(code)}');
  }

  /// List the orders of all users that have a state, oldest first
  Future<ListOrder> listAllOrders({int? pageSize, String? pageToken, String? status}) async =>
      ListOrder.fromJson((await send('GET', '/v1/admin/orders', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'status': status})).json);

  /// List open reports, oldest first
  Future<ListReport> listReports({int? pageSize, String? pageToken, bool? counts}) async =>
      ListReport.fromJson((await send('GET', '/v1/admin/reports', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'counts': counts?.toString()})).json);

  /// Resolve a report
  Future<Report> resolveReport(String id, ResolveReportRequest body) async =>
      Report.fromJson((await send('PUT', '/v1/admin/reports/${Uri.encodeComponent(id)}', body: body.toJson())).json);

  /// Let people sign up again from an e-mail domain or a network
  Future<void> unblockSignUps(String of) async {
    await send('DELETE', '/v1/admin/sign-up-blocks', query: {'of': of});
  }

  /// List the e-mail domains and networks from which nobody signs up
  Future<SignUpBlocks> listSignUpBlocks() async =>
      SignUpBlocks.fromJson((await send('GET', '/v1/admin/sign-up-blocks')).json);

  /// Let nobody sign up from an e-mail domain or a network
  Future<void> blockSignUps(String of, NewSignUpBlock body) async {
    await send('PUT', '/v1/admin/sign-up-blocks', query: {'of': of}, body: body.toJson());
  }

  /// List the sign-ups that wait for approval, oldest first
  Future<ListSignUp> listSignUps({int? pageSize, String? pageToken}) async =>
      ListSignUp.fromJson((await send('GET', '/v1/admin/sign-ups', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Approve a sign-up: the user has the profile
  Future<User> approveSignUp(String uid, {String? askedAt}) async =>
      User.fromJson((await send('PUT', '/v1/admin/sign-ups/${Uri.encodeComponent(uid)}/approval', query: {'askedAt': askedAt})).json);

  /// Refuse a sign-up
  Future<void> refuseSignUp(String uid, RefusedSignUp body) async {
    await send('PUT', '/v1/admin/sign-ups/${Uri.encodeComponent(uid)}/refusal', body: body.toJson());
  }

  /// Compare a home timeline with its source documents
  Future<TimelineAudit> auditTimeline(String uid, {int? settle}) async =>
      TimelineAudit.fromJson((await send('GET', '/v1/admin/timelines/${Uri.encodeComponent(uid)}/audit', query: {'settle': settle?.toString()})).json);

  /// Read the decisions about trends, and what waits for one
  Future<TrendReview> getTrendReview() async =>
      TrendReview.fromJson((await send('GET', '/v1/admin/trends')).json);

  /// Say whether trends need review
  Future<void> needTrendReview(NeedTrendReviewRequest body) async {
    await send('PUT', '/v1/admin/trends/review', body: body.toJson());
  }

  /// Decide whether a tag may be a trend
  Future<void> reviewTag(String tag, TrendDecisionBody body) async {
    await send('PUT', '/v1/admin/trends/tags/${Uri.encodeComponent(tag)}', body: body.toJson());
  }

  /// Decide whether a tweet may be a trend
  Future<void> reviewTweet(String id, TrendDecisionBody body) async {
    await send('PUT', '/v1/admin/trends/tweets/${Uri.encodeComponent(id)}', body: body.toJson());
  }

  /// Edit a tweet of any author
  Future<Tweet> editAnyTweet(String id, EditedTweet body, {String? ifMatch}) async =>
      Tweet.fromJson((await send('PATCH', '/v1/admin/tweets/${Uri.encodeComponent(id)}', headers: {'If-Match': ifMatch}, body: body.toJson())).json);

  /// Take the flag of a tweet away
  Future<void> unflagTweet(String id, {String? reason}) async {
    await send('DELETE', '/v1/admin/tweets/${Uri.encodeComponent(id)}/flag', query: {'reason': reason});
  }

  /// Flag a tweet as violative
  Future<void> flagTweet(String id, Reason body, {String? ifMatch}) async {
    await send('PUT', '/v1/admin/tweets/${Uri.encodeComponent(id)}/flag', headers: {'If-Match': ifMatch}, body: body.toJson());
  }

  /// Make an account with a profile
  Future<User> importUser(ImportedUser body) async =>
      User.fromJson((await send('POST', '/v1/admin/users', body: body.toJson())).json);

  /// Change or clear fields of any profile
  Future<User> editUser(String uid, EditedUser body) async =>
      User.fromJson((await send('PATCH', '/v1/admin/users/${Uri.encodeComponent(uid)}', body: body.toJson())).json);

  /// Follow, like or block in the name of a user
  Future<void> actFor(String uid, ActFor body) async {
    await send('POST', '/v1/admin/users/${Uri.encodeComponent(uid)}/acts', body: body.toJson());
  }

  /// List the users who block a user, newest first
  Future<ListPerson> listBlockers(String uid, {int? pageSize, String? pageToken, String? format}) async =>
      ListPerson.fromJson((await send('GET', '/v1/admin/users/${Uri.encodeComponent(uid)}/blockers', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Restore a frozen account
  Future<Standing> unfreezeUser(String uid, {String? reason}) async =>
      Standing.fromJson((await send('DELETE', '/v1/admin/users/${Uri.encodeComponent(uid)}/freeze', query: {'reason': reason})).json);

  /// Freeze an account
  Future<Standing> freezeUser(String uid, Reason body) async =>
      Standing.fromJson((await send('PUT', '/v1/admin/users/${Uri.encodeComponent(uid)}/freeze', body: body.toJson())).json);

  /// List what moderators noted on a user, newest first
  Future<ListNote> listNotes(String uid, {int? pageSize, String? pageToken}) async =>
      ListNote.fromJson((await send('GET', '/v1/admin/users/${Uri.encodeComponent(uid)}/notes', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Note something on a user, for moderators
  Future<Note> createNote(String uid, CreateNoteRequest body) async =>
      Note.fromJson((await send('POST', '/v1/admin/users/${Uri.encodeComponent(uid)}/notes', body: body.toJson())).json);

  /// Cancel an order of a user that was not shipped
  Future<Order> cancelOrderOf(String uid, String id) async =>
      Order.fromJson((await send('POST', '/v1/admin/users/${Uri.encodeComponent(uid)}/orders/${Uri.encodeComponent(id)}/cancel')).json);

  /// Note that a confirmed order of a user was shipped
  Future<Order> shipOrder(String uid, String id) async =>
      Order.fromJson((await send('POST', '/v1/admin/users/${Uri.encodeComponent(uid)}/orders/${Uri.encodeComponent(id)}/ship')).json);

  /// Send the account's address a letter to set another password
  Future<void> resetPassword(String uid, Reason body) async {
    await send('POST', '/v1/admin/users/${Uri.encodeComponent(uid)}/passwordReset', body: body.toJson());
  }

  /// Read what an account may do
  Future<Standing> getStanding(String uid) async =>
      Standing.fromJson((await send('GET', '/v1/admin/users/${Uri.encodeComponent(uid)}/standing')).json);

  /// Restore a suspended account
  Future<Standing> unsuspendUser(String uid, {String? reason}) async =>
      Standing.fromJson((await send('DELETE', '/v1/admin/users/${Uri.encodeComponent(uid)}/suspend', query: {'reason': reason})).json);

  /// Suspend an account
  Future<Standing> suspendUser(String uid, Reason body) async =>
      Standing.fromJson((await send('PUT', '/v1/admin/users/${Uri.encodeComponent(uid)}/suspend', body: body.toJson())).json);

  /// Post a tweet in the name of a user
  Future<Tweet> importTweet(String uid, ImportedTweet body) async =>
      Tweet.fromJson((await send('POST', '/v1/admin/users/${Uri.encodeComponent(uid)}/tweets', body: body.toJson())).json);

  /// Find an account by its e-mail address
  Future<Account> findAccount(AccountByEmail body, {String? format}) async =>
      Account.fromJson((await send('POST', '/v1/admin/users:byEmail', query: {'format': format}, body: body.toJson())).json);

  /// Compare the counts, the author copy and the preview of a tweet with the source documents
  Future<Differences> verifyTweet(String id, {int? settle}) async =>
      Differences.fromJson((await send('GET', '/v1/admin/verify/tweets/${Uri.encodeComponent(id)}', query: {'settle': settle?.toString()})).json);

  /// Repair the counts, the author copy and the preview of a tweet
  Future<Repairs> repairTweet(String id, RepairTweetRequest body, {int? settle}) async =>
      Repairs.fromJson((await send('POST', '/v1/admin/verify/tweets/${Uri.encodeComponent(id)}/repair', query: {'settle': settle?.toString()}, body: body.toJson())).json);

  /// Compare everything derived for a user with the source documents
  Future<Differences> verifyUser(String uid, {int? settle}) async =>
      Differences.fromJson((await send('GET', '/v1/admin/verify/users/${Uri.encodeComponent(uid)}', query: {'settle': settle?.toString()})).json);

  /// Repair everything derived for a user
  Future<Repairs> repairUser(String uid, RepairUserRequest body, {int? settle}) async =>
      Repairs.fromJson((await send('POST', '/v1/admin/verify/users/${Uri.encodeComponent(uid)}/repair', query: {'settle': settle?.toString()}, body: body.toJson())).json);

  /// List the webhooks, without their secrets
  Future<Webhooks> listWebhooks() async =>
      Webhooks.fromJson((await send('GET', '/v1/admin/webhooks')).json);

  /// Add a webhook
  Future<Webhook> addWebhook(NewWebhook body) async =>
      Webhook.fromJson((await send('POST', '/v1/admin/webhooks', body: body.toJson())).json);

  /// Remove a webhook
  Future<void> removeWebhook(String id) async {
    await send('DELETE', '/v1/admin/webhooks/${Uri.encodeComponent(id)}');
  }

  /// Change a webhook, or switch it on or off
  Future<Webhook> changeWebhook(String id, WebhookPatch body) async =>
      Webhook.fromJson((await send('PATCH', '/v1/admin/webhooks/${Uri.encodeComponent(id)}', body: body.toJson())).json);

  /// Send an event without data to a webhook
  Future<void> pingWebhook(String id) async {
    await send('POST', '/v1/admin/webhooks/${Uri.encodeComponent(id)}/ping');
  }

  /// Give a webhook another secret
  Future<Webhook> renewWebhookSecret(String id) async =>
      Webhook.fromJson((await send('POST', '/v1/admin/webhooks/${Uri.encodeComponent(id)}/secret')).json);

  /// List the AI models that profiles may name, with their prices
  Future<AiModelsOutputBody> listAIModels() async =>
      AiModelsOutputBody.fromJson((await send('GET', '/v1/ai-models')).json);

  /// Read which accounts on other servers are the caller's, too
  Future<Aliases> getAliases() async =>
      Aliases.fromJson((await send('GET', '/v1/aliases')).json);

  /// Say which accounts on other servers are the caller's, too
  Future<Aliases> putAliases(Aliases body) async =>
      Aliases.fromJson((await send('PUT', '/v1/aliases', body: body.toJson())).json);

  /// List the announcements that show now, the one that started last first
  Future<ListAnnouncement> listAnnouncements({String? format}) async =>
      ListAnnouncement.fromJson((await send('GET', '/v1/announcements', query: {'format': format})).json);

  /// Dismiss an announcement
  Future<void> dismissAnnouncement(String id) async {
    await send('PUT', '/v1/announcements/${Uri.encodeComponent(id)}/dismissed');
  }

  /// List the apps that the caller let in
  Future<AuthorizedApps> listApps() async =>
      AuthorizedApps.fromJson((await send('GET', '/v1/authorizations')).json);

  /// Let an app in
  Future<Authorization> authorizeApp(AuthorizationRequest body) async =>
      Authorization.fromJson((await send('POST', '/v1/authorizations', body: body.toJson())).json);

  /// Let an app out
  Future<void> removeApp(String id) async {
    await send('DELETE', '/v1/authorizations/${Uri.encodeComponent(id)}');
  }

  /// Check what an app asks for, without an answer
  Future<RequestedAuthorization> getAuthorizationRequest(AuthorizationRequest body) async =>
      RequestedAuthorization.fromJson((await send('POST', '/v1/authorizations:check', body: body.toJson())).json);

  /// Read the cart of the caller, with what its products cost now
  Future<Cart> getCart() async =>
      Cart.fromJson((await send('GET', '/v1/cart')).json);

  /// Take a product out of the cart
  Future<void> removeCartItem(String id) async {
    await send('DELETE', '/v1/cart/items/${Uri.encodeComponent(id)}');
  }

  /// Put a quantity of a product into the cart, in the place of the quantity that is there
  Future<void> putCartItem(String id, PutItemInputBody body) async {
    await send('PUT', '/v1/cart/items/${Uri.encodeComponent(id)}', body: body.toJson());
  }

  /// Take over the cart of the guest that the caller was before
  Future<Cart> mergeCarts(MergeInputBody body) async =>
      Cart.fromJson((await send('POST', '/v1/cart/merge', body: body.toJson())).json);

  /// Say which prices the caller was shown
  Future<void> seeCart(SeeCartInputBody body) async {
    await send('PUT', '/v1/cart/seen', body: body.toJson());
  }

  /// List the conversations of the caller, newest first
  Future<ListConversation> listConversations({int? pageSize, String? pageToken, bool? requests}) async =>
      ListConversation.fromJson((await send('GET', '/v1/conversations', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'requests': requests?.toString()})).json);

  /// Begin a conversation, and send its first message
  Future<Conversation> createConversation(NewConversation body, {String? idempotencyKey}) async =>
      Conversation.fromJson((await send('POST', '/v1/conversations', headers: {'Idempotency-Key': idempotencyKey ?? newKey()}, body: body.toJson())).json);

  /// Search the messages of the caller by words
  Future<ListFoundMessage> searchMessages(String query, {String? conversationId, String? pageToken}) async =>
      ListFoundMessage.fromJson((await send('GET', '/v1/conversations/search', query: {'query': query, 'conversationId': conversationId, 'pageToken': pageToken})).json);

  /// Count the unread conversations of the caller, and the requests
  Future<UnreadConversations> countUnreadConversations({String? since}) async =>
      UnreadConversations.fromJson((await send('GET', '/v1/conversations/unreadCount', query: {'since': since})).json);

  /// Delete the messages of a conversation for the caller
  Future<void> clearConversation(String id) async {
    await send('DELETE', '/v1/conversations/${Uri.encodeComponent(id)}');
  }

  /// Read a conversation of the caller
  Future<Conversation> getConversation(String id) async =>
      Conversation.fromJson((await send('GET', '/v1/conversations/${Uri.encodeComponent(id)}')).json);

  /// Name a conversation of several, or mute one
  Future<void> changeConversation(String id, ConversationPatch body) async {
    await send('PATCH', '/v1/conversations/${Uri.encodeComponent(id)}', body: body.toJson());
  }

  /// Consent to a conversation that a stranger began
  Future<void> acceptConversation(String id) async {
    await send('POST', '/v1/conversations/${Uri.encodeComponent(id)}/accept');
  }

  /// Leave a conversation of several, for ever
  Future<void> leaveConversation(String id) async {
    await send('POST', '/v1/conversations/${Uri.encodeComponent(id)}/leave');
  }

  /// List the messages of a conversation, newest first
  Future<MessageList> listMessages(String id, {String? pageToken}) async =>
      MessageList.fromJson((await send('GET', '/v1/conversations/${Uri.encodeComponent(id)}/messages', query: {'pageToken': pageToken})).json);

  /// Send a message
  Future<Message> sendMessage(String id, MessageText body, {String? idempotencyKey}) async =>
      Message.fromJson((await send('POST', '/v1/conversations/${Uri.encodeComponent(id)}/messages', headers: {'Idempotency-Key': idempotencyKey ?? newKey()}, body: body.toJson())).json);

  /// Take a message of the caller back, or delete one for the caller alone
  Future<void> deleteMessage(String id, String messageId, {String? for_}) async {
    await send('DELETE', '/v1/conversations/${Uri.encodeComponent(id)}/messages/${Uri.encodeComponent(messageId)}', query: {'for': for_});
  }

  /// Take the caller's reaction to a message back
  Future<void> unreactToMessage(String id, String messageId) async {
    await send('DELETE', '/v1/conversations/${Uri.encodeComponent(id)}/messages/${Uri.encodeComponent(messageId)}/reaction');
  }

  /// React to a message with an emoji
  Future<void> reactToMessage(String id, String messageId, ReactToMessageRequest body) async {
    await send('PUT', '/v1/conversations/${Uri.encodeComponent(id)}/messages/${Uri.encodeComponent(messageId)}/reaction', body: body.toJson());
  }

  /// Note that the caller has read a conversation up to a message
  Future<void> readConversation(String id, ReadConversationRequest body) async {
    await send('PUT', '/v1/conversations/${Uri.encodeComponent(id)}/read', body: body.toJson());
  }

  /// Refuse a conversation that a stranger began
  Future<void> refuseConversation(String id) async {
    await send('POST', '/v1/conversations/${Uri.encodeComponent(id)}/refuse');
  }

  /// List the people who want to be found
  Future<ListUserSummary> listDirectory({String? order, String? language, int? pageSize, String? pageToken, String? format}) async =>
      ListUserSummary.fromJson((await send('GET', '/v1/directory', query: {'order': order, 'language': language, 'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List the drafts of the caller, newest first
  Future<ListDraft> listDrafts({int? pageSize, String? pageToken}) async =>
      ListDraft.fromJson((await send('GET', '/v1/drafts', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Save a draft, or schedule a tweet
  Future<Draft> createDraft(NewDraft body, {String? idempotencyKey}) async =>
      Draft.fromJson((await send('POST', '/v1/drafts', headers: {'Idempotency-Key': idempotencyKey ?? newKey()}, body: body.toJson())).json);

  /// Delete a draft of the caller
  Future<void> deleteDraft(String id) async {
    await send('DELETE', '/v1/drafts/${Uri.encodeComponent(id)}');
  }

  /// Read a draft of the caller
  Future<Draft> getDraft(String id) async =>
      Draft.fromJson((await send('GET', '/v1/drafts/${Uri.encodeComponent(id)}')).json);

  /// Put another text and time into a draft
  Future<Draft> changeDraft(String id, NewDraft body, {String? ifMatch}) async =>
      Draft.fromJson((await send('PUT', '/v1/drafts/${Uri.encodeComponent(id)}', headers: {'If-Match': ifMatch}, body: body.toJson())).json);

  /// Post a draft now
  Future<Outcome<Tweet, HeldNotice>> publishDraft(String id) async =>
      outcome(await send('POST', '/v1/drafts/${Uri.encodeComponent(id)}/publish'), Tweet.fromJson, HeldNotice.fromJson);

  /// List the replies that wait for the caller's approval, newest first
  Future<ListHeldReply> listHeldReplies({int? pageSize, String? pageToken}) async =>
      ListHeldReply.fromJson((await send('GET', '/v1/heldReplies', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Refuse a reply that waits for the caller, or withdraw one of the caller's
  Future<void> removeHeldReply(String id) async {
    await send('DELETE', '/v1/heldReplies/${Uri.encodeComponent(id)}');
  }

  /// Approve a reply that waits for the caller
  Future<Tweet> approveHeldReply(String id) async =>
      Tweet.fromJson((await send('POST', '/v1/heldReplies/${Uri.encodeComponent(id)}/approve')).json);

  /// Read what the installation says of itself: its rules, terms, languages and limits
  Future<Instance> getInstance({String? format}) async =>
      Instance.fromJson((await send('GET', '/v1/instance', query: {'format': format})).json);

  /// Read how far an account deletion is
  Future<Leaving> getLeaving(String id) async =>
      Leaving.fromJson((await send('GET', '/v1/leavings/${Uri.encodeComponent(id)}')).json);

  /// Read the card of a linked web page
  Future<LinkCardFound> getLinkCard(String url) async =>
      LinkCardFound.fromJson((await send('GET', '/v1/linkCards', query: {'url': url})).json);

  /// List the lists of the caller, newest first
  Future<ListPeopleList> listLists({String? member}) async =>
      ListPeopleList.fromJson((await send('GET', '/v1/lists', query: {'member': member})).json);

  /// Make a list of people
  Future<PeopleList> createList(NewList body, {String? idempotencyKey}) async =>
      PeopleList.fromJson((await send('POST', '/v1/lists', headers: {'Idempotency-Key': idempotencyKey ?? newKey()}, body: body.toJson())).json);

  /// Delete a list of the caller
  Future<void> deleteList(String id) async {
    await send('DELETE', '/v1/lists/${Uri.encodeComponent(id)}');
  }

  /// Read a list of the caller
  Future<PeopleList> getList(String id) async =>
      PeopleList.fromJson((await send('GET', '/v1/lists/${Uri.encodeComponent(id)}')).json);

  /// Change a list of the caller
  Future<void> updateList(String id, ListChange body) async {
    await send('PATCH', '/v1/lists/${Uri.encodeComponent(id)}', body: body.toJson());
  }

  /// List the members of a list of the caller, newest first
  Future<ListUserSummary> listListMembers(String id, {String? format}) async =>
      ListUserSummary.fromJson((await send('GET', '/v1/lists/${Uri.encodeComponent(id)}/members', query: {'format': format})).json);

  /// Take a user off a list of the caller
  Future<void> removeListMember(String id, String uid) async {
    await send('DELETE', '/v1/lists/${Uri.encodeComponent(id)}/members/${Uri.encodeComponent(uid)}');
  }

  /// Put a user on a list of the caller
  Future<void> addListMember(String id, String uid) async {
    await send('PUT', '/v1/lists/${Uri.encodeComponent(id)}/members/${Uri.encodeComponent(uid)}');
  }

  /// List what the members of a list of the caller wrote, newest first
  Future<ListTweet> getListTimeline(String id, {int? pageSize, String? pageToken, String? before, String? format}) async =>
      ListTweet.fromJson((await send('GET', '/v1/lists/${Uri.encodeComponent(id)}/timeline', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'before': before, 'format': format})).json);

  /// Announce the upload of a picture or video
  Future<CreatedMedia> createMedia(NewMedia body) async =>
      CreatedMedia.fromJson((await send('POST', '/v1/media', body: body.toJson())).json);

  /// Delete an upload of the caller
  Future<void> deleteMedia(String id, {String? reason}) async {
    await send('DELETE', '/v1/media/${Uri.encodeComponent(id)}', query: {'reason': reason});
  }

  /// Read how far an upload of the caller is
  Future<Media> getMedia(String id) async =>
      Media.fromJson((await send('GET', '/v1/media/${Uri.encodeComponent(id)}')).json);

  /// Describe an upload of the caller
  Future<Media> changeMedia(String id, ChangeMediaInputBody body) async =>
      Media.fromJson((await send('PATCH', '/v1/media/${Uri.encodeComponent(id)}', body: body.toJson())).json);

  /// Move the caller's account to another server
  Future<void> moveAway(Move body) async {
    await send('POST', '/v1/move', body: body.toJson());
  }

  /// List the caller's notifications, last changed first
  Future<ListNotification> listNotifications({String? filter, String? day, bool? brief, int? pageSize, String? pageToken, String? format}) async =>
      ListNotification.fromJson((await send('GET', '/v1/notifications', query: {'filter': filter, 'day': day, 'brief': brief?.toString(), 'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Mark all of the caller's notifications as read
  Future<void> readNotifications({String? until}) async {
    await send('PUT', '/v1/notifications/read', query: {'until': until});
  }

  /// Count the caller's unread notifications
  Future<UnreadCount> countUnreadNotifications() async =>
      UnreadCount.fromJson((await send('GET', '/v1/notifications/unreadCount')).json);

  /// Mark a notification as read
  Future<void> readNotification(String id) async {
    await send('PUT', '/v1/notifications/${Uri.encodeComponent(id)}/read');
  }

  /// List the orders of the caller, newest first
  Future<ListOrder> listOrders({int? pageSize, String? pageToken}) async =>
      ListOrder.fromJson((await send('GET', '/v1/orders', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Order what is in the cart
  Future<Order> placeOrder(PlaceOrderInputBody body, {String? idempotencyKey}) async =>
      Order.fromJson((await send('POST', '/v1/orders', headers: {'Idempotency-Key': idempotencyKey ?? newKey()}, body: body.toJson())).json);

  /// Read an order of the caller
  Future<Order> getOrder(String id) async =>
      Order.fromJson((await send('GET', '/v1/orders/${Uri.encodeComponent(id)}')).json);

  /// Cancel an order of the caller that was not shipped
  Future<Order> cancelOrder(String id) async =>
      Order.fromJson((await send('POST', '/v1/orders/${Uri.encodeComponent(id)}/cancel')).json);

  /// List the products that are for sale
  Future<ListProduct> listProducts({String? sort, int? pageSize, String? pageToken}) async =>
      ListProduct.fromJson((await send('GET', '/v1/products', query: {'sort': sort, 'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Add a product to the shop
  Future<Product> createProduct(NewProduct body, {String? idempotencyKey}) async =>
      Product.fromJson((await send('POST', '/v1/products', headers: {'Idempotency-Key': idempotencyKey ?? newKey()}, body: body.toJson())).json);

  /// Read a product, which may be retired
  Future<Product> getProduct(String id) async =>
      Product.fromJson((await send('GET', '/v1/products/${Uri.encodeComponent(id)}')).json);

  /// Change a product, retire it, or sell it again
  Future<Product> changeProduct(String id, ProductPatch body, {String? ifMatch}) async =>
      Product.fromJson((await send('PATCH', '/v1/products/${Uri.encodeComponent(id)}', headers: {'If-Match': ifMatch}, body: body.toJson())).json);

  /// Add pieces to the stock of a product, or take some out
  Future<Product> restockProduct(String id, RestockInputBody body, {String? idempotencyKey}) async =>
      Product.fromJson((await send('POST', '/v1/products/${Uri.encodeComponent(id)}/restock', headers: {'Idempotency-Key': idempotencyKey ?? newKey()}, body: body.toJson())).json);

  /// Show the ways by which devices get notifications
  Future<PushWays> getPush() async =>
      PushWays.fromJson((await send('GET', '/v1/push')).json);

  /// What stands between the caller and up to 100 users
  Future<AllTies> listRelationships(List<String> ids, {String? view}) async =>
      AllTies.fromJson((await send('GET', '/v1/relationships', query: {'ids': ids.join(','), 'view': view})).json);

  /// Check that one user follows another
  Future<Relationship> getRelationship(String followerId, String followedId) async =>
      Relationship.fromJson((await send('GET', '/v1/relationships/${Uri.encodeComponent(followerId)}/${Uri.encodeComponent(followedId)}')).json);

  /// Report a tweet, a message or a user to the moderators
  Future<void> createReport(NewReport body) async {
    await send('POST', '/v1/reports', body: body.toJson());
  }

  /// Find public tweets by their words, newest first
  Future<ListFoundTweet> searchTweets(String q, {bool? following, bool? resolve, int? pageSize, String? pageToken, String? format}) async =>
      ListFoundTweet.fromJson((await send('GET', '/v1/search/tweets', query: {'q': q, 'following': following?.toString(), 'resolve': resolve?.toString(), 'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Find people by the beginning of their username or nickname
  Future<ListUserSummary> searchUsers(String q, {bool? resolve, int? pageSize, String? pageToken, String? format}) async =>
      ListUserSummary.fromJson((await send('GET', '/v1/search/users', query: {'q': q, 'resolve': resolve?.toString(), 'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List people whom the caller may want to follow
  Future<Suggestions> listSuggestions({int? limit, String? language, String? format}) async =>
      Suggestions.fromJson((await send('GET', '/v1/suggestions', query: {'limit': limit?.toString(), 'language': language, 'format': format})).json);

  /// Do not suggest a user to the caller again
  Future<void> dismissSuggestion(String uid) async {
    await send('DELETE', '/v1/suggestions/${Uri.encodeComponent(uid)}');
  }

  /// List the tags, most used first
  Future<ListTag> listTags({String? orderBy, int? pageSize, String? pageToken}) async =>
      ListTag.fromJson((await send('GET', '/v1/tags', query: {'orderBy': orderBy, 'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Read a tag
  Future<ReadTag> getTag(String tag) async =>
      ReadTag.fromJson((await send('GET', '/v1/tags/${Uri.encodeComponent(tag)}')).json);

  /// Follow a tag no more
  Future<void> unfollowTag(String tag) async {
    await send('DELETE', '/v1/tags/${Uri.encodeComponent(tag)}/follow');
  }

  /// Follow a tag
  Future<void> followTag(String tag) async {
    await send('PUT', '/v1/tags/${Uri.encodeComponent(tag)}/follow');
  }

  /// List the tweets of a tag, newest first
  Future<ListTweet> listTagTweets(String tag, {bool? rootOnly, int? pageSize, String? pageToken, String? before, String? format}) async =>
      ListTweet.fromJson((await send('GET', '/v1/tags/${Uri.encodeComponent(tag)}/tweets', query: {'rootOnly': rootOnly?.toString(), 'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'before': before, 'format': format})).json);

  /// List the users who use a tag
  Future<ListTagUser> listTagUsers(String tag, {String? orderBy, int? pageSize, String? pageToken, String? format}) async =>
      ListTagUser.fromJson((await send('GET', '/v1/tags/${Uri.encodeComponent(tag)}/users', query: {'orderBy': orderBy, 'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List the caller's home timeline, newest first
  Future<HomePage> getTimeline({int? pageSize, String? pageToken, String? format, String? after, String? before, String? since}) async =>
      HomePage.fromJson((await send('GET', '/v1/timeline', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format, 'after': after, 'before': before, 'since': since})).json);

  /// Read how many users, tweets, relationships, likes and shares there are
  Future<Totals> getTotals() async =>
      Totals.fromJson((await send('GET', '/v1/totals')).json);

  /// List the tags and tweets that more accounts use than usual
  Future<Trends> listTrends({String? only, String? language, String? format}) async =>
      Trends.fromJson((await send('GET', '/v1/trends', query: {'only': only, 'language': language, 'format': format})).json);

  /// List the public timeline, newest first
  Future<ListTweet> listPublicTweets({bool? replies, int? pageSize, String? pageToken, String? before, String? format}) async =>
      ListTweet.fromJson((await send('GET', '/v1/tweets', query: {'replies': replies?.toString(), 'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'before': before, 'format': format})).json);

  /// Post a tweet
  Future<Outcome<Tweet, HeldNotice>> createTweet(NewTweet body, {String? idempotencyKey}) async =>
      outcome(await send('POST', '/v1/tweets', headers: {'Idempotency-Key': idempotencyKey ?? newKey()}, body: body.toJson()), Tweet.fromJson, HeldNotice.fromJson);

  /// Delete a tweet of the caller
  Future<void> deleteTweet(String id, {String? reason, bool? keepMedia}) async {
    await send('DELETE', '/v1/tweets/${Uri.encodeComponent(id)}', query: {'reason': reason, 'keepMedia': keepMedia?.toString()});
  }

  /// Read a tweet
  Future<WholeTweet> getTweet(String id, {String? context, String? format}) async =>
      WholeTweet.fromJson((await send('GET', '/v1/tweets/${Uri.encodeComponent(id)}', query: {'context': context, 'format': format})).json);

  /// Edit a tweet of the caller
  Future<Tweet> editTweet(String id, TweetPatch body, {String? ifMatch}) async =>
      Tweet.fromJson((await send('PATCH', '/v1/tweets/${Uri.encodeComponent(id)}', headers: {'If-Match': ifMatch}, body: body.toJson())).json);

  /// Remove a bookmark
  Future<void> unbookmark(String id) async {
    await send('DELETE', '/v1/tweets/${Uri.encodeComponent(id)}/bookmark');
  }

  /// Bookmark a tweet
  Future<void> bookmark(String id) async {
    await send('PUT', '/v1/tweets/${Uri.encodeComponent(id)}/bookmark');
  }

  /// Show a hidden reply again
  Future<void> unfold(String id) async {
    await send('DELETE', '/v1/tweets/${Uri.encodeComponent(id)}/fold');
  }

  /// Hide a reply in a thread that the caller began
  Future<void> fold(String id) async {
    await send('PUT', '/v1/tweets/${Uri.encodeComponent(id)}/fold');
  }

  /// Read the short form of a long tweet, or have an AI model write it
  Future<Gist> gist(String id) async =>
      Gist.fromJson((await send('POST', '/v1/tweets/${Uri.encodeComponent(id)}/gist')).json);

  /// Stop liking a tweet
  Future<void> unlike(String id) async {
    await send('DELETE', '/v1/tweets/${Uri.encodeComponent(id)}/like');
  }

  /// Like a tweet
  Future<void> like(String id) async {
    await send('PUT', '/v1/tweets/${Uri.encodeComponent(id)}/like');
  }

  /// List the users who like a tweet, newest like first
  Future<ListPerson> listLikes(String id, {int? pageSize, String? pageToken, String? format}) async =>
      ListPerson.fromJson((await send('GET', '/v1/tweets/${Uri.encodeComponent(id)}/likes', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Take the mute of a conversation back
  Future<void> unmute(String id) async {
    await send('DELETE', '/v1/tweets/${Uri.encodeComponent(id)}/mute');
  }

  /// Mute a conversation
  Future<void> mute(String id) async {
    await send('PUT', '/v1/tweets/${Uri.encodeComponent(id)}/mute');
  }

  /// Take a tweet off the pinned ones
  Future<void> unpin(String id) async {
    await send('DELETE', '/v1/tweets/${Uri.encodeComponent(id)}/pin');
  }

  /// Pin a tweet of one's own to the profile
  Future<void> pin(String id) async {
    await send('PUT', '/v1/tweets/${Uri.encodeComponent(id)}/pin');
  }

  /// List the tweets that quote a tweet, newest first
  Future<ListTweet> listQuotes(String id, {int? pageSize, String? pageToken, String? format}) async =>
      ListTweet.fromJson((await send('GET', '/v1/tweets/${Uri.encodeComponent(id)}/quotes', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Withdraw a tweet of the caller from a tweet that quotes it
  Future<void> withdrawQuote(String id, String quote) async {
    await send('DELETE', '/v1/tweets/${Uri.encodeComponent(id)}/quotes/${Uri.encodeComponent(quote)}');
  }

  /// List the replies to a tweet, oldest first
  Future<ListTweet> listReplies(String id, {int? pageSize, String? pageToken, String? format}) async =>
      ListTweet.fromJson((await send('GET', '/v1/tweets/${Uri.encodeComponent(id)}/replies', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List the earlier versions of a tweet, oldest first
  Future<ListRevision> listRevisions(String id, {int? pageSize, String? pageToken, String? format}) async =>
      ListRevision.fromJson((await send('GET', '/v1/tweets/${Uri.encodeComponent(id)}/revisions', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Read an earlier version of a tweet
  Future<Revision> getRevision(String id, int number, {String? format}) async =>
      Revision.fromJson((await send('GET', '/v1/tweets/${Uri.encodeComponent(id)}/revisions/$number', query: {'format': format})).json);

  /// Stop sharing a tweet
  Future<void> unshare(String id) async {
    await send('DELETE', '/v1/tweets/${Uri.encodeComponent(id)}/share');
  }

  /// Share a tweet
  Future<void> share(String id) async {
    await send('PUT', '/v1/tweets/${Uri.encodeComponent(id)}/share');
  }

  /// List the users who share a tweet, newest share first
  Future<ListPerson> listShares(String id, {int? pageSize, String? pageToken, String? before, String? format}) async =>
      ListPerson.fromJson((await send('GET', '/v1/tweets/${Uri.encodeComponent(id)}/shares', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'before': before, 'format': format})).json);

  /// Read a tweet with what it answers and what answers it
  Future<Thread> getThread(String id, {int? pageSize, String? pageToken, int? depth, bool? texts, String? format}) async =>
      Thread.fromJson((await send('GET', '/v1/tweets/${Uri.encodeComponent(id)}/thread', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'depth': depth?.toString(), 'texts': texts?.toString(), 'format': format})).json);

  /// Choose an option in the poll of a tweet
  Future<Poll> vote(String id, VoteInputBody body) async =>
      Poll.fromJson((await send('PUT', '/v1/tweets/${Uri.encodeComponent(id)}/vote', body: body.toJson())).json);

  /// Read up to 50 tweets by id
  Future<Batch> batchGetTweets(List<String> ids, {bool? polls, bool? texts, String? context, String? format}) async =>
      Batch.fromJson((await send('GET', '/v1/tweets:batchGet', query: {'ids': ids.join(','), 'polls': polls?.toString(), 'texts': texts?.toString(), 'context': context, 'format': format})).json);

  /// Read the profile of the user with a username
  Future<User> getUserByUsername(String username, {String? format}) async =>
      User.fromJson((await send('GET', '/v1/usernames/${Uri.encodeComponent(username)}', query: {'format': format})).json);

  /// List all users, the newest account first
  Future<ListUser> listUsers({int? pageSize, String? pageToken, String? format}) async =>
      ListUser.fromJson((await send('GET', '/v1/users', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Create the caller's profile
  Future<Outcome<User, SignUp>> createUser(NewUser body) async =>
      outcome(await send('POST', '/v1/users', body: body.toJson()), User.fromJson, SignUp.fromJson);

  /// Delete the caller's profile, and everything of the caller
  Future<Leaving> leave() async =>
      Leaving.fromJson((await send('DELETE', '/v1/users/me')).json);

  /// Read the caller's whole profile
  Future<User> getMe({String? format}) async =>
      User.fromJson((await send('GET', '/v1/users/me', query: {'format': format})).json);

  /// Read the agent that acts for the caller
  Future<Agent> getAgent() async =>
      Agent.fromJson((await send('GET', '/v1/users/me/agent')).json);

  /// Stop or start the agent that acts for the caller
  Future<Agent> runAgent(RunAgent body) async =>
      Agent.fromJson((await send('PUT', '/v1/users/me/agent', body: body.toJson())).json);

  /// List what the agent of the caller did, newest first
  Future<ListAgentAct> listOwnAgentActs({int? pageSize, String? pageToken}) async =>
      ListAgentAct.fromJson((await send('GET', '/v1/users/me/agent/acts', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// List the users whom the caller blocks, newest first
  Future<ListPerson> listBlocks({int? pageSize, String? pageToken, String? format}) async =>
      ListPerson.fromJson((await send('GET', '/v1/users/me/blocks', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List the tweets that the caller has bookmarked, newest bookmark first
  Future<ListBookmarkedTweet> listBookmarks({int? pageSize, String? pageToken, String? format}) async =>
      ListBookmarkedTweet.fromJson((await send('GET', '/v1/users/me/bookmarks', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List what moderators decided about the caller and the caller's tweets, newest first
  Future<ListDecision> listDecisions({int? pageSize, String? pageToken}) async =>
      ListDecision.fromJson((await send('GET', '/v1/users/me/decisions', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// Appeal against a decision of moderators
  Future<Decision> appeal(String id, AppealRequest body) async =>
      Decision.fromJson((await send('PUT', '/v1/users/me/decisions/${Uri.encodeComponent(id)}/appeal', body: body.toJson())).json);

  /// Read how far the caller's export is, and where its archives are
  Future<Export> getExport() async =>
      Export.fromJson((await send('GET', '/v1/users/me/export')).json);

  /// Export everything of the caller
  Future<Export> export() async =>
      Export.fromJson((await send('POST', '/v1/users/me/export')).json);

  /// List the caller's filters, oldest first
  Future<ListFilter> listFilters() async =>
      ListFilter.fromJson((await send('GET', '/v1/users/me/filters')).json);

  /// Remove a filter of the caller
  Future<void> removeFilter(String id, {String? ifMatch}) async {
    await send('DELETE', '/v1/users/me/filters/${Uri.encodeComponent(id)}', headers: {'If-Match': ifMatch});
  }

  /// Make or replace a filter of the caller
  Future<Filter> putFilter(String id, FilterBody body, {String? ifMatch}) async =>
      Filter.fromJson((await send('PUT', '/v1/users/me/filters/${Uri.encodeComponent(id)}', headers: {'If-Match': ifMatch}, body: body.toJson())).json);

  /// List the users who ask to follow the caller, newest first
  Future<ListPerson> listFollowRequests({int? pageSize, String? pageToken, String? format}) async =>
      ListPerson.fromJson((await send('GET', '/v1/users/me/followRequests', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Refuse the request of a user to follow the caller
  Future<void> refuseFollow(String uid) async {
    await send('DELETE', '/v1/users/me/followRequests/${Uri.encodeComponent(uid)}');
  }

  /// Accept the request of a user to follow the caller
  Future<void> acceptFollow(String uid) async {
    await send('PUT', '/v1/users/me/followRequests/${Uri.encodeComponent(uid)}');
  }

  /// List the tags that the caller follows, the newest follow first
  Future<ListFollowedTag> listFollowedTags() async =>
      ListFollowedTag.fromJson((await send('GET', '/v1/users/me/followedTags')).json);

  /// Remove a follower of the caller
  Future<void> removeFollower(String uid) async {
    await send('DELETE', '/v1/users/me/followers/${Uri.encodeComponent(uid)}');
  }

  /// List the caller's own replies that wait for approval, newest first
  Future<ListHeldReply> listOwnHeldReplies({int? pageSize, String? pageToken}) async =>
      ListHeldReply.fromJson((await send('GET', '/v1/users/me/heldReplies', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// List the users whose shares the caller hides, newest first
  Future<ListPerson> listHiddenSharers({int? pageSize, String? pageToken, String? format}) async =>
      ListPerson.fromJson((await send('GET', '/v1/users/me/hiddenSharers', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Read how far the caller has read, on any device
  Future<Markers> getMarkers() async =>
      Markers.fromJson((await send('GET', '/v1/users/me/markers')).json);

  /// Move the marker of the caller's home timeline
  Future<Markers> moveMarkers(MoveMarkersRequest body) async =>
      Markers.fromJson((await send('PATCH', '/v1/users/me/markers', body: body.toJson())).json);

  /// List the caller's tweets with visibility mentioned, newest first
  Future<ListTweet> listMentioned({int? pageSize, String? pageToken, String? format}) async =>
      ListTweet.fromJson((await send('GET', '/v1/users/me/mentioned', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List the tweets that mention the caller, newest mention first
  Future<ListTweet> listMentions({int? pageSize, String? pageToken, String? format}) async =>
      ListTweet.fromJson((await send('GET', '/v1/users/me/mentions', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List the users whom the caller mutes, newest mute first
  Future<ListMutedPerson> listMutes({int? pageSize, String? pageToken, String? format}) async =>
      ListMutedPerson.fromJson((await send('GET', '/v1/users/me/mutes', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List what the caller's notification policy filtered, by sender, the newest first
  Future<ListNotificationRequest> listNotificationRequests({int? pageSize, String? pageToken, String? format}) async =>
      ListNotificationRequest.fromJson((await send('GET', '/v1/users/me/notificationRequests', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Dismiss the request of a sender
  Future<void> dismissNotificationRequest(String uid) async {
    await send('DELETE', '/v1/users/me/notificationRequests/${Uri.encodeComponent(uid)}');
  }

  /// Let the notification policy apply to an accepted sender again
  Future<void> unacceptNotificationRequest(String uid) async {
    await send('DELETE', '/v1/users/me/notificationRequests/${Uri.encodeComponent(uid)}/accept');
  }

  /// Accept the notifications of a sender
  Future<void> acceptNotificationRequest(String uid) async {
    await send('POST', '/v1/users/me/notificationRequests/${Uri.encodeComponent(uid)}/accept');
  }

  /// List the caller's devices that get notifications, the last registered first
  Future<ListPushSubscription> listPushSubscriptions() async =>
      ListPushSubscription.fromJson((await send('GET', '/v1/users/me/pushSubscriptions')).json);

  /// Remove a device
  Future<void> removePushSubscription(String id) async {
    await send('DELETE', '/v1/users/me/pushSubscriptions/${Uri.encodeComponent(id)}');
  }

  /// Change of what an app for Mastodon is told
  Future<void> changePushSubscription(String id, ChangePushSubscriptionRequest body) async {
    await send('PATCH', '/v1/users/me/pushSubscriptions/${Uri.encodeComponent(id)}', body: body.toJson());
  }

  /// Register a device that gets the caller's notifications
  Future<void> putPushSubscription(String id, PushBody body) async {
    await send('PUT', '/v1/users/me/pushSubscriptions/${Uri.encodeComponent(id)}', body: body.toJson());
  }

  /// Show what becomes of notifications of people whom the caller may not know
  Future<NotificationPolicy> getNotificationPolicy() async =>
      NotificationPolicy.fromJson((await send('GET', '/v1/users/me/settings/notificationPolicy')).json);

  /// Change what becomes of notifications of people whom the caller may not know
  Future<NotificationPolicy> changeNotificationPolicy(NotificationPolicyPatch body) async =>
      NotificationPolicy.fromJson((await send('PATCH', '/v1/users/me/settings/notificationPolicy', body: body.toJson())).json);

  /// Show of what the caller gets notifications
  Future<NotificationSettings> getNotificationSettings() async =>
      NotificationSettings.fromJson((await send('GET', '/v1/users/me/settings/notifications')).json);

  /// Change of what the caller gets notifications
  Future<NotificationSettings> changeNotificationSettings(SettingsPatch body) async =>
      NotificationSettings.fromJson((await send('PATCH', '/v1/users/me/settings/notifications', body: body.toJson())).json);

  /// Put the sign-in of this ID token on the caller's list
  Future<void> tellOfSignIn() async {
    await send('PUT', '/v1/users/me/sign-in');
  }

  /// End all sessions of the caller, this one too
  Future<void> signOutEverywhere() async {
    await send('DELETE', '/v1/users/me/sign-ins');
  }

  /// List the caller's newest sign-ins
  Future<SignIns> listSignIns() async =>
      SignIns.fromJson((await send('GET', '/v1/users/me/sign-ins')).json);

  /// Take back the caller's sign-up that waits
  Future<void> takeBackSignUp() async {
    await send('DELETE', '/v1/users/me/sign-up');
  }

  /// Read the caller's sign-up that waits for approval, or was refused
  Future<SignUp> getSignUp() async =>
      SignUp.fromJson((await send('GET', '/v1/users/me/sign-up')).json);

  /// Consent to the terms
  Future<Consent> consent(ConsentInputBody body) async =>
      Consent.fromJson((await send('PUT', '/v1/users/me/terms', body: body.toJson())).json);

  /// Read a profile
  Future<User> getUser(String uid, {String? view, String? format}) async =>
      User.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}', query: {'view': view, 'format': format})).json);

  /// Change the caller's profile
  Future<User> updateUser(String uid, UserPatch body) async =>
      User.fromJson((await send('PATCH', '/v1/users/${Uri.encodeComponent(uid)}', body: body.toJson())).json);

  /// Stop blocking a user
  Future<void> unblock(String uid) async {
    await send('DELETE', '/v1/users/${Uri.encodeComponent(uid)}/block');
  }

  /// Block a user
  Future<void> block(String uid) async {
    await send('PUT', '/v1/users/${Uri.encodeComponent(uid)}/block');
  }

  /// List the followers of a user whom the caller follows
  Future<FamiliarFollowers> listFamiliarFollowers(String uid, {String? format}) async =>
      FamiliarFollowers.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/familiarFollowers', query: {'format': format})).json);

  /// Stop following a user, or withdraw a request to follow
  Future<void> unfollow(String uid) async {
    await send('DELETE', '/v1/users/${Uri.encodeComponent(uid)}/follow');
  }

  /// Follow a user, or ask to
  Future<Followed> follow(String uid) async =>
      Followed.fromJson((await send('PUT', '/v1/users/${Uri.encodeComponent(uid)}/follow')).json);

  /// List the followers of a user, newest first
  Future<ListPerson> listFollowers(String uid, {int? pageSize, String? pageToken, String? format}) async =>
      ListPerson.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/followers', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List the users whom a user follows, newest first
  Future<ListPerson> listFollowing(String uid, {int? pageSize, String? pageToken, String? format}) async =>
      ListPerson.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/following', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Show what a user shares again
  Future<void> showShares(String uid) async {
    await send('DELETE', '/v1/users/${Uri.encodeComponent(uid)}/hideShares');
  }

  /// Hide what a user shares
  Future<void> hideShares(String uid) async {
    await send('PUT', '/v1/users/${Uri.encodeComponent(uid)}/hideShares');
  }

  /// List the tweets that a user likes, newest like first
  Future<ListLikedTweet> listUserLikes(String uid, {int? pageSize, String? pageToken, String? format}) async =>
      ListLikedTweet.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/likes', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List the public lists of a user, newest first
  Future<ListPeopleList> listUserLists(String uid) async =>
      ListPeopleList.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/lists')).json);

  /// Read a public list of a user
  Future<PeopleList> getUserList(String uid, String id) async =>
      PeopleList.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/lists/${Uri.encodeComponent(id)}')).json);

  /// Follow the members of a list, some at a time
  Future<ListMemberFollow> followList(String uid, String id, {String? pageToken, String? format}) async =>
      ListMemberFollow.fromJson((await send('POST', '/v1/users/${Uri.encodeComponent(uid)}/lists/${Uri.encodeComponent(id)}/follow', query: {'pageToken': pageToken, 'format': format})).json);

  /// List the members of a public list of a user, newest first
  Future<ListUserSummary> listUserListMembers(String uid, String id, {String? format}) async =>
      ListUserSummary.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/lists/${Uri.encodeComponent(id)}/members', query: {'format': format})).json);

  /// List what the members of a public list of a user wrote, newest first
  Future<ListTweet> getUserListTimeline(String uid, String id, {int? pageSize, String? pageToken, String? format}) async =>
      ListTweet.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/lists/${Uri.encodeComponent(id)}/timeline', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// Take the mute of a user back
  Future<void> unmuteUser(String uid) async {
    await send('DELETE', '/v1/users/${Uri.encodeComponent(uid)}/mute');
  }

  /// Mute a user, for a time or for ever
  Future<void> muteUser(String uid, NewMute body) async {
    await send('PUT', '/v1/users/${Uri.encodeComponent(uid)}/mute', body: body.toJson());
  }

  /// Remove the caller's note on a user
  Future<void> removeNote(String uid) async {
    await send('DELETE', '/v1/users/${Uri.encodeComponent(uid)}/note');
  }

  /// Read the caller's note on a user
  Future<PersonNote> getNote(String uid) async =>
      PersonNote.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/note')).json);

  /// Keep a note on a user, for the caller alone
  Future<PersonNote> putNote(String uid, PutNoteRequest body) async =>
      PersonNote.fromJson((await send('PUT', '/v1/users/${Uri.encodeComponent(uid)}/note', body: body.toJson())).json);

  /// Notify the caller of a user's posts no more
  Future<void> unsubscribe(String uid) async {
    await send('DELETE', '/v1/users/${Uri.encodeComponent(uid)}/notify');
  }

  /// Read whether the posts of a user make notifications for the caller
  Future<Subscription> getSubscription(String uid) async =>
      Subscription.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/notify')).json);

  /// Notify the caller of the posts of a user whom the caller follows
  Future<void> subscribe(String uid) async {
    await send('PUT', '/v1/users/${Uri.encodeComponent(uid)}/notify');
  }

  /// Count the tweets of the tags that a user shows on the profile
  Future<ListPinnedTag> listPinnedTags(String uid) async =>
      ListPinnedTag.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/pinnedTags')).json);

  /// List the tweets that a user has pinned, newest pin first
  Future<ListPinnedTweet> listPins(String uid, {String? format}) async =>
      ListPinnedTweet.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/pins', query: {'format': format})).json);

  /// List the tweets that a user shares, newest share first
  Future<ListSharedTweet> listUserShares(String uid, {int? pageSize, String? pageToken, String? format}) async =>
      ListSharedTweet.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/shares', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'format': format})).json);

  /// List the tags that a user uses, most used first
  Future<ListUsedTag> listUserTags(String uid, {int? pageSize, String? pageToken}) async =>
      ListUsedTag.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/tags', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken})).json);

  /// List what a user writes and shares, newest first
  Future<ListAuthoredTweet> listUserTweets(String uid, {int? pageSize, String? pageToken, String? before, String? format, bool? ownOnly, bool? rootOnly, bool? mediaOnly, String? tag, String? view}) async =>
      ListAuthoredTweet.fromJson((await send('GET', '/v1/users/${Uri.encodeComponent(uid)}/tweets', query: {'pageSize': pageSize?.toString(), 'pageToken': pageToken, 'before': before, 'format': format, 'ownOnly': ownOnly?.toString(), 'rootOnly': rootOnly?.toString(), 'mediaOnly': mediaOnly?.toString(), 'tag': tag, 'view': view})).json);

  /// Read up to 50 profiles by id
  Future<UserBatch> batchGetUsers(List<String> ids, {String? format}) async =>
      UserBatch.fromJson((await send('GET', '/v1/users:batchGet', query: {'ids': ids.join(','), 'format': format})).json);
}
