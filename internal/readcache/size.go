package readcache

import (
	"reflect"
	"time"
)

// Size returns the approximate size of a value in bytes: the value itself, and everything that it refers to. Data that
// two fields share counts twice.
func Size[V any](v V) int {
	return int(reflect.TypeFor[V]().Size()) + beyond(reflect.ValueOf(&v).Elem())
}

// beyond returns the approximate number of bytes that a value refers to.
func beyond(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Pointer:
		if !v.IsNil() {
			return int(v.Type().Elem().Size()) + beyond(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			return int(v.Elem().Type().Size()) + beyond(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() { // all times share their zone
			return 0
		}
		for i := range v.NumField() {
			n += beyond(v.Field(i))
		}
	case reflect.Slice:
		n = v.Cap() * int(v.Type().Elem().Size())
		for i := range v.Len() {
			n += beyond(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return 0
		}
		n = 48 + mapSlots(v.Len())*(1+int(v.Type().Key().Size())+int(v.Type().Elem().Size()))
		for it := v.MapRange(); it.Next(); {
			n += beyond(it.Key()) + beyond(it.Value())
		}
	}
	return n
}

// mapSlots returns the approximate number of slots of a map with n keys. A group has 8 slots, and seven of eight slots
// are in use before a map grows.
func mapSlots(n int) int {
	if n == 0 {
		return 0
	}
	slots := 8
	for n > 8 && slots*7/8 < n {
		slots *= 2
	}
	return slots
}
