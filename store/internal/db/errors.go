package db

import (
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// AlreadyExists tells whether a commit failed because a document exists that the commit
// was to create.
func AlreadyExists(err error) bool { return status.Code(err) == codes.AlreadyExists }

// NotFound tells whether a document is missing that was to be read, updated or deleted.
func NotFound(err error) bool { return status.Code(err) == codes.NotFound }

// Outdated tells whether a commit failed because a document changed since it was read.
func Outdated(err error) bool { return status.Code(err) == codes.FailedPrecondition }

// closed tells whether a commit failed because its transaction was committed before, or has
// expired. Only the message tells this from an invalid write: "Transaction is invalid or
// closed." in the emulator, and "The referenced transaction has expired or is no longer
// valid." in the cloud. "Transaction too big" would come again.
func closed(err error) bool {
	s, ok := status.FromError(err)
	return ok && s.Code() == codes.InvalidArgument && !TooBig(err) && strings.Contains(strings.ToLower(s.Message()),
		"transaction")
}
