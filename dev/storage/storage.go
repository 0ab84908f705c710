// Package storage administers an emulator of Cloud Storage, which package emulator serves.
package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
)

// Env is the environment variable that names an emulator as host:port. The Go client reads it.
const Env = "STORAGE_EMULATOR_HOST"

// Owner is the Authorization of the administrator.
const Owner = "Bearer owner"

// CORS is an entry of the CORS configuration of a bucket.
type CORS struct {
	Origin         []string `json:"origin"`
	Method         []string `json:"method"`
	ResponseHeader []string `json:"responseHeader"` // which a page may send and read
	MaxAgeSeconds  int      `json:"maxAgeSeconds"`
}

// Allows reports whether the pages of an origin may use a method.
func (c *CORS) Allows(origin, method string) bool {
	return (slices.Contains(c.Origin, origin) || slices.Contains(c.Origin, "*")) && slices.Contains(c.Method, method)
}

// UploadHeaders are the headers that a page sends to a signed address or reads from its answer.
var UploadHeaders = []string{"Content-Type", "Content-Range", "Range", "Location", "X-Goog-Resumable",
	"X-Goog-Content-Length-Range", "X-Goog-If-Generation-Match", "X-Guploader-Uploadid"}

// Create makes a private bucket in the emulator at host (host:port). Pages of the origins may upload to it by signed
// addresses, as deploy/terraform lets them. A bucket that exists stays as it is.
func Create(ctx context.Context, host, bucket string, origins ...string) error {
	body := map[string]any{"name": bucket}
	if len(origins) > 0 {
		body["cors"] = []CORS{{Origin: origins, Method: []string{http.MethodPost, http.MethodPut},
			ResponseHeader: UploadHeaders, MaxAgeSeconds: 3600}}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	_, err = send(ctx, http.MethodPost, host, "/storage/v1/b?project=emulator", data, http.StatusOK, http.StatusConflict)
	return err
}

// Empty removes the files of a bucket, of which the emulator keeps the bytes in memory.
func Empty(ctx context.Context, host, bucket string) error {
	for {
		var page struct{ Items []struct{ Name string } }
		answer, err := send(ctx, http.MethodGet, host, "/storage/v1/b/"+bucket+"/o?maxResults=100", nil, http.StatusOK)
		if err == nil {
			err = json.Unmarshal(answer, &page)
		}
		if err != nil || len(page.Items) == 0 {
			return err
		}
		for _, file := range page.Items {
			if _, err := send(ctx, http.MethodDelete, host, "/storage/v1/b/"+bucket+"/o/"+url.PathEscape(file.Name), nil,
				http.StatusOK, http.StatusNoContent, http.StatusNotFound); err != nil {
				return err
			}
		}
	}
}

// Watch sends the events of a bucket to the runner at a URL from now on, and events that a former runner did not take.
func Watch(ctx context.Context, host, bucket, runner string) error {
	_, err := send(ctx, http.MethodPut, host, "/emulator/v1/buckets/"+bucket+"/events", []byte(runner), http.StatusOK)
	return err
}

// Unwatch ends the events of a bucket.
func Unwatch(ctx context.Context, host, bucket string) error {
	_, err := send(ctx, http.MethodDelete, host, "/emulator/v1/buckets/"+bucket+"/events", nil, http.StatusOK)
	return err
}

// send sends a request of the administrator. It returns an error for a status that is not among the good ones.
func send(ctx context.Context, method, host, path string, body []byte, good ...int) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+host+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", Owner)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("storage emulator: %w", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && !slices.Contains(good, resp.StatusCode) {
		err = fmt.Errorf("storage emulator: %s %s answered %s: %.300s", method, path, resp.Status, answer)
	}
	return answer, err
}
