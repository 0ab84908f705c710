package model

import (
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/words"
)

// MaxPinnedTags is how many tags a profile may show.
const MaxPinnedTags = 10

// CleanPinnedTags returns the tags of a profile as they are kept: in the spelling and order of the user, without #, and
// each once. A text that cannot be a tag is errs.Invalid, and so are more than MaxPinnedTags.
func CleanPinnedTags(typed []string) ([]string, error) {
	clean, seen := []string{}, map[string]bool{}
	for _, one := range typed {
		tag, err := NormalizeTag(one)
		if err != nil {
			return nil, err
		}
		if label := words.TrimHash(one); !seen[tag] {
			seen[tag], clean = true, append(clean, label)
		}
	}
	if len(clean) > MaxPinnedTags {
		return nil, errs.New(errs.Invalid, "too_many_pinned_tags", "a profile shows at most %d tags", MaxPinnedTags)
	}
	return clean, nil
}
