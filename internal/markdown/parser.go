package markdown

import (
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const (
	// maxDepth is how deep quotes and lists, and how deep emphases, may be nested.
	maxDepth = 8

	// maxMarks is how many runs of *, _ and ~ a text may have that mean something, and
	// maxBrackets how many opening brackets. The parser compares marks with each other, and may
	// look for the end of a link up to the end of the text.
	maxMarks, maxBrackets = 1_000, 300
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
		util.Prioritized(few{parser.NewEmphasisParser(), marksKey, maxMarks}, 500),
		util.Prioritized(few{extension.NewStrikethroughParser(), marksKey, maxMarks}, 500),
		util.Prioritized(extension.NewLinkifyParser(extension.WithLinkifyEmailRegexp(regexp.MustCompile(`^\z.`))), 999),
	),
)

// shallow opens no quote that is nested deeper than maxDepth.
type shallow struct{ parser.BlockParser }

func (p shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if depth(parent) >= maxDepth {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// shallowList opens no list that is nested deeper than maxDepth. The parser of lists moves
// nothing forward when it opens a list, and keeps notes about the line, so it is asked anyway.
type shallowList struct{ parser.BlockParser }

func (p shallowList) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	node, state := p.BlockParser.Open(parent, reader, pc)
	if depth(parent) >= maxDepth {
		return nil, parser.NoChildren
	}
	return node, state
}

// depth is how many quotes and lists a block is in.
func depth(block ast.Node) (n int) {
	for ; block != nil; block = block.Parent() {
		if k := block.Kind(); k == ast.KindBlockquote || k == ast.KindList {
			n++
		}
	}
	return n
}

var marksKey, bracketsKey = parser.NewContextKey(), parser.NewContextKey()

// few takes no marks of a text beyond a limit.
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

// CloseBlock passes on the end of a block to a parser that wants to know.
func (p few) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := p.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}
