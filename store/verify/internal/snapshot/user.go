package snapshot

import (
	"context"
	"slices"
	"sync"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// User is one user's sources of truth and projections, at one moment.
type User struct {
	ID   model.UserID
	User *Counted[model.User] // nil without a profile

	Profile *model.User // the profile as computed from its nickname and its introduction; nil without a profile or details

	// usernames that the user has or should have; the value is the owner of the reservation
	Names   map[string]model.UserID
	Tweets  map[model.TweetID]*Counted[model.Tweet]
	Written map[model.TweetID]*model.Tweet // the tweets as computed from their texts; no tweet without a text
	// digests of the documents by which searches find the user's tweets, see discovery.Digest
	Found map[model.TweetID]any
	// the same as computed from the texts; no tweet that no search finds
	Wanted    map[model.TweetID]any
	TagUsages map[string]*Counted[model.TagUsage] // by document id; missing documents of the tweets' tags too
	Replies   []*model.Tweet                      // to the user's tweets, by all authors
	Quotes    []*model.Tweet                      // of the user's tweets, by all authors
	Mentions  []*model.Tweet                      // that mention the user, who is notified
	Liked     []model.Reaction                    // of the user's tweets, also of tweets that are gone
	Shared    []model.Reaction                    // of the user's tweets, also of tweets that are gone
	Kept      []model.Reaction                    // bookmarks of the user's tweets, also of tweets that are gone
	// number of revisions of the user's tweets, also of tweets that are gone
	Revised            map[model.TweetID]int
	Likes              []model.Like     // by the user
	Done               []model.Share    // by the user
	Keeps              []model.Bookmark // by the user
	Followers          []model.Relationship
	Following          []model.Relationship
	Requests           []model.FollowRequest     // to follow the user
	NotificationEvents []model.NotificationEvent // that the user is notified of
	// those posts that the events tell the user of as a subscriber and that still tell subscribers, by the events' ids
	ToldPosts       map[string]bool
	Choice          model.NotificationChoice
	Filtered        model.NotificationRequests // what the policy filtered
	Blocked         map[model.UserID]bool      // users whom the user blocks, or who block the user
	Blocks          map[model.UserID]bool      // users whom the user blocks
	BlockedBy       map[model.UserID]bool      // users who block the user
	Mutes           []model.MutedSharer        // by the user
	Muted           []model.MutedUser          // by the user
	Filters         model.Filters
	FollowedTags    model.FollowedTags
	Exclusive       map[string][]model.UserID // the members of the user's exclusive lists
	Viewer          model.ViewerGraph
	HasViewer       bool
	FollowerList    model.FollowerList
	HasFollowerList bool

	Months        Months
	ShareMonths   map[string]model.ShareMonth // by document id, overflow documents too, but none that no month lists
	Head          model.Head
	HasHead       bool
	Reactions     map[string]model.ReactionMonth // by document id
	Notifications map[string]*Notification       // by id
	Newest        model.NotificationList         // the newest list of notifications
	ListedDays    map[string]ListedDay           // the days that left it
	Earlier       []string                       // ids of notifications with documents of an earlier version
}

// BlockWith reports whether the user and another have a block, in either direction.
func (u *User) BlockWith(other model.UserID) bool { return u.Blocks[other] || u.BlockedBy[other] }

// User reads the sources of truth and projections of one user, at one moment. It is for operators, because it reads
// without a limit.
//
// Cost: 1 read a source document and projection of the user.
func (r *Reader) User(ctx context.Context, uid model.UserID) (_ *User, err error) {
	defer errs.Wrap(&err, "snapshot.User(%q)", uid)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	u := &User{
		ID: uid, Names: map[string]model.UserID{}, Tweets: map[model.TweetID]*Counted[model.Tweet]{},
		Written: map[model.TweetID]*model.Tweet{},
		Found:   map[model.TweetID]any{}, Wanted: map[model.TweetID]any{}, TagUsages: map[string]*Counted[model.TagUsage]{},
		Revised: map[model.TweetID]int{},
		Months:  newMonths(), ShareMonths: map[string]model.ShareMonth{},
		Reactions: map[string]model.ReactionMonth{}, Notifications: map[string]*Notification{},
		ListedDays: map[string]ListedDay{}, ToldPosts: map[string]bool{},
		Blocked: map[model.UserID]bool{}, Blocks: map[model.UserID]bool{},
		BlockedBy: map[model.UserID]bool{},
	}
	where := func(collection, field string) firestore.Query {
		return r.db.Client.Collection(collection).Where(field, "==", uid)
	}
	after := ctx // the context of g ends with g
	g, ctx := safely.WithContext(ctx)
	g.Go(func() error { return m.profile(ctx, u) })
	g.Go(func() error {
		return each(ctx, m, r.buckets(model.TagUsages, uid), func(snap *firestore.DocumentSnapshot, _ *model.TagUsage) error {
			c, err := readCounted[model.TagUsage](ctx, m, snap)
			u.TagUsages[snap.Ref.ID] = c
			return err
		})
	})
	g.Go(func() error {
		return each(ctx, m, where(model.Tweets, "authorId"), func(snap *firestore.DocumentSnapshot, _ *model.Tweet) error {
			c, err := readCounted[model.Tweet](ctx, m, snap)
			if err == nil {
				c.Doc.ID = model.TweetID(snap.Ref.ID)
				u.Tweets[c.Doc.ID] = c
			}
			return err
		})
	})
	g.Go(func() error {
		return each(ctx, m, where(model.Tweets, "replyToAuthorId"), func(snap *firestore.DocumentSnapshot,
			t *model.Tweet) error {
			t.ID = model.TweetID(snap.Ref.ID)
			u.Replies = append(u.Replies, t)
			return nil
		})
	})
	g.Go(func() error {
		return each(ctx, m, where(model.Tweets, "quoteOfAuthorId"), func(snap *firestore.DocumentSnapshot,
			t *model.Tweet) error {
			t.ID = model.TweetID(snap.Ref.ID)
			u.Quotes = append(u.Quotes, t)
			return nil
		})
	})
	g.Go(func() error {
		q := r.db.Client.Collection(model.Tweets).OrderByPath(firestore.FieldPath{fields.Mentions, string(uid)},
			firestore.Desc)
		return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, t *model.Tweet) error {
			if t.ID = model.TweetID(snap.Ref.ID); slices.Contains(t.Mentioned(nil), uid) {
				u.Mentions = append(u.Mentions, t)
			}
			return nil
		})
	})
	g.Go(func() error { return list(ctx, m, where(model.Likes, "authorId"), &u.Liked) })
	g.Go(func() error { return list(ctx, m, where(model.Shares, "authorId"), &u.Shared) })
	g.Go(func() error { return list(ctx, m, where(model.Bookmarks, "authorId"), &u.Kept) })
	g.Go(func() error {
		q := r.db.Client.CollectionGroup(model.Revisions).Where(fields.AuthorID, "==", uid).Select()
		return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, _ *struct{}) error {
			u.Revised[model.TweetID(snap.Ref.Parent.Parent.ID)]++
			return nil
		})
	})
	g.Go(func() error {
		return each(ctx, m, where(model.SearchDocs, "authorId"), func(snap *firestore.DocumentSnapshot,
			d *model.SearchDoc) error {
			if _, id, ok := model.SearchPosition(snap.Ref.ID); ok {
				u.Found[id] = discovery.Digest(d)
			}
			return nil
		})
	})
	g.Go(func() error { return list(ctx, m, where(model.Likes, "userId"), &u.Likes) })
	g.Go(func() error { return list(ctx, m, where(model.Shares, "userId"), &u.Done) })
	g.Go(func() error { return list(ctx, m, where(model.Bookmarks, "userId"), &u.Keeps) })
	g.Go(func() error { return m.shareMonths(ctx, u) })
	g.Go(func() error { return list(ctx, m, where(model.Relationships, "followedId"), &u.Followers) })
	g.Go(func() error { return list(ctx, m, where(model.Relationships, "followerId"), &u.Following) })
	g.Go(func() error { return list(ctx, m, where(model.MutedSharers, "userId"), &u.Mutes) })
	g.Go(func() error { return list(ctx, m, where(model.MutedUsers, "userId"), &u.Muted) })
	g.Go(func() error {
		filters, err := db.As[model.Filters](m.get(ctx, r.db.UserFilters(uid)))
		u.Filters = filters.Doc
		return err
	})
	g.Go(func() error {
		tags, err := db.As[model.FollowedTags](m.get(ctx, r.db.FollowedTags(uid)))
		u.FollowedTags = tags.Doc
		return err
	})
	g.Go(func() error {
		q := r.db.Keyed(model.Lists, uid).Where(fields.Exclusive, "==", true)
		return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, l *model.PeopleList) error {
			if u.Exclusive == nil {
				u.Exclusive = map[string][]model.UserID{}
			}
			u.Exclusive[model.ListID(snap.Ref.ID)] = l.Members
			return nil
		})
	})
	g.Go(func() error {
		viewer, err := db.As[model.ViewerGraph](m.get(ctx, r.db.Viewer(uid)))
		u.Viewer, u.HasViewer = viewer.Doc, viewer.Found
		return err
	})
	g.Go(func() error {
		followers, err := db.As[model.FollowerList](m.get(ctx, r.db.FollowerList(uid)))
		u.FollowerList, u.HasFollowerList = followers.Doc, followers.Found
		return err
	})
	g.Go(func() error { return list(ctx, m, where(model.FollowRequests, "followedId"), &u.Requests) })
	g.Go(func() error {
		return m.notificationEvents(ctx, uid, &u.NotificationEvents)
	})
	g.Go(func() error {
		choice, err := db.As[model.NotificationChoice](m.get(ctx, r.db.NotificationSettings(uid)))
		u.Choice = choice.Doc
		return err
	})
	g.Go(func() error {
		filtered, err := db.As[model.NotificationRequests](m.get(ctx, r.db.NotificationRequests(uid)))
		u.Filtered = filtered.Doc
		return err
	})
	g.Go(func() error {
		var blocks []model.Block
		for _, field := range []string{"blockerId", "blockeeId"} {
			if err := list(ctx, m, where(model.Blocks, field), &blocks); err != nil {
				return err
			}
		}
		for _, b := range blocks {
			u.Blocked[b.BlockerID], u.Blocked[b.BlockeeID] = true, true
			if b.BlockerID == u.ID {
				u.Blocks[b.BlockeeID] = true
			} else {
				u.BlockedBy[b.BlockerID] = true
			}
		}
		return nil
	})
	g.Go(func() error { return m.months(ctx, uid, u.Months) })
	g.Go(func() error {
		return each(ctx, m, r.buckets(model.Reactions, uid), func(snap *firestore.DocumentSnapshot,
			month *model.ReactionMonth) error {
			u.Reactions[snap.Ref.ID] = *month
			return nil
		})
	})
	g.Go(func() error {
		head, err := db.As[model.Head](m.get(ctx, r.db.Head(uid)))
		u.Head, u.HasHead = head.Doc, head.Found
		return err
	})
	g.Go(func() error { return m.notifications(ctx, u) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if err := m.written(after, u.Tweets, u.Written, u.Wanted); err != nil {
		return nil, err
	}
	if err := m.toldPosts(after, u); err != nil {
		return nil, err
	}
	return u, m.missingTagUsages(after, u)
}

// textsAtOnce is how many texts of tweets are read concurrently.
const textsAtOnce = 16

// written computes tweets and their search documents from the texts of the tweets. No text is kept, because many are
// long.
//
// Cost: 1 read of each tweet's text.
func (m moment) written(ctx context.Context, tweets map[model.TweetID]*Counted[model.Tweet],
	to map[model.TweetID]*model.Tweet, searched map[model.TweetID]any) error {
	var mu sync.Mutex
	g, ctx := safely.WithContext(ctx)
	g.SetLimit(textsAtOnce)
	for id, t := range tweets {
		g.Go(func() error {
			d, err := db.As[model.TweetDetail](m.get(ctx, m.r.db.Doc(model.TweetDetails, string(id))))
			if err != nil || !d.Found {
				return err
			}
			is, digest := t.Doc.FromText(d.Doc), discovery.Digest(discovery.DocOf(&t.Doc, d.Doc.Content))
			mu.Lock()
			defer mu.Unlock()
			if to[id] = is; digest != nil {
				searched[id] = digest
			}
			return nil
		})
	}
	return g.Wait()
}

// missingTagUsages reads the missing tag usages of tags that a tweet has.
//
// Cost: 1 read of each, and 1 read a shard, at least 1.
func (m moment) missingTagUsages(ctx context.Context, u *User) error {
	for _, t := range u.Tweets {
		for tag := range t.Doc.Tags {
			ref := m.r.db.TagUsage(u.ID, tag)
			if u.TagUsages[ref.ID] != nil {
				continue
			}
			snap, err := m.get(ctx, ref)
			if err != nil {
				return err
			}
			if u.TagUsages[ref.ID], err = readCounted[model.TagUsage](ctx, m, snap); err != nil {
				return err
			}
		}
	}
	return nil
}

// profile reads a user's profile, and the usernames that are reserved, or should be reserved, for the user.
func (m moment) profile(ctx context.Context, u *User) error {
	snap, err := m.get(ctx, m.r.db.Doc(model.Users, string(u.ID)))
	if err != nil {
		return err
	}
	if snap.Exists() {
		if u.User, err = readCounted[model.User](ctx, m, snap); err != nil {
			return err
		}
		u.User.Doc.ID = u.ID
		details, err := db.As[model.UserDetail](m.get(ctx, m.r.db.Doc(model.UserDetails, string(u.ID))))
		if err != nil {
			return err
		}
		if details.Found {
			profile := u.User.Doc.FromSources(details.Doc)
			u.Profile = &profile
		}
		name, err := db.As[model.Username](m.get(ctx, m.r.db.Doc(model.Usernames, u.User.Doc.Username)))
		if err != nil {
			return err
		}
		if name.Found {
			u.Names[u.User.Doc.Username] = name.Doc.UID
		}
	}
	q := m.r.db.Client.Collection(model.Usernames).Where(fields.UID, "==", u.ID)
	return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, name *model.Username) error {
		u.Names[snap.Ref.ID] = name.UID
		return nil
	})
}
