package requests_test

import (
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }
