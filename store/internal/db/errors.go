package db

import (
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
