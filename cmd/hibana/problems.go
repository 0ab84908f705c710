package main

import (
	"fmt"
	"strings"
)

// problems lists all the reasons not to start.
type problems []error

func (p problems) Error() string {
	var text strings.Builder
	text.WriteString("cannot run Hibana here:")
	for _, err := range p {
		fmt.Fprintf(&text, "\n\n* %v", err)
	}
	return text.String()
}

// orNil returns p as an error, or nil if there is no problem.
func (p problems) orNil() error {
	if len(p) == 0 {
		return nil
	}
	return p
}
