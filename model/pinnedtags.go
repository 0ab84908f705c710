package model

import (
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/words"
)

// MaxPinnedTags is how many tags a profile may show.
const MaxPinnedTags = 10

// CleanPinnedTags returns the tags of a profile as they are kept: in the spelling and order of the user, without #, and
// each once. A spelling with more than MaxTagLength characters gives way to the key. A text that cannot be a tag is
// errs.Invalid, and so are more than MaxPinnedTags.
func CleanPinnedTags(typed []string) ([]string, error) {
	clean, seen := []string{}, map[string]bool{}
	for _, one := range typed {
		tag, err := NormalizeTag(one)
		if err != nil {
			return nil, err
		}
		label := words.TrimHash(one)
		if utf8.RuneCountInString(label) > MaxTagLength { // the key leaves out characters, and so need not be as long
			label = tag
		}
		if !seen[tag] {
			seen[tag], clean = true, append(clean, label)
		}
	}
	if len(clean) > MaxPinnedTags {
		return nil, errs.New(errs.Invalid, "too_many_pinned_tags", "a profile shows at most %d tags", MaxPinnedTags)
	}
	return clean, nil
}
