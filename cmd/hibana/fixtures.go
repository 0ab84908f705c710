package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/model"
)

// maxFixtures is the limit of a fixture file in bytes. Thirty of the longest texts fit.
const maxFixtures = 8 << 20

// fixture is a tweet that a file describes.
type fixture struct {
	file         string
	line         int    // of its first header
	id           string // 16 lower-case hexadecimal digits; links name the fixture by it
	ownedBy      string // the same form; the author
	allowLikes   bool
	allowReplies bool
	tags         []string
	content      string // with \n as the only line ending
}

// String returns the fixture in the form of the file.
func (f fixture) String() string {
	end := "____EOF____"
	for slices.Contains(strings.Split(f.content, "\n"), end) {
		end += "_"
	}
	tags := ""
	if len(f.tags) > 0 {
		tags = "tags: " + strings.Join(f.tags, ", ") + "\n"
	}
	return fmt.Sprintf("id: %s\nownedBy: %s\nallowLikes: %t\nallowReplies: %t\n%scontent:<<%s\n%s\n%s\n",
		f.id, f.ownedBy, f.allowLikes, f.allowReplies, tags, end, f.content, end)
}

// errorf returns an error about the fixture.
func (f fixture) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: fixture %s: %w", f.file, f.line, f.id, fmt.Errorf(format, args...))
}

// readFixtures reads all fixtures of the files. The error lists each unreadable file and each fixture that the API
// would refuse.
func readFixtures(files []string) ([]fixture, error) {
	var all []fixture
	var wrong []error
	for _, file := range files {
		text, err := readAtMost(file, maxFixtures)
		if err == nil {
			var some []fixture
			some, err = parseFixtures(file, text)
			all = append(all, some...)
		}
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	known := map[string]fixture{}
	for _, f := range all {
		if first, ok := known[f.id]; ok {
			wrong = append(wrong, f.errorf("%s:%d has the same id", first.file, first.line))
			continue
		}
		known[f.id] = f
	}
	for _, f := range all {
		if err := f.validate(known); err != nil {
			wrong = append(wrong, err)
		}
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("nothing is posted:\n%w", errors.Join(wrong...))
	}
	return all, nil
}

// validate refuses a fixture that the API would refuse, because it exceeds a limit of a tweet. A link to a known
// fixture counts with its final length.
func (f fixture) validate(known map[string]fixture) error {
	tweets := map[string]string{}
	for id := range known {
		tweets[id] = strings.Repeat("0", tweetDigits)
	}
	for _, content := range []string{f.content, f.resolve(tweets)} {
		d := model.Draft{Content: content, Tags: f.tags, AllowLikes: f.allowLikes, AllowReplies: f.allowReplies}
		if err := d.Validate(); err != nil {
			return f.errorf("%w", err)
		}
	}
	return nil
}

func readAtMost(file string, limit int64) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s: the file is larger than %d bytes, which is the limit", file, limit)
	}
	return string(text), err
}

var (
	lineEnds  = strings.NewReplacer("\r\n", "\n", "\r", "\n")
	fixtureID = regexp.MustCompile(`^[0-9a-fA-F]{16}$`)
)

// parseFixtures parses the fixtures of a text. The error names the file and the line. It skips a byte order mark at the
// beginning, and accepts every line ending.
func parseFixtures(file, text string) ([]fixture, error) {
	lines := strings.Split(lineEnds.Replace(strings.TrimPrefix(text, "\ufeff")), "\n")
	var all []fixture
	var f fixture
	seen := map[string]int{} // lines of the headers of f
	for i := 0; i < len(lines); i++ {
		number := i + 1
		wrong := func(format string, args ...any) ([]fixture, error) {
			return nil, fmt.Errorf("%s:%d: %w", file, number, fmt.Errorf(format, args...))
		}
		if !utf8.ValidString(lines[i]) {
			return wrong("the line is not UTF-8")
		}
		if strings.TrimSpace(lines[i]) == "" {
			continue
		}
		name, value, ok := strings.Cut(lines[i], ":")
		if !ok {
			return wrong("%.40q is no header: a header is a name, a colon and a value", lines[i])
		}
		if first := seen[name]; first > 0 {
			return wrong("a second %s; the first is on line %d, and a fixture ends with its content", name, first)
		}
		if len(seen) == 0 {
			f = fixture{file: file, line: number, allowLikes: true, allowReplies: true}
		}
		seen[name] = number
		value = strings.TrimSpace(value)
		var err error
		switch name {
		case "id":
			f.id, err = parseFixtureID(value)
		case "ownedBy":
			f.ownedBy, err = parseFixtureID(value)
		case "allowLikes":
			f.allowLikes, err = parseSwitch(value)
		case "allowReplies":
			f.allowReplies, err = parseSwitch(value)
		case "tags":
			f.tags, err = parseTags(value)
		case "content":
			var n int
			if f.content, n, err = heredoc(value, lines[i+1:]); err != nil {
				return wrong("content: %w", err)
			}
			for _, needed := range []string{"id", "ownedBy"} {
				if seen[needed] == 0 {
					return wrong("the fixture of line %d has no %s", f.line, needed)
				}
			}
			for j, line := range lines[i+1 : i+1+n] {
				if number = i + 2 + j; !utf8.ValidString(line) {
					return wrong("the line is not UTF-8")
				}
			}
			all = append(all, f)
			clear(seen)
			i += n
		default:
			return wrong("%.40q is an unknown header; there are id, ownedBy, allowLikes, allowReplies, tags and content", name)
		}
		if err != nil {
			return wrong("%s: %w", name, err)
		}
	}
	if len(seen) > 0 {
		return nil, fmt.Errorf("%s:%d: the fixture that begins here has no content", file, f.line)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s:1: the file has no fixture", file)
	}
	return all, nil
}

