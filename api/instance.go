package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/markdown/render"
	"github.com/hibana-sns/hibana/internal/version"
	"github.com/hibana-sns/hibana/model"
)

// Instance is what the installation says of itself.
type Instance struct {
	Name             string         `json:"name" doc:"Empty until an administrator sets it"`
	Description      string         `json:"description" doc:"Markdown"`
	DescriptionHTML  string         `json:"descriptionHtml,omitempty" doc:"The description as safe HTML; present with format=html, unless it is empty"`
	Rules            []string       `json:"rules" nullable:"false" doc:"Plain texts"`
	Contact          Contact        `json:"contact"`
	Languages        []string       `json:"languages" nullable:"false" doc:"BCP 47 tags, the main one first" example:"[\"ja\",\"en\"]"`
	Terms            *Terms         `json:"terms,omitempty" doc:"Absent without terms"`
	TermsNeeded      bool           `json:"termsNeeded" doc:"Whether users must consent to the terms before they write: 403 terms_required otherwise"`
	InvitationNeeded bool           `json:"invitationNeeded" doc:"Whether a sign-up needs an invitation: 403 invitation_required otherwise"`
	ApprovalNeeded   bool           `json:"approvalNeeded" doc:"Whether an administrator approves each sign-up without an invitation"`
	Federation       bool           `json:"federation" doc:"Whether users and posts of other servers of the fediverse are here, and those of here on them"`
	Limits           InstanceLimits `json:"limits"`
	Version          string         `json:"version" doc:"Version of the software" example:"v0.1.0"`
	UpdatedAt        *time.Time     `json:"updatedAt" doc:"null until the first change"`
}

// Contact says whom to ask about the installation.
type Contact struct {
	Email  string       `json:"email,omitempty"`
	UserID model.UserID `json:"userId,omitempty"`
}

// Terms are the terms of use in a version.
type Terms struct {
	Version int64     `json:"version" doc:"Grows with each text to which users have to consent anew"`
	Text    string    `json:"text" doc:"Markdown"`
	HTML    string    `json:"html,omitempty" doc:"The text as safe HTML; present with format=html"`
	At      time.Time `json:"at" doc:"Time of the version"`
}

// InstanceLimits are the largest values that the service takes. Lengths are in characters.
type InstanceLimits struct {
	Content        int `json:"content" doc:"Characters of a tweet"`
	Summary        int `json:"summary"`
	Tags           int `json:"tags" doc:"Tags of a tweet"`
	Mentions       int `json:"mentions" doc:"Users whom a tweet mentions"`
	Media          int `json:"media" doc:"Pictures of a tweet"`
	MediaAlt       int `json:"mediaAlt" doc:"Characters that describe a picture"`
	ImageBytes     int `json:"imageBytes"`
	VideoBytes     int `json:"videoBytes"`
	PollOptions    int `json:"pollOptions"`
	PollOption     int `json:"pollOption" doc:"Characters of an option"`
	MinPollMinutes int `json:"minPollMinutes"`
	MaxPollMinutes int `json:"maxPollMinutes"`
	Revisions      int `json:"revisions" doc:"Edits of a tweet"`
	Drafts         int `json:"drafts" doc:"Drafts of a user"`
	Pins           int `json:"pins" doc:"Pinned tweets of a user"`
	Nickname       int `json:"nickname"`
	Introduction   int `json:"introduction"`
	PinnedTags     int `json:"pinnedTags" doc:"Tags on a profile"`
	Lists          int `json:"lists" doc:"Lists of a user"`
	ListMembers    int `json:"listMembers"`
	FollowedTags   int `json:"followedTags"`
	Filters        int `json:"filters"`
	Members        int `json:"conversationMembers" doc:"Members of a conversation"`
	Message        int `json:"message" doc:"Characters of a message"`
}

// instanceLimits are the limits of the model.
var instanceLimits = InstanceLimits{
	Content: model.MaxContent, Summary: model.MaxSummary, Tags: model.MaxTags, Mentions: model.MaxMentions,
	Media: model.MaxMedia, MediaAlt: model.MaxAlt, ImageBytes: model.MaxImageBytes, VideoBytes: model.MaxVideoBytes,
	PollOptions: model.MaxPollOptions, PollOption: model.MaxPollOption, MinPollMinutes: model.MinPollMinutes,
	MaxPollMinutes: model.MaxPollMinutes, Revisions: model.MaxRevisions, Drafts: model.MaxDrafts, Pins: model.MaxPins,
	Nickname: model.MaxNickname, Introduction: model.MaxIntroduction, PinnedTags: model.MaxPinnedTags,
	Lists: model.MaxLists, ListMembers: model.MaxListMembers, FollowedTags: model.MaxFollowedTags,
	Filters: model.MaxFilters, Members: model.MaxConversationMembers, Message: model.MaxMessage,
}

type instanceOutput struct{ Body Instance }

// instanceFormat is the form of the texts of the instance.
type instanceFormat struct {
	Format string `query:"format" enum:"markdown,html" default:"markdown" doc:"html adds the texts as safe HTML"`
}

