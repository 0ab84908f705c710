package markdown

import (
	"bytes"
	"encoding/json"
)

// marshal returns JSON without the escapes for HTML.
func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only texts and numbers
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
