package moderation

import (
	"context"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// NewReport is a report of a tweet, of a message or, without one, of a user.
type NewReport struct {
	UserID  model.UserID
	TweetID model.TweetID
	// of a message; the reporter must see it
	ConversationID model.ConversationID
	MessageID      model.MessageID
	Reason         string
	Text           string
	// Forward makes the activity by which the server of a reported user hears of the report, without the reporter; nil
	// for a report that stays here. The tweet is nil for the report of a user. It returns nil to send nothing.
	Forward func(ctx context.Context, u *model.User, t *model.Tweet) (*model.Outgoing, error)
}

// Report writes a user's report. A second report of the same target by the same user changes nothing, also if the first
// was resolved. A reporter without a profile is errs.Forbidden. A missing target is errs.NotFound, or errs.Gone. A
// report of oneself is errs.Invalid, and so is one with Forward of what is not of another server (not_remote).
//
// Cost: 1 write; 1 read for the reporter and 1 for the target, less cached. A deleted tweet costs 1 read more, and a
// message 4 reads at most. Each webhook that wants it costs 1 write more. A forwarded report costs 2 writes more, 1 of
// them for the audit log, and 1 read for the author of a tweet who is not cached.
func (s *Store) Report(ctx context.Context, reporter model.UserID, n NewReport) (err error) {
	defer errs.Wrap(&err, "moderation.Report(%q, %q, %q)", reporter, n.UserID, n.TweetID)
	if err := model.ValidateReport(n.Reason, n.Text); err != nil {
		return err
	}
	var tweet *model.Tweet
	if n.TweetID != "" {
		if err := s.access.RequireTweet(ctx, n.TweetID, model.Viewer{ID: reporter, Role: model.Member}); err != nil {
			return err
		}
		t, err := s.access.Cached(ctx, n.TweetID)
		if err != nil {
			return err
		}
		n.UserID, tweet = t.AuthorID, t
	}
	var message *model.ReportedMessage
	key := func() string { return model.ReportKey(reporter, n.UserID, n.TweetID) }
	if n.ConversationID != "" {
		m, err := s.messages.Shown(ctx, reporter, n.ConversationID, n.MessageID)
		if err != nil {
			return err
		}
		n.UserID, message = m.AuthorID, m.Report(n.ConversationID, n.MessageID)
		key = func() string { return model.MessageReportKey(reporter, n.ConversationID, n.MessageID) }
	}
	known := []model.UserID{reporter}
	if n.TweetID == "" && message == nil || n.Forward != nil {
		known = append(known, n.UserID)
	}
	users, err := s.access.Users(ctx, known)
	switch {
	case err != nil:
		return err
	case users[reporter] == nil:
		return errs.New(errs.Forbidden, "profile_required", "make a profile first, with POST /v1/users")
	case n.UserID == reporter:
		return errs.New(errs.Invalid, "self_report", "you cannot report yourself")
	case users[n.UserID] == nil && n.TweetID == "" && message == nil:
		return errs.New(errs.NotFound, "user_not_found", "there is no user %q", n.UserID)
	}
	var flag *model.Outgoing
	if n.Forward != nil {
		u := users[n.UserID]
		if u == nil || u.Remote == nil || message != nil {
			return errs.New(errs.Invalid, "not_remote", "only a report about a user or post of another server can be forwarded")
		}
		if flag, err = n.Forward(ctx, u, tweet); err != nil {
			return err
		}
	}
	id := key()
	data := map[string]string{"reportId": id, "userId": string(n.UserID)}
	if n.TweetID != "" {
		data["tweetId"] = string(n.TweetID)
	}
	b := s.db.Batch()
	b.Create(s.db.Doc(model.Reports, id), model.Report{
		ReporterID: reporter, UserID: n.UserID, TweetID: n.TweetID, Message: message, Reason: n.Reason, Text: n.Text,
		Open: true, Forwarded: flag != nil,
	})
	if flag != nil {
		flag.CreatedAt = s.db.Time()
		flag.ExpireAt = flag.CreatedAt.Add(model.OutgoingWindow)
		b.Create(s.db.Doc(model.Outgoings, flag.ID), *flag)
		entry := s.entry(Actor{UID: reporter, Role: model.RoleUser}, model.ActForward, n.UserID)
		entry.TweetID, entry.ReportID = n.TweetID, id
		entry.After = map[string]string{"of": model.HostOf(users[n.UserID].Remote.IRI)}
		s.log(b, entry)
	}
	s.hooks.Of(ctx, model.WebhookReportCreated, data).Batch(b)
	_, err = b.Commit(ctx)
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}

// Reports lists open reports, oldest first.
//
// Cost: 1 read for each report, at least 1.
func (s *Store) Reports(ctx context.Context, from model.Cursor, limit int) (_ model.Page[model.Report], err error) {
	defer errs.Wrap(&err, "moderation.Reports")
	q := s.db.Client.Collection(model.Reports).Where(fields.Open, "==", true)
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Asc, from, limit,
		func(snap *firestore.DocumentSnapshot) (model.Report, model.Cursor, error) {
			r, err := decodeReport(snap)
			return *r, model.Cursor{At: r.CreatedAt, ID: r.ID}, err
		})
}

