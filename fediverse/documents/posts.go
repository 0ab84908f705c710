package documents

import (
	"cmp"
	"context"
	"html"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// ShownUser returns a user whom a signed-out reader may see. An unknown user is errs.NotFound, and so is one whom
// moderators froze or suspended.
//
// Cost: 1 read, and 1 if the profile is not cached.
func (d *Documents) ShownUser(ctx context.Context, uid model.UserID) (*model.User, error) {
	users, err := d.o.Users.Listed(ctx, []model.UserID{uid})
	if err != nil {
		return nil, err
	}
	if users[uid] == nil {
		return nil, model.NoUser(uid)
	}
	is, err := d.o.Moderation.AccountStatus(ctx, uid)
	if err == nil && is.State != model.AccountStatusFree {
		err = model.NoUser(uid)
	}
	return users[uid], err
}

// PublicTweet returns a tweet that everybody may see, with its author. One that is not there, or that not everybody may
// see, is an error of [tweets.Store.Tweet]; one of a user whom [Documents.ShownUser] does not show, or who is locked,
// is
// errs.NotFound.
//
// Cost: that of [tweets.Store.Tweet] and of ShownUser.
func (d *Documents) PublicTweet(ctx context.Context, id model.TweetID) (*tweets.FullTweet, *model.User, error) {
	t, err := d.o.Tweets.Tweet(ctx, id, model.Viewer{})
	if err != nil {
		return nil, nil, err
	}
	u, err := d.ShownUser(ctx, t.AuthorID)
	if err == nil && u.Locked {
		err = model.NoUser(u.ID)
	}
	return t, u, err
}

// Creation is the activity by which a user made a post, with its recipients. object is the post, or its address.
func (d *Documents) Creation(by model.UserID, id model.TweetID, to, cc []string, object any) activitypub.Activity {
	post := d.o.Site.Post(id)
	return activitypub.Activity{ID: fediverse.Of(post, "activity"), Type: "Create", Actor: d.o.Site.User(by),
		Published: activitypub.Time(id.Time()), To: to, CC: cc, Object: object}
}

// PublicCreation is [Documents.Creation] of a public post by address.
func (d *Documents) PublicCreation(by model.UserID, id model.TweetID) activitypub.Activity {
	return d.Creation(by, id, []string{activitypub.Public}, []string{fediverse.Of(d.o.Site.User(by), "followers")},
		d.o.Site.Post(id))
}

// Tombstone is what is left of a post; at is zero if nobody knows since when.
func (d *Documents) Tombstone(id model.TweetID, at time.Time) activitypub.Tombstone {
	return activitypub.Tombstone{ID: d.o.Site.Post(id), Type: "Tombstone", Deleted: activitypub.Time(at)}
}

// Post is a post of this installation, for its recipients: a Note, or a Question. The caller decides who may have it.
//
// Cost: 1 read for a poll; 1 for each user who is addressed and whose profile is not cached, at most 11; 1 for an
// answered post of another server; that of PublicTweet for a quoted post.
func (d *Documents) Post(ctx context.Context, t *tweets.FullTweet, by *model.User) (*activitypub.Post, error) {
	id := d.o.Site.Post(t.ID)
	p := &activitypub.Post{ID: id, Type: "Note", AttributedTo: d.o.Site.User(by.ID),
		URL: d.profile(by) + "/" + string(t.ID), Published: activitypub.Time(t.CreatedAt), Summary: t.Summary,
		Sensitive: t.Summary != "", Tag: []activitypub.Tag{}, Attachment: d.media(t),
		Replies: &activitypub.Collection{ID: fediverse.Of(id, "replies"), Type: "OrderedCollection",
			TotalItems: &t.ReplyCount, First: fediverse.Of(id, "replies") + "?page=true"},
		Likes:  &activitypub.Collection{ID: fediverse.Of(id, "likes"), Type: "Collection", TotalItems: &t.LikeCount},
		Shares: &activitypub.Collection{ID: fediverse.Of(id, "shares"), Type: "Collection", TotalItems: &t.ShareCount}}
	if t.UpdatedAt != nil {
		p.Updated = activitypub.Time(*t.UpdatedAt)
	}
	var err error
	if t.ReplyTo != nil {
		if p.InReplyTo, err = d.TweetIRIOf(ctx, *t.ReplyTo, t.ReplyToAuthorID); err != nil {
			return nil, err
		}
	}
	users, err := d.Addressed(ctx, t.Tweet)
	if err != nil {
		return nil, err
	}
	d.addressTo(p, t, by, users)
	if t.QuoteOf != "" {
		quoted, _, err := d.PublicTweet(ctx, t.QuoteOf)
		switch errs.KindOf(err) {
		case errs.NotFound, errs.Gone, errs.Forbidden: // its address says nothing to those who cannot see it
		default:
			if err != nil {
				return nil, err
			}
			p.Quote = d.TweetIRI(quoted.Tweet)
			p.QuoteURL, p.QuoteURI, p.MisskeyQuote = p.Quote, p.Quote, p.Quote
		}
	}
	if t.Poll != nil {
		is, err := d.o.Polls.Of(ctx, model.Viewer{}, t.Tweet)
		if err != nil {
			return nil, err
		}
		ask(p, is)
	}
	return p, nil
}

// Addressed returns the users whom a post mentions or answers, without those who are gone, by uid.
//
// Cost: 1 read for each whose profile is not cached.
func (d *Documents) Addressed(ctx context.Context, t *model.Tweet) (map[model.UserID]*model.User, error) {
	var uids []model.UserID
	for uid := range t.Mentions {
		uids = append(uids, model.UserID(uid))
	}
	if t.Answers() && !slices.Contains(uids, t.ReplyToAuthorID) {
		uids = append(uids, t.ReplyToAuthorID)
	}
	if len(uids) == 0 {
		return nil, nil
	}
	return d.o.Users.Listed(ctx, uids)
}

// Recipients are the addresses of those whom a post is for. addressed are the users whom it mentions or answers. Of a
// locked user followers alone get what would be for everybody, as here.
func (d *Documents) Recipients(a model.Audience, by *model.User, addressed []string) (to, cc []string) {
	followers := fediverse.Of(d.o.Site.User(by.ID), "followers")
	if a = cmp.Or(a, model.Public); by.Locked && a != model.Mentioned {
		a = model.Followers
	}
	switch a {
	case model.Mentioned:
		return append([]string{}, addressed...), []string{}
	case model.Followers:
		return []string{followers}, append([]string{}, addressed...)
	case model.Unlisted:
		return []string{followers}, append([]string{activitypub.Public}, addressed...)
	default:
		return []string{activitypub.Public}, append([]string{followers}, addressed...)
	}
}

// addressTo sets the recipients, the tags and the text of a post.
func (d *Documents) addressTo(p *activitypub.Post, t *tweets.FullTweet, by *model.User,
	users map[model.UserID]*model.User) {
	site := d.o.Site
	pages := map[model.UserID]string{}
	uids := make([]model.UserID, 0, len(users))
	for uid, u := range users {
		if u != nil {
			uids = append(uids, uid)
			pages[uid] = html.EscapeString(d.profile(u))
		}
	}
	slices.Sort(uids) // the same post has the same bytes
	addressed := make([]string, len(uids))
	for i, uid := range uids {
		addressed[i] = d.UserIRI(users[uid])
		p.Tag = append(p.Tag, activitypub.Tag{Type: "Mention", Href: addressed[i], Name: d.Handle(users[uid])})
	}
	p.To, p.CC = d.Recipients(t.Visibility, by, addressed)
	for _, tag := range t.TagNames() {
		label := tag
		if typed := t.TagLabels[tag]; typed != "" {
			label = typed
		}
		p.Tag = append(p.Tag, activitypub.Tag{Type: "Hashtag", Href: site.Tag(tag), Name: "#" + label})
	}
	p.Content = site.HTML(d.o.Texts.HTML(t), pages)
	if t.Language != "" && t.Language != model.Undetermined {
		p.ContentMap = map[string]string{t.Language: p.Content}
	}
}

// media are the pictures and the video of a post.
func (d *Documents) media(t *tweets.FullTweet) []activitypub.Media {
	all, text := []activitypub.Media{}, t.Detail()
	for _, m := range t.Media {
		urls := d.o.Media.Addresses(m, t.Visibility, false)
		// A picture with transparent parts is PNG; readers learn that from the answer, and need to know here that it is a
		// picture.
		size, kind := model.SizeLarge, "image/jpeg"
		switch {
		case m.Type == model.MediaVideo:
			size, kind = model.SizeOriginal, "video/mp4"
		case m.Animated:
			size, kind = model.SizeOriginal, "image/gif"
		}
		all = append(all, activitypub.Media{Type: "Document", MediaType: kind, URL: d.address(urls[size]),
			Name: text.AltOf(m), Width: m.Width, Height: m.Height, Blurhash: m.Blurhash})
	}
	return all
}

// ask makes a post a question. Votes that nobody may see yet are left out.
func ask(p *activitypub.Post, is *tweets.PollResult) {
	p.Type, p.EndTime = "Question", activitypub.Time(is.ClosesAt)
	if is.Closed {
		p.Closed = p.EndTime
	}
	voters := int64(0)
	for i, text := range is.Options {
		o := activitypub.Option{Type: "Note", Name: text}
		if is.Votes != nil {
			o.Replies = &activitypub.Collection{Type: "Collection", TotalItems: &is.Votes[i]}
			voters += is.Votes[i]
		}
		p.OneOf = append(p.OneOf, o)
	}
	if is.Votes != nil {
		p.VotersCount = &voters // everybody has one vote
	}
}
