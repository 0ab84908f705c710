package mastodon

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Report is the entity of a complaint of the caller.
type Report struct {
	ID            string   `json:"id"`
	ActionTaken   bool     `json:"action_taken"`
	ActionTakenAt stamp    `json:"action_taken_at"`
	Category      string   `json:"category"`
	Comment       string   `json:"comment"`
	Forwarded     bool     `json:"forwarded"`
	CreatedAt     stamp    `json:"created_at"`
	StatusIDs     []string `json:"status_ids"`
	CollectionIDs []string `json:"collection_ids"`
	RuleIDs       []string `json:"rule_ids"`
	TargetAccount *Account `json:"target_account"`
}

type newReport struct {
	TweetID model.TweetID `json:"tweetId,omitempty"`
	UserID  string        `json:"userId,omitempty"`
	Reason  string        `json:"reason"`
	Text    string        `json:"text,omitempty"`
	Forward bool          `json:"forward,omitempty"`
}

const (
	maxReported = 10    // posts of a report
	maxComment  = 1_000 // characters
)

// reasons are the native reasons of categories.
var reasons = map[string]string{"": "other", "spam": "spam", "legal": "illegal", "violation": "other", "other": "other"}

func reportMethods() []Method {
	return []Method{
		post("/api/v1/reports", "write write:reports", report).note(
			"each post is a report of its own, 10 at most; its id is that of the account; broken rules stand in the comment"),
	}
}

// report reports an account, or posts of it.
//
// Cost: that of POST /v1/reports for each post, of the account, and of tweets:batchGet.
func report(c *call) (any, error) {
	uid, category := c.params.text("account_id"), c.params.text("category")
	if uid == "" {
		return nil, invalid("account_id is missing")
	}
	ruleIDs := c.params.texts("rule_ids")
	if len(ruleIDs) > 0 {
		category = "violation"
	}
	reason, ok := reasons[category]
	if !ok {
		return nil, invalid("category is spam, legal, violation or other")
	}
	comment, err := c.comment(ruleIDs)
	if err != nil {
		return nil, err
	}
	account, err := c.fullAccount(uid)
	if err != nil {
		return nil, err
	}
	tweets, statusIDs, err := c.reported(account)
	if err != nil {
		return nil, err
	}
	n := newReport{UserID: account.ID, Reason: reason, Text: comment,
		Forward: c.params.flag("forward") && strings.Contains(account.Acct, "@")}
	all := []newReport{n}
	if len(tweets) > 0 {
		all = each(tweets, func(id model.TweetID) newReport {
			n.UserID, n.TweetID = "", id
			return n
		})
	}
	for _, one := range all {
		if err := c.send(http.MethodPost, "/v1/reports", one, nil); err != nil {
			return nil, err
		}
	}
	if category == "" {
		category = "other"
	}
	return Report{ID: account.ID, Category: category, Comment: c.params.text("comment"), Forwarded: n.Forward,
		CreatedAt: stamp(time.Now()), StatusIDs: statusIDs, CollectionIDs: []string{}, RuleIDs: notNull(ruleIDs),
		TargetAccount: account}, nil
}

// comment is the text of a report: what the client says, and the rules that are broken.
func (c *call) comment(ruleIDs []string) (string, error) {
	text := c.params.text("comment")
	if len(ruleIDs) > 0 {
		is, err := c.instance()
		if err != nil {
			return "", err
		}
		for _, id := range ruleIDs {
			n, err := strconv.Atoi(id)
			if err != nil || n < 1 || n > len(is.Rules) {
				return "", invalid("rule_ids[] has the id of no rule")
			}
			text += "\n" + id + ". " + is.Rules[n-1]
		}
		text = strings.TrimSpace(text)
	}
	letters := []rune(text)
	if len([]rune(c.params.text("comment"))) > maxComment {
		return "", invalid("comment has at most %d characters", maxComment)
	}
	return string(letters[:min(len(letters), maxComment)]), nil
}

// reported are the posts of a report that are of the reported account.
func (c *call) reported(of *Account) (tweets []model.TweetID, statusIDs []string, err error) {
	statusIDs = []string{}
	asked := unique(c.params.texts("status_ids"))
	if len(asked) > maxReported {
		return nil, nil, invalid("a report has at most %d statuses", maxReported)
	}
	var ids []model.TweetID
	for _, id := range asked {
		tweet, err := tweetOf(id)
		if err != nil {
			return nil, nil, err
		}
		ids = append(ids, tweet)
	}
	found, err := c.batch(ids)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		if t := found[id]; t != nil && string(t.AuthorID) == of.ID {
			tweets, statusIDs = append(tweets, id), append(statusIDs, statusID(id))
		}
	}
	if len(ids) > 0 && len(tweets) == 0 {
		return nil, nil, notHere()
	}
	return tweets, statusIDs, nil
}
