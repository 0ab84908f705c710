package markdown

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/hibana-sns/hibana/internal/words"
)

const (
	// maxDepth is the largest nesting depth of quotes and lists, and of emphases.
	maxDepth = 8

	// maxMarks is the largest number of meaningful runs of *, _ and ~ in a text, and maxBrackets the largest number of
	// opening brackets. The parser compares marks with each other, and may search for the end of a link up to the end of
	// the text.
	maxMarks, maxBrackets = 1_000, 300

	// maxWords is the largest number of hashtags, and of mentions, in a text. A tenth of it is already too many for a
	// tweet.
	maxWords = 1_000
)

// syntax parses the dialect. Raw HTML is not part of it, so that HTML is shown as it was typed.
// Link references are not part of it, because a short text could refer to one long address
// many times.
var syntax = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(shallowList{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(few{parser.NewLinkParser(), bracketsKey, maxBrackets}, 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(few{emphasis{"*_"}, marksKey, maxMarks}, 500),
		util.Prioritized(few{emphasis{"~"}, marksKey, maxMarks}, 500),
		util.Prioritized(addresses{}, 999),
	),
	parser.WithParagraphTransformers(util.Prioritized(tables{}, 100)),
)

// shallow opens no quote that is nested deeper than maxDepth.
type shallow struct{ parser.BlockParser }

func (p shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if depth(parent) >= maxDepth {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// shallowList opens no list that is nested deeper than maxDepth. The parser of lists does not advance when it opens a
// list, and keeps state about the line, so shallowList calls it in any case.
type shallowList struct{ parser.BlockParser }

func (p shallowList) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	node, state := p.BlockParser.Open(parent, reader, pc)
	if depth(parent) >= maxDepth {
		return nil, parser.NoChildren
	}
	return node, state
}

// depth returns the number of quotes and lists around a block.
func depth(block ast.Node) (n int) {
	for ; block != nil; block = block.Parent() {
		if k := block.Kind(); k == ast.KindBlockquote || k == ast.KindList {
			n++
		}
	}
	return n
}

var marksKey, bracketsKey = parser.NewContextKey(), parser.NewContextKey()

// few ignores the marks of a text beyond a limit.
type few struct {
	parser.InlineParser
	count parser.ContextKey
	limit int
}

func (p few) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if block.Peek() != ']' {
		marks, _ := pc.Get(p.count).(int)
		if marks >= p.limit {
			return nil
		}
		pc.Set(p.count, marks+1)
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// CloseBlock passes the end of a block to a parser that handles it.
func (p few) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := p.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// addresses turns bare addresses into links. The parser calls it at punctuation only, so it searches for the scheme
// before a colon. A disallowed address becomes a link too and is displayed as text.
type addresses struct{}

func (addresses) Trigger() []byte { return []byte{':'} }

func (addresses) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	before, ok := parent.LastChild().(*ast.Text)
	if !ok || !bytes.HasPrefix(line, []byte("://")) || before.Segment.Stop != segment.Start || before.SoftLineBreak() ||
		before.HardLineBreak() {
		return nil
	}
	scheme := schemeAtEnd.FindIndex(last(before.Segment.Value(block.Source()), len("_https")))
	if scheme == nil {
		return nil
	}
	start := segment.Start - (scheme[1] - scheme[0])
	if start > 0 && block.Source()[start-1] == '\\' {
		return nil // the author escaped it
	}
	// a longer text is not an address
	address := string(block.Source()[start:min(segment.Start+len(line), start+maxAddress+1)])
	n := words.Address(address, "")
	if n > 0 && strings.ContainsAny(address[:n], marks) {
		n = words.Address(address, open(pc))
	}
	if n == 0 {
		return nil
	}
	before.Segment = before.Segment.WithStop(start)
	block.Advance(n - (segment.Start - start))
	link := ast.NewAutoLink(ast.AutoLinkURL, ast.NewTextSegment(text.NewSegment(start, start+n)))
	link.SetPos(start)
	return link
}

// schemeAtEnd finds a scheme at the end of a text where a word begins. In scripts beyond ASCII the scheme may stand
// within a sentence.
var schemeAtEnd = regexp.MustCompile(`(?i)\bhttps?$`)

func last(b []byte, n int) []byte { return b[max(len(b)-n, 0):] }

// marks are the marks of emphases and deletions.
const marks = "*_~"

// open lists the open marks. It pairs marks in order: a mark that may close, closes.
func open(pc parser.Context) (all string) {
	var depth [128]int
	for d := pc.FirstDelimiter(); d != nil; d = d.NextDelimiter {
		if d.CanClose && depth[d.Char] > 0 {
			depth[d.Char]--
		} else if d.CanOpen {
			depth[d.Char]++
		}
	}
	for _, mark := range marks {
		if depth[mark] > 0 {
			all += string(mark)
		}
	}
	return all
}
