package model

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Collection is a row of the registry: the description of one collection of the database. Account deletions, exports,
// the tests of rules, indexes and sizes, and the tables in docs/model follow from it.
type Collection struct {
	Name   string // as in Firestore
	Path   string // of a document, with variable parts in braces
	Family string // the domain; set by the registry
	What   string // the content of a document, in a few words
	Kind   Kind
	Docs   []any // a zero value of each type that a document may have; none if no type in this package has the fields

	// Owners are the ways in which documents belong to a user. An account deletion and an export find the documents by
	// them.
	Owners []Owner
	// NotErased says why an account deletion keeps the documents; empty if an owner has an erasure rule. NotExported says
	// why an export has none of them.
	NotErased, NotExported string

	TTL    TTL
	Access Access
	// RebuiltBy is the function that makes a projection agree with its sources of truth again, or "verify" for `hibana
	// verify --repair`; empty for a collection that nothing rebuilds.
	RebuiltBy string
	Bound     Bound
}

// Kind says what the documents of a collection are.
type Kind string

// All kinds.
const (
	KindSource     Kind = "source"     // users' actions, statements and settings: nothing computes it
	KindProjection Kind = "projection" // follows from sources of truth alone: functions write it, and can rebuild it
	KindWork       Kind = "work"       // requests work, and keeps its progress
	KindLog        Kind = "log"        // a record of the past: written once, or until it is complete
)

// Owner is one way in which documents of a collection belong to a user.
type Owner struct {
	By   By
	What string // which documents of the collection, if it has others of the user
	// Erase is the position in a pass of an account deletion, in ascending order; 0 if the deletion does not remove the
	// documents this way.
	Erase int
	// Export is the section of an export with the documents; none if its name is empty.
	Export Section
}

// By says how documents of a user are found: it is the field with the uid, or one of the constants.
type By string

// Other ways than a field.
const (
	ByKey    By = "{uid}"       // the uid is the document's id
	ByPrefix By = "{uid}_"      // the id is a composite key that begins with the uid
	ByParent By = "users/{uid}" // the documents are below the user's
	ByCode   By = "{code}"      // by code of the package that needs the documents
)

// Field returns the field with the uid; empty if no field has it.
func (b By) Field() string {
	if strings.Contains(string(b), "{") {
		return ""
	}
	return string(b)
}

// Section is a section of an export. Of the rows that share a section, one has its order and text.
type Section struct {
	Name  string // names its files
	Order int    // its position in an export, in ascending order
	Text  string // its content, for readers of the description of exports
}

// TTL says when documents expire: expireAt is their field then, and a TTL policy deletes them.
type TTL struct {
	After time.Duration // 0 for documents that stay
	Of    string        // which documents expire, or since when, if it is not a fixed time after their write
}

// Access says which users may read documents with the Firebase SDK, under firestore.rules. No user may write, and the
// API does not pass through the rules.
type Access string

// All classes of access.
const (
	AccessNobody  Access = "nobody"
	AccessOwner   Access = "owner"   // the user whom the path names, one document at a time
	AccessViewers Access = "viewers" // viewers of the tweet, one document at a time
	AccessMembers Access = "members" // present members of the conversation, one document at a time
)

// Bound is how large a document can be, with uids of 128 characters.
type Bound struct {
	Bytes, Entries int    // of the largest document, and its entries in single-field indexes
	Why            string // the reason for the bound
	Test           string // the test that writes the largest
}

// kB are the units of bounds.
const kB = 1_000

// entryBytes is about how many bytes an index entry has.
const entryBytes = 150

// Size is how many bytes the largest document has with its index entries.
func (b Bound) Size() int { return b.Bytes + b.Entries*entryBytes }

// days is a number of days.
func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// Group reports whether the documents are below other documents than a user's, so that a query of them all needs a
// collection group.
func (c *Collection) Group() bool { return strings.Count(c.Path, "/") > 1 }

