package activitypub

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of a document. The largest that servers write are posts of long articles, and pages of collections.
const (
	// MaxBytes is the size of the largest document that is read.
	MaxBytes = 1 << 20

	maxDepth  = 24
	maxValues = 20_000
	maxList   = 1_000
	maxID     = 2_048 // bytes of an address
)

// Decode reads a document of another server. Errors are [ErrLimit] and [ErrDocument].
//
// Where servers write a text, an object or a list of them, each form is read. A name that is there twice is refused,
// because another reader might take the other value.
func Decode(data []byte) (*Object, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%w: %d bytes", ErrLimit, len(data))
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%w: it is not UTF-8", ErrDocument)
	}
	p := &parser{json.NewDecoder(bytes.NewReader(data)), 0}
	p.UseNumber()
	value, err := p.value(0)
	if err == nil {
		if _, after := p.Token(); !errors.Is(after, io.EOF) {
			err = fmt.Errorf("%w: something follows it", ErrDocument)
		}
	}
	if err != nil {
		return nil, err
	}
	m, ok := value.(values)
	if !ok {
		return nil, fmt.Errorf("%w: it is not an object", ErrDocument)
	}
	o := m.object()
	if o.Type == "" {
		return nil, fmt.Errorf("%w: it has no type", ErrDocument)
	}
	return o, nil
}

// parser reads JSON within the limits.
type parser struct {
	*json.Decoder
	count int
}

func (p *parser) value(depth int) (any, error) {
	t, err := p.Token()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	if p.count++; p.count > maxValues || depth > maxDepth {
		return nil, fmt.Errorf("%w: it has %d values, %d deep", ErrLimit, p.count, depth)
	}
	switch t {
	case json.Delim('['):
		var list []any
		for p.More() {
			if len(list) == maxList {
				return nil, fmt.Errorf("%w: a list is longer than %d", ErrLimit, maxList)
			}
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, p.end()
	case json.Delim('{'):
		m := values{}
		for p.More() {
			name, err := p.Token()
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrDocument, err)
			}
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			key := name.(string) // a name is a string
			if _, twice := m[key]; twice {
				return nil, fmt.Errorf("%w: a name is there twice", ErrDocument)
			}
			m[key] = v
		}
		return m, p.end()
	}
	return t, nil
}

// end takes the end of a list or an object.
func (p *parser) end() error {
	if _, err := p.Token(); err != nil {
		return fmt.Errorf("%w: %w", ErrDocument, err)
	}
	return nil
}

// values are the members of an object.
type values map[string]any

// all returns a member as a list.
func (v values) all(name string) []any {
	switch is := v[name].(type) {
	case nil:
		return nil
	case []any:
		return is
	default:
		return []any{is}
	}
}

func (v values) text(name string) string {
	s, _ := v[name].(string)
	return s
}

func (v values) truth(name string) bool {
	b, _ := v[name].(bool)
	return b
}

// number returns a whole number; 0 for any other value, and for one below 0.
func (v values) number(name string) int64 {
	n, ok := v[name].(json.Number)
	if !ok {
		return 0
	}
	if i, err := n.Int64(); err == nil {
		return max(i, 0)
	}
	if f, err := n.Float64(); err == nil && f > 0 && f < 1e15 {
		return int64(f)
	}
	return 0
}

// time returns a time; the zero time for any other value.
func (v values) time(name string) time.Time {
	at, err := time.Parse(time.RFC3339, v.text(name))
	if err != nil || at.Year() < 1 || at.Year() > 9999 {
		return time.Time{}
	}
	return at.UTC()
}

// idOf returns the address that a text or an object is; empty for none, and for a text that is too long for one.
func idOf(value any) string {
	id := ""
	switch is := value.(type) {
	case string:
		id = is
	case values:
		if id = is.text("id"); id == "" && is.text("type") == "Link" {
			id = is.text("href")
		}
	}
	if len(id) > maxID {
		return ""
	}
	return id
}

// id returns the address of the first object of a member.
func (v values) id(name string) string {
	for _, one := range v.all(name) {
		if id := idOf(one); id != "" {
			return id
		}
	}
	return ""
}

