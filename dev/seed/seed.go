// Package seed has the people of `hibana seed` and what they write, from the YAML files beside it.
package seed

import (
	"embed"
	"fmt"
	"slices"
	"time"

	"github.com/goccy/go-yaml"
)

//go:embed people.yaml threads.yaml
var files embed.FS

// Person is a user of the seed.
type Person struct {
	Username, Nickname, Pronouns, Introduction string
	Language                                   string // that the person writes
	Header                                     string // a scene of package draw
	Fields                                     []Field
}

// Field is a line of a profile.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Tweet is a tweet of the seed.
type Tweet struct {
	Author           int // of the people
	ReplyTo, QuoteOf int // earlier tweets; -1 for none
	// how long before the seed it was written; 0 for a tweet of the moment
	Age           time.Duration
	Text, Summary string
	Pin           bool
	Pictures      []Picture
	Poll          *Poll
}

// Picture is a scene of package draw, and what it shows in words.
type Picture struct{ Scene, Alt string }

// Poll has the votes of people, by username.
type Poll struct {
	Options []string
	Minutes int
	Votes   map[string]int // the first option is 0
}

// node is a tweet as the file has it, with its thread below it.
type node struct {
	By, ID, Ago, Text, Summary, Quote string
	Pin                               bool
	Pictures                          []Picture
	Poll                              *Poll
	Replies                           []node
}

// Load reads the people and their tweets. A tweet comes after those that it answers and quotes. An error names the
// mistake in a file.
func Load() (people []Person, tweets []Tweet, err error) {
	var roots []node
	for name, to := range map[string]any{"people.yaml": &people, "threads.yaml": &roots} {
		text, err := files.ReadFile(name)
		if err == nil {
			err = yaml.UnmarshalWithOptions(text, to, yaml.Strict())
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	l := &loader{people: people, named: map[string]int{}}
	for _, root := range roots {
		if err := l.thread(root); err != nil {
			return nil, nil, fmt.Errorf("threads.yaml: the thread %.40q: %w", root.Text, err)
		}
	}
	return people, l.tweets, nil
}

type loader struct {
	people []Person
	named  map[string]int
	tweets []Tweet
}

// between is the time from a tweet of a thread to the next, unless the thread is younger than that allows.
const between = 11 * time.Minute

// thread adds a tweet with all below it.
func (l *loader) thread(root node) error {
	first := len(l.tweets)
	if err := l.add(root, -1); err != nil {
		return err
	}
	if root.Ago == "" {
		return nil
	}
	age, err := time.ParseDuration(root.Ago)
	if err != nil {
		return err
	}
	all := l.tweets[first:]
	for i := range all {
		all[i].Age = age - time.Duration(i)*min(between, age/time.Duration(len(all)+1))
		if len(all[i].Pictures) > 0 || all[i].Poll != nil {
			return fmt.Errorf("a tweet of the past has no pictures and no poll: %.40q", all[i].Text)
		}
	}
	return nil
}

func (l *loader) add(n node, parent int) error {
	t := Tweet{ReplyTo: parent, QuoteOf: -1, Text: n.Text, Summary: n.Summary, Pin: n.Pin, Pictures: n.Pictures,
		Poll: n.Poll}
	t.Author = slices.IndexFunc(l.people, func(p Person) bool { return p.Username == n.By })
	if t.Author < 0 {
		return fmt.Errorf("there is no %q", n.By)
	}
	if n.Quote != "" {
		quoted, ok := l.named[n.Quote]
		if !ok {
			return fmt.Errorf("no tweet before it has the id %q", n.Quote)
		}
		t.QuoteOf = quoted
	}
	me := len(l.tweets)
	if n.ID != "" {
		l.named[n.ID] = me
	}
	l.tweets = append(l.tweets, t)
	for _, reply := range n.Replies {
		if err := l.add(reply, me); err != nil {
			return err
		}
	}
	return nil
}
