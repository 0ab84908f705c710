package timelines

import (
	"context"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
)

// FanOut puts a new tweet into its author's month and newest tweets, and into the home timelines of
// the followers. It writes the preview as the event has it, and reads the tweet itself last. So
// FanOut mends whatever it wrote for a tweet that was deleted or edited meanwhile. A tweet on no
// audience partition is delivered to nobody; [Writer.Return] delivers it if that changes.
//
// A new follower and a new tweet that cross each other must meet. Each side writes its own mark
// first and then reads the other's: FanOut the preview and then the page of followers,
// [Writer.Link] the page and then the previews. Firestore is strongly consistent, so at least one
// side sees the other.
//
// Cost: 3 reads, 2 writes, and 1 write a follower who is active; with hashed pages 4 reads, 2
// writes, and 1 write a page. A late event costs what [profiles.Writer.Put] says. Cost of a pulled
// tweet: 3 reads and 2 writes. The first of a month: 4 reads, 4 writes, and 1 write a follower who
// is active; with hashed pages 5 reads, 4 writes, and 1 write a page. A tweet for followers costs 1
// write more. A tweet on no audience partition costs nothing. A tweet that changed meanwhile costs
// more, see [profiles.Writer.Settle]. A tweet that is gone costs 1 write more a follower to whom it
// was pushed.
func (w *Writer) FanOut(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "timelines.FanOut(%q)", t.ID)
	if t.AudiencePartition() == model.NoAudiencePartition {
		return nil
	}
	if err := w.previews.Put(ctx, t); err != nil {
		return err
	}
	a, err := w.pages.Audience(ctx, t.AuthorID, t.ID.Month(), w.pullAbove)
	if err != nil {
		return err
	}
	if err := w.send(ctx, t.ID, t.AuthorID, a); err != nil {
		return err
	}
	if !a.Pull && a.Pages == 0 {
		telemetry.Fresh(ctx, t.ID.Time())
	}
	there, err := w.previews.Reconcile(ctx, t)
	if err != nil || there {
		return err
	}
	// The work documents of hashed pages withdraw the tweet by themselves, and readers who
	// pull pass over it.
	return w.withdraw(ctx, t.ID, t.AuthorID, 0, a.Followers)
}

// Return delivers a tweet that came to an audience partition to its author's followers. A follower
// who came before did not get it, because it had no preview, or its preview was moving. The preview
// must be there: then [Writer.Link] and Return, which cross each other, meet as a follow and a new
// tweet do. A tweet from before the window of home timelines is not delivered.
//
// Cost: what [Writer.FanOut] costs, less 1 read and 2 writes.
func (w *Writer) Return(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "timelines.Return(%q)", t.ID)
	if oldest, _ := w.db.HomeWindow(); t.ID.Time().Before(oldest) {
		return nil
	}
	audience, err := w.pages.Audience(ctx, t.AuthorID, t.ID.Month(), w.pullAbove)
	if err != nil {
		return err
	}
	if err := w.send(ctx, t.ID, t.AuthorID, audience); err != nil {
		return err
	}
	there, err := w.db.Get(ctx, w.db.Tweet(t.ID), nil)
	if err != nil || there {
		return err
	}
	return w.withdraw(ctx, t.ID, t.AuthorID, 0, audience.Followers)
}

// send pushes a tweet, or a share, to its audience, or lets the audience pull it. For hashed
// pages it leaves the delivery to one work document a page.
func (w *Writer) send(ctx context.Context, id model.TweetID, author model.UserID, a Audience) error {
	switch {
	case a.Pull:
		return w.startPull(ctx, id, author, a)
	case a.Pages > 0:
		return w.startFanOut(ctx, id, author, a.Pages, model.FanOutPush)
	}
	return w.deliver(ctx, id, author, 0, a.Followers)
}

// followersPerStep is how many followers a step of a fan-out serves, so that the step ends
// before its event is delivered again.
const followersPerStep = 5_000

