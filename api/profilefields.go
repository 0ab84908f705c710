package api

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// ProfileField is a line of a profile as a client sends it.
type ProfileField struct {
	Name  string `json:"name" minLength:"1" maxLength:"100" doc:"One character at least can be seen" example:"Site"`
	Value string `json:"value" minLength:"1" maxLength:"255" doc:"A text, or one https link" example:"https://example.com"`
}

// ProfileFieldItem is a line of a profile.
type ProfileFieldItem struct {
	Name       string    `json:"name"`
	Value      string    `json:"value"`
	Link       bool      `json:"link" doc:"True if the value is a link. Show it with rel=\"me nofollow noopener\""`
	VerifiedAt time.Time `json:"verifiedAt,omitzero" doc:"When the page of the link linked to this profile with rel=me; absent if it did not"`
}

// profileFields returns the fields of a request; nil stays nil, and an empty list empty.
func profileFields(sent *[]ProfileField) *[]model.ProfileField {
	if sent == nil {
		return nil
	}
	all := each(*sent, func(f ProfileField) model.ProfileField { return model.ProfileField(f) })
	return &all
}

func fieldsOf(d *model.UserDetail, username string) (all []ProfileFieldItem) {
	for _, f := range d.Fields {
		all = append(all, ProfileFieldItem{f.Name, f.Value, f.Link() != "", d.VerifiedAt(f, username)})
	}
	return all
}

// withFields adds the fields to the profile of a user.
//
// Cost: nothing for a user without fields, else 1 read.
func (s *service) withFields(ctx context.Context, u *model.User, to User) (User, error) {
	if !u.HasFields {
		return to, nil
	}
	d, err := s.Users.Detail(ctx, u.ID)
	if err != nil {
		return to, err
	}
	to.Fields = fieldsOf(d, u.Username)
	return to, nil
}

// basic is a profile without the long texts.
//
// Cost: that of withFields.
func (s *service) basic(ctx context.Context, r Rendering, u *model.User) (*userOutput, error) {
	to, err := s.withFields(ctx, u, r.user(s, u))
	if err != nil {
		return nil, err
	}
	return s.seen(ctx, to)
}
