package api

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/messages"
)

// ConversationMember is a user in a conversation.
type ConversationMember struct {
	ID       model.UserID `json:"id"`
	Username string       `json:"username" doc:"Empty for a deleted account, and so are nickname and avatar"`
	Nickname string       `json:"nickname"`
	Avatar   string       `json:"avatar"`
	State    string       `json:"state" enum:"member,requested,left" doc:"requested: was asked for consent, and has not given it"`
	Hidden   bool         `json:"hidden" doc:"Whether the caller does not see this user in a conversation of several, because of a block in either direction; the names are empty then"`
}

// LastMessage is what a list of conversations shows of the last message.
type LastMessage struct {
	ID        model.MessageID `json:"id"`
	AuthorID  model.UserID    `json:"authorId"`
	Excerpt   string          `json:"excerpt" doc:"First 100 characters"`
	HasMedia  bool            `json:"hasMedia"`
	TakenBack bool            `json:"takenBack"`
	CreatedAt time.Time       `json:"createdAt"`
}

// Conversation is a conversation as the caller sees it.
type Conversation struct {
	ID          model.ConversationID `json:"id"`
	Pair        bool                 `json:"pair" doc:"Whether it is of two users. It stays one when a user of several leaves"`
	Name        string               `json:"name" doc:"Empty without a name"`
	Members     []ConversationMember `json:"members" nullable:"false" doc:"All who ever were in it, also the caller"`
	MyState     string               `json:"myState" enum:"member,requested"`
	RequestedBy *model.UserID        `json:"requestedBy,omitempty" doc:"Who began it, while the caller has not answered"`
	LastMessage *LastMessage         `json:"lastMessage,omitempty" doc:"Absent if the caller does not see it"`
	UnreadCount int64                `json:"unreadCount" doc:"Messages of others after readUpTo, those of hidden users with them; 0 until the caller consents"`
	ReadUpTo    int64                `json:"readUpTo" doc:"Number of the last message that the caller has read: the last part of the ids of messages"`
	MutedUntil  *time.Time           `json:"mutedUntil,omitempty" doc:"Until when the caller gets no push; absent for no mute"`
	Ended       bool                 `json:"ended" doc:"Whether nobody can write any more to this conversation of two. It does not tell why"`
	CreatedAt   time.Time            `json:"createdAt"`
	ChangedAt   time.Time            `json:"changedAt" doc:"Time of the last message"`
}

// MessageReaction is an emoji with the users who chose it.
type MessageReaction struct {
	Emoji   string         `json:"emoji"`
	UserIDs []model.UserID `json:"userIds" nullable:"false"`
}

// Message is a message of a conversation.
type Message struct {
	ID        model.MessageID   `json:"id" doc:"Ids of a conversation compare as texts, by time"`
	AuthorID  model.UserID      `json:"authorId"`
	Text      string            `json:"text" doc:"Plain text"`
	CreatedAt time.Time         `json:"createdAt"`
	ReplyTo   *model.MessageID  `json:"replyTo,omitempty" doc:"The message of the conversation that it answers"`
	Media     []TweetMedia      `json:"media,omitempty" nullable:"false" doc:"Pictures, or a video, with signed addresses, which are good for an hour at least"`
	Reactions []MessageReaction `json:"reactions" nullable:"false"`
	TakenBack bool              `json:"takenBack" doc:"The author took it back: it has neither text nor media"`
}

func stateOf(s model.MemberState) string {
	switch s {
	case model.StateRefused: // is not told
		return string(model.StateRequested)
	case model.StateGone:
		return string(model.StateLeft)
	case model.StateMember, model.StateRequested, model.StateLeft:
	}
	return string(s)
}

