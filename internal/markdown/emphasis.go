package markdown

import (
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/hibana-sns/hibana/internal/words"
)

// emphasis parses runs of * and _, or of ~. CommonMark wants a space between a mark and the
// punctuation behind it, which scripts without spaces do not have. So punctuation of Chinese, Japanese and
// Korean counts as a letter here, and their characters count as a space where the punctuation is another.
// This is the amendment "CommonMark for CJK" of T. Uematsu. In texts without such characters it changes nothing.
type emphasis struct{ marks string }

func (e emphasis) Trigger() []byte { return []byte(e.marks) }

func (e emphasis) IsDelimiter(b byte) bool { return b == e.marks[0] || b == e.marks[len(e.marks)-1] }

func (emphasis) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (e emphasis) OnMatch(n int) ast.Node {
	if e.marks == "~" {
		return extast.NewStrikethrough()
	}
	return ast.NewEmphasis(n)
}

func (e emphasis) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, e)
	if d == nil || e.marks == "~" && (d.OriginalLength != 2 || before == '~') { // one stands between numbers, as in 10~12
		return nil
	}
	after := ' '
	if d.OriginalLength < len(line) {
		after = util.ToRune(line, d.OriginalLength)
	}
	if d.Char != '_' && (words.EastAsian(before) || words.EastAsian(after)) {
		d.CanOpen = !util.IsSpaceRune(after) && (letter(after) || !letter(before) || words.EastAsian(before))
		d.CanClose = !util.IsSpaceRune(before) && (letter(before) || !letter(after) || words.EastAsian(after))
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

// letter reports whether a character is neither space nor punctuation. Punctuation of East Asian texts counts as a
// letter.
func letter(r rune) bool { return words.EastAsian(r) || !util.IsSpaceRune(r) && !util.IsPunctRune(r) }