// Continue serves followers on one page of an author who has hashed pages, in the order of
// their uids. If the page has more followers than one step serves, the work document notes
// the last follower, and the next step begins there. Then Continue deletes the document.
//
// Cost: 1 read, 1 delete, and 1 write a follower who is active; for a push 1 read more. Each
// further step costs 1 write more, and 1 read or 2.
// A push of a tweet that is gone costs 1 write a follower more.
func (w *Writer) Continue(ctx context.Context, work model.FanOutWork) (err error) {
	defer errs.Wrap(&err, "timelines.Continue(%q, %d, %q)", work.TweetID, work.Page, work.Kind)
	page, err := w.pages.OnPage(ctx, work.AuthorID, work.Page)
	if err != nil {
		return err
	}
	step := w.db.Resume(w.db.Doc(model.FanOuts, model.FanOutKey(work.TweetID, work.Page, work.Kind)), work.WrittenAt)
	followers, more := stepOf(page, work.After)
	switch work.Kind {
	case model.FanOutPush:
		err = w.pushPage(ctx, work, followers)
	case model.FanOutPull:
		err = w.pull(ctx, work.AuthorID, work.TweetID.Month(), followers)
	case model.FanOutWithdraw:
		err = w.withdraw(ctx, work.TweetID, work.AuthorID, work.Page, followers)
	default:
		return errs.New(errs.Internal, "", "no fan-out is of kind %q", work.Kind)
	}
	if err != nil {
		return err
	}
	if more {
		return step.Save(ctx, map[string]any{"after": followers[len(followers)-1]}, nil)
	}
	return step.End(ctx, nil)
}

// stepOf returns the followers whom a step serves that begins after a follower, and tells
// whether there are more.
func stepOf(page []model.UserID, after model.UserID) (followers []model.UserID, more bool) {
	slices.Sort(page)
	begin, found := slices.BinarySearch(page, after)
	if found {
		begin++
	}
	rest := page[begin:]
	return rest[:min(len(rest), followersPerStep)], len(rest) > followersPerStep
}

// pushPage delivers a tweet, or a share, to followers on a page, and reads the fact last. If
// that is gone, pushPage takes back from the page what it delivered.
func (w *Writer) pushPage(ctx context.Context, work model.FanOutWork, followers []model.UserID) error {
	if err := w.deliver(ctx, work.TweetID, work.AuthorID, work.Page, followers); err != nil {
		return err
	}
	if !work.TweetID.IsShare() {
		telemetry.Fresh(ctx, work.TweetID.Time())
	}
	there, err := w.there(ctx, work.TweetID, work.AuthorID)
	if err != nil || there {
		return err
	}
	return w.withdraw(ctx, work.TweetID, work.AuthorID, work.Page, followers)
}

// there tells whether a tweet is there, or the share that has a position.
//
// Cost: 1 read.
func (w *Writer) there(ctx context.Context, id model.TweetID, author model.UserID) (bool, error) {
	if !id.IsShare() {
		return w.db.Get(ctx, w.db.Tweet(id), nil)
	}
	var l model.Like
	found, err := w.db.Get(ctx, w.db.Share(author, id.Tweet()), &l)
	return found && l.Place() == id, err
}

// Withdraw takes a deleted tweet out of the home timelines of its author's followers. For
// hashed pages it leaves that to one work document a page. A tweet that readers pull
// needs no write, because readers pass over a tweet that is gone. Neither does a tweet of an
// author who has left: the followers go first. And where a tweet is so old that no timeline shows
// its month, the timelines have expired.
//
// Cost: 1 read, and 1 write a follower who is active; with hashed pages 2 reads, and 1
// write a page.
// Cost of a pulled tweet: 1 read.
// If this process knows that the author is gone, or if the month has expired: nothing.
func (w *Writer) Withdraw(ctx context.Context, id model.TweetID, author model.UserID) (err error) {
	defer errs.Wrap(&err, "timelines.Withdraw(%q)", id)
	if w.db.KnowsGone(author) || w.expired(id) {
		return nil
	}
	a, err := w.pages.Audience(ctx, author, id.Month(), w.pullAbove)
	if err != nil || a.Pulled {
		return err
	}
	if a.Pages > 0 {
		return w.startFanOut(ctx, id, author, a.Pages, model.FanOutWithdraw)
	}
	return w.withdraw(ctx, id, author, 0, a.Followers)
}

// expired tells whether no timeline shows the month of a tweet or a share any more.
func (w *Writer) expired(id model.TweetID) bool {
	return !model.TimelineExpiry(id.Month()).After(w.db.Now())
}

// startFanOut leaves a work document for each hashed page of followers. A repeated start
// changes nothing for a page whose work document is still there; a page that was served
// is served again.
//
// Cost: 1 write a page.
func (w *Writer) startFanOut(ctx context.Context, id model.TweetID, author model.UserID, pages int,
	kind model.FanOutKind) error {
	b := w.db.Batch()
	for n := range pages {
		b.Set(w.db.Doc(model.FanOuts, model.FanOutKey(id, n, kind)), model.FanOutWork{
			Kind: kind, TweetID: id, AuthorID: author, Page: n, ExpireAt: w.db.WorkExpiry(),
		})
	}
	_, err := b.Commit(ctx)
	return err
}
