package model

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/markdown"
)

// Names lists the usernames that the draft mentions, and the handles with a host, at most MaxMentions. Further names
// are plain text.
func (d *CleanDraft) Names() []string { return namesIn(d.text.Document) }

// NewNames lists the names that a draft of an edit mentions and the tweet does not, at most MaxMentions. is is the
// text of the tweet.
func (t *Tweet) NewNames(is TweetDetail, d *CleanDraft) []string {
	if d.draft.Content == is.Content {
		return nil
	}
	return slices.DeleteFunc(d.Names(), func(name string) bool { return t.MentionNames[name] != "" })
}

// namesIn lists the names in a text that can be usernames, here or of another server. Any other name, as __init__, may
// not even be the id of a document.
func namesIn(d *markdown.Document) []string {
	names := slices.DeleteFunc(slices.Clone(d.Names), func(name string) bool {
		at, host, far := strings.Cut(name, "@")
		if far {
			_, err := RemoteUsername(at, host)
			return err != nil
		}
		return ValidateUsernameForm(name) != nil
	})
	return names[:min(len(names), MaxMentions)]
}

// Handles lists the handles with a host among the names that a text in Markdown mentions, see [CleanDraft.Names].
func Handles(content string) []string {
	if strings.Count(content, "@") < 2 { // most texts need no parsing
		return nil
	}
	return slices.DeleteFunc(namesIn(markdown.Parse(content)), func(name string) bool {
		return !strings.Contains(name,
			"@")
	})
}

// mention sets the mentioned users of the tweet. A name that the tweet mentioned before stays with the user who had it
// then, since the user may have another name now. found has the users of new names; a name without a user is plain
// text. at is when the new ones are mentioned.
func (t *Tweet) mention(names []string, found map[string]UserID, at time.Time) {
	byName, byUser := map[string]UserID{}, map[string]time.Time{}
	for _, name := range names {
		uid := t.MentionNames[name]
		if uid == "" {
			uid = found[name]
		}
		if uid == "" {
			continue
		}
		byName[name], byUser[string(uid)] = uid, at
		if since, ok := t.Mentions[string(uid)]; ok {
			byUser[string(uid)] = since
		}
	}
	t.MentionNames, t.Mentions = nil, nil
	if len(byName) > 0 {
		t.MentionNames, t.Mentions = byName, byUser
	}
}

// usersByName are the mentioned users of the tweet, for package markdown.
func (t *Tweet) usersByName() map[string]string {
	users := make(map[string]string, len(t.MentionNames))
	for name, uid := range t.MentionNames {
		users[name] = string(uid)
	}
	return users
}

// Mentioned lists the users who get a notification event because the tweet mentions them and before did not. before is
// nil for a new tweet. Authors get no notification event of their own tweets.
func (t *Tweet) Mentioned(before *Tweet) []UserID {
	var told []UserID
	for _, key := range slices.Sorted(maps.Keys(t.Mentions)) {
		if before != nil {
			if _, ok := before.Mentions[key]; ok {
				continue
			}
		}
		if uid := UserID(key); uid != t.AuthorID {
			told = append(told, uid)
		}
	}
	return told
}

// MentionNotificationEvent is the notification event of a user whom a tweet mentions. Its id follows from the two
// alone. So a user who is mentioned, left out by an edit, and mentioned again, gets one. The notification event of the
// author whom the tweet answers names the answered tweet, see [NotificationEvent.BesideReply].
func MentionNotificationEvent(t *Tweet, uid UserID) *NotificationEvent {
	p := NotificationEventPayload{UserID: t.AuthorID, TweetID: t.ID, RootID: t.RootID}
	if t.ReplyTo != nil && uid == t.ReplyToAuthorID {
		p.ReplyTo = *t.ReplyTo
	}
	n := NewNotificationEvent("mention "+string(t.ID)+" "+string(uid), NotificationMention, uid, p, t.CreatedAt)
	n.At, n.Answers = t.Mentions[string(uid)], t.Answers()
	n.Private = t.Visibility == Mentioned && p.ReplyTo == ""
	n.ExpireAt = n.At.Add(NotificationWindow)
	return n.about(t)
}
