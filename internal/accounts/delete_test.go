package accounts_test

import (
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/model"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// An account goes once, and is found to be gone.
func TestDelete(t *testing.T) {
	t.Parallel()
	a := accounts.New(emulators.DefaultProject)
	leaver, other := model.UserID(testenv.SignUp(t, "").UID), model.UserID(testenv.SignUp(t, "").UID)
	all := []model.UserID{other, "never", leaver}
	for _, want := range [][]model.UserID{{"never"}, {"never", leaver}} {
		gone, err := a.Gone(t.Context(), all)
		testenv.Must(t, err)
		if !slices.Equal(gone, want) {
			t.Errorf("gone are %q, want %q", gone, want)
		}
		testenv.Must(t, a.Delete(t.Context(), leaver))
	}
	testenv.Must(t, a.Delete(t.Context(), leaver))
}
