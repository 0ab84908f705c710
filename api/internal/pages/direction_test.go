package pages

import "testing"

// What is around a text goes as its first letter does.
func TestDirection(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "auto", "12:30 🎆": "auto", "Sparks مساء الخير": "ltr", "مساء الخير Sparks": "rtl", "שלום": "rtl", "花火": "ltr",
		"@ann #spark https://example.com مساء": "rtl", "… 3 مساء": "rtl", "#spark": "auto",
	} {
		if got := direction(text); got != want {
			t.Errorf("direction(%q) = %s, want %s", text, got, want)
		}
	}
	warned := Post{Warning: "تحذير", Text: "sparks"}
	if got := warned.Dir(); got != "rtl" {
		t.Errorf("a tweet with a warning goes %s, want as its warning", got)
	}
}
