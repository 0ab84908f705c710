package ceilings

import (
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// people adds a full document of suggestions, of people who were all asked and once suspended, and people of the
// directory.
func people(w *world, docs map[string]any, now time.Time) {
	seeker, newcomer := model.UserID(w.seeker.UID), model.UserID(w.newcomer.UID)
	is := model.Suggestions{WantedAt: now.AddDate(0, 0, -2), ComputedAt: now.Add(-time.Hour), DueAt: now}
	for n := range model.MaxCandidates {
		uid := model.UserID(fmt.Sprintf("candidate_%02d", n))
		c := model.Candidate{ID: uid, Followers: model.SuggestFollowed, Tags: []string{"go"}}
		for i := range model.MaxNamed {
			by := model.UserID(fmt.Sprintf("named_%02d", (n+i)%model.SuggestFollowed))
			c.FollowedBy = append(c.FollowedBy, by)
			docs[model.Users+"/"+string(by)] = model.User{Username: string(by), CreatedAt: now}
		}
		is.People = append(is.People, c)
		docs[model.Users+"/"+string(uid)] = model.User{Username: string(uid), CreatedAt: now, UpdatedAt: &now,
			Discoverable: true, Language: []string{"en", "ja"}[n%2], FollowerCount: int64(n)}
		docs[model.AccountStatuses+"/"+string(uid)] = map[string]any{"state": "free", "changedAt": now.AddDate(-1, 0, 0)}
		for _, by := range []model.UserID{seeker, newcomer} {
			docs[model.FollowRequests+"/"+model.FollowRequestKey(by, uid)] = model.FollowRequest{FollowerID: by,
				FollowedID: uid, CreatedAt: now}
		}
	}
	docs[model.SuggestionLists+"/"+w.seeker.UID] = is
	docs[model.Users+"/"+w.seeker.UID] = model.User{Username: "seeker", TweetCount: 1, CreatedAt: now}
	docs[model.Users+"/"+w.newcomer.UID] = model.User{Username: "newcomer", TweetCount: 1, CreatedAt: now}
	docs[model.TagUsages+"/"+model.TagUsageKey(newcomer, "go")] = model.TagUsage{UserID: newcomer, Name: "go",
		TweetCount: 3}
}

// botsOf adds as many AI models as there may be, agents, and what the agent of the viewer did.
func botsOf(w *world, docs map[string]any, now time.Time) {
	all := model.AIModels{Models: map[string]model.AIModel{"m": {Enabled: true}, "gone": {}}}
	for n := range model.MaxAIModels - 2 {
		all.Models[fmt.Sprintf("model_%03d", n)] = model.AIModel{Provider: "somebody"}
	}
	docs[model.AIModelLists+"/all"] = all
	for n := range int64(many) {
		docs[fmt.Sprintf("%s/user_%03d", model.Agents, n)] = model.Agent{Model: "m", CreatedAt: now}
		docs[model.AgentActs+"/"+model.AgentActKey(model.UserID(w.viewer.UID), n, 0)] = model.AgentAct{
			UserID: model.UserID(w.viewer.UID), Kind: model.AgentNothing, State: model.AgentActDone, At: now}
	}
}
