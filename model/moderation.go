package model

import (
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Limits of what moderators and reporters write, in characters.
const (
	MaxReportText = 1_000
	MaxReason     = 1_000
	MaxNote       = 2_000

	// MaxBefore is how many characters of each changed field the audit log keeps.
	MaxBefore = 280

	// ReportWindow is how long the database keeps a resolved report.
	ReportWindow = 180 * 24 * time.Hour
)

// StaffRole is a set of rights beyond those of every user.
type StaffRole string

// The roles. An administrator has all rights of a moderator.
const (
	RoleAdministrator StaffRole = "administrator"
	RoleModerator     StaffRole = "moderator"
	RoleCommand       StaffRole = "command" // hibana admin, which has no account
	RoleUser          StaffRole = "user"    // a user about the own account
)

// Account is a user's account in Firebase Auth.
type Account struct {
	UID       UserID
	Email     string // in lower case; may be empty
	Admin     bool
	Moderator bool
	Frozen    bool // the claim of a frozen user
	Disabled  bool // a suspended user cannot sign in

	EmailVerified bool
	CreatedAt     time.Time
	SeenAt        time.Time // when the user signed in, or an app of the user got an ID token, for the last time
	// ValidSince is when all sessions ended for the last time, in whole seconds: by the user, a moderator, a changed
	// password or address. Without such an end it is about when the account was made.
	ValidSince time.Time
}

// NewAccount is an account that an administrator makes. Without an address nobody can sign in with it.
type NewAccount struct {
	UID           UserID
	Email         string // in lower case; may be empty
	EmailVerified bool
	Password      string // empty for a random one that nobody knows
}

// AccountStatusState says what an account may do.
type AccountStatusState string

// The states. A user without an account status is free.
const (
	AccountStatusFree      AccountStatusState = "free"
	AccountStatusFrozen    AccountStatusState = "frozen"    // may read and delete the account, and not write
	AccountStatusSuspended AccountStatusState = "suspended" // may do nothing
)

// AccountStatus is the moderators' decision about an account, and the user's to end all sessions: standings/{uid}.
type AccountStatus struct {
	UserID    UserID             `firestore:"-"`
	State     AccountStatusState `firestore:"state,omitempty"` // absent if no moderator ever changed it
	Reason    string             `firestore:"reason"`
	By        UserID             `firestore:"by"`
	Action    string             `firestore:"action"` // of the audit log
	ChangedAt time.Time          `firestore:"changedAt,serverTimestamp"`
	ToMirror  bool               `firestore:"toMirror,omitempty"` // Firebase Auth may not have it yet

	// ValidSince is when the user ended all sessions for the last time, and absent from most. ID tokens of earlier
	// sign-ins are refused: see [AccountStatus.SessionsSince].
	ValidSince time.Time `firestore:"validSince,omitempty"`
	// StateAt is when a moderator changed the state, if ChangedAt is a later end of all sessions; absent otherwise.
	StateAt time.Time `firestore:"stateAt,omitempty"`
}

// Withheld are the states of accounts that lists of people and trends leave out. A user without a state is free.
var Withheld = []AccountStatusState{AccountStatusFrozen, AccountStatusSuspended}

// StateChangedAt returns when a moderator changed the state, or the zero time.
func (s *AccountStatus) StateChangedAt() time.Time {
	switch {
	case s.Action == "":
		return time.Time{}
	case !s.StateAt.IsZero():
		return s.StateAt
	}
	return s.ChangedAt
}

// SessionsSince returns the time before which a sign-in counts no more, or the zero time. Firebase Auth has the times
// of sign-ins in whole seconds, so a sign-in within the same second counts.
func (s *AccountStatus) SessionsSince() time.Time { return s.ValidSince.Truncate(time.Second) }

// Act is a kind of administrative act.
type Act string

// The kinds of administrative acts.
const (
	ActFreeze    Act = "freeze"
	ActUnfreeze  Act = "unfreeze"
	ActSuspend   Act = "suspend"
	ActUnsuspend Act = "unsuspend"
	ActFlag      Act = "flag"
	ActUnflag    Act = "unflag"
	ActEdit      Act = "edit_profile"
	ActNote      Act = "note"
	ActResolve   Act = "resolve_report"
	ActDelete    Act = "delete_tweet"
	ActRepair    Act = "repair"
	ActGrant     Act = "grant_role"
	ActRevoke    Act = "revoke_role"

	// ActFindAccount looks an account up by its e-mail address, which the entry does not have: an entry stays when the
	// account is deleted. It has no user if no account has the address.
	ActFindAccount Act = "find_account"
	// ActResetPassword sends the account's address a letter with which its owner sets another password.
	ActResetPassword Act = "reset_password"

	ActAnnounce           Act = "announce" // Before and After have the id, title and text
	ActRemoveAnnouncement Act = "remove_announcement"
	ActBlockSignUps       Act = "block_sign_ups" // After has the domain or network
	ActUnblockSignUps     Act = "unblock_sign_ups"
	ActSetDomain          Act = "set_domain"     // Before and After have the severity of a domain of the fediverse
	ActForward            Act = "forward_report" // by the reporter; After has the domain of the server
	ActRemoveDomain       Act = "remove_domain"
	ActImportDomains      Act = "import_domains" // After has the number of rows
	ActAddWebhook         Act = "add_webhook"    // After has the id, and the host of the address
	ActChangeWebhook      Act = "change_webhook" // its secret, too
	ActRemoveWebhook      Act = "remove_webhook"
	ActPingWebhook        Act = "ping_webhook"
	ActApproveSignUp      Act = "approve_sign_up"
	ActRefuseSignUp       Act = "refuse_sign_up"
	ActInvite             Act = "invite" // After has the beginning of the code
	ActUninvite           Act = "uninvite"
	ActPutAIModel         Act = "put_ai_model" // Before and After have the model
	ActRemoveAIModel      Act = "remove_ai_model"
	ActPutAgent           Act = "put_agent" // Before and After have the settings
	ActStopAgent          Act = "stop_agent"
	ActStartAgent         Act = "start_agent"
	ActChangeInstance     Act = "change_instance" // Before and After have the changed fields
	ActReviewTrend        Act = "review_trend"    // Before and After have the decision, and After has the tag

	ActCreateUser Act = "create_user"
	ActPostFor    Act = "post_for"   // a tweet in the name of a user
	ActEditTweet  Act = "edit_tweet" // Before and After have the changed fields
	ActActFor     Act = "act_for"    // After has the kind of the act, and its target

	ActDeleteMedia Act = "delete_media" // Before has the id as media, and the description as alt

	ActAnswerAppeal Act = "answer_appeal" // After has the id of the decision, and the new state

	ActAddProduct    Act = "add_product"
	ActChangeProduct Act = "change_product" // also retires it
	ActRestock       Act = "restock_product"
	ActShip          Act = "ship_order"
	ActCancel        Act = "cancel_order"
)

// Action is an entry of the audit log: adminActions/{id}. An entry is written in the commit
// of its act or before it, and never changes.
type Action struct {
	ID   string    `firestore:"-"`
	By   UserID    `firestore:"by"`
	Role StaffRole `firestore:"role"`
	Act  Act       `firestore:"act"`
	// the target: of a tweet, its author; of an order, its customer
	UserID    UserID            `firestore:"userId"`
	TweetID   TweetID           `firestore:"tweetId"`  // may be empty
	ReportID  string            `firestore:"reportId"` // may be empty
	ProductID ProductID         `firestore:"productId,omitempty"`
	OrderID   OrderID           `firestore:"orderId,omitempty"`
	Revision  *int              `firestore:"revision,omitempty"` // of a flag: the number of edits of the judged tweet
	Reason    string            `firestore:"reason"`
	Before    map[string]string `firestore:"before"` // at most MaxBefore characters of each field
	After     map[string]string `firestore:"after"`
	At        time.Time         `firestore:"at,serverTimestamp"`
}

// ReportReasons are the reasons for which a user may report.
var ReportReasons = []string{"spam", "harassment", "hate", "violence", "sexual", "self_harm", "illegal",
	"impersonation", "other"}

// Decision is a moderator's decision about a report.
type Decision string

// The decisions.
const (
	DecisionActed     Decision = "acted"     // the moderator acted on it
	DecisionDismissed Decision = "dismissed" // no act is needed
)

// Report is a user's complaint about a tweet or about a user:
// reports/{reporter}_{tweet|user}_{target}.
type Report struct {
	ID         string  `firestore:"-"`
	ReporterID UserID  `firestore:"reporterId"`
	UserID     UserID  `firestore:"userId"`  // the reported user, or the author of the reported tweet
	TweetID    TweetID `firestore:"tweetId"` // empty in the report of a user or message
	// Message is a copy of the reported message; nil in other reports. Moderators see no other message.
	Message    *ReportedMessage `firestore:"message,omitempty"`
	Reason     string           `firestore:"reason"`
	Text       string           `firestore:"text"`
	CreatedAt  time.Time        `firestore:"createdAt,serverTimestamp"`
	Open       bool             `firestore:"open"`
	Forwarded  bool             `firestore:"forwarded,omitempty"` // to the server of the reported user
	Resolution *Resolution      `firestore:"resolution"`          // nil while the report is open
	ExpireAt   *time.Time       `firestore:"expireAt"`            // nil while the report is open
}

// ReportedMessage is what a moderator sees of a message: as it was when it was reported.
type ReportedMessage struct {
	ConversationID ConversationID `firestore:"conversationId"`
	MessageID      MessageID      `firestore:"messageId"`
	Text           string         `firestore:"text"`
	At             time.Time      `firestore:"at"`
	Media          []TweetMedia   `firestore:"media,omitempty"`
}

// Resolution is how a moderator resolved a report.
type Resolution struct {
	Decision Decision  `firestore:"decision"`
	Note     string    `firestore:"note"`
	By       UserID    `firestore:"by"`
	Action   string    `firestore:"action"` // of the audit log
	At       time.Time `firestore:"at"`
}

// UserNote is a moderator's note on a user, for moderators: userNotes/{id}.
type UserNote struct {
	ID     string    `firestore:"-"`
	UserID UserID    `firestore:"userId"`
	By     UserID    `firestore:"by"`
	Text   string    `firestore:"text"`
	At     time.Time `firestore:"at,serverTimestamp"`
}

// ValidateReport accepts a reason of ReportReasons, and a text of at most MaxReportText
// characters.
func ValidateReport(reason, text string) error {
	if !slices.Contains(ReportReasons, reason) {
		return errs.New(errs.Invalid, "invalid_reason", "reason is one of %s", strings.Join(ReportReasons, ", "))
	}
	return validateLength("text", text, MaxReportText)
}

// ValidateReason accepts the reason of an administrative act: at most MaxReason characters.
// A required reason needs more than spaces.
func ValidateReason(reason string, required bool) error {
	if required && strings.TrimSpace(reason) == "" {
		return errs.New(errs.Invalid, "reason_required", "reason needs 1 to %d characters, not only spaces", MaxReason)
	}
	return validateLength("reason", reason, MaxReason)
}

// ValidateNote accepts a note on a user: 1 to MaxNote characters, not only spaces.
func ValidateNote(text string) error {
	if strings.TrimSpace(text) == "" {
		return errs.New(errs.Invalid, "note_required", "text needs 1 to %d characters, not only spaces", MaxNote)
	}
	return validateLength("text", text, MaxNote)
}
