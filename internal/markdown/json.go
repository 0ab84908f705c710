package markdown

import (
	"bytes"
	"encoding/json"
)

// marshal is JSON without the escapes that HTML would need.
func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // texts and numbers
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
