package mastodon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/hibana-sns/hibana/api/server"
)

// params are the parameters of a request, from its query and its body: JSON, a form, or a multipart form.
// Names with brackets are nested, as in poll[options][] and fields_attributes[0][name]. Values are strings, numbers,
// booleans, lists ([]any), objects (params) and files.
type params map[string]any

const (
	maxParams = 1_000 // names and values of a request
	maxDepth  = 5     // of nested parameters
)

// readParams reads the parameters of a request whose body is in memory.
func readParams(r *http.Request) (params, error) {
	all, count := params{}, 0
	put := func(name, value string) error {
		if count++; count > maxParams {
			return invalid("a request has at most %d parameters", maxParams)
		}
		return all.put(name, value)
	}
	if err := eachParam(r.URL.RawQuery, put); err != nil {
		return nil, err
	}
	if r.Body == nil || r.Method == http.MethodGet {
		return all, nil
	}
	media, options, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch media {
	case "multipart/form-data":
		return all, readForm(r.Body, options["boundary"], put, func(part *multipart.Part) error {
			text, err := io.ReadAll(part)
			all[part.FormName()] = file(text)
			return err
		})
	case "application/x-www-form-urlencoded":
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		return all, eachParam(string(text), put)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return all, err
	}
	return all, all.readJSON(text)
}

// eachParam reads a form or a query in its order, which matters for a[][b]=1&a[][c]=2&a[][b]=3.
func eachParam(form string, put func(name, value string) error) error {
	for form != "" {
		var pair string
		pair, form, _ = strings.Cut(form, "&")
		name, value, _ := strings.Cut(pair, "=")
		if name == "" {
			continue
		}
		name, err := url.QueryUnescape(name)
		if err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err != nil {
			return invalid("the parameters are not a form")
		}
		if err := put(name, value); err != nil {
			return err
		}
	}
	return nil
}

// readForm reads a multipart form in its order, as eachParam does. take takes its files.
func readForm(body io.Reader, boundary string, put func(name, value string) error,
	take func(*multipart.Part) error) error {
	form, left := multipart.NewReader(body, boundary), int64(maxBody)
	for n := 0; ; n++ {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && n > maxParams {
			err = invalid("the body is not a form of at most %d parts", maxParams)
		}
		if err != nil {
			return formError(err)
		}
		if part.FileName() != "" {
			if err := take(part); err != nil {
				return formError(err)
			}
			continue
		}
		text, err := io.ReadAll(io.LimitReader(part, left+1))
		if err != nil {
			return formError(err)
		}
		if left -= int64(len(text)); left < 0 {
			return server.TooLarge(maxBody)
		}
		if err := put(part.FormName(), string(text)); err != nil {
			return err
		}
	}
}

// readJSON adds an object of JSON.
func (p params) readJSON(text []byte) error {
	if manyTokens(text) { // before they take many times the memory of the text
		return tooMany()
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return invalid("the body is not an object of JSON")
	}
	count := 0
	for name, value := range object {
		v, err := nested(value, 1, &count)
		if err != nil {
			return err
		}
		p[name] = v
	}
	return nil
}

// manyTokens reports whether JSON has more tokens than the allowed values can have: each a name, and its own beginning
// and end.
func manyTokens(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for range 3*maxParams + 2 {
		if _, err := d.Token(); err != nil {
			return false // the end, or no JSON
		}
	}
	return true
}

func tooMany() error {
	return invalid("a request has at most %d values, %d deep", maxParams, maxDepth)
}

// nested converts a value of JSON.
func nested(value any, depth int, count *int) (any, error) {
	if *count++; *count > maxParams || depth > maxDepth {
		return nil, tooMany()
	}
	switch v := value.(type) {
	case map[string]any:
		object := params{}
		for name, one := range v {
			to, err := nested(one, depth+1, count)
			if err != nil {
				return nil, err
			}
			object[name] = to
		}
		return object, nil
	case []any:
		list := make([]any, len(v))
		for i, one := range v {
			to, err := nested(one, depth+1, count)
			if err != nil {
				return nil, err
			}
			list[i] = to
		}
		return list, nil
	case json.Number:
		return v.String(), nil
	}
	return value, nil
}