func parseFixtureID(s string) (string, error) {
	if !fixtureID.MatchString(s) {
		return "", fmt.Errorf("%.40q is not 16 hexadecimal digits", s)
	}
	return strings.ToLower(s), nil
}

func parseSwitch(s string) (bool, error) {
	if s != "true" && s != "false" {
		return false, fmt.Errorf("%.40q is neither true nor false", s)
	}
	return s == "true", nil
}

// parseTags parses comma-separated tags. Package model validates them.
func parseTags(s string) (tags []string, err error) {
	if s == "" {
		return nil, nil
	}
	for tag := range strings.SplitSeq(s, ",") {
		if tag = strings.TrimSpace(tag); tag == "" {
			return nil, errors.New("there is an empty tag; tags have commas between")
		}
		tags = append(tags, tag)
	}
	return tags, nil
}

// heredoc reads a text up to the end line that its header names as <<WORD, and returns the number of lines read.
func heredoc(header string, lines []string) (text string, n int, err error) {
	end, ok := strings.CutPrefix(header, "<<")
	if !ok || end == "" || strings.ContainsFunc(end, unicode.IsSpace) {
		return "", 0, fmt.Errorf("%.40q is not <<WORD, such as <<____EOF____; the text stands on the lines below it, and "+
			"ends at a line that is WORD alone", header)
	}
	if n = slices.Index(lines, end); n < 0 {
		return "", 0, fmt.Errorf("no line below is %s alone, so the text has no end", strconv.Quote(end))
	}
	return strings.Join(lines[:n], "\n"), n + 1, nil
}

// tweetDigits is the length of a tweet's id. The id of a fixture is shorter, so that no text is both.
const tweetDigits = 18

// link is a link of a text to a fixture.
type link struct {
	begin, end int    // of the address in the text
	id         string // of the fixture
}

var fixtureLink = regexp.MustCompile(`/posts/([0-9a-fA-F]{16})`)

// links returns the links of the text to fixtures in order. An address in code or in plain text is not a link.
func (f fixture) links() (all []link) {
	// Each address gets different digits of the same number, and the parser reports which ones are links.
	const first uint64 = 0xf1b7_0000_0000_0000
	found := fixtureLink.FindAllStringSubmatchIndex(f.content, -1)
	if len(found) == 0 {
		return nil
	}
	marked := []byte(f.content)
	for i, m := range found {
		copy(marked[m[2]:m[3]], strconv.FormatUint(first+uint64(i), 16))
	}
	addresses := map[string]bool{}
	collectAddresses(markdown.Parse(string(marked)).Nodes, addresses)
	for i, m := range found {
		if addresses["/tweets/"+strconv.FormatUint(first+uint64(i), 16)] {
			all = append(all, link{m[0], m[1], strings.ToLower(f.content[m[2]:m[3]])})
		}
	}
	return all
}

// collectAddresses adds the addresses of all links and images.
func collectAddresses(nodes []markdown.Node, addresses map[string]bool) {
	for _, n := range nodes {
		if n.Address != "" {
			addresses[n.Address] = true
		}
		collectAddresses(n.Nodes, addresses)
	}
}

// resolve returns the content with links to fixtures replaced by links to tweets. Links to unknown fixtures stay.
func (f fixture) resolve(tweets map[string]string) string {
	var b strings.Builder
	at := 0
	for _, l := range f.links() {
		if tweet, ok := tweets[l.id]; ok {
			b.WriteString(f.content[at:l.begin] + "/tweets/" + tweet)
			at = l.end
		}
	}
	return b.String() + f.content[at:]
}
