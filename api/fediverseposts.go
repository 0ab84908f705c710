package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// fediversePost answers a post: a Note, or a Question. One that was deleted, and of which everybody may know, is a
// Tombstone.
//
// Cost: that of publicTweet; 1 read for a poll; 1 for each mentioned user whose profile is not cached, at most 11; that
// of publicTweet for a quoted post.
func (s *service) fediversePost(ctx context.Context, in *FediversePost) (*fediverseAnswer, error) {
	t, u, err := s.publicTweet(ctx, in.ID)
	if at, gone := deleted(err); gone {
		return answered(http.StatusGone, activitypub.Tombstone{Context: activitypub.Context,
			ID: s.fediverse().Post(model.TweetID(in.ID)), Type: "Tombstone", Deleted: activitypub.Time(at)})
	}
	if err != nil {
		return nil, err
	}
	p, err := s.noteOf(ctx, t, u)
	if err != nil {
		return nil, err
	}
	p.Context = activitypub.Context
	return answered(http.StatusOK, p)
}

// postActivity answers the activity by which a public post was made.
//
// Cost: that of publicTweet.
func (s *service) postActivity(ctx context.Context, in *FediversePost) (*fediverseAnswer, error) {
	t, u, err := s.publicTweet(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if visibilityOf(t.Visibility) != string(model.Public) {
		return nil, model.NoTweet(t.ID)
	}
	a := s.creation(u.ID, t.ID)
	a.Context = activitypub.Context
	return answered(http.StatusOK, a)
}

// noteOf is a post that everybody may see.
func (s *service) noteOf(ctx context.Context, t *tweets.FullTweet, u *model.User) (*activitypub.Post, error) {
	site, id := s.fediverse(), s.fediverse().Post(t.ID)
	p := &activitypub.Post{ID: id, Type: "Note", AttributedTo: site.User(u.ID), URL: s.site().Post(u.Username, t.ID),
		Published: activitypub.Time(t.CreatedAt), Summary: t.Summary, Sensitive: t.Summary != "",
		Tag: []activitypub.Tag{}, Attachment: s.fediverseMedia(t),
		Replies: &activitypub.Collection{ID: fediverse.Of(id, "replies"), Type: "OrderedCollection",
			TotalItems: &t.ReplyCount, First: fediverse.Of(id, "replies") + "?page=true"},
		Likes:  &activitypub.Collection{ID: fediverse.Of(id, "likes"), Type: "Collection", TotalItems: &t.LikeCount},
		Shares: &activitypub.Collection{ID: fediverse.Of(id, "shares"), Type: "Collection", TotalItems: &t.ShareCount}}
	if t.UpdatedAt != nil {
		p.Updated = activitypub.Time(*t.UpdatedAt)
	}
	if t.ReplyTo != nil {
		p.InReplyTo = site.Post(*t.ReplyTo)
	}
	users, err := s.addressed(ctx, t)
	if err != nil {
		return nil, err
	}
	s.address(p, t, u, users)
	if t.QuoteOf != "" {
		switch _, _, err := s.publicTweet(ctx, string(t.QuoteOf)); errs.KindOf(err) {
		case errs.NotFound, errs.Gone, errs.Forbidden: // its address says nothing to those who cannot see it
		default:
			if err != nil {
				return nil, err
			}
			p.Quote = site.Post(t.QuoteOf)
			p.QuoteURL, p.QuoteURI, p.MisskeyQuote = p.Quote, p.Quote, p.Quote
		}
	}
	if t.Poll != nil {
		is, err := s.Polls.Of(ctx, model.Viewer{}, t.Tweet)
		if err != nil {
			return nil, err
		}
		ask(p, is)
	}
	return p, nil
}

// addressed returns the users whom a post mentions or answers, without those who are gone, by uid.
func (s *service) addressed(ctx context.Context, t *tweets.FullTweet) (map[model.UserID]*model.User, error) {
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
	return s.Users.Listed(ctx, uids)
}

// address sets the recipients, the tags and the text of a post.
func (s *service) address(p *activitypub.Post, t *tweets.FullTweet, by *model.User,
	users map[model.UserID]*model.User) {
	site := s.fediverse()
	followers := fediverse.Of(site.User(by.ID), "followers")
	p.To, p.CC = []string{activitypub.Public}, []string{followers}
	if visibilityOf(t.Visibility) == string(model.Unlisted) {
		p.To, p.CC = p.CC, p.To
	}
	pages := map[model.UserID]string{}
	uids := make([]model.UserID, 0, len(users))
	for uid, u := range users {
		if u != nil {
			uids = append(uids, uid)
			pages[uid] = s.site().Profile(u.Username)
		}
	}
	slices.Sort(uids) // the same post has the same bytes
	for _, uid := range uids {
		p.CC = append(p.CC, site.User(uid))
		p.Tag = append(p.Tag, activitypub.Tag{Type: "Mention", Href: site.User(uid),
			Name: "@" + site.Name(users[uid].Username) + "@" + site.HandleDomain()})
	}
	for _, tag := range t.TagNames() {
		label := tag
		if typed := t.TagLabels[tag]; typed != "" {
			label = typed
		}
		p.Tag = append(p.Tag, activitypub.Tag{Type: "Hashtag", Href: site.Tag(tag), Name: "#" + label})
	}
	p.Content = site.HTML(htmlTexts.HTML(t), pages)
	if t.Language != "" && t.Language != model.Undetermined {
		p.ContentMap = map[string]string{t.Language: p.Content}
	}
}

// fediverseMedia are the pictures and the video of a post.
func (s *service) fediverseMedia(t *tweets.FullTweet) []activitypub.Media {
	all, text := []activitypub.Media{}, t.Detail()
	for _, m := range t.Media {
		urls := s.Media.Addresses(m, t.Visibility, false)
		// A picture with transparent parts is PNG; readers learn that from the answer, and need to know here that it is a
		// picture.
		size, kind := model.SizeLarge, "image/jpeg"
		switch {
		case m.Type == model.MediaVideo:
			size, kind = model.SizeOriginal, "video/mp4"
		case m.Animated:
			size, kind = model.SizeOriginal, "image/gif"
		}
		all = append(all, activitypub.Media{Type: "Document", MediaType: kind, URL: s.fediverseAddress(urls[size]),
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

// postReplies answers the replies of a post that everybody may see, oldest first, by address.
//
// Cost: that of publicTweet; for a page that of [tweets.Store.Replies], 20 reads at most.
func (s *service) postReplies(ctx context.Context, in *fediversePostPage) (*fediverseAnswer, error) {
	t, _, err := s.publicTweet(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	site := s.fediverse()
	return listOf(s, fediverse.Of(site.Post(t.ID), "replies"), in.Page, t.ReplyCount, false,
		func(from model.Cursor) (items []any, next model.Cursor, err error) {
			found, err := s.Tweets.Replies(ctx, t.ID, from, fediversePage)
			if err != nil {
				return nil, next, err
			}
			visible, _, err := s.Tweets.Visible(ctx, model.Viewer{}, found.Items)
			if err != nil {
				return nil, next, err
			}
			uids := make([]model.UserID, 0, len(found.Items))
			for _, r := range found.Items {
				uids = append(uids, r.AuthorID)
			}
			slices.Sort(uids)
			authors, err := s.Users.Listed(ctx, slices.Compact(uids))
			for _, r := range found.Items {
				// A post of a locked user has no document of its own.
				if by := authors[r.AuthorID]; visible[r.ID] && by != nil && !by.Locked {
					items = append(items, site.Post(r.ID))
				}
			}
			return items, found.Next, err
		})
}

// postCount answers how many users liked or shared a post, and not who.
//
// Cost: that of publicTweet.
func (s *service) postCount(ctx context.Context, in *FediversePost, part string,
	count func(*model.Tweet) int64) (*fediverseAnswer, error) {
	t, _, err := s.publicTweet(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	total := count(t.Tweet)
	return answered(http.StatusOK, activitypub.Collection{Context: activitypub.Context,
		ID: fediverse.Of(s.fediverse().Post(t.ID), part), Type: "Collection", TotalItems: &total})
}
