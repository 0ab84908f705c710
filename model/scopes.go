package model

import (
	"slices"
	"strings"

	"github.com/hibana-sns/hibana/internal/errs"
)

// ScopeSets are the scopes of apps that have parts, with the names of the parts: read has read:accounts. A granted set
// has all its parts. The names are those of Mastodon.
var ScopeSets = []struct {
	Name  string
	Parts []string
}{
	{"read", []string{"accounts", "blocks", "bookmarks", "favourites", "filters", "follows", "lists", "me", "mutes",
		"notifications", "search", "statuses"}},
	{"write", []string{"accounts", "blocks", "bookmarks", "conversations", "favourites", "filters", "follows", "lists",
		"media", "mutes", "notifications", "reports", "statuses"}},
	{"admin:read", adminScopes},
	{"admin:write", adminScopes},
}

var adminScopes = []string{"accounts", "reports", "domain_allows", "domain_blocks", "ip_blocks", "email_domain_blocks",
	"canonical_email_blocks"}

// Scopes without parts. ScopeFollow stands for all that an app does with follows, blocks and mutes.
const (
	ScopeProfile = "profile" // who the user is, and nothing else
	ScopePush    = "push"
	ScopeFollow  = "follow"
	// ScopeDefault is what an app gets that asks for nothing.
	ScopeDefault = "read"
)

// followParts are the scopes that [ScopeFollow] has.
var followParts = []string{"read:blocks", "write:blocks", "read:follows", "write:follows", "read:mutes", "write:mutes"}

// Scopes lists all scopes of apps, sets before their parts.
var Scopes = func() (all []string) {
	all = []string{ScopeProfile, ScopeFollow, ScopePush}
	for _, set := range ScopeSets {
		all = append(all, set.Name)
		for _, part := range set.Parts {
			all = append(all, set.Name+":"+part)
		}
	}
	return all
}()

// maxScopeText is the longest text with scopes, in bytes.
const maxScopeText = 2_000

// ParseScopes reads scopes between spaces, and returns each once, in order. Without any they are [ScopeDefault]. An
// unknown scope is errs.Invalid (invalid_scope).
func ParseScopes(text string) (scopes []string, err error) {
	if len(text) > maxScopeText {
		return nil, errs.New(errs.Invalid, "invalid_scope", "scope has %d bytes; the limit is %d", len(text), maxScopeText)
	}
	for _, one := range strings.Fields(text) {
		if !slices.Contains(Scopes, one) {
			return nil, errs.New(errs.Invalid, "invalid_scope", "there is no scope %q", Snippet(one, 40))
		}
		if !slices.Contains(scopes, one) {
			scopes = append(scopes, one)
		}
	}
	if scopes == nil {
		scopes = []string{ScopeDefault}
	}
	return scopes, nil
}

// Covers reports whether granted scopes have a scope: by its name, by the set of which it is a part, or as a part of
// follow.
func Covers(granted []string, scope string) bool {
	if slices.Contains(granted, scope) {
		return true
	}
	if slices.Contains(granted, ScopeFollow) && slices.Contains(followParts, scope) {
		return true
	}
	at := strings.LastIndexByte(scope, ':')
	return at > 0 && slices.Contains(Scopes, scope) && slices.Contains(granted, scope[:at])
}

// AnyOfStaff reports whether any of granted scopes is one of moderators and administrators.
func AnyOfStaff(granted []string) bool {
	return slices.ContainsFunc(granted, func(one string) bool { return strings.HasPrefix(one, "admin:") })
}

// CoverAll reports whether granted scopes have all of others.
func CoverAll(granted, scopes []string) bool {
	return !slices.ContainsFunc(scopes, func(one string) bool {
		if one == ScopeFollow && !slices.Contains(granted, one) {
			return !CoverAll(granted, followParts)
		}
		return !Covers(granted, one)
	})
}

// JoinScopes returns the scopes of two lists, each once, in the order of [Scopes].
func JoinScopes(a, b []string) (all []string) {
	for _, one := range Scopes {
		if slices.Contains(a, one) || slices.Contains(b, one) {
			all = append(all, one)
		}
	}
	return all
}
