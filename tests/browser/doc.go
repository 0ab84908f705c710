// Package browser drives the web client in a real browser: the built client, served by the API,
// against the emulators, with all triggers. The tests themselves are in web/test, in TypeScript.
// It has no code of its own.
package browser