func (f instanceFormat) of(s *service, is *model.Instance) *instanceOutput {
	out := Instance{Name: is.Name, Description: is.Description, Rules: orEmpty(is.Rules),
		Contact: Contact{is.ContactEmail, is.ContactUser}, Languages: orEmpty(is.Languages),
		TermsNeeded: is.Demands() != 0, InvitationNeeded: is.InvitationNeeded, ApprovalNeeded: is.ApprovalNeeded,
		Federation: s.federates(), Limits: instanceLimits, Version: version.Number}
	if !is.UpdatedAt.IsZero() {
		out.UpdatedAt = &is.UpdatedAt
	}
	if is.Terms.Text != "" {
		out.Terms = &Terms{Version: is.Terms.Version, Text: is.Terms.Text, At: is.Terms.At}
	}
	if f.Format == "html" {
		out.DescriptionHTML = render.HTML(model.IntroductionNodes(is.Description))
		if out.Terms != nil {
			out.Terms.HTML = render.HTML(model.IntroductionNodes(is.Terms.Text))
		}
	}
	return &instanceOutput{out}
}

// orEmpty returns a list that is not null in JSON.
func orEmpty(all []string) []string {
	if all == nil {
		return []string{}
	}
	return all
}

// instancePatch changes the instance. An absent field stays as it is.
type instancePatch struct {
	Name             *string       `json:"name,omitempty" maxLength:"100" example:"Fireworks"`
	Description      *string       `json:"description,omitempty" maxLength:"5000" doc:"Markdown"`
	Rules            *[]string     `json:"rules,omitempty" maxItems:"30" nullable:"false" doc:"Plain texts of 500 characters; an empty list removes all"`
	ContactEmail     *string       `json:"contactEmail,omitempty" maxLength:"254" doc:"Empty for none"`
	ContactUser      *model.UserID `json:"contactUser,omitempty" maxLength:"128" doc:"Id of a user; empty for none"`
	Languages        *[]string     `json:"languages,omitempty" maxItems:"20" nullable:"false" doc:"BCP 47 tags; an empty list removes all"`
	Terms            *string       `json:"terms,omitempty" maxLength:"50000" doc:"Markdown; empty for none. Another text is a new version, to which users consent anew"`
	SameTerms        bool          `json:"sameTerms,omitempty" doc:"True if the new text says the same, so that the version stays"`
	TermsNeeded      *bool         `json:"termsNeeded,omitempty" doc:"True if users must consent to the terms before they write"`
	InvitationNeeded *bool         `json:"invitationNeeded,omitempty" doc:"True if nobody signs up without an invitation"`
	ApprovalNeeded   *bool         `json:"approvalNeeded,omitempty" doc:"True if a sign-up without an invitation waits for an administrator"`
}

// UnmarshalJSON refuses null. The decoder would take null for an absent field.
func (p *instancePatch) UnmarshalJSON(text []byte) error {
	if err := refuseNull(text); err != nil {
		return err
	}
	type plain instancePatch
	return json.Unmarshal(text, (*plain)(p))
}

// consentInput names the version of the terms to which the caller consents.
type consentInput struct {
	Body struct {
		Version int64 `json:"version" minimum:"1" doc:"Version of the terms that the caller has read"`
	}
}

// Consent is the caller's consent to the terms.
type Consent struct {
	Version     int64     `json:"version"`
	ConsentedAt time.Time `json:"consentedAt"`
}

type consentOutput struct{ Body Consent }

// instance adds the operations on the instance and on the consent to its terms.
func (s *service) instance() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/instance", OperationID: "getInstance", Tags: []string{"instance"},
		Summary:     "Read what the installation says of itself: its rules, terms, languages and limits",
		Description: "A change shows within a minute.",
	}, func(ctx context.Context, in *instanceFormat) (*instanceOutput, error) {
		is, err := s.Moderation.Instance(ctx)
		if err != nil {
			return nil, err
		}
		return in.of(s, is), nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/admin/instance", OperationID: "changeInstance", Tags: []string{"admin"},
		Summary: "Change what the installation says of itself",
		Description: "An absent field stays as it is. Another text of the terms is a new version: with termsNeeded, users " +
			"may not write until they consent to it. Every instance of the API acts on it within a minute. The audit log " +
			"has the act.",
	}, func(ctx context.Context, in *struct{ Body instancePatch }) (*instanceOutput, error) {
		is, err := s.Moderation.ChangeInstance(ctx, actorOf(server.Caller(ctx), ""), model.InstancePatch(in.Body))
		if err != nil {
			return nil, err
		}
		return instanceFormat{}.of(s, is), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/users/me/terms", OperationID: "consent", Tags: []string{"instance"},
		Summary: "Consent to the terms",
		Description: "The version is that of the terms in GET /v1/instance. Another one is 409 terms_changed: the client " +
			"shows the new terms, and asks again. A consent cannot be taken back; who does not agree any more may leave.",
		Errors: []int{http.StatusConflict}, Metadata: map[string]any{server.WithoutConsent: true},
	}, func(ctx context.Context, in *consentInput) (*consentOutput, error) {
		at, err := s.Users.Consent(ctx, server.Caller(ctx).UID, in.Body.Version)
		if err != nil {
			return nil, err
		}
		return &consentOutput{Consent{in.Body.Version, at}}, nil
	})
}

// consented returns errs.Forbidden (terms_required) for a caller who must consent to the terms before writing.
func (s *service) consented(ctx context.Context, c model.Caller) error {
	is, err := s.Moderation.Instance(ctx)
	if err != nil || is.Demands() == 0 {
		return err
	}
	return s.Users.Consented(ctx, c.UID, is.Demands())
}
