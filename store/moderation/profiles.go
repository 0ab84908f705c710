package moderation

import (
	"context"
	"strconv"
	"strings"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// linesOf returns fields of a profile as a text.
func linesOf(all []model.ProfileField) string {
	var lines []string
	for _, f := range all {
		lines = append(lines, f.Name+": "+f.Value)
	}
	return strings.Join(lines, "\n")
}

// EditProfile changes or clears fields of a user's profile, for a moderator. An empty nickname becomes the username.
// The audit log has each changed field, before and after. Failures are those of [users.Store.UpdateUser].
//
// Cost: 2 reads and 1 write, and what UpdateUser costs.
func (s *Store) EditProfile(ctx context.Context, by Actor, uid model.UserID, p model.UserPatch) (err error) {
	defer errs.Wrap(&err, "moderation.EditProfile(%q)", uid)
	was, err := s.users.FullUser(ctx, uid)
	if err != nil {
		return err
	}
	if p.Nickname != nil && *p.Nickname == "" {
		name := was.Username
		if p.Username != nil {
			name = *p.Username
		}
		p.Nickname = &name
	}
	if p, err = p.Clean(); err != nil {
		return err
	}
	entry := s.entry(by, model.ActEdit, uid)
	entry.Before, entry.After = map[string]string{}, map[string]string{}
	note := func(field, before string, after *string) {
		if after != nil {
			entry.Before[field], entry.After[field] = before, *after
		}
	}
	note("username", was.Username, p.Username)
	note("nickname", was.Nickname, p.Nickname)
	note("introduction", was.Introduction, p.Introduction)
	note("pronouns", was.Pronouns, p.Pronouns)
	if p.Fields != nil {
		note("fields", linesOf(was.Fields), new(linesOf(*p.Fields)))
	}
	note("avatar", was.Avatar, p.Avatar)
	if p.HeaderMedia != nil {
		note("header", was.Header, new(""))
	}
	note("aiModel", was.AIModel, p.AIModel)
	note("aiPersonality", was.AIPersonality, p.AIPersonality)
	flip := func(field string, before bool, after *bool) {
		if after != nil {
			entry.Before[field], entry.After[field] = strconv.FormatBool(before), strconv.FormatBool(*after)
		}
	}
	flip("blockStrangers", was.BlockStrangers, p.BlockStrangers)
	flip("locked", was.Locked, p.Locked)
	flip("bot", was.Bot, p.Bot)
	err = s.users.UpdateUser(ctx, uid, p, func(b *db.Batch) { s.log(b, entry) })
	s.done(ctx, entry, err)
	return err
}
