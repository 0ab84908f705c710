// Package metrics reads the metrics of running services, and shows them as a page of text.
package metrics

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Sample is one line of the text of Prometheus.
type Sample struct {
	Name   string
	Labels map[string]string
	Value  float64
}

// Page is an answer of /metrics.
type Page struct {
	At      time.Time
	Samples []Sample
}

var (
	lineForm  = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)`)
	labelForm = regexp.MustCompile(`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"`)
)

// Read reads the metrics at a URL, such as http://127.0.0.1:9464/metrics.
func Read(ctx context.Context, url string) (*Page, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", url, resp.Status)
	}
	return Parse(resp.Body)
}

// Parse reads the text format of Prometheus. It skips lines of other programs.
func Parse(r io.Reader) (*Page, error) {
	p := &Page{At: time.Now()}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		found := lineForm.FindStringSubmatch(lines.Text())
		if found == nil || !strings.HasPrefix(found[1], "hibana_") {
			continue
		}
		value, err := strconv.ParseFloat(found[3], 64)
		if err != nil {
			return nil, fmt.Errorf("metric %s has the value %q", found[1], found[3])
		}
		s := Sample{Name: found[1], Labels: map[string]string{}, Value: value}
		for _, label := range labelForm.FindAllStringSubmatch(found[2], -1) {
			s.Labels[label[1]] = label[2]
		}
		p.Samples = append(p.Samples, s)
	}
	return p, lines.Err()
}

// Sum adds up the samples of a name for which keep is true; all if keep is nil.
func (p *Page) Sum(name string, keep func(labels map[string]string) bool) (sum float64) {
	if p == nil {
		return 0
	}
	for _, s := range p.Samples {
		if s.Name == name && (keep == nil || keep(s.Labels)) {
			sum += s.Value
		}
	}
	return sum
}

// Total adds up a counter of package telemetry, such as [telemetry.Events].
func (p *Page) Total(metric string) float64 { return p.Sum(names[metric], nil) }
