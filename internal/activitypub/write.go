package activitypub

import (
	"encoding/json"
	"time"
)

// Context is the @context of all documents: the vocabulary, the keys of actors, and the names that servers of the
// fediverse add.
var Context = json.RawMessage(`["` + stream + `","https://w3id.org/security/v1",{` +
	`"toot":"http://joinmastodon.org/ns#","schema":"http://schema.org#","misskey":"https://misskey-hub.net/ns#",` +
	`"fedibird":"http://fedibird.com/ns#",` +
	`"manuallyApprovesFollowers":"as:manuallyApprovesFollowers","sensitive":"as:sensitive","Hashtag":"as:Hashtag",` +
	`"alsoKnownAs":{"@id":"as:alsoKnownAs","@type":"@id"},"movedTo":{"@id":"as:movedTo","@type":"@id"},` +
	`"PropertyValue":"schema:PropertyValue","value":"schema:value",` +
	`"featured":{"@id":"toot:featured","@type":"@id"},"discoverable":"toot:discoverable","indexable":"toot:indexable",` +
	`"suspended":"toot:suspended",` +
	`"blurhash":"toot:blurhash","focalPoint":{"@container":"@list","@id":"toot:focalPoint"},` +
	`"votersCount":"toot:votersCount","quote":{"@id":"https://w3id.org/fep/044f#quote","@type":"@id"},` +
	`"quoteUri":"fedibird:quoteUri","quoteUrl":"as:quoteUrl","_misskey_quote":"misskey:_misskey_quote"}]`)

// Actor is an actor of this server.
type Actor struct {
	Context                   json.RawMessage `json:"@context,omitempty"`
	ID                        string          `json:"id"`
	Type                      string          `json:"type"`
	PreferredUsername         string          `json:"preferredUsername"`
	Name                      string          `json:"name"`
	Summary                   string          `json:"summary"` // HTML
	URL                       string          `json:"url"`
	Inbox                     string          `json:"inbox"`
	Outbox                    string          `json:"outbox"`
	Followers                 string          `json:"followers,omitempty"`
	Following                 string          `json:"following,omitempty"`
	Featured                  string          `json:"featured,omitempty"`
	Endpoints                 *Endpoints      `json:"endpoints,omitempty"`
	PublicKey                 PublicKey       `json:"publicKey"`
	ManuallyApprovesFollowers bool            `json:"manuallyApprovesFollowers"`
	Discoverable              bool            `json:"discoverable"`
	Indexable                 bool            `json:"indexable"`
	Suspended                 bool            `json:"suspended,omitempty"` // its posts are not shown
	Published                 string          `json:"published,omitempty"`
	Icon                      *Image          `json:"icon,omitempty"`
	Image                     *Image          `json:"image,omitempty"`
	Attachment                []PropertyValue `json:"attachment"`
	AlsoKnownAs               []string        `json:"alsoKnownAs"`
	MovedTo                   string          `json:"movedTo,omitempty"`
}

// Endpoints are the addresses that actors of this server share.
type Endpoints struct {
	SharedInbox string `json:"sharedInbox"`
}

// PublicKey is the key by which others verify signatures of an actor.
type PublicKey struct {
	ID    string `json:"id"`
	Owner string `json:"owner"`
	PEM   string `json:"publicKeyPem"`
}

// Image is a picture of an actor.
type Image struct {
	Type string `json:"type"` // Image
	URL  string `json:"url"`
}

// PropertyValue is a line of a profile.
type PropertyValue struct {
	Type  string `json:"type"` // PropertyValue
	Name  string `json:"name"`
	Value string `json:"value"` // HTML
}

