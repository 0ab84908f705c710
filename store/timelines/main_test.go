package timelines_test

import (
	"strings"
	"testing"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// firestoreMerge merges a raw write into its document.
var firestoreMerge = firestore.MergeAll

// cutKey cuts the key of an overflow's work document into collection and bucket.
func cutKey(key string) (collection, bucket string, ok bool) { return strings.Cut(key, "_") }
