// Package fielddiff compares two documents of one type by field.
package fielddiff

import (
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"time"
)

// Of yields the fields in which two structs differ, by their names in Firestore, with both values in a form that can be
// compared and shown as JSON.
func Of[T any](have, want T) iter.Seq2[string, [2]any] {
	return func(yield func(string, [2]any) bool) {
		h, w := reflect.ValueOf(have), reflect.ValueOf(want)
		for i := range h.NumField() {
			name, _, _ := strings.Cut(h.Type().Field(i).Tag.Get("firestore"), ",")
			a, b := plain(h.Field(i)), plain(w.Field(i))
			if name != "-" && a != b && !yield(name, [2]any{a, b}) {
				return
			}
		}
	}
}

// plain returns a value in a form that can be compared and shown as JSON.
func plain(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if t, ok := v.Interface().(time.Time); ok {
		return t.UTC().Format(time.RFC3339Nano)
	}
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Slice:
		if v.Len() == 0 {
			return "[]" // a nil slice equals an empty slice
		}
		text, err := json.Marshal(v.Interface())
		if err != nil {
			panic(err) // documents are plain
		}
		return string(text)
	}
	if v.CanInt() {
		return v.Int()
	}
	return fmt.Sprint(v.Interface())
}
