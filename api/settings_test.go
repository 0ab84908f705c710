package api_test

import (
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/api"
)

// TestNotificationSettings changes of what a user gets notifications, and mutes a conversation.
func TestNotificationSettings(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	const path = "/v1/users/me/settings/notifications"
	var is api.NotificationSettings
	e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &is)
	if !is.Follow || !is.Like || !is.Share || !is.Reply || !is.Mention || len(is.MutedConversations) > 0 {
		t.Errorf("at first the settings are %+v", is)
	}
	e.do(t, "PATCH", path, ann.token, map[string]any{"like": false, "mention": false}).want(t, http.StatusOK, nil)
	e.do(t, "PATCH", path, ann.token, map[string]any{"like": true}).want(t, http.StatusOK, &is)
	if !is.Follow || !is.Like || is.Mention {
		t.Errorf("the settings are %+v, want no mentions", is)
	}
	e.do(t, "PATCH", path, ann.token, map[string]any{}).problem(t, http.StatusBadRequest, "empty_patch")
	e.do(t, "PATCH", path, ann.token, `{"like": null}`).problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "PATCH", path, ann.token, map[string]any{"push": true}).problem(t, http.StatusBadRequest, "invalid_request")

	root := e.post(t, bob, map[string]any{"content": "loud"})
	reply := e.post(t, bob, map[string]any{"content": "re", "replyTo": root.ID})
	e.do(t, "PUT", "/v1/tweets/"+string(reply.ID)+"/mute", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &is)
	if len(is.MutedConversations) != 1 || is.MutedConversations[0] != root.ID || is.Mention {
		t.Errorf("the settings are %+v, want %s muted", is, root.ID)
	}
	e.do(t, "DELETE", "/v1/tweets/"+string(root.ID)+"/mute", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &is)
	if len(is.MutedConversations) > 0 {
		t.Errorf("the settings are %+v, want nothing muted", is)
	}
}
