package media

import (
	"fmt"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Codes of the errors of this package. Each has the kind errs.Invalid: the same file fails again.
const (
	CodeUnsupported = "media_type_unsupported" // a type, codec or form of a file that is not taken
	CodeTooLarge    = "media_too_large"        // a limit, which the text names
	CodeDamaged     = "media_damaged"          // bytes that are not what the type demands
)

func unsupported(format string, args ...any) error {
	return &errs.Error{Kind: errs.Invalid, Code: CodeUnsupported, Msg: fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return &errs.Error{Kind: errs.Invalid, Code: CodeTooLarge, Msg: fmt.Sprintf(format, args...)}
}

// damaged returns the error for a file that breaks the rules of its type. The public reads no more than that, and the
// log has the cause.
func damaged(t Type, format string, args ...any) error {
	return &errs.Error{Kind: errs.Invalid, Code: CodeDamaged, Msg: "The " + t.name() + " file is damaged or incomplete.",
		Err: fmt.Errorf(format, args...)}
}
