package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/hibana-sns/hibana/dev/seed/draw"
)

// seedAdmin is the address of the administrator of the seed. No username may pass for an administrator's.
const seedAdmin = "admin@example.com"

var adminProfile = person{"kanri", "管理人 Kanri", "I look after this network: reports, products, announcements. " +
	"このネットワークの世話係です。困ったときは声をかけてください。"}

// presentAdmin gives the administrator a profile with an avatar. A profile that has an avatar stays as it is.
func (c *client) presentAdmin(ctx context.Context) error {
	token, err := c.signInAdmin(ctx)
	if err != nil {
		return err
	}
	var is struct{ ID, Avatar string }
	err = c.call(ctx, token, http.MethodGet, "/v1/users/me", "", nil, &is)
	if r, ok := errors.AsType[*refusal](err); ok && r.Code == "user_not_found" {
		err = c.call(ctx, token, http.MethodPost, "/v1/users", "", map[string]string{"username": adminProfile.username,
			"nickname": adminProfile.nickname, "introduction": adminProfile.introduction}, &is)
	}
	if err != nil || is.Avatar != "" {
		return err
	}
	id, err := c.upload(ctx, token, &picture{kind: "avatar",
		draw: func() []byte { return draw.Avatar(adminProfile.username) }})
	if r, ok := errors.AsType[*refusal](err); ok && r.Code == "media_off" {
		return nil
	}
	if err != nil {
		return err
	}
	return c.call(ctx, token, http.MethodPatch, "/v1/users/"+is.ID, "", map[string]any{"avatarMedia": id,
		"language": "ja"}, nil)
}
