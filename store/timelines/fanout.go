package timelines

import (
	"context"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/timelines/internal/followerpages"
)

// FanOut puts a new tweet into its author's month and head, and into the followers' home timelines. It writes
// the preview from the event's data and reads the tweet itself last. So FanOut repairs its own writes if the tweet was
// deleted or edited meanwhile. A tweet in no audience partition is delivered to nobody. [Writer.Return] delivers it if
// the partition changes.
//
// A new follower and a new tweet may cross each other, and the follower must still get the tweet. Each side writes its
// own mark first and then reads the other's mark. FanOut writes the preview and then reads the page of followers.
// [Writer.Link] writes the page and then reads the previews. Firestore is strongly consistent, so at least one side
// sees the other.
//
// Cost: 3 reads, 2 writes, and 1 write an active follower; a pulled tweet 3 reads and 2 writes.
func (w *Writer) FanOut(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "timelines.FanOut(%q)", t.ID)
	if t.AudiencePartition() == model.NoAudiencePartition {
		return nil
	}
	if err := w.previews.Put(ctx, t); err != nil {
		return err
	}
	a, err := w.Audience(ctx, t.AuthorID, t.ID.Month())
	if err != nil {
		return err
	}
	if err := w.send(ctx, t.ID.Position(), t.AuthorID, a); err != nil {
		return err
	}
	if !a.Pull && a.Pages == 0 {
		telemetry.Fresh(ctx, t.ID.Time())
	}
	there, err := w.previews.Reconcile(ctx, t)
	if err != nil || there {
		return err
	}
	// The work documents of hashed pages withdraw the tweet themselves. Readers who pull skip it.
	return w.withdraw(ctx, t.ID.Position(), t.AuthorID, 0, a.Followers)
}

// Return delivers a tweet that came to an audience partition to its author's followers. An earlier follow may have
// missed the tweet, because the tweet had no preview then or its preview was moving. The preview must exist before the
// call. Then Return and [Writer.Link] cross safely, as [Writer.FanOut] describes. Return does not deliver a tweet that
// is older than the window of home timelines.
//
// Cost: the cost of [Writer.FanOut], less 1 read and 2 writes.
func (w *Writer) Return(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "timelines.Return(%q)", t.ID)
	if oldest, _ := w.db.HomeWindow(); t.ID.Time().Before(oldest) {
		return nil
	}
	audience, err := w.Audience(ctx, t.AuthorID, t.ID.Month())
	if err != nil {
		return err
	}
	if err := w.send(ctx, t.ID.Position(), t.AuthorID, audience); err != nil {
		return err
	}
	there, err := w.db.Get(ctx, w.db.Tweet(t.ID), nil)
	if err != nil || there {
		return err
	}
	return w.withdraw(ctx, t.ID.Position(), t.AuthorID, 0, audience.Followers)
}

// send pushes a tweet or a share to its audience, or lets the audience pull it. For hashed pages, send writes one work
// document a page. The work documents make the delivery.
func (w *Writer) send(ctx context.Context, position model.Position, author model.UserID,
	a followerpages.Audience) error {
	switch {
	case a.Pull:
		return w.startPull(ctx, position, author, a)
	case a.Pages > 0:
		return w.startFanOut(ctx, position, author, a.Pages, model.FanOutPush)
	}
	return w.deliver(ctx, position, author, 0, a.Followers)
}

// followersPerStep is the number of followers that one step of a fan-out serves. The step must end before its event is
// delivered again.
const followersPerStep = 5_000

// Continue serves followers on one hashed page of an author, in the order of their uids. If the page has more followers
// than one step serves, Continue writes the last follower to the work document. The next step begins there. After the
// last step, Continue deletes the work document.
//
// Cost: 1 read, 1 delete, and 1 write an active follower; 1 read more for a push, 1 write a further step.
func (w *Writer) Continue(ctx context.Context, work model.FanOutWork) (err error) {
	defer errs.Wrap(&err, "timelines.Continue(%q, %d, %q)", work.Position, work.Page, work.Kind)
	page, err := w.FollowersOnPage(ctx, work.AuthorID, work.Page)
	if err != nil {
		return err
	}
	step := w.db.Resume(w.db.Doc(model.FanOuts, model.FanOutKey(work.Position, work.Page, work.Kind)), work.WrittenAt)
	followers, more := stepOf(page, work.After)
	switch work.Kind {
	case model.FanOutPush:
		err = w.pushPage(ctx, work, followers)
	case model.FanOutPull:
		err = w.pull(ctx, work.AuthorID, work.Position.Month(), followers)
	case model.FanOutWithdraw:
		err = w.withdraw(ctx, work.Position, work.AuthorID, work.Page, followers)
	default:
		return errs.New(errs.Internal, "", "no fan-out is of kind %q", work.Kind)
	}
	if err != nil {
		return err
	}
	if more {
		return step.Save(ctx, map[string]any{fields.After: followers[len(followers)-1]}, nil)
	}
	return step.End(ctx, nil)
}

// stepOf returns the followers of the step that begins after the given follower. more reports whether further followers
// remain.
func stepOf(page []model.UserID, after model.UserID) (followers []model.UserID, more bool) {
	slices.Sort(page)
	begin, found := slices.BinarySearch(page, after)
	if found {
		begin++
	}
	rest := page[begin:]
	return rest[:min(len(rest), followersPerStep)], len(rest) > followersPerStep
}

// pushPage delivers a tweet or a share to followers on a page, and reads the source document last. If that document is
// gone, pushPage withdraws its delivery.
func (w *Writer) pushPage(ctx context.Context, work model.FanOutWork, followers []model.UserID) error {
	if err := w.deliver(ctx, work.Position, work.AuthorID, work.Page, followers); err != nil {
		return err
	}
	if !work.Position.IsShare() {
		telemetry.Fresh(ctx, work.Position.Time())
	}
	there, err := w.there(ctx, work.Position, work.AuthorID)
	if err != nil || there {
		return err
	}
	return w.withdraw(ctx, work.Position, work.AuthorID, work.Page, followers)
}

// there reports whether a tweet exists, or the share that has the given position.
//
// Cost: 1 read.
func (w *Writer) there(ctx context.Context, position model.Position, author model.UserID) (bool, error) {
	if !position.IsShare() {
		return w.db.Get(ctx, w.db.Tweet(position.Tweet()), nil)
	}
	var l model.Share
	found, err := w.db.Get(ctx, w.db.Share(author, position.Tweet()), &l)
	return found && l.Position() == position, err
}

// Withdraw takes a deleted tweet out of the home timelines of its author's followers, or a share that was taken back
// out of those of its sharer's. For hashed pages it writes one work document a page, and the work documents withdraw
// the tweet or share.
//
// Three kinds of tweets need no write. Readers skip a pulled tweet that is gone. An author whose account is deleted
// loses all followers first. A timeline month has expired if no timeline shows the month of the tweet any more.
//
// Cost: 1 read, and 1 write an active follower or a hashed page; nothing if the month has expired.
func (w *Writer) Withdraw(ctx context.Context, position model.Position, author model.UserID) (err error) {
	defer errs.Wrap(&err, "timelines.Withdraw(%q)", position)
	if w.db.KnowsGone(author) || w.expired(position) {
		return nil
	}
	a, err := w.Audience(ctx, author, position.Month())
	if err != nil || a.Pulled {
		return err
	}
	if a.Pages > 0 {
		return w.startFanOut(ctx, position, author, a.Pages, model.FanOutWithdraw)
	}
	return w.withdraw(ctx, position, author, 0, a.Followers)
}

// expired reports whether the month of a tweet or a share has expired in all timelines.
func (w *Writer) expired(position model.Position) bool {
	return !model.TimelineExpiry(position.Month()).After(w.db.Now())
}

// startFanOut writes a work document for each hashed page of followers. A repeated start changes nothing for a page
// whose work document still exists. It serves a finished page again.
//
// Cost: 1 write a page.
func (w *Writer) startFanOut(ctx context.Context, position model.Position, author model.UserID, pages int,
	kind model.FanOutKind) error {
	b := w.db.Batch()
	for n := range pages {
		b.Set(w.db.Doc(model.FanOuts, model.FanOutKey(position, n, kind)), model.FanOutWork{
			Kind: kind, Position: position, AuthorID: author, Page: n, ExpireAt: w.db.WorkExpiry(),
		})
	}
	_, err := b.Commit(ctx)
	return err
}