// Shape is how the shape of documents may change between releases: docs/operate/rollout.md says what
// follows from each.
type Shape string

// All shapes.
const (
	ShapeRebuilt    Shape = "projection"
	ShapeShortLived Shape = "short-lived"
	ShapeKept       Shape = "source, and notes that nothing makes again"
	ShapeLog        Shape = "log"
)

// Shape returns how the shape of the documents may change.
func (c *Collection) Shape() Shape {
	switch expires := c.TTL.After > 0; {
	case expires && c.Kind == KindWork, expires && c.Kind != KindSource && c.TTL.After <= days(31):
		return ShapeShortLived
	case c.Kind == KindProjection:
		return ShapeRebuilt
	case c.Kind == KindLog:
		return ShapeLog
	}
	return ShapeKept
}

// Family is a domain, with its collections in the order of the documents.
type Family struct {
	Name, Title string
	Collections []Collection
}

// Families are all domains. [Registry] has their collections in one list.
var Families = []Family{
	{"people", "People", peopleCollections},
	{"tweets", "Tweets", tweetCollections},
	{"timelines", "Timelines", timelineCollections},
	{"graph", "The graph of users", graphCollections},
	{"reactions", "Reactions", reactionCollections},
	{"notifications", "Notifications", notificationCollections},
	{"messages", "Messages", messageCollections},
	{"discovery", "Discovery", discoveryCollections},
	{"shop", "Shop", shopCollections},
	{"moderation", "Moderation", moderationCollections},
	{"accounts", "Accounts: exports, deletion and limits", accountCollections},
	{"oauth", "Apps of others", oauthCollections},
	{"counters", "Counters", counterCollections},
	{"federation", "Federation", federationCollections},
	{"operations", "Operations", operationCollections},
}

// Registry has every collection of the database, once.
var Registry = func() (all []Collection) {
	for _, f := range Families {
		for _, c := range f.Collections {
			c.Family = f.Name
			all = append(all, c)
		}
	}
	return all
}()

// Row returns the row of a collection. It panics if the registry has none, because a name of a
// collection is a constant.
func Row(name string) *Collection {
	if i := slices.IndexFunc(Registry, func(c Collection) bool { return c.Name == name }); i >= 0 {
		return &Registry[i]
	}
	panic("the registry has no collection " + name)
}

// CollectionNames lists the names of all collections.
func CollectionNames() (names []string) {
	for _, c := range Registry {
		names = append(names, c.Name)
	}
	return names
}

// Owned is a collection with one of its owners.
type Owned struct {
	*Collection
	Owner
}

// Erased lists the collections that an account deletion clears, in the order of a pass.
func Erased() (all []Owned) {
	for i := range Registry {
		for _, o := range Registry[i].Owners {
			if o.Erase > 0 {
				all = append(all, Owned{&Registry[i], o})
			}
		}
	}
	slices.SortFunc(all, func(a, b Owned) int { return cmp.Compare(a.Erase, b.Erase) })
	return all
}

// Exported is a section with its sources: one way to find documents, or, for a section of several collections, one of
// each.
type Exported struct {
	Section
	From []Owned
}

// ExportedSections lists the sections of an export, in order.
func ExportedSections() (all []Exported) {
	for i := range Registry {
		for _, o := range Registry[i].Owners {
			if o.Export.Name == "" {
				continue
			}
			at := slices.IndexFunc(all, func(e Exported) bool { return e.Name == o.Export.Name })
			if at < 0 {
				at, all = len(all), append(all, Exported{Section: Section{Name: o.Export.Name}})
			}
			if o.Export.Order > 0 {
				all[at].Section = o.Export
			}
			all[at].From = append(all[at].From, Owned{&Registry[i], o})
		}
	}
	slices.SortFunc(all, func(a, b Exported) int { return cmp.Compare(a.Order, b.Order) })
	return all
}