func (s *service) conversationOf(c *messages.Seen) Conversation {
	me := c.Member(c.By)
	out := Conversation{ID: c.ID, Pair: c.Pair, Name: c.Name, MyState: string(me.State),
		UnreadCount: c.Unread(c.By, c.Read), ReadUpTo: max(c.Read, me.Sent), Ended: c.Ended(), CreatedAt: c.CreatedAt,
		ChangedAt: c.ChangedAt}
	for _, uid := range c.Everybody() {
		m := ConversationMember{ID: uid, State: stateOf(c.StateOf(uid)), Hidden: c.Hidden(uid)}
		if is := c.Member(uid); !m.Hidden {
			m.Username, m.Nickname, m.Avatar = is.Username, is.Nickname, s.Media.Address(is.Avatar)
		}
		out.Members = append(out.Members, m)
	}
	if me.State == model.StateRequested {
		out.RequestedBy = &c.CreatedBy
	}
	if me.Muted(c.At) {
		out.MutedUntil = &me.MutedUntil
	}
	if last := c.Last; c.ShowsLast() {
		out.LastMessage = &LastMessage{ID: last.ID, AuthorID: last.AuthorID, Excerpt: last.Snippet,
			HasMedia: last.HasMedia, TakenBack: last.Taken, CreatedAt: c.ChangedAt}
	}
	return out
}

func (s *service) messageOf(m *messages.Sent) Message {
	out := Message{ID: m.ID, AuthorID: m.AuthorID, Text: m.Text, CreatedAt: m.At, Media: s.heldMediaOf(m.Media),
		Reactions: []MessageReaction{}, TakenBack: m.TakenBack}
	if m.ReplyTo != "" {
		out.ReplyTo = &m.ReplyTo
	}
	by := map[string][]model.UserID{}
	for _, uid := range slices.Sorted(maps.Keys(m.Reactions)) {
		by[m.Reactions[uid]] = append(by[m.Reactions[uid]], model.UserID(uid))
	}
	for _, emoji := range slices.Sorted(maps.Keys(by)) {
		out.Reactions = append(out.Reactions, MessageReaction{emoji, by[emoji]})
	}
	return out
}

// MessageText is a message that the caller writes.
type MessageText struct {
	Text     string   `json:"text,omitempty" maxLength:"2000" doc:"Plain text; required without media"`
	MediaIDs []string `json:"mediaIds,omitempty" maxItems:"4" nullable:"false" doc:"Ids of ready uploads of the kind tweet: up to 4 pictures, or one video"`
	ReplyTo  string   `json:"replyTo,omitempty" maxLength:"40" doc:"Id of a message of the conversation"`
}

func (m MessageText) message() model.NewMessage {
	return model.NewMessage{Text: m.Text, ReplyTo: model.MessageID(m.ReplyTo),
		Media: each(m.MediaIDs, func(id string) model.MediaID { return model.MediaID(id) })}
}

type newConversation struct {
	MemberIDs []string `json:"memberIds" minItems:"1" maxItems:"31" nullable:"false" doc:"The others, each once, without the caller"`
	Name      string   `json:"name,omitempty" maxLength:"60" doc:"Of a conversation of several; plain text"`
	MessageText
}