// ids returns the addresses of a member, each once.
func (v values) ids(name string) (ids []string) {
	for _, one := range v.all(name) {
		if id := idOf(one); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// recipients returns the addresses of a member, with each form of Public as Public.
func (v values) recipients(name string) []string {
	ids := v.ids(name)
	for i, id := range ids {
		if id == "as:Public" || id == "Public" {
			ids[i] = Public
		}
	}
	return ids
}

func refOf(value any) (r Ref) {
	r.ID = idOf(value)
	if m, ok := value.(values); ok {
		r.Object = m.object()
	}
	return r
}

func (v values) refs(name string) (refs []Ref) {
	for _, one := range v.all(name) {
		if r := refOf(one); r != (Ref{}) {
			refs = append(refs, r)
		}
	}
	return refs
}

func (v values) ref(name string) Ref {
	if refs := v.refs(name); len(refs) > 0 {
		return refs[0]
	}
	return Ref{}
}

// objects returns the objects of a member. A text stands for a link.
func (v values) objects(name string) (all []*Object) {
	for _, one := range v.all(name) {
		switch is := one.(type) {
		case values:
			all = append(all, is.object())
		case string:
			all = append(all, &Object{Type: "Link", Kind: []string{"Link"}, Href: is})
		}
	}
	return all
}

// links returns the addresses of a member, of which each is a text, a link, or an object with addresses.
func (v values) links(name string) (all []Link) {
	for _, one := range v.all(name) {
		switch is := one.(type) {
		case string:
			all = append(all, Link{Href: is})
		case values:
			if href := is.text("href"); href != "" {
				all = append(all, Link{href, is.text("mediaType"), is.text("rel"), is.number("width"), is.number("height")})
				continue
			}
			for _, l := range is.links("url") {
				l.MediaType = cmp.Or(l.MediaType, is.text("mediaType"))
				l.Width, l.Height = cmp.Or(l.Width, is.number("width")), cmp.Or(l.Height, is.number("height"))
				all = append(all, l)
			}
		}
	}
	return all
}

// language returns a text with its languages.
func (v values) language(name string) (t Text) {
	t.Value = v.text(name)
	by, _ := v[name+"Map"].(values)
	for code := range by {
		if text := by.text(code); text != "" && code != "" && len(code) <= 35 {
			if t.By == nil {
				t.By = map[string]string{}
			}
			t.By[code] = text
		}
	}
	if t.Value != "" || t.By == nil {
		return t
	}
	codes := make([]string, 0, len(t.By))
	for code := range t.By {
		codes = append(codes, code)
	}
	t.Value = t.By[slices.Min(codes)]
	return t
}

// types returns the types of an object, without the prefix of the vocabulary.
func (v values) types() (all []string) {
	for _, one := range v.all("type") {
		if s, ok := one.(string); ok && s != "" {
			all = append(all, strings.TrimPrefix(s, "as:"))
		}
	}
	return all
}

// keys returns the public keys of a member, whose text has one of two names.
func (v values) keys(name, text string) (all []Key) {
	for _, one := range v.all(name) {
		if m, ok := one.(values); ok && m.text(text) != "" {
			owner := cmp.Or(m.id("owner"), m.id("controller"))
			all = append(all, Key{ID: idOf(m), Owner: owner, Text: m.text(text)})
		}
	}
	return all
}

func (v values) point(name string) (all []float64) {
	list, _ := v[name].([]any)
	for _, one := range list {
		n, ok := one.(json.Number)
		f, err := n.Float64()
		if !ok || err != nil || len(list) != 2 || f < -1 || f > 1 {
			return nil
		}
		all = append(all, f)
	}
	return all
}

// object converts the members of an object.
func (v values) object() *Object {
	o := &Object{
		ID: idOf(v), Kind: v.types(), Name: v.language("name"), Summary: v.language("summary"),
		Content: v.language("content"), MediaType: v.text("mediaType"), AttributedTo: v.ids("attributedTo"),
		To: v.recipients("to"), CC: v.recipients("cc"), InReplyTo: v.id("inReplyTo"), Published: v.time("published"),
		Updated: v.time("updated"), URL: v.links("url"), Icon: v.links("icon"), Image: v.links("image"),
		Attachment: v.objects("attachment"), Tag: v.objects("tag"), Sensitive: v.truth("sensitive"),
		Replies: v.ref("replies"), Likes: v.ref("likes"), Shares: v.ref("shares"),
		OneOf: v.objects("oneOf"), AnyOf: v.objects("anyOf"), EndTime: v.time("endTime"), Closed: v.time("closed"),
		VotersCount: v.number("votersCount"), Href: v.text("href"), Value: v.text("value"), Blurhash: v.text("blurhash"),
		Duration: v.text("duration"), Width: v.number("width"), Height: v.number("height"),
		FocalPoint: v.point("focalPoint"), Actor: v.id("actor"), Object: v.refs("object"), Target: v.ref("target"),
		PreferredUsername: v.text("preferredUsername"), Inbox: v.id("inbox"), Outbox: v.id("outbox"),
		Followers: v.id("followers"), Following: v.id("following"), Featured: v.id("featured"),
		PublicKeys: v.keys("publicKey", "publicKeyPem"), Multikeys: v.keys("assertionMethod", "publicKeyMultibase"),
		ManuallyApproves: v.truth("manuallyApprovesFollowers"), Discoverable: v.truth("discoverable"),
		Indexable: v.truth("indexable"), AlsoKnownAs: v.ids("alsoKnownAs"), MovedTo: v.id("movedTo"),
		TotalItems: v.number("totalItems"), First: v.ref("first"), Next: v.id("next"), PartOf: v.id("partOf"),
	}
	if len(o.Kind) > 0 {
		o.Type = o.Kind[0]
	}
	o.Bot = o.Is("Service", "Application")
	if endpoints, ok := v["endpoints"].(values); ok {
		o.SharedInbox = endpoints.id("sharedInbox")
	}
	for _, name := range []string{"quote", "quoteUrl", "quoteUri", "quoteURL", "_misskey_quote"} {
		if o.Quote == "" {
			o.Quote = v.id(name)
		}
	}
	for _, name := range []string{"orderedItems", "items"} {
		if o.Items == nil {
			o.Items = v.refs(name)
		}
	}
	if o.Type == "Key" || o.Type == "CryptographicKey" || o.Type == "" && v.text("publicKeyPem") != "" {
		o.Type, o.Kind = "Key", []string{"Key"}
		o.PublicKeys = values{"publicKey": v}.keys("publicKey", "publicKeyPem")
	}
	return o
}
