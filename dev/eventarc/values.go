package eventarc

import (
	"fmt"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// toValue converts a value into the form that events carry. The value has one of the types that the Firestore client
// returns from DocumentSnapshot.Data.
func toValue(v any) (*firestoredata.Value, error) {
	value := new(firestoredata.Value)
	switch v := v.(type) {
	case nil:
		value.ValueType = &firestoredata.Value_NullValue{NullValue: structpb.NullValue_NULL_VALUE}
	case bool:
		value.ValueType = &firestoredata.Value_BooleanValue{BooleanValue: v}
	case int64:
		value.ValueType = &firestoredata.Value_IntegerValue{IntegerValue: v}
	case float64:
		value.ValueType = &firestoredata.Value_DoubleValue{DoubleValue: v}
	case string:
		value.ValueType = &firestoredata.Value_StringValue{StringValue: v}
	case []byte:
		value.ValueType = &firestoredata.Value_BytesValue{BytesValue: v}
	case time.Time:
		value.ValueType = &firestoredata.Value_TimestampValue{TimestampValue: timestamppb.New(v)}
	case *latlng.LatLng:
		value.ValueType = &firestoredata.Value_GeoPointValue{GeoPointValue: v}
	case *firestore.DocumentRef:
		value.ValueType = &firestoredata.Value_ReferenceValue{ReferenceValue: v.Path}
	case []any:
		array := new(firestoredata.ArrayValue)
		for _, element := range v {
			e, err := toValue(element)
			if err != nil {
				return nil, err
			}
			array.Values = append(array.Values, e)
		}
		value.ValueType = &firestoredata.Value_ArrayValue{ArrayValue: array}
	case map[string]any:
		fields, err := toFields(v)
		if err != nil {
			return nil, err
		}
		value.ValueType = &firestoredata.Value_MapValue{MapValue: &firestoredata.MapValue{Fields: fields}}
	default:
		return nil, fmt.Errorf("eventarc: no event form for a %T", v)
	}
	return value, nil
}

// toFields converts the fields of a document or map into the form that events carry.
func toFields(m map[string]any) (map[string]*firestoredata.Value, error) {
	fields := make(map[string]*firestoredata.Value, len(m))
	for name, v := range m {
		value, err := toValue(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fields[name] = value
	}
	return fields, nil
}
