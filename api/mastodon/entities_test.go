package mastodon_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// entities are what the documentation says of answers, see testdata/entities.txt.
type entities struct {
	fields  map[string][]documented
	answers map[string]string // kinds by the names of methods, those of one method separated by |
}

// documented is a field of an entity.
type documented struct {
	name, kind     string
	null, optional bool
}

func readEntities(t testing.TB) *entities {
	t.Helper()
	text, err := os.ReadFile("testdata/entities.txt")
	testenv.Must(t, err)
	is, entity := &entities{map[string][]documented{}, map[string]string{}}, ""
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		method, kind, ok := strings.Cut(strings.TrimSpace(line), " = ")
		switch {
		case len(words) == 0 || words[0] == "#":
		case ok:
			is.answers[method] = kind
		case line[0] != '\t':
			entity, is.fields[words[0]] = words[0], nil
			if len(words) > 1 {
				is.fields[entity] = append(is.fields[entity], is.fields[words[1]]...)
			}
		default:
			f := documented{words[0], strings.TrimSuffix(words[1], "?"), strings.HasSuffix(words[1], "?"), len(words) > 2}
			all := is.fields[entity]
			for i := range all {
				if all[i].name == f.name {
					all[i], f.name = f, ""
				}
			}
			if f.name != "" {
				is.fields[entity] = append(all, f)
			}
		}
	}
	return is
}

// answer reports what an answer of a method has of another kind than documented.
func (is *entities) answer(t testing.TB, method string, a answer) {
	t.Helper()
	kinds, ok := is.answers[method]
	if !ok {
		t.Errorf("testdata/entities.txt does not say what %s answers", method)
		return
	}
	if a.StatusCode >= http.StatusBadRequest {
		kinds = "Error"
	}
	is.check(t, method, kinds, a.text)
}

// check reports what JSON has of another kind than one of some, separated by |.
func (is *entities) check(t testing.TB, what, kinds string, text []byte) {
	t.Helper()
	if kinds == "text" {
		return
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		t.Errorf("%s answers no JSON: %.100s", what, text)
		return
	}
	var wrong []string
	for kind := range strings.SplitSeq(kinds, "|") {
		if wrong = is.wrong(kind, value, ""); len(wrong) == 0 {
			return
		}
	}
	t.Errorf("%s: %s\nin %.2000s", what, strings.Join(wrong[:min(len(wrong), 8)], "; "), text)
}

var (
	aTime   = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	digits  = regexp.MustCompile(`^\d+$`)
	integer = regexp.MustCompile(`^-?\d+$`)
)

// isText says which strings are of a kind.
var isText = map[string]func(string) bool{
	"string": func(string) bool { return true },
	"time":   aTime.MatchString,
	"digits": digits.MatchString,
	"unix":   func(s string) bool { return digits.MatchString(s) && len(s) == 10 },
	"date":   func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil },
	"url": func(s string) bool {
		at, err := url.Parse(s)
		return err == nil && (at.Scheme == "data" || at.Host != "" && (at.Scheme == "http" || at.Scheme == "https"))
	},
}

// wrong lists what a value has of another kind.
func (is *entities) wrong(kind string, value any, at string) (all []string) {
	if of, ok := strings.CutPrefix(kind, "["); ok {
		list, ok := value.([]any)
		if !ok {
			return []string{fmt.Sprintf("%s is no list: %.50v", at, value)}
		}
		for i, one := range list {
			all = append(all, is.wrong(strings.TrimSuffix(of, "]"), one, fmt.Sprintf("%s[%d]", at, i))...)
		}
		return all
	}
	ok := true
	switch v := value.(type) {
	case string:
		ok = isText[kind] != nil && isText[kind](v)
	case json.Number:
		ok = kind == "number" || kind == "int" && integer.MatchString(v.String())
	case bool:
		ok = kind == "bool"
	case map[string]any:
		fields, known := is.fields[kind]
		if ok = known || kind == "hash" || kind == "Empty" && len(v) == 0; !ok {
			break
		}
		for _, f := range fields {
			one, there := v[f.name]
			switch {
			case !there && f.optional, there && one == nil && f.null:
			case !there:
				all = append(all, at+"."+f.name+" is missing")
			default:
				all = append(all, is.wrong(f.kind, one, at+"."+f.name)...)
			}
		}
		return all
	default:
		ok = false
	}
	if !ok {
		all = append(all, fmt.Sprintf("%s is no %s: %.50v", at, kind, value))
	}
	return all
}
