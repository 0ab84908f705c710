package model

import (
	"errors"
	"fmt"
)

// A document that starts functions has a method Complete, which checks the ids that every document of its type has. id
// is the document's own. An incomplete document was written by a program that does not know the type.

// errNoID marks a document without an id.
var errNoID = errors.New("an id is missing")

// given checks that ids are not empty.
func given[ID ~string](ids ...ID) error {
	for _, id := range ids {
		if id == "" {
			return errNoID
		}
	}
	return nil
}

// tweetsGiven checks ids of tweets.
func tweetsGiven(ids ...TweetID) error {
	for _, id := range ids {
		if _, err := ParseTweetID(string(id)); err != nil {
			return err
		}
	}
	return nil
}

// Complete checks the ids of both users.
func (r *Relationship) Complete(string) error { return given(r.FollowerID, r.FollowedID) }

// Complete checks the ids of both users.
func (r *FollowRequest) Complete(string) error { return given(r.FollowerID, r.FollowedID) }

// Complete checks the ids of both users.
func (b *Block) Complete(string) error { return given(b.BlockerID, b.BlockeeID) }

// Complete checks the ids of the users and of the tweet.
func (l *Like) Complete(string) error {
	if err := given(l.UserID, l.AuthorID); err != nil {
		return err
	}
	return tweetsGiven(l.TweetID)
}

// Complete checks the ids of the users, of the tweet, and of the share if it has one.
func (s *Share) Complete(string) error {
	if err := given(s.UserID, s.AuthorID); err != nil {
		return err
	}
	if s.ShareID != "" {
		return tweetsGiven(s.TweetID, s.ShareID)
	}
	return tweetsGiven(s.TweetID)
}

// Complete checks the option, and the ids of the users and the tweet.
func (v *Vote) Complete(string) error {
	if v.Option < 1 || v.Option > MaxPollOptions {
		return fmt.Errorf("no poll has an option %d", v.Option)
	}
	if err := given(v.UserID, v.AuthorID); err != nil {
		return err
	}
	return tweetsGiven(v.TweetID)
}

// Complete checks the ids of the tweet, of its author, of the tweets that it answers and quotes, and of their authors.
func (t *Tweet) Complete(id string) error {
	users, tweets := []UserID{t.AuthorID}, []TweetID{TweetID(id)}
	if t.ReplyTo != nil {
		users, tweets = append(users, t.ReplyToAuthorID), append(tweets, *t.ReplyTo)
	}
	if t.QuoteOf != "" {
		users, tweets = append(users, t.QuoteOfAuthorID), append(tweets, t.QuoteOf)
	}
	if err := given(users...); err != nil {
		return err
	}
	return tweetsGiven(tweets...)
}

// Complete checks the ids of the quote, of the quoted tweet, and of their authors.
func (w *QuoteWithdrawal) Complete(id string) error {
	if err := given(w.AuthorID, w.QuoteOfAuthorID); err != nil {
		return err
	}
	return tweetsGiven(TweetID(id), w.QuoteOf)
}

// Complete checks the id of the author.
func (r *Revision) Complete(string) error { return given(r.AuthorID) }

// Complete checks that the work names a document.
func (w *RollUpWork) Complete(string) error { return given(w.Collection, w.ID) }

// Complete checks that the record names a document.
func (r *ClaimedRollUp) Complete(string) error { return given(r.Collection, r.ID) }

// Complete checks that the work names a bucket.
func (w *OverflowWork) Complete(string) error { return given(w.Collection, w.Bucket) }

// Complete checks that the work names a partition.
func (w *FlushWork) Complete(string) error { return given(w.Partition) }

// Complete checks the id of the user.
func (w *PropagationWork) Complete(string) error { return given(w.UserID) }

// Complete checks the id of the user.
func (w *DeletionWork) Complete(string) error { return given(w.UserID) }

// Complete checks the ids of the tweet and its author.
func (w *PostRun) Complete(string) error {
	if err := given(w.AuthorID); err != nil {
		return err
	}
	return tweetsGiven(w.TweetID)
}

// Complete checks the id of the user, and that of the export.
func (w *ExportWork) Complete(string) error { return given(string(w.UserID), w.ID) }

// Complete checks the id of the product.
func (w *StockWork) Complete(string) error {
	_, err := ParseProductID(string(w.ProductID))
	return err
}

// Complete checks the number of reserved items, and the id of the user.
func (o *Order) Complete(string) error {
	if o.Taken < 0 || o.Taken > len(o.Items) {
		return fmt.Errorf("an order of %d items has taken %d", len(o.Items), o.Taken)
	}
	return given(o.UserID)
}

// Complete checks the id of the owner, and that of the record.
func (m *Media) Complete(id string) error {
	if _, err := ParseMediaID(id); err != nil {
		return err
	}
	return given(m.OwnerID)
}

// Complete checks the id of the tweet.
func (w *CleanUpWork) Complete(string) error { return tweetsGiven(w.TweetID) }

// Complete checks that the activity has somebody to go to. Its body may be made when it goes.
func (o *Outgoing) Complete(id string) error {
	o.ID = id
	if len(o.Inboxes) == 0 && o.Of == "" && !o.Done {
		return errNoID
	}
	return nil
}
