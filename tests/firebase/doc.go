// Package firebase runs tests below `firebase emulators:exec`, as people who know Firebase do. It
// has no code of its own.
package firebase
