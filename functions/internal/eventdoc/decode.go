// Package eventdoc decodes the documents of Firestore's events.
package eventdoc

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
)

// Decode decodes an event's document into a struct of package model, by the same tags as the Firestore client.
// It ignores fields that the struct does not have. A nil document returns nil.
func Decode[T any](doc *firestoredata.Document) (*T, error) {
	if doc == nil {
		return nil, nil
	}
	v := new(T)
	if err := decodeFields(reflect.ValueOf(v).Elem(), doc.Fields); err != nil {
		return nil, fmt.Errorf("%s: %w", doc.Name, err)
	}
	return v, nil
}

// decodeFields decodes into a struct from the fields of a document or map.
func decodeFields(to reflect.Value, from map[string]*firestoredata.Value) error {
	for i := range to.NumField() {
		name, _, _ := strings.Cut(to.Type().Field(i).Tag.Get("firestore"), ",")
		if v, ok := from[name]; ok && name != "-" {
			if err := decodeValue(to.Field(i), v); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// decodeValue decodes one field. A value of the wrong type is an error.
func decodeValue(to reflect.Value, from *firestoredata.Value) error {
	if _, null := from.ValueType.(*firestoredata.Value_NullValue); null {
		to.SetZero()
		return nil
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	switch v := from.ValueType.(type) {
	case *firestoredata.Value_StringValue:
		if to.Kind() == reflect.String {
			to.SetString(v.StringValue)
			return nil
		}
	case *firestoredata.Value_BytesValue:
		if to.Type() == reflect.TypeFor[[]byte]() {
			to.SetBytes(v.BytesValue)
			return nil
		}
	case *firestoredata.Value_BooleanValue:
		if to.Kind() == reflect.Bool {
			to.SetBool(v.BooleanValue)
			return nil
		}
	case *firestoredata.Value_IntegerValue:
		if to.CanInt() {
			to.SetInt(v.IntegerValue)
			return nil
		}
	case *firestoredata.Value_TimestampValue:
		if to.Type() == reflect.TypeFor[time.Time]() {
			to.Set(reflect.ValueOf(v.TimestampValue.AsTime()))
			return nil
		}
	case *firestoredata.Value_ArrayValue:
		if to.Kind() == reflect.Slice {
			return decodeList(to, v.ArrayValue.GetValues())
		}
	case *firestoredata.Value_MapValue:
		switch {
		case to.Type() == reflect.TypeFor[time.Time](): // time.Time is a struct, but not a map
		case to.Kind() == reflect.Struct:
			return decodeFields(to, v.MapValue.GetFields())
		case to.Kind() == reflect.Map:
			return decodeMap(to, v.MapValue.GetFields())
		}
	}
	return fmt.Errorf("cannot decode %T into %s", from.ValueType, to.Type())
}

// decodeList decodes a list into a slice. An empty list becomes nil, as with the Firestore client.
func decodeList(to reflect.Value, from []*firestoredata.Value) error {
	if len(from) == 0 {
		to.SetZero()
		return nil
	}
	to.Set(reflect.MakeSlice(to.Type(), len(from), len(from)))
	for i, v := range from {
		if err := decodeValue(to.Index(i), v); err != nil {
			return fmt.Errorf("%d: %w", i, err)
		}
	}
	return nil
}

// decodeMap decodes a map whose keys have any string type.
func decodeMap(to reflect.Value, from map[string]*firestoredata.Value) error {
	to.Set(reflect.MakeMapWithSize(to.Type(), len(from)))
	for k, v := range from {
		elem := reflect.New(to.Type().Elem()).Elem()
		if err := decodeValue(elem, v); err != nil {
			return fmt.Errorf("%s: %w", k, err)
		}
		to.SetMapIndex(reflect.ValueOf(k).Convert(to.Type().Key()), elem)
	}
	return nil
}
