package erasure

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// part is an unfinished zip. It has a file for each section with items.
type part struct {
	number int // of the export's parts, from 1
	at     time.Time
	limit  int // of bytes of JSON

	buf   bytes.Buffer
	zip   *zip.Writer
	size  int // bytes of JSON
	files int
	from  *section // the section of the next items
	file  io.Writer
	items int64 // since taken was called
}

func newPart(number int, at time.Time, limit int) *part {
	p := &part{number: number, at: at, limit: limit}
	p.zip = zip.NewWriter(&p.buf)
	return p
}

// empty reports whether the part has no file.
func (p *part) empty() bool { return p.files == 0 }

// full reports whether the part should get no more items.
func (p *part) full() bool { return p.size >= p.limit }

// begin sets the section of the next items.
func (p *part) begin(s *section) {
	if p.from != s {
		p.close()
		p.from = s
	}
}

// add writes an item. The items of a section are an array, and the item of a single section is the whole file.
func (p *part) add(item any) error {
	data, err := encode(item)
	if err != nil {
		return err
	}
	before := ",\n"
	if p.file == nil {
		before = "[\n"
		name := fmt.Sprintf("%s-%d.json", p.from.name, p.number)
		if p.from.single {
			name = p.from.name + ".json"
		}
		if p.file, err = p.create(name); err != nil {
			return err
		}
	}
	if p.from.single {
		before = ""
	}
	p.items++
	p.size += len(before) + len(data)
	_, err = p.file.Write(append([]byte(before), data...))
	return err
}

// addFile writes a file as it is. It ends the file of the items, so the part takes no more of them.
func (p *part) addFile(name string, from io.Reader) error {
	p.close()
	p.files++
	f, err := p.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: p.at})
	if err == nil {
		_, err = io.Copy(f, from)
	}
	p.size = p.limit
	return err
}

// taken returns how many items came since the last call.
func (p *part) taken() int64 {
	n := p.items
	p.items = 0
	return n
}

func (p *part) create(name string) (io.Writer, error) {
	p.files++
	return p.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: p.at})
}

// close ends the file of a section. Writes to the buffer below never fail.
func (p *part) close() {
	if p.file != nil && !p.from.single {
		io.WriteString(p.file, "\n]\n")
	}
	p.file = nil
}

// summary writes the contents of the whole export: the last file of the last part.
func (p *part) summary(w *model.ExportWork) error {
	p.close()
	f, err := p.create("export.json")
	if err != nil {
		return err
	}
	about := map[string]any{"format": 1, "userId": w.UserID, "startedAt": w.StartedAt, "endedAt": p.at, "items": w.Items}
	if w.OmittedFiles > 0 {
		about["omittedFiles"] = w.OmittedFiles
	}
	data, err := encode(about)
	if err == nil {
		_, err = f.Write(data)
	}
	return err
}

// end returns the zip.
func (p *part) end() ([]byte, error) {
	p.close()
	err := p.zip.Close()
	return p.buf.Bytes(), err
}

// encode returns JSON that leaves the characters of HTML as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
