package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/audit"
)

// Differences is what is not as the facts say.
type Differences struct {
	Items []Difference `json:"items" nullable:"false"`
}

// Difference is a place where a derived document is not as the facts say.
type Difference struct {
	Kind     string `json:"kind" doc:"The collection" example:"tweets"`
	Document string `json:"document" doc:"Its path"`
	Field    string `json:"field" doc:"Empty for the whole document" example:"likeCount"`
	Have     any    `json:"have" doc:"null for what is not there"`
	Want     any    `json:"want" doc:"null for what should not be there"`
	Version  string `json:"version" doc:"Of the document of a count, when the difference was found; empty for others"`
}

// Repairs is what two snapshots agreed on.
type Repairs struct {
	Items []Repair `json:"items" nullable:"false"`
}

// Repair is a difference, and what became of it.
type Repair struct {
	Difference
	Repaired bool `json:"repaired" doc:"False for what needs a person"`
}

// Repairing is the part of a request that asks for a repair: how the first of two snapshots is
// taken.
type Repairing struct {
	Settle int `query:"settle" minimum:"0" maximum:"20" default:"0" doc:"Take the second snapshot so many seconds after the first. They must lie further apart than an event can be late"`
	Body   *struct {
		Against []Difference `json:"against" maxItems:"1000" doc:"The items of an earlier answer to the same path with GET and without settle, in the place of the first snapshot"`
	} `required:"false"`
}

// repair repairs what two snapshots agree on.
func (r *Repairing) repair(do func(audit.Options) ([]audit.Difference, error)) (*repairsOutput, error) {
	o := audit.Options{Settle: time.Duration(r.Settle) * time.Second, Repair: true}
	if r.Body != nil {
		o.Against = each(r.Body.Against, func(d Difference) audit.Difference {
			return audit.Difference{Kind: d.Kind, Document: d.Document, Field: d.Field, Have: d.Have, Want: d.Want, Version: d.Version}
		})
	}
	if (r.Settle > 0) == (o.Against != nil) {
		return nil, errs.New(errs.Invalid, "two_snapshots_needed", "say either settle, in seconds, or against")
	}
	found, err := do(o)
	return &repairsOutput{Repairs{each(found, func(d audit.Difference) Repair { return Repair{difference(d), d.Repaired} })}}, err
}

// TimelineAudit is what is wrong with a home timeline.
type TimelineAudit struct {
	Missing   []model.TweetID `json:"missing" nullable:"false" doc:"Should be shown and are not"`
	Extra     []model.TweetID `json:"extra" nullable:"false" doc:"Are shown and should not be"`
	Duplicate []model.TweetID `json:"duplicate" nullable:"false" doc:"Are shown more than once"`
}

// Settling is the part of a request that asks for a second snapshot.
type Settling struct {
	Settle int `query:"settle" minimum:"0" maximum:"20" default:"0" doc:"Take a second snapshot so many seconds later, if the first differs, and tell what both agree on; 0 tells also what only waits for its trigger"`
}

func (s Settling) options() audit.Options {
	return audit.Options{Settle: time.Duration(s.Settle) * time.Second}
}

type differencesOutput struct{ Body Differences }

type repairsOutput struct{ Body Repairs }

type auditOutput struct{ Body TimelineAudit }

// verification adds what tells administrators whether derived documents are right.
func (s *server) verification() {
	register(s, admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/verify/users/{uid}", OperationID: "verifyUser", Tags: []string{"admin"},
		Summary:     "Whether everything derived for a user is as the facts say",
		Description: "Costs a read for each fact and derived document of the user.",
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Settling
	}, uid model.UserID) (*differencesOutput, error) {
		return differences(s.Audit.User(ctx, uid, in.options()))
	}))
	register(s, admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/verify/tweets/{id}", OperationID: "verifyTweet", Tags: []string{"admin"},
		Summary:     "Whether the counts, the author copy and the card of a tweet are as the facts say",
		Description: "Costs a read for each like and reply, and for each of the author's months.",
	}, ofTweet(func(ctx context.Context, in *struct {
		TweetPath
		Settling
	}, id model.TweetID) (*differencesOutput, error) {
		return differences(s.Audit.Tweet(ctx, id, in.options()))
	}))
	register(s, admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/verify/users/{uid}/repair", OperationID: "repairUser", Tags: []string{"admin"}, DefaultStatus: http.StatusOK,
		Summary:     "Mend what is derived for a user, where two snapshots agree that it is wrong",
		Description: "Costs what looking does, twice unless the first snapshot is given, and a few reads and writes for each difference.",
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Repairing
	}, uid model.UserID) (*repairsOutput, error) {
		return in.repair(func(o audit.Options) ([]audit.Difference, error) { return s.Audit.User(ctx, uid, o) })
	}))
	register(s, admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/verify/tweets/{id}/repair", OperationID: "repairTweet", Tags: []string{"admin"}, DefaultStatus: http.StatusOK,
		Summary:     "Mend the counts, the author copy and the card of a tweet, where two snapshots agree that they are wrong",
		Description: "Costs what looking does, twice unless the first snapshot is given, and a few reads and writes for each difference.",
	}, ofTweet(func(ctx context.Context, in *struct {
		TweetPath
		Repairing
	}, id model.TweetID) (*repairsOutput, error) {
		return in.repair(func(o audit.Options) ([]audit.Difference, error) { return s.Audit.Tweet(ctx, id, o) })
	}))
	register(s, admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/timelines/{uid}/audit", OperationID: "auditTimeline", Tags: []string{"admin"},
		Summary:     "Whether a home timeline shows what it should",
		Description: "Compares it with whom its owner follows and what they wrote. Blocks and mutes hide nothing. Costs a read for each tweet of the last 30 days that any of them wrote, and for each that they ever deleted.",
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Settling
	}, uid model.UserID) (*auditOutput, error) {
		a, err := s.Audit.AuditTimeline(ctx, uid, in.options())
		if err != nil {
			return nil, err
		}
		return &auditOutput{TimelineAudit(*a)}, nil
	}))
}

func differences(found []audit.Difference, err error) (*differencesOutput, error) {
	return &differencesOutput{Differences{each(found, difference)}}, err
}

func difference(d audit.Difference) Difference {
	return Difference{d.Kind, d.Document, d.Field, d.Have, d.Want, d.Version}
}
