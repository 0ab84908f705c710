package model_test

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/model"
)

// The part of an id in the name of somebody whose handle is another's has 64 bits at least.
func TestOtherUsername(t *testing.T) {
	t.Parallel()
	uid := model.RemoteUserID("https://far.example/users/bob")
	for _, name := range []string{"bob", strings.Repeat("b", model.MaxRemoteName)} {
		got := model.OtherUsername(name+"@far.example", uid)
		short, host, _ := strings.Cut(got, "@")
		if _, err := model.RemoteUsername(short, host); err != nil {
			t.Errorf("%s: %v", got, err)
		}
		if part := short[strings.LastIndex(short, "-")+1:]; len(part) < 16 || !strings.Contains(string(uid), part) {
			t.Errorf("%s has %q of %s", got, part, uid)
		}
	}
}
