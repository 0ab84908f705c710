package moderation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A profile names a model that is there, or none. A profile from before keeps its text, and its other fields change.
func TestAIModels(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	name := func(label string) error {
		return e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{AIModel: &label})
	}
	storetest.WantErr(t, name("m"), errs.Invalid, "unknown_ai_model")
	_, err := e.Users.CreateUser(t.Context(), "bob", model.NewUser{Username: "bob", Nickname: "Bob", AIModel: "m"})
	storetest.WantErr(t, err, errs.Invalid, "unknown_ai_model")
	is := model.AIModel{Provider: "somebody", Input: 3, Output: 4, Enabled: true}
	for range 2 {
		_, err = e.Moderation.PutAIModel(t.Context(), admin, "m", is)
		testenv.Must(t, err)
	}
	testenv.Must(t, name("m"))
	all, err := e.Moderation.AIModels(t.Context())
	testenv.Must(t, err)
	if all.Models["m"] != is || all.Named("m") != "m" || all.Named("n") != "" {
		t.Errorf("the models are %+v", all)
	}
	for range 2 {
		testenv.Must(t, e.Moderation.RemoveAIModel(t.Context(), admin, "m"))
	}
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Introduction: new("hello")}))
	testenv.Must(t, name(""))
	if n := len(e.IDs(t, model.AdminActions)); n != 2 {
		t.Errorf("%d entries, want 2", n)
	}
	for _, label := range []string{"", " ", "a/b", " m", strings.Repeat("m", model.MaxAIModel+1)} {
		if _, err := e.Moderation.PutAIModel(t.Context(), admin, label, is); errs.KindOf(err) != errs.Invalid {
			t.Errorf("label %q: %v", label, err)
		}
	}
	_, err = e.Moderation.PutAIModel(t.Context(), admin, "m", model.AIModel{Input: -1})
	storetest.WantErr(t, err, errs.Invalid, "invalid_ai_model")
}

// TestLargestAIModels fills the list of models.
func TestLargestAIModels(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	wide := strings.Repeat("𝕏", model.MaxAIProvider)
	full := model.AIModels{Models: map[string]model.AIModel{}}
	label := func(n int) string { return fmt.Sprintf("%s%03d", strings.Repeat("𝕏", model.MaxAIModel-3), n) }
	size := 500
	for n := range model.MaxAIModels - 1 {
		full.Models[label(n)] = model.AIModel{Provider: wide, Input: 1, Output: 1}
	}
	for l, m := range full.Models {
		size += len(l) + len(m.Provider) + 60
	}
	_, err := e.Raw.Doc("aiModels/all").Set(t.Context(), full)
	testenv.Must(t, err)
	_, err = e.Moderation.PutAIModel(t.Context(), admin, "last", model.AIModel{})
	testenv.Must(t, err)
	_, err = e.Moderation.PutAIModel(t.Context(), admin, "one more", model.AIModel{})
	storetest.WantErr(t, err, errs.Conflict, "too_many_ai_models")
	_, err = e.Moderation.PutAIModel(t.Context(), admin, "last", model.AIModel{Enabled: true})
	testenv.Must(t, err)
	if most := model.Row(model.AIModelLists).Bound.Bytes; size > most || size < most/2 {
		t.Errorf("%d bytes, want at most %d", size, most)
	}
}
