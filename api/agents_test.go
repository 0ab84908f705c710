package api_test

import (
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// Administrators keep models and agents. A profile names a model that is there, and its owner stops the agent.
func TestAgents(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	bot := e.join(t, "bot")
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(e.join(t, "ruth").id), "admin": true})
	agent := map[string]any{"model": "spark 1", "budget": map[string]any{"posts": 3}, "running": true}
	path := "/v1/admin/agents/" + string(bot.id)
	e.do(t, "PUT", path, admin, agent).problem(t, http.StatusConflict, "not_a_bot")
	e.do(t, "PATCH", "/v1/users/me", bot.token, map[string]any{"bot": true}).want(t, http.StatusOK, nil)
	e.do(t, "PUT", path, admin, agent).problem(t, http.StatusBadRequest, "unknown_ai_model")
	e.do(t, "PATCH", "/v1/users/me", bot.token, map[string]any{"aiModel": "spark 1"}).
		problem(t, http.StatusBadRequest, "unknown_ai_model")
	e.do(t, "PUT", "/v1/admin/ai-models/spark%201", admin, map[string]any{"provider": "us", "input": 5, "enabled": true}).
		want(t, http.StatusOK, nil)
	var models server.List[api.AIModel]
	e.do(t, "GET", "/v1/ai-models", "", nil).want(t, http.StatusOK, &models)
	if want := (api.AIModel{Label: "spark 1", Provider: "us", Input: 5, Enabled: true}); len(models.Items) != 1 ||
		models.Items[0] != want {
		t.Errorf("the models are %+v", models.Items)
	}
	e.do(t, "PATCH", "/v1/users/me", bot.token, map[string]any{"aiModel": "spark 1"}).want(t, http.StatusOK, nil)
	var is api.Agent
	e.do(t, "PUT", path, admin, agent).want(t, http.StatusOK, &is)
	if !is.Running || is.NextAt == nil || is.EveryMinutes != 60 || is.Budget.Posts != 3 {
		t.Errorf("the agent is %+v", is)
	}
	e.do(t, "PUT", "/v1/users/me/agent", bot.token, map[string]any{"running": false}).want(t, http.StatusOK, &is)
	if is.Running || is.NextAt != nil || is.StoppedBy != bot.id {
		t.Errorf("the stopped agent is %+v", is)
	}
	agent["running"] = false
	e.do(t, "PUT", "/v1/users/me/agent", bot.token, map[string]any{"running": true}).want(t, http.StatusOK, nil)
	e.do(t, "PUT", path, admin, agent).want(t, http.StatusOK, nil)
	e.do(t, "PUT", "/v1/users/me/agent", bot.token, map[string]any{"running": true}).
		problem(t, http.StatusForbidden, "agent_stopped")
	e.do(t, "GET", "/v1/users/me/agent", bot.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/users/me/agent", e.join(t, "ann").token, nil).problem(t, http.StatusNotFound, "no_agent")
	var all server.List[api.Agent]
	e.do(t, "GET", "/v1/admin/agents", admin, nil).want(t, http.StatusOK, &all)
	var acts server.List[api.AgentAct]
	e.do(t, "GET", path+"/acts", admin, nil).want(t, http.StatusOK, &acts)
	e.do(t, "GET", "/v1/users/me/agent/acts", bot.token, nil).want(t, http.StatusOK, &acts)
	if len(all.Items) != 1 || all.Items[0].UserID != bot.id || len(acts.Items) != 0 {
		t.Errorf("the agents are %+v, the acts %+v", all.Items, acts.Items)
	}
	e.do(t, "DELETE", "/v1/admin/ai-models/spark%201", admin, nil).want(t, http.StatusNoContent, nil)
	for _, at := range []string{"/v1/users/me", "/v1/users/" + string(bot.id)} {
		var u api.User
		e.do(t, "GET", at, bot.token, nil).want(t, http.StatusOK, &u)
		if u.AIModel != "" {
			t.Errorf("GET %s names the model %q, which is gone", at, u.AIModel)
		}
	}
	var log server.List[api.Action]
	e.do(t, "GET", "/v1/admin/actions?user="+string(bot.id), admin, nil).want(t, http.StatusOK, &log)
	if len(log.Items) != 4 || log.Items[0].Act != model.ActPutAgent || log.Items[2].Role != model.RoleUser {
		t.Errorf("the audit log has %+v", log.Items)
	}
}
