package api

import (
	"context"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// viewer is the caller as one for whom the API reads. Whether a member has a profile makes
// no difference to what the member sees.
func viewer(ctx context.Context) model.Viewer {
	c := server.Caller(ctx)
	return model.Viewer{ID: c.UID, Role: c.Role()}
}

// userID reads a user id from a path, where "me" is the caller.
func userID(ctx context.Context, s string) (model.UserID, error) {
	if s != "me" {
		return model.ParseUserID(s)
	}
	if c := server.Caller(ctx); c.UID != "" {
		return c.UID, nil
	}
	return "", model.MayWrite(model.SignedOut)
}

// actorOf is a caller as the audit log names the caller.
func actorOf(c model.Caller, reason string) moderation.Actor {
	role := model.RoleModerator
	if c.Admin {
		role = model.RoleAdministrator
	}
	return moderation.Actor{UID: c.UID, Role: role, Reason: reason}
}
