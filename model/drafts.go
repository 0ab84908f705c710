package model

import (
	"reflect"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// SavedDraft is a tweet that its author has not posted yet: drafts/{uid_id}. With PublishAt the
// draft is scheduled: the tweet is posted then.
type SavedDraft struct {
	Draft
	ID        string     `firestore:"-"`
	UserID    UserID     `firestore:"userId"`
	PublishAt *time.Time `firestore:"publishAt,omitempty"` // absent from a draft that waits for its author
	// the part of the index of due drafts; there if PublishAt is
	DueShard *int `firestore:"dueShard,omitempty"`
	// why the draft was not posted when it was due; absent otherwise
	Failure  *DraftFailure `firestore:"failure,omitempty"`
	Revision int           `firestore:"revision"` // number of changes
	// a hash of the request that made the draft, if the request may be repeated
	Request   string    `firestore:"request,omitempty"`
	CreatedAt time.Time `firestore:"createdAt"`
	UpdatedAt time.Time `firestore:"updatedAt"`
}

// DraftFailure says why a scheduled draft was not posted.
type DraftFailure struct {
	Code      string    `firestore:"code" json:"code"`     // of the error
	Detail    string    `firestore:"detail" json:"detail"` // for the author
	At        time.Time `firestore:"at" json:"at"`
	PublishAt time.Time `firestore:"publishAt" json:"publishAt"` // when the tweet was to be posted
}

// NewDraftID returns the id of a draft that a user saves. A request with a key that is repeated
// gets the same id.
func NewDraftID(uid UserID, requestKey string) string {
	return hashedID(draftIDLength, string(uid), requestKey)
}

const draftIDLength = 20

// ParseDraftID checks the form of the id of a draft. Any other text is errs.Invalid.
func ParseDraftID(s string) (string, error) {
	if !isHex(s, draftIDLength) {
		return "", errs.New(errs.Invalid, "invalid_draft_id", "the id of a draft is %d lower-case hexadecimal digits",
			draftIDLength)
	}
	return s, nil
}

// DraftKey names a draft of a user.
func DraftKey(uid UserID, id string) string { return key(uid) + "_" + id }

// DraftID is the id in the key of a draft.
func DraftID(draftKey string) string {
	_, id, _ := strings.Cut(draftKey, "_")
	return id
}

// Validate refuses a draft that [Draft.Validate] refuses, and a time to post that is not after now, or later than
// MaxSchedule.
func (d *SavedDraft) Validate(now time.Time) error {
	if err := d.Draft.Validate(); err != nil {
		return err
	}
	if d.PublishAt != nil && (!d.PublishAt.After(now) || d.PublishAt.Sub(now) > MaxSchedule) {
		return errs.New(errs.Invalid, "invalid_publish_at", "publishAt must be a time to come, within %d days",
			MaxSchedule/(24*time.Hour))
	}
	return nil
}

// Reconcile sets the derived fields: the shard, and no empty lists.
func (d *SavedDraft) Reconcile() {
	if len(d.Tags) == 0 {
		d.Tags = nil
	}
	if len(d.Media) == 0 {
		d.Media = nil
	}
	d.DueShard = nil
	if d.PublishAt != nil {
		at := d.PublishAt.UTC().Truncate(time.Microsecond)
		d.PublishAt, d.DueShard = &at, new(int(hashByte(d.ID))%DueShards)
	}
}

// Says reports whether two reconciled drafts are the same tweet at the same time.
func (d *SavedDraft) Says(other *SavedDraft) bool {
	if (d.PublishAt == nil) != (other.PublishAt == nil) || d.PublishAt != nil && !d.PublishAt.Equal(*other.PublishAt) {
		return false
	}
	return reflect.DeepEqual(d.Draft, other.Draft)
}

// NoDraft returns the error of an id under which the caller has no draft.
func NoDraft(id string) error {
	return errs.New(errs.NotFound, "draft_not_found", "you have no draft %q; a scheduled one may have been posted", id)
}

// DraftChanged returns the error of a draft that changed since the caller read it.
func DraftChanged(d *SavedDraft) error {
	return errs.New(errs.Outdated, "draft_changed", "draft %q was changed since you read it; it has changed %d times now",
		d.ID, d.Revision)
}
