package model

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Collection is a row of the registry: everything that is to be known of one collection of the
// database before any of its documents is read. Account deletions, exports, the tests of rules,
// indexes and sizes, and the tables in docs/model follow from it.
type Collection struct {
	Name   string // as in Firestore
	Path   string // of a document, with parts in braces that differ
	Family string // the domain; set by the registry
	What   string // what a document says, in a few words
	Kind   Kind
	Docs   []any // a zero value of each type that a document may have; none if no type in this package has the fields

	// Owners are the ways in which documents belong to a person. An account deletion and an
	// export find the documents so.
	Owners []Owner
	// NotErased says why an account deletion leaves the documents alone; empty if an owner has a
	// place in it. NotExported says why an export has none of them.
	NotErased, NotExported string

	TTL    TTL
	Access Access
	// RebuiltBy is the function that makes a projection agree with its sources again, or
	// "verify" for `hibana verify --repair`; empty for a collection that nothing makes again.
	RebuiltBy string
	Bound     Bound
}

// Kind says what the documents of a collection are.
type Kind string

// All kinds.
const (
	KindSource     Kind = "source"     // what people did, said or chose: nothing computes it
	KindProjection Kind = "projection" // follows from sources alone: functions write it, and can make it again
	KindWork       Kind = "work"       // asks for work, and keeps how far the work is
	KindLog        Kind = "log"        // what happened: written once, or until its record is complete
)

// Owner is one way in which documents of a collection belong to a person.
type Owner struct {
	By   By
	What string // which documents of the collection, if there are others of the person
	// Erase is the place in a pass of an account deletion, in ascending order; 0 if the
	// deletion does not look for the documents.
	Erase int
	// Export is the section of an export that has the documents; none if its name is empty.
	Export Section
}

// By says how documents of a person are found: it is the field that holds the uid, or one of the
// constants.
type By string

// Other ways than a field.
const (
	ByKey    By = "{uid}"       // the uid is the document's id
	ByPrefix By = "{uid}_"      // the id is a composite key that begins with the uid
	ByParent By = "users/{uid}" // the documents are below the user's
	ByCode   By = "{code}"      // the package that looks for the documents knows how
)

// Field returns the field that holds the uid; empty if no field does.
func (b By) Field() string {
	if strings.Contains(string(b), "{") {
		return ""
	}
	return string(b)
}

// Section is a section of an export. Of the rows that share a section, one has its order and text.
type Section struct {
	Name  string // names its files
	Order int    // its place in an export, in ascending order
	Text  string // what it has, for people who read about exports
}

// TTL says when documents expire: expireAt is their field then, and a TTL policy deletes them.
type TTL struct {
	After time.Duration // 0 for documents that stay
	Of    string        // which documents expire, or from when on, if it is not simply so long after they were written
}

// Access says who may read documents with the Firebase SDK, under firestore.rules. Nobody may
// write, and the API goes round the rules.
type Access string

// All classes of access.
const (
	AccessNobody     Access = "nobody"
	AccessOwner      Access = "owner"                // the person whom the path names, one document at a time
	AccessOwnerLists Access = "owner, in lists, too" // the same, and short lists
	AccessViewers    Access = "viewers"              // who may see the tweet, one document at a time
)

// Bound is how large a document can be, with uids of 128 characters.
type Bound struct {
	Bytes, Entries int    // of the largest document, and its entries in single-field indexes
	Why            string // what keeps it
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

// Group tells whether the documents are below other documents than a user's, so that a query of
// them all asks for a collection group.
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
	{"discovery", "Discovery", discoveryCollections},
	{"shop", "Shop", shopCollections},
	{"moderation", "Moderation", moderationCollections},
	{"accounts", "Accounts: exports, deletion and limits", accountCollections},
	{"counters", "Counters", counterCollections},
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

// Erased lists what an account deletion removes, in the order of a pass.
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

// Exported is a section with what it is made of: one way to find documents, or, for a section of
// several collections, one of each.
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