// Post is a post of this server: a Note, or a Question.
type Post struct {
	Context      json.RawMessage   `json:"@context,omitempty"`
	ID           string            `json:"id"`
	Type         string            `json:"type"`
	AttributedTo string            `json:"attributedTo"`
	URL          string            `json:"url"`
	Published    string            `json:"published"`
	Updated      string            `json:"updated,omitempty"`
	To           []string          `json:"to"`
	CC           []string          `json:"cc"`
	InReplyTo    string            `json:"inReplyTo,omitempty"`
	Sensitive    bool              `json:"sensitive"`
	Summary      string            `json:"summary,omitempty"` // a content warning, plain
	Content      string            `json:"content"`           // HTML
	ContentMap   map[string]string `json:"contentMap,omitempty"`
	Tag          []Tag             `json:"tag"`
	Attachment   []Media           `json:"attachment"`

	Quote        string `json:"quote,omitempty"`
	QuoteURL     string `json:"quoteUrl,omitempty"`
	QuoteURI     string `json:"quoteUri,omitempty"`
	MisskeyQuote string `json:"_misskey_quote,omitempty"`

	OneOf       []Option `json:"oneOf,omitempty"`
	EndTime     string   `json:"endTime,omitempty"`
	Closed      string   `json:"closed,omitempty"`
	VotersCount *int64   `json:"votersCount,omitempty"`

	Replies *Collection `json:"replies,omitempty"`
	Likes   *Collection `json:"likes,omitempty"`
	Shares  *Collection `json:"shares,omitempty"`
}

// Tag is a mention or a hashtag of a post.
type Tag struct {
	Type string `json:"type"`
	Href string `json:"href"`
	Name string `json:"name"`
}

// Media is a picture or video of a post. Servers show a Document with a picture's mediaType as a picture.
type Media struct {
	Type      string `json:"type"`
	MediaType string `json:"mediaType"`
	URL       string `json:"url"`
	Name      string `json:"name,omitempty"`
	Width     int    `json:"width,omitempty"`
	Height    int    `json:"height,omitempty"`
	Blurhash  string `json:"blurhash,omitempty"`
}

// Option is an answer of a Question. Its replies are the votes; absent while nobody may see them.
type Option struct {
	Type    string      `json:"type"` // Note
	Name    string      `json:"name"`
	Replies *Collection `json:"replies,omitempty"`
}

// Collection is a collection, or a page of one.
type Collection struct {
	Context      json.RawMessage `json:"@context,omitempty"`
	ID           string          `json:"id,omitempty"`
	Type         string          `json:"type"`
	TotalItems   *int64          `json:"totalItems,omitempty"`
	First        string          `json:"first,omitempty"`
	Next         string          `json:"next,omitempty"`
	PartOf       string          `json:"partOf,omitempty"`
	OrderedItems *[]any          `json:"orderedItems,omitempty"`
	Items        *[]any          `json:"items,omitempty"`
}

// Activity is what an actor of this server did.
type Activity struct {
	Context   json.RawMessage `json:"@context,omitempty"`
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Actor     string          `json:"actor"`
	Published string          `json:"published,omitempty"`
	To        []string        `json:"to,omitempty"`
	CC        []string        `json:"cc,omitempty"`
	Content   string          `json:"content,omitempty"` // the text of a report
	Object    any             `json:"object"`            // an address, a document, or a list of addresses
	Target    string          `json:"target,omitempty"`
}

// Vote is a vote in a poll of another server: a Note whose name is the chosen answer.
type Vote struct {
	ID           string   `json:"id"`
	Type         string   `json:"type"` // Note
	Name         string   `json:"name"`
	AttributedTo string   `json:"attributedTo"`
	InReplyTo    string   `json:"inReplyTo"`
	Published    string   `json:"published"`
	To           []string `json:"to"`
}

// Tombstone is what is left of a deleted post.
type Tombstone struct {
	Context json.RawMessage `json:"@context,omitempty"`
	ID      string          `json:"id"`
	Type    string          `json:"type"` // Tombstone
	Deleted string          `json:"deleted,omitempty"`
}

// Time returns a time in the form of documents, to the microsecond; empty for the zero time. Servers order the versions
// of a post by it.
func Time(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05.999999Z07:00")
}
