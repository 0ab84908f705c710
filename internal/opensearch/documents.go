package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Document is a document of the index: keywords to search by, a position to sort by, and data that is returned
// unchanged.
type Document struct {
	Place string          `json:"place"` // unique
	Terms []string        `json:"terms"`
	Data  json.RawMessage `json:"data"`
}

// Write is a version of a document. A nil Document deletes it.
type Write struct {
	ID       string
	Version  int64 // above 0; the greater of two versions wins, and of equal versions the last
	Document *Document
}

// remembers is the time for which the index keeps the version of a deleted document (index.gc_deletes). The server
// keeps these versions in memory.
const remembers = time.Hour

// layout configures the index, see https://docs.opensearch.org/latest/api-reference/index-apis/create-index/ and
// https://docs.opensearch.org/latest/im-plugin/index-sorting/. The documents of a segment are sorted by position, so a
// search stops after the first matches that it needs. The mapping is fixed, and data is neither indexed nor parsed.
var layout = []byte(`{"settings":{"index":{"sort.field":"place","sort.order":"asc","gc_deletes":"` +
	strconv.Itoa(int(remembers/time.Second)) + `s"}},` +
	`"mappings":{"dynamic":"strict","properties":{"place":{"type":"keyword"},"terms":{"type":"keyword","doc_values":false},"data":{"type":"object","enabled":false}}}}`)

// Make creates the index unless it exists.
func (c *Client) Make(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made {
		return nil
	}
	var answer struct{ Acknowledged bool }
	err := c.call(ctx, http.MethodPut, "", "", "application/json", layout, &answer)
	if f, ok := errors.AsType[*failure](err); ok && f.kind == "resource_already_exists_exception" {
		err = nil
	}
	c.made = err == nil
	return err
}

// Write writes documents in bulk (https://docs.opensearch.org/latest/api-reference/document-apis/bulk/). A document
// with a greater version in the index stays unchanged. Searches find the documents after the next refresh of the index,
// which is once a second by default.
//
// If Write fails, some documents may be written. All may be written again.
func (c *Client) Write(ctx context.Context, writes ...Write) error {
	if err := c.Make(ctx); err != nil {
		return err
	}
	var body bytes.Buffer
	n := 0
	flush := func() error {
		if n == 0 {
			return nil
		}
		err := c.bulk(ctx, body.Bytes(), n)
		body.Reset()
		n = 0
		return err
	}
	for _, w := range writes {
		lines, err := w.lines()
		if err != nil {
			return err
		}
		if body.Len()+len(lines) > largestWrite {
			if err := flush(); err != nil {
				return err
			}
		}
		body.Write(lines)
		n++
	}
	return flush()
}

// lines returns the lines of a write: the action and, for a document, its source.
func (w Write) lines() ([]byte, error) {
	type action struct {
		ID      string `json:"_id"`
		Version int64  `json:"version"`
		Type    string `json:"version_type"`
	}
	name := "index"
	if w.Document == nil {
		name = "delete"
	}
	lines, err := json.Marshal(map[string]action{name: {w.ID, w.Version, "external_gte"}})
	if err != nil || w.Document == nil {
		return append(lines, '\n'), err
	}
	document, err := json.Marshal(w.Document)
	return append(append(append(lines, '\n'), document...), '\n'), err
}

// bulk sends the lines of n writes. Each write has its own result.
func (c *Client) bulk(ctx context.Context, body []byte, n int) error {
	var answer struct {
		Items []map[string]struct {
			Status int
			Error  json.RawMessage
		}
	}
	if err := c.call(ctx, http.MethodPost, "_bulk", "", "application/x-ndjson", body, &answer); err != nil {
		return err
	}
	if len(answer.Items) != n {
		return fmt.Errorf("_bulk of the search index: %d answers to %d writes", len(answer.Items), n)
	}
	var failed error
	for _, item := range answer.Items {
		for action, result := range item {
			err := error(&failure{result.Status, kindOf(result.Error)})
			switch {
			// the index has a newer version
			case result.Status >= 200 && result.Status <= 299, result.Status == http.StatusConflict:
				continue
			// it has no document, and remembers the version
			case action == "delete" && result.Status == http.StatusNotFound && result.Error == nil:
				continue
			case again(result.Status):
				err = &errs.Error{Kind: errs.Unavailable, Op: "_bulk of the search index", Err: err}
			}
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// Query selects the documents that Search lists: documents with all terms, between two positions. An empty position is
// no bound.
type Query struct {
	Terms        []string
	After, Until string
	Size         int // largest number of results
}

// Hit is a document that a search found.
type Hit struct {
	ID, Place string
	Data      json.RawMessage
}

// patience is the time limit of a search on the server. The server reports that it stopped.
const patience = 3 * time.Second

// Search lists documents in the order of their positions
// (https://docs.opensearch.org/latest/api-reference/search-apis/search/, and bool, term and range below
// https://docs.opensearch.org/latest/query-dsl/). An answer that lacks a shard is errs.Unavailable.
func (c *Client) Search(ctx context.Context, q Query) ([]Hit, error) {
	type object map[string]any
	filter := []object{}
	for _, term := range q.Terms {
		filter = append(filter, object{"term": object{"terms": object{"value": term}}})
	}
	places := object{}
	if q.After != "" {
		places["gt"] = q.After
	}
	if q.Until != "" {
		places["lte"] = q.Until
	}
	if len(places) > 0 {
		filter = append(filter, object{"range": object{"place": places}})
	}
	query := object{"match_all": object{}}
	if len(filter) > 0 {
		query = object{"bool": object{"filter": filter}}
	}
	body, err := json.Marshal(object{
		"query": query, "sort": []object{{"place": object{"order": "asc"}}}, "size": q.Size,
		"_source": []string{"place", "data"}, "track_total_hits": false, "timeout": strconv.Itoa(int(patience/time.Second)) +
			"s",
	})
	if err != nil {
		return nil, err
	}
	var answer struct {
		TimedOut bool                 `json:"timed_out"`
		Shards   struct{ Failed int } `json:"_shards"`
		Hits     *struct {
			Hits []struct {
				ID     string   `json:"_id"`
				Source Document `json:"_source"`
			}
		}
	}
	const whole = "allow_partial_search_results=false"
	if err := c.call(ctx, http.MethodPost, "_search", whole, "application/json", body, &answer); err != nil {
		if f, ok := errors.AsType[*failure](err); ok && f.kind == "index_not_found_exception" { // no document was written yet
			return nil, &errs.Error{Kind: errs.Unavailable, Msg: "The search does not answer now.", Err: err}
		}
		return nil, err
	}
	if answer.TimedOut || answer.Shards.Failed > 0 {
		return nil, &errs.Error{Kind: errs.Unavailable, Msg: "The search does not answer now.",
			Err: errors.New("_search of the search index: some shards did not answer")}
	}
	if answer.Hits == nil || len(answer.Hits.Hits) > q.Size {
		return nil, errors.New("_search of the search index: the answer is not as documented")
	}
	var hits []Hit
	for _, h := range answer.Hits.Hits {
		hits = append(hits, Hit{h.ID, h.Source.Place, h.Source.Data})
	}
	return hits, nil
}
