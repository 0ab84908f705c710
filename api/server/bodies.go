package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"golang.org/x/sync/semaphore"

	"github.com/hibana-sns/hibana/internal/telemetry"
)

const (
	// maxBody is the limit of every request body in bytes.
	maxBody = 1 << 20
	// minBody is the limit of the smallest bodies in bytes.
	minBody = 4 << 10
	// smallBody is the size in bytes up to which a body needs no shared memory budget.
	smallBody = 64 << 10
	// maxBodies is the total size of all bodies larger than smallBody that a process holds at a time. maxWorked is the
	// number of them that it decodes and handles at a time.
	maxBodies = 32 << 20
	maxWorked = 4

	// bodyTime is the time limit of a body, plus one second for each bodyRate bytes that have arrived. The server gives up
	// a slower body.
	bodyTime = 5 * time.Second
	bodyRate = 32 << 10

	// perCharacter is the largest number of bytes of a character in a JSON text: two escapes.
	perCharacter = 12
	// untold is the limit of characters of a text whose schema has no limit.
	untold = 128
	// maxName is the limit of a name in bytes.
	maxName = 1 << 10
	// maxNumber is the limit of a number in bytes.
	maxNumber = 64
	// perLetter is the largest number of characters of a letter before NFC.
	perLetter = 2
	// spareValues is the number of values that a body may have beyond its schema, so that the error can name the field in
	// excess.
	spareValues = 100
)

// bodyLimits are the limits of a body of one operation. They follow from its schema.
type bodyLimits struct {
	bytes  int64
	values int64 // names, texts, numbers, literals, lists and objects
	text   int64 // characters of the longest text
}

// limitsOfBody returns the size of the largest body that a schema allows.
func limitsOfBody(all huma.Registry, schema *huma.Schema) bodyLimits {
	size := sizeOf(all, schema)
	size.bytes = min(max((size.bytes+1023)&^1023, minBody), maxBody) // whole KiB
	size.values += spareValues
	size.text = max(size.text*perLetter, maxName) // names are texts, too
	return size
}

func sizeOf(all huma.Registry, s *huma.Schema) (size bodyLimits) {
	if s.Ref != "" {
		return sizeOf(all, all.SchemaFromRef(s.Ref))
	}
	times := func(n *int, one bodyLimits) {
		most := int64(untold)
		if n != nil {
			most = int64(*n)
		}
		size.bytes += most * (one.bytes + 2)
		size.values += most * one.values
		size.text = max(size.text, one.text)
	}
	size = bodyLimits{bytes: 4, values: 1} // brackets or quotes, and the separator between two values
	switch s.Type {
	case huma.TypeObject:
		for name, property := range s.Properties {
			one := sizeOf(all, property)
			size.bytes += int64(len(name)) + 4 + one.bytes
			size.values += 1 + one.values
			size.text = max(size.text, one.text)
		}
		if of, ok := s.AdditionalProperties.(*huma.Schema); ok {
			one := sizeOf(all, of)
			times(s.MaxProperties, bodyLimits{one.bytes + untold, 1 + one.values, one.text})
		}
	case huma.TypeArray:
		times(s.MaxItems, sizeOf(all, s.Items))
	case huma.TypeString:
		most := untold
		if s.MaxLength != nil {
			most = *s.MaxLength
		}
		size.bytes += int64(most) * perCharacter
		size.text = int64(most)
	default:
		size.bytes += 32 // digits
	}
	return size
}

// bodies limits the bodies larger than smallBody that a process holds.
type bodies struct {
	bytes  *semaphore.Weighted // of all of them
	worked *semaphore.Weighted // of those that are decoded and handled
}

func newBodies() bodies {
	return bodies{semaphore.NewWeighted(maxBodies), semaphore.NewWeighted(maxWorked)}
}

// hasBody reports whether requests of a type have a body.
func hasBody(t reflect.Type) bool {
	_, ok := t.FieldByName("Body")
	return ok
}

// readBody reads and checks the body of a request before it calls the next handler. The request holds no place of the
// gate during the read, because the client decides how long a body takes.
func (s *Server) readBody(limits *bodyLimits) func(huma.Context, func(huma.Context)) {
	return func(c huma.Context, next func(huma.Context)) {
		if p := unsupported(humagin.Unwrap(c).Request); p != nil {
			s.refuseBody(c, p)
			return
		}
		s.receive(c, limits.bytes, func(text []byte) {
			text, fault := checked(text, limits)
			if fault != "" {
				fail(humagin.Unwrap(c), invalidBody(fault))
				return
			}
			humagin.Unwrap(c).Request.Body = io.NopCloser(bytes.NewReader(text))
			next(c)
		})
	}
}

