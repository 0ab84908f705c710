package inbox_test

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/internal/errs"
)

// Nothing speaks for a host whose name has another form than that in which rules for hosts stand.
func TestForeignHosts(t *testing.T) {
	t.Parallel()
	e := open(t)
	for _, host := range []string{"ｅvil.example", "evil。example", "bücher.example", "evil.example.", "evil.example..",
		"evil.example.:443", "bob@evil.example", "evil%2eexample"} {
		actor := "https://" + host + "/users/bob"
		if _, err := inbox.Read(say("Follow", actor, actor+"#1", site.User("ann"), nil)); err == nil {
			t.Errorf("%s: it is read", host)
		}
		_, err := e.of.Person(t.Context(), actor)
		storetest.WantErr(t, err, errs.NotFound, "not_in_fediverse")
		if _, err = e.Federation.Fetch(t.Context(), actor); errs.KindOf(err) != errs.NotFound {
			t.Errorf("%s: it is asked: %v", host, err)
		}
	}
	actor := "https://EVIL.xn--bcher-kva.example:444/users/bob"
	if _, err := inbox.Read(say("Follow", actor, actor+"#1", site.User("ann"), nil)); err != nil {
		t.Error(err)
	}
}
