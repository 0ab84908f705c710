package testenv

import (
	"reflect"
	"strings"
)

// Variables are the names of the environment variables that a configuration has, those of the
// structs in it among them.
func Variables(configuration reflect.Type) (names []string) {
	for f := range configuration.Fields() {
		if f.Type.Kind() == reflect.Struct {
			names = append(names, Variables(f.Type)...)
		} else if name, _, _ := strings.Cut(f.Tag.Get("env"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}