// refuseBody refuses a body of another type or coding.
func (s *Server) refuseBody(c huma.Context, p *Problem) {
	g := humagin.Unwrap(c)
	if g.Request.Header.Get("Content-Encoding") != "" {
		g.Header("Accept-Encoding", "identity") // RFC 9110, 15.5.16
	}
	fail(g, p)
}

// receive reads the body of a request, of at most a number of bytes, and calls then with it. Of large bodies few are
// handled at a time.
func (s *Server) receive(c huma.Context, most int64, then func(text []byte)) {
	g := humagin.Unwrap(c)
	r, ctx := g.Request, c.Context()
	about, _ := aboutRequest(ctx) // serve put it there
	if about.within() {           // the body is in memory, and the request around it has the place of the gate
		text, _ := io.ReadAll(io.LimitReader(r.Body, most+1)) // a reader of bytes does not fail
		if int64(len(text)) > most {
			fail(g, tooLarge(most))
			return
		}
		then(text)
		return
	}
	about.outside = true
	s.options.Limits.Gate.Leave()
	in := incoming{from: r.Body, conn: http.NewResponseController(g.Writer), began: time.Now(),
		patience: min(bodyTime, s.options.Timeout), most: most, large: s.large, asks: r.Header.Get("Expect") != ""}
	text, err := in.read(r.ContentLength)
	if err == nil {
		in.conn.SetReadDeadline(time.Time{}) // else the server would wait for the rest of the body
	}
	defer in.done()
	about.outside = !s.options.Limits.Gate.Enter(ctx)
	switch {
	case about.outside, errors.Is(err, errCrowded):
		s.options.Telemetry.Count(ctx, telemetry.Saturated, 1)
		s.refuse(ctx, g.Writer, saturated())
	case errors.Is(err, errTooLarge):
		fail(g, tooLarge(most))
	case errors.Is(err, os.ErrDeadlineExceeded):
		fail(g, newProblem(http.StatusRequestTimeout, "timeout", fmt.Sprintf("The body took too long to arrive: it has "+
			"%v, and a second more for each %d bytes.", in.patience, bodyRate)))
	case err != nil:
		fail(g, invalidBody("the body breaks off"))
	default:
		if in.held > 0 {
			if s.large.worked.Acquire(ctx, 1) != nil {
				s.refuse(ctx, g.Writer, saturated())
				return
			}
			defer s.large.worked.Release(1)
		}
		then(text)
	}
}

func tooLarge(most int64) *Problem {
	return newProblem(http.StatusRequestEntityTooLarge, "too_large",
		fmt.Sprintf("The body is too large; the limit is %d bytes.", most))
}

// invalidBody is the problem of a body that is invalid as a whole.
func invalidBody(message string) *Problem {
	p := newProblem(http.StatusBadRequest, "invalid_request", "body: "+message)
	p.Errors = []FieldError{{Location: "body", Message: message}}
	return p
}

// unsupported refuses a body that is not declared as plain JSON. Media types are case-insensitive (RFC 9110, 8.3.1). A
// body without a media type counts as JSON.
func unsupported(r *http.Request) *Problem {
	refused := func(detail string) *Problem {
		return newProblem(http.StatusUnsupportedMediaType, "unsupported_media_type", detail)
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return refused("The API takes no body with a Content-Encoding; send the JSON as it is.")
	}
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	media = strings.ToLower(strings.TrimSpace(media))
	if given := r.Header.Get("Content-Type") != ""; given && media != "application/json" &&
		!strings.HasSuffix(media, "+json") {
		return refused("Send the body as application/json.")
	}
	r.Header.Set("Content-Type", "application/json")
	return nil
}

var (
	errTooLarge = errors.New("the body is too large")
	errCrowded  = errors.New("there are too many large bodies")
)

// incoming is a body that is being read.
type incoming struct {
	from     io.Reader
	conn     *http.ResponseController
	began    time.Time
	patience time.Duration // bodyTime, or less
	most     int64         // bytes
	large    bodies
	asks     bool  // the client waits for 100 Continue before it sends
	held     int64 // bytes reserved of large
}