// OpenReports counts the open reports of a user and of the user's tweets. With a tweet it counts the open reports of
// that tweet.
//
// Cost: 1 read for each 1,000 reports, at least 1.
func (s *Store) OpenReports(ctx context.Context, uid model.UserID, tweet model.TweetID) (_ int64, err error) {
	defer errs.Wrap(&err, "moderation.OpenReports(%q, %q)", uid, tweet)
	q := s.db.Client.Collection(model.Reports).Where(fields.Open, "==", true)
	if tweet != "" {
		return db.Count(ctx, q.Where(fields.TweetID, "==", tweet))
	}
	return db.Count(ctx, q.Where(fields.UserID, "==", uid))
}

// Resolve closes a report with a decision and a note. A report that is resolved already gets the new decision, and the
// audit log has both. An unknown report is errs.NotFound.
//
// Cost: 1 read and 2 writes.
func (s *Store) Resolve(ctx context.Context, by Actor, id string, decision model.Decision) (_ *model.Report,
	err error) {
	defer errs.Wrap(&err, "moderation.Resolve(%q)", id)
	if strings.Contains(id, "/") || !strings.Contains(id, "_user_") && !strings.Contains(id, "_tweet_") &&
		!strings.Contains(id, "_message_") {
		return nil, noReport(id)
	}
	ref := s.db.Doc(model.Reports, id)
	snap, err := ref.Get(ctx)
	if db.NotFound(err) {
		return nil, noReport(id)
	}
	if err != nil {
		return nil, err
	}
	r, err := decodeReport(snap)
	if err != nil {
		return nil, err
	}
	entry := s.entry(by, model.ActResolve, r.UserID)
	entry.TweetID, entry.ReportID, entry.After = r.TweetID, id, map[string]string{"decision": string(decision)}
	if r.Resolution != nil {
		entry.Before = map[string]string{"decision": string(r.Resolution.Decision)}
	}
	expiry := s.db.Time().Add(model.ReportWindow)
	r.Open, r.ExpireAt = false, &expiry
	r.Resolution = &model.Resolution{Decision: decision, Note: by.Reason, By: by.UID, Action: entry.ID, At: s.db.Time()}
	b := s.db.Batch()
	b.Update(ref, []firestore.Update{{Path: fields.Open, Value: false}, {Path: fields.Resolution, Value: r.Resolution},
		{Path: fields.ExpireAt, Value: expiry}})
	s.log(b, entry)
	if _, err = b.Commit(ctx); db.NotFound(err) { // it expired meanwhile
		return nil, noReport(id)
	}
	s.done(ctx, entry, err)
	return r, err
}

func noReport(id string) error {
	return errs.New(errs.NotFound, "report_not_found", "there is no report %q", id)
}

func decodeReport(snap *firestore.DocumentSnapshot) (*model.Report, error) {
	r := &model.Report{ID: snap.Ref.ID}
	return r, snap.DataTo(r)
}
