package testenv

import (
	"reflect"
	"strings"
)

// Variables returns the names of a configuration's environment variables, including nested structs.
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
