package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2/google"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	jobstore "github.com/hibana-sns/hibana/store/ops"
)

// askEach is the interval at which export checks whether an export is complete.
const askEach = 10 * time.Second

// admin is the address of Google's Firestore API.
const admin = "https://firestore.googleapis.com/v1/"

// exportAgain is the shortest time between two exports. A run that Cloud Run repeats then makes no second export, and
// the scheduled run makes one even after an extra export some days earlier.
const exportAgain = 12 * time.Hour

// export writes the whole database to the bucket, below the time of its start, unless an export ended within
// exportAgain. A killed run may leave an incomplete export. The next run starts another one, and an export without its
// file overall_export_metadata must not be imported.
// Cost: 1 read a document, which Firestore bills and no meter sees.
func (o *Options) export(ctx context.Context, turn *jobstore.JobTurn, job model.Job, _ *meter.Meter) (string, error) {
	now := time.Now().UTC()
	if now.Sub(job.EndedAt) < exportAgain {
		return Done, nil
	}
	if o.Bucket == "" {
		return Failed, errors.New("export: there is no bucket; set BACKUP_BUCKET or --bucket to gs:// and its name, or " +
			"for the emulator to a folder")
	}
	if (o.Emulator == "") != strings.HasPrefix(o.Bucket, "gs://") {
		return Failed, fmt.Errorf("export: %s is not a place for this database: the cloud exports to gs:// and a name, "+
			"the emulator to a folder", o.Bucket)
	}
	place := "exports/" + now.Format("2006-01-02T15-04-05Z")
	var err error
	if o.Emulator != "" {
		place, err = strings.ReplaceAll(place, "/", "-"), nil
		err = o.call(ctx, http.DefaultClient, http.MethodPost, "http://"+o.Emulator+"/emulator/v1/projects/"+
			o.Store.Project()+":export",
			map[string]string{"database": o.Store.Name(), "export_directory": o.Bucket, "export_name": place}, nil)
	} else {
		err = o.exportCloud(ctx, o.Bucket+"/"+place)
	}
	if err != nil {
		return Failed, fmt.Errorf("export: %w", err)
	}
	return Done, turn.Save(ctx, func(j *model.Job) { j.EndedAt, j.Result = time.Now().UTC(), "exported to "+place })
}

// exportCloud begins an export by the Admin API, and waits for its end.
func (o *Options) exportCloud(ctx context.Context, prefix string) error {
	client, err := google.DefaultClient(ctx, "https://www.googleapis.com/auth/cloud-platform")
	if err != nil {
		return err
	}
	var operation struct {
		Name  string
		Done  bool
		Error *struct{ Message string }
	}
	if err := o.call(ctx, client, http.MethodPost, admin+o.Store.Name()+":exportDocuments",
		map[string]string{"outputUriPrefix": prefix}, &operation); err != nil {
		return err
	}
	for !operation.Done {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(askEach):
		}
		if err := o.call(ctx, client, http.MethodGet, admin+operation.Name, nil, &operation); err != nil {
			return err
		}
	}
	if operation.Error != nil {
		return errors.New(operation.Error.Message)
	}
	return nil
}

// call calls an API with JSON.
func (o *Options) call(ctx context.Context, client *http.Client, method, url string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if o.Emulator != "" {
		req.Header.Set("Authorization", "Bearer owner")
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %.500s", resp.Status, got)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(got, answer)
}