// RequestKey is the header of a request that its caller may repeat.
type RequestKey struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"64" pattern:"^[!-.0-~]+$" patternDescription:"printable ASCII without spaces and slashes" doc:"Lets the caller repeat the request"`
}

// ConversationPath is the part of a request that names a conversation of the caller.
type ConversationPath struct {
	ID string `path:"id" doc:"Id of the conversation: 32 lower-case hexadecimal digits"`
}

func (p ConversationPath) conversationID() (model.ConversationID, error) {
	return model.ParseConversationID(p.ID)
}

// MessagePath names a message of a conversation of the caller.
type MessagePath struct {
	ConversationPath
	MessageID string `path:"messageId" doc:"Id of the message"`
}

// conversationPatch changes a conversation. An absent field stays as it is.
type conversationPatch struct {
	Name       *string    `json:"name,omitempty" maxLength:"60" doc:"For all members of a conversation of several; empty for none"`
	MutedUntil *time.Time `json:"mutedUntil,omitempty" nullable:"true" doc:"The caller gets no push until then; null ends the mute"`
}

// UnmarshalJSON reads null as the end of a mute.
func (p *conversationPatch) UnmarshalJSON(text []byte) error {
	var is struct {
		Name       *string         `json:"name"`
		MutedUntil json.RawMessage `json:"mutedUntil"`
	}
	if err := json.Unmarshal(text, &is); err != nil {
		return err
	}
	*p = conversationPatch{Name: is.Name}
	switch {
	case is.MutedUntil == nil:
	case bytes.Equal(is.MutedUntil, []byte("null")):
		p.MutedUntil = &time.Time{}
	default:
		return json.Unmarshal(is.MutedUntil, &p.MutedUntil)
	}
	return nil
}

// MessageList is a page of the messages of a conversation.
type MessageList struct {
	Items         []Message       `json:"items" nullable:"false"`
	NextPageToken string          `json:"nextPageToken" doc:"The pageToken of the next page; empty at the end of the list"`
	NewestID      model.MessageID `json:"newestId" doc:"Id of the newest message of the conversation, also of one that the caller does not see. A client that shows the first page marks this one as read"`
	Listen        string          `json:"listen" doc:"Path of the Firestore document with these messages, to which a client may listen"`
}

// UnreadConversations counts what waits for the caller.
type UnreadConversations struct {
	Count    int64 `json:"count" doc:"Conversations with unread messages, among the 1,000 that changed last"`
	Requests int64 `json:"requests" doc:"Conversations that wait for the caller's consent, up to 100"`

	At        time.Time `json:"at" doc:"since of the next request"`
	Unchanged bool      `json:"unchanged" doc:"Nothing was counted, and count and requests are 0: the counts of the answer that had since still hold"`
}

type createdConversation struct {
	Location string `header:"Location"`
	Body     Conversation
}

// ofConversation gives a handler the id of the conversation in the path.
func ofConversation[I interface {
	conversationID() (model.ConversationID, error)
}, O any](handler func(context.Context, model.UserID, I, model.ConversationID) (*O, error)) func(context.Context,
	I) (*O, error) {
	return func(ctx context.Context, in I) (*O, error) {
		id, err := in.conversationID()
		if err != nil {
			return nil, err
		}
		return handler(ctx, server.Caller(ctx).UID, in, id)
	}
}

// ofMessage gives a handler the ids in the path.
func ofMessage[I interface {
	conversationID() (model.ConversationID, error)
	messageID() (model.MessageID, error)
}](handler func(context.Context, model.UserID, I, model.ConversationID, model.MessageID) error) func(context.Context,
	I) (*nothing, error) {
	return ofConversation(func(ctx context.Context, uid model.UserID, in I, id model.ConversationID) (*nothing, error) {
		message, err := in.messageID()
		if err != nil {
			return nil, err
		}
		return nil, handler(ctx, uid, in, id, message)
	})
}

func (p MessagePath) messageID() (model.MessageID, error) { return model.ParseMessageID(p.MessageID) }

// conversations adds the operations on conversations.
func (s *service) conversations() {
	op := func(method, path, id, summary, text string, errors ...int) huma.Operation {
		return huma.Operation{Method: method, Path: "/v1/conversations" + path, OperationID: id,
			Tags: []string{"conversations"}, Summary: summary, Description: text, Errors: errors}
	}
	server.Register(s.Server, server.SignedIn, op(http.MethodGet, "", "listConversations",
		"List the conversations of the caller, newest first", "At most 20 on a page, which may have fewer items than "+
			"pageSize. Conversations that the caller deleted are left out until there is another message."),
		s.listConversations)
	begin := op(http.MethodPost, "", "createConversation", "Begin a conversation, and send its first message",
		"Nobody can be added later. Two users have one conversation: the message is sent there. Members who do not follow "+
			"the caller are asked for their consent; until one of them gives it, the caller can send 5 messages, and no "+
			"pictures. The answer is 403 not_allowed if one of them takes no messages of the caller, and does not tell whose. "+
			"One of another server is 403 no_remote_messages. Messages are not encrypted from end to end.\n\n"+
			"The caller may repeat a request with an Idempotency-Key. A different request with the same key answers 409 "+
			"idempotency_key_reused.", http.StatusNotFound, http.StatusConflict)
	begin.DefaultStatus = http.StatusCreated
	server.Register(s.Server, server.SignedIn, begin, func(ctx context.Context, in *struct {
		RequestKey
		Body newConversation
	}) (*createdConversation, error) {
		begun, err := s.Messages.Begin(ctx, server.Caller(ctx).UID, model.NewConversation{NewMessage: in.Body.message(),
			Name:   in.Body.Name,
			Others: each(in.Body.MemberIDs, func(id string) model.UserID { return model.UserID(id) }),
		}, model.Request{Key: in.IdempotencyKey, Hash: hashOf(in.Body)})
		if err != nil {
			return nil, err
		}
		return &createdConversation{Location: "/v1/conversations/" + string(begun.ID), Body: s.conversationOf(begun.Seen)},
			nil
	})
	server.Register(s.Server, server.SignedIn, op(http.MethodGet, "/unreadCount", "countUnreadConversations",
		"Count the unread conversations of the caller, and the requests", "A client that asks again and again sends since, "+
			"and learns at the price of one document whether there is a new message. It counts without since after the caller "+
			"has read, left or answered something, and every few minutes: other devices do so, too, and new requests are "+
			"counted then."), func(ctx context.Context, in *struct {
		Since time.Time `query:"since" doc:"The at of the answer before. One of more than an hour ago counts anew"`
	}) (*struct{ Body UnreadConversations }, error) {
		is, err := s.Messages.Unread(ctx, server.Caller(ctx).UID, in.Since)
		return &struct{ Body UnreadConversations }{UnreadConversations{is.Count, is.Requests, is.At, is.Unchanged}}, err
	})
	server.Register(s.Server, server.SignedIn, op(http.MethodGet, "/search", "searchMessages",
		"Search the messages of the caller by words",
		"In one conversation, or in the 30 that changed last. The query has words, "+
			"\"phrases\", -words to leave out, and has:media for pictures and videos; the other filters of searches for tweets "+
			"answer 400 invalid_query. A page may have few items, or none, and a nextPageToken. New words are found some "+
			"seconds late.", http.StatusNotFound), s.searchMessages)
	server.Register(s.Server, server.SignedIn, op(http.MethodGet, "/{id}", "getConversation",
		"Read a conversation of the caller", "", http.StatusNotFound),
		ofConversation(func(ctx context.Context, uid model.UserID, _ *ConversationPath,
			id model.ConversationID) (*struct{ Body Conversation }, error) {
			c, err := s.Messages.Conversation(ctx, uid, id)
			if err != nil {
				return nil, err
			}
			return &struct{ Body Conversation }{s.conversationOf(c)}, nil
		}))
	server.Register(s.Server, server.SignedIn, op(http.MethodPatch, "/{id}", "changeConversation",
		"Name a conversation of several, or mute one", "A conversation of two has no name: 409 conversation_of_two.",
		http.StatusNotFound, http.StatusConflict),
		ofConversation(func(ctx context.Context, uid model.UserID, in *struct {
			ConversationPath
			Body conversationPatch
		}, id model.ConversationID) (*nothing, error) {
			return nil, s.Messages.Change(ctx, uid, id, messages.Patch(in.Body))
		}))
	for _, act := range []struct {
		method, path, id, summary, text string
		do                              func(context.Context, model.UserID, model.ConversationID) error
	}{
		{http.MethodDelete, "", "clearConversation", "Delete the messages of a conversation for the caller", "Others keep " +
			"theirs. Lists leave the conversation out until there is another message.", s.Messages.Clear},
		{http.MethodPost, "/accept", "acceptConversation", "Consent to a conversation that a stranger began", "So does " +
			"writing in it.", s.Messages.Accept},
		{http.MethodPost, "/refuse", "refuseConversation", "Refuse a conversation that a stranger began", "The stranger is " +
			"not told. A conversation that the caller has accepted answers 409 no_request.", s.Messages.Refuse},
		{http.MethodPost, "/leave", "leaveConversation", "Leave a conversation of several, for ever", "The messages of the " +
			"caller stay. One of two answers 409 conversation_of_two.", s.Messages.Leave},
	} {
		server.Register(s.Server, server.SignedIn, op(act.method, "/{id}"+act.path, act.id, act.summary, act.text,
			http.StatusNotFound, http.StatusConflict), ofConversation(func(ctx context.Context, uid model.UserID,
			_ *ConversationPath, id model.ConversationID) (*nothing, error) {
			return nil, act.do(ctx, uid, id)
		}))
	}
	server.Register(s.Server, server.SignedIn, op(http.MethodPut, "/{id}/read", "readConversation",
		"Note that the caller has read a conversation up to a message", "It never goes back. Nobody else learns of it."),
		ofConversation(func(ctx context.Context, uid model.UserID, in *struct {
			ConversationPath
			Body struct {
				MessageID string `json:"messageId" maxLength:"40"`
			}
		}, id model.ConversationID) (*nothing, error) {
			last, err := model.ParseMessageID(in.Body.MessageID)
			if err != nil {
				return nil, err
			}
			return nil, s.Messages.MarkRead(ctx, uid, id, last)
		}))
	s.messages(op)
}

// messages adds the operations on the messages of a conversation.
func (s *service) messages(op func(method, path, id, summary, text string, errors ...int) huma.Operation) {
	server.Register(s.Server, server.SignedIn, op(http.MethodGet, "/{id}/messages", "listMessages",
		"List the messages of a conversation, newest first", "A page has the messages of one part of the conversation: of "+
			"one month, and 100 at most. It may have few, or none, and a nextPageToken. Messages that the caller deleted are "+
			"left out, and in a conversation of several those of users with a block.", http.StatusNotFound),
		ofConversation(s.listMessages))
	send := op(http.MethodPost, "/{id}/messages", "sendMessage", "Send a message",
		"It gives the caller's consent to the conversation. A conversation of two that has ended answers 403 not_allowed. "+
			"Before anybody has consented, more than 5 messages, and pictures, answer 409 request_pending.\n\n"+
			"The caller may repeat a request with an Idempotency-Key, as long as it is one of the caller's last 10 in the "+
			"conversation. A different request with the same key answers 409 idempotency_key_reused.", http.StatusNotFound,
		http.StatusConflict)
	send.DefaultStatus = http.StatusCreated
	server.Register(s.Server, server.SignedIn, send, ofConversation(func(ctx context.Context, uid model.UserID,
		in *struct {
			ConversationPath
			RequestKey
			Body MessageText
		}, id model.ConversationID) (*struct{ Body Message }, error) {
		sent, err := s.Messages.Send(ctx, uid, id, in.Body.message(), model.Request{Key: in.IdempotencyKey,
			Hash: hashOf(in.Body)})
		if err != nil {
			return nil, err
		}
		return &struct{ Body Message }{s.messageOf(sent)}, nil
	}))
	server.Register(s.Server, server.SignedIn, op(http.MethodDelete, "/{id}/messages/{messageId}", "deleteMessage",
		"Take a message of the caller back, or delete one for the caller alone",
		"For everybody: its author may do so for an "+
			"hour, 409 too_late afterwards, and a mark stays. For me: at any time, up to 2,000 messages, 409 "+
			"too_many_hidden_messages.", http.StatusNotFound, http.StatusConflict), ofMessage(func(ctx context.Context,
		uid model.UserID, in *struct {
			MessagePath
			For string `query:"for" enum:"everybody,me" default:"everybody"`
		}, id model.ConversationID, message model.MessageID) error {
		if in.For == "me" {
			return s.Messages.Hide(ctx, uid, id, message)
		}
		return s.Messages.TakeBack(ctx, uid, id, message)
	}))
	server.Register(s.Server, server.SignedIn, op(http.MethodPut, "/{id}/messages/{messageId}/reaction", "reactToMessage",
		"React to a message with an emoji", "It replaces the caller's reaction to the message.", http.StatusNotFound,
		http.StatusConflict), ofMessage(func(ctx context.Context, uid model.UserID, in *struct {
		MessagePath
		Body struct {
			Emoji string `json:"emoji" minLength:"1" maxLength:"40" example:"👍"`
		}
	}, id model.ConversationID, message model.MessageID) error {
		return s.Messages.React(ctx, uid, id, message, in.Body.Emoji)
	}))
	server.Register(s.Server, server.SignedIn, op(http.MethodDelete, "/{id}/messages/{messageId}/reaction",
		"unreactToMessage", "Take the caller's reaction to a message back", "", http.StatusNotFound, http.StatusConflict),
		ofMessage(func(ctx context.Context, uid model.UserID, _ *MessagePath, id model.ConversationID,
			message model.MessageID) error {
			return s.Messages.React(ctx, uid, id, message, "")
		}))
}

func (s *service) listConversations(ctx context.Context, in *struct {
	server.Paging
	Requests bool `query:"requests" doc:"Whether to list those that wait for the caller's consent, instead of the others"`
}) (*server.ListOutput[Conversation], error) {
	uid := server.Caller(ctx).UID
	list := "conversations of "
	if in.Requests {
		list = "requests to "
	}
	found, err := server.CursorPage(s.Server, list+string(uid), in.Paging,
		func(from model.Cursor) (model.Page[*messages.Seen], error) {
			return s.Messages.List(ctx, uid, in.Requests, from, in.Most(model.MaxConversationPage))
		}, nil)
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(c *messages.Seen) (Conversation, bool) { return s.conversationOf(c), true }), nil
}

func (s *service) listMessages(ctx context.Context, uid model.UserID, in *struct {
	ConversationPath
	PageToken string `query:"pageToken" doc:"The nextPageToken of the page before; empty for the first page"`
}, id model.ConversationID) (*struct{ Body MessageList }, error) {
	var listen model.PartKey
	var newest model.MessageID
	found, err := server.Page(s.Server, "messages of "+string(id)+" for "+string(uid),
		server.Paging{PageToken: in.PageToken}, func(from model.PartKey) ([]*messages.Sent, model.PartKey, error) {
			page, err := s.Messages.Messages(ctx, uid, id, from)
			if err != nil {
				return nil, "", err
			}
			listen, newest = page.Part, page.Last.ID
			return page.Messages, page.Older, nil
		}, nil)
	if err != nil {
		return nil, err
	}
	return &struct{ Body MessageList }{MessageList{Items: each(found.Items, s.messageOf), NextPageToken: found.Next,
		NewestID: newest, Listen: model.ConversationMonths + "/" + string(listen)}}, nil
}

// FoundMessage is a message that a search found.
type FoundMessage struct {
	ConversationID model.ConversationID `json:"conversationId"`
	Message        Message              `json:"message"`
}

func (s *service) searchMessages(ctx context.Context, in *struct {
	Query          string `query:"query" required:"true" minLength:"1" maxLength:"200"`
	ConversationID string `query:"conversationId" doc:"The conversation in which to search; empty for the 30 that changed last"`
	PageToken      string `query:"pageToken" doc:"The nextPageToken of the page before; empty for the first page"`
}) (*server.ListOutput[FoundMessage], error) {
	uid, id := server.Caller(ctx).UID, model.ConversationID("")
	if in.ConversationID != "" {
		var err error
		if id, err = model.ParseConversationID(in.ConversationID); err != nil {
			return nil, err
		}
	}
	found, err := server.CursorPage(s.Server, "messages with "+in.Query+" in "+string(id)+" of "+string(uid),
		server.Paging{PageToken: in.PageToken}, func(from model.Cursor) (model.Page[messages.Hit], error) {
			return s.Messages.Search(ctx, uid, in.Query, id, from)
		}, nil)
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(hit messages.Hit) (FoundMessage, bool) {
		return FoundMessage{hit.ConversationID, s.messageOf(hit.Sent)}, true
	}), nil
}