// put adds a parameter of a form, whose name may have brackets.
func (p params) put(name, value string) error {
	first, rest, _ := strings.Cut(name, "[")
	if first == "" {
		return invalid("a parameter has no name")
	}
	var keys []string
	for rest != "" {
		key, after, ok := strings.Cut(rest, "]")
		if !ok || after != "" && after[0] != '[' || len(keys) == maxDepth {
			return invalid("the name of the parameter %.50q is not in the form a[b][]", name)
		}
		keys, rest = append(keys, key), strings.TrimPrefix(after, "[")
	}
	return p.set(first, keys, value)
}

// set puts a value below a name. An empty key makes a list.
func (p params) set(name string, keys []string, value string) error {
	switch {
	case len(keys) == 0:
		p[name] = value
		return nil
	case keys[0] == "":
		list, _ := p[name].([]any)
		if len(keys) == 1 {
			p[name] = append(list, value)
			return nil
		}
		// a[][b]: an element begins with the first name that it has twice
		if n := len(list); n > 0 {
			if last, ok := list[n-1].(params); ok && last[keys[1]] == nil {
				return last.set(keys[1], keys[2:], value)
			}
		}
		element := params{}
		p[name] = append(list, element)
		return element.set(keys[1], keys[2:], value)
	}
	below, ok := p[name].(params)
	if !ok {
		below = params{}
		p[name] = below
	}
	return below.set(keys[0], keys[1:], value)
}

// has reports whether a parameter is there and not null.
func (p params) has(name string) bool { return p[name] != nil }

// text returns a parameter as a text; empty if it is absent.
func (p params) text(name string) string {
	switch v := p[name].(type) {
	case nil, params, []any:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// flag returns a parameter as a boolean, as Rails reads it; false if it is absent.
func (p params) flag(name string) bool {
	switch strings.ToLower(p.text(name)) {
	case "", "0", "f", "false", "off":
		return false
	}
	return true
}

// number returns a parameter as a whole number, or another one if it is absent or none.
func (p params) number(name string, usual int) int {
	if n, ok := whole(p.text(name)); ok {
		return n
	}
	return usual
}

const (
	longestNumber  = 40      // characters
	largestDecimal = 1 << 53 // up to which a number with a fraction or an exponent is exact
)

// decimals is the form of a number that may have a fraction and an exponent.
var decimals = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// whole reads a number. Apps send some with a fraction, which is rounded down. ok is false for what is no number, and
// for one that is too large.
func whole(text string) (n int, ok bool) {
	if n, err := strconv.Atoi(text); err == nil {
		return n, true
	}
	if len(text) > longestNumber || !decimals.MatchString(text) {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(f) > largestDecimal {
		return 0, false
	}
	return int(math.Floor(f)), true
}

// texts returns a parameter as a list of texts: a list, an object with numbers as names, or one text.
func (p params) texts(name string) (all []string) {
	for _, v := range p.list(name) {
		switch v := v.(type) {
		case nil, params, []any:
		case string:
			all = append(all, v)
		default:
			all = append(all, fmt.Sprint(v))
		}
	}
	return all
}

// list returns a parameter as a list.
func (p params) list(name string) []any {
	switch v := p[name].(type) {
	case nil:
		return nil
	case []any:
		return v
	case params:
		var all []any
		for i := 0; v[strconv.Itoa(i)] != nil; i++ {
			all = append(all, v[strconv.Itoa(i)])
		}
		return all
	default:
		return []any{v}
	}
}

// objects returns a parameter as a list of objects.
func (p params) objects(name string) (all []params) {
	for _, v := range p.list(name) {
		if o, ok := v.(params); ok {
			all = append(all, o)
		}
	}
	return all
}

// object returns a parameter as an object; nil if it is none.
func (p params) object(name string) params {
	o, _ := p[name].(params)
	return o
}
