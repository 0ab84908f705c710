package oauth_test

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }
