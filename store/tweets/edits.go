// This file edits tweets, and reads their former versions. A tweet and its revisions are source documents, and one
// commit writes both.

package tweets

import (
	"cmp"
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/mentions"
)

// EditLimits holds the limits of edits.
type EditLimits struct {
	Most   int           // edits of one tweet
	Within time.Duration // age of the oldest tweet that may be edited; 0 is any age
}

// Edits edits tweets. Its methods may be called concurrently. Their errors are errors of package errs.
type Edits struct {
	db     *db.DB
	tweets *Store
	limits EditLimits
}

// NewEdits returns the edits of a database. No limit allows more than model.MaxRevisions.
func NewEdits(d *db.DB, t *Store, l EditLimits) *Edits {
	l.Most = min(l.Most, model.MaxRevisions)
	return &Edits{db: d, tweets: t, limits: l}
}

// Edit applies a patch to a tweet of by. One commit writes the new version, and stores the former version as a
// [model.Revision]. The commit creates the revision. So of two edits of one version the second edit fails, and is tried
// again on the version of the first. The commit also fails if the text changed after the read. This matters because a
// read may find the tweet from before another edit and the text from after it.
//
// If from is not empty, it has the accepted numbers of revisions of the tweet; another number is errs.Outdated. A patch
// that changes nothing succeeds and writes nothing, for any from. So if the answer to an edit is lost, a repetition
// makes no second revision.
//
// A draft that breaks a limit is errs.Invalid, and so is an audience that a reply cannot have. A caller other than the
// author is errs.Forbidden. So is an edit of a flagged tweet or a tweet that is too old. An edit beyond the limit is
// errs.Forbidden, too. A deleted tweet is errs.Gone, and an unknown or hidden tweet errs.NotFound.
//
// Cost: 3 reads and 3 writes, and the cost of [mentions.Find] for new names; 3 reads without a change.
func (s *Edits) Edit(ctx context.Context, by model.UserID, id model.TweetID, p model.TweetPatch,
	from []int) (edited *FullTweet, err error) {
	defer errs.Wrap(&err, "tweets.Edit(%q)", id)
	if err := s.tweets.MayWrite(ctx, by); err != nil {
		return nil, err
	}
	return s.edit(ctx, by, id, p, from, nil)
}

// EditFor is [Edits.Edit] for an administrator, who edits a tweet of any author and any age. The commit of an edit
// includes the writes that also adds; an edit that changes nothing has none. A flagged tweet is errs.Forbidden: its
// text is judged.
//
// Cost: the cost of Edit, and 1 read.
func (s *Edits) EditFor(ctx context.Context, id model.TweetID, p model.TweetPatch, from []int,
	also func(b *db.Batch, before, after *FullTweet)) (edited *FullTweet, err error) {
	defer errs.Wrap(&err, "tweets.EditFor(%q)", id)
	t := model.Tweet{ID: id}
	found, err := s.db.Get(ctx, s.db.Tweet(id), &t)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, s.tweets.Gone(ctx, model.Viewer{Role: model.Administrator}, id)
	}
	return s.edit(ctx, t.AuthorID, id, p, from, func(b *db.Batch, before, after *FullTweet) error {
		also(b, before, after)
		return nil
	})
}

func (s *Edits) edit(ctx context.Context, by model.UserID, id model.TweetID, p model.TweetPatch, from []int,
	also func(b *db.Batch, before, after *FullTweet) error) (edited *FullTweet, err error) {
	var tried *model.Revision // of a commit that failed
	var existed bool          // the failed commit found its revision there
	err = s.db.Update(ctx, func(ctx context.Context) error {
		viewer := model.Viewer{ID: by, Role: model.Member}
		var l db.Lookup
		text := db.Find[model.TweetDetail](&l, s.db.Doc(model.TweetDetails, string(id)))
		t, _, err := s.tweets.read(ctx, id, viewer, &l)
		if err != nil {
			return err
		}
		t.Content, t.Alts = text.Doc.Content, text.Doc.Alts
		if tried != nil {
			if own, err := s.wroteRevision(ctx, t, tried, existed); err != nil || own {
				edited = t
				return err
			}
		}
		// The viewer sees the tweet. If that depends on following the author, the viewer follows the author.
		if err := model.MayEdit(by, t.Tweet, model.ViewerRelationship{Follows: model.FollowDecides(viewer,
			t.Tweet)}); err != nil {
			return err
		}
		if err := s.mayWiden(ctx, t.Tweet, p.Visibility); err != nil {
			return err
		}
		was, now := t.Detail(), s.db.Time()
		draft, err := t.Tweet.Patched(was, p)
		if err != nil {
			return err
		}
		after, detail, before := t.Tweet.Edited(was, draft, nil, now)
		if before == nil {
			edited = t
			return nil
		}
		if len(from) > 0 && !slices.Contains(from, t.Revision) {
			return model.TweetEdited(t.Tweet)
		}
		if err := s.mayEditStill(t.Tweet, also != nil); err != nil {
			return err
		}
		if names := t.Tweet.NewNames(was, draft); len(names) > 0 { // only for an edit that passes all checks
			found, err := mentions.Find(ctx, s.db, s.tweets.o.Local, by, names)
			if err != nil {
				return err
			}
			after, detail, before = t.Tweet.Edited(was, draft, found, now)
		}
		before.EditID = rand.Text()
		edited = &FullTweet{Tweet: after, Content: detail.Content, Alts: detail.Alts, ViewerState: t.ViewerState}
		b := s.db.Batch()
		if also != nil {
			if err := also(b, t, edited); err != nil {
				return err
			}
		}
		err = s.writeEdit(ctx, b, after, detail, before, text.Snap.UpdateTime)
		s.tweets.ForgetTweet(id)
		// Another edit came first, or the tweet was deleted, or the answer to this commit was lost.
		tried, existed = before, db.AlreadyExists(err)
		return db.Late(err)
	})
	if err != nil {
		return nil, err
	}
	return edited, nil
}

