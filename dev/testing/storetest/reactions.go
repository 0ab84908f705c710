package storetest

import "github.com/hibana-sns/hibana/model"

// Reaction makes a like, share or bookmark.
func Reaction(kind model.ReactionKind, r model.Reaction) model.AnyReaction {
	switch kind {
	case model.ReactionLike:
		return model.Like{UserID: r.UserID, TweetID: r.TweetID, AuthorID: r.AuthorID, CreatedAt: r.CreatedAt}
	case model.ReactionShare:
		return model.Share{UserID: r.UserID, TweetID: r.TweetID, AuthorID: r.AuthorID, CreatedAt: r.CreatedAt}
	case model.ReactionBookmark:
		return model.Bookmark(r)
	default:
		panic("storetest: no reaction has the kind " + string(kind))
	}
}
