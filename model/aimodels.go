package model

import (
	"strings"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Bounds of AI models.
const (
	MaxAIModels    = 200
	MaxAIProvider  = 100           // characters
	MaxAIPrice     = 1_000_000_000 // micro-dollars for a million tokens
	tokensPerPrice = 1_000_000
)

// AIModels has all AI models by their labels: aiModels/all. The document is missing until the first model.
type AIModels struct {
	Models map[string]AIModel `firestore:"models,omitempty"`
}

// AIModel is a model that users name in their profiles, and by which agents decide. Prices are in micro-dollars for a
// million tokens.
type AIModel struct {
	Provider string `firestore:"provider"` // who runs it, may be empty
	Input    int64  `firestore:"input"`
	Output   int64  `firestore:"output"`
	Enabled  bool   `firestore:"enabled"` // agents may use it
}

// ParseAIModelLabel checks the label of a model that an administrator adds: 1 to MaxAIModel characters without slashes,
// control characters, and spaces at its ends. Any other text is errs.Invalid.
func ParseAIModelLabel(s string) (string, error) {
	label, err := cleanText("label", s, MaxAIModel)
	if err != nil {
		return "", err
	}
	if !hasVisible(label) || strings.TrimSpace(label) != label || strings.ContainsAny(label, "/\n\r\t\x00") {
		return "", errs.New(errs.Invalid, "invalid_ai_model", "a label has 1 to %d characters, without slashes and "+
			"line breaks", MaxAIModel)
	}
	return label, nil
}

// Put adds or replaces a model, and returns whether something changed. A model of another form is errs.Invalid. More
// than MaxAIModels are errs.Conflict.
func (all *AIModels) Put(label string, m AIModel) (bool, error) {
	var err error
	if m.Provider, err = cleanText("provider", strings.TrimSpace(m.Provider), MaxAIProvider); err != nil {
		return false, err
	}
	if m.Input < 0 || m.Input > MaxAIPrice || m.Output < 0 || m.Output > MaxAIPrice {
		return false, errs.New(errs.Invalid, "invalid_ai_model", "a price is 0 to %d micro-dollars", MaxAIPrice)
	}
	was, there := all.Models[label]
	if there && was == m {
		return false, nil
	}
	if !there && len(all.Models) >= MaxAIModels {
		return false, errs.New(errs.Conflict, "too_many_ai_models", "there are %d models already", MaxAIModels)
	}
	if all.Models == nil {
		all.Models = map[string]AIModel{}
	}
	all.Models[label] = m
	return true, nil
}

// Named returns a label if a model has it, and an empty text otherwise: the model of a profile may be gone.
func (all *AIModels) Named(label string) string {
	if _, there := all.Models[label]; !there {
		return ""
	}
	return label
}

// UnknownAIModel returns the error of a profile that names a model which is not there.
func UnknownAIModel(label string) error {
	return errs.New(errs.Invalid, "unknown_ai_model", "there is no AI model %q; GET /v1/ai-models lists them", label)
}

// Price returns what a number of tokens costs, in micro-dollars, rounded up.
func (m AIModel) Price(input, output int64) int64 {
	return (input*m.Input + output*m.Output + tokensPerPrice - 1) / tokensPerPrice
}