// read reads the whole body. length is the length that the client declares, or -1. It reserves memory beyond smallBody
// only after as many bytes have arrived.
func (in *incoming) read(length int64) ([]byte, error) {
	if length > in.most {
		in.drain()
		return nil, errTooLarge
	}
	if length < 0 { // chunks
		length = in.most
	}
	buf := make([]byte, 0, min(length, smallBody)+1)
	for {
		if len(buf) == cap(buf) {
			if int64(len(buf)) > in.most {
				in.drain()
				return nil, errTooLarge
			}
			if !in.large.bytes.TryAcquire(length) {
				return nil, errCrowded
			}
			in.held = length
			buf = append(make([]byte, 0, length+1), buf...)
		}
		in.wait(int64(len(buf)))
		n, err := in.from.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			if int64(len(buf)) > in.most {
				return nil, errTooLarge
			}
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// wait extends the deadline for the next bytes.
func (in *incoming) wait(arrived int64) {
	in.conn.SetReadDeadline(in.began.Add(in.patience + time.Duration(arrived)*time.Second/bodyRate))
}

// drain reads a little more of a body that is too large, because a client that is still sending may not read the
// answer.
func (in *incoming) drain() {
	if in.asks {
		return
	}
	in.wait(0)
	io.CopyN(io.Discard, in.from, maxBody)
}

// done releases the memory that the body reserved.
func (in *incoming) done() {
	if in.held > 0 {
		in.large.bytes.Release(in.held)
	}
}

// checked scans a JSON text without decoding it, and names the limit that the text exceeds. For an invalid JSON text
// the result is undefined. checked rewrites whole numbers such as 1.0 and 1e2 without a fraction and an exponent: JSON
// Schema accepts them as integers, and Go's decoder does not.
func checked(text []byte, limits *bodyLimits) (plain []byte, fault string) {
	var out []byte   // nil while it would equal the input
	from := 0        // the input from here on is not yet in out
	var values int64 // values read so far
	for i := 0; i < len(text); {
		b := text[i]
		word := b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z'
		if word || b == '"' || b == '{' || b == '[' {
			if values++; values > limits.values {
				return nil, fmt.Sprintf("more than %d names and values; that is the limit", limits.values)
			}
		}
		switch {
		case b == '"':
			end, characters := endOfText(text, i+1)
			if end-i > maxName && isName(text, end) {
				return nil, fmt.Sprintf("a name of more than %d bytes; that is the limit", maxName)
			}
			if characters > limits.text {
				return nil, fmt.Sprintf("a text of more than %d characters; that is the limit", limits.text)
			}
			i = end
		case word:
			end := i + 1
			for end < len(text) && isWord(text[end]) {
				end++
			}
			if end-i > maxNumber {
				return nil, fmt.Sprintf("a number of more than %d digits; that is the limit", maxNumber)
			}
			if whole, ok := wholeNumber(text[i:end]); ok {
				out, from = append(append(out, text[from:i]...), whole...), end
			}
			i = end
		default:
			i++
		}
	}
	if from == 0 {
		return text, ""
	}
	return append(out, text[from:]...), ""
}

// endOfText returns the index behind a text whose first character is at i, and its number of characters. A character
// beyond the Basic Multilingual Plane that is written as two escapes counts twice.
func endOfText(text []byte, i int) (end int, characters int64) {
	for i < len(text) && text[i] != '"' {
		switch b := text[i]; {
		case b == '\\' && i+1 < len(text) && text[i+1] == 'u':
			i += 6
		case b == '\\':
			i += 2
		case b&0xC0 == 0x80: // a byte that continues a character
			i++
			continue
		default:
			i++
		}
		characters++
	}
	return min(i+1, len(text)), characters
}

// isName reports whether the text before i is the name of a field.
func isName(text []byte, i int) bool {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i < len(text) && text[i] == ':'
}

func isWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b == '.' || b == '+' || b == '-' || b == 'E'
}

// validNumber is the form of numbers in JSON; ParseFloat takes others.
var validNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// wholeNumber returns the plain form of a whole number that is written in another form.
func wholeNumber(text []byte) (string, bool) {
	if !bytes.ContainsAny(text, ".eE") || text[0] >= 'a' {
		return "", false
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) >= 1<<53 || !validNumber.Match(text) {
		return "", false
	}
	return strconv.FormatInt(int64(v), 10), true
}
