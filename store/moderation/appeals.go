package moderation

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// JudgedAct is a decision about a user, and the user's appeal against it, if any.
type JudgedAct struct {
	model.Action
	Appeal *model.Appeal
}

// Decisions lists the decisions about a user against which an appeal is possible, newest first. A page may have fewer
// than limit though it is not the last: the audit log has other entries about the user.
//
// Cost: 1 read for each entry, at least 1, and 1 read for each decision.
func (s *Store) Decisions(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (
	_ model.Page[JudgedAct], err error) {
	defer errs.Wrap(&err, "moderation.Decisions(%q)", uid)
	found, err := s.Actions(ctx, ActionFilter{UserID: uid}, from, limit)
	if err != nil {
		return model.Page[JudgedAct]{}, err
	}
	page := model.Page[JudgedAct]{Items: []JudgedAct{}, Next: found.Next}
	var l db.Lookup
	var appeals []*db.Found[model.Appeal]
	for _, a := range found.Items {
		if a.Appealable() && a.By != uid {
			page.Items = append(page.Items, JudgedAct{Action: a})
			appeals = append(appeals, db.Find[model.Appeal](&l, s.appeal(a.ID)))
		}
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return page, err
	}
	for i, is := range appeals {
		if is.Found {
			is.Doc.ID = page.Items[i].ID
			page.Items[i].Appeal = &is.Doc
		}
	}
	return page, nil
}

// Appeal writes a user's appeal against a decision. A decision has one appeal: another text is errs.Exists
// (appeal_exists), and the same text changes nothing. A decision that is not about the user, or that allows no appeal,
// is errs.NotFound. Other failures are those of [model.NewAppeal].
//
// Cost: 2 reads and 1 write; 2 reads if the appeal is there. Each webhook that wants it costs 1 write more.
func (s *Store) Appeal(ctx context.Context, uid model.UserID, id, text string) (_ *JudgedAct, err error) {
	defer errs.Wrap(&err, "moderation.Appeal(%q, %q)", uid, id)
	if !model.IsActionID(id) {
		return nil, noDecision()
	}
	ref := s.db.Doc(model.AdminActions, id)
	is := &JudgedAct{}
	data := map[string]string{"appealId": id, "userId": string(uid)}
	told := s.hooks.Of(ctx, model.WebhookAppealCreated, data)
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		of, was := db.Find[model.Action](&l, ref), db.Find[model.Appeal](&l, s.appeal(id))
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		if !of.Found || of.Doc.UserID != uid || of.Doc.By == uid || !of.Doc.Appealable() {
			return noDecision()
		}
		is.Action = of.Doc
		is.ID = id
		appeal, err := model.NewAppeal(&is.Action, text, s.db.Time())
		if was.Found {
			if err != nil && errs.CodeOf(err) != "too_late_to_appeal" || err == nil && appeal.Text != was.Doc.Text {
				return errs.New(errs.Exists, "appeal_exists", "there is an appeal against this decision already")
			}
			was.Doc.ID, is.Appeal = id, &was.Doc
			return nil
		}
		if err != nil {
			return err
		}
		is.Appeal = appeal
		if is.TweetID != "" {
			data["tweetId"] = string(is.TweetID)
		}
		if err := told.Write(tx); err != nil {
			return err
		}
		return tx.Create(s.appeal(id), appeal)
	})
	if err != nil {
		return nil, err
	}
	return is, nil
}

// Appeals lists the appeals that wait for an answer, oldest first.
//
// Cost: 1 read for each, at least 1.
func (s *Store) Appeals(ctx context.Context, from model.Cursor, limit int) (_ model.Page[*model.Appeal], err error) {
	defer errs.Wrap(&err, "moderation.Appeals")
	q := s.db.Client.Collection(model.Appeals).Where(fields.State, "==", model.AppealOpen)
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Asc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Appeal, model.Cursor, error) {
			is := &model.Appeal{ID: snap.Ref.ID}
			err := snap.DataTo(is)
			return is, model.Cursor{At: is.CreatedAt, ID: is.ID}, err
		})
}

// FindAppeal returns an appeal. An unknown one is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) FindAppeal(ctx context.Context, id string) (_ *model.Appeal, err error) {
	defer errs.Wrap(&err, "moderation.FindAppeal(%q)", id)
	if !model.IsActionID(id) {
		return nil, noAppeal()
	}
	is := &model.Appeal{ID: id}
	found, err := s.db.Get(ctx, s.appeal(id), is)
	if err == nil && !found {
		err = noAppeal()
	}
	return is, err
}

