package db

import (
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// AlreadyExists reports whether a commit failed because a document to create exists.
func AlreadyExists(err error) bool { return status.Code(err) == codes.AlreadyExists }

// NotFound reports whether a document to read, update or delete is missing.
func NotFound(err error) bool { return status.Code(err) == codes.NotFound }

// Outdated reports whether a commit failed because a document changed since it was read.
func Outdated(err error) bool { return status.Code(err) == codes.FailedPrecondition }

// Contended reports whether a commit failed because many processes write one of its documents. The client does not send
// the commit again.
func Contended(err error) bool { return status.Code(err) == codes.Aborted }

// closed reports whether a commit failed because its transaction was committed before, or has expired. Only the message
// distinguishes this from an invalid write: "Transaction is invalid or closed." in the emulator, and "The referenced
// transaction has expired or is no longer valid." in the cloud. A "Transaction too big" would fail again.
func closed(err error) bool {
	s, ok := status.FromError(err)
	return ok && s.Code() == codes.InvalidArgument && !TooBig(err) && strings.Contains(strings.ToLower(s.Message()),
		"transaction")
}
