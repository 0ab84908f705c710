package markdown

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxColumns is the largest number of cells of a row of a table, and maxRows that of rows below the first.
// A text of lines with bars beyond them is no table.
const maxColumns, maxRows = 10, 50

// tables turns the end of a paragraph into a table: a line of names, a line of dashes with as many cells, and rows. A
// row has the cells that were typed, and no empty ones beside them, so that a table is as long as its text.
type tables struct{}

var dashes = regexp.MustCompile(`^\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?$`)

func (tables) Transform(paragraph *ast.Paragraph, reader text.Reader, _ parser.Context) {
	source, lines := reader.Source(), paragraph.Lines()
	names, rows := findTable(source, lines)
	if rows == nil {
		return
	}
	table := extast.NewTable()
	for i, cells := range rows {
		var row ast.Node = extast.NewTableRow(nil)
		if i == 0 {
			row = extast.NewTableHeader(extast.NewTableRow(nil))
		}
		for _, cell := range cells {
			of := extast.NewTableCell()
			of.Lines().Append(cell)
			row.AppendChild(row, of)
		}
		table.AppendChild(table, row)
	}
	parent, apart := paragraph.Parent(), paragraph.HasBlankPreviousLines()
	parent.InsertAfter(parent, paragraph, table)
	table.SetBlankPreviousLines(apart && names == 0)
	if names > 0 {
		// Another paragraph: a line of dashes or equals signs below the table would make a heading of this one.
		before := ast.NewParagraph()
		before.SetBlankPreviousLines(apart)
		for i := range names {
			line := lines.At(i)
			if line = line.TrimLeftSpace(source); i == names-1 {
				line = line.TrimRightSpace(source)
			}
			before.Lines().Append(line)
		}
		parent.InsertBefore(parent, paragraph, before)
	}
	parent.RemoveChild(parent, paragraph)
}

// findTable returns the line of a paragraph at which a table begins, and the cells of its rows; no rows without a
// table, or for one that is too large.
func findTable(source []byte, lines *text.Segments) (names int, rows [][]text.Segment) {
	for i := 1; i < lines.Len(); i++ {
		under := lines.At(i)
		line := bytes.TrimSpace(source[under.Start:under.Stop])
		if !bytes.ContainsRune(line, '|') || !dashes.Match(line) {
			continue
		}
		above := lines.At(i - 1)
		head := cells(source, above)
		if !bytes.ContainsRune(source[above.Start:above.Stop], '|') || len(head) != len(cells(source, under)) {
			continue
		}
		if len(head) > maxColumns || lines.Len()-i-1 > maxRows {
			return 0, nil
		}
		rows = [][]text.Segment{head}
		for j := i + 1; j < lines.Len(); j++ {
			row := cells(source, lines.At(j))
			if len(row) > maxColumns {
				return 0, nil
			}
			rows = append(rows, row)
		}
		return i - 1, rows
	}
	return 0, nil
}

// cells splits a line at its bars. A bar behind a backslash is a character of its cell.
func cells(source []byte, line text.Segment) (all []text.Segment) {
	trim := func(start, stop int) text.Segment {
		for start < stop && isSpace(source[start]) {
			start++
		}
		for start < stop && isSpace(source[stop-1]) {
			stop--
		}
		return text.NewSegment(start, stop)
	}
	whole := trim(line.Start, line.Stop)
	start := whole.Start
	if start < whole.Stop && source[start] == '|' {
		start++
	}
	for i := start; i < whole.Stop; i++ {
		switch source[i] {
		case '\\':
			i++
		case '|':
			all = append(all, trim(start, i))
			start = i + 1
		}
	}
	if start < whole.Stop || len(all) == 0 {
		all = append(all, trim(start, whole.Stop))
	}
	return all
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
