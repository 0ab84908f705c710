package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/verify"
)

// Differences are the differences between projections and their sources of truth.
type Differences struct {
	Items []Difference `json:"items" nullable:"false"`
}

// Difference is one difference between a projection and its source of truth.
type Difference struct {
	Kind     string `json:"kind" doc:"Collection of the document" example:"tweets"`
	Document string `json:"document" doc:"Path of the document"`
	Field    string `json:"field" doc:"Name of the field; empty for the whole document" example:"likeCount"`
	Have     any    `json:"have" doc:"The value in the database; null if there is none"`
	Want     any    `json:"want" doc:"The value that follows from the source documents; null if there should be none"`
	Version  string `json:"version" doc:"Version of the document when the difference was found; empty if the field is no count"`
}

// Repairs are the differences that two snapshots agree on.
type Repairs struct {
	Items []Repair `json:"items" nullable:"false"`
}

// Repair is a difference, and whether the API repaired it.
type Repair struct {
	Difference
	Repaired bool `json:"repaired" doc:"False if the difference needs a person"`
}

// Repairing is the part of a request that asks for a repair. It also states how the API gets the first of two
// snapshots.
type Repairing struct {
	Reconcile int `query:"settle" minimum:"0" maximum:"20" default:"0" doc:"Seconds from the first snapshot to the second. A late event must arrive within this time"`
	Body      *struct {
		Against []Difference `json:"against" maxItems:"1000" doc:"The items of an earlier answer to GET on the same path without settle. These take the place of the first snapshot"`
	} `required:"false"`
}

// repair repairs the differences that two snapshots agree on.
func (r *Repairing) repair(do func(verify.Options) ([]verify.Difference, error)) (*repairsOutput, error) {
	o := verify.Options{Reconcile: time.Duration(r.Reconcile) * time.Second, Repair: true}
	if r.Body != nil {
		o.Against = each(r.Body.Against, func(d Difference) verify.Difference {
			return verify.Difference{Kind: d.Kind, Document: d.Document, Field: d.Field, Have: d.Have, Want: d.Want,
				Version: d.Version}
		})
	}
	if (r.Reconcile > 0) == (o.Against != nil) {
		return nil, errs.New(errs.Invalid, "two_snapshots_needed", "say either settle, in seconds, or against")
	}
	found, err := do(o)
	return &repairsOutput{Repairs{
		each(found, func(d verify.Difference) Repair { return Repair{difference(d), d.Repaired} })}}, err
}

// TimelineAudit has the tweets by which a home timeline differs from the sources of truth.
type TimelineAudit struct {
	Missing   []model.Position `json:"missing" nullable:"false" doc:"Tweets that the timeline should show and does not"`
	Extra     []model.Position `json:"extra" nullable:"false" doc:"Tweets that the timeline shows and should not"`
	Duplicate []model.Position `json:"duplicate" nullable:"false" doc:"Tweets that the timeline shows more than once"`
}

// Reconciling is the part of a request that asks for a second snapshot.
type Reconciling struct {
	Reconcile int `query:"settle" minimum:"0" maximum:"20" default:"0" doc:"Seconds until a second snapshot, if the first snapshot has differences. The answer has the differences of both snapshots. With 0 it also has differences that only wait for their trigger"`
}

func (s Reconciling) options() verify.Options {
	return verify.Options{Reconcile: time.Duration(s.Reconcile) * time.Second}
}

type differencesOutput struct{ Body Differences }

type repairsOutput struct{ Body Repairs }

type auditOutput struct{ Body TimelineAudit }

const repairText = "The API repairs a difference on which two snapshots agree."

// verification adds the operations that compare projections with their sources of truth and repair them, for
// administrators.
func (s *service) verification() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/verify/users/{uid}", OperationID: "verifyUser", Tags: []string{"admin"},
		Summary: "Compare everything derived for a user with the source documents",
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Reconciling
	}, uid model.UserID) (*differencesOutput, error) {
		return differences(s.Audit.User(ctx, uid, in.options()))
	}))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/verify/tweets/{id}", OperationID: "verifyTweet", Tags: []string{"admin"},
		Summary: "Compare the counts, the author copy and the preview of a tweet with the source documents",
	}, ofTweet(func(ctx context.Context, in *struct {
		TweetPath
		Reconciling
	}, id model.TweetID) (*differencesOutput, error) {
		return differences(s.Audit.Tweet(ctx, id, in.options()))
	}))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/verify/users/{uid}/repair", OperationID: "repairUser",
		Tags: []string{"admin"}, DefaultStatus: http.StatusOK,
		Summary:     "Repair everything derived for a user",
		Description: repairText,
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Repairing
	}, uid model.UserID) (*repairsOutput, error) {
		return in.repair(func(o verify.Options) ([]verify.Difference, error) {
			if err := s.Moderation.Log(ctx, actorOf(server.Caller(ctx), ""), model.Action{Act: model.ActRepair,
				UserID: uid}); err != nil {
				return nil, err
			}
			return s.Audit.User(ctx, uid, o)
		})
	}))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/verify/tweets/{id}/repair", OperationID: "repairTweet",
		Tags: []string{"admin"}, DefaultStatus: http.StatusOK,
		Summary:     "Repair the counts, the author copy and the preview of a tweet",
		Description: repairText,
	}, ofTweet(func(ctx context.Context, in *struct {
		TweetPath
		Repairing
	}, id model.TweetID) (*repairsOutput, error) {
		return in.repair(func(o verify.Options) ([]verify.Difference, error) {
			if err := s.Moderation.Log(ctx, actorOf(server.Caller(ctx), ""), model.Action{Act: model.ActRepair,
				TweetID: id}); err != nil {
				return nil, err
			}
			return s.Audit.Tweet(ctx, id, o)
		})
	}))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/timelines/{uid}/audit", OperationID: "auditTimeline",
		Tags:    []string{"admin"},
		Summary: "Compare a home timeline with its source documents",
		Description: "Its source documents are the owner's follows and the tweets of the followed users. " +
			"Blocks hide nothing.",
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Reconciling
	}, uid model.UserID) (*auditOutput, error) {
		a, err := s.Audit.AuditTimeline(ctx, uid, in.options())
		if err != nil {
			return nil, err
		}
		return &auditOutput{TimelineAudit(*a)}, nil
	}))
}

func differences(found []verify.Difference, err error) (*differencesOutput, error) {
	return &differencesOutput{Differences{each(found, difference)}}, err
}

func difference(d verify.Difference) Difference {
	return Difference{d.Kind, d.Document, d.Field, d.Have, d.Want, d.Version}
}
