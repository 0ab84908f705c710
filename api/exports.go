package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Export is the progress of the caller's export.
type Export struct {
	State     string           `json:"state" enum:"writing,ready,failed" doc:"writing: archives are being written. ready: they can be downloaded. failed: there will be none."`
	Items     map[string]int64 `json:"items" doc:"How many items are written so far, by kind"`
	StartedAt time.Time        `json:"startedAt"`
	ReadyAt   *time.Time       `json:"readyAt,omitempty" doc:"When the export was ready, or failed"`
	ExpiresAt *time.Time       `json:"expiresAt,omitempty" doc:"When the archives are deleted"`
	Omitted   int64            `json:"omittedFiles,omitempty" doc:"How many files of media are in no archive, because they have filled 250; their items in media have fileOmitted. Absent if there are none"`
	Failure   string           `json:"failure,omitempty" doc:"Why there will be no archives"`
	Archives  []ExportArchive  `json:"archives" nullable:"false" doc:"Zip files of JSON, which belong together; empty until the export is ready, and to a caller who must sign in again"`
	// SignInAgain reports that the archives exist and that the caller's sign-in is too old to get the links.
	SignInAgain bool `json:"signInAgain" doc:"The archives are there: sign in again, and ask with the new ID token within 5 minutes"`
}

// ExportArchive is a file of an export.
type ExportArchive struct {
	URL       string    `json:"url" doc:"Where anybody who has the link can download the archive, until expiresAt; ask again for a new link"`
	Bytes     int64     `json:"bytes"`
	ExpiresAt time.Time `json:"expiresAt" doc:"When the link expires"`
}

type exportOutput struct {
	Location string `header:"Location"`
	Body     Export
}

type currentExport struct {
	Status int
	Body   Export
}

// exports adds the operations of users who export their data.
func (s *service) exports() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/users/me/export", OperationID: "export", Tags: []string{"users"},
		DefaultStatus: http.StatusAccepted, Metadata: accountDeletion,
		Summary: "Export everything of the caller",
		Description: "Everything of the caller is written into archives, which are zip files of JSON: " + exported() + ". " +
			"This takes some minutes for tens of thousands of items; GET tells how far it is, and where the archives are. " +
			"They are kept for 7 days.\n\n" +
			"The caller must have signed in within the last 5 minutes; otherwise the answer is 403 recent_sign_in_required. " +
			"While an export is under way, the answer is that export. There is one export in 24 hours; before, the answer is " +
			"429 export_limit. " +
			"Without a bucket for exports, the answer is 404 exports_off.",
		Errors: []int{http.StatusNotFound},
	}, s.export)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/export", OperationID: "getExport", Tags: []string{"users"},
		Summary: "Read how far the caller's export is, and where its archives are",
		Description: "The links to the archives are good for 15 minutes, and only a caller who signed in within the last " +
			"5 minutes gets them.",
		Errors: []int{http.StatusNotFound}, Metadata: map[string]any{server.VerifiedNow: true},
		Responses: noneResponse("There is no export, and the caller asked with ifAny"),
	}, func(ctx context.Context, in *struct{ IfAny }) (*currentExport, error) {
		w, err := s.Exports.Current(ctx, server.Caller(ctx).UID)
		if in.none(err, "export_not_found", "exports_off") {
			return &currentExport{Status: http.StatusNoContent}, nil
		}
		if err != nil {
			return nil, err
		}
		e, err := s.exportOf(ctx, w)
		return &currentExport{http.StatusOK, e}, err
	})
}

// exported lists in words the contents of an export.
func exported() string {
	var texts []string
	for _, s := range model.ExportedSections() {
		texts = append(texts, s.Text)
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

func (s *service) export(ctx context.Context, _ *nothing) (*exportOutput, error) {
	if err := recent(ctx, "to export your account"); err != nil {
		return nil, err
	}
	w, err := s.Exports.Ask(ctx, server.Caller(ctx).UID)
	if err != nil {
		return nil, err
	}
	e, err := s.exportOf(ctx, w)
	return &exportOutput{Location: "/v1/users/me/export", Body: e}, err
}

// recent refuses a caller whose last sign-in is not recent.
func recent(ctx context.Context, what string) error {
	if time.Since(server.Caller(ctx).SignedInAt) > model.RecentSignIn {
		return errs.New(errs.Forbidden, "recent_sign_in_required",
			"%s, sign in again and send the new ID token within %d minutes", what, int(model.RecentSignIn.Minutes()))
	}
	return nil
}

func (s *service) exportOf(ctx context.Context, w *model.ExportWork) (Export, error) {
	e := Export{State: "writing", Items: w.Items, Omitted: w.OmittedFiles, StartedAt: w.StartedAt,
		Archives: []ExportArchive{}}
	if !w.Ended() {
		return e, nil
	}
	e.State, e.ReadyAt, e.ExpiresAt = "ready", &w.ReadyAt, new(w.ReadyAt.Add(model.ExportWindow))
	if w.Failed != "" {
		e.State, e.Failure = "failed", w.Failed
		return e, nil
	}
	if recent(ctx, "") != nil {
		e.SignInAgain = true
		return e, nil
	}
	archives, err := s.Exports.Archives(ctx, w)
	for _, a := range archives {
		e.Archives = append(e.Archives, ExportArchive{URL: a.URL, Bytes: a.Bytes, ExpiresAt: a.Expires})
	}
	return e, err
}
