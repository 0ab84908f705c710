package tweets

import (
	"context"
	"log/slog"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Summarizer writes gists. Its methods may be called concurrently.
type Summarizer interface {
	// ReserveGist returns how many tokens a gist takes at most.
	ReserveGist() int64
	// Gist returns a short form of a text, and the tokens that it took. The text is data: whatever it says, it is no
	// instruction. An error that comes with tokens still has taken them.
	Gist(ctx context.Context, label, text string) (gist string, tokens int64, err error)
}

// GistOptions are the options of gists.
type GistOptions struct {
	By     Summarizer // nil for no gists
	Model  string     // the label that the provider gets
	Tokens int64      // of all gists of a day in UTC
	Log    *slog.Logger
}

// gistWithin is how long the provider may take. It is shorter than [model.GistPatience].
const gistWithin = 20 * time.Second

// Gists writes and reads gists: short forms of long tweets. Its methods may be called concurrently. Their errors are
// errors of package errs.
type Gists struct {
	db     *db.DB
	tweets *Store
	o      GistOptions
}

// NewGists returns the gists of a database.
func NewGists(d *db.DB, t *Store, o GistOptions) *Gists { return &Gists{d, t, o} }

// Gist returns the gist of a tweet that the viewer may see. Without one the provider is asked, once for all readers: an
// edit of the tweet removes the gist. Without a provider Gist is errs.NotFound (no_gists), and for a tweet of less than
// [model.MinGisted] characters errs.Conflict (too_short). While another reader waits for the provider, and for an hour
// after a failure, Gist is errs.Unavailable (gist_pending). Without tokens left for the day it is errs.Exhausted
// (gist_budget). An edit meanwhile is errs.Conflict (tweet_changed). A viewer without a profile gets gists that are
// there, and is errs.Forbidden otherwise.
//
// Cost: 2 reads; a new gist 6 reads more, and 4 writes. 1 read more for a tweet that is for followers, and 2 for a new
// gist.
func (s *Gists) Gist(ctx context.Context, viewer model.Viewer, id model.TweetID) (_ *model.Gist, err error) {
	defer errs.Wrap(&err, "tweets.Gist(%q)", id)
	if s.o.By == nil {
		return nil, errs.New(errs.NotFound, "no_gists", "this installation writes no gists")
	}
	var l db.Lookup
	tweet, detail := s.find(&l, id)
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	if err := s.check(ctx, viewer, id, tweet, detail); err != nil {
		return nil, err
	}
	if is := detail.Doc.Gist.Of(&tweet.Doc); is != nil && is.Text != "" {
		return is, nil
	}
	if err := s.tweets.MayWrite(ctx, viewer.ID); err != nil {
		return nil, err
	}
	is, content, err := s.claim(ctx, viewer, id)
	if err != nil || is.Text != "" {
		return is, err
	}
	within, cancel := context.WithTimeout(ctx, gistWithin)
	defer cancel()
	text, tokens, failure := s.o.By.Gist(within, s.o.Model, plain(content))
	if failure != nil && tokens == 0 { // perhaps it took some
		tokens = s.o.By.ReserveGist()
	}
	is.Text = is.Trim(text)
	if failure != nil || is.Text == "" {
		s.o.Log.LogAttrs(ctx, slog.LevelWarn, "no gist", slog.String("tweet", string(id)), slog.Any("error", failure))
		is.Text = ""
	}
	return is, s.keep(context.WithoutCancel(ctx), id, is, content, tokens)
}

// plain is the text of a content that the provider gets: the beginning, if it is long.
func plain(content string) string {
	text := []rune(markdown.Text(markdown.Parse(content).Nodes))
	return string(text[:min(len(text), model.MaxGistText)])
}

// find looks up a tweet and its text.
func (s *Gists) find(l *db.Lookup, id model.TweetID) (*db.Found[model.Tweet], *db.Found[model.TweetDetail]) {
	return db.Find[model.Tweet](l, s.db.Tweet(id)), db.Find[model.TweetDetail](l, s.db.Doc(model.TweetDetails, string(id)))
}

// check returns an error unless the viewer may see a tweet that was read, and the tweet is long enough.
func (s *Gists) check(ctx context.Context, viewer model.Viewer, id model.TweetID, tweet *db.Found[model.Tweet],
	text *db.Found[model.TweetDetail]) error {
	if !tweet.Found {
		return s.tweets.Gone(ctx, viewer, id)
	}
	tweet.Doc.ID = id
	if err := s.tweets.RequireVisible(ctx, viewer, &tweet.Doc); err != nil {
		return err
	}
	if !text.Found || tweet.Doc.Length < model.MinGisted {
		return errs.New(errs.Conflict, "too_short", "a tweet of at least %d characters has a gist", model.MinGisted)
	}
	return nil
}

// claim returns the gist of a tweet, or one without a text that the caller shall write, with the content.
//
// Cost: 3 reads and 2 writes.
func (s *Gists) claim(ctx context.Context, viewer model.Viewer, id model.TweetID) (is *model.Gist, content string,
	err error) {
	ref := s.db.Doc(model.TweetDetails, string(id))
	err = s.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		tweet, text := s.find(&l, id)
		spent := db.Find[model.GistDay](&l, s.db.GistDay())
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		if err := s.check(ctx, viewer, id, tweet, text); err != nil {
			return err
		}
		content, is = text.Doc.Content, text.Doc.Gist.Of(&tweet.Doc)
		if is != nil && is.Text != "" {
			return nil
		}
		now := s.db.Time()
		if is != nil && now.Sub(is.AskedAt) < model.GistRetry {
			return errs.New(errs.Unavailable, "gist_pending", "there is no gist yet; ask again later")
		}
		day := spent.Doc
		if !day.Reserve(now, s.o.By.ReserveGist(), s.o.Tokens) {
			return errs.New(errs.Exhausted, "gist_budget", "no tokens are left for gists today")
		}
		is = &model.Gist{Model: s.o.Model, AskedAt: now, Revision: tweet.Doc.Revision}
		if err := tx.Update(ref, []firestore.Update{{Path: fields.Gist, Value: is}}); err != nil {
			return err
		}
		return tx.Set(s.db.GistDay(), day)
	})
	return is, content, err
}

// keep writes a gist, and what it took of the day's tokens. Without a text, none is kept.
//
// Cost: 2 reads and 2 writes; 1 write without a text.
func (s *Gists) keep(ctx context.Context, id model.TweetID, is *model.Gist, content string, tokens int64) error {
	ref := s.db.Doc(model.TweetDetails, string(id))
	changed := false
	err := s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		text, day := db.Find[model.TweetDetail](&l, ref), db.Find[model.GistDay](&l, s.db.GistDay())
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		was := text.Doc.Gist
		if was != nil && was.Text != "" && was.AskedAt.Equal(is.AskedAt) {
			return nil // the answer to the first commit was lost
		}
		changed = was == nil || !was.AskedAt.Equal(is.AskedAt) || text.Doc.Content != content
		if !changed && is.Text != "" {
			if err := tx.Update(ref, []firestore.Update{{Path: fields.Gist, Value: is}}); err != nil {
				return err
			}
		}
		day.Doc.Settle(is.AskedAt, s.o.By.ReserveGist(), tokens)
		return tx.Set(s.db.GistDay(), day.Doc)
	})
	switch {
	case err != nil:
		return err
	case changed:
		return errs.New(errs.Conflict, "tweet_changed", "the tweet was edited or deleted meanwhile")
	case is.Text == "":
		return errs.New(errs.Unavailable, "gist_pending", "the provider wrote no gist; ask again later")
	}
	return nil
}
