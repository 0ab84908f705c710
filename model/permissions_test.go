package model

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// The columns and values of testdata/permissions.txt.
var (
	permissionRoles = []string{"signed-out", "anonymous", "no-profile", "member", "frozen", "moderator", "administrator"}
	permissionActs  = []string{"see", "post", "like", "reply", "share", "quote", "edit", "follow", "fold",
		"withdraw"}
	relations    = []string{"author", "stranger", "follower", "followed", "blocked", "blocks", "addressed"}
	audiences    = []string{"public", "unlisted", "followers", "mentioned", "other"}
	tweetStates  = []string{"plain", "flagged", "closed", "strangers"}
	policyStates = []string{"to-followers", "to-following", "to-mentioned"}
	postStates   = []string{"plain", "unverified"}
	answerStates = []string{"plain", "flagged"}
	followStates = []string{"plain", "locked"}
)

// statesOf are the states in which something is that an act is about.
func statesOf(act string) []string {
	switch act {
	case "post":
		return postStates
	case "follow":
		return followStates
	case "fold", "withdraw":
		return answerStates
	case "reply":
		return slices.Concat(tweetStates, policyStates, []string{"holding"})
	case "quote":
		return append(slices.Clone(tweetStates), policyStates...)
	}
	return tweetStates
}

// permissionLine is a line of testdata/permissions.txt.
type permissionLine struct {
	act                       string
	relation, audience, state []string
	cells                     []string
}

func readPermissions(t *testing.T) []permissionLine {
	t.Helper()
	text, err := os.ReadFile("testdata/permissions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []permissionLine
	for n, text := range strings.Split(string(text), "\n") {
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		words := strings.Fields(text)
		if len(words) != 4+int(roles) {
			t.Fatalf("permissions.txt:%d has %d columns, want %d", n+1, len(words), 4+int(roles))
		}
		values := func(word string, all []string) []string {
			if word == "*" {
				return all
			}
			some := strings.Split(word, ",")
			for _, value := range some {
				if !slices.Contains(all, value) {
					t.Errorf("permissions.txt:%d: unknown %q", n+1, value)
				}
			}
			return some
		}
		states := statesOf(words[0])
		lines = append(lines, permissionLine{
			values(words[0], permissionActs)[0], values(words[1], relations), values(words[2], audiences),
			values(words[3], states), words[4:],
		})
	}
	return lines
}

// TestPermissions asks about every case. The table has one answer to each.
func TestPermissions(t *testing.T) {
	t.Parallel()
	lines := readPermissions(t)
	for _, act := range permissionActs {
		states := statesOf(act)
		for _, relation := range relations {
			for _, audience := range audiences {
				for _, state := range states {
					var fits []permissionLine
					for _, l := range lines {
						if l.act == act && slices.Contains(l.relation, relation) && slices.Contains(l.audience, audience) &&
							slices.Contains(l.state, state) {
							fits = append(fits, l)
						}
					}
					what := strings.Join([]string{act, relation, audience, state}, " ")
					if len(fits) != 1 {
						t.Errorf("%d lines fit %s, want one", len(fits), what)
						continue
					}
					for role := range roles {
						if want := fits[0].cells[role]; want != "." {
							if got := permitted(role, act, relation, audience, state); got != want {
								t.Errorf("%s as %s: %s, want %s", what, permissionRoles[role], got, want)
							}
							if relation != "addressed" {
								continue
							}
							if got := permitted(role, act, "named", audience, state); got != want {
								t.Errorf("%s, by a mention, as %s: %s, want %s", what, permissionRoles[role], got, want)
							}
						}
					}
				}
			}
		}
	}
}

// permitted is the cell of a case, by the functions.
func permitted(role Role, act, relation, audience, state string) string {
	const author, other = UserID("author"), UserID("other")
	actor := other
	if relation == "author" {
		actor = author
	}
	tweet := &Tweet{
		ID: "0000000000000000aa", AuthorID: author, Visibility: Audience(audience),
		IsViolative: state == "flagged", AllowLikes: state != "closed", AllowReplies: state != "closed",
		DenyQuotes: state == "closed",
	}
	if slices.Contains(policyStates, state) {
		policy := Policy(strings.TrimPrefix(state, "to-"))
		tweet.AllowReplies, tweet.ReplyPolicy = policy.Stored()
		tweet.DenyQuotes, tweet.QuotePolicy = true, policy
	}
	if state == "holding" {
		tweet.RepliesHeldBy = author
	}
	profile := &User{ID: author, BlockStrangers: state == "strangers", Locked: state == "locked"}
	viewerRelationships := ViewerRelationship{Blocked: relation == "blocked", Blocks: relation == "blocks",
		Followed: relation == "followed", Follows: relation == "follower"}
	switch relation {
	case "addressed":
		tweet.ReplyTo, tweet.ReplyToAuthorID = &tweet.ID, actor
	case "named":
		tweet.Mentions = map[string]time.Time{string(actor): time.Unix(1, 0)}
	}
	if act == "see" {
		viewer := Viewer{actor, role}
		if role == SignedOut {
			viewer.ID = ""
		}
		if Visible(viewer, tweet, viewerRelationships) {
			return "yes"
		}
		return "no"
	}
	err := MayWrite(role)
	if err == nil {
		switch act {
		case "post":
			err = MayPost(true, state != "unverified")
		case "like":
			err = MayLike(actor, tweet, profile, viewerRelationships)
		case "reply":
			err = MayReply(actor, tweet, profile, viewerRelationships)
		case "share":
			err = MayShare(actor, tweet, viewerRelationships)
		case "quote":
			err = MayQuote(actor, tweet, profile, viewerRelationships)
		case "edit":
			err = MayEdit(actor, tweet, viewerRelationships)
		case "fold":
			reply := &Tweet{ID: "0000000000000000bb", AuthorID: "third", ReplyTo: &tweet.ID, Visibility: Public}
			err = MayFold(actor, reply, tweet, viewerRelationships)
		case "withdraw":
			err = MayWithdraw(actor, tweet, viewerRelationships)
		case "follow":
			err = MayFollow(viewerRelationships)
		default:
			panic(fmt.Sprintf("unknown act %q", act))
		}
	}
	switch {
	case err == nil && act == "follow" && MustAsk(profile, viewerRelationships):
		return "asks"
	case err == nil && act == "reply" && tweet.HoldsRepliesOf(actor, viewerRelationships):
		return "waits"
	case err == nil:
		return "yes"
	case errs.CodeOf(err) == errs.CodeOf(NoTweet("")):
		return "no"
	}
	return errs.CodeOf(err)
}

// A viewer without an account has written nothing, whatever uid the token has.
func TestAnonymousAuthor(t *testing.T) {
	t.Parallel()
	tweet := &Tweet{AuthorID: "ann", Visibility: Public, IsViolative: true}
	if Visible(Viewer{"ann", Anonymous}, tweet, ViewerRelationship{}) ||
		Visible(Viewer{}, &Tweet{}, ViewerRelationship{}) || VisibleRevision(Viewer{"ann", Anonymous},
		&Tweet{AuthorID: "ann", HiddenRevisions: 1}, 1) {
		t.Error("a viewer without an account sees what is hidden")
	}
	if err := MayPost(false, false); err != nil {
		t.Errorf("posting needs a verified address, although nobody asked for one: %v", err)
	}
}