// mayWiden returns errs.Invalid for an audience that is too wide for a reply, and for any wider one in a thread that
// holds replies of this author: nobody approved the reply for more people.
//
// Cost: nothing; 1 read to show a reply to more people, 1 more if its parent is for followers, and the cost of
// [Store.waits] in a thread that holds replies.
func (s *Edits) mayWiden(ctx context.Context, t *model.Tweet, asked *model.Audience) error {
	if !t.Widens(asked) {
		return nil
	}
	if waits, err := s.tweets.waits(ctx, t.AuthorID, &access.Check{Tweet: t}); err != nil || waits {
		return cmp.Or(err, model.WidenedHeld())
	}
	parent, err := s.tweets.TweetsNow(ctx, []model.TweetID{*t.ReplyTo})
	if err != nil {
		return err
	}
	// If the author may not see the parent, the error must not reveal the parent's audience.
	visible, _, err := s.tweets.Visible(ctx, model.Viewer{ID: t.AuthorID, Role: model.Member},
		slices.Collect(maps.Values(parent)))
	if err != nil || !visible[*t.ReplyTo] {
		return cmp.Or(err, model.MayWiden(*asked, nil))
	}
	return model.MayWiden(*asked, parent[*t.ReplyTo])
}

// mayEditStill returns errs.Forbidden for a tweet that is too old for an edit, and for a tweet with the largest number
// of edits. anyAge allows the first.
func (s *Edits) mayEditStill(t *model.Tweet, anyAge bool) error {
	if within := s.limits.Within; within > 0 && !anyAge && s.db.Now().Sub(t.CreatedAt) > within {
		return errs.New(errs.Forbidden, "too_old_to_edit", "this tweet is too old; a tweet may be edited for %s", within)
	}
	if t.Revision >= s.limits.Most {
		return errs.New(errs.Forbidden, "too_many_edits", "this tweet was edited %d times; the limit is %d", t.Revision,
			s.limits.Most)
	}
	return nil
}