// AnswerAppeal answers an appeal. If it reverses the decision, the commit also undoes what the decision did and what no
// other decision did again since: a frozen user may write again, and a flagged tweet is shown again. What is deleted or
// edited stays so. The same answer again changes nothing, and another answer is errs.Conflict (appeal_answered). An
// unknown appeal is errs.NotFound.
//
// changed is the account status that the answer changed, for [Store.Mirror]; nil if it changed none.
//
// Cost: 1 read and 2 writes; to reverse 1 to 6 reads and 2 writes more, and 1 write for each webhook that wants it.
func (s *Store) AnswerAppeal(ctx context.Context, by Actor, id string, state model.AppealState, answer string) (
	_ *model.Appeal, changed *model.AccountStatus, err error) {
	defer errs.Wrap(&err, "moderation.AnswerAppeal(%q)", id)
	if !model.IsActionID(id) {
		return nil, nil, noAppeal()
	}
	ref := s.appeal(id)
	var is model.Appeal
	var entries []*model.Action
	var last *model.Action // of the entries, which one commit writes
	data := map[string]string{"state": string(model.AccountStatusFree)}
	told := s.hooks.Of(ctx, model.WebhookAccountChanged, data)
	err = s.db.TransactOnce(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		is, entries, last, changed = model.Appeal{}, nil, nil, nil
		found, err := db.GetIn(tx, ref, &is)
		is.ID = id
		switch {
		case err != nil:
			return err
		case !found:
			return noAppeal()
		case is.State == state && is.Answer == answer:
			return nil
		case is.State != model.AppealOpen:
			return errs.New(errs.Conflict, "appeal_answered", "this appeal was answered already")
		}
		var undo undone
		if state == model.AppealReversed {
			if undo, err = s.undo(tx, by, &is); err != nil {
				return err
			}
		}
		last = s.entry(by, model.ActAnswerAppeal, is.UserID)
		last.TweetID, last.After = is.TweetID, map[string]string{"decision": id, "state": string(state)}
		entries, changed = []*model.Action{last}, undo.status
		if undo.write != nil {
			entries = append(entries, undo.entry)
			if err := undo.write(); err != nil {
				return err
			}
		}
		if changed != nil {
			data["userId"] = string(is.UserID)
			if err := told.Write(tx); err != nil {
				return err
			}
		}
		for _, e := range entries {
			if err := tx.Set(s.db.Doc(model.AdminActions, e.ID), e); err != nil {
				return err
			}
		}
		at := s.db.Time()
		is.State, is.Answer, is.AnsweredBy, is.AnsweredAt, is.ExpireAt = state, answer, by.UID, at, at.Add(model.AppealKept)
		return tx.Set(ref, is)
	}, s.logged(&last))
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		s.done(ctx, e, nil)
	}
	if is.TweetID != "" {
		s.tweets.ForgetTweet(is.TweetID)
	}
	if changed != nil { // with the time of the commit
		if changed, err = s.AccountStatus(ctx, is.UserID); err != nil {
			return nil, nil, err
		}
		s.Statuses.Note(*changed)
	}
	return &is, changed, nil
}

// undone is what an answer undoes: the entry of the act, what writes it, and the account status that it changes, if
// any.
type undone struct {
	entry  *model.Action
	write  func() error
	status *model.AccountStatus
}

// undo reads what a decision did. If that still stands, undo returns how it is undone in the transaction.
func (s *Store) undo(tx *firestore.Transaction, by Actor, of *model.Appeal) (undone, error) {
	if of.Act == model.ActFreeze {
		return s.undoFreeze(tx, by, of)
	}
	if of.Act == model.ActFlag {
		return s.undoFlag(tx, by, of)
	}
	return undone{}, nil
}

func (s *Store) undoFreeze(tx *firestore.Transaction, by Actor, of *model.Appeal) (undone, error) {
	ref := s.db.Doc(model.AccountStatuses, string(of.UserID))
	is := model.AccountStatus{UserID: of.UserID}
	found, err := db.GetIn(tx, ref, &is)
	if err != nil || !found || is.Action != of.ID || is.State != model.AccountStatusFrozen {
		return undone{}, err
	}
	entry := s.entry(by, model.ActUnfreeze, of.UserID)
	entry.Before = map[string]string{"state": string(is.State)}
	entry.After = map[string]string{"state": string(model.AccountStatusFree)}
	return undone{entry, func() error {
		return tx.Update(ref, []firestore.Update{
			{Path: fields.State, Value: model.AccountStatusFree}, {Path: fields.Reason, Value: by.Reason},
			{Path: fields.By, Value: by.UID}, {Path: fields.Action, Value: entry.ID}, {Path: fields.ToMirror, Value: true},
			{Path: fields.ChangedAt, Value: firestore.ServerTimestamp}, {Path: fields.StateAt, Value: firestore.Delete},
		})
	}, &is}, nil
}

func (s *Store) undoFlag(tx *firestore.Transaction, by Actor, of *model.Appeal) (undone, error) {
	var t model.Tweet
	ref := s.db.Tweet(of.TweetID)
	found, err := db.GetIn(tx, ref, &t)
	if err != nil || !found || !t.IsViolative {
		return undone{}, err
	}
	if stands, err := s.flaggedBy(tx, of); err != nil || !stands {
		return undone{}, err
	}
	entry := s.entry(by, model.ActUnflag, of.UserID)
	entry.TweetID, entry.Revision = of.TweetID, &t.Revision
	return undone{entry: entry, write: func() error {
		return tx.Update(ref, s.db.Stamped(ref, []firestore.Update{
			{Path: fields.IsViolative, Value: false}, {Path: model.ModeratedAt, Value: firestore.ServerTimestamp},
		}))
	}}, nil
}

// flaggedBy reports whether the flag of a tweet is that of a decision, and not of a later one.
func (s *Store) flaggedBy(tx *firestore.Transaction, of *model.Appeal) (bool, error) {
	const most = 5 // acts on one tweet after its flag, before a moderator has to look
	snaps, err := tx.Documents(s.db.Client.Collection(model.AdminActions).Where(fields.TweetID, "==", of.TweetID).
		OrderBy(fields.At, firestore.Desc).Limit(most)).GetAll()
	if err != nil {
		return false, err
	}
	for _, snap := range snaps {
		var a model.Action
		if err := snap.DataTo(&a); err != nil {
			return false, err
		}
		if a.Act == model.ActFlag || a.Act == model.ActUnflag {
			return snap.Ref.ID == of.ID, nil
		}
	}
	return false, nil
}

func (s *Store) appeal(id string) *firestore.DocumentRef { return s.db.Doc(model.Appeals, id) }

func noDecision() error {
	return errs.New(errs.NotFound, "decision_not_found", "there is no such decision about your account or tweets")
}

func noAppeal() error { return errs.New(errs.NotFound, "appeal_not_found", "there is no such appeal") }
