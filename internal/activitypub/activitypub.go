// Package activitypub reads and writes documents of ActivityPub: actors, posts, activities and collections, in the
// forms that servers of the fediverse give them.
//
// It treats JSON-LD as JSON: names have the form that all servers write, and no context is loaded, because a context
// decides what a document says, and its host could change it. What others wrote is read within limits by [Decode].
package activitypub

import (
	"errors"
	"strings"
	"time"
)

// ContentType is the type of a document. Accepts tells who asks for it.
const ContentType = "application/activity+json"

// Public is the recipient of what everybody may see.
const Public = "https://www.w3.org/ns/activitystreams#Public"

// stream is the address of the vocabulary.
const stream = "https://www.w3.org/ns/activitystreams"

// Accepts reports whether a header Accept asks for ActivityPub: application/activity+json, or application/ld+json with
// the profile of the vocabulary, by name. Browsers, which take everything, do not.
func Accepts(header string) bool {
	for one := range strings.SplitSeq(header, ",") {
		kind, parameters, _ := strings.Cut(one, ";")
		parameters = strings.ReplaceAll(parameters, " ", "")
		refused := false
		for p := range strings.SplitSeq(parameters, ";") {
			weight, is := strings.CutPrefix(p, "q=")
			refused = refused || is && strings.Trim(weight, "0.") == ""
		}
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case ContentType:
			if !refused {
				return true
			}
		case "application/ld+json":
			if !refused && strings.Contains(parameters, stream) {
				return true
			}
		}
	}
	return false
}

// Errors of [Decode].
var (
	// ErrLimit marks a document that is too large, too deep, or has too many parts.
	ErrLimit = errors.New("the document is beyond a limit")
	// ErrDocument marks a text that is not the JSON of an object with a type, or that two readers would take for
	// different ones.
	ErrDocument = errors.New("the document is not one of ActivityPub")
)

// Text is a text in one or several languages.
type Text struct {
	Value string            // the text, or that of the first language
	By    map[string]string // by language; nil if the document does not say
}

// Ref is another object: its address, and the object if the document has it.
type Ref struct {
	ID     string
	Object *Object // nil for an address alone
}

// Link is an address with what is known of it.
type Link struct {
	Href, MediaType, Rel string
	Width, Height        int64
}

// Key is a public key of an actor.
type Key struct {
	ID    string
	Owner string
	Text  string // PEM, or a Multikey
}

// Object is an actor, a post, an activity, a collection, or a part of one. Fields that the document does not have, or
// has in a form that nobody writes, are zero. Nothing of it was checked: an address may be any text.
type Object struct {
	ID   string
	Type string   // the first of Types
	Kind []string // all types

	Name, Summary, Content Text
	MediaType              string
	AttributedTo           []string
	To, CC                 []string
	InReplyTo              string
	Published, Updated     time.Time
	URL, Icon, Image       []Link
	Attachment, Tag        []*Object
	Sensitive              bool
	Quote                  string // the post that a post quotes
	Replies, Likes, Shares Ref

	// Of a Question.
	OneOf, AnyOf    []*Object
	EndTime, Closed time.Time
	VotersCount     int64

	// Of an attachment or a tag.
	Href, Value, Blurhash, Duration string
	Width, Height                   int64
	FocalPoint                      []float64

	// Of an activity.
	Actor  string
	Object []Ref
	Target Ref

	// Of an actor.
	PreferredUsername                              string
	Inbox, Outbox, Followers, Following, Featured  string
	SharedInbox                                    string
	PublicKeys, Multikeys                          []Key
	ManuallyApproves, Discoverable, Indexable, Bot bool
	AlsoKnownAs                                    []string
	MovedTo                                        string

	// Of a collection.
	TotalItems int64
	First      Ref
	Next       string
	PartOf     string
	Items      []Ref
}

// actorTypes are the types of actors.
var actorTypes = []string{"Person", "Service", "Application", "Organization", "Group"}

// Is reports whether the object has a type.
func (o *Object) Is(types ...string) bool {
	for _, is := range o.Kind {
		for _, t := range types {
			if is == t {
				return true
			}
		}
	}
	return false
}

// IsActor reports whether the object is an actor.
func (o *Object) IsActor() bool { return o.Is(actorTypes...) && o.Inbox != "" }