// writeEdit adds an edit of a tweet to a batch and commits it. textVersion is the time of the text's last change, or
// zero for a tweet without a text. writeEdit also writes an unchanged text, because only a write can have a condition.
//
// Cost: 3 writes.
func (s *Edits) writeEdit(ctx context.Context, b *db.Batch, after *model.Tweet, detail model.TweetDetail,
	before *model.Revision,
	textVersion time.Time) error {
	ref := s.db.Tweet(after.ID)
	b.Create(s.db.Revision(after.ID, before.Number), before)
	if text := s.db.Doc(model.TweetDetails, string(after.ID)); textVersion.IsZero() { // before the tweet, see db.Batch
		b.Create(text, detail)
	} else {
		b.Update(text, []firestore.Update{{Path: fields.Content, Value: detail.Content},
			{Path: fields.Alts, Value: db.OrDelete(detail.Alts, len(detail.Alts) == 0)},
			{Path: fields.Gist, Value: firestore.Delete}},
			firestore.LastUpdateTime(textVersion))
	}
	// Counts, the flag and the embedded author may change meanwhile, so the edit does not write them.
	b.Update(ref, s.db.Stamped(ref, []firestore.Update{
		{Path: fields.Summary, Value: after.Summary}, {Path: fields.Snippet, Value: after.Snippet},
		{Path: fields.SnippetTree, Value: after.SnippetTree}, {Path: fields.Length, Value: after.Length},
		{Path: fields.HasMedia, Value: after.HasMedia},
		{Path: fields.Media, Value: db.OrDelete(after.Media, len(after.Media) == 0)},
		{Path: fields.Language, Value: after.Language},
		{Path: fields.Tags, Value: after.Tags}, {Path: fields.RootTags, Value: after.RootTags},
		{Path: fields.TagLabels, Value: after.TagLabels},
		{Path: fields.UnlistedTags, Value: db.OrDelete(after.UnlistedTags, len(after.UnlistedTags) == 0)},
		{Path: fields.Visibility, Value: after.Visibility}, {Path: fields.PublicShard, Value: after.PublicShard},
		{Path: fields.HiddenRevisions, Value: db.OrDelete(after.HiddenRevisions, after.HiddenRevisions == 0)},
		{Path: fields.Mentions, Value: db.OrDelete(after.Mentions, len(after.Mentions) == 0)},
		{Path: fields.MentionNames, Value: db.OrDelete(after.MentionNames, len(after.MentionNames) == 0)},
		{Path: fields.AllowLikes, Value: after.AllowLikes}, {Path: fields.AllowReplies, Value: after.AllowReplies},
		{Path: fields.DenyQuotes, Value: db.OrDelete(after.DenyQuotes, !after.DenyQuotes)},
		{Path: fields.ReplyPolicy, Value: db.OrDelete(after.ReplyPolicy, after.ReplyPolicy == "")},
		{Path: fields.QuotePolicy, Value: db.OrDelete(after.QuotePolicy, after.QuotePolicy == "")},
		{Path: fields.Revision, Value: after.Revision}, {Path: fields.UpdatedAt, Value: after.UpdatedAt},
	}))
	_, err := b.Commit(ctx)
	return err
}

// wroteRevision reports whether a failed commit has written its revision. If the answer to a commit is lost, the client
// itself sends the commit again. The second commit then fails because the revision exists. t is the present tweet, and
// existed says whether the commit found the revision there. The revision may belong to another edit that the tweet does
// not include. Then the two were not written together, and the result is errs.Conflict.
//
// Cost: 1 read.
func (s *Edits) wroteRevision(ctx context.Context, t *FullTweet, tried *model.Revision, existed bool) (bool,
	error) {
	is, found, err := s.revision(ctx, t.ID, tried.Number)
	switch {
	case err != nil || !found:
		return false, err
	case is.EditID == tried.EditID:
		return true, nil
	case existed && t.Revision < tried.Number:
		return false, errs.New(errs.Conflict, "stray_revision", "this tweet has a revision %d that is not its own",
			tried.Number)
	}
	return false, nil
}

// Revisions returns the revisions of a tweet without their content, oldest first. It begins after the given number.
// next is 0 at the end.
//
// Cost: 1 read for each revision, at least 1.
func (s *Edits) Revisions(ctx context.Context, id model.TweetID, after, limit int) (items []*model.Revision, next int,
	err error) {
	defer errs.Wrap(&err, "tweets.Revisions(%q)", id)
	// A page with the contents might have 26 MB.
	q := s.db.Tweet(id).Collection(model.Revisions).
		Select(fields.Summary, fields.Snippet, fields.SnippetTree, fields.Length, fields.Tags,
			fields.AllowLikes, fields.AllowReplies, fields.DenyQuotes, fields.ReplyPolicy, fields.QuotePolicy,
			fields.Visibility, fields.WrittenAt, fields.ReplacedAt).
		OrderBy(firestore.DocumentID, firestore.Asc).StartAfter(model.RevisionKey(after)).Limit(limit)
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return nil, 0, err
	}
	for _, snap := range snaps {
		r := &model.Revision{Number: model.RevisionNumber(snap.Ref.ID)}
		if err := snap.DataTo(r); err != nil {
			return nil, 0, err
		}
		items = append(items, r)
	}
	if len(items) == limit {
		next = items[limit-1].Number
	}
	return items, next, nil
}

// Revision reads a revision of a tweet, with its content. A number without a revision is errs.NotFound.
//
// Cost: 1 read.
func (s *Edits) Revision(ctx context.Context, id model.TweetID, n int) (_ *model.Revision, err error) {
	defer errs.Wrap(&err, "tweets.Revision(%q, %d)", id, n)
	r, found, err := s.revision(ctx, id, n)
	if err == nil && !found {
		err = model.NoRevision(id, n)
	}
	return r, err
}

func (s *Edits) revision(ctx context.Context, id model.TweetID, n int) (*model.Revision, bool, error) {
	r := &model.Revision{Number: n}
	found, err := s.db.Get(ctx, s.db.Revision(id, n), r)
	return r, found, err
}
