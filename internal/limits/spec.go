package limits

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Defaults are the limits of an installation without its own. Package api assigns operations to actions.
const Defaults = `
	requests=600/minute, parallel=30,
	reads=3000/minute, reads=20000/day,
	writes=200/minute, writes=3000/day,
	posts=150/day, deletions=40/day, orders=100/day,
	follows=300/day, blocks=300/day,
	likes=1000/day, shares=50/day, profiles=30/day,
	uploads=100/day, authorizations=200/day,
	conversations=30/day, messages=1000/day, marks=2000/day, markers=1500/day,
	reports=50/day, exports=10/day, leavings=10/day,

	visitor-requests=600/minute, visitor-parallel=60,
	visitor-reads=6000/minute, visitor-reads=100000/day, visitor-orders=20/day,

	address-requests=3000/minute, address-parallel=150,
	address-reads=30000/minute, address-reads=400000/day,
	address-writes=2000/minute, address-writes=40000/day,
	address-signups=30/day, address-apps=300/day
`

var windows = []struct {
	name string
	d    time.Duration
}{{"minute", time.Minute}, {"hour", time.Hour}, {"day", day}}

func windowName(d time.Duration) string {
	for _, w := range windows {
		if w.d == d {
			return w.name
		}
	}
	return d.String()
}

// Parse applies a text such as "posts=300/day, reads=off" to the default limits. A limit replaces the default of the
// same name and window, and off removes all limits of a name. The text "off" removes every limit, and Parse returns
// nil. An error names every mistake.
func Parse(text string) ([]Limit, error) {
	if strings.TrimSpace(text) == "off" {
		return nil, nil
	}
	all, err := apply(nil, Defaults, nil)
	if err != nil {
		return nil, err
	}
	return apply(all, text, names(all))
}

// names returns the names without windows, in order.
func names(all []Limit) (names []string) {
	for _, l := range all {
		if name := prefixes[l.Scope] + l.What; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// apply changes limits. If known is not nil, other names are an error.
func apply(all []Limit, text string, known []string) ([]Limit, error) {
	var wrong []error
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		name, value, _ := strings.Cut(item, "=")
		if known != nil && !slices.Contains(known, name) {
			wrong = append(wrong, fmt.Errorf("%q is no limit; there are %s", name, strings.Join(known, ", ")))
			continue
		}
		if value == "off" {
			all = slices.DeleteFunc(all, func(l Limit) bool { return prefixes[l.Scope]+l.What == name })
			continue
		}
		l, err := parseLimit(name, value)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%q: %w", item, err))
			continue
		}
		if i := slices.IndexFunc(all, func(o Limit) bool { return o.Name() == l.Name() }); i >= 0 {
			all[i] = l
		} else {
			all = append(all, l)
		}
	}
	return all, errors.Join(wrong...)
}

func parseLimit(name, value string) (l Limit, err error) {
	l.What = name
	for s, prefix := range prefixes {
		if what, ok := strings.CutPrefix(name, prefix); ok && prefix != "" {
			l.Scope, l.What = Scope(s), what
		}
	}
	quota, window, _ := strings.Cut(value, "/")
	l.Quota, err = strconv.ParseInt(quota, 10, 32)
	if err != nil || l.Quota < 1 {
		return l, errors.New("a limit is a number from 1 on, or off")
	}
	for _, w := range windows {
		if w.name == window {
			l.Window = w.d
		}
	}
	if (l.Window == 0) != (l.What == Parallel) || l.What == Parallel && window != "" {
		return l, errors.New("a limit is as 300/minute, 300/hour or 300/day, and parallel a number alone")
	}
	return l, nil
}
