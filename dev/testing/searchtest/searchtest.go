// Package searchtest replaces an OpenSearch server in tests, where none can be installed. It accepts only the requests
// that package opensearch sends: it compares method, path, parameters, headers and each field with OpenSearch's
// documentation, and a difference fails the test. It answers as documented. It shows that Hibana follows the
// documentation, and not that a server does.
package searchtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/internal/opensearch"
)

// The index and its login.
const (
	Index    = "test-tweets"
	Username = "hibana"
	Password = "sesame-9f2c"
)

// Server is an index in memory.
type Server struct {
	// Before, if not nil, sees each request before the server does. If it returns a status, the status and the text are
	// the answer. It may wait.
	Before func(path string, body []byte) (status int, text string)

	URL string

	t    testing.TB
	mu   sync.Mutex
	made bool
	docs map[string]*document
	sent int
}

// document is a version of a document. It stays after the document is deleted, as index.gc_deletes requires.
type document struct {
	version int64
	source  *opensearch.Document // nil if deleted
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	s := &Server{t: t, docs: map[string]*document{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Options are what a client needs.
func (s *Server) Options() opensearch.Options {
	return opensearch.Options{URL: s.URL, Index: Index, Username: Username, Password: Password}
}

// IDs are the ids of the documents, in their order.
func (s *Server) IDs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := []string{}
	for _, id := range slices.Sorted(maps.Keys(s.docs)) {
		if s.docs[id].source != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// Sent is how many requests there were.
func (s *Server) Sent() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// Forget forgets deleted versions, as a server does after index.gc_deletes.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.docs, func(_ string, d *document) bool { return d.source == nil })
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	s.mu.Lock()
	s.sent++
	s.mu.Unlock()
	if s.Before != nil {
		if status, text := s.Before(r.URL.Path, body); status != 0 {
			w.WriteHeader(status)
			fmt.Fprint(w, text)
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if user, password, ok := r.BasicAuth(); !ok || user != Username || password != Password {
		answer(w, http.StatusUnauthorized, "Unauthorized")
		return
	}
	contentType := r.Header.Get("Content-Type")
	switch got := r.Method + " " + r.URL.RequestURI(); {
	case got == "PUT /"+Index && contentType == "application/json":
		s.create(w, body)
	case got == "POST /"+Index+"/_bulk" && contentType == "application/x-ndjson":
		s.bulk(w, body)
	case got == "POST /"+Index+"/_search?allow_partial_search_results=false" && contentType == "application/json":
		s.search(w, body)
	default:
		s.t.Errorf("%s of %q is no request of the documents", got, contentType)
		w.WriteHeader(http.StatusBadRequest)
	}
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have gone
}

// object is JSON of the documents.
type object = map[string]any

// failure is the form of errors.
func failure(status int, kind string) object {
	reason := object{"type": kind, "reason": "secret words of people"}
	return object{"error": object{"root_cause": []object{reason}, "type": kind, "reason": "secret words of people"},
		"status": status}
}

// strict decodes what has the fields of to and no others.
func (s *Server) strict(what string, text []byte, to any) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if err != nil {
		s.t.Errorf("%s: %v in %s", what, err, text)
	}
	return err == nil
}

func (s *Server) create(w http.ResponseWriter, body []byte) {
	type field struct {
		Type      string
		DocValues *bool `json:"doc_values"`
		Enabled   *bool
	}
	var layout struct {
		Settings struct {
			Index struct {
				SortField string `json:"sort.field"`
				SortOrder string `json:"sort.order"`
				GCDeletes string `json:"gc_deletes"`
			}
		}
		Mappings struct {
			Dynamic    string
			Properties map[string]field
		}
	}
	if !s.strict("create index", body, &layout) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p, i := layout.Mappings.Properties, layout.Settings.Index
	if i.SortField != "place" || i.SortOrder != "asc" || i.GCDeletes != "3600s" || layout.Mappings.Dynamic != "strict" ||
		p["place"].Type != "keyword" || p["place"].DocValues != nil || p["terms"].Type != "keyword" ||
		p["data"].Type != "object" || *p["data"].Enabled {
		s.t.Errorf("create index: %s", body)
	}
	if s.made {
		answer(w, http.StatusBadRequest, failure(http.StatusBadRequest, "resource_already_exists_exception"))
		return
	}
	s.made = true
	answer(w, http.StatusOK, object{"acknowledged": true, "shards_acknowledged": true, "index": Index})
}

// bulk answers 200 whatever the result of each write.
func (s *Server) bulk(w http.ResponseWriter, body []byte) {
	if !s.made {
		s.t.Error("_bulk would make an index with a mapping of its own")
	}
	if !bytes.HasSuffix(body, []byte("\n")) {
		s.t.Error("_bulk: the last line has no end")
	}
	var items []object
	failed := false
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		type action struct {
			ID      string `json:"_id"`
			Version int64  `json:"version"`
			Type    string `json:"version_type"`
		}
		var line struct{ Index, Delete *action }
		if !s.strict("_bulk", lines.Bytes(), &line) {
			return
		}
		name, a, source := "delete", line.Delete, (*opensearch.Document)(nil)
		if line.Index != nil {
			name, a, source = "index", line.Index, &opensearch.Document{}
			if !lines.Scan() || !s.strict("_bulk", lines.Bytes(), source) {
				s.t.Error("_bulk: an index action without a document")
				return
			}
		}
		if a.ID == "" || len(a.ID) > 512 || a.Version <= 0 || a.Type != "external_gte" {
			s.t.Errorf("_bulk: %+v", a)
		}
		now, result := s.docs[a.ID], object{"_index": Index, "_id": a.ID, "_version": a.Version}
		switch {
		case now != nil && a.Version < now.version:
			failed = true
			result["status"] = http.StatusConflict
			result["error"] = object{"type": "version_conflict_engine_exception", "reason": "secret words of people",
				"index": Index, "shard": "0"}
		case source == nil && (now == nil || now.source == nil):
			result["status"], result["result"] = http.StatusNotFound, "not_found"
			s.docs[a.ID] = &document{a.Version, nil}
		default:
			result["status"], result["result"] = http.StatusOK, "updated"
			s.docs[a.ID] = &document{a.Version, source}
		}
		items = append(items, object{name: result})
	}
	answer(w, http.StatusOK, object{"took": 3, "errors": failed, "items": items})
}

// search evaluates term and range filters.
func (s *Server) search(w http.ResponseWriter, body []byte) {
	if !s.made {
		answer(w, http.StatusNotFound, failure(http.StatusNotFound, "index_not_found_exception"))
		return
	}
	type filter struct {
		Term *struct {
			Terms struct{ Value string }
		}
		Range *struct {
			Place struct{ Gt, Lte string }
		}
	}
	var q struct {
		Query struct {
			Bool     *struct{ Filter []filter }
			MatchAll *struct{} `json:"match_all"`
		}
		Sort           []struct{ Place struct{ Order string } }
		Size           int
		Source         []string `json:"_source"`
		TrackTotalHits *bool    `json:"track_total_hits"`
		Timeout        string
	}
	if !s.strict("_search", body, &q) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if (q.Query.Bool == nil) == (q.Query.MatchAll == nil) || len(q.Sort) != 1 || q.Sort[0].Place.Order != "asc" ||
		q.Size < 1 || q.Size > 100 ||
		!slices.Equal(q.Source, []string{"place", "data"}) || q.TrackTotalHits == nil || q.Timeout != "3s" {
		s.t.Errorf("_search: %s", body)
	}
	var filters []filter
	if q.Query.Bool != nil {
		filters = q.Query.Bool.Filter
	}
	type hit struct {
		Index  string               `json:"_index"`
		ID     string               `json:"_id"`
		Score  *float64             `json:"_score"`
		Source *opensearch.Document `json:"_source"`
		Sort   []string             `json:"sort"`
	}
	hits := []hit{}
	for id, d := range s.docs {
		if d.source == nil || slices.ContainsFunc(filters, func(f filter) bool {
			return f.Term != nil && !slices.Contains(d.source.Terms, f.Term.Terms.Value) ||
				f.Range != nil && (f.Range.Place.Gt != "" && d.source.Place <= f.Range.Place.Gt || f.Range.Place.Lte != "" &&
					d.source.Place > f.Range.Place.Lte)
		}) {
			continue
		}
		hits = append(hits, hit{Index, id, nil, &opensearch.Document{Place: d.source.Place, Data: d.source.Data},
			[]string{d.source.Place}})
	}
	slices.SortFunc(hits, func(a, b hit) int { return strings.Compare(a.Source.Place, b.Source.Place) })
	answer(w, http.StatusOK, object{
		"took": 2, "timed_out": false, "_shards": object{"total": 1, "successful": 1, "skipped": 0, "failed": 0},
		"hits": object{"max_score": nil, "hits": hits[:min(len(hits), q.Size)]},
	})
}
