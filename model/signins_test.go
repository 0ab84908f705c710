package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Whatever the order in which clients tell of sign-ins, and however often, the newest are kept, oldest first.
func TestSignIns(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		var is model.SignIns
		var all []int64
		for range 3 * model.MaxSignIns {
			at := random.Int64N(60)
			was := slices.Contains(all, at)
			oldest := len(all) >= model.MaxSignIns && at < all[len(all)-model.MaxSignIns]
			if changed := is.Add(model.SignIn{At: time.Unix(at, 0)}); changed == (was || oldest) {
				t.Fatalf("seed %d: Add(%d) = %t after %d", seed, at, changed, all)
			}
			if !was && !oldest {
				all = append(all, at)
				slices.Sort(all)
			}
		}
		var got []int64
		for _, one := range is.SignIns {
			got = append(got, one.At.Unix())
		}
		if want := all[max(0, len(all)-model.MaxSignIns):]; !slices.Equal(got, want) {
			t.Fatalf("seed %d: kept %d, want %d", seed, got, want)
		}
	}
	var is model.SignIns
	if is.Add(model.SignIn{Provider: strings.Repeat("p", 100)}); len(is.SignIns[0].Provider) != model.MaxProvider {
		t.Errorf("the provider has %d bytes, want %d", len(is.SignIns[0].Provider), model.MaxProvider)
	}
}

func TestPlatform(t *testing.T) {
	t.Parallel()
	const webkit = " AppleWebKit/537.36 (KHTML, like Gecko) "
	tests := []struct{ userAgent, want string }{
		{"Mozilla/5.0 (X11; Linux x86_64)" + webkit + "Chrome/140.0.0.0 Safari/537.36", "Linux Chrome"},
		{"Mozilla/5.0 (Linux; Android 16)" + webkit + "Chrome/140.0.0.0 Mobile Safari/537.36", "Android Chrome"},
		{"Mozilla/5.0 (Windows NT 10.0; Win64)" + webkit + "Chrome/140.0.0.0 Safari/537.36 Edg/140.0", "Windows Edge"},
		{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)" + webkit + "Version/18.0 Safari/605.1", "macOS Safari"},
		{"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)" + webkit + "FxiOS/140.0 Safari/605.1", "iOS Firefox"},
		{"Mozilla/5.0 (X11; CrOS x86_64 1)" + webkit + "Chrome/140.0.0.0 Safari/537.36", "ChromeOS Chrome"},
		{"curl/8.0", " "},
	}
	for _, test := range tests {
		system, program := model.Platform(test.userAgent)
		if got := fmt.Sprint(system, " ", program); got != test.want {
			t.Errorf("Platform(%q) = %q, want %q", test.userAgent, got, test.want)
		}
	}
}
