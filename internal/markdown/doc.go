// Package markdown parses the Markdown of tweets: their structure, hashtags, mentions and links. It cuts snippets that
// keep the structure, and encodes them compactly for the database. Package render converts both to HTML. The package
// does no I/O.
//
// The dialect is CommonMark as people type it, without raw HTML and link references, and with
//
//   - a line break where the text has one, which is "\n" in a text of the tree;
//   - emphasis beside punctuation of Chinese, Japanese and Korean;
//   - tables of at most 10 columns and 50 rows, which keep the cells that were typed;
//   - strikethrough, and bare http and https addresses as links;
//   - #hashtags and @mentions outside of code and links, see package words;
//   - a size behind an image, ![alt](/data/a.png){size=large}, and behind the language of a
//     fenced code block, sql:small;
//   - links to Wikipedia by language, [火花](wiki-ja), and links to pages of the service,
//     as /tweets/{id} and /posts/{id}.
//
// Every text can be parsed, in a time about proportional to its length. What is nested deeper than maxDepth, and what
// comes after maxMarks asterisks, maxBrackets brackets or maxWords hashtags, is plain text.
package markdown
